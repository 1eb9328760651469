"""Whole logs of Seasons of the Sun and the verdicts they get."""

from __future__ import annotations

import pytest

from games.log.policy import parse
from games.verify import verify
from tests.games.golden import GOLDEN

EXAMPLE = [
    "INTACT 73 records, complete",
    "LOGGED index 101 of 275 2026-11-14T21:29:27Z",
    "PLAYED seasons/1 score 1=2 2=1",
    "FAIR F1",
    "seat 1: signed 19/19 by key PCBR4fwR7sy1QnKpOmZSxFzL4ndOTXpigX7AdzVtjOQ",
    "seat 2: signed 17/17 by key WMrSmbIscMAXJbPNLVD9xMl0TXmfmfRlzP_y1Gk5FFg",
]


def test_the_shared_example_gets_exactly_its_verdict() -> None:
    policy = parse((GOLDEN / "policy.txt").read_bytes())
    assert list(verify((GOLDEN / "seasons.mlog").read_bytes(), policy).lines) == EXAMPLE


def test_a_forged_roll_is_found() -> None:
    policy = parse((GOLDEN / "policy.txt").read_bytes())
    forged = (GOLDEN / "damaged" / "seasons-forged-roll.mlog").read_bytes()
    assert verify(forged, policy).fault == "E_DICE_OUT 12"


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
