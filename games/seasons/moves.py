"""The two moves of Seasons of the Sun and how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from games.core.rules import MalformedMove, say
from games.seasons.sectors import PLACES


@dataclass(frozen=True, slots=True)
class Reroll:
    """Some of the dice are thrown once more, together (S-10); positions 1 to 3, ascending."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """The sum of the dice is laid on the own field of a sector (S-11)."""

    sector: str


Move = Reroll | Place

_REROLL = re.compile("reroll ([1-3](?:,[1-3])*)")
_TYPED_REROLL = re.compile("(?:re-?roll|neu)((?:[,+&]?[1-3])+)")
_TYPED_PLACE = re.compile("(max|min)-?([0-9]+)")
_SPELLINGS = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


@lru_cache(maxsize=64)
def parse(text: str) -> Move:
    """The move from its stored notation: `reroll 1,3`, `max15`."""
    if text in PLACES:
        return Place(text)
    found = _REROLL.fullmatch(text)
    if found is None:
        raise MalformedMove(say("malformed", text=text[:40]))
    dice = tuple(map(int, found[1].split(",")))
    if any(one >= other for one, other in pairwise(dice)):
        raise MalformedMove(say("dice-order"))
    return Reroll(dice)


def notate(move: Move) -> str:
    """The stored notation."""
    if isinstance(move, Place):
        return move.sector
    return f"reroll {','.join(map(str, move.dice))}"


def read(typed: str) -> str:
    """The stored notation of what a person typed: `Max-15`, `min 9`, `neu 3 1`, `re-roll 1+3`."""
    text = "".join(typed.lower().split()).translate(_SPELLINGS)
    if found := _TYPED_REROLL.fullmatch(text):
        dice = sorted(re.findall("[1-3]", found[1]))
        if len(dice) > len(set(dice)):
            raise MalformedMove(say("die-twice"))
        return f"reroll {','.join(dice)}"
    if found := _TYPED_PLACE.fullmatch(text):
        text = "".join(found.groups())
        if text not in PLACES:
            raise MalformedMove(say("no-sector", sector=text[:40]))
        return text
    raise MalformedMove(say("malformed", text=typed.strip()[:40]))
