"""What a step of a match is mailed to whom: a turn, its result, and what is neither."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import sqlalchemy as sa

from games.log.record import Act, Body, Sys
from games.position import Phase, Position, gone
from service import answers, matches, outbox, records
from service.clock import Clocks, Standing
from service.kinds import Kind
from service.language import N_
from service.matches import MatchRow, SeatRow
from service.outbox import Mail, Snapshot, To
from service.records import Appended
from service.site import Site

KEEP_SECONDS = 3 * 86_400
"""For so long all but a turn is worth a mail: it stands on the page of the match."""
KNOWN = ("rekey", "clock")
"""What nobody has to hear of before their next turn, except that mails do not reach somebody."""
UNREACHED = N_("mails do not reach the player to move")
"""Why a clock stands for the first time; the others are told once."""
STILL_UNREACHED = N_("mails still do not reach the player to move")
PAUSING = ("pause", "resume")


def to(site: Site, seat: SeatRow) -> To:
    """Where mail for a place of a match goes."""
    return To(seat.address, seat.language, seat.zone or site.settings.zone)


def snapshot(conn: sa.Connection, match: str) -> Snapshot:
    """What a mail about this moment of a match has to know."""
    return _about(matches.find(conn, match), matches.seats(conn, match))


def turn(
    site: Site, conn: sa.Connection, after: Position, link: str, not_before: int, now: int
) -> None:
    """Mails the turn that begins to whoever is to move."""
    m, (seat, wait) = after.m, matches.turn(after)
    assert seat is not None
    row, seats = matches.find(conn, m), matches.seats(conn, m)
    mail = Mail(
        "turn",
        f"turn:{m}:{wait}:{seat}",
        to(site, seats[seat - 1]),
        _about(row, seats, _seen(conn, m, seat), after),
        match=m,
        seat=seat,
        wait=wait,
        record=row.n,
        link=link,
        not_before=not_before,
        expires=row.deadline,
    )
    outbox.queue(conn, mail, now)


def result(site: Site, conn: sa.Connection, after: Position, now: int) -> None:
    """Mails the end to all who played: not to the house, nor to whoever deleted their account."""
    m = after.m
    row, seats = matches.find(conn, m), matches.seats(conn, m)
    for seat in seats:
        if not seat.address:
            continue
        mail = Mail(
            "result",
            f"result:{m}:{seat.place}",
            to(site, seat),
            _about(row, seats, _seen(conn, m, seat.number), after),
            match=m,
            seat=seat.number,
            record=row.n,
            expires=now + KEEP_SECONDS,
        )
        outbox.queue(conn, mail, now)


def beside(
    site: Site,
    conn: sa.Connection,
    before: Position,
    new: Appended,
    bodies: Sequence[Body],
    now: int,
) -> None:
    """Mails what is no turn to those who would hear of it too late."""
    after = new.position
    if after.phase is not Phase.RUNNING:
        return
    if gone(after) != gone(before):
        staying = [seat for seat in _playing(before) if seat != matches.mover(after)]
        _tell(site, conn, "left", staying, (before.n, after.n), after, now)
        return
    for n, body in enumerate(bodies, start=before.n):
        if isinstance(body, Act) and body.act in PAUSING:
            _pause(site, conn, before, new, body.seat, now)
        else:
            told = readers(before, after, body)
            _tell(site, conn, "news", told, (n, n + 1), after, now)


def _pause(
    site: Site, conn: sa.Connection, before: Position, new: Appended, doer: int, now: int
) -> None:
    """Those whom it concerns hear that a seat has asked for a pause, agreed, or ended it."""
    after, was = new.position, records.clocks(site, conn, before)
    outbox.supersede(conn, after.m, ("pause",))
    told = [seat for seat in _concerned(was, Standing(after, new.clocks)) if seat != doer]
    _tell(site, conn, "pause", told, (before.n, after.n), after, now)


def _concerned(was: Clocks, at: Standing) -> list[int]:
    """Who is asked, who has asked and is refused, or everybody if the clocks stop or run on."""
    playing, asked = _playing(at.position), at.clocks.asked
    if at.clocks.paused or was.paused:
        return playing
    return [seat for seat in playing if seat not in asked and (asked or seat in was.asked)]


def _tell(
    site: Site,
    conn: sa.Connection,
    kind: Kind,
    told: Iterable[int],
    span: tuple[int, int],
    after: Position,
    now: int,
) -> None:
    """Mails what the records say from the first of a span on, up to its end."""
    row, seats = matches.find(conn, after.m), matches.seats(conn, after.m)
    (since, end), m = span, after.m
    about = replace(_about(row, seats, since, after), count=end)
    for seat in told:
        if not seats[seat - 1].address:
            continue
        key, whom = f"{kind}:{m}:{end - 1}:{seat}", to(site, seats[seat - 1])
        mail = Mail(kind, key, whom, about, match=m, seat=seat, record=end - 1)
        outbox.queue(conn, replace(mail, expires=now + KEEP_SECONDS), now)


def readers(before: Position, after: Position, body: Body) -> tuple[int, ...]:
    """The seats to be told of a record: those of people who play on, except who did it, and who
    has just got a turn, which tells it as well."""
    if not _is_news(body):
        return ()
    informed = matches.mover(after) if matches.turn(before) != matches.turn(after) else None
    away = {*gone(after), *matches.house_seats(after), _doer(body), informed}
    return tuple(seat for seat in range(1, after.opened.seats + 1) if seat not in away)


def _is_news(body: Body) -> bool:
    if isinstance(body, Sys) and body.why == UNREACHED:
        return True
    kind = body.act if isinstance(body, Act) else body.sys if isinstance(body, Sys) else ""
    return bool(kind) and kind not in KNOWN


def _doer(body: Body) -> int | None:
    return body.seat if isinstance(body, Act | Sys) else None


def _playing(position: Position) -> list[int]:
    """The seats that have not left."""
    left = gone(position)
    return [seat for seat in range(1, position.opened.seats + 1) if seat not in left]


def _about(
    row: MatchRow, seats: Sequence[SeatRow], since: int = 0, at: Position | None = None
) -> Snapshot:
    names, house = matches.names(seats), matches.houses(seats)
    about = Snapshot(row.game, row.code, names, row.count, since, row.deadline, house=house)
    return about if at is None else replace(about, clock=at.opened.clock)


def _seen(conn: sa.Connection, match: str, seat: int | None) -> int:
    """How many records there were when the seat's last turn was over; 0 before its first."""
    answer = None if seat is None else answers.latest(conn, match, seat)
    return 0 if answer is None else answer.record + 1
