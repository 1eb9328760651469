"""Time for players whom no mail reaches: a day for each day, seven at most in a match."""

from __future__ import annotations

import sqlalchemy as sa

from games.log.record import Sys
from games.position import Position
from service import matches, play, records
from service.language import N_
from service.models import MATCH, PLAYER, REACH, SEAT
from service.news import UNREACHED
from service.signing import sign
from service.site import Site

DAY = 86_400
MOST = 7
FIRST = UNREACHED
MORE = N_("mails still do not reach the player to move")
_UNREACHED = (
    sa.select(MATCH.c.id)
    .join(SEAT, sa.and_(SEAT.c.match == MATCH.c.id, SEAT.c.number == MATCH.c.mover))
    .join(PLAYER, PLAYER.c.id == SEAT.c.player)
    .join(REACH, REACH.c.folded == PLAYER.c.folded)
    .where(REACH.c.suppressed.is_not(None), MATCH.c.deadline.is_not(None))
)


def find(site: Site) -> list[str]:
    """The matches in which time runs for somebody whom no mail reaches."""
    with site.db.read() as conn:
        return list(conn.execute(_UNREACHED.order_by(MATCH.c.deadline)).scalars())


def give(site: Site, match: str, now: int) -> bool:
    """Gives the player to move the day that begins, if no mail reaches them and the match has not
    waited seven days for that already; whether it did."""
    with site.db.write() as conn:
        row = matches.lock(conn, match)
        unreached = conn.execute(_UNREACHED.where(MATCH.c.id == match)).first() is not None
        if not unreached or row.mover is None or row.deadline is None or now >= row.deadline:
            return False
        position = records.position(site, conn, match)
        given = _given(site, conn, position, row.mover)
        if len(given) >= MOST or (given and now - given[-1] < DAY):
            return False
        body = Sys("clock", MORE if given else FIRST, row.mover, secs=DAY)
        play.extend(site, conn, position, [body], now)
    sign(site, match)
    return True


def _given(site: Site, conn: sa.Connection, position: Position, seat: int) -> list[int]:
    """When this seat has been given a day before."""
    return [
        record.at
        for record, _ in records.walk(site, conn, position.m)
        if isinstance(record.body, Sys)
        and (record.body.sys, record.body.seat) == ("clock", seat)
        and record.body.why in (FIRST, MORE)
    ]
