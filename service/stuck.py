"""Matches that the worker cannot see to: tried again later, and said until they can be seen to."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from service import alerts
from service.models import MATCH
from service.site import Site

LEAST, MOST = 60, 3_600
"""It is tried again after as long as it has been stuck, within these seconds."""
SHOWN = 50

_RESTING = sa.select(MATCH.c.id).where(MATCH.c.retry > sa.bindparam("now"))
_FIND = sa.select(MATCH.c.code, MATCH.c.stuck).where(MATCH.c.id == sa.bindparam("of"))
_COUNT = sa.select(sa.func.count()).where(MATCH.c.retry.is_not(None))
_FIRST = sa.select(MATCH.c.id, MATCH.c.code, MATCH.c.stuck, MATCH.c.retry)
_MARK = MATCH.update().where(MATCH.c.id == sa.bindparam("of"))


@dataclass(frozen=True)
class Stuck:
    """A match, since when it is stuck, and when it is tried again."""

    id: str
    code: str
    since: int
    retry: int


def resting(site: Site, now: int) -> frozenset[str]:
    """The matches that are left alone for now."""
    with site.db.read() as conn:
        return frozenset(conn.execute(_RESTING, {"now": now}).scalars())


def put_off(site: Site, match: str, why: str, now: int) -> bool:
    """Leaves a match alone for a time; whether it was not stuck before: then the operator is told.
    A record that is written in it ends that."""
    with site.db.write() as conn:
        row = conn.execute(_FIND.with_for_update(), {"of": match}).one()
        since = now if row.stuck is None else row.stuck
        retry = now + min(max(now - since, LEAST), MOST)
        conn.execute(_MARK, {"of": match, "stuck": since, "retry": retry})
        if row.stuck is None:
            alerts.stuck(site, conn, row.code, why, now)
    return row.stuck is None


def over(site: Site, match: str) -> None:
    """It has been seen to."""
    with site.db.write() as conn:
        conn.execute(_MARK, {"of": match, "stuck": None, "retry": None})


def count(conn: sa.Connection) -> int:
    """How many there are."""
    return conn.execute(_COUNT).scalar_one()


def listed(conn: sa.Connection) -> list[Stuck]:
    """Those of longest standing."""
    first = _FIRST.where(MATCH.c.retry.is_not(None)).order_by(MATCH.c.stuck, MATCH.c.id)
    return [Stuck(*row) for row in conn.execute(first.limit(SHOWN))]
