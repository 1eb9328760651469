"""A match at its own address: its page, its replay, its log, and what a player does there."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, abort, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from games.core.rules import BYSTANDER
from service import lobby, matches, play, records
from service.web import replay as replays
from service.web import rights, sheet, table
from service.web.frame import field, now, page, public, site
from service.web.gather import Gathered, gather
from service.web.sheet import Place

pages = Blueprint("match", __name__, url_prefix="/m")


@pages.get("/<match>")
def match(match: str) -> Response:
    found = gather(match)
    place = place_of(found)
    response = sheet.show(found, place, typed=sheet.draft())
    return public(response) if place.viewer == BYSTANDER else response


@pages.post("/<match>")
def send(match: str) -> Answer:
    place = sheet.stand(place_of(gather(match)))
    if not place.action:
        abort(403)
    if "look" in request.form:
        return redirect(url_for("match.match", match=match, line=sheet.draft()), 303)
    return sheet.sent(
        play.submit(
            site(),
            match=match,
            seat=cast(int, place.viewer),
            line=sheet.draft(),
            wait=number("wait"),
            on=number("on"),
            via="web",
            now=now(),
        )
    )


@pages.post("/<match>/act")
def act(match: str) -> Answer:
    place = _player_at(match)
    kind = field("act")
    if kind not in sheet.ACTS:
        abort(422)
    seat = cast(int, place.viewer)
    on = number("on")
    play.act(site(), match=match, seat=seat, act=kind, on=on, via="web", now=now())
    return redirect(url_for("match.match", match=match), 303)


@pages.post("/<match>/cancel")
def cancel(match: str) -> Answer:
    place, visitor = sheet.stand(place_of(gather(match))), rights.visitor()
    if visitor is None or field("answer") != "yes":
        abort(403 if visitor is None else 422)
    lobby.cancel(site(), visitor.player, place.match, now())
    return redirect(url_for("match.match", match=match), 303)


@pages.get("/<match>/replay")
def replay(match: str) -> Response:
    found = gather(match)
    viewer = place_of(found).viewer
    stop = replays.stop(found, viewer, request.args.get("at", ""))
    response = page("replay.html", table=table.lay(found, viewer, board=""), stop=stop)
    return public(response) if viewer == BYSTANDER else response


@pages.get("/<match>.mlog")
def log(match: str) -> Response:
    response = make_response(records.export(site(), match))
    response.headers["Content-Type"] = "text/plain; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=f"{match}.mlog")
    return response


def place_of(found: Gathered, token: str = "") -> Place:
    """A player's place, else that of a seat whose turn was sent from here, else a bystander's.

    A seat whose turn goes on after a chance event may play on from here.
    """
    match, visitor = found.row.id, rights.visitor()
    seat = found.seat_of(visitor.player) if visitor else None
    if seat is not None:
        return Place(match, seat, url_for("match.send", match=match), acts=True)
    session = rights.seat_session(match)
    if session is None:
        return Place(match, BYSTANDER, token=token)
    goes_on = matches.turn(found.position) == (session.seat, session.wait)
    return Place(match, session.seat, url_for("match.send", match=match) if goes_on else "")


def number(name: str) -> int:
    """A number of the form; -1 for anything else, which no record has."""
    text = field(name)
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1


def _player_at(match: str) -> Place:
    """The place of a player of this match. 403 for anybody else."""
    place = sheet.stand(place_of(gather(match)))
    if not place.acts:
        abort(403)
    return place
