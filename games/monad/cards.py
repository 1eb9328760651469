"""The cards of Monad: six colours in three pairs, and five values. Ids as in rules.md, part 1."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable

from games.core.cards import UNSEEN

COLOURS = "ABCabc"
"""Warm ones are capitals, cool ones are not; `A-a`, `B-b` and `C-c` are the bonus pairs."""
VALUES = (1, 3, 7, 16, 36)
GROUPED = VALUES[1:]
"""The values whose cards lie in groups; ones lie in stock and discard."""
MONAD = 80
LEVELS = (*GROUPED, MONAD)
"""What can be acquired."""
NEXT = dict(zip(VALUES, LEVELS, strict=True))
"""What a pair of each value is exchanged for (M-60)."""
PLACE = {level: place for place, level in enumerate(LEVELS)}
FACES = tuple(f"{colour}{value}" for colour in COLOURS for value in VALUES)
"""Every different card, in card order."""
VALUE = {face: int(face[1:]) for face in FACES}
GROUP = {face: PLACE.get(value, -1) for face, value in VALUE.items()}
"""The number of the group to which a card belongs: 0 to 3, and -1 for a one."""
LEAPS = {4: 7, 5: 16, 6: 36}
"""What so many ones of different colours are exchanged for (M-80)."""
RANK = {face: place for place, face in enumerate((*FACES, UNSEEN))}
COPIES = 6
"""Ones of every seat (M-1), and cards of every group (M-2)."""


def warm(card: str) -> bool:
    """Whether the card is of a warm colour."""
    return card[0] in "ABC"


def added(hand: Iterable[str], card: str) -> tuple[str, ...]:
    """The hand with one more card, in card order."""
    found = list(hand)
    insort(found, card, key=RANK.__getitem__)
    return tuple(found)


def ordered(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards in card order, those not seen last."""
    return tuple(sorted(cards, key=RANK.__getitem__))


def by_value(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards by value, as a hand is shown."""
    return tuple(sorted(cards, key=lambda card: (VALUE.get(card, MONAD), RANK[card])))


def common(cards: Iterable[str], others: list[str]) -> tuple[str, ...]:
    """Those of the cards that are among the others, which lose them."""
    found = []
    for card in cards:
        if card in others:
            others.remove(card)
            found.append(card)
    return tuple(found)
