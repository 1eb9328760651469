"""Whole logs of Seasons of the Sun for what random matches rarely come to."""

from __future__ import annotations

import pytest

from games.log.policy import parse
from games.verify import verify
from tests.games.golden import GOLDEN


@pytest.mark.parametrize(
    ("name", "played", "fair"),
    [
        ("level", "PLAYED seasons/1 score 1=1 2=1", "FAIR F1"),
        ("more-sectors", "PLAYED seasons/1 score 1=2 2=1", "FAIR F2"),
        ("cleared", "PLAYED seasons/1 score 1=1 2=2", "FAIR F2"),
    ],
)
def test_random_matches_verify_under_their_own_policies(name: str, played: str, fair: str) -> None:
    """60 to 60 under `tie draw` and `tie sectors`, and four sectors cleared in one match."""
    log, policy = (
        (GOLDEN / "seasons" / f"{name}.{kind}").read_bytes() for kind in ("mlog", "policy")
    )
    assert list(verify(log, parse(policy)).lines[2:4]) == [played, fair]
