"""What the players of a running match are told by mail: their turn, who left, a pause, the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import sqlalchemy as sa

from games.position import Position, gone
from service import answers, links, matches, outbox
from service.clock import Clocks, Standing
from service.matches import MatchRow, SeatRow
from service.outbox import Kind, Mail, Snapshot, To
from service.site import Site

RESULT_SECONDS = 3 * 86_400
"""For so long a result is worth a mail: it stands on the page of the match."""
AGAIN_SECONDS = 600
"""A turn that goes on after chance is mailed that much later: most play on at once."""


def to(site: Site, seat: SeatRow) -> To:
    """Where mail for a place of a match goes."""
    return To(seat.address, seat.language, seat.zone or site.settings.zone)


def snapshot(conn: sa.Connection, match: str) -> Snapshot:
    """What a mail about this moment of a match has to know."""
    return _about(matches.find(conn, match), matches.seats(conn, match))


def turn(site: Site, conn: sa.Connection, at: Position, now: int, *, later: bool) -> None:
    """The seat to move hears of its turn; `later` if it goes on after chance, seen on a page."""
    m, (seat, wait) = at.m, matches.turn(at)
    assert seat is not None
    row, seats = matches.find(conn, m), matches.seats(conn, m)
    mail = Mail(
        "turn",
        f"turn:{m}:{wait}:{seat}",
        to(site, seats[seat - 1]),
        _about(row, seats, _seen(conn, m, seat), at),
        match=m,
        seat=seat,
        wait=wait,
        record=row.n,
        link=links.make(conn, site.keys.link, "w", now=now, match=m, seat=seat, wait=wait),
        not_before=now + AGAIN_SECONDS if later else now,
        expires=row.deadline,
    )
    outbox.queue(conn, mail, now)
    if site.settings.answers:
        links.make(conn, site.keys.link, "t", now=now, match=m, seat=seat, wait=wait)


def result(site: Site, conn: sa.Connection, at: Position, now: int) -> None:
    """Everybody hears how the match ended."""
    m = at.m
    row, seats = matches.find(conn, m), matches.seats(conn, m)
    for seat in seats:
        if seat.house:
            continue
        mail = Mail(
            "result",
            f"result:{m}:{seat.place}",
            to(site, seat),
            _about(row, seats, _seen(conn, m, seat.number), at),
            match=m,
            seat=seat.number,
            record=row.n,
            expires=now + RESULT_SECONDS,
        )
        outbox.queue(conn, mail, now)


def left(site: Site, conn: sa.Connection, before: Position, at: Position, now: int) -> None:
    """All but the seat to move, whose mail says it too, hear that a seat has left a match that
    goes on."""
    seats = [seat for seat in _playing(before) if seat != matches.mover(at)]
    _tell(site, conn, "left", seats, before, at, now)


def pause(
    site: Site, conn: sa.Connection, was: Standing, at: Standing, seat: int, now: int
) -> None:
    """Those whom it concerns hear that a seat has asked for a pause, agreed, or ended it."""
    outbox.supersede(conn, at.position.m, ("pause",))
    others = [one for one in _concerned(was.clocks, at) if one != seat]
    _tell(site, conn, "pause", others, was.position, at.position, now)


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
    to_seats: Iterable[int],
    before: Position,
    at: Position,
    now: int,
) -> None:
    """Mails what the records since a position say."""
    row, seats = matches.find(conn, at.m), matches.seats(conn, at.m)
    for seat in to_seats:
        if seats[seat - 1].house:
            continue
        mail = Mail(
            kind,
            f"{kind}:{at.m}:{row.n}:{seat}",
            to(site, seats[seat - 1]),
            _about(row, seats, before.n, at),
            match=at.m,
            seat=seat,
            record=row.n,
            expires=now + RESULT_SECONDS,
        )
        outbox.queue(conn, mail, now)


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
