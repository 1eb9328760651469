"""Links that sign a player in, mailed to the address that is known."""

from __future__ import annotations

from dataclasses import replace

from service import links, outbox, people, play
from service.outbox import Mail, Snapshot, To
from service.site import Site

VALID = 86_400
PAUSE = 60
"""Seconds between two such mails to a player about a match."""


def send(site: Site, *, player: int, match: str | None, now: int) -> None:
    """Mails a player a link that signs in and leads to the match."""
    with site.db.write() as conn:
        who = people.known(conn, player)
        about = play.snapshot(conn, match) if match else Snapshot()
        expires = now + VALID
        link = links.make(
            conn, site.keys.link, "a", now=now, expires=expires, player=player, match=match
        )
        mail = Mail(
            "access",
            f"access:{player}:{match or ''}:{now // PAUSE}",
            To(who.address, who.language, who.zone),
            replace(about, by=who.name, expires=expires),
            match=match,
            record=about.count - 1 if match else None,
            link=link,
            expires=expires,
        )
        outbox.queue(conn, mail, now)


def send_to(site: Site, address: str, match: str | None, now: int) -> None:
    """The same for whoever has an address; nothing tells whether anybody does. Raises
    BadAddress."""
    address = people.address(site, address)
    with site.db.read() as conn:
        player = people.find(conn, address)
    if player is not None:
        send(site, player=player, match=match, now=now)
