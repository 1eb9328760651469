"""My matches: what waits for the player first, each with a small board; and the way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from games import registry
from games.registry import vocabulary
from service import access, links, messages, shelf, tale
from service.errors import BadAddress
from service.language import N_, day, listed, moment, ngettext, within
from service.people import folded
from service.sessions import PlayerSession
from service.shelf import Group, Kept, Wanted
from service.web import asked, cookies, games
from service.web.notice import mailed
from service.web.request import _, field, language, now, site
from service.web.response import render

pages = Blueprint("mine", __name__)

FIRST = 12
"""Of each group on the first page."""
PAGE = 24
URGENT = 86_400


@dataclass(frozen=True)
class Card:
    """A match in the list: where it leads, against whom, and what is to be known of it."""

    match: str
    game: str
    href: str
    people: str
    picture: str
    note: str
    """Until when, or how it ended."""
    more: str
    """In how long that is, or who is to move."""
    urgent: bool
    unheard: str
    """That there are messages which the player has not seen, if there are."""


@dataclass(frozen=True)
class Section:
    """A group of matches, as far as this page shows it."""

    group: Group
    title: str
    count: int
    cards: tuple[Card, ...]


@pages.get("/matches")
def dashboard() -> Response:
    visitor = cookies.visitor()
    if visitor is None:
        return render("sign_in.html", problem="")
    wanted = _wanted(visitor)
    with site().db.read() as conn:
        counts = shelf.counts(conn, wanted)
        kept = {group: shelf.some(conn, wanted, group, FIRST) for group in shelf.GROUPS}
        unheard = _unheard(conn, visitor, [one for some in kept.values() for one in some])
    return render(
        "mine.html",
        sections=[
            _section(group, counts[group], kept[group], visitor, unheard) for group in shelf.GROUPS
        ],
        total=sum(counts.values()),
        games=games.offered(),
        wanted=wanted,
    )


@pages.get("/matches/<group>")
def group(group: str) -> Response:
    visitor = cookies.visitor()
    if visitor is None:
        return redirect(url_for("mine.dashboard"))
    chosen = next((one for one in shelf.GROUPS if one == group), None) or abort(404)
    wanted = _wanted(visitor)
    with site().db.read() as conn:
        count = shelf.counts(conn, wanted)[chosen]
        last = max(1, -(-count // PAGE))
        page = asked.place("page", last)
        kept = shelf.some(conn, wanted, chosen, PAGE, PAGE * (page - 1))
        unheard = _unheard(conn, visitor, kept)
    section = _section(chosen, count, kept, visitor, unheard)
    return render(
        "mine_group.html",
        section=section,
        wanted=wanted,
        games=games.offered(),
        page=page,
        last=last,
    )


@pages.post("/matches")
def sign_in() -> Response:
    try:
        access.sign_in(site(), field("address"), now())
    except BadAddress as error:
        return render("sign_in.html", 422, problem=_(error.sentence, **error.values))
    sentence = _("If you play here with this address, a link that lets you in is on its way to it.")
    return mailed(sentence)


def next_turn() -> tuple[str, str] | None:
    """Where whoever is here is to move most urgently, and in how many matches, in words."""
    visitor = cookies.visitor()
    if visitor is None:
        return None
    mine = Wanted(visitor.player, folded(visitor.address))
    with site().db.read() as conn:
        first = shelf.some(conn, mine, "waiting", 1)
        count = shelf.counts(conn, mine)["waiting"] if first else 0
    if not first:
        return None
    words = ngettext(
        "%(num)s match waits for you", "%(num)s matches wait for you", count, language()
    )
    return url_for("match.match", match=first[0].row.id), words


def _wanted(visitor: PlayerSession) -> Wanted:
    game = asked.one_of("game", registry.games())
    name = field("name", request.args)[:40]
    return Wanted(visitor.player, folded(visitor.address), game, name.strip())


def _unheard(conn: sa.Connection, visitor: PlayerSession, kept: list[Kept]) -> Mapping[str, int]:
    return messages.unheard(conn, visitor.player, [one.row.id for one in kept])


def _section(
    group: Group,
    count: int,
    kept: list[Kept],
    visitor: PlayerSession,
    unheard: Mapping[str, int],
) -> Section:
    cards = tuple(_card(group, one, visitor, unheard.get(one.row.id, 0)) for one in kept)
    return Section(group, _(_TITLES[group]), count, cards)


def _card(group: Group, kept: Kept, visitor: PlayerSession, unheard: int) -> Card:
    row = kept.row
    note, more = _NOTES[group](kept, visitor)
    left = None if row.deadline is None else row.deadline - now()
    return Card(
        match=row.id,
        game=vocabulary(row.game).NAME[language()],
        href=_href(group, kept),
        people=_against(kept),
        picture=url_for("match.small", match=row.id, n=row.n) if row.started else "",
        note=note,
        more=more,
        urgent=group == "waiting" and left is not None and left < URGENT,
        unheard=told(unheard),
    )


def told(unheard: int) -> str:
    """How many messages are new, if there are any."""
    if not unheard:
        return ""
    return ngettext("%(num)s new message", "%(num)s new messages", unheard, language())


def _href(group: Group, kept: Kept) -> str:
    if group == "invited" and kept.own.pid is None:
        with site().db.read() as conn:
            link = shelf.invitation(conn, kept.own.id, now())
        if link:
            return url_for("lobby.invitation", token=links.token(site().keys.link, "i", link))
    return url_for("match.match", match=kept.row.id)


def _against(kept: Kept) -> str:
    names = tale.called(kept.people, language())
    others = [name for seat, name in zip(kept.people, names, strict=True) if seat.id != kept.own.id]
    known = [name for name in others if name]
    return _("against %(names)s", names=listed(known, language())) if known else ""


def _until(kept: Kept, visitor: PlayerSession) -> tuple[str, str]:
    deadline = kept.row.deadline
    if deadline is None:
        return _("no deadline"), _(
            "since %(day)s", day=day(kept.row.began, visitor.zone, language())
        )
    return moment(deadline, visitor.zone, language()), within(deadline - now(), language())


def _waiting_for(kept: Kept, visitor: PlayerSession) -> tuple[str, str]:
    mover = kept.row.mover
    name = tale.called(kept.people, language())[mover - 1] if mover else _("the lot")
    until, left = _until(kept, visitor)
    return name, left if kept.row.deadline is None else until


def _asked(kept: Kept, visitor: PlayerSession) -> tuple[str, str]:
    if kept.own.pid is None:
        host = next(seat.name for seat in kept.people if seat.place == 1)
        return _("%(name)s invites you", name=host), day(kept.row.created, visitor.zone, language())
    away = [seat.name for seat in kept.people if seat.pid is None and seat.name]
    names = listed(away, language()) if away else _("others")
    return _("waiting for %(names)s", names=names), day(kept.row.created, visitor.zone, language())


def _ended(kept: Kept, visitor: PlayerSession) -> tuple[str, str]:
    row = kept.row
    reason = vocabulary(row.game).REASONS[language()][row.why or ""]
    places = tuple(seat.rank for seat in kept.people if seat.rank)
    return (
        tale.ended(places, tale.called(kept.people, language()), reason, language()),
        day(row.changed, visitor.zone, language()),
    )


_TITLES: dict[Group, str] = {
    "waiting": N_("It is your turn"),
    "invited": N_("Not started yet"),
    "others": N_("Others are to move"),
    "finished": N_("Finished"),
}
_NOTES: dict[Group, Callable[[Kept, PlayerSession], tuple[str, str]]] = {
    "waiting": _until,
    "invited": _asked,
    "others": _waiting_for,
    "finished": _ended,
}
