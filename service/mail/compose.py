"""A row of the outbox becomes the bytes of a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default

from service import outbox
from service.mail import paper
from service.mail.facts import gather, note_name, spoken
from service.mail.inbound.cutter import keys_of
from service.mail.inbound.markup import lines_of
from service.mail.inbound.text import tidy
from service.mail.wire import WIRE
from service.outbox import Kind, Row
from service.settings import Settings
from service.site import Site

IN_THREAD: tuple[Kind, ...] = ("turn", "result", "declined", "void", "left", "pause", "message")
"""Mails that follow earlier ones of their match."""


_ID = re.compile(r"<[!-;=?-~]{1,200}>")
"""A Message-ID that can stand in our headers."""


def words(raw: bytes) -> str:
    """What is kept of a mail, so that it is known again in the answer to it."""
    message = message_from_bytes(raw, policy=default)
    plain, marked = (_said(message, kind) for kind in ("plain", "html"))
    return keys_of(tidy(plain.splitlines()), tidy(lines_of(marked)))


def _said(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return "" if part is None else str(part.get_content())


def compose(site: Site, row: Row, now: int) -> bytes:
    """The mail of a row: the same bytes for the same row, hour and history.

    Raises LookupError if it should carry a signed head and that is not signed yet.
    """
    with site.db.read() as conn:
        facts = gather(site, conn, row, now)
        before = outbox.previous(conn, row)
    page = paper.write(row.kind, spoken(row.language), facts)
    message = EmailMessage(policy=WIRE)
    for name, value in _headers(site.settings, row, page.subject, facts, now):
        message[name] = value
    if facts["answers"]:
        message["Reply-To"] = Address(site.settings.mail_name, addr_spec=str(facts["answers"]))
    if row.kind in IN_THREAD or row.kind in outbox.REPLIES:
        _thread(message, site.settings, row, before)
    _fill(message, page, row)
    if facts["attached"]:
        _attach(message, note_name(row), _note(site, row), row)
    return message.as_bytes()


def _headers(
    settings: Settings, row: Row, subject: str, facts: dict[str, object], now: int
) -> Iterator[tuple[str, object]]:
    yield "From", Address(settings.mail_name, addr_spec=settings.mail_from)
    yield "To", Address(str(facts["reader"]), addr_spec=row.address)
    yield "Subject", subject
    yield "Date", datetime.fromtimestamp(now, UTC)
    yield "Message-ID", f"<{row.message_id}@{settings.mail_domain}>"
    answering = row.kind in outbox.REPLIES
    yield "Auto-Submitted", "auto-replied" if answering else "auto-generated"
    yield "X-Auto-Response-Suppress", "OOF, AutoReply, RN, NRN"
    if row.kind in IN_THREAD or answering:
        yield "List-Id", f"<{str(facts['code']).lower()}.matches.{settings.mail_domain}>"


def _thread(message: EmailMessage, settings: Settings, row: Row, before: str | None) -> None:
    """Hangs the mail on the one before it, below a root that was never sent.

    Threads are for the eye; nothing here depends on them.
    """
    domain = settings.mail_domain
    root = f"<{str(row.match).replace('_', '.')}.{row.seat or 0}@{domain}>"
    last = root if before is None else f"<{before}@{domain}>"
    reply = row.about.reply
    if reply is not None and _ID.fullmatch(reply.to):
        last = reply.to
    message["In-Reply-To"] = last
    message["References"] = root if last == root else f"{root} {last}"


def _fill(message: EmailMessage, page: paper.Page, row: Row) -> None:
    message.set_content(page.text, cte="quoted-printable")
    message.add_alternative(page.html, subtype="html", cte="quoted-printable")
    message.set_boundary(_boundary(row, "text-or-html"))


def _attach(message: EmailMessage, name: str, note: str, row: Row) -> None:
    """Adds a note as base64, which keeps its line ends as they were signed."""
    message.make_mixed(_boundary(row, "mail-and-notes"))
    message.add_attachment(
        note.encode(),
        maintype="text",
        subtype="plain",
        cte="base64",
        filename=name,
        params={"charset": "utf-8"},
    )


def _boundary(row: Row, name: str) -> str:
    """`=_` stands in no body that is quoted-printable or base64."""
    return f"=_{name}_{row.message_id}"


def _note(site: Site, row: Row) -> str:
    assert row.match is not None
    assert row.record is not None
    note = site.signer.note(row.match, row.record + 1)
    if note is None:
        raise LookupError(f"head {row.record + 1} of match {row.match} is not signed")
    return note
