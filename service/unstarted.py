"""Matches that never start: called off by the opener, or too few people came in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sqlalchemy as sa

from games.log.record import Sys
from games.position import Phase, Position
from service import clock, links, lobby, matches, news, outages, outbox, play, records
from service.errors import NotNow
from service.language import N_
from service.matches import SeatRow
from service.site import Site

CANCELLED = N_("cancelled by its opener before the start")
LAPSED = N_("not everybody joined in time")
LEFT = N_("a player has deleted their account")


def cancel(site: Site, player: int, match: str, now: int) -> None:
    """The opener calls the match off before its start; whoever was invited is told.

    Raises NotNow for another player and after the start, and NoMatch.
    """
    with site.db.write() as conn:
        row = matches.lock(conn, match)
        if row.opener != player:
            raise NotNow
        if row.phase is Phase.CLOSED and row.wait == 0:
            return
        position = records.position(site, conn, match)
        if position.phase is not Phase.JOINING:
            raise NotNow
        opener, *others = matches.seats(conn, match)
        _call_off(site, conn, position, CANCELLED, now)
        _tell_void(site, conn, others, opener.name, now)
    lobby.signed(site, match)


def abandon(site: Site, player: int, match: str, now: int) -> None:
    """Ends a match that has not started, since one of its players is going for good; the others
    are told. Nothing happens to one that has started meanwhile."""
    with site.db.write() as conn:
        matches.lock(conn, match)
        position = records.position(site, conn, match)
        if position.phase is not Phase.JOINING:
            return
        seats = matches.seats(conn, match)
        _call_off(site, conn, position, LEFT, now)
        _tell_void(site, conn, [seat for seat in seats if seat.player != player], "", now)
    lobby.signed(site, match)


def lapse(site: Site, match: str, now: int) -> bool:
    """Voids a match that nobody can join any more, and tells everybody; whether it did."""
    with site.db.write() as conn:
        row = matches.seize(conn, match)
        if row is None or outages.owed(conn, row):
            return False
        position, clocks = records.standing(site, conn, match)
        time = clock.deadline(clocks)
        if position.phase is not Phase.JOINING or time is None or now < time:
            return False
        _call_off(site, conn, position, LAPSED, now)
        _tell_void(site, conn, matches.seats(conn, match), "", now)
    lobby.signed(site, match)
    return True


def _call_off(site: Site, conn: sa.Connection, position: Position, why: str, now: int) -> None:
    """Ends a match before its start; its invitations go with it."""
    play.extend(site, conn, position, [Sys("void", why)], now)
    links.withdraw(conn, position.m, now)
    outbox.supersede(conn, position.m, ("invitation",))


def _tell_void(
    site: Site, conn: sa.Connection, seats: Iterable[SeatRow], by: str, now: int
) -> None:
    """Tells people that there will be no match: called off by somebody, or too few came."""
    for seat in seats:
        if seat.declined is None and seat.address and not seat.house:
            about = replace(news.snapshot(conn, seat.match), by=by)
            lobby.mail_place(site, conn, "void", seat, about, f"void:{seat.id}", now)
