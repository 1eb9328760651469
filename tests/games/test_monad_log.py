"""Whole logs of Monad and the verdicts they get."""

from __future__ import annotations

import pytest

from games.core.rules import ToMove
from games.log.errors import BadLog
from games.log.policy import parse
from games.monad.v1 import RULES
from games.position import Phase
from games.verify import verify
from tests.games.golden import GOLDEN
from tests.games.script import Script


def test_the_shared_example_gets_its_verdict() -> None:
    log, policy = (GOLDEN / name for name in ("monad.mlog", "policy.txt"))
    assert verify(log.read_bytes(), parse(policy.read_bytes())).lines == (
        "INTACT 127 records, complete",
        "LOGGED index 228 of 275 2026-11-14T21:29:27Z 2026-11-14T21:29:34Z",
        "PLAYED monad/1 monads 1=2 2=2 3=1",
        "FAIR F2",
        "seat 1: signed 38/38 by key _iKm0VpWjJLF1D5OG-vL_ICD59IX0t6WsX_iP7ly6eo",
        "seat 2: operator's word",
        "seat 3: operator's word",
    )


@pytest.mark.parametrize(
    ("name", "played", "fair"),
    [
        ("shuffled", "PLAYED monad/1 monads 1=1 2=2", "FAIR F1"),
        ("passed", "PLAYED monad/1 passed 1=1 2=1", "FAIR F1"),
        ("german", "PLAYED monad/1 monads 1=1 2=2 3=2", "FAIR F1"),
        ("teams", "PLAYED monad/1 monads 1=2 2=1 3=2 4=1", "FAIR F2"),
        ("open", "PLAYED monad/1 monads 1=2 2=2 3=1 4=2", "FAIR F1"),
    ],
)
def test_random_matches_verify_under_their_own_policies(name: str, played: str, fair: str) -> None:
    """A stock that is shuffled and sums that must fit; passes at will; the German rule with prompt
    bonuses; Die 1. Million in teams; four open hands."""
    log, policy = (
        (GOLDEN / "monad" / f"{name}.{kind}").read_bytes() for kind in ("mlog", "policy")
    )
    assert list(verify(log, parse(policy)).lines[2:4]) == [played, fair]


def refused(script: Script, seat: int, mv: str) -> str:
    with pytest.raises(BadLog) as error:
        script.move(seat, mv)
    return error.value.code


def opening(script: Script) -> str:
    """A first exchange of the seat to move, and the end of its turn."""
    return f"{RULES.notate(next(iter(RULES.legal_moves(script.position.state))))}; end"


def test_a_card_that_is_not_held_has_its_own_code() -> None:
    script = Script("monad", 3)
    script.start()
    assert refused(script, 1, "pair A36 a36") == "E_HAND"
    assert refused(script, 1, "sum A7 B7 C7 > 3") == "E_HAND"
    assert refused(script, 1, "draw") == "E_ILLEGAL"
    assert refused(script, 1, "bonus 3") == "E_ILLEGAL"
    assert refused(script, 1, "sum A36") == "E_ILLEGAL"
    assert refused(script, 2, "draw") == "E_TURN"
    assert refused(script, 1, f"{opening(script)}; draw") == "E_ILLEGAL"


def test_a_turn_may_come_in_several_records() -> None:
    script = Script("monad", 2)
    script.start()
    exchange, end = opening(script).split("; ")
    assert script.move(1, exchange).turn == ToMove(1)
    assert script.move(1, end).turn == ToMove(2)


def test_a_shuffled_stock_is_dealt_from_the_hidden_chain_and_revealed() -> None:
    script = Script("monad", 3, flip="shuffle")
    script.start()
    assert script.position.hid == 1
    while not (script.position.state.discard and script.position.turn == ToMove(2)):
        script.move(script.position.turn.seat, opening(script))  # type: ignore[union-attr]
    script.move(2, "flip")
    assert (script.position.hid, script.position.turn) == (2, ToMove(3))
    script.move(3, "draw")
    for seat in (1, 2):
        script.act(seat, "resign")
    assert script.close().phase is Phase.CLOSED
    assert script.position.reveals == 2


def test_seats_that_leave_are_skipped_and_placed_behind() -> None:
    script = Script("monad", 4)
    script.start()
    script.move(1, opening(script))
    script.act(4, "resign")
    script.move(2, "flip")
    assert script.move(3, "draw").turn == ToMove(1)
    assert script.rule("timeout", seat=1).turn == ToMove(2)
    over = script.act(2, "resign")
    assert over.result is not None
    assert (over.result.why, over.result.places) == ("resign", (3, 2, 1, 4))
    assert script.close().phase is Phase.CLOSED


def test_a_team_plays_on_while_one_of_it_is_there() -> None:
    script = Script("monad", 4, team="yes")
    script.start()
    script.move(1, opening(script))
    assert script.act(1, "resign").phase is Phase.RUNNING
    script.move(2, "flip")
    script.move(3, "draw")
    assert script.move(4, "draw").turn == ToMove(2)
    over = script.act(3, "resign")
    assert over.result is not None
    assert over.result.places == (2, 1, 2, 1)
    assert script.close().phase is Phase.CLOSED
