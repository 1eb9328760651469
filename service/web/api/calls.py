"""What answers each operation of the API: the same views and the same door as the pages have."""

from __future__ import annotations

import re

from flask import url_for

from games.core.rules import BYSTANDER, OPEN
from games.core.words import put
from games.plain import plain
from games.position import Phase, Position
from games.registry import vocabulary
from service import matches as rows
from service import play, tale
from service.errors import NotYourTurn
from service.matches import Asked, MatchRow, SeatRow
from service.play import Receipt as Done
from service.tokens import Bearer
from service.web.api.bearer import seat_of
from service.web.api.problems import Refused
from service.web.api.shapes import (
    Choice,
    Choices,
    Draft,
    Match,
    Matches,
    Me,
    Offer,
    Receipt,
    Seat,
    SentAct,
    SentTurn,
    State,
    Turn,
    Viewer,
    Wish,
)
from service.web.match import acts, choosing
from service.web.match.loaded import load
from service.web.match.rights import Rights
from service.web.request import language, now, site

_mark = re.compile(r"([0-9]{1,12})-(m_[0-9A-Z]{16})", re.ASCII).fullmatch


def me(who: Bearer) -> Me:
    """Whose token this is."""
    return Me(who.name, who.language, who.zone, who.plays)


def matches(who: Bearer, query: Wish) -> Matches:
    """A page of the matches of the token's player."""
    wanted = Asked(Phase(query.phase) if query.phase else None, query.game, query.turn == "mine")
    with site().db.read() as conn:
        before = _before(query.before)
        found = rows.played(conn, who.player, wanted, limit=query.limit + 1, before=before)
        people = rows.seats_of(conn, [row.id for row in found])
    page = found[: query.limit]
    more = len(found) > len(page)
    return Matches(
        [_match(row, people[row.id], who.player) for row in page],
        f"{page[-1].changed}-{page[-1].id}" if more else None,
    )


def match(who: Bearer, match: str) -> State:
    """A match as the token's player sees it."""
    found = load(match)
    position, viewer = found.position, found.seat_of(who.player) or BYSTANDER
    rights = Rights(match, viewer, acts=isinstance(viewer, int) and who.plays)
    offer = position.offer
    return State(
        match=_match(found.row, found.people, who.player),
        head=position.hash.hex(),
        options=dict(position.opened.options),
        clock=position.opened.clock,
        viewer=_viewer(position, viewer if isinstance(viewer, int) else None),
        view=None if position.state is None else plain(tale.view(position, viewer)),
        offer=Offer(offer.kind, list(offer.agreed)) if offer else None,
        acts=[act for act, _words in acts.open_to(rights, position, found.clocks)],
    )


def choices(who: Bearer, match: str, query: Draft) -> Choices:
    """What the line that the seat to move has begun can become."""
    found = load(match)
    seat, position = seat_of(found, who), found.position
    if rows.mover(position) != seat:
        raise NotYourTurn
    begun = choosing.begin(position, seat, query.line)
    words = vocabulary(found.row.game).WORDS
    return Choices(
        line=begun.line,
        sends=begun.sends,
        wait=position.wait,
        on=position.n - 1,
        choices=[
            Choice(one.line, one.sends, put(words, one.say, language()), one.thing)
            for one in begun.choices
        ],
        view=plain(position.rules.view(begun.reached, seat)),
    )


def turn(who: Bearer, match: str, body: SentTurn) -> Receipt:
    """Plays a turn line; the same line sent again gets the receipt of the first time."""
    seat = seat_of(load(match), who)
    return _receipt(
        play.submit(
            site(),
            match=match,
            seat=seat,
            line=body.line,
            wait=body.wait,
            on=body.on,
            via="api",
            now=now(),
        )
    )


def act(who: Bearer, match: str, body: SentAct) -> Receipt:
    """Resigns, offers, accepts or declines; the same act on the same record is done once."""
    seat = seat_of(load(match), who)
    if body.act not in acts.ACTS:
        raise Refused("not-now")
    return _receipt(
        play.act(site(), match=match, seat=seat, act=body.act, on=body.on, via="api", now=now())
    )


def _match(row: MatchRow, people: tuple[SeatRow, ...], player: int) -> Match:
    names = tale.called(people, language())
    return Match(
        id=row.id,
        code=row.code,
        game=row.game,
        version=row.version,
        phase=row.phase.value,
        seats=[_seat(*one, player) for one in zip(people, names, strict=True)],
        turn=_turn(row, people, player),
        changed=row.changed,
        newest=row.n,
        why=row.why,
        page=_address("match.match", row.id),
        log=_address("match.log", row.id),
    )


def _seat(seat: SeatRow, name: str, player: int) -> Seat:
    return Seat(
        seat=seat.number,
        name=name,
        you=seat.player == player,
        house=seat.house,
        joined=seat.pid is not None,
        rank=seat.rank,
    )


def _turn(row: MatchRow, people: tuple[SeatRow, ...], player: int) -> Turn | None:
    if row.mover is None:
        return None
    yours = any((one.number, one.player) == (row.mover, player) for one in people)
    return Turn(row.mover, yours, row.wait, row.began, row.deadline)


def _viewer(position: Position, seat: int | None) -> Viewer:
    if position.phase is Phase.CLOSED:
        return OPEN.value
    return seat or BYSTANDER.value


def _receipt(done: Done) -> Receipt:
    return Receipt(done.match, done.record, done.line, done.rest, done.again, done.over, done.note)


def _before(mark: str | None) -> tuple[int, str] | None:
    """Where the page before ended. Raises Refused for what no page ends with."""
    if mark is None:
        return None
    found = _mark(mark)
    if found is None:
        raise Refused("invalid")
    return int(found[1]), found[2]


def _address(endpoint: str, match: str) -> str:
    return site().settings.base_url + url_for(endpoint, match=match)
