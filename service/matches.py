"""The rows of matches and seats: an index of the log, and what only the database knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from games.log.schema import IDS
from games.position import Phase, Position, in_match
from games.position import mover as mover
from service import clock
from service.clock import Standing
from service.errors import NoMatch, Stale
from service.models import MATCH, PLAYER, SEAT


@dataclass(frozen=True)
class MatchRow:
    """A match as the database lists it."""

    id: str
    code: str
    opener: int | None
    listed: bool
    public: bool
    created: int
    game: str
    version: int
    head: bytes
    n: int
    phase: Phase
    mover: int | None
    wait: int
    began: int
    deadline: int | None
    changed: int
    why: str | None
    house: int | None
    outage: int

    @property
    def count(self) -> int:
        """How many records there are."""
        return self.n + 1

    @property
    def started(self) -> bool:
        """Whether the seats have been drawn, so that there is a position."""
        return self.wait > 0


@dataclass(frozen=True)
class SeatRow:
    """A place of a match, with the address and the language of whoever plays or is invited.

    `place` counts the invitations, the opener's is 1; `number` is the seat, from `start` on. The
    house has no address and no name of its own: `tale.names` has a word for it.
    """

    id: int
    match: str
    place: int
    number: int | None
    name: str
    pid: str | None
    player: int | None
    declined: int | None
    rank: int | None
    house: bool
    muted: int | None
    address: str
    language: str
    zone: str | None

    @property
    def free(self) -> bool:
        """Whether anybody may take the place."""
        return self.pid is None and not self.house and not self.address


@dataclass(frozen=True)
class Asked:
    """Which of a player's matches are asked for; None and False for all."""

    phase: Phase | None = None
    game: str | None = None
    to_move: bool = False
    """Where it is the player's turn."""


_ID = re.compile(rf"m_[{IDS}]{{16}}")
COLUMNS = [MATCH.c[name] for name in MatchRow.__dataclass_fields__]
_SEAT = [
    *(SEAT.c[name] for name in list(SeatRow.__dataclass_fields__)[:11]),
    sa.func.coalesce(PLAYER.c.address, SEAT.c.address),
    sa.func.coalesce(PLAYER.c.language, SEAT.c.language),
    PLAYER.c.zone,
]


_FIND = sa.select(*COLUMNS).where(MATCH.c.id == sa.bindparam("match"))
_LOCK = _FIND.with_for_update()
_EVERY_SEAT = sa.select(*_SEAT).outerjoin(PLAYER, PLAYER.c.id == SEAT.c.player)
_SEATS = _EVERY_SEAT.where(SEAT.c.match == sa.bindparam("match"))
_SEATS_OF = _EVERY_SEAT.where(SEAT.c.match.in_(sa.bindparam("matches", expanding=True)))
NEWEST = (MATCH.c.changed.desc(), MATCH.c.id.desc())
_SEIZE = _FIND.with_for_update(skip_locked=True)
_PLACE_IN_TIME = sa.tuple_(MATCH.c.deadline, MATCH.c.id)
_AFTER = sa.tuple_(*(sa.bindparam(c.name, type_=c.type) for c in (MATCH.c.deadline, MATCH.c.id)))
_DUE = (
    sa.select(MATCH.c.deadline, MATCH.c.id, MATCH.c.phase, MATCH.c.wait)
    .where(MATCH.c.deadline <= sa.bindparam("now"), _PLACE_IN_TIME > _AFTER)
    .order_by(MATCH.c.deadline, MATCH.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer()))
)
_AT = sa.and_(MATCH.c.id == sa.bindparam("of"), MATCH.c.head == sa.bindparam("before"))
_ADVANCE = MATCH.update().where(_AT)
_PLACE = SEAT.update().where(SEAT.c.match == sa.bindparam("of"), SEAT.c.pid == sa.bindparam("who"))


def is_id(text: str) -> bool:
    """Whether it may be the id of a match: PostgreSQL cannot even be asked for every string."""
    return _ID.fullmatch(text) is not None


def check_id(match: str) -> None:
    """Raises NoMatch for what is no id."""
    if not is_id(match):
        raise NoMatch


def find(conn: sa.Connection, match: str) -> MatchRow:
    """The match of an id. Raises NoMatch."""
    return _one(conn, _FIND, match)


def lock(conn: sa.Connection, match: str) -> MatchRow:
    """The same, and no other transaction writes to the match until this one is over."""
    return _one(conn, _LOCK, match)


def seize(conn: sa.Connection, match: str) -> MatchRow | None:
    """The same at once, or None if another transaction writes to the match."""
    row = conn.execute(_SEIZE, {"match": match}).first()
    return None if row is None else _match(row)


class Due(NamedTuple):
    """A match whose deadline has passed: of a turn, or of joining."""

    deadline: int
    id: str
    phase: Phase
    wait: int


def due(conn: sa.Connection, now: int, most: int, after: Due | None) -> list[Due]:
    """Matches whose deadline has passed, the longest ago first, from the one after `after` on."""
    place = {"deadline": after.deadline, "id": after.id} if after else {"deadline": -1, "id": ""}
    rows = conn.execute(_DUE, {"now": now, "most": most, **place})
    return [Due(time, match, Phase(phase), wait) for time, match, phase, wait in rows]


def every(conn: sa.Connection) -> list[str]:
    """The ids of all matches, in the order in which they were opened."""
    return list(conn.execute(sa.select(MATCH.c.id).order_by(MATCH.c.created, MATCH.c.id)).scalars())


def waiting(conn: sa.Connection, player: int, before: int | None = None) -> list[MatchRow]:
    """Matches in which this player is to move, since before an hour; who waits longest first."""
    mine = sa.and_(SEAT.c.player == player, SEAT.c.match == MATCH.c.id)
    query = sa.select(*COLUMNS).join(SEAT, sa.and_(mine, SEAT.c.number == MATCH.c.mover))
    since = sa.true() if before is None else MATCH.c.began < before
    return listed(conn, query.where(since).order_by(MATCH.c.began, MATCH.c.id))


def played(
    conn: sa.Connection, player: int, asked: Asked, *, limit: int, before: tuple[int, str] | None
) -> list[MatchRow]:
    """Matches of a player, the last changed first; `before` as for `finished`."""
    query = sa.select(*COLUMNS).join(SEAT, SEAT.c.match == MATCH.c.id)
    query = query.where(SEAT.c.player == player)
    if asked.to_move:
        query = query.where(MATCH.c.phase == Phase.RUNNING.value, SEAT.c.number == MATCH.c.mover)
    if asked.phase is not None:
        query = query.where(MATCH.c.phase == asked.phase.value)
    if asked.game is not None:
        query = query.where(MATCH.c.game == asked.game)
    if before is not None:
        query = query.where(earlier(*before))
    return listed(conn, query.order_by(*NEWEST).limit(limit))


def last_change(conn: sa.Connection, player: int) -> int:
    """When a match of a player changed last; 0 if there is none."""
    query = sa.select(sa.func.max(MATCH.c.changed)).join(SEAT, SEAT.c.match == MATCH.c.id)
    return conn.execute(query.where(SEAT.c.player == player)).scalar() or 0


def seats(conn: sa.Connection, match: str) -> tuple[SeatRow, ...]:
    """Those of a match, by seat once it has started, else by place."""
    return _in_order(SeatRow(*row) for row in conn.execute(_SEATS, {"match": match}))


def seats_of(conn: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[SeatRow, ...]]:
    """The same of several matches, asked for once."""
    found: dict[str, list[SeatRow]] = {match: [] for match in ids}
    for row in conn.execute(_SEATS_OF, {"matches": ids}):
        found[row.match].append(SeatRow(*row))
    return {match: _in_order(rows) for match, rows in found.items()}


def names(seats: Iterable[SeatRow]) -> tuple[str, ...]:
    """The names in the order of the seats, as people gave them."""
    return tuple(seat.name for seat in seats)


def houses(seats: Iterable[SeatRow]) -> tuple[int, ...]:
    """Which of the names in that order stand for the house, counted from 1."""
    return tuple(n for n, seat in enumerate(seats, start=1) if seat.house)


def index(at: Standing) -> dict[str, Any]:
    """The columns of `match` that repeat the log."""
    position, clocks = at
    return {
        "game": position.rules.game,
        "version": position.rules.version,
        "head": position.hash,
        "n": position.n - 1,
        "phase": position.phase.value,
        "mover": mover(position),
        "wait": position.wait,
        "began": clocks.began,
        "deadline": clock.deadline(clocks),
        "changed": position.at,
        "why": position.result.why if position.result else None,
        "house": asked.seat if (asked := asked_of_house(at)) else None,
    }


def places(position: Position) -> list[dict[str, Any]]:
    """The columns of `seat` that repeat the log, by pid."""
    ranks = position.result.places if position.result else ()
    seated, own = started(position), house_seats(position)
    return [
        {
            "who": holder.pid,
            "number": seat if seated else None,
            "rank": ranks[seat - 1] if ranks else None,
            "house": seat in own,
        }
        for seat, holder in enumerate(position.holders, start=1)
    ]


def advance(conn: sa.Connection, before: Position, at: Standing) -> None:
    """Brings the index from one position to a later one. Raises Stale if it was not at `before`."""
    after = at.position
    guard = {"of": after.m, "before": before.hash}
    if conn.execute(_ADVANCE, _columns(at) | guard).rowcount != 1:
        raise Stale
    if started(before) != started(after) or after.phase is Phase.CLOSED:
        _put_places(conn, after)


def put_index(conn: sa.Connection, at: Standing) -> None:
    """Writes the whole index of a match."""
    position = at.position
    conn.execute(MATCH.update().where(MATCH.c.id == position.m).values(_columns(at)))
    mine = SEAT.c.match == position.m
    conn.execute(SEAT.update().where(mine).values(number=None, rank=None, house=False))
    _put_places(conn, position)


def indexed(conn: sa.Connection, at: Standing) -> bool:
    """Whether the index of a match is that of this position."""
    position, columns = at.position, index(at)
    query = sa.select(*(MATCH.c[name] for name in columns)).where(MATCH.c.id == position.m)
    if conn.execute(query).one()._mapping != columns:
        return False
    filled = SEAT.c.pid.is_not(None) | SEAT.c.number.is_not(None) | SEAT.c.rank.is_not(None)
    seated = sa.select(SEAT.c.pid.label("who"), SEAT.c.number, SEAT.c.rank, SEAT.c.house).where(
        SEAT.c.match == position.m, filled | SEAT.c.house
    )
    kept = {row.who: dict(row._mapping) for row in conn.execute(seated)}
    return kept == {row["who"]: row for row in places(position)}


def _put_places(conn: sa.Connection, position: Position) -> None:
    rows = places(position)
    if rows:
        conn.execute(_PLACE, [{"of": position.m, **row} for row in rows])


def _columns(at: Standing) -> dict[str, Any]:
    """The index, and what is to be seen to at once: what the house is asked for, and whether
    somebody is to be reminded. What can be written to is not stuck."""
    columns = index(at) | {"stuck": None, "retry": None}
    due = {"house_due": None if columns["house"] is None else 0}
    seat = mover(at.position)
    person = seat is not None and seat not in house_seats(at.position)
    return columns | due | {"remind": 0 if person and columns["deadline"] else None}


def house_seats(position: Position) -> tuple[int, ...]:
    """The seats that the house plays, before the start in the order of joining: nobody else joins
    `via` `api`."""
    own = {join.pid for join in position.joins if join.by.via == "api"}
    return tuple(n for n, holder in enumerate(position.holders, start=1) if holder.pid in own)


class OfHouse(NamedTuple):
    """What a seat of the house is asked for."""

    seat: int
    about: Literal["draw", "void", "pause", "move"]


def asked_of_house(at: Standing) -> OfHouse | None:
    """What the match waits for the house to do: to answer first, then to move."""
    position, clocks = at
    own = [seat for seat in house_seats(position) if in_match(position, seat)]
    asked: list[OfHouse] = []
    if position.offer:
        kind, agreed = position.offer
        asked += [OfHouse(seat, kind) for seat in own if seat not in agreed]
    if clocks.asked and not clocks.paused:
        asked += [OfHouse(seat, "pause") for seat in own if seat not in clocks.asked]
    asked += [OfHouse(seat, "move") for seat in own if seat == mover(position)]
    return asked[0] if asked else None


def turn(position: Position) -> tuple[int | None, int]:
    """What tells one turn from the next: the seat to move, and the record it waits on."""
    return mover(position), position.wait


def started(position: Position) -> bool:
    """Whether the seats have been drawn."""
    return position.wait > 0


def _in_order(seats: Iterable[SeatRow]) -> tuple[SeatRow, ...]:
    return tuple(sorted(seats, key=lambda seat: (seat.number or 0, seat.place)))


def earlier(changed: int, id: str) -> sa.ColumnElement[bool]:
    """Behind a match in a list with the last changed first."""
    place = sa.tuple_(MATCH.c.changed, MATCH.c.id)
    return place < sa.tuple_(sa.literal(changed), sa.literal(id))


def _one(conn: sa.Connection, query: sa.Select[Any], match: str) -> MatchRow:
    check_id(match)
    row = conn.execute(query, {"match": match}).first()
    if row is None:
        raise NoMatch
    return _match(row)


def listed(conn: sa.Connection, query: sa.Select[Any]) -> list[MatchRow]:
    """The matches of a query that selects COLUMNS."""
    return [_match(row) for row in conn.execute(query)]


def _match(row: sa.Row[Any]) -> MatchRow:
    return MatchRow(**{**row._mapping, "phase": Phase(row.phase)})
