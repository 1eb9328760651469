"""Finished matches: searched, and paged by an index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from games.position import Phase
from service import matches
from service.matches import MatchRow
from service.models import MATCH, SEAT
from service.shelf import named

Mark = tuple[int, str]
"""Where a page ends: when its last match ended, and its id."""
Ending = Literal["", "played", "resigned", "time", "agreed"]
ENDINGS: tuple[Ending, ...] = ("", "played", "resigned", "time", "agreed")
_WORDS: dict[Ending, str] = {"resigned": "resign", "time": "timeout", "agreed": "agreed"}


@dataclass(frozen=True)
class Sought:
    """Which matches are looked for; what is empty asks nothing."""

    game: str = ""
    name: str = ""
    """In the name of a player."""
    winner: str = ""
    """In the name of somebody who won."""
    since: int | None = None
    until: int | None = None
    """Ended before this."""
    ending: Ending = ""
    drawn: bool = False
    """Only those without a winner."""


_LISTED = (MATCH.c.phase == Phase.CLOSED.value, MATCH.c.listed, MATCH.c.why != "void")


def search(
    conn: sa.Connection, sought: Sought, *, limit: int, before: Mark | None = None
) -> list[MatchRow]:
    """Matches of the archive, the last ended first, from the one after `before` on."""
    query = sa.select(*matches.COLUMNS).where(*_LISTED, *_asked(sought))
    if before is not None:
        query = query.where(matches.earlier(*before))
    return matches.listed(conn, query.order_by(*matches.NEWEST).limit(limit))


def chosen(conn: sa.Connection, ids: Sequence[str]) -> list[MatchRow]:
    """Those of the archive among these, the last ended first."""
    query = sa.select(*matches.COLUMNS).where(*_LISTED, MATCH.c.id.in_(ids))
    return matches.listed(conn, query.order_by(*matches.NEWEST))


def between(conn: sa.Connection, player: int, other: int) -> tuple[int, int, int]:
    """How many matches that two played against each other one has won, lost, and drawn."""
    mine, theirs = SEAT.alias(), SEAT.alias()
    pairs = sa.and_(mine.c.match == theirs.c.match, mine.c.player == player)
    better, worse = mine.c.rank < theirs.c.rank, mine.c.rank > theirs.c.rank
    query = (
        sa.select(*(sa.func.count().filter(one) for one in (better, worse, ~(better | worse))))
        .select_from(MATCH.join(mine, mine.c.match == MATCH.c.id).join(theirs, pairs))
        .where(theirs.c.player == other, MATCH.c.phase == Phase.CLOSED.value, MATCH.c.why != "void")
    )
    counted = tuple(conn.execute(query).one())
    return counted[0], counted[1], counted[2]


def _asked(sought: Sought) -> list[sa.ColumnElement[bool]]:
    asked = []
    if sought.game:
        asked.append(MATCH.c.game == sought.game)
    if sought.name:
        asked.append(named(MATCH.c.id, sought.name))
    if sought.winner:
        asked.append(named(MATCH.c.id, sought.winner, first=True))
    if sought.since is not None:
        asked.append(MATCH.c.changed >= sought.since)
    if sought.until is not None:
        asked.append(MATCH.c.changed < sought.until)
    return [*asked, *_ended(sought)]


def _ended(sought: Sought) -> list[sa.ColumnElement[bool]]:
    asked: list[sa.ColumnElement[bool]] = []
    if sought.ending == "played":
        asked.append(MATCH.c.why.not_in((*_WORDS.values(), "adjudicated")))
    elif sought.ending:
        asked.append(MATCH.c.why == _WORDS[sought.ending])
    if sought.drawn:
        beaten = sa.and_(SEAT.c.match == MATCH.c.id, SEAT.c.rank > 1)
        asked.append(~sa.exists().where(beaten))
    return asked
