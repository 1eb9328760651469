"""Golden logs replay to what they always replayed to, record by record."""

from __future__ import annotations

import pytest

from tests.games.golden import GOLDEN, digests, names


@pytest.mark.parametrize("name", names())
def test_a_golden_log_says_the_same_at_every_record(name: str) -> None:
    kept = (GOLDEN / f"{name}.digest").read_text().splitlines()
    for found, expected in zip(digests(name), kept, strict=True):
        assert found == expected, "the rules have drifted at this record"
