"""Positions of Monad by hand, for the tests."""

from __future__ import annotations

from random import Random

from games.core import line
from games.core.rules import Chance, Dice, ToMove, complete
from games.monad.cards import COLOURS, FACES, VALUE, VALUES, ordered
from games.monad.state import Player, State
from games.monad.v1 import RULES

GROUPS = "C3 a3 B3 c3 A3 b3", "b7 A7 c7 B7 a7 C7", "c16 b16 A16 a16 B16 C16", "c36 A36 b36 B36 a36"


def start(seats: int = 2, **options: str) -> State:
    """The match before any chance; options with an underscore for the hyphen, `pass_` for pass."""
    given = {name.replace("_", "-").strip("-"): value for name, value in options.items()}
    return RULES.setup(seats, complete(RULES, seats, given))


def dealt(seats: int = 3, seed: int = 1, **options: str) -> State:
    """The first position of a match whose cards fall by a seed."""
    return settled(start(seats, **options), Random(seed))


def settled(state: State, random: Random) -> State:
    """The position after the chance that the rules ask for."""
    while isinstance(turn := RULES.turn(state), Chance):
        if isinstance(turn.request, Dice):
            outcome = tuple(random.randint(1, sides) for sides in turn.request.sides)
            state = RULES.apply_chance(state, outcome)
        else:
            ids = turn.request.ids
            state = RULES.apply_chance(state, tuple(random.sample(ids, len(ids))))
    return state


def place(
    *hands: str,
    groups: tuple[str, ...] = GROUPS,
    stock: str = "",
    discard: str = "",
    stamm: str = "Bacd",
    monads: tuple[int, ...] = (0, 0, 0, 0),
    **options: str,
) -> State:
    """A position from hands such as `A36 a36 B1`; seat 1 is to move, and everybody has seen
    everything but the ones in the hands."""
    seats = max(len(hands), 2)
    return start(seats, **options)._replace(
        colours=COLOURS,
        lot=None,
        players=tuple(
            Player(colour, ordered(cards.split()), count, secret=_ones(cards))
            for cards, colour, count in zip((*hands, ""), stamm, monads, strict=False)
        )[:seats],
        groups=tuple(tuple(cards.split()) for cards in groups),
        stock=tuple(stock.split()),
        discard=tuple(discard.split()),
    )


def _ones(cards: str) -> tuple[str, ...]:
    return ordered(card for card in cards.split() if VALUE[card] == VALUES[0])


def after(state: State, text: str) -> State:
    """The position after a turn line of the seat to move, all of it legal."""
    turn = RULES.turn(state)
    assert isinstance(turn, ToMove)
    played = line.play(RULES, state, turn.seat, text)
    assert played.rest == ""
    return played.state


def legal(state: State, kind: str = "") -> list[str]:
    """The legal moves that are listed; of one kind, or all."""
    moves = map(RULES.notate, RULES.legal_moves(state))
    return [move for move in moves if move.startswith(kind)]


def hand(state: State, seat: int = 1) -> str:
    """The hand of a seat."""
    return " ".join(state.players[seat - 1].hand)


def group(state: State, value: int) -> str:
    """A group from the top."""
    return " ".join(state.groups[VALUES.index(value) - 1])


def monads(state: State, seat: int = 1) -> int:
    """The Monads of a seat."""
    return state.players[seat - 1].monads


def every_card(state: State) -> list[str]:
    """All cards wherever they are, in card order."""
    piles = (*(player.hand for player in state.players), *state.groups, state.stock, state.discard)
    return list(ordered(card for pile in piles for card in pile))


def whole(seats: int) -> list[str]:
    """All cards that a match of so many seats has."""
    return [face for face in FACES for _ in range(seats if VALUE[face] == VALUES[0] else 1)]
