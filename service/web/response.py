"""What every answer carries: headers, the words of the templates, addresses of our own files."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlencode

from flask import Flask, current_app, g, make_response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from service import language as speech
from service.web.request import _, here, language, site

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
    )
)
PAINTED = "default-src 'none'; style-src 'unsafe-inline'"
"""For a drawing that is shown as a picture and brings its colours along."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
YEAR = 31_536_000
TONGUES = (("de", "Deutsch"), ("en", "English"))


def render(template: str, status: int = 200, **values: object) -> Response:
    """A page that is nobody else's business: not stored, not indexed."""
    return make_response(render_template(template, **values), status)


def public(response: Response) -> Response:
    """The same page for everybody with this address and language: may be kept and asked about."""
    response.headers["Cache-Control"] = "no-cache"
    response.vary.update(("Accept-Language", "Cookie"))
    response.add_etag()
    return response.make_conditional(request)


def painted(svg: str) -> Response:
    """A drawing as a picture of its own, with the colours of both schemes."""
    head, mark, rest = svg.partition(">")
    response = make_response(f"{head}{mark}<style>{static_file('tokens.css')}</style>{rest}")
    response.headers["Content-Type"] = "image/svg+xml; charset=utf-8"
    response.headers["Content-Security-Policy"] = PAINTED
    return response


def dress(response: Response) -> Response:
    """Adds the headers that every answer carries, unless the page has its own."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static" and response.get_etag() == (None, None):
        for name, value in PRIVATE.items():
            response.headers.setdefault(name, value)
    return response


def furnish(app: Flask) -> None:
    """Gives the templates their words, the menu and the addresses of our own files."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(_plain, _plural, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(static=static, picture=Markup)
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = YEAR
    app.context_processor(_always)
    app.after_request(dress)


def _always() -> dict[str, object]:
    visitor = g.get("visitor")
    tongues = [] if visitor else [(tag, name, _spoken(tag)) for tag, name in TONGUES]
    return {"language": language(), "menu": _menu(), "visitor": visitor, "tongues": tongues}


def _spoken(tag: str) -> str:
    """This page in another language; whoever has an account chooses there."""
    kept = [pair for pair in request.args.items(multi=True) if pair[0] != "lang"]
    return f"{here()}?{urlencode([*kept, ('lang', tag)])}"


def _menu() -> list[tuple[str, str]]:
    """The endpoints of the main menu with their words; the mailbox for the operator alone."""
    own = ("mine.dashboard", _("My matches") if g.get("visitor") else _("Sign in"))
    pages = [("start.start", _("Start a match")), ("places.lobby", _("Lobby"))]
    pages.insert(0 if g.get("visitor") else 2, own)
    pages += [
        ("archive.archive", _("Archive")),
        ("verify.verify", _("Verify")),
        ("home.manuals", _("Rules")),
    ]
    if not g.get("operator"):
        return pages
    box = [("operator.boxes", _("Mailbox"))] if site().settings.embedded else []
    counter = [
        ("outbox.mails", _("Outbox")),
        ("inbox.mails", _("Inbox")),
        ("operator.state", _("State")),
    ]
    return [*box, *pages, *counter]


def static(name: str) -> str:
    """The address of one of our files, which changes when the file does."""
    return url_for("static", filename=name, v=_digest(static_file(name)))


def static_file(name: str) -> str:
    """The text of one of our files."""
    return _read(Path(current_app.static_folder or "") / name)


@lru_cache(maxsize=32)
def _read(path: Path) -> str:
    return path.read_text("utf-8")


@lru_cache(maxsize=32)
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _plain(text: str) -> str:
    return speech.catalogue(language()).gettext(text)


def _plural(one: str, many: str, num: int) -> str:
    return speech.catalogue(language()).ngettext(one, many, num)
