"""The moves of Black Monday and how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from games.black_monday.cards import FACES, ordered
from games.core.rules import MalformedMove, say

MOST = 4
"""Cards that may be exchanged in a turn (B-21)."""


@dataclass(frozen=True, slots=True)
class Price:
    """A hand card becomes the price card of its colour (B-30)."""

    card: str


@dataclass(frozen=True, slots=True)
class Crash:
    """A hand card of 11, 12 or 13 becomes the price card of its colour, as 0 (B-31)."""

    card: str


@dataclass(frozen=True, slots=True)
class Buy:
    """A hand card is paid for and laid out as shares (B-40)."""

    card: str


@dataclass(frozen=True, slots=True)
class Sell:
    """A card laid out is turned into money (B-43)."""

    card: str


@dataclass(frozen=True, slots=True)
class Swap:
    """One to four hand cards are exchanged, which is the whole turn (B-21); in card order."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is done in this turn (B-22)."""


@dataclass(frozen=True, slots=True)
class End:
    """A turn with price changes or trade is over."""


Move = Price | Crash | Buy | Sell | Swap | Pass | End

_ONE_CARD: Mapping[str, Callable[[str], Price | Crash | Buy | Sell]] = {
    "price": Price,
    "crash": Crash,
    "buy": Buy,
    "sell": Sell,
}
_WORD = {kind: word for word, kind in _ONE_CARD.items()}
_CARD = "[RBPY](?:1[0-3]|[1-9])"
_MOVE = re.compile(f"(price|crash|buy|sell|swap) ({_CARD}(?: {_CARD})*)|pass|end")


@lru_cache(maxsize=1 << 13)
def parse(text: str) -> Move:
    """The move from its stored notation: `price R9`, `swap R1 B2`, `end`."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(say("malformed", text=text[:40]))
    word, listed = found.groups()
    if word is None:
        return Pass() if text == "pass" else End()
    cards = tuple(listed.split())
    if word == "swap":
        return _swap(cards)
    if len(cards) > 1:
        raise MalformedMove(say("one-card", word=word))
    return _ONE_CARD[word](cards[0])


def _swap(cards: tuple[str, ...]) -> Swap:
    if len(cards) > MOST:
        raise MalformedMove(say("too-many", most=MOST))
    if cards != ordered(cards):
        raise MalformedMove(say("order"))
    return Swap(cards)


def notate(move: Move) -> str:
    """The stored notation."""
    if isinstance(move, Swap):
        return f"swap {' '.join(move.cards)}"
    if isinstance(move, Pass | End):
        return "pass" if isinstance(move, Pass) else "end"
    return f"{_WORD[type(move)]} {move.card}"


_KEYWORDS = {
    **{word: word for word in (*_ONE_CARD, "swap", "pass", "end")},
    "kurs": "price",
    "konkurs": "crash",
    "kaufe": "buy",
    "kaufen": "buy",
    "verkaufe": "sell",
    "verkaufen": "sell",
    "tausche": "swap",
    "tauschen": "swap",
    "passe": "pass",
    "passen": "pass",
    "ende": "end",
}
_COLOUR_WORDS = {
    "red": "R",
    "rot": "R",
    "blue": "B",
    "blau": "B",
    "purple": "P",
    "violett": "P",
    "lila": "P",
    "yellow": "Y",
    "gelb": "Y",
}
_TYPED_CARD = re.compile(rf"({'|'.join(_COLOUR_WORDS)}|[rbpy])[ -]*(1[0-3]|[1-9])(?!\d)[ ,+]*")
_TYPED = re.compile(rf"({'|'.join(_KEYWORDS)})\b[ :]*((?:{_TYPED_CARD.pattern})*)")


def read(typed: str) -> str:
    """The stored notation of what a person typed: German or English words, any case and order."""
    found = _TYPED.fullmatch(" ".join(typed.lower().replace("–", "-").split()))
    if found is None:
        raise MalformedMove(say("malformed", text=typed.strip()[:40]))
    word = _KEYWORDS[found[1]]
    cards = tuple(
        _COLOUR_WORDS.get(colour, colour.upper()) + value
        for colour, value in _TYPED_CARD.findall(found[2])
    )
    if bool(cards) == (word in ("pass", "end")):
        raise MalformedMove(say("malformed", text=typed.strip()[:40]))
    if word == "swap":
        cards = ordered(cards)
    return notate(parse(" ".join((word, *cards))))


def begun(text: str) -> Move | str:
    """What is chosen so far: a move, or a hand card with which nothing is done yet."""
    return text if text in _FACES else parse(text)


_FACES = frozenset(FACES)
