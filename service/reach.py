"""Whether mail reaches an address: what came back from it, and what it does not want.

Mail that comes back, and mail that is not wanted, costs nobody a seat: only mails stop.
"""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa

from service import outbox, people
from service.db import insert
from service.models import OUTBOX, PLAYER, REACH, SEAT

Bounce = Literal["", "soft", "hard"]
POINTS: dict[Bounce, float] = {"": 0, "soft": 0.5, "hard": 3}
ENOUGH = 3
"""So many points, and no more mail goes there."""
DAY = 86_400
QUIET_DAYS = 7
"""After so many days without a bounce all is forgotten."""


_ALIVE = (
    REACH.update()
    .where(REACH.c.folded == sa.bindparam("whose"), REACH.c.scored > 0)
    .values(score=0.0, scored=0, suppressed=None)
)


def bounced(conn: sa.Connection, address: str, bounce: Bounce, now: int) -> bool:
    """Counts a mail that came back, at most one a day; whether mail stops now.

    A mailbox that is not there stops mail at once, one that is full or broken after six days of it.
    """
    folded = people.folded(address)
    row = conn.execute(sa.select(REACH).where(REACH.c.folded == folded)).first()
    before = row.score if row and row.scored > now - QUIET_DAYS * DAY else 0.0
    same_day = row is not None and row.scored > now - DAY and bounce != "hard"
    if not bounce or same_day:
        return False
    score = min(before + POINTS[bounce], ENOUGH)
    stops = score >= ENOUGH and (row is None or row.suppressed is None)
    since = now if stops else (row.suppressed if row else None)
    _put(conn, folded, score=score, scored=now, suppressed=since)
    return stops


def alive(conn: sa.Connection, address: str, now: int) -> None:
    """A sign of life that only somebody can give who gets mail there: mail goes out again."""
    if conn.execute(_ALIVE, {"whose": people.folded(address)}).rowcount:
        outbox.revive(conn, address, now)


def suppressed(conn: sa.Connection, address: str) -> bool:
    """Whether mail to the address has stopped because it came back."""
    return _column(conn, address, REACH.c.suppressed) is not None


def doubtful(conn: sa.Connection, address: str, now: int) -> bool:
    """Whether mails to the address came back lately, though they have not stopped."""
    mine = sa.and_(REACH.c.folded == people.folded(address), REACH.c.suppressed.is_(None))
    lately = sa.and_(mine, REACH.c.score > 0, REACH.c.scored > now - QUIET_DAYS * DAY)
    return conn.execute(sa.select(REACH.c.folded).where(lately)).first() is not None


def unreached(conn: sa.Connection, match: str) -> frozenset[int]:
    """The seats of a match to whose players no mail goes any more."""
    joined = SEAT.join(PLAYER, PLAYER.c.id == SEAT.c.player).join(
        REACH, REACH.c.folded == PLAYER.c.folded
    )
    query = (
        sa.select(SEAT.c.number)
        .select_from(joined)
        .where(SEAT.c.match == match, SEAT.c.number.is_not(None), REACH.c.suppressed.is_not(None))
    )
    return frozenset(conn.execute(query).scalars())


def unfound(conn: sa.Connection, match: str) -> frozenset[str]:
    """The addresses, as they are compared, that no invitation to a match has reached."""
    stopped = sa.exists().where(
        REACH.c.folded == sa.func.lower(OUTBOX.c.address), REACH.c.suppressed.is_not(None)
    )
    invited = sa.and_(OUTBOX.c.match == match, OUTBOX.c.kind == "invitation")
    query = sa.select(OUTBOX.c.address, OUTBOX.c.state, stopped).where(invited)
    newest = {row[0]: row for row in conn.execute(query.order_by(OUTBOX.c.id))}
    lost = ("failed", "expired", "suppressed")
    return frozenset(
        people.folded(address) for address, state, gone in newest.values() if gone or state in lost
    )


def uninvited(conn: sa.Connection, address: str) -> bool:
    """Whether the address wants no invitations."""
    return _column(conn, address, REACH.c.uninvited) is not None


def invite(conn: sa.Connection, address: str, now: int, *, wanted: bool) -> None:
    """Whether invitations may go to the address from now on."""
    _put(conn, people.folded(address), uninvited=None if wanted else now)


def mute(conn: sa.Connection, place: int, now: int, *, wanted: bool) -> None:
    """Whether mails about the match go to whoever has this place; the place stays theirs."""
    muted = None if wanted else now
    conn.execute(SEAT.update().where(SEAT.c.id == place).values(muted=muted))


def masked(address: str) -> str:
    """`a…@example.org`: enough to know one's own address by."""
    name, _, domain = address.rpartition("@")
    return f"{name[:1]}…@{domain}"


def _column(conn: sa.Connection, address: str, column: sa.Column[int]) -> int | None:
    query = sa.select(column).where(REACH.c.folded == people.folded(address))
    return conn.execute(query).scalar()


def _put(conn: sa.Connection, folded: str, **values: float | None) -> None:
    fresh = {"score": 0.0, "scored": 0, "suppressed": None, "uninvited": None} | values
    row = insert(conn.dialect.name, REACH).values(folded=folded, **fresh)
    conn.execute(row.on_conflict_do_update(index_elements=["folded"], set_=values))
