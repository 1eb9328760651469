"""The matches of one player by what they wait for, page by page; from the index alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from games.position import Phase
from service import matches
from service.matches import MatchRow, SeatRow
from service.models import LINK, MATCH, SEAT
from service.people import folded

Group = Literal["waiting", "invited", "others", "finished"]
GROUPS: tuple[Group, ...] = ("waiting", "invited", "others", "finished")
"""Those that wait for the player; not started yet; that wait for others; over."""
ESCAPE = "\\"
HOUSES = ("house", "haus")
"""What the house player is called; it has no name of its own."""


@dataclass(frozen=True)
class Wanted:
    """Whose matches, and which of them: of one game, with somebody of this name; "" for any."""

    player: int
    address: str
    """As it is compared: invitations wait for it."""
    game: str = ""
    name: str = ""


@dataclass(frozen=True)
class Kept:
    """A match in the list, and the player's own place in it."""

    row: MatchRow
    people: tuple[SeatRow, ...]
    own: SeatRow


_GROUP = sa.case(
    (MATCH.c.phase == Phase.CLOSED.value, "finished"),
    (MATCH.c.phase == Phase.JOINING.value, "invited"),
    (MATCH.c.mover == SEAT.c.number, "waiting"),
    else_="others",
)
_ORDER: dict[Group, tuple[sa.ColumnElement[Any], ...]] = {
    "waiting": (MATCH.c.deadline.is_(None), MATCH.c.deadline, MATCH.c.began, MATCH.c.id),
    "invited": (MATCH.c.created.desc(), MATCH.c.id),
    "others": (MATCH.c.deadline.is_(None), MATCH.c.deadline, MATCH.c.began, MATCH.c.id),
    "finished": (MATCH.c.changed.desc(), MATCH.c.id),
}


def counts(conn: sa.Connection, wanted: Wanted) -> dict[Group, int]:
    """How many matches there are in each group."""
    query = _mine(wanted, _GROUP.label("kind"), sa.func.count()).group_by("kind")
    found = {row[0]: row[1] for row in conn.execute(query)}
    return {group: found.get(group, 0) for group in GROUPS}


def some(
    conn: sa.Connection, wanted: Wanted, group: Group, limit: int, skip: int = 0
) -> list[Kept]:
    """Matches of a group: the most urgent first, of finished ones the newest."""
    query = _mine(wanted, *matches.COLUMNS).where(_GROUP.in_((group,)))
    rows = matches.listed(conn, query.order_by(*_ORDER[group]).limit(limit).offset(skip))
    people = matches.seats_of(conn, [row.id for row in rows])
    return [Kept(row, people[row.id], _own(wanted, people[row.id])) for row in rows]


def invitation(conn: sa.Connection, seat: int, now: int) -> str | None:
    """The row of the link with which a place can be taken, if it still can."""
    live = sa.and_(LINK.c.used.is_(None), LINK.c.expires > now)
    query = sa.select(LINK.c.id).where(LINK.c.place == seat, LINK.c.purpose == "i", live)
    return conn.execute(query.order_by(LINK.c.created.desc()).limit(1)).scalar()


def _mine(wanted: Wanted, *columns: Any) -> sa.Select[Any]:
    """The matches that the player plays or is invited to, each once, as far as they are wanted."""
    asked = sa.and_(
        SEAT.c.invited == wanted.address,
        SEAT.c.declined.is_(None),
        MATCH.c.phase == Phase.JOINING.value,
    )
    query = sa.select(*columns).select_from(SEAT.join(MATCH, MATCH.c.id == SEAT.c.match))
    query = query.where(sa.or_(SEAT.c.player == wanted.player, asked))
    if wanted.game:
        query = query.where(MATCH.c.game == wanted.game)
    return query.where(named(MATCH.c.id, wanted.name, SEAT.c.id)) if wanted.name else query


def named(
    match: sa.ColumnElement[str],
    name: str,
    but: sa.ColumnElement[int] | None = None,
    *,
    first: bool = False,
) -> sa.ColumnElement[bool]:
    """Whether somebody of the match has this in their name, whatever the case of letters; `first`
    asks for whoever won, and somebody must have lost."""
    other = SEAT.alias()
    escaped = "".join(ESCAPE * (letter in f"%_{ESCAPE}") + letter for letter in name.strip())
    called: sa.ColumnElement[bool] = other.c.name.ilike(f"%{escaped}%", escape=ESCAPE)
    if any(name.strip().casefold() in house for house in HOUSES):
        called = sa.or_(called, other.c.house)
    found = sa.and_(other.c.match == match, called)
    if but is not None:
        found = sa.and_(found, other.c.id != but)
    if first:
        beaten = SEAT.alias()
        lost = sa.exists().where(beaten.c.match == match, beaten.c.rank > 1)
        found = sa.and_(found, other.c.rank == 1, lost)
    return sa.exists().where(found)


def _own(wanted: Wanted, seats: tuple[SeatRow, ...]) -> SeatRow:
    mine = (seat for seat in seats if seat.player == wanted.player)
    asked = (seat for seat in seats if folded(seat.address) == wanted.address)
    return next(mine, None) or next(asked)
