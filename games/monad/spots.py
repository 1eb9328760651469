"""Where the cards of a hand and the piles lie in the picture of Monad, and how they are marked."""

from __future__ import annotations

from typing import NamedTuple

from games.core import faces
from games.core.cards import UNSEEN
from games.core.svg import HIT, number, paint
from games.monad import piles
from games.monad.cards import VALUE, VALUES, warm
from games.monad.people import EDGE
from games.monad.piles import HIGH, WIDE
from games.monad.symbols import pair_mark, place


class Size(NamedTuple):
    """A size of cards in a hand."""

    across: int
    """Cards to a row."""
    wide: float
    high: float
    scale: float


FULL = Size(5, faces.WIDTH, faces.HEIGHT, 1)
NARROW = Size(6, WIDE, HIGH, 1)
TIGHT = Size(7, 90, 116, 0.94)
"""As small as it can be with letters that are still read on a telephone."""
LONG, LONGEST = 11, 19
"""From so many cards on, they are narrow, and tight."""
BELOW = 22
"""Between two rows, for the underline."""


class Spot(NamedTuple):
    """Where a card or pile lies, and how large it is."""

    x: float
    y: float
    size: Size = NARROW

    def area(self, wider: int = 0) -> str:
        """What of it can be hit."""
        return f'{self._rect(wider)} rx="10" {HIT}/>'

    def framed(self, shape: str) -> str:
        """The thing with the sign of what is chosen, gained or can be acquired: round it, or on
        its edge where cards lie close together."""
        if self.size is TIGHT:
            return f'{shape}{self._rect(-2)} rx="8" {paint(stroke="ink", width=6)}/>'
        return f'{self._rect(5)} rx="14" {paint("ink-wash", "ink", 6)}/>{shape}'

    def underlined(self, shape: str) -> str:
        """The thing with the sign of what can be picked."""
        size = self.size
        return shape + faces.underline(self.x + size.wide / 2, self.y + size.high + 9, 28)

    def _rect(self, wider: int) -> str:
        x, y = number(self.x - wider), number(self.y - wider)
        wide, high = self.size.wide + 2 * wider, self.size.high + 2 * wider
        return f'<rect x="{x}" y="{y}" width="{number(wide)}" height="{number(high)}"'

    def face(self, card: str, stamm: str) -> str:
        """A card of the hand, with the sign of a joker."""
        drawn = _full(card, stamm) if self.size is FULL else _narrow(card, stamm)
        small = f" scale({self.size.scale:g})" if self.size.scale != 1 else ""
        return f'<g transform="translate({number(self.x)} {number(self.y)}){small}">{drawn}</g>'


def spread(count: int, top: float) -> tuple[tuple[Spot, ...], int]:
    """Where the cards of a hand lie, and where it ends."""
    size = FULL if count < LONG else NARROW if count < LONGEST else TIGHT
    pitch, deep = (EDGE - size.wide) / (size.across - 1), size.high + BELOW
    spots = tuple(
        Spot(pitch * (step % size.across), top + deep * (step // size.across), size)
        for step in range(count)
    )
    return spots, round(top + deep * -(-count // size.across) - 6)


def _full(card: str, stamm: str) -> str:
    if card == UNSEEN:
        return faces.back()
    left, scale = (20, 1.0) if len(card) == 2 else (17, 0.8)
    mark = place(pair_mark(card[0]), left, 121, scale)
    joker = place("joker", 99, 25) * is_joker(card, stamm)
    return faces.face(card[0], card[1:], pointed=not warm(card), marks=joker + mark)


def _narrow(card: str, stamm: str) -> str:
    if card == UNSEEN:
        return place("back", 0, 0)
    return piles.face(card) + place("joker", 84, 62, 0.8) * is_joker(card, stamm)


def is_joker(card: str, stamm: str) -> bool:
    """Whether the card may stand for another value (M-61)."""
    return card[0] == stamm and VALUE[card] > VALUES[0]
