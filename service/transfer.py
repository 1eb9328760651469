"""All rows of one database into another, whatever the engines: backups and moves."""

from __future__ import annotations

import sqlalchemy as sa
from sqlmodel import SQLModel

from service import beat
from service.db import Database
from service.errors import NotReady
from service.models import RECORD

ROWS = 1_000
"""So many are read and written at once."""
STILL_SECONDS = 3 * beat.EVERY
"""After so long without a heartbeat nothing is running."""


def transfer(source: Database, target: Database) -> int:
    """Copies every table as it stood at one moment, and counts the records in the target.

    The target has all tables and no rows. Raises NotReady if it has some, or if not every row
    arrived; nothing is kept then.
    """
    tables = SQLModel.metadata.sorted_tables
    with source.read() as old, target.write() as new:
        if filled(new):
            raise NotReady("There are rows in the target already. Name an empty database.")
        for table in tables:
            _copy(old, new, table)
        short = [table.name for table in tables if _count(old, table) != _count(new, table)]
        if short:
            raise NotReady("Not all rows of %(tables)s arrived.", tables=", ".join(short))
        if not target.lite:
            _continue_ids(new)
        return _count(new, RECORD)


def filled(conn: sa.Connection) -> bool:
    """Whether any of our tables has a row; a table that is not there has none."""
    there = set(sa.inspect(conn).get_table_names())
    tables = [table for name, table in SQLModel.metadata.tables.items() if name in there]
    return any(
        conn.execute(sa.select(sa.literal(1)).select_from(t).limit(1)).first() for t in tables
    )


def check_still(database: Database, now: int) -> None:
    """Raises NotReady if a part of the service has just been heard of."""
    with database.read() as conn:
        heard = beat.last(conn) if sa.inspect(conn).has_table("beat") else {}
    running = [part for part, at in heard.items() if abs(now - at) < STILL_SECONDS]
    if running:
        raise NotReady(
            "The service is running: %(parts)s. Stop it, and wait for %(seconds)s seconds.",
            parts=" and ".join(sorted(running)),
            seconds=STILL_SECONDS,
        )


def _copy(old: sa.Connection, new: sa.Connection, table: sa.Table) -> None:
    found = old.execute(sa.select(table), execution_options={"yield_per": ROWS})
    for rows in found.mappings().partitions():
        new.execute(table.insert(), [dict(row) for row in rows])


def _count(conn: sa.Connection, table: sa.Table) -> int:
    return int(conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def _continue_ids(conn: sa.Connection) -> None:
    """New rows get ids after the ones that were brought (PostgreSQL counts them apart)."""
    for table in SQLModel.metadata.sorted_tables:
        counted = table.autoincrement_column
        if counted is not None and table.name != "service":
            highest = sa.select(sa.func.max(counted)).scalar_subquery()
            serial = sa.func.pg_get_serial_sequence(f'"{table.name}"', counted.name)
            conn.execute(
                sa.select(
                    sa.func.setval(serial, sa.func.coalesce(highest, 1), highest.is_not(None))
                )
            )
