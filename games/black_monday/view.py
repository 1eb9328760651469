"""What a viewer sees of a match of Black Monday: the market, and what everybody has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Stock(NamedTuple):
    """A colour of the market."""

    colour: str
    """Its letter."""
    card: str
    """On top of its price pile."""
    price: int
    low: int
    high: int
    """The least and the highest card that may be played on it now; 0 is told apart."""
    crash: bool
    """Whether 11, 12 or 13 may be played as 0 now."""
    past: tuple[int, ...]
    """The price when the present turn, the one before it and the one before that began."""


class Holder(NamedTuple):
    """A seat with everything it has."""

    seat: int
    money: int
    shares: tuple[str, ...]
    """Cards laid out, in card order."""
    hand: tuple[str, ...]
    """In card order; unseen cards are `?`."""
    wealth: int
    left: bool
    """Whether the seat has left the match."""

    @property
    def seen(self) -> bool:
        """Whether any card of the hand is seen."""
        return any(card != "?" for card in self.hand)


@dataclass(frozen=True)
class View:
    """The table, and where the match stands."""

    stocks: tuple[Stock, ...]
    """In card order; empty before the start prices are drawn."""
    holders: tuple[Holder, ...]
    seat: int
    """To move, unless the match is over."""
    movers: tuple[int, int]
    """Who had the turn before this one, and the one before that; 0 if nobody had."""
    begun: bool
    """Whether the seat to move has done something in this turn."""
    talon: int
    closing: bool
    """Whether the End card is in the talon."""
    closed: bool
    """Whether the End card has been drawn."""
    discard: tuple[str, ...]
    """In card order."""
    end: str
    """Why the match is over, or ""."""
    winners: tuple[int, ...]
    """The seats that won; () as long as the match goes on."""

    def holder(self, seat: int) -> Holder:
        """A seat with everything it has."""
        return self.holders[seat - 1]
