"""The moves of Monad and how they are written. Ids such as M-50: rules.md, part 1.

`Kauf` is no keyword: it meant the pair in the German rules and the sum in the English ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.core.rules import MalformedMove, say
from games.monad.cards import MONAD


@dataclass(frozen=True, slots=True)
class Draw:
    """A card from the stock, which is the whole turn (M-30)."""


@dataclass(frozen=True, slots=True)
class Flip:
    """The discard becomes the stock, which is the whole turn (M-31)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is done in this turn (M-34)."""


@dataclass(frozen=True, slots=True)
class End:
    """A turn of exchanges is over (M-32)."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Cards for one of a higher value than each of them (M-50); first listed, first returned."""

    cards: tuple[str, ...]
    level: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A warm and a cool card of equal value for the next level (M-60)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leap:
    """Four, five or six ones of different colours for a 7, a 16 or a 36 (M-80)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """The top cards of everything below the level that a bonus pair brought (M-72)."""

    level: int


Exchange = Sum | Pair | Leap
Move = Exchange | Bonus | Draw | Flip | Pass | End

_CARD = "[ABCabc](?:36|16|7|3|1)"
_MOVE = re.compile(
    f"sum ({_CARD}(?: {_CARD})*) > (3|7|16|36|monad)"
    f"|pair ({_CARD} {_CARD})"
    f"|leap ({_CARD}(?: {_CARD}){{3,5}})"
    "|bonus (3|7|16|36|80)"
    "|(draw|flip|pass|end)"
)
_PICKED = re.compile(f"{_CARD}(?: {_CARD})*")
_PLAIN: dict[str, Move] = {"draw": Draw(), "flip": Flip(), "pass": Pass(), "end": End()}
_WORD = {type(move): word for word, move in _PLAIN.items()}


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> Move:
    """The move from its stored notation: `pair A36 a36`, `sum A7 b7 c7 > 16`, `draw`."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(say("malformed", text=text[:40]))
    paid, level, pair, leap, bonus, plain = found.groups()
    if plain:
        return _PLAIN[plain]
    if pair:
        return Pair(tuple(pair.split()))
    if paid:
        return Sum(tuple(paid.split()), MONAD if level == "monad" else int(level))
    return Leap(tuple(leap.split())) if leap else Bonus(int(bonus))


def notate(move: Move) -> str:
    """The stored notation."""
    match move:
        case Sum(cards, level):
            return f"sum {' '.join(cards)} > {'monad' if level == MONAD else level}"
        case Pair(cards):
            return f"pair {' '.join(cards)}"
        case Leap(cards):
            return f"leap {' '.join(cards)}"
        case Bonus(level):
            return f"bonus {level}"
        case _:
            return _WORD[type(move)]


def begun(text: str) -> Move | tuple[str, ...]:
    """What is chosen so far: a move, or cards of the hand of which nothing is made yet."""
    return tuple(text.split(" ")) if _PICKED.fullmatch(text) else parse(text)


_KEYWORDS = {
    "sum": "sum",
    "handel": "sum",
    "pair": "pair",
    "paar": "pair",
    "leap": "leap",
    "sprung": "leap",
    "bonus": "bonus",
    "draw": "draw",
    "ziehen": "draw",
    "ziehe": "draw",
    "flip": "flip",
    "umdrehen": "flip",
    "pass": "pass",
    "passen": "pass",
    "passe": "pass",
    "end": "end",
    "ende": "end",
}
_AMBIGUOUS = re.compile(r"(?:kauf(?:en?)?|buy|trade)\b", re.IGNORECASE)
_COLOUR_WORDS = {
    "red": "A",
    "rot": "A",
    "orange": "B",
    "yellow": "C",
    "gelb": "C",
    "purple": "a",
    "violet": "a",
    "violett": "a",
    "lila": "a",
    "blue": "b",
    "blau": "b",
    "green": "c",
    "grün": "c",
    "gruen": "c",
}
_TYPED_CARD = re.compile(
    rf"([ABCabc]|(?i:{'|'.join(_COLOUR_WORDS)}))[ -]*(36|16|7|3|1)(?!\d)[ ,+&]*"
)
_TYPED = re.compile(
    rf"(\w+)[ :]*((?:{_TYPED_CARD.pattern})*)(?:(?:[-=]?>|→|für|for|gegen)? *(\w+))?"
)
_MONADS = {"monad", "monade", "million", "80"}


def read(typed: str) -> str:
    """The stored notation of what a person typed: German or English words, keywords in any case.

    The case of a card's letter is kept, since it tells warm from cool; a colour word may have any.
    """
    text = " ".join(typed.translate({ord("–"): "-"}).split())
    found = _TYPED.fullmatch(text)
    word = _KEYWORDS.get(found[1].lower(), "") if found else ""
    if found is None or not word:
        key = "ambiguous" if _AMBIGUOUS.match(text) else "malformed"
        raise MalformedMove(say(key, text=typed.strip()[:40]))
    cards = " ".join(
        _COLOUR_WORDS.get(colour.lower(), colour) + value
        for colour, value in _TYPED_CARD.findall(found[2])
    )
    stored = " ".join(part for part in (word, cards, _target(word, found[5])) if part)
    try:
        return notate(parse(stored))
    except MalformedMove:
        raise MalformedMove(say("malformed", text=typed.strip()[:40])) from None


def _target(word: str, typed: str | None) -> str:
    """What follows the cards: the level of a sum or a bonus."""
    level = (typed or "").lower()
    if word == "bonus":
        return "80" if level in _MONADS else level
    if word == "sum":
        return f"> {'monad' if level in _MONADS else level}"
    return level
