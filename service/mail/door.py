"""Where mails come in, whatever the way: kept under a name of their own before they are taken."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from service import inbox, links
from service.errors import BadLink
from service.inbox import Arrival
from service.mail.inbound import raw, route
from service.mail.inbound.route import Route
from service.settings import Settings
from service.site import Site


def take_in(
    site: Site, way: str, mail: bytes, now: int, recipient: str = "", sender: str = ""
) -> bool:
    """Keeps a mail that was handed over by a way without names for mails; False if it was there."""
    name = hashlib.sha256(mail).hexdigest()
    key = f"{way}:{name}:{recipient.casefold()}"[:400]
    return inbox.store(site.db, Arrival(key, mail, now, recipient, sender))


def ours(settings: Settings, mail: bytes) -> bool:
    """Whether a mail found in a mailbox can be an answer to one of ours; what lies there of other
    people's is none of our business."""
    taken = raw.take(mail[: inbox.KEPT])
    if route.routes(taken, settings.answers):
        return True
    return bool(route.references(taken, settings.mail_domain))


def known(site: Site, recipient: str) -> bool:
    """Whether somebody can be reached at an address; said to our own mail server alone."""
    pattern = site.settings.answers
    if route.HOLE not in pattern:
        return recipient.casefold() == pattern.casefold()
    empty = raw.take(b"")
    with site.db.read() as conn:
        return any(_live(conn, way) for way in route.routes(empty, pattern, recipient))


def _live(conn: sa.Connection, way: Route) -> bool:
    try:
        if way.purpose == "t":
            links.answering(conn, way.token)
        elif way.purpose == "i":
            links.invitation(conn, way.token)
        elif way.purpose == "d":
            links.daily(conn, way.token)
    except BadLink:
        return False
    return True
