"""Which requests are read at all: whose hosts, whose forms, how large."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import cast
from urllib.parse import urlsplit

from flask import Blueprint, Flask, request, session
from flask_wtf import CSRFProtect
from flask_wtf.csrf import generate_csrf
from werkzeug.exceptions import SecurityError

from service import messages, notes, sessions
from service.opening import WORDS_LENGTH
from service.people import NAME_LENGTH
from service.settings import LOOPBACK, Settings, in_url

FORM_BYTES = 65_536
UPLOAD_BYTES = 1_048_576
"""The largest log that Verify takes, and the largest mail that a provider posts."""
UPLOADS = ("verify.check", "hook.take")
AROUND = 16_384
"""What a form may hold beside the log."""
LINE_LENGTH = 900
"""Characters of a turn line; a record has room for no more."""
LONGEST = {
    "line": LINE_LENGTH,
    "name": NAME_LENGTH,
    "words": WORDS_LENGTH,
    "address": 254,
    "message": messages.LENGTH,
    "note": notes.LENGTH,
    "clock": 120,
}
"""Of fields, for the browser to count."""


def guard(
    app: Flask, settings: Settings, key: bytes, *, without_forms: Iterable[Blueprint]
) -> None:
    """Bounds what is read and says whose requests are believed; a part that goes by tokens, not by
    cookies, cannot be reached by a forged form."""
    app.config.update(
        SECRET_KEY=key,
        MAX_FORM_PARTS=100,
        SESSION_COOKIE_NAME="form",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure,
        WTF_CSRF_TIME_LIMIT=None,
        PERMANENT_SESSION_LIFETIME=sessions.PLAYER_DAYS * sessions.DAY,
    )
    app.before_request(_trusting(settings))
    app.before_request(_bound)
    protect = CSRFProtect(app)
    for part in without_forms:
        protect.exempt(part)
    app.jinja_env.globals.update(csrf_token=_form_token, longest=LONGEST)


def _trusting(settings: Settings) -> Callable[[], None]:
    """Refuses requests to other hosts. (Werkzeug's own list cannot name an address of IPv6.)"""
    ours = urlsplit(settings.base_url).hostname or settings.host
    hosts = frozenset(in_url(host) for host in (ours, *LOOPBACK))

    def look() -> None:
        if re.sub(r":[0-9]+$", "", request.host).lower() not in hosts:
            raise SecurityError("another host")

    return look


def _form_token() -> str:
    """The nonce of a form; its cookie outlives the browser, as a board in a tab does."""
    session.permanent = True
    return cast(str, generate_csrf())


def _bound() -> None:
    limit = UPLOAD_BYTES + AROUND if request.endpoint in UPLOADS else FORM_BYTES
    request.max_content_length = request.max_form_memory_size = limit
