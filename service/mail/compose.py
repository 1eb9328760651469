"""A row of the outbox becomes the bytes of a mail."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage, Message

from service import outbox
from service.kinds import KINDS
from service.mail import paper
from service.mail.facts import gather, note_name, spoken
from service.mail.inbound import route
from service.mail.inbound.cutter import words_of
from service.mail.inbound.markup import lines_of
from service.mail.inbound.route import Route
from service.mail.inbound.text import tidy
from service.mail.picture import Picture, picture
from service.mail.signature import signed
from service.mail.story import Values
from service.mail.wire import WIRE
from service.outbox import Row
from service.settings import Settings
from service.site import Site

ALT = 800
"""Characters that stand for a picture which is not shown."""


_ID = re.compile(r"<[!-;=?-~]{1,200}>")
"""A Message-ID that can stand in our headers."""


def words(raw: bytes) -> str:
    """What is kept of a mail, so that it is known again in the answer to it."""
    parts = list(message_from_bytes(raw).walk())  # by the old policy, which parses few headers
    plain, marked = (_said(parts, f"text/{kind}") for kind in ("plain", "html"))
    return words_of(tidy(plain.splitlines()), tidy(lines_of(marked)))


def _said(parts: list[Message], kind: str) -> str:
    """The first part of a kind; the notes that go along come after it."""
    found = next((part for part in parts if part.get_content_type() == kind), None)
    data = found.get_payload(decode=True) if found else b""
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""


def compose(site: Site, row: Row, now: int) -> bytes:
    """The mail of a row: the same bytes for the same row, hour and history.

    The picture is drawn when the database has been read. Raises LookupError if the mail should
    carry a signed head and that is not signed yet.
    """
    with site.db.read() as conn:
        facts = gather(site, conn, row, now)
        before = outbox.previous(conn, row, same_turn=bool(facts["apart"]))
    message = written(site.settings, row, facts, now)
    if KINDS[row.kind].thread:
        _thread(message, site.settings, row, before, apart=bool(facts["apart"]))
    if facts["attached"]:
        _attach(message, note_name(row), _note(site, row), row)
    return signed(message.as_bytes(), site.dkim, now)


def written(settings: Settings, row: Row, facts: Values, now: int) -> EmailMessage:
    """The mail that says these facts, with its picture."""
    drawn = picture(str(facts["svg"])) if facts.get("svg") else None
    page = paper.write(row.kind, spoken(row.language), facts | _shown(drawn, row))
    message = EmailMessage(policy=WIRE)
    for name, value in _headers(settings, row, page.subject, facts, now):
        message[name] = value
    if facts["answers"]:
        message["Reply-To"] = Address(settings.mail_name, addr_spec=str(facts["answers"]))
    _fill(message, page, row, drawn)
    return message


def _headers(
    settings: Settings, row: Row, subject: str, facts: dict[str, object], now: int
) -> Iterator[tuple[str, object]]:
    yield "From", Address(settings.mail_name, addr_spec=settings.mail_from)
    yield "To", Address(str(facts["reader"]), addr_spec=row.address)
    yield "Subject", subject
    yield "Date", datetime.fromtimestamp(now, UTC)
    yield "Message-ID", f"<{row.message_id}@{settings.mail_domain}>"
    replying = KINDS[row.kind].reply
    yield "Auto-Submitted", "auto-replied" if replying else "auto-generated"
    yield "X-Auto-Response-Suppress", "OOF, AutoReply, RN, NRN"
    if KINDS[row.kind].thread and row.match is not None:
        yield "List-Id", f"<{str(facts['code']).lower()}.matches.{settings.mail_domain}>"
    if facts["leave"]:
        yield "List-Unsubscribe", ", ".join(f"<{way}>" for way in _ways_out(settings, facts))
        if settings.secure:
            yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"


def _ways_out(settings: Settings, facts: dict[str, object]) -> Iterator[str]:
    """By a page with one click, and where answers come in, by mail."""
    page = str(facts["leave"])
    yield page
    if route.HOLE in settings.answers:
        yield "mailto:" + route.address(settings.answers, Route("u", page.rpartition("/")[2]))


def _shown(drawn: Picture | None, row: Row) -> dict[str, object]:
    """What the templates say of the picture; the address of no picture is empty."""
    if drawn is None:
        return {"image": ""}
    # Every word in it is told by the text as well, so a picture that is too much of them may end.
    words = textwrap.shorten(drawn.words, ALT, placeholder=" …")
    return {"image": f"cid:{_board(row)}", "height": drawn.height, "alt": words}


def _board(row: Row) -> str:
    return f"board.{row.message_id}@mail"


def _thread(
    message: EmailMessage, settings: Settings, row: Row, before: str | None, *, apart: bool
) -> None:
    """Hangs the mail on the one before it, below a root that was never sent.

    Threads are for the eye; nothing here depends on them.
    """
    reply = row.about.reply
    answered = reply.to if reply is not None and _ID.fullmatch(reply.to) else ""
    if row.match is None:
        if answered:
            message["In-Reply-To"] = message["References"] = answered
        return
    domain = settings.mail_domain
    turn = f".{row.record}" if apart else ""
    root = f"<{row.match.replace('_', '.')}.{row.seat or 0}{turn}@{domain}>"
    last = answered or (root if before is None else f"<{before}@{domain}>")
    message["In-Reply-To"] = last
    message["References"] = root if last == root else f"{root} {last}"


def _fill(message: EmailMessage, page: paper.Page, row: Row, drawn: Picture | None) -> None:
    message.set_content(page.text, cte="quoted-printable")
    message.add_alternative(page.html, subtype="html", cte="quoted-printable")
    message.set_boundary(_boundary(row, "text-or-html"))
    if drawn is not None:
        _, html = message.iter_parts()
        assert isinstance(html, EmailMessage)
        name = f"{row.match}-{row.record}.png"
        where = f"<{_board(row)}>"
        html.add_related(drawn.png, "image", "png", cid=where, filename=name, disposition="inline")
        html.set_boundary(_boundary(row, "html-and-picture"))


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
