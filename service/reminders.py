"""Reminders of a turn: when its player is told of it once more, and of what.

`match.remind` is when a match is to be looked at again, 0 for at once: every record says so that
lets somebody be to move or moves the deadline. Nothing else looks for turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sqlalchemy as sa

from service import matches, news, outages, outbox, signing, wishes
from service.matches import MatchRow
from service.models import MATCH, OUTBOX, SEAT
from service.outbox import Mail, Snapshot
from service.site import Site
from service.wishes import Wishes

BATCH = 50
HOUR = 3_600
FRESH_SECONDS = 6 * HOUR
"""For so long after the mail about a turn nobody has to be reminded of it."""
OWED_SECONDS = 60
"""So much later a match is looked at whose deadline is about to move, after an outage."""

_DUE = MATCH.c.remind <= sa.bindparam("now")
_ANY = sa.select(MATCH.c.id).where(_DUE).limit(1)
_FIND = (
    sa.select(*matches.COLUMNS)
    .where(_DUE)
    .order_by(MATCH.c.remind, MATCH.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer()))
    .with_for_update(skip_locked=True)
)
_NEXT = MATCH.update().where(MATCH.c.id == sa.bindparam("of"))


@dataclass(frozen=True)
class Told:
    """The mail about a turn, and what those about it that have gone out said of its end."""

    link: str | None
    record: int | None
    about: Snapshot
    mailed: int
    """When it went out, or may do so; 0 if it does not."""
    deadline: int | None
    """None if none has gone out."""


def sweep(site: Site, now: int) -> bool:
    """Sees to a batch of matches whose hour has come; whether there may be more."""
    with site.db.read() as conn:
        if conn.execute(_ANY, {"now": now}).first() is None:
            return False
    with site.db.write() as conn:
        rows = matches.listed(conn, _FIND.params(now=now, most=BATCH))
        for row in rows:
            owed = outages.owed(conn, row)
            later = now + OWED_SECONDS if owed else _see_to(site, conn, row, now)
            conn.execute(_NEXT, {"of": row.id, "remind": later})
    return len(rows) == BATCH


def look_again(conn: sa.Connection, player: int) -> None:
    """The player wishes something else: their turns are looked at again."""
    mine = sa.exists().where(
        SEAT.c.player == player, SEAT.c.match == MATCH.c.id, SEAT.c.number == MATCH.c.mover
    )
    conn.execute(MATCH.update().where(MATCH.c.deadline.is_not(None), mine).values(remind=0))


def hours(began: int, deadline: int, mailed: int, wished: Wishes) -> dict[str, int]:
    """When a player is to be reminded of a turn, by a name for each time, the first first. Whoever
    has just had the mail about it is not, and whoever has a daily mail is when time is short."""
    asked = {"last": deadline - wished.last * HOUR if wished.last else 0}
    if wished.delivery != "digest":
        asked["half"] = began + (deadline - began) // 2 if wished.half else 0
        asked["first"] = deadline - wished.first * HOUR if wished.first else 0
    since = max(began, mailed and mailed + FRESH_SECONDS)
    kept = [(time, name) for name, time in asked.items() if time > since]
    return {name: time for time, name in sorted(kept)}


def _see_to(site: Site, conn: sa.Connection, row: MatchRow, now: int) -> int | None:
    """Reminds whoever is to move, if it is time; when to look again, None if never."""
    told = None if row.mover is None else _told(conn, row, row.mover, now)
    if told is None or row.deadline is None:
        return None
    seat = matches.seats(conn, row.id)[(row.mover or 1) - 1]
    wished = wishes.USUAL if seat.player is None else wishes.of(conn, seat.player)
    times = hours(row.began, row.deadline, told.mailed, wished)
    due = list(_due(times, told, row.deadline, now))
    if due and signing.behind(site, row.id, row.count):
        return None
    for name in due:
        about = replace(told.about, deadline=row.deadline, was=_changed(told, row.deadline))
        mail = Mail(
            "reminder",
            f"reminder:{row.id}:{row.wait}:{row.mover}:{name}",
            news.to(site, seat),
            about,
            match=row.id,
            seat=row.mover,
            wait=row.wait,
            record=told.record,
            link=told.link,
            expires=row.deadline,
        )
        outbox.queue(conn, mail, now)
    return min((time for time in times.values() if time > now), default=None)


def _due(times: dict[str, int], told: Told, deadline: int, now: int) -> Iterator[str]:
    """What there is to say: a deadline that came nearer at once, or else the newest reminder whose
    time has come."""
    if deadline <= now:
        return
    if told.deadline is not None and deadline < told.deadline:
        yield f"by-{deadline}"
        return
    yield from [name for name, time in times.items() if time <= now][-1:]


def _changed(told: Told, deadline: int) -> int | None:
    """The deadline that was told, if it is another one."""
    return told.deadline if told.deadline != deadline else None


def _told(conn: sa.Connection, row: MatchRow, seat: int, now: int) -> Told | None:
    mine = sa.and_(OUTBOX.c.match == row.id, OUTBOX.c.seat == seat, OUTBOX.c.wait == row.wait)
    query = sa.select(OUTBOX).where(mine, OUTBOX.c.kind.in_(("turn", "reminder")))
    mails = conn.execute(query.order_by(OUTBOX.c.id)).all()
    turn = next((mail for mail in mails if mail.kind == "turn"), None)
    if turn is None:
        return None
    waits = turn.state in (*outbox.WAITING, "sending")
    gone = [Snapshot.parse(mail.snapshot).deadline for mail in mails if mail.state == "sent"]
    return Told(
        turn.link,
        turn.record,
        Snapshot.parse(turn.snapshot),
        turn.sent or (max(turn.due, now) if waits else 0),
        gone[-1] if gone else None,
    )
