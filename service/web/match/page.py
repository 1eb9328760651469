"""The page of a match for whoever stands before it; errors find their way back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from games.core.rules import Viewer
from games.log.record import Move
from games.position import Phase
from service import finished, matches, tale
from service.language import listed
from service.play import Receipt
from service.web import cookies, mine
from service.web.match import acts, choosing, talk, turns, view
from service.web.match.choosing import Choosing
from service.web.match.loaded import Loaded, load
from service.web.match.rights import Rights
from service.web.request import _, field, language, site
from service.web.response import render


@dataclass(frozen=True)
class Slip:
    """The receipt of a turn: its record, and the signed head as far as it is there."""

    n: int
    line: str
    note: str | None


def remember(rights: Rights) -> Rights:
    """Keeps the rights of this request, for an error to return to the page."""
    g.rights = rights
    return rights


def remembers() -> bool:
    """Whether this request is about a match that a page can be shown of."""
    return "rights" in g


def again(status: int, *, refused: str = "", news: str = "") -> Response:
    """The page of this request once more, with the draft and with what was wrong."""
    rights = cast(Rights, g.rights)
    found = load(rights.match)
    return show(found, rights, typed=draft(), refused=refused, news=news, status=status)


def game() -> str:
    """The game of the match that this request is about."""
    return load(cast(Rights, g.rights).match).row.game


def draft() -> str:
    """The turn line in the form or in the address."""
    return field("line") or field("line", request.args)


def sent(receipt: Receipt) -> Response:
    """Leads to the match with the receipt; what was handed back comes along as a draft."""
    rest = receipt.rest or None
    here = url_for("match.match", match=receipt.match, sent=receipt.record, line=rest)
    return redirect(here, 303)


def show(
    found: Loaded,
    rights: Rights,
    *,
    typed: str = "",
    refused: str = "",
    news: str = "",
    status: int = 200,
) -> Response:
    """The page: the board with what can be chosen, if the reader is to move and may.

    `refused` says why the typed line cannot be played, `news` what else is to be known first.
    """
    own, slip = _choosing(found, rights, typed, refused), _slip(found, rights.viewer)
    return render(
        "match.html",
        status,
        shown=view.show(found, rights.viewer, own.board if own else None),
        unreached=rights.acts and rights.viewer in found.unreached,
        unfound=_unfound(found),
        rights=rights,
        choosing=own,
        news=news or _news(rights, slip),
        **_open_to(found, rights),
        between=_between(found, rights),
        variants=_variants(found),
        slip=slip,
        **_talk(found, rights),
        further=None if own or not rights.acts else mine.next_turn(),
    )


def _open_to(found: Loaded, rights: Rights) -> dict[str, object]:
    """What can be done in the match beside sending a turn."""
    over = found.row.started and found.position.phase is Phase.CLOSED
    return {
        "acts": acts.open_to(rights, found.position, found.clocks),
        "may_cancel": _may_cancel(found),
        "may_rematch": rights.acts and over,
        "free_place": _free_place(found),
    }


def _choosing(found: Loaded, rights: Rights, typed: str, refused: str) -> Choosing | None:
    mover = matches.mover(found.position)
    if not rights.action or mover is None or mover != rights.viewer:
        return None
    return choosing.offer(found, mover, rights.action, typed, refused)


def _news(rights: Rights, slip: Slip | None) -> str:
    if rights.token:
        return _(
            "The turn that this link was for is over. You see the match as everybody can see it."
        )
    if slip is None or request.args.get("sent") != str(slip.n):
        return ""
    sent = _("Your turn %(line)s was accepted as record %(n)s.", line=slip.line, n=slip.n)
    rest = _("Not played, because your turn ended before it: %(line)s", line=draft())
    return f"{sent} {rest}" if draft() else sent


def _slip(found: Loaded, viewer: Viewer) -> Slip | None:
    """The receipt of the reader's own last turn."""
    n = turns.newest(found, viewer)
    if n is None:
        return None
    body = found.passed[n][0].body
    assert isinstance(body, Move)
    return Slip(n, body.mv, site().signer.note(found.row.id, n + 1))


def _may_cancel(found: Loaded) -> bool:
    visitor = cookies.visitor()
    joining = found.position.phase is Phase.JOINING
    return joining and visitor is not None and visitor.player == found.row.opener


def _unfound(found: Loaded) -> str:
    """What the opener is told of guests who do not know that they are invited."""
    if not _may_cancel(found) or not found.unfound:
        return ""
    guests = listed([name or _("somebody") for name in found.unfound], language())
    return _(
        "Our invitation does not reach %(guests)s. If the address is wrong, call this match off "
        "and start a new one.",
        guests=guests,
    )


def _free_place(found: Loaded) -> str:
    """The address at which anybody may take a place of this match; "" if none is free."""
    if found.position.phase is not Phase.JOINING or not any(one.free for one in found.people):
        return ""
    return site().settings.base_url + url_for("places.place", match=found.row.id)


def _talk(found: Loaded, rights: Rights) -> dict[str, object]:
    """What the players write, and how much of it is new."""
    beside = talk.beside(found, rights)
    return {"talk": beside, "unheard": mine.told(beside.unheard) if beside else ""}


def _between(found: Loaded, rights: Rights) -> str:
    """How the matches of two have ended so far, for one of them."""
    if not rights.acts or len(found.people) != turns.TWO:
        return ""
    own, other = sorted(found.people, key=lambda one: one.number != rights.viewer)
    if own.player is None or other.player is None:
        return ""
    with site().db.read() as conn:
        won, lost, drawn = finished.between(conn, own.player, other.player)
    if not won + lost + drawn:
        return ""
    return _(
        "Your finished matches against %(name)s: %(won)s won, %(lost)s lost, %(drawn)s drawn.",
        name=other.name,
        won=won,
        lost=lost,
        drawn=drawn,
    )


def _variants(found: Loaded) -> list[tuple[str, str]]:
    opened = found.position.opened
    return tale.unusual(opened.game, opened.seats, dict(opened.options), language())
