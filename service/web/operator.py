"""The operator's pages: all mail of a service without a relay, and how the service is."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint, abort, make_response, redirect, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from service import figures, messages, ready, signing, stuck
from service.language import N_
from service.mail import letterbox, mailbox
from service.mail.mailbox import Entry
from service.web import asked, cookies
from service.web.request import _, field, long_field, now, number, site, when
from service.web.response import render

pages = Blueprint("operator", __name__, url_prefix="/operator")

FRAMED = "; ".join(
    (
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-top-navigation-by-user-activation",
    )
)
"""For the HTML of a mail: it shows itself, its links open in the window around it, no more."""
ANSWER_LENGTH = 5_000
NEWEST = 5
"""So many mails of each mailbox stand on the page of all."""
PARTS = {"web": N_("Pages"), "worker": N_("Worker"), "inbound": N_("Mail that comes in")}
LINK = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)]")


@pages.get("/<token>")
def welcome(token: str) -> Response:
    cookies.check_operator(token)
    return render("operator.html", token=token)


@pages.post("/<token>")
def enter(token: str) -> Response:
    cookies.check_operator(token)
    return cookies.give_operator(redirect(url_for("operator.boxes"), 303))


@pages.get("/mail")
def boxes() -> Response:
    root = _root()
    mails = {address: mailbox.entries(root, address) for address in mailbox.addresses(root)}
    found = [
        (address, _listed(root, address, entries[:NEWEST]), len(entries))
        for address, entries in mails.items()
    ]
    return render("mailboxes.html", boxes=found, when=when)


@pages.get("/state")
def state() -> Response:
    """Which matches cannot go on, what a monitor is told, and the figures of the service."""
    cookies.require_operator()
    forked = [_(at.sentence, **at.values) for at in signing.conflicts(site())]
    with site().db.read() as conn:
        seen, waiting = figures.look(conn), stuck.listed(conn)
    return render(
        "state.html",
        forked=forked,
        stuck=waiting,
        reasons=ready.reasons(site(), now()),
        seen=seen,
        reported=messages.reported(site().db),
        parts_of={name: _(words) for name, words in PARTS.items()},
        when=when,
    )


@pages.post("/state")
def judge() -> Response:
    """A reported message is removed, or stays."""
    cookies.require_operator()
    message = number("message")
    if field("act") == "remove":
        messages.remove(site().db, message)
    elif field("act") == "keep":
        messages.dismiss(site().db, message)
    else:
        abort(422)
    return redirect(url_for("operator.state", _anchor="reported"), 303)


@pages.get("/mail/<address>")
def box(address: str) -> Response:
    root = _root()
    entries = _listed(root, address, mailbox.entries(root, address))
    if not entries:
        abort(404)
    sent = asked.one_of("sent", ("yes",))
    return render("mailbox.html", address=address, entries=entries, sent=sent, when=when)


@pages.get("/mail/<address>/<key>")
def letter(address: str, key: str) -> Response:
    found = _letter(address, key)
    answerable = any(name.lower() == "reply-to" for name, _value in found.headers)
    return render(
        "letter.html",
        address=address,
        letter=found,
        text=_linked(found.text),
        when=when,
        answerable=answerable,
        thread=mailbox.thread(_root(), address, found.entry),
    )


@pages.post("/mail/<address>/<key>")
def answer(address: str, key: str) -> Response:
    """Writes an answer as its reader's mail program would; the worker takes it in."""
    found = _letter(address, key)
    wrote = _(
        "On %(moment)s %(name)s wrote:", moment=when(found.entry.time), name=found.entry.sender
    )
    try:
        raw = letterbox.answer(found, address, long_field("answer")[:ANSWER_LENGTH], wrote, now())
    except LookupError:
        abort(404)
    letterbox.put(site().settings.data, raw)
    return redirect(url_for("operator.box", address=address, sent="yes"), 303)


@pages.get("/mail/<address>/<key>/html")
def framed(address: str, key: str) -> Response:
    found = _letter(address, key)
    html = found.html.replace("<head>", '<head><base target="_top">', 1)
    for address_of, part in found.pictures:
        shown = f"data:{part.type};base64,{b64encode(part.data).decode()}"
        html = html.replace(f'src="{address_of}"', f'src="{shown}"')
    response = make_response(html)
    response.headers["Content-Security-Policy"] = FRAMED
    return response


@pages.get("/mail/<address>/<key>/<int:number>")
def attachment(address: str, key: str, number: int) -> Response:
    attachments = _letter(address, key).attachments
    if not number < len(attachments):
        abort(404)
    return _download(attachments[number].data, attachments[number].name or "attachment")


@pages.get("/mail/<address>/<key>/raw")
def raw(address: str, key: str) -> Response:
    return _download(_letter(address, key).raw, "mail.eml")


def _listed(root: Path, address: str, entries: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Each mail with what it says first."""
    return [(entry, mailbox.news(root, address, entry.key)) for entry in entries]


def _root() -> Path:
    cookies.require_mailbox()
    return mailbox.folder(site().settings.data)


def _letter(address: str, key: str) -> mailbox.Letter:
    try:
        return mailbox.read(_root(), address, key)
    except LookupError:
        abort(404)


def _download(data: bytes, name: str) -> Response:
    response = make_response(data)
    response.headers["Content-Type"] = "application/octet-stream"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _linked(text: str) -> Markup:
    """The text of a mail with its addresses as links."""
    parts, end = [], 0
    for found in LINK.finditer(text):
        parts.append(escape(text[end : found.start()]))
        parts.append(Markup('<a href="{0}">{0}</a>').format(found.group()))
        end = found.end()
    return Markup("").join((*parts, escape(text[end:])))
