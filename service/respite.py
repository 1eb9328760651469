"""Time for players whom no mail reaches: a day for each day, seven at most in a match."""

from __future__ import annotations

import sqlalchemy as sa

from games.log.record import Sys
from service import matches, outages, play, records, stretches, vacation
from service.clock import DAY
from service.models import MATCH, OUTBOX, PLAYER, REACH, SEAT
from service.news import STILL_UNREACHED, UNREACHED
from service.outbox import UNSENT
from service.signing import sign
from service.site import Site
from service.stretches import Stretch

MOST = 7
LONG = 6 * 3_600
"""For so long a mail about a turn may be on its way before its player counts as unreached: a relay
that is away, or a full mailbox, costs nobody their time."""
_PLAYERS = (
    sa.select(PLAYER.c.id)
    .join(REACH, REACH.c.folded == PLAYER.c.folded)
    .where(REACH.c.suppressed.is_not(None))
)
"""There are few of them, and many matches."""
_UNREACHED = (
    sa.select(MATCH.c.id)
    .join(SEAT, sa.and_(SEAT.c.match == MATCH.c.id, SEAT.c.number == MATCH.c.mover))
    .where(SEAT.c.player.in_(_PLAYERS), MATCH.c.deadline.is_not(None))
)
_UNTOLD = (
    sa.select(MATCH.c.id)
    .join(
        OUTBOX,
        sa.and_(
            OUTBOX.c.match == MATCH.c.id,
            OUTBOX.c.seat == MATCH.c.mover,
            OUTBOX.c.wait == MATCH.c.wait,
        ),
    )
    .where(
        OUTBOX.c.state.in_(UNSENT),
        OUTBOX.c.kind == "turn",
        OUTBOX.c.last_text.is_not(None),
        OUTBOX.c.created <= sa.bindparam("since"),
        MATCH.c.deadline.is_not(None),
    )
)
"""Those whose mover's mail was tried, and waits."""


def find(site: Site, now: int) -> list[str]:
    """The matches in which time runs for somebody whom no mail reaches."""
    with site.db.read() as conn:
        return sorted(_found(conn, now))


def _found(conn: sa.Connection, now: int, *mine: sa.ColumnElement[bool]) -> set[str]:
    unreached = conn.execute(_UNREACHED.where(*mine)).scalars()
    untold = conn.execute(_UNTOLD.where(*mine), {"since": now - LONG}).scalars()
    return {*unreached, *untold}


def give(site: Site, match: str, now: int) -> bool:
    """Gives the player to move what the day that begins counts, if no mail reaches them and the
    match has not waited seven days for that already; whether it did. On vacation they have it."""
    with site.db.write() as conn:
        outages.make_up(site, conn, matches.lock(conn, match), now)
        row = matches.find(conn, match)
        unreached = bool(_found(conn, now, MATCH.c.id == match))
        if not unreached or row.mover is None or row.deadline is None or now >= row.deadline:
            return False
        bodies = _day(site, conn, match, row.mover, now)
        if not bodies:
            return False
        play.extend(site, conn, records.position(site, conn, match), bodies, now)
    sign(site, match)
    return True


def _day(site: Site, conn: sa.Connection, match: str, seat: int, now: int) -> list[Sys]:
    """The record that gives a seat its day; none if it has had enough, or its clock stands."""
    at, given = records.standing(site, conn, match), stretches.respites(conn, match)[seat]
    player = matches.seats(conn, match)[seat - 1].player
    if len(given) >= MOST or any(now < ended for _, ended in given):
        return []
    if player is None or (vacation.stops(at.clocks) and vacation.away(conn, player, now)):
        return []
    secs = Stretch(at.clocks, at.position.at).counted(now, now + DAY)
    why = STILL_UNREACHED if given else UNREACHED
    return [Sys("clock", why, seat, secs=secs)] if secs else []
