"""The house player of Monad: what it plays, and that it knows how."""

from __future__ import annotations

from random import Random

import pytest

from games import registry
from games.chance import Stream
from games.core import line
from games.core.rules import Over
from games.monad import bot
from games.monad.state import State
from games.monad.v1 import RULES
from games.new import random_line
from tests.games.ladder import after, dealt, place, settled
from tests.games.test_monad_oracle import changed, opened


def lot(seed: int) -> Stream:
    return Stream(seed.to_bytes(32, "big"))


def chosen(state: State, seed: int = 1) -> str:
    return bot.play(RULES.known(state, state.seat), state.seat, lot(seed))


def match(seats: int, seed: int, house: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """The standing of a match in which some seats are played by the house, the rest at random."""
    random, chance, state = Random(seed), lot(seed), dealt(seats, seed)
    while not state.end:
        known = RULES.known(state, state.seat)
        if state.seat in house:
            text = bot.play(known, state.seat, chance)
        else:
            text = random_line(chance, RULES, known, state.seat)
        played = line.play(RULES, state, state.seat, text)
        assert played.rest == ""
        state = settled(played.state, random)
    over = RULES.turn(state)
    assert isinstance(over, Over)
    return over.standing


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_house_is_far_better_than_chance(seats: int) -> None:
    for seed in range(6):
        seat = seed % seats + 1
        standing = match(seats, seed, frozenset({seat}))
        assert standing[seat - 1] == max(standing)
        assert standing.count(max(standing)) == 1


def test_the_house_plays_itself_to_the_end() -> None:
    for seats in (2, 3, 4):
        assert len(match(seats, 1, frozenset(range(1, seats + 1)))) == seats


def test_the_same_lot_gives_the_same_line() -> None:
    for seed in range(10):
        assert chosen(dealt(3, seed), seed) == chosen(dealt(3, seed), seed)


def test_what_it_cannot_see_makes_no_difference() -> None:
    for seed in range(5):
        state = dealt(3, seed)
        assert chosen(state) == chosen(changed(state, 1, Random(seed)))


@pytest.mark.parametrize(
    ("cards", "begins"),
    [
        ("A36 a36 c1 b7", "pair A36 a36; bonus 80"),
        ("A16 a16 b1", "pair A16 a16; bonus 36"),
    ],
)
def test_the_house_sees_the_obvious(cards: str, begins: str) -> None:
    state = place(cards, "", stamm="Ac", stock="C1", groups=("B3", "B7", "B16", "c36"))
    assert chosen(state).startswith(begins)


def test_the_house_leaps_with_a_rainbow() -> None:
    state = place("A1 B1 C1 a1 b1 c1 A3 b3", "")
    assert "leap" in chosen(state)


@pytest.mark.parametrize("cards", ["A36 a36 A1 b1", "A36 B36 C7 c1", "A7 b7 C16 A1 b1"])
def test_the_house_wins_where_it_can(cards: str) -> None:
    state = place(cards, "", monads=(4, 4), stamm="Cd", groups=("C3", "", "c16", "c36"))
    assert after(state, chosen(state)).end == "monads"


def test_the_house_passes_when_it_is_stuck() -> None:
    assert chosen(place("A1 B1", "c1")) == "pass"


def test_the_house_can_go_on_in_the_middle_of_a_turn() -> None:
    state = after(place("A1 a1 B1 c1", "", stock="C1"), "pair A1 a1")
    assert chosen(state).endswith("end")
    assert after(state, chosen(state)).seat == 2


@pytest.mark.parametrize("seed", range(12))
def test_the_house_keeps_to_every_option(seed: int) -> None:
    random = Random(seed)
    state, _ = opened(random)
    for _ in range(60):
        if state.end:
            return
        played = line.play(RULES, state, state.seat, chosen(state, seed))
        assert played.rest == ""
        state = settled(played.state, random)


def test_the_registry_finds_the_house_player() -> None:
    assert registry.bot("monad").play(dealt(2), 1, lot(1))
