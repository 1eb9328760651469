"""All records of a match with the positions they gave, and its turns: walked once, then onward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from games.log.record import Move, Record
from games.position import Position
from service import records
from service.cache import Cache
from service.matches import MatchRow
from service.web.request import site

Passed = tuple[Record, Position]
"""A record with the position after it."""


@dataclass(frozen=True)
class Turn:
    """What a seat played before another seat was to move: one record, or several with chance
    between them."""

    seat: int
    records: tuple[int, ...]


@dataclass(frozen=True)
class Walk:
    """A match as far as it has been walked; a log only ever grows."""

    passed: tuple[Passed, ...]
    turns: tuple[Turn, ...]


_walked: Cache[str, Walk] = Cache(16)
"""By match."""


def walk(conn: sa.Connection, row: MatchRow) -> Walk:
    """All records of a match, as far as `row` knows them."""
    known = _walked.get(row.id) or Walk((), ())
    if len(known.passed) < row.count:
        known = _onward(known, _further(conn, row, known.passed))
        _walked.put(row.id, known)
    if len(known.passed) > row.count:
        return _onward(Walk((), ()), known.passed[: row.count])
    return known


def _further(conn: sa.Connection, row: MatchRow, passed: tuple[Passed, ...]) -> Iterator[Passed]:
    if passed:
        return records.onward(site(), conn, passed[-1][1])
    return records.walk(site(), conn, row.id)


def _onward(known: Walk, further: Iterable[Passed]) -> Walk:
    passed, turns = list(known.passed), list(known.turns)
    for record, after in further:
        passed.append((record, after))
        if isinstance(record.body, Move):
            seat, before = record.body.seat, turns[-1:]
            if before and before[0].seat == seat:
                turns[-1] = Turn(seat, (*before[0].records, record.n))
            else:
                turns.append(Turn(seat, (record.n,)))
    return Walk(tuple(passed), tuple(turns))
