"""Whose request a request to the API is: the token in its header, never a cookie."""

from __future__ import annotations

from flask import request

from service import tokens
from service.errors import BadLink
from service.tokens import Bearer
from service.web.api.problems import Refused
from service.web.match.loaded import Loaded
from service.web.request import now, site, speak


def bearer(*, plays: bool) -> Bearer:
    """Who asks, in their language from now on. Raises Refused, or TooMany."""
    given = request.authorization
    if given is None or given.type != "bearer" or not given.token:
        raise Refused("unauthorized")
    try:
        found = tokens.use(site().db, "api", given.token, now())
    except BadLink:
        raise Refused("unauthorized") from None
    speak(found.language)
    if plays and not found.plays:
        raise Refused("read-only")
    return found


def seat_of(found: Loaded, who: Bearer) -> int:
    """The seat that somebody holds in a match. Raises Refused for whoever does not play there, and
    before the seats are drawn."""
    seat = found.seat_of(who.player)
    if seat is None:
        plays = any(one.player == who.player for one in found.people)
        raise Refused("not-now" if plays else "not-a-player")
    return seat
