"""Outages made up for: every clock that ran through one is shifted by what it lost, once; so is
the time for joining.

What was lost is written by whoever holds the match first: the worker, or the door, before it judges
what has come in. Either way the row of the match says in the same transaction up to which outage
that is done, so a crash between two matches, or two at the same one, shift none twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import sqlalchemy as sa

from games.log.record import Sys
from games.position import Phase, Position, in_match
from service import beat, clock, links, matches, news, outbox, records, stretches
from service.beat import Outage
from service.clock import Standing
from service.language import N_
from service.matches import MatchRow
from service.models import MATCH, SEAT, VACATION
from service.outbox import Mail, Snapshot
from service.signing import sign
from service.site import Site
from service.stretches import Rests, Stretch

BATCH = 50
AWAY = N_("the service was away")
KEEP_SECONDS = 3 * 86_400
"""For so long it is worth a mail."""

_PLACE = sa.tuple_(MATCH.c.outage, MATCH.c.id)
_AFTER = sa.tuple_(*(sa.bindparam(c.name, type_=c.type) for c in (MATCH.c.outage, MATCH.c.id)))
_ON = (Phase.JOINING, Phase.RUNNING)
_OWED = (
    sa.select(MATCH.c.outage, MATCH.c.id)
    .where(MATCH.c.phase == sa.bindparam("phase"), MATCH.c.outage < sa.bindparam("newest"))
    .where(_PLACE > _AFTER)
    .order_by(MATCH.c.outage, MATCH.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer()))
)
_DONE = MATCH.update().where(MATCH.c.id == sa.bindparam("of"))


def unsettled(site: Site) -> list[Outage]:
    """The outages that not every match has been made up for."""
    with site.db.read() as conn:
        return beat.unsettled(conn)


def find(site: Site, known: Sequence[Outage]) -> Iterator[str]:
    """The matches that are on and were not made up for all of these, a batch at a time."""
    newest = max(one.id for one in known)
    for phase in _ON:
        batch = [(-1, "")]
        while batch:
            with site.db.read() as conn:
                batch = _owed(conn, phase, newest, BATCH, batch[-1])
            yield from (match for _, match in batch)


def shift(site: Site, match: str, now: int) -> bool:
    """Makes up for what a match lost; False for one that is being written to: it is asked about
    again."""
    with site.db.write() as conn:
        row = matches.seize(conn, match)
        if row is None:
            return False
        make_up(site, conn, row, now)
    sign(site, match)
    return True


def close(site: Site, known: Sequence[Outage], now: int) -> bool:
    """Settles these outages, unless a match is left; whether they are."""
    with site.db.write() as conn:
        newest = max(one.id for one in known)
        if any(_owed(conn, phase, newest, 1, (-1, "")) for phase in _ON):
            return False
        for outage in known:
            beat.settle(conn, outage.id, now)
    return True


def owed(conn: sa.Connection, row: MatchRow) -> list[Outage]:
    """The outages that a match has not been made up for."""
    if row.phase not in _ON:
        return []
    return [one for one in beat.unsettled(conn) if one.id > row.outage]


def make_up(site: Site, conn: sa.Connection, row: MatchRow, now: int) -> Position:
    """Shifts the clocks of a match by what it is owed, and gives its position then; the caller
    holds its lock."""
    at = records.standing(site, conn, row.id)
    for outage in sorted(owed(conn, row), key=lambda one: one.id):
        at = _shifted(site, conn, at, outage, now)
        conn.execute(_DONE, {"of": row.id, "outage": outage.id, "stuck": None, "retry": None})
    return at.position


def _shifted(site: Site, conn: sa.Connection, at: Standing, outage: Outage, now: int) -> Standing:
    match, joining = at.position.m, at.position.phase is Phase.JOINING
    bodies = _joining(at, outage) if joining else _running(site, conn, at, outage)
    if not bodies:
        return at
    new = records.append(site, conn, at.position, bodies, now)
    if joining:
        links.prolong(conn, match, outage.began, bodies[0].secs or 0)
    mover = new.clocks.mover
    outbox.postpone(conn, match, clock.deadline(new.clocks))
    if mover is not None and any(body.seat == mover for body in bodies):
        _tell(site, conn, match, mover, outage, now)
    return Standing(new.position, new.clocks)


def _joining(at: Standing, outage: Outage) -> list[Sys]:
    """Whoever is invited has as long as before."""
    secs = outage.ended - max(outage.began, at.clocks.began)
    return [Sys("clock", AWAY, secs=secs)] if secs > 0 else []


def _running(site: Site, conn: sa.Connection, at: Standing, outage: Outage) -> list[Sys]:
    return [
        Sys("clock", AWAY, seat, secs=secs)
        for seat, secs in sorted(_lost(site, conn, at, outage).items())
        if secs and in_match(at.position, seat)
    ]


def _lost(site: Site, conn: sa.Connection, at: Standing, outage: Outage) -> Counter[int]:
    """By seat, what its clock counted meanwhile. A turn that is over has had time enough; but its
    bank gets back what it paid."""
    lost: Counter[int] = Counter()
    rests = _rests(conn, at, outage)
    meanwhile = stretches.since(site, conn, at, outage.began)
    for (seat, _), turn in groupby(meanwhile, lambda one: (one.clocks.mover, one.clocks.began)):
        if seat is not None:
            parts = list(turn)
            free = beat.uncovered(outage.began, outage.ended, rests[seat])
            secs = sum(part.counted(*span) for part in parts for span in free)
            lost[seat] += _back(at, parts[-1], secs)
    return lost


def _back(at: Standing, last: Stretch, secs: int) -> int:
    """What a seat gets back of the seconds that a turn has lost, by the last stretch of it."""
    if last.of_turn(at.clocks):
        return secs
    return clock.refund(last.clocks, last.ended or 0, secs)


def _rests(conn: sa.Connection, at: Standing, outage: Outage) -> Rests:
    """By seat, the times meanwhile that it has been given, or will be: days without mail, and
    vacations."""
    rests = stretches.respites(conn, at.position.m)
    if not at.clocks.control.vacation:
        return rests
    mine = sa.and_(SEAT.c.player == VACATION.c.player, SEAT.c.match == at.position.m)
    query = sa.select(SEAT.c.number, VACATION.c.begins, VACATION.c.ends).join(SEAT, mine)
    meanwhile = sa.and_(VACATION.c.begins < outage.ended, VACATION.c.ends > outage.began)
    for seat, begins, ends in conn.execute(query.where(meanwhile)):
        rests[seat].append((begins, ends))
    return rests


def _tell(site: Site, conn: sa.Connection, match: str, seat: int, outage: Outage, now: int) -> None:
    """Mails whoever has more time now, once for all their matches."""
    found = matches.seats(conn, match)[seat - 1]
    if found.player is None:
        return
    about = Snapshot(by=found.name, began=outage.began, ended=outage.ended)
    key, whom = f"outage:{outage.id}:{found.player}", news.to(site, found)
    outbox.queue(conn, Mail("outage", key, whom, about, expires=now + KEEP_SECONDS), now)


def _owed(
    conn: sa.Connection, phase: Phase, newest: int, most: int, after: tuple[int, str]
) -> list[tuple[int, str]]:
    place = {"phase": phase.value, "outage": after[0], "id": after[1]}
    rows = conn.execute(_OWED, {"newest": newest, "most": most, **place})
    return [(outage, match) for outage, match in rows]
