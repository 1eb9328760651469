"""Finished matches, the last ended first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from games.registry import vocabulary
from service import matches, tale
from service.language import day
from service.matches import MatchRow, SeatRow
from service.web.request import language, site
from service.web.response import public, render

pages = Blueprint("archive", __name__)

PAGE = 50
Mark = tuple[int, str]
"""Where a page ends: when its last match ended, and its id."""
_mark = re.compile(r"([0-9]{1,12})-(m_[0-9A-Z]{16})").fullmatch


@dataclass(frozen=True)
class Finished:
    """A line of the archive."""

    match: str
    game: str
    names: str
    result: str
    day: str


@pages.get("/archive")
def archive() -> Response:
    before = _asked(request.args.get("before"))
    rows = newest(PAGE + 1, before)
    return public(
        render(
            "archive.html",
            finished=[_finished(*row) for row in rows[:PAGE]],
            first=before is None,
            older=_next(rows[PAGE - 1][0]) if len(rows) > PAGE else None,
        )
    )


def lately(most: int) -> list[Finished]:
    """The newest lines of the archive."""
    return [_finished(*row) for row in newest(most)]


def newest(most: int, before: Mark | None = None) -> list[tuple[MatchRow, tuple[SeatRow, ...]]]:
    """Finished matches and who played them."""
    with site().db.read() as conn:
        rows = matches.finished(conn, limit=most, before=before)
        return [(row, matches.seats(conn, row.id)) for row in rows]


def _asked(text: str | None) -> Mark | None:
    if text is None:
        return None
    found = _mark(text)
    return (int(found[1]), found[2]) if found else abort(404)


def _next(row: MatchRow) -> str:
    return f"{row.changed}-{row.id}"


def _finished(row: MatchRow, seats: tuple[SeatRow, ...]) -> Finished:
    words = vocabulary(row.game)
    house = matches.houses(seats)
    names = tale.called(seats, language())
    places = tuple(seat.rank for seat in seats if seat.rank)
    reason = words.REASONS[language()][row.why or ""]
    return Finished(
        match=row.id,
        game=words.NAME[language()],
        names=" – ".join(tale.marked(names, house, language())),
        result=tale.ended(places, names, reason, language()),
        day=day(row.changed, site().settings.zone, language()),
    )
