"""What a viewer sees of a match of Monad: the table, and what everybody has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.core.cards import UNSEEN
from games.core.rules import Viewer
from games.monad.moves import Move


class Holder(NamedTuple):
    """A seat with everything it has."""

    seat: int
    stamm: str
    """The Stamm colour; "" before it is drawn."""
    hand: tuple[str, ...]
    """By value; cards not seen are `?` and stand last."""
    monads: int
    team: int
    """The Monads of the team, or of the seat alone."""
    left: bool
    """Whether the seat has left the match."""

    @property
    def seen(self) -> tuple[str, ...]:
        """The cards that are seen."""
        return tuple(card for card in self.hand if card != UNSEEN)


class Done(NamedTuple):
    """A move of a turn and what it brought, as the viewer may know it."""

    move: Move
    cards: tuple[str, ...]
    """Cards and `monad`; for a pass, the hand that was shown."""


@dataclass(frozen=True)
class View:
    """The table, and where the match stands."""

    edition: str
    holders: tuple[Holder, ...]
    groups: tuple[tuple[str, ...], ...]
    """Of 3, 7, 16 and 36, as far as they lie there; the head of each is on top."""
    stock: tuple[str, ...]
    """The head is on top."""
    discard: tuple[str, ...]
    """The oldest card first."""
    target: int
    """Monads that win."""
    teams: bool
    seat: int
    """To move, unless the match is over."""
    deeds: tuple[Done, ...]
    """The exchanges of the present turn."""
    mover: int
    """Who had the turn before; 0 if nobody had."""
    lately: tuple[Done, ...]
    """What was done in it."""
    end: str
    """Why the match is over, or ""."""
    winners: tuple[int, ...]
    """The seats that are ahead at the end; () as long as the match goes on."""

    def holder(self, seat: int) -> Holder:
        """A seat with everything it has."""
        return self.holders[seat - 1]

    def others(self, viewer: Viewer) -> tuple[Holder, ...]:
        """All seats but the viewer's, in turn order behind it."""
        if not isinstance(viewer, int):
            return self.holders
        return (*self.holders[viewer:], *self.holders[: viewer - 1])
