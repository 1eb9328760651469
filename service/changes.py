"""What a player changes of their account; what matters most only their mail can confirm."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from games.core.drawing import LANGUAGES
from service import links, opening, outbox, people, quota
from service.access import MAILS
from service.errors import BadAddress, BadForm, Fault, SpentLink
from service.kinds import Kind
from service.links import ChangeLink, Purpose
from service.models import CHANGE, LINK
from service.outbox import Mail, To
from service.people import Person
from service.quota import Quota
from service.site import Site
from service.snapshot import Snapshot

VALID = 86_400
ARRIVALS = Quota("arrival", 3, 3_600)
"""Mails to an address that somebody says is to be theirs."""


@dataclass(frozen=True)
class Asked:
    """What a link is to confirm: `address` is the new one, empty for the end of the account."""

    player: int
    person: Person
    address: str
    new: bool
    """Whether the link went to the new address."""
    done: bool


def describe(site: Site, player: int, name: str, language: str, zone: str) -> None:
    """Keeps name, language and zone of a player. Raises BadForm."""
    faults = [*opening.fault("name", people.name, name)]
    if language not in LANGUAGES:
        faults.append(Fault("language", "Please choose one of these languages."))
    if zone not in people.zones():
        faults.append(Fault("zone", "Please choose one of these time zones."))
    if faults:
        raise BadForm(*faults)
    with site.db.write() as conn:
        people.alter(conn, player, people.name(name), language, zone)


def ask_address(site: Site, player: int, given: str, now: int) -> None:
    """Mails a link to the old address and one to the new: the second yes changes it. Raises
    BadAddress, or TooMany.

    Nothing tells whether somebody plays with the new one.
    """
    address = people.address(site, given)
    with site.db.write() as conn:
        who = people.known(conn, player)
        if address == who.address:
            raise BadAddress("This is your address already.")
        quota.take(conn, MAILS, people.folded(who.address), now)
        quota.take(conn, ARRIVALS, people.folded(address), now)
        change = _ask(conn, player, address, now)
        _mail(site, conn, "change", who, who.address, change, now)
        _mail(site, conn, "arrival", who, address, change, now)


def ask_deletion(site: Site, player: int, now: int) -> None:
    """Mails a link that deletes the account. Raises TooMany."""
    with site.db.write() as conn:
        who = people.known(conn, player)
        quota.take(conn, MAILS, people.folded(who.address), now)
        _mail(site, conn, "deletion", who, who.address, _ask(conn, player, "", now), now)


def look(site: Site, token: str, now: int) -> Asked:
    """What a link is to confirm. Raises BadLink."""
    with site.db.read() as conn:
        link, player, address = _found(conn, token, now)
        person = people.known(conn, player)
    return Asked(player, person, address, link.new, link.used is not None)


def agree(site: Site, token: str, now: int) -> bool:
    """Says yes for one of the two addresses; whether both have, so that the new one holds.

    Said again nothing changes. Raises BadLink, or Taken.
    """
    with site.db.write() as conn:
        link, player, address = _found(conn, token, now)
        mine = CHANGE.c.id == link.change
        side = {"confirmed" if link.new else "agreed": now}
        both = CHANGE.update().where(mine).values(side).returning(*CHANGE.c)
        row = conn.execute(both).one()
        agreed = row.agreed is not None and row.confirmed is not None
        if links.spend(conn, link.id, now) and agreed:
            old = people.known(conn, player).address
            people.move(conn, player, address)
            outbox.readdress(conn, old, address)
    return agreed


def _found(conn: sa.Connection, token: str, now: int) -> tuple[ChangeLink, int, str]:
    link = links.changing(conn, token)
    if link.used is None and not link.live(now):
        raise SpentLink
    row = conn.execute(sa.select(CHANGE).where(CHANGE.c.id == link.change)).one()
    return link, row.player, row.address


def _ask(conn: sa.Connection, player: int, address: str, now: int) -> int:
    """A new row; what was asked for before is over."""
    before = sa.select(CHANGE.c.id).where(CHANGE.c.player == player)
    mine = sa.and_(LINK.c.change.in_(before), LINK.c.used.is_(None))
    conn.execute(LINK.update().where(mine).values(expires=now))
    new = CHANGE.insert().values(player=player, address=address, created=now)
    found: int = conn.execute(new.returning(CHANGE.c.id)).scalar_one()
    return found


def _mail(
    site: Site, conn: sa.Connection, kind: Kind, who: Person, address: str, change: int, now: int
) -> None:
    purpose: Purpose = "n" if kind == "arrival" else "o"
    expires = now + VALID
    link = links.make(conn, site.keys.link, purpose, now=now, expires=expires, change=change)
    wanted = conn.execute(sa.select(CHANGE.c.address).where(CHANGE.c.id == change)).scalar_one()
    mail = Mail(
        kind,
        f"{kind}:{change}",
        To(address, who.language, who.zone),
        Snapshot(by=who.name, address=wanted, expires=expires),
        link=link,
        expires=expires,
    )
    outbox.queue(conn, mail, now)
