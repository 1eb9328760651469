"""Mails of the outbox that no worker has begun with: found, and changed or taken back."""

from __future__ import annotations

import sqlalchemy as sa

from service.kinds import Kind
from service.models import OUTBOX
from service.outbox import UNSENT, Mail, Snapshot


def unclaimed(conn: sa.Connection, match: str, kind: Kind) -> dict[int, tuple[int, Snapshot]]:
    """By seat: the row of a mail of a match that no worker has begun with, and what it is about.
    None begins before this transaction is over."""
    mine = sa.and_(OUTBOX.c.match == match, OUTBOX.c.kind == kind, OUTBOX.c.owner.is_(None))
    held = OUTBOX.update().where(mine, OUTBOX.c.state == "pending").values(state="pending")
    rows = conn.execute(held.returning(OUTBOX.c.seat, OUTBOX.c.id, OUTBOX.c.snapshot))
    return {seat: (id, Snapshot.parse(text)) for seat, id, text in rows}


def take_back(conn: sa.Connection, id: int) -> None:
    """Takes one unsent mail back."""
    mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.state.in_(UNSENT))
    conn.execute(OUTBOX.update().where(mine).values(state="superseded"))


def recent(
    conn: sa.Connection, kind: Kind, address: str, since: int
) -> tuple[int, int, Snapshot] | None:
    """The newest mail of a kind that was queued to an address since then: its row, when it was,
    and what it is about."""
    mine = sa.and_(OUTBOX.c.address == address, OUTBOX.c.created > since, OUTBOX.c.kind == kind)
    query = sa.select(OUTBOX.c.id, OUTBOX.c.created, OUTBOX.c.snapshot).where(mine)
    row = conn.execute(query.order_by(OUTBOX.c.id.desc()).limit(1)).first()
    return (row.id, row.created, Snapshot.parse(row.snapshot)) if row else None


def instead(conn: sa.Connection, id: int, mail: Mail) -> bool:
    """Lets a mail that no worker has begun with say what another would; whether it does."""
    mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.owner.is_(None), OUTBOX.c.state == "pending")
    values = {
        "match": mail.match,
        "seat": mail.seat,
        "wait": mail.wait,
        "record": mail.record,
        "language": mail.to.language,
        "zone": mail.to.zone,
        "snapshot": mail.about.text(),
    }
    return conn.execute(OUTBOX.update().where(mine).values(values)).rowcount == 1
