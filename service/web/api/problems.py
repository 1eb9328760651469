"""Errors for programs: problem details (RFC 9457), each with a code that stays the same."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

from flask import Blueprint, request
from pydantic import TypeAdapter, ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from games.core.rules import IllegalMove, NotHeld, RulesError
from games.core.words import put
from games.registry import vocabulary
from service.errors import (
    NoMatch,
    NotNow,
    NotYourTurn,
    Refusal,
    Stale,
    TooLate,
    TooMany,
    Unavailable,
    Unsigned,
)
from service.language import N_
from service.web.api.shapes import Code, Problem, Wrong
from service.web.match.loaded import load
from service.web.request import _, language, site

TYPE = "application/problem+json"
API = "/api/"
"""Below it every answer is for programs."""


@dataclass(frozen=True)
class Kind:
    """A kind of error: its status, and what it means in general."""

    status: int
    title: str


KINDS: dict[Code, Kind] = {
    "malformed": Kind(400, N_("The body is no JSON.")),
    "bad-request": Kind(400, N_("The request cannot be read.")),
    "unauthorized": Kind(401, N_("A token is missing, was made up or has been taken back.")),
    "read-only": Kind(403, N_("This token may only read.")),
    "not-a-player": Kind(403, N_("Only the players of this match may do this.")),
    "not-found": Kind(404, N_("There is nothing at this address.")),
    "method-not-allowed": Kind(405, N_("This address does not work with this method.")),
    "not-your-turn": Kind(409, N_("Another seat is to move.")),
    "stale": Kind(409, N_("The match has moved on.")),
    "too-late": Kind(409, N_("The time of the turn was over.")),
    "not-now": Kind(409, N_("The match does not allow it at this point.")),
    "too-large": Kind(413, N_("The body is too large.")),
    "not-json": Kind(415, N_("The body must be application/json.")),
    "invalid": Kind(422, N_("Something is missing in the request, or cannot be right.")),
    "malformed-move": Kind(422, N_("The line is no move of this game.")),
    "illegal-move": Kind(422, N_("The rules do not allow this move here.")),
    "not-held": Kind(422, N_("The move plays a card that the hand does not hold.")),
    "too-many": Kind(429, N_("Too many requests: wait for the seconds in Retry-After.")),
    "internal": Kind(500, N_("The fault is ours, and it has been noted.")),
    "unavailable": Kind(503, N_("Nothing was saved: send it again soon.")),
    "unsigned": Kind(503, N_("It was saved: send it again for the receipt.")),
}
"""By code, by status."""
_OF_ERRORS: dict[type[Exception], Code] = {
    NoMatch: "not-found",
    NotYourTurn: "not-your-turn",
    Stale: "stale",
    TooLate: "too-late",
    NotNow: "not-now",
    TooMany: "too-many",
    Unavailable: "unavailable",
    Unsigned: "unsigned",
}
_OF_STATUSES: dict[int, Code] = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "not-json",
}
_PROBLEM = TypeAdapter(Problem)


class Refused(ValueError):
    """A request that the API itself refuses, by the code of the problem."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


def register(calls: Blueprint) -> None:
    """Says for each error of the API what answers it."""
    calls.register_error_handler(Refused, _refused)
    calls.register_error_handler(ValidationError, _unread)
    calls.register_error_handler(RulesError, _illegal)
    for error in _OF_ERRORS:
        calls.register_error_handler(error, _said)


def http(error: HTTPException) -> Response:
    """The problem for an error of the protocol."""
    code = _OF_STATUSES.get(error.code or 500, "internal")
    response = problem(code, status=None if code == "internal" else error.code)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def problem(
    code: Code,
    detail: str = "",
    *,
    status: int | None = None,
    fields: list[Wrong] | None = None,
    reason: str | None = None,
) -> Response:
    """The answer for a code; its general sentence if there is none in particular."""
    kind = KINDS[code]
    title = _(kind.title)
    about = f"{site().settings.base_url}/api#{code}"
    told = Problem(about, title, status or kind.status, detail or title, code, fields, reason)
    body = _PROBLEM.dump_json(told, exclude_none=True)
    return Response(body, told.status, content_type=TYPE)


def _refused(error: Refused) -> Response:
    response = problem(error.code)
    if error.code == "unauthorized":
        response.headers["WWW-Authenticate"] = 'Bearer realm="Fernpartie"'
    return response


def _said(error: Refusal) -> Response:
    """What the service refuses, in its own sentence."""
    code = next(_OF_ERRORS[known] for known in type(error).mro() if known in _OF_ERRORS)
    of_pages = isinstance(error, TooMany | Stale)
    response = problem(code, "" if of_pages else _(error.sentence, **error.values))
    if isinstance(error, TooMany):
        response.headers["Retry-After"] = str(error.seconds)
    elif KINDS[code].status == 503:
        response.headers["Retry-After"] = "5"
    return response


def _illegal(error: RulesError) -> Response:
    """Why the rules refuse a line, in the words of its game."""
    found = load(cast(dict[str, str], request.view_args)["match"])
    words = put(vocabulary(found.row.game).WORDS, error.say, language())
    code = next(_MOVES[known] for known in type(error).mro() if known in _MOVES)
    return problem(code, words, reason=error.say.key)


_MOVES: dict[type, Code] = {
    NotHeld: "not-held",
    IllegalMove: "illegal-move",
    RulesError: "malformed-move",
}


def _unread(error: ValidationError) -> Response:
    """Which fields are wrong, without what was in them."""
    found = json.loads(error.json(include_url=False, include_context=False, include_input=False))
    if any(one["type"] == "json_invalid" for one in found):
        return problem("malformed")
    wrong = [Wrong("/".join(map(str, one["loc"])), one["type"]) for one in found]
    return problem("invalid", fields=wrong)
