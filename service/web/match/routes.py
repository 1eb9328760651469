"""A match at its own address: its page, its replay, its log, and what a player does there."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, abort, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from games.core.rules import BYSTANDER
from service import play, records, unstarted
from service.web import asked, cookies
from service.web.match import acts, page, view
from service.web.match import board as boards
from service.web.match import replay as replays
from service.web.match.loaded import load
from service.web.match.look import TURNED, eyes, look
from service.web.match.rights import Rights, rights_of_visitor
from service.web.match.turns import listed
from service.web.request import field, now, number, site
from service.web.response import painted, public, render

pages = Blueprint("match", __name__, url_prefix="/m")


@pages.get("/<match>")
def match(match: str) -> Response:
    found = load(match)
    rights = rights_of_visitor(found)
    response = page.show(found, rights, typed=page.draft())
    return public(response) if rights.viewer == BYSTANDER else response


@pages.post("/<match>")
def send(match: str) -> Response:
    rights = page.remember(rights_of_visitor(load(match)))
    if not rights.action:
        abort(403)
    if "look" in request.form:
        return redirect(url_for("match.match", match=match, line=page.draft()), 303)
    return page.sent(
        play.submit(
            site(),
            match=match,
            seat=cast(int, rights.viewer),
            line=page.draft(),
            wait=number("wait"),
            on=number("on"),
            via="web",
            now=now(),
        )
    )


@pages.post("/<match>/act")
def act(match: str) -> Response:
    rights = _player_at(match)
    kind = field("act")
    if kind not in acts.ACTS:
        abort(422)
    seat = cast(int, rights.viewer)
    on = number("on")
    play.act(site(), match=match, seat=seat, act=kind, on=on, via="web", now=now())
    return redirect(url_for("match.match", match=match), 303)


@pages.post("/<match>/cancel")
def cancel(match: str) -> Response:
    rights, visitor = page.remember(rights_of_visitor(load(match))), cookies.visitor()
    if visitor is None or field("answer") != "yes":
        abort(403 if visitor is None else 422)
    unstarted.cancel(site(), visitor.player, rights.match, now())
    return redirect(url_for("match.match", match=match), 303)


@pages.get("/<match>/replay")
def replay(match: str) -> Response:
    found = load(match)
    own = rights_of_visitor(found).viewer
    seen = look(found, own, asked.one_of("as", eyes(found)), asked.one_of("turned", (TURNED,)))
    stop = replays.stop(found, seen, asked.place("at", first=0, usual=asked.MOST))
    shown = view.show(found, seen.eyes.viewer, board="")
    response = render("replay.html", shown=shown, stop=stop, look=seen)
    return public(response) if own == BYSTANDER else response


@pages.get("/<match>/turns")
def turns(match: str) -> Response:
    """The turn list of a long match, page by page."""
    found = load(match)
    viewer = rights_of_visitor(found).viewer
    shown = view.show(found, viewer, board="")
    wanted = listed(found, asked.place("page"))
    response = render("turns.html", shown=shown, turns=wanted)
    return public(response) if viewer == BYSTANDER else response


@pages.get("/<match>/small.svg")
def small(match: str) -> Response:
    """The board for a list of matches: of the reader's seat, or as everybody sees it."""
    found = load(match)
    viewer = rights_of_visitor(found).viewer
    response = painted(boards.small(found, viewer) or abort(404))
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return response.make_conditional(request)


@pages.get("/<match>.mlog")
def log(match: str) -> Response:
    response = make_response(records.export(site(), match))
    response.headers["Content-Type"] = "text/plain; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=f"{match}.mlog")
    return response


def _player_at(match: str) -> Rights:
    """The rights of a player of this match. 403 for anybody else."""
    rights = page.remember(rights_of_visitor(load(match)))
    if not rights.acts:
        abort(403)
    return rights
