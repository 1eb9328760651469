"""A line that came from a stranger, played after all on the word of whoever has the seat."""

from __future__ import annotations

from contextlib import suppress

from service import inbox, links, matches, play
from service.errors import SpentLink, Unavailable
from service.inbox import Held
from service.links import Link
from service.play import Speaker
from service.signing import sign
from service.site import Site


def find(site: Site, token: str) -> tuple[Link, Held]:
    """The link and the line that it lets play. Raises BadLink."""
    with site.db.read() as conn:
        link = links.stranger(conn, token)
        return link, inbox.held(conn, link.id)


def refuse(site: Site, token: str, now: int) -> None:
    """Plays nothing, for good: the link is spent. Raises BadLink."""
    with site.db.write() as conn:
        link = links.stranger(conn, token)
        if not links.spend(conn, link.id, now):
            raise SpentLink(inbox.held(conn, link.id).match)


def accept(site: Site, token: str, now: int) -> str:
    """Plays the line, lets its sender answer for the player from now on, and returns the match.

    Raises BadLink, and what `play.submit` raises for a turn that has passed.
    """
    with site.db.write() as conn:
        link = links.stranger(conn, token)
        held = inbox.held(conn, link.id)
        matches.lock(conn, held.match)
        if not link.live(now):
            raise SpentLink(held.match)
        seat = matches.seats(conn, held.match)[held.seat - 1]
        who = Speaker(held.seat, held.wait, "mail", now, held.sha256)
        play.enter(site, conn, held.match, who, held.line, held.wait, now)
        if seat.player is not None:
            inbox.befriend(conn, seat.player, held.author, now)
        links.spend(conn, link.id, now)
    with suppress(Unavailable):
        sign(site, held.match)
    return held.match
