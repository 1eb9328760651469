"""Cards in hands and piles: tuples of their names in which equal copies cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable

UNSEEN = "?"
"""A card that the viewer has not seen."""


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without the first copy of one that is among them."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def missing(cards: Iterable[str], wanted: Iterable[str]) -> str:
    """The first wanted card that is not there as often as it is wanted; "" if all are there."""
    rest = list(cards)
    for card in wanted:
        if card not in rest:
            return card
        rest.remove(card)
    return ""


def things(cards: Iterable[str]) -> tuple[str, ...]:
    """The ids of cards in a picture: their names, with `-2` for the second copy."""
    seen: dict[str, int] = {}
    found = []
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
        found.append(card if seen[card] == 1 else f"{card}-{seen[card]}")
    return tuple(found)
