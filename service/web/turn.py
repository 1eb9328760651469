"""A turn by the link of its mail: GET shows the board, POST plays the line chosen in the form."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from service import links, matches, play, sessions
from service.links import LinkRow
from service.play import Receipt
from service.web import rights, sheet
from service.web.frame import now, site, speak
from service.web.gather import Gathered, gather
from service.web.match import number, place_of
from service.web.sheet import Place

pages = Blueprint("turn", __name__)


@pages.get("/t/<token>")
def turn(token: str) -> Response:
    link = _link(token)
    found = gather(_match(link))
    return sheet.show(found, _place(found, link, token), typed=sheet.draft())


@pages.post("/t/<token>")
def send(token: str) -> Answer:
    link = _link(token)
    found = gather(_match(link))
    sheet.stand(_place(found, link, token))
    if "look" in request.form:
        return redirect(url_for("turn.turn", token=token, line=sheet.draft()), 303)
    receipt = play.submit(
        site(),
        match=found.row.id,
        seat=link.seat or 0,
        line=sheet.draft(),
        wait=link.wait or 0,
        on=number("on"),
        via="link",
        now=now(),
    )
    return _let_in(sheet.sent(receipt), link, receipt)


def _link(token: str) -> LinkRow:
    with site().db.read() as conn:
        return links.find(conn, "w", token)


def _match(link: LinkRow) -> str:
    return link.match or ""


def _place(found: Gathered, link: LinkRow, token: str) -> Place:
    """The seat's place as long as its turn lasts; then that of anybody, with the old link."""
    if not rights.visitor():
        speak(_language(found, link))
    if link.live(now()) and matches.turn(found.position) == (link.seat, link.wait):
        return Place(found.row.id, link.seat or 0, url_for("turn.send", token=token))
    return place_of(found, token)


def _language(found: Gathered, link: LinkRow) -> str:
    return next((one.language for one in found.people if one.number == link.seat), "")


def _let_in(response: Answer, link: LinkRow, receipt: Receipt) -> Answer:
    """Shows the seat to this browser until its next turn begins, unless it has begun already."""
    found, seat = gather(receipt.match), link.seat or 0
    goes_on = matches.mover(found.position) == seat
    if receipt.again and (goes_on or sheet.newest_turn(found, seat) != receipt.record):
        return response
    wait = found.position.wait if goes_on else link.wait or 0
    with site().db.write() as conn:
        cookie = sessions.start_seat(conn, receipt.match, seat, wait, now())
    return rights.give_seat(response, cookie, receipt.match)
