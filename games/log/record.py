"""The records of a log as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.core.rules import Outcome, Request

Via = Literal["key", "link", "web", "mail", "api", "cond"]
ActKind = Literal[
    "resign",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "offer-void",
    "accept-void",
    "pause",
    "resume",
    "rekey",
]
SysKind = Literal["timeout", "substitute", "adjudicate", "clock", "void", "rekey"]
Level = Literal["F0", "F1", "F2"]


@dataclass(frozen=True, slots=True)
class By:
    """What a player's record says beside its text: what was in view, and how it came.

    `text` is the canonical `p`, the only bytes that the player wrote and signed.
    """

    on: int
    via: Via
    text: bytes
    sig: bytes | None = None
    ev: bytes | None = None


@dataclass(frozen=True, slots=True)
class Tip:
    """The published end of a chain: its length and D[0]."""

    n: int
    tip: bytes


@dataclass(frozen=True, slots=True)
class Open:
    serial: int
    game: str
    version: int
    options: tuple[tuple[str, str], ...]
    """Sorted by name, as in the line."""
    seats: int
    clock: str
    level: Level
    heads: str
    """The vkey that signs heads; what it is worth is said by the verifier's policy."""
    log: str
    pub: Tip | None
    hid: Tip | None
    """Both chains at F1 and F2, none at F0."""


@dataclass(frozen=True, slots=True)
class Join:
    pid: str
    by: By
    ent: bytes | None = None
    entc: bytes | None = None
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Ent:
    pid: str
    ent: bytes
    by: By


@dataclass(frozen=True, slots=True)
class Start:
    seats: tuple[str, ...]
    """The pids of seats 1, 2, …"""
    k: int | None = None
    d: bytes | None = None
    """Both at F1 and F2, neither at F0."""


@dataclass(frozen=True, slots=True)
class Deal:
    k: int


@dataclass(frozen=True, slots=True)
class Roll:
    k: int
    d: bytes
    of: Request
    out: Outcome


@dataclass(frozen=True, slots=True)
class Move:
    seat: int
    mv: str
    by: By
    src: bytes | None = None


@dataclass(frozen=True, slots=True)
class Act:
    seat: int
    act: ActKind
    by: By
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Sys:
    sys: SysKind
    why: str
    seat: int | None = None
    pid: str | None = None
    key: bytes | None = None
    secs: int | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    k: int
    d: bytes


@dataclass(frozen=True, slots=True)
class End:
    res: tuple[tuple[int, int], ...]
    """(seat, place) by seat; empty if void."""
    why: str
    state: bytes
    """SHA-256 of the canonical final state."""


Body = Open | Join | Ent | Start | Deal | Roll | Move | Act | Sys | Reveal | End


class Record(NamedTuple):
    """One line of a log."""

    m: str
    n: int
    at: int
    """Unix seconds UTC, the server's claim."""
    prev: bytes
    """Hash of the line before; empty in record 0."""
    hash: bytes
    """SHA-256 of this line with its LF."""
    body: Body
