"""The house player of Malawi: what it plays, and that it knows how."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games import registry
from games.chance import Stream
from games.core import line
from games.malawi import bot
from games.malawi.v1 import RULES, State
from tests.games import walk
from tests.games.boards import after, moves, place, start

LONGEST = 2_500
"""Positions that every bot may look at in a turn here, so that the tests are quick."""


@pytest.fixture(autouse=True)
def _short_of_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "NODES", LONGEST)


def lot(seed: int) -> Stream:
    return Stream(seed.to_bytes(32, "big"))


def chosen(state: State, seed: int = 1) -> str:
    return bot.play(RULES.known(state, state.seat), state.seat, lot(seed))


def running(count: int) -> Iterator[State]:
    """Positions of random matches under every setting in which somebody is to move."""
    return (state for state in walk.sample(RULES, count) if not state.end)


def wins(state: State) -> set[str]:
    """The moves that win at once."""
    return {move for move in moves(state) if after(state, move).winner == state.seat}


def safe(state: State) -> set[str]:
    """The moves after which the other side cannot win at once."""
    played = {move: after(state, move) for move in moves(state)}
    return {move for move, there in played.items() if there.winner != 3 - state.seat} - {
        move for move, there in played.items() if wins(there)
    }


def duel(seed: int, seat: int, **options: str) -> int:
    """Who won a match in which this seat, or both (3), is played by the house; 0 for a draw."""
    state, chance = start(**options), lot(seed)
    while not state.end:
        if state.seat & seat:
            text = bot.play(state, state.seat, chance)
        else:
            legal = moves(state)
            text = legal[chance.below(len(legal))]
        state = after(state, text)
    return state.winner


def test_the_house_plays_what_is_legal_under_every_option() -> None:
    for state in running(3):
        assert line.sends(RULES, state, state.seat, chosen(state))


def test_the_house_takes_a_win() -> None:
    found = 0
    for state in running(16):
        if winning := wins(state):
            found += 1
            assert chosen(state) in winning
    assert found >= 15


def test_the_house_stops_a_loss_where_it_can() -> None:
    found = 0
    for state in running(4):
        if not wins(state) and (stopping := safe(state)) and len(stopping) < len(moves(state)):
            found += 1
            assert chosen(state) in stopping
    assert found >= 10


def test_the_house_minds_gifts_on_the_goal_row() -> None:
    one, two = "a1:1 b3:0 b4:0 b5:0 b6:0 f1:0", "c6:2 d4:0 d5:0 e3:0 f3:1 f5:1"
    assert chosen(place(one, two, reentry="state")) == "a1:f1"
    state = place(one, two, seat=2, reentry="state")
    assert len(safe(state)) < len(moves(state))
    assert chosen(state) in safe(state)


def test_the_house_captures_who_would_win_by_surviving() -> None:
    state = place("a1:2 b2:0 b3:0 b4:0 b6:1 c6:2", "a3:1 f2:2 f3:2 f4:2 f5:2 f6:2", arrival="a3")
    assert chosen(state) == "a1xa3"


@pytest.mark.parametrize("repetition", ["draw", "forbid"])
def test_the_house_does_not_come_back_a_third_time(repetition: str) -> None:
    there_and_back = ("a3-c3", "f3-d3", "c3-a3", "d3-f3")
    begun = after(start(repetition=repetition), *(there_and_back * 2)[:-1])
    assert line.sends(RULES, begun, 2, chosen(begun))
    assert chosen(begun) != "d3-f3"


def test_the_same_lot_gives_the_same_line() -> None:
    for seed, state in enumerate(running(1)):
        assert chosen(state, seed) == chosen(state, seed)


def test_the_lot_decides_between_equals() -> None:
    assert len({chosen(start(), seed) for seed in range(6)}) > 1


def test_a_turn_looks_at_no_more_positions_than_it_may() -> None:
    for state in running(1):
        search = bot.Search()
        search.deepened({move: RULES.apply(state, move) for move in RULES.legal_moves(state)})
        assert search.seen <= 2 * LONGEST


def test_the_house_is_far_better_than_chance() -> None:
    won = [duel(seed, seat) == seat for seed in range(4) for seat in (1, 2)]
    assert won.count(True) >= 7


def test_the_house_plays_itself_to_the_end() -> None:
    assert duel(1, 3, no_progress="20", repetition="forbid") in (0, 1, 2)


def test_the_registry_finds_the_house_player() -> None:
    assert registry.bot("malawi").play(start(), 1, lot(1)) in moves(start())
