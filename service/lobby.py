"""Before the start: a match is opened, people are invited, join, or decline."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import sqlalchemy as sa

from games.log.record import Via
from games.position import Phase, Position
from service import (
    clock,
    joining,
    links,
    matches,
    news,
    opening,
    outbox,
    people,
    places,
    quota,
    reach,
    records,
    sessions,
)
from service.errors import CalledOff, NotNow, SpentLink, Taken, Unavailable
from service.joining import JoinForm, Joining
from service.kinds import Kind
from service.links import Access, Confirmation, Invitation
from service.matches import SeatRow
from service.models import OPENING, SEAT
from service.opening import Opening, Taking
from service.outbox import Mail, Snapshot, To
from service.people import Person
from service.quota import Quota
from service.signing import sign
from service.site import Site

DAY = 86_400
CONFIRM = DAY
INVITATION = 30 * DAY
CONFIRMS = Quota("confirm", 5, 3_600)
"""Confirm mails to one address."""
INVITES = Quota("invitation", 20, 3_600)
"""Invitations to one address."""
RENEWALS = Quota("renewal", 2, DAY)
"""Of one invitation."""
STARTS = Quota("start", 40, 1_800)
"""Matches that one address opens."""
HOUSES = Quota("house", 20, 3_600)
"""Matches with the house that one address opens."""


@dataclass(frozen=True)
class Entered:
    """Where a link led: the match, if it was for one, and the cookie of a new player session.

    `session` is None if the link was used before: whoever has it is at the right match, and asks
    for an access link to be known as a player.
    """

    session: str | None
    match: str | None


def ask(site: Site, form: Opening, now: int) -> None:
    """Keeps the form and mails its link to the address, which confirms it. Raises BadForm, or
    TooMany.

    Nothing tells whether the address is known.
    """
    form = opening.check(site, form)
    with site.db.write() as conn:
        row = opening.keep(conn, form, form.address, now)
        if row is None:
            return
        quota.take(conn, CONFIRMS, people.folded(form.address), now)
        expires = now + CONFIRM
        mail = Mail(
            "confirm",
            f"confirm:{row}",
            To(form.address, form.language, form.zone),
            opening.about(form, expires),
            link=links.make(conn, site.keys.link, "a", now=now, expires=expires, opening=row),
            expires=expires,
        )
        outbox.queue(conn, mail, now)


def confirm(site: Site, token: str, now: int) -> Entered:
    """Takes a confirm or access link: opens its match, and signs the player in.

    Once only; a confirm link used again leads to its match. Raises BadLink, or TooMany for
    invitations.
    """
    with site.db.write() as conn:
        link = links.entry(conn, token)
        if link.used is None and not link.live(now):
            raise spent(link)
        if not links.spend(conn, link.id, now):
            return Entered(None, opened(conn, link))
        if isinstance(link, Access):
            return Entered(_let_in(conn, link.player, now), link.match)
        session, match = _confirmed(site, conn, link, now)
    signed(site, match)
    return Entered(session, match)


def open_match(site: Site, player: int, form: Opening, now: int) -> str:
    """Opens a match for a player who is signed in, and returns its id. Raises BadForm, or TooMany
    for invitations."""
    with site.db.read() as conn:
        who = people.known(conn, player)
    form = opening.check(
        site, replace(form, address=who.address, language=who.language, zone=who.zone)
    )
    with site.db.write() as conn:
        row = opening.keep(conn, form, str(player), now)
        if row is None:
            match = opening.kept(conn, form, str(player))
        else:
            match = open_kept(site, conn, player, form, row, "web", now)
    signed(site, match)
    return match


def join(site: Site, token: str, form: JoinForm, now: int) -> Entered:
    """Fills the place that an invitation is for; the last join is followed by the start.

    Sent again by the same name it changes nothing. Raises BadLink, BadForm, or Taken.
    """
    with site.db.write() as conn:
        link, seat = locked(conn, token)
        if seat.pid is not None:
            return _joined_before(seat, form.name)
        player = fill(site, conn, link, seat, form, now)
        session = sessions.start_player(conn, player, now)
    signed(site, seat.match)
    return Entered(session, seat.match)


def fill(
    site: Site,
    conn: sa.Connection,
    link: Invitation,
    seat: SeatRow,
    form: JoinForm,
    now: int,
    ev: bytes | None = None,
) -> int:
    """Fills a free place in the caller's transaction, and returns the player; `ev` is the hash of
    the mail if it came by mail. Raises BadForm or SpentLink."""
    position = _joinable(site, conn, link, seat, now)
    name = joining.free_name(conn, seat, form.name, form.words)
    person = Person(name, seat.address, form.language, form.zone)
    player = people.enter(conn, person, now)
    via: Via = "link" if ev is None else "mail"
    who = Joining(seat.id, player, person, form.words.strip(), via, ev)
    joining.join(site, conn, position, who, now)
    links.spend(conn, link.id, now)
    reach.alive(conn, seat.address, now)
    return player


def decline(site: Site, token: str, now: int) -> str:
    """Turns an invitation down, tells the opener, and returns the match. Raises BadLink or
    NotNow."""
    with site.db.write() as conn:
        link, seat = locked(conn, token)
        turn_down(site, conn, link, seat, now)
    return seat.match


def turn_down(site: Site, conn: sa.Connection, link: Invitation, seat: SeatRow, now: int) -> None:
    """The same in the caller's transaction; twice is once. Raises SpentLink or NotNow."""
    if seat.declined is not None:
        return
    if seat.pid is not None:
        raise NotNow
    _joinable(site, conn, link, seat, now)
    conn.execute(SEAT.update().where(SEAT.c.id == seat.id).values(declined=now))
    links.withdraw(conn, seat.match, now, seat.id)
    host = opener(conn, seat.match)
    about = replace(news.snapshot(conn, seat.match), by=seat.name)
    mail_place(site, conn, "declined", host, about, f"declined:{seat.id}", now)


def unfound(site: Site, conn: sa.Connection, match: str | None, address: str, now: int) -> None:
    """Mails to an address come back: if it is that of a guest who has not joined, whoever opened
    the match is told, once."""
    if match is None or matches.find(conn, match).phase is not Phase.JOINING:
        return
    for seat in matches.seats(conn, match):
        guest = seat.pid is None and seat.declined is None and bool(seat.address)
        if guest and people.folded(seat.address) == people.folded(address):
            known = reach.masked(seat.address)
            about = replace(news.snapshot(conn, match), by=seat.name, address=known)
            host = opener(conn, match)
            mail_place(site, conn, "declined", host, about, f"unfound:{seat.id}", now)


def renew(site: Site, token: str, now: int) -> None:
    """Mails a new invitation to whoever holds one whose time is over. Raises BadLink, or
    TooMany."""
    with site.db.write() as conn:
        link, seat = locked(conn, token)
        waiting = records.position(site, conn, seat.match).phase is Phase.JOINING
        if not waiting or seat.pid is not None or seat.declined is not None or link.live(now):
            raise SpentLink
        quota.take(conn, RENEWALS, seat.id, now)
        _invite(site, conn, seat, now)


def invitation(conn: sa.Connection, token: str) -> tuple[Invitation, SeatRow]:
    """The link and the place it is for, for the page that shows an invitation. Raises BadLink."""
    link = links.invitation(conn, token)
    return link, next(seat for seat in matches.seats(conn, link.match) if seat.id == link.place)


def signed(site: Site, match: str) -> None:
    """Signs what is new; what the signer cannot do now the worker does before mail goes out."""
    with suppress(Unavailable):
        sign(site, match)


def opened(conn: sa.Connection, link: Confirmation | Access) -> str:
    """The match that a used confirm link opened. Raises SpentLink for an access link."""
    if isinstance(link, Access):
        raise spent(link)
    query = sa.select(OPENING.c.match).where(OPENING.c.id == link.opening)
    match: str = conn.execute(query).scalar_one()
    return match


def spent(link: Confirmation | Access) -> SpentLink:
    """What is said to a confirm or access link that can no longer be used."""
    return SpentLink(link.match if isinstance(link, Access) else None)


def _confirmed(site: Site, conn: sa.Connection, link: Confirmation, now: int) -> tuple[str, str]:
    """The new session, and the match that was opened."""
    form = opening.waiting(conn, link.opening)
    assert form is not None
    person = Person(form.name, form.address, form.language, form.zone)
    player = people.enter(conn, person, now)
    if isinstance(form, Taking):
        places.enter(site, conn, player, form, now)
        opening.taken_up(conn, link.opening, form.place)
        return _let_in(conn, player, now), form.place
    match = open_kept(site, conn, player, form, link.opening, "link", now)
    return _let_in(conn, player, now), match


def _let_in(conn: sa.Connection, player: int, now: int) -> str:
    """The new session of whoever followed the link in a mail, which has arrived then."""
    reach.alive(conn, people.known(conn, player).address, now)
    return sessions.start_player(conn, player, now)


def open_kept(
    site: Site, conn: sa.Connection, player: int, form: Opening, kept: int, via: Via, now: int
) -> str:
    """Writes `open`, the joins of house and opener and the invitations, and returns the match.

    The house joins first, so that the last word for the lot is a person's.
    """
    quota.take(conn, STARTS, people.folded(form.address), now)
    position = opening.create(site, conn, player, form, now)
    own, *others = matches.seats(conn, position.m)
    for seat in others:
        if seat.house:
            position = joining.house(site, conn, position, seat.id, now)
    if any(seat.house for seat in others):
        quota.take(conn, HOUSES, people.folded(form.address), now)
    person = Person(form.name, form.address, form.language, form.zone)
    who = Joining(own.id, player, person, form.words, via)
    joining.join(site, conn, position, who, now)
    for seat in others:
        if seat.address and not seat.house:
            _invite(site, conn, seat, now)
    opening.taken_up(conn, kept, position.m)
    return position.m


def _invite(site: Site, conn: sa.Connection, seat: SeatRow, now: int) -> None:
    quota.take(conn, INVITES, people.folded(seat.address), now)
    expires = min(now + INVITATION, _join_by(site, conn, seat.match))
    link = links.make(
        conn, site.keys.link, "i", now=now, expires=expires, match=seat.match, place=seat.id
    )
    host = opener(conn, seat.match)
    opened = records.position(site, conn, seat.match).opened
    about = replace(
        news.snapshot(conn, seat.match),
        by=host.name,
        expires=expires,
        options=opened.options,
        clock=opened.clock,
    )
    mail_place(site, conn, "invitation", seat, about, f"invitation:{link}", now, link)


def _join_by(site: Site, conn: sa.Connection, match: str) -> int:
    """When a match that has not started will be void."""
    time = clock.deadline(records.standing(site, conn, match).clocks)
    assert time is not None
    return time


def locked(conn: sa.Connection, token: str) -> tuple[Invitation, SeatRow]:
    """The same, with the match locked: for a transaction that answers it. Raises BadLink."""
    matches.lock(conn, links.invitation(conn, token).match)
    return invitation(conn, token)


def _joinable(
    site: Site, conn: sa.Connection, link: Invitation, seat: SeatRow, now: int
) -> Position:
    """The position of a match that this place can still be filled in. Raises SpentLink."""
    position = records.position(site, conn, seat.match)
    if position.phase is Phase.CLOSED and seat.pid is None:
        raise CalledOff
    if position.phase is not Phase.JOINING or seat.declined is not None or not link.live(now):
        raise SpentLink
    return position


def _joined_before(seat: SeatRow, name: str) -> Entered:
    if people.folded(" ".join(name.split())) != people.folded(seat.name):
        raise Taken
    return Entered(None, seat.match)


def opener(conn: sa.Connection, match: str) -> SeatRow:
    """The place of whoever opened a match."""
    return next(seat for seat in matches.seats(conn, match) if seat.place == 1)


def mail_place(
    site: Site,
    conn: sa.Connection,
    kind: Kind,
    seat: SeatRow,
    about: Snapshot,
    key: str,
    now: int,
    link: str | None = None,
) -> None:
    """Queues a mail about a match to whoever has a place of it."""
    mail = Mail(
        kind,
        key,
        news.to(site, seat),
        about,
        match=seat.match,
        record=about.count - 1,
        link=link,
        expires=about.expires,
    )
    outbox.queue(conn, mail, now)
