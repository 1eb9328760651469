"""A turn by the link of its mail: GET shows the board, POST plays the line chosen in the form."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from service import links, matches, play, sessions
from service.links import LinkRow
from service.play import Receipt
from service.web import cookies
from service.web.match import page, turns
from service.web.match.loaded import Loaded, load
from service.web.match.rights import Rights, rights_of_visitor
from service.web.request import now, number, site, speak

pages = Blueprint("turn", __name__)


@pages.get("/t/<token>")
def turn(token: str) -> Response:
    link = _link(token)
    found = load(_match(link))
    return page.show(found, _rights(found, link, token), typed=page.draft())


@pages.post("/t/<token>")
def send(token: str) -> Response:
    link = _link(token)
    found = load(_match(link))
    page.remember(_rights(found, link, token))
    if "look" in request.form:
        return redirect(url_for("turn.turn", token=token, line=page.draft()), 303)
    receipt = play.submit(
        site(),
        match=found.row.id,
        seat=link.seat or 0,
        line=page.draft(),
        wait=link.wait or 0,
        on=number("on"),
        via="link",
        now=now(),
    )
    return _let_in(page.sent(receipt), link, receipt)


def _link(token: str) -> LinkRow:
    with site().db.read() as conn:
        return links.find(conn, "w", token)


def _match(link: LinkRow) -> str:
    return link.match or ""


def _rights(found: Loaded, link: LinkRow, token: str) -> Rights:
    """The seat's rights as long as its turn lasts; then anybody's, with the old link."""
    if not cookies.visitor():
        speak(_language(found, link))
    if link.live(now()) and matches.turn(found.position) == (link.seat, link.wait):
        return Rights(found.row.id, link.seat or 0, url_for("turn.send", token=token))
    return rights_of_visitor(found, token)


def _language(found: Loaded, link: LinkRow) -> str:
    return next((one.language for one in found.people if one.number == link.seat), "")


def _let_in(response: Response, link: LinkRow, receipt: Receipt) -> Response:
    """Shows the seat to this browser until its next turn begins, unless it has begun already."""
    found, seat = load(receipt.match), link.seat or 0
    goes_on = matches.mover(found.position) == seat
    if receipt.again and (goes_on or turns.newest(found, seat) != receipt.record):
        return response
    wait = found.position.wait if goes_on else link.wait or 0
    with site().db.write() as conn:
        cookie = sessions.start_seat(conn, receipt.match, seat, wait, now())
    return cookies.give_seat(response, cookie, receipt.match)
