"""What a step of a match is mailed to whom: a turn, its result, and what is neither."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from games.log.record import Act, Body, Sys
from games.position import Phase, Position, gone
from service import links, matches, outbox
from service.matches import MatchRow, SeatRow
from service.outbox import Mail, Snapshot, To
from service.site import Site

KEEP_SECONDS = 3 * 86_400
"""For so long all but a turn is worth a mail: it stands on the page of the match."""
KNOWN = ("rekey", "clock")
"""What nobody has to hear of before their next turn."""


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
        _about(row, seats, _seen(conn, m, seat)),
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
    """Mails the end to all who played."""
    m = after.m
    row, seats = matches.find(conn, m), matches.seats(conn, m)
    for seat in seats:
        if seat.house:
            continue
        mail = Mail(
            "result",
            f"result:{m}:{seat.place}",
            to(site, seat),
            _about(row, seats, _seen(conn, m, seat.number)),
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
    after: Position,
    bodies: Sequence[Body],
    now: int,
) -> None:
    """Mails what is no turn to those who would hear of it too late."""
    for n, body in enumerate(bodies, start=before.n):
        told = readers(before, after, body)
        if not told:
            continue
        row, seats = matches.find(conn, after.m), matches.seats(conn, after.m)
        about = replace(_about(row, seats, n), count=n + 1)
        for seat in told:
            key, whom = f"news:{after.m}:{n}:{seat}", to(site, seats[seat - 1])
            mail = Mail("news", key, whom, about, match=after.m, seat=seat, record=n)
            outbox.queue(conn, replace(mail, expires=now + KEEP_SECONDS), now)


def readers(before: Position, after: Position, body: Body) -> tuple[int, ...]:
    """The seats to be told of a record: those of people who play on, except who did it, and who
    has just got a turn, which tells it as well."""
    if after.phase is not Phase.RUNNING or not _is_news(body):
        return ()
    informed = matches.mover(after) if matches.turn(before) != matches.turn(after) else None
    away = {*gone(after), *matches.house_seats(after), _doer(body), informed}
    return tuple(seat for seat in range(1, after.opened.seats + 1) if seat not in away)


def _is_news(body: Body) -> bool:
    kind = body.act if isinstance(body, Act) else body.sys if isinstance(body, Sys) else ""
    return bool(kind) and kind not in KNOWN


def _doer(body: Body) -> int | None:
    return body.seat if isinstance(body, Act | Sys) else None


def _about(row: MatchRow, seats: Sequence[SeatRow], since: int = 0) -> Snapshot:
    names = matches.names(seats)
    house = matches.houses(seats)
    return Snapshot(row.game, row.code, names, row.count, since, row.deadline, house=house)


def _seen(conn: sa.Connection, match: str, seat: int | None) -> int:
    """How many records there were when the seat's last turn was over; 0 before its first."""
    answer = None if seat is None else links.last_answer(conn, match, seat)
    return 0 if answer is None else int(json.loads(answer)["record"]) + 1
