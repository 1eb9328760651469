"""A match of each game that the house plays against itself, for the pictures of the rules."""

from __future__ import annotations

from functools import cache

from games import registry
from games.chance import Stream
from games.core import line as lines
from games.core.drawing import Language
from games.core.rules import Chance, Dice, Over, Shuffle, ToMove, complete
from games.registry import AnyState

TURNS = 14
"""Of the match that is shown: some way on, and not yet over; of a shorter one half of them."""
NAMES = ("Ada", "Ben", "Carla", "Dora", "Emil", "Fritz")


@cache
def view(game: str) -> object:
    """What seat 1 sees in the middle of the match."""
    return registry.newest(game).view(_played(game), 1)


def names(game: str, language: Language) -> tuple[str, ...]:
    """Of those who play it."""
    return NAMES[: _seats(game)]


def _seats(game: str) -> int:
    """Three, or as near to that as the game allows."""
    seats = registry.newest(game).seats
    return max(seats[0], min(3, seats[-1]))


def _played(game: str) -> AnyState:
    rules, lot = registry.newest(game), Stream(bytes(32))
    state = rules.setup(_seats(game), complete(rules, _seats(game), {}))
    passed: list[AnyState] = []
    while True:
        match rules.turn(state):
            case Chance(request=Dice(sides)):
                state = rules.apply_chance(state, lot.dice(sides))
            case Chance(request=Shuffle() as shuffle):
                state = rules.apply_chance(state, lot.shuffle(shuffle.ids))
            case ToMove(seat) if len(passed) < TURNS:
                passed.append(state)
                line = registry.bot(game).play(rules.known(state, seat), seat, lot)
                state = lines.play(rules, state, seat, line).state
            case Over():
                return passed[len(passed) // 2]
            case _:
                return state
