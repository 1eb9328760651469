"""What programs can ask: each operation with its address, its shapes and what answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from flask import Blueprint, request
from pydantic import TypeAdapter
from werkzeug.wrappers import Response

from service.language import N_
from service.web.api import calls, problems
from service.web.api.bearer import bearer
from service.web.api.shapes import (
    Choices,
    Code,
    Draft,
    Matches,
    Me,
    Receipt,
    SentAct,
    SentTurn,
    State,
    Wish,
)
from service.web.request import language


@dataclass(frozen=True)
class Operation:
    """Something that a program can ask for."""

    id: str
    method: Literal["GET", "POST"]
    path: str
    summary: str
    answer: type
    run: Callable[..., object]
    query: type | None = None
    body: type | None = None
    problems: tuple[Code, ...] = ()
    """Beside those that every operation knows."""

    @property
    def plays(self) -> bool:
        """Whether it may change a match."""
        return self.method == "POST"


ALWAYS: tuple[Code, ...] = ("unauthorized", "too-many", "internal", "unavailable")
_SEATED: tuple[Code, ...] = ("not-found", "not-a-player", "not-now")
_SENT: tuple[Code, ...] = (
    *_SEATED,
    "read-only",
    "malformed",
    "not-json",
    "too-large",
    "invalid",
    "stale",
    "too-late",
    "unsigned",
)
_LINES: tuple[Code, ...] = ("malformed-move", "illegal-move", "not-held", "not-your-turn")
OPERATIONS = (
    Operation("me", "GET", "/api/me", N_("Whose token this is"), Me, calls.me),
    Operation(
        "matches",
        "GET",
        "/api/matches",
        N_("Your matches, the last changed first"),
        Matches,
        calls.matches,
        query=Wish,
        problems=("invalid",),
    ),
    Operation(
        "match",
        "GET",
        "/api/matches/{match}",
        N_("A match as you see it: the table, whose turn it is, until when"),
        State,
        calls.match,
        problems=("not-found",),
    ),
    Operation(
        "choices",
        "GET",
        "/api/matches/{match}/choices",
        N_("What can be added to a turn line begun, when it is your turn"),
        Choices,
        calls.choices,
        query=Draft,
        problems=(*_SEATED, "invalid", *_LINES),
    ),
    Operation(
        "turn",
        "POST",
        "/api/matches/{match}/turn",
        N_("Play a turn line; sent again, it gets the same receipt"),
        Receipt,
        calls.turn,
        body=SentTurn,
        problems=(*_SENT, *_LINES),
    ),
    Operation(
        "act",
        "POST",
        "/api/matches/{match}/act",
        N_("Resign, offer, accept or decline"),
        Receipt,
        calls.act,
        body=SentAct,
        problems=_SENT,
    ),
)
pages = Blueprint("api", __name__)


def _answering(operation: Operation) -> Callable[..., Response]:
    """The view of an operation: who asks, what, and the answer as JSON."""

    def answer(**given: Any) -> Response:
        who = bearer(plays=operation.plays)
        if operation.query is not None:
            given["query"] = _reader(operation.query).validate_python(request.args.to_dict())
        if operation.body is not None:
            given["body"] = _body(operation.body)
        return _told(operation, operation.run(who, **given))

    return answer


def _body(shape: type) -> Any:
    if request.mimetype != "application/json":
        raise problems.Refused("not-json")
    return _reader(shape).validate_json(request.get_data(), strict=True)


def _told(operation: Operation, answer: object) -> Response:
    response = Response(
        _reader(operation.answer).dump_json(answer), content_type="application/json"
    )
    response.headers["Content-Language"] = language()
    if not operation.plays:
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["X-Robots-Tag"] = "noindex"
        response.vary.add("Authorization")
        response.add_etag()
        response.make_conditional(request)
    return response


@cache
def _reader(shape: type) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


problems.register(pages)
for one in OPERATIONS:
    rule = one.path.replace("{", "<").replace("}", ">")
    pages.add_url_rule(rule, one.id, _answering(one), methods=[one.method])
