"""The heartbeat: which part of the service was last heard of when, and when it was not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from service.db import ENGINES, Database, insert
from service.models import BEAT, OUTAGE

Part = Literal["web", "worker", "inbound"]
"""One word for all processes of a kind, on all hosts: it is up while any of them is."""
EVERY = 5
"""Seconds from one beat to the next."""
LATE = 60
"""A part that has been silent for so long is not well."""
OUTAGE_SECONDS = 600
"""A longer silence is an outage: players could not move, or were not told that they could."""
CLOCK_SECONDS = 60
"""A machine may be that much behind what is written already."""


@dataclass(frozen=True)
class Outage:
    """A time without a part of the service; whoever makes up for it settles it."""

    id: int
    part: str
    began: int
    ended: int

    @property
    def seconds(self) -> int:
        return self.ended - self.began


_OUTAGE = [OUTAGE.c[name] for name in Outage.__dataclass_fields__]
_UNSETTLED = sa.select(*_OUTAGE).where(OUTAGE.c.settled.is_(None)).order_by(OUTAGE.c.began)
_AT = sa.select(BEAT.c.at).where(BEAT.c.part == sa.bindparam("part"))
_LOCK = sa.select(BEAT.c.part, BEAT.c.at).order_by(BEAT.c.part).with_for_update()
_FIRST = {name: insert(name, BEAT).on_conflict_do_nothing() for name in ENGINES}
_LATER = BEAT.update().where(BEAT.c.part == sa.bindparam("of"), BEAT.c.at < sa.bindparam("now"))


def beat(db: Database, part: Part, now: int) -> None:
    """Notes that a part is up; writes nothing if one of its processes has done so just now.

    After a silence that was an outage, the outage is there as soon as the beat is: what is due is
    to be looked for after the beat, never before it. A time that lies before the last beat is not
    noted.
    """
    with db.read() as conn:
        at = conn.execute(_AT, {"part": part}).scalar()
    if at is None or now >= at + EVERY:
        with db.write() as conn:
            _beat(conn, part, now)


def last(conn: sa.Connection) -> dict[str, int]:
    """When each part was last heard of."""
    return {row.part: row.at for row in conn.execute(sa.select(BEAT.c.part, BEAT.c.at))}


def behind(conn: sa.Connection, now: int) -> int:
    """By how many seconds a clock is behind the newest beat, if that is more than clocks differ;
    else 0. A process that is behind decides nothing that hangs on the time."""
    late = (conn.execute(sa.select(sa.func.max(BEAT.c.at))).scalar() or 0) - now
    return late if late > CLOCK_SECONDS else 0


def silent(conn: sa.Connection, time: int, now: int) -> bool:
    """Whether a part was silent at a moment and is so still, for so long that it is an outage."""
    part = sa.select(BEAT.c.part).where(BEAT.c.at <= time, BEAT.c.at < now - OUTAGE_SECONDS)
    return conn.execute(part.limit(1)).first() is not None


def unsettled(conn: sa.Connection) -> list[Outage]:
    """The outages that nobody has made up for yet, the oldest first."""
    return [Outage(*row) for row in conn.execute(_UNSETTLED)]


def settle(conn: sa.Connection, outage: int, now: int) -> bool:
    """Notes that an outage has been made up for; False if it had been already."""
    mine = sa.and_(OUTAGE.c.id == outage, OUTAGE.c.settled.is_(None))
    return conn.execute(OUTAGE.update().where(mine).values(settled=now)).rowcount == 1


def retire(db: Database, part: Part) -> None:
    """Forgets a part that is not meant to run any more: its silence is no outage."""
    with db.write() as conn:
        conn.execute(BEAT.delete().where(BEAT.c.part == part))


def _beat(conn: sa.Connection, part: Part, now: int) -> None:
    """All rows are locked: two parts that come back at once look at each other's outages."""
    at = {row.part: row.at for row in conn.execute(_LOCK)}.get(part)
    if at is None:
        conn.execute(_FIRST[conn.dialect.name], {"part": part, "at": now})
        return
    if now - at > OUTAGE_SECONDS:
        known = sa.select(OUTAGE.c.began, OUTAGE.c.ended).where(OUTAGE.c.ended > at)
        for began, ended in uncovered(at, now, [(r[0], r[1]) for r in conn.execute(known)]):
            row = {"part": part, "began": began, "ended": ended}
            conn.execute(OUTAGE.insert(), row)
    conn.execute(_LATER, {"of": part, "now": now, "at": now})


def uncovered(began: int, ended: int, known: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """What of a time lies in none of the known ones: an hour without pages and without worker is
    one hour, not two."""
    left, start = [], began
    for from_, to in sorted(known):
        if from_ > start:
            left.append((start, min(from_, ended)))
        start = max(start, to)
    if start < ended:
        left.append((start, ended))
    return [(a, b) for a, b in left if a < b]
