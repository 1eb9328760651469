"""The house player of Black Monday: what it plays, and that it knows how."""

from __future__ import annotations

from random import Random

import pytest

from games import registry
from games.black_monday import bot
from games.black_monday.state import State
from games.black_monday.v1 import RULES
from games.chance import Stream
from games.core import line
from games.core.rules import Over
from tests.games.market import after, dealt, money, place, shuffled
from tests.games.test_black_monday_oracle import changed, pick


def lot(seed: int) -> Stream:
    return Stream(seed.to_bytes(32, "big"))


def chosen(state: State, seed: int = 1) -> str:
    return bot.play(RULES.known(state, state.seat), state.seat, lot(seed))


def turn(state: State, random: Random) -> str:
    """A random turn, each kind of move as likely as any other, but never a pass."""
    moves: list[str] = []
    while not moves or moves[-1].split()[0] not in ("end", "swap"):
        legal = [move for move in map(RULES.notate, RULES.legal_moves(state)) if move != "pass"]
        moves.append(pick(legal, random))
        state = RULES.apply(state, RULES.parse(moves[-1]))
    return "; ".join(moves)


def match(seats: int, seed: int, house: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """The standing of a match in which some seats are played by the house, the rest at random."""
    random, chance = Random(seed), lot(seed)
    state = dealt(seats, seed)
    while not state.end:
        mine = state.seat in house
        known = RULES.known(state, state.seat)
        text = bot.play(known, state.seat, chance) if mine else turn(state, random)
        played = line.play(RULES, state, state.seat, text)
        assert played.rest == ""
        state = shuffled(played.state, random)
    over = RULES.turn(state)
    assert isinstance(over, Over)
    return over.standing


@pytest.mark.parametrize(("seats", "wins"), [(2, 11), (4, 10)])
def test_the_house_is_far_better_than_chance(seats: int, wins: int) -> None:
    won = 0
    for seed in range(12):
        seat = seed % seats + 1
        standing = match(seats, seed, frozenset({seat}))
        won += standing[seat - 1] == max(standing)
    assert won >= wins


def test_the_house_plays_itself_to_the_end() -> None:
    for seats in (2, 6):
        assert len(match(seats, 1, frozenset(range(1, seats + 1)))) == seats


def test_the_same_lot_gives_the_same_line() -> None:
    for seed in range(10):
        assert chosen(dealt(3, seed), seed) == chosen(dealt(3, seed), seed)


def test_what_it_cannot_see_makes_no_difference() -> None:
    for seed in range(5):
        state = dealt(3, seed)
        assert chosen(state) == chosen(changed(state, 1, Random(seed)))


def test_the_house_raises_before_it_sells() -> None:
    state = place("6 5 5 5", "R9 R12 B1 P1 Y1 B2 P2 Y2", shares=("R10 R2",))
    text = chosen(state)
    assert text.startswith("price R9; price R12; sell R")
    assert money(after(state, text)) >= 200 + 144 - 20


def test_the_house_saves_its_money_before_it_crashes_others() -> None:
    state = place("6 6 6 4", "Y13 R1 R2 B1 B2 P1 P2 P2", shares=("Y2", "Y10 Y2", "Y9"))
    assert chosen(state).startswith("sell Y2; crash Y13")


def test_the_house_can_go_on_in_the_middle_of_a_turn() -> None:
    state = after(place("6 5 5 5", "R9 R12 B1 P1 Y1 B2 P2 Y2", shares=("R10 R2",)), "sell R2")
    text = chosen(state)
    assert text.endswith("end")
    assert after(state, text).seat == 2


def test_the_house_keeps_to_every_option() -> None:
    for number, option in enumerate(RULES.options):
        given = {option.name.replace("-", "_"): option.words[-1]}
        state = dealt(3, number, **given)
        random = Random(number)
        while not state.end:
            played = line.play(RULES, state, state.seat, chosen(state))
            assert played.rest == ""
            state = shuffled(played.state, random)


def test_the_registry_finds_the_house_player() -> None:
    assert registry.bot("black-monday").play(dealt(2), 1, lot(1))
