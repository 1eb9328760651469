"""Vacations: so many days a year on which no clock of a player runs, where the match allows it.

A vacation stops clocks by `sys` `clock` records: when it begins, for the turns that are on; when a
turn begins while it lasts, with that turn. Each gives as much as the clock would lose until the
end. What has been given to a turn is told by its records, so whoever comes second gives nothing,
and a vacation that ends early takes back what was not used. So does the turn that a bank pays for:
who moves on vacation pays for the time before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from games.log.record import Sys
from games.position import Phase, Position
from service import beat, clock, matches, outages, outbox, people, records, stretches
from service.clock import DAY, HOUR, Clocks, Standing
from service.errors import BadDay, BadVacation, Fork
from service.language import N_
from service.models import PLAYER, VACATION
from service.records import Appended
from service.signing import sign
from service.site import Site

AHEAD = 365 * DAY
"""So far ahead a vacation can be planned."""
LONGEST = 366
SETTLE_SECONDS = 60
"""For so long the matches are looked through again: a move may have been on its way to its
transaction when the vacation was written down."""
WHY = N_("vacation")
SLACK = 2 * HOUR
"""What daylight saving may make of days that were planned in another zone."""


@dataclass(frozen=True)
class Vacation:
    """Of one player, from one moment to another."""

    id: int
    player: int
    begins: int
    ends: int


_COLUMNS = [VACATION.c[name] for name in Vacation.__dataclass_fields__]
_MINE = VACATION.c.player == sa.bindparam("whose")
_SINCE = (
    sa.select(*_COLUMNS)
    .where(_MINE, VACATION.c.ends > sa.bindparam("time"))
    .order_by(VACATION.c.begins)
)
_DUE = sa.and_(VACATION.c.due.is_not(None), VACATION.c.due <= sa.bindparam("now"))
_UNTOLD = sa.select(*_COLUMNS).where(_DUE).order_by(VACATION.c.player, VACATION.c.id)


def plan(site: Site, player: int, begins: date | None, days: int, now: int) -> None:
    """A vacation of so many days from a day on, or at once, as from today on. Raises
    BadVacation."""
    with site.db.write() as conn:
        conn.execute(_lock(player))
        zone = people.known(conn, player).zone
        today = _local(now, zone).date()
        start = now if begins in (None, today) else _midnight(begins or today, zone)
        _check(start, days, now)
        ends = _later(start, days, zone)
        others = since(conn, player, 0)
        if any(one.begins < ends and start < one.ends for one in others):
            raise BadVacation("You have planned a vacation for these days already.")
        _in_budget(site, [*others, Vacation(0, player, start, ends)], zone)
        row = {"player": player, "begins": start, "ends": ends, "due": start}
        conn.execute(VACATION.insert(), row)
    _at_once(site, player, now)


def end(site: Site, player: int, id: int, now: int) -> bool:
    """Ends a vacation now, or calls off one that has not begun; whether there was one."""
    mine = sa.and_(VACATION.c.player == player, VACATION.c.id == id, VACATION.c.ends > now)
    with site.db.write() as conn:
        off = conn.execute(VACATION.delete().where(mine, VACATION.c.begins > now)).rowcount
        early = VACATION.update().where(mine).values(ends=now, due=now)
        over = conn.execute(early).rowcount
    _at_once(site, player, now)
    return bool(off or over)


def since(conn: sa.Connection, player: int, time: int) -> list[Vacation]:
    """The vacations of a player that were not over at a moment, the first first."""
    return [Vacation(*row) for row in conn.execute(_SINCE, {"whose": player, "time": time})]


def left(site: Site, conn: sa.Connection, player: int, year: int) -> int:
    """How many whole days of a year's budget are left. The year and its days are those of the
    zone that the player has now: another one shifts hours from a year to the next, no days."""
    zone = people.known(conn, player).zone
    return _left(site, since(conn, player, 0), year, zone)


def of(conn: sa.Connection, players: Sequence[int], now: int) -> list[Vacation]:
    """The vacations that these players are on or have planned, the first first."""
    theirs = sa.and_(VACATION.c.player.in_(players), VACATION.c.ends > now)
    query = sa.select(*_COLUMNS).where(theirs).order_by(VACATION.c.begins, VACATION.c.id)
    return [Vacation(*row) for row in conn.execute(query)]


def away(conn: sa.Connection, player: int, now: int) -> bool:
    """Whether a player is on vacation."""
    return any(one.begins <= now for one in of(conn, [player], now))


def due(site: Site, now: int, player: int | None = None) -> list[list[Vacation]]:
    """The vacations that have begun or ended and of which matches may not know yet, by player."""
    mine = sa.true() if player is None else VACATION.c.player == player
    with site.db.read() as conn:
        found = [Vacation(*row) for row in conn.execute(_UNTOLD.where(mine), {"now": now})]
    return [list(theirs) for _, theirs in groupby(found, key=lambda one: one.player)]


def concerned(site: Site, vacations: Sequence[Vacation]) -> list[str]:
    """The matches in which the player of these is to move."""
    with site.db.read() as conn:
        return [row.id for row in matches.waiting(conn, vacations[0].player)]


def tell(site: Site, match: str, now: int) -> bool:
    """Lets a match know of the vacations of its player to move; whether it did not yet."""
    with site.db.write() as conn:
        outages.make_up(site, conn, matches.lock(conn, match), now)
        new = adjust(site, conn, records.standing(site, conn, match), now)
    sign(site, match)
    return new is not None


def settle(site: Site, vacations: Sequence[Vacation], now: int) -> None:
    """Notes that the matches know. One that could not be told is told before its next record."""
    told = VACATION.update().where(VACATION.c.due <= now - SETTLE_SECONDS)
    with site.db.write() as conn:
        for one in vacations:
            same = sa.and_(VACATION.c.id == one.id, VACATION.c.ends == one.ends)
            conn.execute(told.where(same).values(due=None))


def _at_once(site: Site, player: int, now: int) -> None:
    """What the worker would do soon, for whoever waits for the page; a match that cannot be told is
    left to the worker, who says so."""
    for vacations in due(site, now, player):
        for match in concerned(site, vacations):
            with suppress(Fork):
                tell(site, match, now)


def take_back(site: Site, conn: sa.Connection, at: Position, now: int) -> Position:
    """Before a turn may end for which a bank pays: takes back what was given for the time to come,
    and gives the position then. The caller holds the lock of the match."""
    clocks = records.clocks(site, conn, at)
    if not clocks.banks:
        return at
    new = adjust(site, conn, Standing(at, clocks), now, until=now)
    return new.position if new else at


def adjust(
    site: Site, conn: sa.Connection, at: Standing, now: int, until: int | None = None
) -> Appended | None:
    """Gives the turn that is on what it lacks for the vacations of its player, to their ends or
    `until` a moment, or takes back what is too much; None if it is right as it is. The caller
    holds the lock of the match."""
    seat, clocks = at.clocks.mover, at.clocks
    if at.position.phase is not Phase.RUNNING or seat is None or not stops(clocks):
        return None
    player = matches.seats(conn, at.position.m)[seat - 1].player
    planned = since(conn, player, clocks.began) if player is not None else []
    begun = [one for one in planned if one.begins <= now and _in_time(clocks, one)]
    if not begun:
        return None
    if until is not None:
        begun = [replace(one, ends=min(one.ends, until)) for one in begun]
    secs = _lost(site, conn, at, begun) - _given(conn, at, seat)
    if secs == 0:
        return None
    body = Sys("clock", WHY, seat, secs=secs)
    new = records.append(site, conn, at.position, [body], now)
    outbox.postpone(conn, at.position.m, clock.deadline(new.clocks))
    return new


def stops(clocks: Clocks) -> bool:
    """Whether a vacation stops these clocks."""
    return clocks.control.limited and clocks.control.vacation


def _in_time(clocks: Clocks, vacation: Vacation) -> bool:
    """Whether the turn's time was not over when the vacation began."""
    over = clock.deadline(clocks)
    return over is None or over > vacation.begins


def _lost(site: Site, conn: sa.Connection, at: Standing, begun: Sequence[Vacation]) -> int:
    """What the clock of the turn that is on loses by them, if it runs on to their ends."""
    parts = stretches.since(site, conn, at, at.clocks.began)
    turn = [part for part in parts if part.of_turn(at.clocks)]
    given = stretches.respites(conn, at.position.m)[at.clocks.mover or 0]
    free = [span for one in begun for span in beat.uncovered(one.begins, one.ends, given)]
    return sum(part.counted(*span) for part in turn for span in free)


def _given(conn: sa.Connection, at: Standing, seat: int) -> int:
    """What the turn that is on was given for vacations."""
    turn = (one for one in records.load(conn, at.position.m) if one.at >= at.clocks.began)
    given = [one.body for one in turn if isinstance(one.body, Sys) and one.body.why == WHY]
    return sum(body.secs or 0 for body in given if body.seat == seat)


def _check(start: int, days: int, now: int) -> None:
    if days < 1:
        raise BadVacation("A vacation has at least one day.")
    if start < now:
        raise BadDay("A vacation cannot begin in the past.")
    if start > now + AHEAD:
        raise BadDay("A vacation can be planned for a year ahead.")
    if days > LONGEST:
        raise BadVacation("A vacation can be planned for a year ahead.")


def _in_budget(site: Site, all_: Sequence[Vacation], zone: str) -> None:
    new, most = all_[-1], site.settings.vacation_days
    for year in sorted({_local(new.begins, zone).year, _local(new.ends - 1, zone).year}):
        if _used(all_, year, zone) > most * DAY + SLACK:
            raise BadVacation(
                "You have %(days)s of %(most)s days of vacation left in %(year)s.",
                days=_left(site, all_[:-1], year, zone),
                most=most,
                year=year,
            )


def _left(site: Site, vacations: Sequence[Vacation], year: int, zone: str) -> int:
    used = -(-(_used(vacations, year, zone) - SLACK) // DAY)
    return max(0, site.settings.vacation_days - used)


def _used(vacations: Sequence[Vacation], year: int, zone: str) -> int:
    """Seconds by the calendar and the clock on the wall, so that a day is a day."""
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)
    spans = [(_local(one.begins, zone), _local(one.ends, zone)) for one in vacations]
    inside = [min(ends, last) - max(begins, first) for begins, ends in spans]
    return sum(max(0, int(span.total_seconds())) for span in inside)


def _local(time: int, zone: str) -> datetime:
    return datetime.fromtimestamp(time, ZoneInfo(zone)).replace(tzinfo=None)


def _later(start: int, days: int, zone: str) -> int:
    local = datetime.fromtimestamp(start, ZoneInfo(zone)) + timedelta(days=days)
    return int(local.timestamp())


def _midnight(day: date, zone: str) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).timestamp())


def _lock(player: int) -> sa.Select[tuple[int]]:
    """Two plans at once look at each other's days."""
    return sa.select(PLAYER.c.id).where(PLAYER.c.id == player).with_for_update()
