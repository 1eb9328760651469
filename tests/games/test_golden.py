"""Golden logs replay to what they came to when they were committed, record by record."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games import golden


@pytest.mark.parametrize("log", golden.logs(), ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_a_golden_log_comes_to_what_it_did(log: Path) -> None:
    found, kept = golden.digests(log), golden.kept(log)
    drift = [line for line, before in zip(found, kept, strict=False) if line != before]
    assert drift[:1] == []
    assert len(found) == len(kept)
