"""Beside a match: what its players write to each other, and what each keeps in mind alone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from service import messages, notes
from service.errors import BadForm, TooMany, Unavailable
from service.language import moment
from service.messages import Message
from service.web import asked, cookies
from service.web.match.loaded import Loaded, load
from service.web.match.rights import Rights, rights_of_visitor
from service.web.request import _, field, language, long_field, now, number, site
from service.web.response import render

pages = Blueprint("talk", __name__, url_prefix="/m")
FEW = 5
"""Messages on the page of the match."""
PAGE = 50


@dataclass(frozen=True)
class Said:
    """A message as its reader sees it."""

    id: int
    name: str
    own: bool
    text: str
    when: str
    reported: bool


@dataclass(frozen=True)
class Other:
    """Somebody else who plays here, and whether the reader wants to read them."""

    seat: int
    name: str
    muted: bool


@dataclass(frozen=True)
class Talk:
    """What a player finds beside a match."""

    said: tuple[Said, ...]
    """The newest last."""
    older: int | None
    """The message before which there are others."""
    note: str
    heard: bool
    """Whether another person plays, who could read a message."""
    unheard: int
    """Messages that the reader had not been shown."""


def beside(found: Loaded, rights: Rights) -> Talk | None:
    """What stands below the board for whoever came in for a seat, and for nobody else."""
    return _talk(found, _player(found, rights), FEW) if rights.writes else None


@pages.get("/<match>/messages")
def read(match: str) -> Response:
    found, player = _seated(match)
    return _page(found, player)


@pages.post("/<match>/messages")
def send(match: str) -> Response:
    found, player = _seated(match)
    text = long_field("text")
    try:
        messages.send(site(), match=match, player=player, text=text, now=now())
    except BadForm as error:
        return _page(found, player, text, _problem(error), 422)
    except TooMany as error:
        response = _page(found, player, text, _(error.sentence, **error.values), 429)
        response.headers["Retry-After"] = str(error.seconds)
        return response
    return _at(match, "messages")


@pages.post("/<match>/messages/delete")
def delete(match: str) -> Response:
    _found, player = _seated(match)
    messages.delete(site().db, match, player, _id())
    return _back(match)


@pages.post("/<match>/messages/report")
def report(match: str) -> Response:
    _seated(match)
    messages.report(site().db, match, _id(), now())
    return _back(match)


@pages.post("/<match>/messages/mute")
def mute(match: str) -> Response:
    found, player = _seated(match)
    others = (one.player for one in found.people if one.number == number("seat"))
    other = next(others, None)
    if other is None or other == player:
        abort(422)
    messages.mute(site().db, player, other, quiet="quiet" in request.form)
    return _back(match)


@pages.post("/<match>/note")
def note(match: str) -> Response:
    found, player = _seated(match)
    if "text" not in request.form:
        abort(422)
    try:
        notes.keep(site().db, player, match, long_field("text"), now())
    except BadForm as error:
        return render(
            "note.html", 422, found=found.row, note=long_field("text"), problem=_problem(error)
        )
    return _at(match, "note")


def _seated(match: str) -> tuple[Loaded, int]:
    """The match, and the player whose seat this browser came in for. 403 for anybody else."""
    found = load(match)
    rights = rights_of_visitor(found)
    return (found, _player(found, rights)) if rights.writes else abort(403)


def _player(found: Loaded, rights: Rights) -> int:
    players = (one.player for one in found.people if one.number == rights.viewer)
    return cast(int, next(players))


def _talk(found: Loaded, player: int, most: int, before: int | None = None) -> Talk:
    with site().db.read() as conn:
        newest = messages.some(conn, found.row.id, player, limit=most + 1, before=before)
        note = notes.read(conn, player, found.row.id)
        unheard = messages.unheard(conn, player, [found.row.id])
    if newest and before is None:
        with suppress(Unavailable):
            messages.heard(site().db, found.row.id, player, newest[0].id)
    said = tuple(_said(one, player) for one in newest[:most][::-1])
    heard = any(one.player != player and one.address for one in found.people)
    return Talk(
        said, said[0].id if len(newest) > most else None, note, heard, sum(unheard.values())
    )


def _page(
    found: Loaded, player: int, text: str = "", problem: str = "", status: int = 200
) -> Response:
    before = asked.place("before", usual=0) or None
    return render(
        "messages.html",
        status,
        match=found.row,
        talk=_talk(found, player, PAGE, before),
        others=_others(found, player),
        text=text,
        problem=problem,
        most=messages.LENGTH,
    )


def _others(found: Loaded, player: int) -> tuple[Other, ...]:
    with site().db.read() as conn:
        muted = messages.muted(conn, player)
    return tuple(
        Other(one.number or 0, one.name, one.player in muted)
        for one in found.people
        if one.player not in (None, player)
    )


def _said(one: Message, player: int) -> Said:
    visitor = cookies.visitor()
    zone = visitor.zone if visitor else site().settings.zone
    when = moment(one.created, zone, language())
    return Said(one.id, one.name, one.player == player, one.text, when, one.reported is not None)


def _id() -> int:
    return number("message")


def _problem(error: BadForm) -> str:
    fault = error.faults[0]
    return _(fault.sentence, **fault.values)


def _back(match: str) -> Response:
    return redirect(url_for("talk.read", match=match), 303)


def _at(match: str, place: str) -> Response:
    """The page of the match at a place of it, with the draft of a turn."""
    line = field("line") or None
    return redirect(url_for("match.match", match=match, line=line, _anchor=place), 303)
