"""How often mail may be asked for: counted in the database, so that it holds for all processes.

A quota lets a few through at once and then one after each pause. All it keeps is one number, the
time from which on nothing has been used (the generic cell rate algorithm, GCRA).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import sqlalchemy as sa

from service.db import Database, insert
from service.errors import TooMany
from service.models import QUOTA


@dataclass(frozen=True)
class Quota:
    """`most` at once, and then one every `seconds`."""

    name: str
    most: int
    seconds: int


def take(conn: sa.Connection, quota: Quota, whose: str | int, now: int) -> None:
    """Uses one of somebody's. Raises TooMany if none is left; nothing may be written then."""
    key = f"{quota.name}:{hashlib.sha256(str(whose).encode()).hexdigest()[:32]}"
    free = sa.case((QUOTA.c.free > now, QUOTA.c.free), else_=now) + quota.seconds
    used = (
        insert(conn.dialect.name, QUOTA)
        .values(key=key, free=now + quota.seconds)
        .on_conflict_do_update(
            index_elements=["key"],
            set_={"free": free},
            where=free <= now + quota.most * quota.seconds,
        )
        .returning(QUOTA.c.free)
    )
    if conn.execute(used).first() is None:
        free_from = conn.execute(sa.select(QUOTA.c.free).where(QUOTA.c.key == key)).scalar_one()
        raise TooMany(free_from - now - (quota.most - 1) * quota.seconds)


def forget(db: Database, now: int) -> None:
    """Forgets those of whom nothing has been used."""
    with db.write() as conn:
        conn.execute(QUOTA.delete().where(QUOTA.c.free <= now))
