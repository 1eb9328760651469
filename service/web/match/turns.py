"""What has been played: the turn list, and what happened since a reader's own last turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from games.core.rules import BYSTANDER, Viewer
from games.log.record import End, Move, Start
from service import tale
from service.web.match import board
from service.web.match.loaded import Loaded
from service.web.match.walk import Turn
from service.web.request import _

TWO = 2
ROWS = 30
"""Of the turn list on one page."""


@dataclass(frozen=True)
class Told:
    """What happened, with the record that says so."""

    n: int
    words: str


@dataclass(frozen=True)
class Played:
    """A turn line in the list, with its record."""

    n: int
    line: str
    newest: bool


@dataclass(frozen=True)
class Row:
    """One round of two seats, or one turn of more."""

    number: int
    who: str
    """Whose turn it was; of two seats each has a column instead."""
    cells: tuple[tuple[Played, ...], ...]


@dataclass(frozen=True)
class Page:
    """A page of the turn list, the newest first; the first page has the newest turns."""

    rows: tuple[Row, ...]
    page: int
    last: int


def lately(found: Loaded, viewer: Viewer) -> tuple[Told, ...]:
    """What happened since the reader's own last turn; for a bystander, the last turn. The end is
    told by the status."""
    first = max(_since(found, viewer), 1)
    return tuple(
        Told(record.n, tale.tell(record, before, after, board.reader(found, after, viewer)))
        for (_before, before), (record, after) in pairwise(found.passed[first - 1 :])
        if not isinstance(record.body, End)
    )


def newest(found: Loaded, viewer: Viewer) -> int | None:
    """The record of the newest turn line of a seat."""
    return next((turn.records[-1] for turn in reversed(found.turns) if turn.seat == viewer), None)


def _since(found: Loaded, viewer: Viewer) -> int:
    """The record from which on something is news: after the reader's own last turn line, or where
    the last turn of all began."""
    if viewer == BYSTANDER and found.turns:
        return found.turns[-1].records[0]
    own = newest(found, viewer)
    began = (record.n for record, _after in found.passed if isinstance(record.body, Start))
    return next(began, len(found.passed)) if own is None else own + 1


def columns(found: Loaded) -> tuple[str, ...]:
    """The heads of the turn list beside the number."""
    return found.names if len(found.names) == TWO else (_("Player"), _("Played"))


def listed(found: Loaded, page: int = 1) -> Page:
    """A page of the turn list, the nearest to that: of two seats by rounds, of more by turns."""
    count = _rounds(found) if len(found.names) == TWO else len(found.turns)
    last = max(1, -(-count // ROWS))
    page = min(max(page, 1), last)
    numbers = range(count - ROWS * (page - 1), max(0, count - ROWS * page), -1)
    return Page(tuple(_row(found, number) for number in numbers), page, last)


def _row(found: Loaded, number: int) -> Row:
    if len(found.names) != TWO:
        turn = found.turns[number - 1]
        return Row(number, found.names[turn.seat - 1], (_played(found, turn),))
    at = 2 * (number - 1) - _late(found)
    pair = (found.turns[n] if 0 <= n < len(found.turns) else None for n in (at, at + 1))
    return Row(number, "", tuple(_played(found, turn) if turn else () for turn in pair))


def _rounds(found: Loaded) -> int:
    return (len(found.turns) + _late(found) + 1) // 2


def _late(found: Loaded) -> int:
    """1 if seat 2 had the first turn of two seats, which take turns from there on."""
    return int(bool(found.turns) and found.turns[0].seat == TWO)


def _played(found: Loaded, turn: Turn) -> tuple[Played, ...]:
    newest = found.turns[-1].records[-1]
    return tuple(
        Played(n, cast(Move, found.passed[n][0].body).mv, n == newest) for n in turn.records
    )
