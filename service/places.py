"""Free places of matches: which there are, and how somebody takes one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import sqlalchemy as sa

from games.position import Phase, Position
from service import joining, links, matches, news, opening, outbox, people, quota, records
from service.errors import BadForm, Full, NotNow, Taken
from service.joining import Joining
from service.matches import MatchRow, SeatRow
from service.models import MATCH, SEAT
from service.opening import Taking
from service.outbox import Mail, To
from service.people import Person
from service.quota import Quota
from service.site import Site

CONFIRM = 86_400
CONFIRMS = Quota("place", 5, 3_600)
"""Confirm mails for places to one address."""
Row = tuple[MatchRow, tuple[SeatRow, ...]]
_FREE = sa.and_(
    SEAT.c.match == MATCH.c.id, SEAT.c.pid.is_(None), SEAT.c.address == "", ~SEAT.c.house
)
_OFFERED = sa.and_(MATCH.c.phase == Phase.JOINING.value, MATCH.c.public, sa.exists().where(_FREE))


def count(conn: sa.Connection) -> int:
    """How many matches the lobby shows."""
    return conn.scalar(sa.select(sa.func.count()).select_from(MATCH).where(_OFFERED)) or 0


def offered(conn: sa.Connection, limit: int, skip: int = 0) -> list[Row]:
    """Matches of the lobby that have free places, the newest first."""
    query = sa.select(*matches.COLUMNS).where(_OFFERED)
    newest = query.order_by(MATCH.c.created.desc(), MATCH.c.id).limit(limit).offset(skip)
    rows = matches.listed(conn, newest)
    people = matches.seats_of(conn, [row.id for row in rows])
    return [(row, people[row.id]) for row in rows]


def ask(site: Site, form: Taking, now: int) -> None:
    """Keeps the form and mails its link to the address, which confirms it. Raises BadForm, Taken,
    NoMatch or TooMany."""
    form = _checked(site, form)
    with site.db.write() as conn:
        _position(site, conn, form.place)
        row = opening.keep(conn, form, form.address, now)
        if row is None:
            return
        quota.take(conn, CONFIRMS, people.folded(form.address), now)
        expires = now + CONFIRM
        about = news.snapshot(conn, form.place)
        options = records.position(site, conn, form.place).opened.options
        mail = Mail(
            "confirm",
            f"confirm:{row}",
            To(form.address, form.language, form.zone),
            replace(about, by=form.name, expires=expires, options=options),
            link=links.make(conn, site.keys.link, "a", now=now, expires=expires, opening=row),
            expires=expires,
        )
        outbox.queue(conn, mail, now)


def take(site: Site, player: int, form: Taking, now: int) -> None:
    """Takes a place for a player who is signed in. Raises BadForm, Taken, NotNow or NoMatch."""
    with site.db.read() as conn:
        who = people.known(conn, player)
    form = _checked(site, replace(form, address=who.address, language=who.language, zone=who.zone))
    with site.db.write() as conn:
        enter(site, conn, player, form, now)


def enter(site: Site, conn: sa.Connection, player: int, form: Taking, now: int) -> None:
    """The player joins at a free place, if there still is one; the last is followed by the start.
    Raises Taken, NotNow or NoMatch."""
    matches.lock(conn, form.place)
    position = _position(site, conn, form.place)
    seats = matches.seats(conn, form.place)
    if any(seat.player == player for seat in seats):
        raise NotNow("You play in this match already.")
    place = next(seat.id for seat in seats if seat.free)
    conn.execute(SEAT.update().where(SEAT.c.id == place).values(address=form.address))
    name = _unlike(form.name, [seat.name for seat in seats if seat.pid])
    person = Person(name, form.address, form.language, form.zone)
    joining.join(site, conn, position, Joining(place, player, person, form.words, "link"), now)


def _position(site: Site, conn: sa.Connection, match: str) -> Position:
    """The position of a match with a free place. Raises Taken, NotNow or NoMatch."""
    matches.find(conn, match)
    position = records.position(site, conn, match)
    if position.phase is not Phase.JOINING:
        raise Full
    if not any(seat.free for seat in matches.seats(conn, match)):
        raise Taken
    return position


def _checked(site: Site, form: Taking) -> Taking:
    faults = [
        *opening.fault("name", people.name, form.name),
        *opening.fault("address", partial(people.address, site), form.address),
        *opening.words_fault(form.words),
    ]
    if faults:
        raise BadForm(*faults)
    return replace(
        form,
        name=people.name(form.name),
        address=people.address(site, form.address),
        words=form.words.strip(),
    )


def _unlike(name: str, others: list[str]) -> str:
    """The name, told apart by a number if somebody of the match has it."""
    used, number, found = {people.folded(other) for other in others}, 1, name
    while people.folded(found) in used:
        number += 1
        found = f"{name[: people.NAME_LENGTH - 3]} {number}"
    return found
