"""The lobby: matches with free places, how one is taken, and the rematch of a finished match."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response

from games.log.record import Open
from games.registry import vocabulary
from service import clock, pace, places, records, rematch, shelf, tale
from service.errors import BadForm, Full
from service.language import day
from service.links import token
from service.opening import Taking
from service.places import Row
from service.web import asked, cookies, games
from service.web.match.loaded import Loaded, load
from service.web.notice import mailed
from service.web.request import _, field, language, now, site
from service.web.response import public, render
from service.web.start import Problems, problems

pages = Blueprint("places", __name__)

PAGE = 30
Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Offer:
    """A match of the lobby."""

    match: str
    game: str
    host: str
    free: int
    facts: Facts
    day: str


@pages.get("/lobby")
def lobby() -> Response:
    with site().db.read() as conn:
        last = max(1, -(-places.count(conn) // PAGE))
        page = asked.place("page", last)
        rows = places.offered(conn, PAGE, PAGE * (page - 1))
        found = [_offer(row, records.position(site(), conn, row[0].id).opened) for row in rows]
    return public(render("lobby.html", offers=found, page=page, last=last))


def newest(most: int) -> list[Offer]:
    """The newest matches of the lobby."""
    with site().db.read() as conn:
        rows = places.offered(conn, most)
        return [_offer(row, records.position(site(), conn, row[0].id).opened) for row in rows]


@pages.get("/m/<match>/place")
def place(match: str) -> Response:
    found = _waiting(match)
    visitor = cookies.visitor()
    if visitor and any(one.player == visitor.player for one in found.people):
        return redirect(url_for("match.match", match=match))
    name, address = (visitor.name, visitor.address) if visitor else ("", "")
    nonce = secrets.token_urlsafe(16)
    draft = Taking(nonce, match, name, address, language(), site().settings.zone)
    return _form(found, draft, {})


@pages.post("/m/<match>/place")
def take(match: str) -> Response:
    found, visitor = _waiting(match), cookies.visitor()
    form = Taking(
        nonce=field("nonce"),
        place=match,
        name=field("name"),
        address=visitor.address if visitor else field("address"),
        language=language(),
        zone=site().settings.zone,
        words=field("words"),
    )
    try:
        if visitor:
            places.take(site(), visitor.player, form, now())
            return redirect(url_for("match.match", match=match), 303)
        places.ask(site(), form, now())
    except BadForm as error:
        return _form(found, form, problems(error), 422)
    sentence = _(
        "A mail is on its way to you. Open its link and confirm: then the place is yours, if "
        "nobody was faster. The link is good for a day."
    )
    return mailed(sentence)


@pages.post("/m/<match>/rematch")
def again(match: str) -> Response:
    visitor = cookies.visitor()
    if visitor is None:
        abort(403)
    new = rematch.rematch(site(), visitor.player, match, now())
    own = next((one for one in load(new).people if one.player == visitor.player), None)
    return redirect(url_for("match.match", match=new) if own else _invitation(new), 303)


def _invitation(match: str) -> str:
    """Where the player answers the invitation of a rematch that another has opened."""
    visitor = cookies.visitor()
    assert visitor is not None
    seats = (one for one in load(match).people if one.address == visitor.address)
    with site().db.read() as conn:
        links = [shelf.invitation(conn, seat.id, now()) for seat in seats]
    if links and links[0]:
        return url_for("lobby.invitation", token=token(site().keys.link, "i", links[0]))
    return url_for("match.match", match=match)


def _waiting(match: str) -> Loaded:
    """A match with a free place. Raises Full or NoMatch."""
    found = load(match)
    if not any(one.free for one in found.people):
        raise Full
    return found


def _form(found: Loaded, draft: Taking, faults: Problems, status: int = 200) -> Response:
    opened = found.position.opened
    return render(
        "place.html",
        status,
        match=found.row,
        draft=draft,
        problems=faults,
        host=found.people[0].name,
        game=games.game(opened.game),
        facts=facts(found),
    )


def facts(found: Loaded) -> Facts:
    """How much time there is, and what was agreed on beside what is usual."""
    opened = found.position.opened
    unusual = tale.unusual(opened.game, opened.seats, dict(opened.options), language())
    return [(_("Time to think"), pace.told(found.clocks.control, language())), *unusual]


def _offer(row: Row, opened: Open) -> Offer:
    match, people = row
    return Offer(
        match=match.id,
        game=vocabulary(match.game).NAME[language()],
        host=people[0].name,
        free=sum(seat.free for seat in people),
        facts=[
            (_("Time to think"), pace.told(clock.parse(opened.clock), language())),
            *tale.unusual(opened.game, opened.seats, dict(opened.options), language()),
        ],
        day=day(match.created, site().settings.zone, language()),
    )
