"""Tokens for programs and addresses of feeds: made, shown once, taken back; and how to use them."""

from __future__ import annotations

import json

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from service import tokens
from service.errors import BadName
from service.language import day
from service.sessions import PlayerSession
from service.tokens import Token
from service.web import cookies
from service.web.api.description import description
from service.web.api.operations import OPERATIONS
from service.web.api.problems import KINDS
from service.web.request import _, field, language, now, number, site
from service.web.response import public, render

pages = Blueprint("programs", __name__)
PURPOSES: tuple[tokens.Purpose, ...] = ("api", "feed")


@pages.get("/api")
def manual() -> Response:
    """How to write a program that plays here."""
    return public(
        render(
            "api.html",
            base=site().settings.base_url,
            operations=[(one.method, one.path, _(one.summary)) for one in OPERATIONS],
            problems=[(code, kind.status, _(kind.title)) for code, kind in KINDS.items()],
        )
    )


@pages.get("/api/openapi.json")
def openapi() -> Response:
    told = json.dumps(description(site().settings.base_url), ensure_ascii=False, indent=1)
    response = Response(told, content_type="application/json")
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    return response.make_conditional(request)


@pages.get("/account/programs")
def programs() -> Response:
    return _shown(_player())


@pages.post("/account/programs")
def make() -> Response:
    """A new token or feed. The answer is the one page that ever shows it."""
    player = _player()
    purpose = next((one for one in PURPOSES if one == field("purpose")), None) or abort(422)
    plays = purpose == "api" and field("plays") == "yes"
    try:
        token = tokens.make(
            site().db, player.player, purpose, field("name"), now=now(), plays=plays
        )
    except BadName as error:
        return _shown(player, problem=(purpose, _(error.sentence, **error.values)))
    return _shown(player, made=(purpose, token))


@pages.post("/account/programs/revoke")
def revoke() -> Response:
    tokens.revoke(site().db, _player().player, number("token"))
    return redirect(url_for("programs.programs"), 303)


def _shown(
    player: PlayerSession, *, made: tuple[str, str] = ("", ""), problem: tuple[str, str] = ("", "")
) -> Response:
    mine = tokens.of_player(site().db, player.player)
    return render(
        "programs.html",
        422 if problem[1] else 200,
        kept={one: [_told(token) for token in mine if token.purpose == one] for one in PURPOSES},
        made=made,
        problem=problem,
        name=field("name") if problem[1] else "",
        base=site().settings.base_url,
    )


def _told(token: Token) -> dict[str, object]:
    """A token as a line of the list."""
    zone = _player().zone
    may = _("reads and plays") if token.plays else _("reads")
    used = day(token.used, "UTC", language()) if token.used is not None else _("never")
    return {
        "id": token.id,
        "name": token.name,
        "may": may,
        "made": day(token.created, zone, language()),
        "used": used,
    }


def _player() -> PlayerSession:
    """Who is signed in. 403 for anybody else: a link to one turn makes no tokens."""
    return cookies.visitor() or abort(403)
