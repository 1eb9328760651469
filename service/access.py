"""Links that sign a player in, mailed to the address that is known."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from service import links, matches, news, outbox, people, quota
from service.outbox import Mail, Snapshot, To
from service.quota import Quota
from service.site import Site

VALID = 86_400
PAUSE = 60
"""Seconds in which one such mail is enough, however often the button is pressed."""
MAILS = Quota("access", 3, 3_600)
"""To one address."""


def send(site: Site, *, player: int, match: str, now: int) -> None:
    """Mails a player of the match a link that signs in and leads to it. Raises TooMany."""
    with site.db.write() as conn:
        queue(site, conn, player=player, match=match, now=now)


def queue(site: Site, conn: sa.Connection, *, player: int, match: str, now: int) -> None:
    """The same in the caller's transaction."""
    address = people.known(conn, player).address
    quota.take(conn, MAILS, people.folded(address), now)
    if any(seat.player == player for seat in matches.seats(conn, match)):
        _mail(site, conn, player, match, now)


def send_to(site: Site, address: str, match: str, now: int) -> None:
    """The same for whoever plays the match with an address; nothing tells whether anybody does.
    Raises BadAddress too."""
    address = people.folded(people.address(site, address))
    with site.db.write() as conn:
        quota.take(conn, MAILS, address, now)
        for seat in matches.seats(conn, match):
            if seat.player is not None and people.folded(seat.address) == address:
                _mail(site, conn, seat.player, match, now)


def sign_in(site: Site, address: str, now: int) -> None:
    """Mails whoever plays here with an address a link that signs in and leads to all their
    matches; nothing tells whether anybody does. Raises BadAddress, or TooMany."""
    address = people.folded(people.address(site, address))
    with site.db.write() as conn:
        quota.take(conn, MAILS, address, now)
        player = people.find(conn, address)
        if player is not None:
            _mail(site, conn, player, None, now)


def _mail(site: Site, conn: sa.Connection, player: int, match: str | None, now: int) -> None:
    key = f"access:{player}:{match or ''}:{now // PAUSE}"
    if outbox.queued(conn, key):
        return
    who, expires = people.known(conn, player), now + VALID
    about = news.snapshot(conn, match) if match else Snapshot()
    link = links.make(
        conn, site.keys.link, "a", now=now, expires=expires, player=player, match=match
    )
    mail = Mail(
        "access",
        key,
        To(who.address, who.language, who.zone),
        replace(about, by=who.name, expires=expires),
        match=match,
        record=about.count - 1 if match else None,
        link=link,
        expires=expires,
    )
    outbox.queue(conn, mail, now)
