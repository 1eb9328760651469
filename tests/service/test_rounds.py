"""The numbers that players give to turns."""

from __future__ import annotations

import pytest

from games.core.rules import Dice
from games.log.record import Body, Move, Roll
from games.log.writing import by
from service.rounds import played


def moves(seats: str) -> list[Body]:
    """One record for each seat named, with a roll between them."""
    roll = Roll(0, b"", Dice((6,)), (1,))
    spoken = [Move(int(seat), "x", by(0, "web", seat=int(seat), mv="x")) for seat in seats]
    return [body for move in spoken for body in (roll, move)]


@pytest.mark.parametrize(
    ("seats", "before", "mover", "number"),
    [
        (2, "", 1, 1),
        (2, "1", 2, 1),
        (2, "12", 1, 2),
        (2, "1", 1, 1),  # chance came, and the turn goes on
        (2, "12111", 1, 2),
        (2, "12111", 2, 2),
        (2, "", 2, 1),  # the second seat begins: its turn is a round by itself
        (2, "2", 1, 2),
        (2, "21", 2, 2),
        (2, "212", 1, 3),
        (3, "", 2, 1),
        (3, "12", 3, 3),
        (3, "123", 3, 3),
        (4, "1234", 1, 5),
    ],
)
def test_of_two_rounds_are_counted_and_of_more_turns(
    seats: int, before: str, mover: int, number: int
) -> None:
    assert played(moves(before)).number(seats, mover) == number
