"""Mails of ours that come back, complaints about them, and mails that only want no more mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string
from email.message import Message

import sqlalchemy as sa

from service import alerts, links, lobby, matches, people, reach, unsubscribe
from service.mail.inbound import route
from service.mail.inbound.nature import Nature
from service.mail.inbound.raw import Incoming, data_of, type_of
from service.mail.inbound.route import Route
from service.mail.transport import GONE
from service.models import OUTBOX
from service.reach import Bounce
from service.site import Site

COPIES = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers")
"""Parts in which a report brings back what we sent."""
STATUS = re.compile(r"(?im)^status:\s*([245]\.\d{1,3}\.\d{1,3})")
ACTION = re.compile(r"(?im)^action:\s*([a-z]{1,20})")
COPIED = re.compile(r"(?im)^message-id:\s*(<[^>\n]{1,300}>)")
LATE = re.compile(r"delay|warning|verzögert|verspätet|retried", re.I)
"""In the subject of a report that a mail is still on its way."""
BLAMED = re.compile(r"5\.(7\.\d|1\.[78]\b|3\.4\b|6\.\d)")
"""Codes that blame us or what we sent: our name, its size, its form."""
REPORT = 65_536
"""Characters of a report that are looked at."""


@dataclass(frozen=True)
class Ours:
    """The mail of ours that a report is about."""

    match: str | None
    address: str


def heed(site: Site, mail: Incoming, nature: Nature, ways: tuple[Route, ...], now: int) -> str:
    """Does what follows from a mail that no person has to answer, and says it in a word."""
    for way in ways:
        if way.purpose == "u" and nature not in ("bounce", "loop"):
            return "unsubscribed" if unsubscribe.choose(site, way.token, "", now) else nature
    if nature not in ("bounce", "complaint"):
        return nature
    with site.db.write() as conn:
        ours = _ours(site, conn, mail, ways)
        if ours is None:
            return nature
        if nature == "complaint":
            return _complained(conn, ours, now)
        return _bounced(site, conn, mail, ours, now)


def _bounced(site: Site, conn: sa.Connection, mail: Incoming, ours: Ours, now: int) -> str:
    said = "\n".join(_reports(mail))[:REPORT]
    bounce, mistrust = _meaning(said, late=bool(LATE.search(mail.header("Subject"))))
    if mistrust:
        alerts.refused(site, conn, mistrust, now)
    if reach.bounced(conn, ours.address, bounce, now):
        lobby.unfound(site, conn, ours.match, ours.address, now)
        return "bounce:stopped"
    return f"bounce:{bounce}" if bounce else "bounce"


def _meaning(said: str, *, late: bool) -> tuple[Bounce, str]:
    """What a report says of the mailbox; and what it says against us, "" if it does not.

    What is only `late`, as the subject says or the machine, changes nothing. A report without a
    machine's words is a soft bounce at most, for text alone never stops mail at once; so is a mail
    that was given up for a reason that passes.
    """
    status = next(iter(STATUS.findall(said)), "")
    action = next(iter(ACTION.findall(said)), "").lower()
    if action not in ("", "failed") or (late and not status and not action):
        return "", ""
    if BLAMED.match(status):
        return "", f"report: {status}"
    if not action and status and not status.startswith("5"):
        return "", ""
    return ("hard" if GONE.match(status) else "soft"), ""


def _complained(conn: sa.Connection, ours: Ours, now: int) -> str:
    """Whoever calls a mail spam gets no more of its match."""
    folded = people.folded(ours.address)
    seats = matches.seats(conn, ours.match) if ours.match else ()
    for seat in seats:
        if people.folded(seat.address) == folded:
            reach.mute(conn, seat.id, now, wanted=False)
    return "complaint:muted" if seats else "complaint"


def _ours(site: Site, conn: sa.Connection, mail: Incoming, ways: tuple[Route, ...]) -> Ours | None:
    """The mail that came back: by the address that it came back to, else by the copy in it."""
    hashes = [links.hash_of(way.token) for way in ways if way.purpose == "b"]
    names = [
        name for copy in _copies(mail) for name in route.named(copy, site.settings.mail_domain)
    ]
    known = sa.or_(OUTBOX.c.bounce.in_(hashes), OUTBOX.c.message_id.in_(names))
    row = conn.execute(sa.select(OUTBOX.c.match, OUTBOX.c.address).where(known).limit(1)).first()
    return Ours(*row) if row else None


def _reports(mail: Incoming) -> Iterator[str]:
    """The machine's words of a report."""
    for part in mail.parts():
        if type_of(part) in ("message/delivery-status", "message/global-delivery-status"):
            inside = part.get_payload()
            blocks = inside if isinstance(inside, list) else [part]
            yield from (str(block) for block in blocks[:20])


def _copies(mail: Incoming) -> Iterator[str]:
    """The Message-IDs of what a report brings back; some programs put it below their words."""
    for part in mail.parts():
        if type_of(part) == "text/plain":
            yield from COPIED.findall(data_of(part)[:REPORT].decode("utf-8", "replace"))
        if type_of(part) not in COPIES:
            continue
        inside = part.get_payload()
        if isinstance(inside, list) and inside and isinstance(inside[0], Message):
            yield str(inside[0].get("Message-ID", ""))
        else:
            text = data_of(part)[:REPORT].decode("utf-8", "replace")
            yield str(message_from_string(text).get("Message-ID", ""))
