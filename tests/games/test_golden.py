"""Golden logs replay to what they always replayed to, record by record."""

from __future__ import annotations

import pytest

from games import registry
from tests.games.golden import GOLDEN, digests


@pytest.mark.parametrize("game", registry.games())
def test_a_golden_log_says_the_same_at_every_record(game: str) -> None:
    kept = (GOLDEN / f"{game}.digest").read_text().splitlines()
    for found, expected in zip(digests(game), kept, strict=True):
        assert found == expected, "the rules have drifted at this record"
