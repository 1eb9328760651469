"""The three moves of Malawi and how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from games.core.rules import MalformedMove, say


@dataclass(frozen=True, slots=True)
class Step:
    """A piece moves to an empty square exactly as far as it is strong (W-10)."""

    piece: str
    target: str


@dataclass(frozen=True, slots=True)
class Capture:
    """A piece takes all points of an enemy at exactly that distance; neither moves (W-13)."""

    piece: str
    target: str


@dataclass(frozen=True, slots=True)
class Distribute:
    """A piece gives away all its points, one to each receiver (W-11); receivers in board order."""

    piece: str
    receivers: tuple[str, ...]


Move = Step | Capture | Distribute


_SQUARE = "[a-h][1-8]"
_MOVE = re.compile(f"({_SQUARE})(?:([-x])({_SQUARE})|:({_SQUARE}(?:,{_SQUARE})*))")
_TYPED_RECEIVERS = re.compile(f"(?:[,+]?{_SQUARE})+")
_SPELLINGS = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("×✕✗*", "x"))


def begun(text: str) -> Move:
    """What is chosen so far: a move, or a distribution to nobody yet for a piece alone."""
    return Distribute(text, ()) if re.fullmatch(_SQUARE, text) else parse(text)


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> Move:
    """The move from its stored notation: `a3-c3`, `f3xd3`, `a1:a2,a3`."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(say("malformed", text=text[:40]))
    piece, sign, target, listed = found.groups()
    if sign is not None:
        return Step(piece, target) if sign == "-" else Capture(piece, target)
    receivers = tuple(listed.split(","))
    if any(one >= other for one, other in pairwise(receivers)):
        raise MalformedMove(say("receivers"))
    return Distribute(piece, receivers)


def notate(move: Move) -> str:
    """The stored notation."""
    if isinstance(move, Distribute):
        return f"{move.piece}:{','.join(move.receivers)}"
    return f"{move.piece}{'-' if isinstance(move, Step) else 'x'}{move.target}"


def read(typed: str) -> str:
    """The stored notation of what a person typed: any case, blanks, ×, dashes, any order."""
    text = "".join(typed.lower().split()).translate(_SPELLINGS)
    piece, colon, listed = text.partition(":")
    if colon and _TYPED_RECEIVERS.fullmatch(listed):
        text = f"{piece}:{','.join(sorted(re.findall(_SQUARE, listed)))}"
    try:
        return notate(parse(text))
    except MalformedMove as error:
        if error.say.key == "malformed":
            raise MalformedMove(say("malformed", text=typed.strip()[:40])) from None
        raise
