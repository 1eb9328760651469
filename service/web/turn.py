"""A turn by the link of its mail: GET shows the board, POST plays the line chosen in the form."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from service import links, matches, play
from service.links import TurnLink
from service.web import cookies
from service.web.match import page
from service.web.match.loaded import Loaded, load
from service.web.match.rights import Rights, rights_of_visitor
from service.web.request import now, number, site, speak

pages = Blueprint("turn", __name__)


@pages.get("/t/<token>")
def turn(token: str) -> Response:
    link = _link(token)
    found = load(link.match)
    return page.show(found, _rights(found, link, token), typed=page.draft())


@pages.post("/t/<token>")
def send(token: str) -> Response:
    link = _link(token)
    found = load(link.match)
    page.remember(_rights(found, link, token))
    if "look" in request.form:
        return redirect(url_for("turn.turn", token=token, line=page.draft()), 303)
    receipt = play.submit(
        site(),
        match=link.match,
        seat=link.seat,
        line=page.draft(),
        wait=link.wait,
        on=number("on"),
        via="link",
        now=now(),
        session=True,
    )
    response = page.sent(receipt)
    if receipt.session:
        cookies.give_seat(response, receipt.session, link.match)
    return response


def _link(token: str) -> TurnLink:
    with site().db.read() as conn:
        return links.turn(conn, token)


def _rights(found: Loaded, link: TurnLink, token: str) -> Rights:
    """The seat's rights as long as its turn lasts; then anybody's, with the old link."""
    if not cookies.visitor():
        speak(_language(found, link))
    if link.live(now()) and matches.turn(found.position) == (link.seat, link.wait):
        own = rights_of_visitor(found)
        writes = own.writes and own.viewer == link.seat
        return Rights(link.match, link.seat, url_for("turn.send", token=token), writes=writes)
    return rights_of_visitor(found, token)


def _language(found: Loaded, link: TurnLink) -> str:
    return next((one.language for one in found.people if one.number == link.seat), "")
