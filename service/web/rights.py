"""Who is here, and what they may: the cookies of players, seats and the operator."""

from __future__ import annotations

import hashlib
import hmac
from typing import cast
from urllib.parse import urlsplit

from flask import Flask, abort, g, request, session
from flask_wtf import CSRFProtect
from flask_wtf.csrf import generate_csrf
from werkzeug.wrappers import Response

from service import sessions
from service.sessions import PlayerSession, SeatSession
from service.settings import Settings
from service.web.frame import now, site, speak

PLAYER, SEAT, OPERATOR = "player", "seat", "operator"
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
FORM_BYTES = 65_536
UPLOAD_BYTES = 1_048_576
"""The largest log that Verify takes."""
AROUND = 16_384
"""What a form may hold beside the log."""


def guard(app: Flask, settings: Settings, key: bytes) -> None:
    """Bounds what is read and says whose requests are believed."""
    app.config.update(
        SECRET_KEY=key,
        TRUSTED_HOSTS=[urlsplit(settings.base_url).hostname, *LOOPBACK],
        MAX_FORM_PARTS=100,
        SESSION_COOKIE_NAME="form",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure,
        WTF_CSRF_TIME_LIMIT=None,
        PERMANENT_SESSION_LIFETIME=sessions.PLAYER_DAYS * sessions.DAY,
    )
    app.before_request(_bound)
    app.before_request(_recognise)
    CSRFProtect(app)
    app.jinja_env.globals["csrf_token"] = _form_token


def _form_token() -> str:
    """The nonce of a form; its cookie outlives the browser, as a board in a tab does."""
    session.permanent = True
    return cast(str, generate_csrf())


def _bound() -> None:
    limit = UPLOAD_BYTES + AROUND if request.endpoint == "verify.check" else FORM_BYTES
    request.max_content_length = request.max_form_memory_size = limit


def _recognise() -> None:
    if request.endpoint != "static":
        g.operator = is_operator()
        visitor()


def visitor() -> PlayerSession | None:
    """The player who came in by a mail, if any; the answer is then in their language."""
    if "visitor" not in g:
        g.visitor = _player()
    return cast("PlayerSession | None", g.visitor)


def _player() -> PlayerSession | None:
    cookie = request.cookies.get(PLAYER)
    if cookie is None:
        return None
    with site().db.read() as conn:
        found = sessions.find_player(conn, cookie, now())
    if found:
        speak(found.language)
    return found


def seat_session(match: str) -> SeatSession | None:
    """The seat of this match that this browser may see, after a turn sent from it."""
    cookie = request.cookies.get(SEAT)
    if cookie is None:
        return None
    with site().db.read() as conn:
        return sessions.find_seat(conn, match, cookie, now())


def give_player(response: Response, cookie: str) -> Response:
    """Lets this browser in as a player."""
    return _give(response, PLAYER, cookie, "/")


def give_seat(response: Response, cookie: str, match: str) -> Response:
    """Lets this browser see one seat of one match."""
    return _give(response, SEAT, cookie, f"/m/{match}")


def give_operator(response: Response) -> Response:
    """Lets this browser read the mailbox for this run of the service."""
    return _give(response, OPERATOR, _operator_cookie() or "", "/")


def _give(response: Response, name: str, value: str, path: str) -> Response:
    secure = site().settings.secure
    kept = None if name == OPERATOR else sessions.PLAYER_DAYS * sessions.DAY
    response.set_cookie(
        name, value, max_age=kept, path=path, secure=secure, httponly=True, samesite="Lax"
    )
    return response


def check_operator(token: str) -> None:
    """404 unless this is the operator's link of this run."""
    mine = _operator_token()
    if mine is None or not hmac.compare_digest(token.encode(), mine.encode()):
        abort(404)


def is_operator() -> bool:
    """Whether this browser came in by the operator's link of this run."""
    mine, theirs = _operator_cookie(), request.cookies.get(OPERATOR, "")
    return mine is not None and hmac.compare_digest(theirs.encode(), mine.encode())


def require_operator() -> None:
    """404 for everybody else: the mailbox shows the links of all players."""
    if not is_operator():
        abort(404)


def _operator_token() -> str | None:
    settings = site().settings
    token = settings.operator_token if settings.embedded else None
    return token.get_secret_value() if token else None


def _operator_cookie() -> str | None:
    token = _operator_token()
    return hashlib.sha256(f"operator {token}".encode()).hexdigest() if token else None
