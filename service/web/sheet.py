"""The page of a match for whoever stands before it; errors find their way back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from games.core.rules import BYSTANDER, Viewer
from games.log.record import ActKind, Move
from games.position import Phase, Position
from service import matches
from service.play import Receipt
from service.web import rights, table
from service.web.desk import Desk, desk
from service.web.frame import _, field, page, site
from service.web.gather import Gathered, gather

ACTS: tuple[ActKind, ...] = (
    "resign",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "offer-void",
    "accept-void",
)
"""What a player may do on the page beside sending turns."""


@dataclass(frozen=True)
class Place:
    """Where a reader stands before a match: what they may see, and what they may do."""

    match: str
    viewer: Viewer
    action: str = ""
    """Where their turns are sent to; empty if they may send none."""
    acts: bool = False
    """Whether they came in as a player, who may resign and offer."""
    token: str = ""
    """Of the link they came by, if its turn is over: it asks for a new one."""


@dataclass(frozen=True)
class Slip:
    """The receipt of a turn: its record, and the signed head as far as it is there."""

    n: int
    line: str
    note: str | None


def stand(place: Place) -> Place:
    """Remembers the place of this request, for an error to return to."""
    g.place = place
    return place


def stands() -> bool:
    """Whether this request is about a match that a page can be shown of."""
    return "place" in g


def again(status: int, *, refused: str = "", news: str = "") -> Response:
    """The page of this request once more, with the draft and with what was wrong."""
    place = cast(Place, g.place)
    found = gather(place.match)
    return show(found, place, typed=draft(), refused=refused, news=news, status=status)


def game() -> str:
    """The game of the match that this request is about."""
    return gather(cast(Place, g.place).match).row.game


def draft() -> str:
    """The turn line in the form or in the address."""
    return field("line") or field("line", request.args)


def sent(receipt: Receipt) -> Answer:
    """Leads to the match with the receipt; what was handed back comes along as a draft."""
    rest = receipt.rest or None
    here = url_for("match.match", match=receipt.match, sent=receipt.record, line=rest)
    return redirect(here, 303)


def show(
    found: Gathered,
    place: Place,
    *,
    typed: str = "",
    refused: str = "",
    news: str = "",
    status: int = 200,
) -> Response:
    """The page: the board with what can be chosen, if the reader is to move and may.

    `refused` says why the typed line cannot be played, `news` what else is to be known first.
    """
    own = _desk(found, place, typed, refused)
    return page(
        "match.html",
        status,
        table=table.lay(found, place.viewer, own.board if own else None),
        place=place,
        desk=own,
        news=news or _news(found, place),
        acts=_acts(found.position, place),
        may_cancel=_may_cancel(found),
        slip=_slip(found, place.viewer),
    )


def _desk(found: Gathered, place: Place, typed: str, refused: str) -> Desk | None:
    mover = matches.mover(found.position)
    if not place.action or mover is None or mover != place.viewer:
        return None
    return desk(found, mover, place.action, typed, refused)


def _news(found: Gathered, place: Place) -> str:
    if place.token:
        return _(
            "The turn that this link was for is over. You see the match as everybody can see it."
        )
    slip = _slip(found, place.viewer)
    if slip is None or request.args.get("sent") != str(slip.n):
        return ""
    sent = _("Your turn %(line)s was accepted as record %(n)s.", line=slip.line, n=slip.n)
    rest = _("Not played, because your turn ended before it: %(line)s", line=draft())
    return f"{sent} {rest}" if draft() else sent


def _slip(found: Gathered, viewer: Viewer) -> Slip | None:
    """The receipt of the reader's own last turn."""
    n = newest_turn(found, viewer)
    if n is None:
        return None
    body = found.steps[n][0].body
    assert isinstance(body, Move)
    return Slip(n, body.mv, site().signer.note(found.row.id, n + 1))


def newest_turn(found: Gathered, viewer: Viewer) -> int | None:
    """The record of the newest turn line of a seat."""
    bodies = ((record.n, record.body) for record, _after in reversed(found.steps))
    own = (n for n, body in bodies if isinstance(body, Move) and body.seat == viewer)
    return next(own, None)


def _acts(position: Position, place: Place) -> tuple[tuple[ActKind, str], ...]:
    """What a player may do beside moving, as the offers stand."""
    if not place.acts or position.phase is not Phase.RUNNING or place.viewer == BYSTANDER:
        return ()
    resign: tuple[ActKind, str] = ("resign", _("Resign: the match is lost"))
    if position.offer is None:
        return (
            ("offer-draw", _("Offer a draw")),
            ("offer-void", _("Propose to declare the match void")),
            resign,
        )
    if place.viewer in position.offer.agreed:
        return (resign,)
    if position.offer.kind == "draw":
        return (
            ("accept-draw", _("Accept the draw")),
            ("decline-draw", _("Decline the draw")),
            resign,
        )
    return (("accept-void", _("Agree: the match is void")), resign)


def _may_cancel(found: Gathered) -> bool:
    visitor = rights.visitor()
    joining = found.position.phase is Phase.JOINING
    return joining and visitor is not None and visitor.player == found.row.opener
