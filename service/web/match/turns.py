"""What has been played: the turn list, and what happened since a reader's own last turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from games.core.rules import BYSTANDER, Viewer
from games.log.record import End, Move, Record, Start
from service import tale
from service.web.match import board
from service.web.match.loaded import Loaded
from service.web.request import _

TWO = 2
ROWS = 100
"""Of the turn list; older turns are in the replay."""


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
class Turn:
    """What a seat played before another seat was to move."""

    seat: int
    played: tuple[Played, ...]


@dataclass(frozen=True)
class Row:
    """One round of two seats, or one turn of more."""

    number: int
    who: str
    """Whose turn it was; of two seats each has a column instead."""
    cells: tuple[tuple[Played, ...], ...]


Listed = tuple[str, tuple[tuple[Played, ...], ...]]
"""A row without its number."""


def lately(found: Loaded, viewer: Viewer) -> tuple[Told, ...]:
    """What happened since the reader's own last turn; for a bystander, the last turn. The end is
    told by the status."""
    first = max(_since(found.records, viewer), 1)
    return tuple(
        Told(record.n, tale.tell(record, before, after, board.reader(found, after, viewer)))
        for (_before, before), (record, after) in pairwise(found.passed[first - 1 :])
        if not isinstance(record.body, End)
    )


def newest(found: Loaded, viewer: Viewer) -> int | None:
    """The record of the newest turn line of a seat."""
    bodies = ((record.n, record.body) for record, _after in reversed(found.passed))
    own = (n for n, body in bodies if isinstance(body, Move) and body.seat == viewer)
    return next(own, None)


def _since(records: Sequence[Record], viewer: Viewer) -> int:
    """The record from which on something is news: after the reader's own last turn line, or where
    the last turn of all began."""
    moves = [(record.n, record.body.seat) for record in records if isinstance(record.body, Move)]
    if viewer == BYSTANDER and moves:
        last = moves[-1][1]
        return [n for n, _seat in takewhile(lambda move: move[1] == last, reversed(moves))][-1]
    own = [n for n, seat in moves if seat == viewer]
    began = (record.n for record in records if isinstance(record.body, Start))
    return own[-1] + 1 if own else next(began, len(records))


def columns(found: Loaded) -> tuple[str, ...]:
    """The heads of the turn list beside the number."""
    return found.names if len(found.names) == TWO else (_("Player"), _("Played"))


def rows(found: Loaded) -> tuple[Row, ...]:
    """The turn list, newest first: of two seats by rounds, of more by turns."""
    turns = list(_turns(found))
    listed = _rounds(turns) if len(found.names) == TWO else _by_turn(turns, found.names)
    numbered = [Row(number, who, cells) for number, (who, cells) in enumerate(listed, start=1)]
    return tuple(reversed(numbered[-ROWS:]))


def _turns(found: Loaded) -> Iterator[Turn]:
    """Each turn: one record, or several with chance between them."""
    bodies = [(record.n, record.body) for record in found.records]
    moves = [(n, body) for n, body in bodies if isinstance(body, Move)]
    newest = moves[-1][0] if moves else None
    for seat, run in groupby(moves, key=lambda move: move[1].seat):
        yield Turn(seat, tuple(Played(n, body.mv, n == newest) for n, body in run))


def _rounds(turns: Sequence[Turn]) -> Iterator[Listed]:
    """Seats 1 and 2 side by side; either may be missing from the first and the last."""
    first: tuple[Played, ...] = ()
    for turn in turns:
        if turn.seat == TWO:
            yield "", (first, turn.played)
        first = turn.played if turn.seat == 1 else ()
    if first:
        yield "", (first, ())


def _by_turn(turns: Sequence[Turn], names: Sequence[str]) -> Iterator[Listed]:
    return ((names[turn.seat - 1], (turn.played,)) for turn in turns)
