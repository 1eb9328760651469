"""The cards of Black Monday: colours, values, price windows, shares, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.core.cards import UNSEEN
from games.core.rules import Say, say

COLOURS = "RBPY"
"""Red, blue, purple and yellow: the colours 1 to 4 of the rules."""
DOWN, UP = (2, 3, 4, 5), (3, 4, 5, 6)
"""By colour: how far a change may take its price down and up (B-2)."""
END = "END"

FACES = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, 14))
"""Every card once, in card order; there are two copies of each (B-1)."""
DECK = tuple(face for face in FACES for _ in (1, 2))
COLOUR: Mapping[str, int] = {face: COLOURS.index(face[0]) for face in FACES}
VALUE: Mapping[str, int] = {face: int(face[1:]) for face in FACES}
SHARES: Mapping[str, int] = {face: value if value <= 10 else 5 for face, value in VALUE.items()}
"""How many shares a card stands for when it is laid out; a court card for five (B-45)."""
COURTS = frozenset(face for face, value in VALUE.items() if value > 10)
"""The cards that may be played as 0."""

_RANK: Mapping[str, int] = {card: rank for rank, card in enumerate((*FACES, END, UNSEEN))}


def ordered(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards in card order, unseen ones last."""
    return tuple(sorted(cards, key=_RANK.__getitem__))


def of_colour(cards: Iterable[str], colour: int) -> tuple[str, ...]:
    """The cards of a colour."""
    return tuple(card for card in cards if COLOUR[card] == colour)


def shares(cards: Iterable[str], colour: int) -> int:
    """How many shares of a colour the cards stand for."""
    return sum(SHARES[card] for card in cards if COLOUR[card] == colour)


def about(key: str, card: str, **values: str | int) -> Say:
    """A sentence about a card: each colour has its own, with the card's value in it."""
    return say(f"{key}-{card[0]}", value=card[1:], **values)
