"""The cookies: who is here, as a player, for a seat or as the operator, and in which language."""

from __future__ import annotations

import hashlib
import hmac
from contextlib import suppress
from typing import cast

from flask import abort, g, request
from werkzeug.wrappers import Response

from games.core.drawing import LANGUAGES
from service import people, sessions
from service.errors import Unavailable
from service.sessions import PlayerSession, SeatSession
from service.web.asked import one_of
from service.web.request import choose, now, site, speak

PLAYER, SEAT, OPERATOR, LANGUAGE = "player", "seat", "operator", "language"
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""What tells a browser; most claim to be those behind them too. The same for systems."""
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def recognise() -> None:
    """Before every page: the operator, and the player with their language. The API knows tokens
    alone, and so do feeds."""
    if request.endpoint != "static" and request.blueprint not in ("api", "feeds"):
        if visitor() is None:
            choose(request.args.get("lang") or request.cookies.get(LANGUAGE, ""))
        g.operator = is_operator()


def understand() -> None:
    """404 for a language that we do not speak, where nobody with an account reads. That is a page
    of ours too, so the host has to be looked at before."""
    if "visitor" in g and g.visitor is None:
        one_of("lang", LANGUAGES)


def remember(response: Response) -> Response:
    """Keeps the language that was chosen just now, in the browser and nowhere else."""
    chosen = g.get("chosen")
    if chosen and request.args.get("lang") == chosen:
        _give(response, LANGUAGE, chosen, "/")
    return response


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
        with suppress(Unavailable):
            sessions.use(site().db, cookie, found, now())
    return found


def own() -> str | None:
    """The cookie of this browser's player session, as it was brought."""
    return request.cookies.get(PLAYER)


def seat_session(match: str) -> SeatSession | None:
    """The seat of this match that this browser may see, after a turn sent from it."""
    cookie = request.cookies.get(SEAT)
    if cookie is None:
        return None
    with site().db.read() as conn:
        return sessions.find_seat(conn, match, cookie, now())


def give_player(response: Response, cookie: str) -> Response:
    """Lets this browser in as a player."""
    if device := _device(request.user_agent.string):
        with suppress(Unavailable):
            sessions.call(site().db, cookie, device)
    return _give(response, PLAYER, cookie, "/")


def forget(player: int) -> bool:
    """Greets whoever has just been deleted as nobody; whether it was they who are here."""
    who = visitor()
    if who is None or who.player != player:
        return False
    g.visitor = None
    return True


def take_player(response: Response) -> Response:
    """Signs this browser out: its session is over, not only forgotten here."""
    with site().db.write() as conn:
        sessions.end(conn, request.cookies.get(PLAYER))
    response.delete_cookie(PLAYER, path="/")
    return response


def _device(agent: str) -> str:
    """Browser and system, as far as a browser says: by their names, which are the same in every
    language."""
    found = (
        next((name for mark, name in names if mark in agent), "") for names in (BROWSERS, SYSTEMS)
    )
    return ", ".join(name for name in found if name)


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
    """Whether this browser came in by the operator's link of this run, or as the player who has
    the operator's address."""
    known, operator = visitor(), site().settings.operator
    if known and operator and people.folded(known.address) == people.folded(operator):
        return True
    mine, theirs = _operator_cookie(), request.cookies.get(OPERATOR, "")
    return mine is not None and hmac.compare_digest(theirs.encode(), mine.encode())


def require_operator() -> None:
    """404 for everybody else: here are addresses of players, and why mails did not reach them."""
    if not is_operator():
        abort(404)


def require_mailbox() -> None:
    """404 for everybody but the operator, and with a relay for them too: the mailboxes show the
    links of all players."""
    if not site().settings.embedded:
        abort(404)
    require_operator()


def _operator_token() -> str | None:
    settings = site().settings
    token = settings.operator_token if settings.embedded else None
    return token.get_secret_value() if token else None


def _operator_cookie() -> str | None:
    token = _operator_token()
    return hashlib.sha256(f"operator {token}".encode()).hexdigest() if token else None
