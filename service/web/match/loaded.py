"""A match as the database has it: its rows, its records and the positions they gave."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sqlalchemy as sa

from games.log.record import Record
from games.position import Position
from service import matches, records
from service.cache import Cache
from service.matches import MatchRow, SeatRow
from service.web.request import site

Passed = tuple[Record, Position]
"""A record with the position after it."""

_walked: Cache[str, tuple[Passed, ...]] = Cache(16)
"""By match: a log only ever grows."""


@dataclass(frozen=True)
class Loaded:
    """A match as it stands."""

    row: MatchRow
    people: tuple[SeatRow, ...]
    """By seat once the match has started, before that by place."""
    position: Position
    """The position now."""

    @cached_property
    def passed(self) -> tuple[Passed, ...]:
        """All records, walked when they are asked for: who only moves needs none of them."""
        with site().db.read() as conn:
            return _walk(conn, self.row)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of seats 1, 2, …, as their players gave them."""
        return matches.names(self.people)

    @property
    def records(self) -> tuple[Record, ...]:
        return tuple(record for record, _ in self.passed)

    def seat_of(self, player: int) -> int | None:
        """The seat that a player holds."""
        return next((one.number for one in self.people if one.player == player), None)


def load(match: str) -> Loaded:
    """A match from the database. Raises NoMatch."""
    with site().db.read() as conn:
        row = matches.find(conn, match)
        position = records.position(site(), conn, match)
        return Loaded(row, matches.seats(conn, match), position)


def _walk(conn: sa.Connection, row: MatchRow) -> tuple[Passed, ...]:
    """All records so far: those that were walked before, and the new ones from there on."""
    passed = _walked.get(row.id) or ()
    if len(passed) < row.count:
        further = (
            records.onward(site(), conn, passed[-1][1])
            if passed
            else records.walk(site(), conn, row.id)
        )
        passed = (*passed, *further)
        _walked.put(row.id, passed)
    return passed[: row.count]
