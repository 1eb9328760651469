"""What the pages of a match are made from: its rows, its records and the positions they gave."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from games.log.record import Record
from games.position import Position
from service import matches, records
from service.matches import MatchRow, SeatRow
from service.site import Cache
from service.web.frame import site

Step = tuple[Record, Position]
"""A record with the position after it."""

_steps: Cache[bytes, tuple[Step, ...]] = Cache(16)


@dataclass(frozen=True)
class Gathered:
    """A match as it stands."""

    row: MatchRow
    people: tuple[SeatRow, ...]
    """By seat once the match has started, before that by place."""
    steps: tuple[Step, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of seats 1, 2, …, as their players gave them."""
        return matches.names(self.people)

    @property
    def records(self) -> tuple[Record, ...]:
        return tuple(record for record, _ in self.steps)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.steps[-1][1]

    def seat_of(self, player: int) -> int | None:
        """The seat that a player holds."""
        return next((one.number for one in self.people if one.player == player), None)


def gather(match: str) -> Gathered:
    """A match from the database. Raises NoMatch."""
    with site().db.read() as conn:
        row = matches.find(conn, match)
        return Gathered(row, matches.seats(conn, match), _walk(conn, row))


def _walk(conn: sa.Connection, row: MatchRow) -> tuple[Step, ...]:
    steps = _steps.get(row.head)
    if steps is None:
        steps = tuple(records.walk(site(), conn, row.id))
        _steps.put(row.head, steps)
    return steps
