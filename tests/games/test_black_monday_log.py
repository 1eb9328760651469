"""Whole logs of Black Monday and the verdicts they get."""

from __future__ import annotations

import pytest

from games.core.rules import ToMove
from games.log.errors import BadLog
from games.log.policy import parse
from games.position import Phase
from games.verify import verify
from tests.games.golden import GOLDEN
from tests.games.script import Script


@pytest.mark.parametrize(
    ("name", "played", "fair"),
    [
        ("two", "PLAYED black-monday/1 closed 1=1 2=2", "FAIR F1"),
        ("six", "PLAYED black-monday/1 closed 1=6 2=3 3=2 4=5 5=4 6=1", "FAIR F2"),
        ("last-round", "PLAYED black-monday/1 closed 1=1 2=2 3=3 4=4", "FAIR F2"),
        ("forbidden", "PLAYED black-monday/1 closed 1=3 2=4 3=5 4=2 5=1", "FAIR F1"),
    ],
)
def test_random_matches_verify_under_their_own_policies(name: str, played: str, fair: str) -> None:
    """Shares of court cards and free crashes; a last round after a lazy shuffle; no passes."""
    log, policy = (
        (GOLDEN / "black-monday" / f"{name}.{kind}").read_bytes() for kind in ("mlog", "policy")
    )
    assert list(verify(log, parse(policy)).lines[2:4]) == [played, fair]


def refused(script: Script, seat: int, mv: str) -> str:
    with pytest.raises(BadLog) as error:
        script.move(seat, mv)
    return error.value.code


def hand(script: Script, seat: int) -> tuple[str, ...]:
    state = script.position.state
    assert state is not None
    found: tuple[str, ...] = state.holdings[seat - 1].hand
    return found


def test_a_card_that_is_not_held_has_its_own_code() -> None:
    script = Script("black-monday", 3)
    script.start()
    missing = next(f"Y{value}" for value in range(1, 14) if f"Y{value}" not in hand(script, 1))
    assert refused(script, 1, f"swap {missing}") == "E_HAND"
    assert refused(script, 1, "end") == "E_ILLEGAL"
    assert refused(script, 1, "sell Y1") == "E_ILLEGAL"
    assert refused(script, 1, "swap Y1, Y2") == "E_ILLEGAL"
    assert refused(script, 2, "pass") == "E_TURN"
    assert refused(script, 1, "pass; pass") == "E_ILLEGAL"


def test_a_turn_may_come_in_several_records() -> None:
    script = Script("black-monday", 2)
    script.start()
    state = script.position.state
    assert state is not None
    move = next(
        move
        for move in map(script.position.rules.notate, script.position.rules.legal_moves(state))
        if move.startswith("price")
    )
    assert script.move(1, move).turn == ToMove(1)
    assert script.move(1, "end").turn == ToMove(2)


def test_seats_that_leave_are_skipped_and_placed_behind() -> None:
    script = Script("black-monday", 4)
    script.start()
    script.move(1, "pass")
    script.act(4, "resign")
    assert script.move(2, "pass").turn == ToMove(3)
    assert script.move(3, "pass").turn == ToMove(1)
    script.move(1, f"swap {hand(script, 1)[0]}")
    assert script.rule("timeout", seat=2).turn == ToMove(3)
    over = script.act(1, "resign")
    assert over.phase is Phase.OVER
    assert over.result is not None
    assert (over.result.why, over.result.places) == ("resign", (2, 3, 1, 4))
    assert script.close().phase is Phase.CLOSED


def test_passes_end_a_match_of_those_who_stayed() -> None:
    script = Script("black-monday", 3)
    script.start()
    for seat in (1, 2, 3):
        script.move(seat, "pass")
    script.rule("timeout", seat=1)
    over = script.move(2, "pass")
    assert over.result is not None
    assert (over.result.why, over.result.places) == ("passed", (3, 1, 1))
    assert script.close().phase is Phase.CLOSED
