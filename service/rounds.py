"""The number of a turn, as players count: of two seats by rounds, of more by turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from games.log.record import Body, Move

TWO = 2


@dataclass(frozen=True)
class Rounds:
    """How many turns there were, and whose the first and the last one was; 0 for none.

    What a seat plays before another one does is one turn, whatever chance came between.
    """

    turns: int = 0
    first: int = 0
    last: int = 0

    def then(self, body: Body) -> Rounds:
        """After one more record."""
        if not isinstance(body, Move) or body.seat == self.last:
            return self
        return Rounds(self.turns + 1, self.first or body.seat, body.seat)

    def number(self, seats: int, mover: int) -> int:
        """The number of the turn in which a seat is to move now."""
        turn = self.turns + (mover != self.last)
        if seats != TWO:
            return turn
        late = (self.first or mover) == TWO  # the first round is then the second seat's alone
        return (turn + late + 1) // 2


NONE = Rounds()


def played(bodies: Iterable[Body]) -> Rounds:
    """The turns of a match from its beginning."""
    return reduce(Rounds.then, bodies, NONE)
