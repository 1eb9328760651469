"""Finished matches, the last ended first: searched, and their logs to download."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as Answer

from games import registry
from games.registry import vocabulary
from service import finished, matches, records, tale
from service.errors import NoMatch
from service.finished import ENDINGS, Mark, Sought
from service.language import N_, day
from service.matches import MatchRow, SeatRow
from service.site import Site
from service.web import asked, games
from service.web.request import _, field, language, site
from service.web.response import public, render
from service.web.zipped import zipped

pages = Blueprint("archive", __name__)

PAGE = 50
LOGS = 500
"""The most logs in one file; the page after them has the next."""
DRAWN = "drawn"
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
def archive() -> Answer:
    before, wanted = _before(), _wanted()
    with site().db.read() as conn:
        rows = finished.search(conn, _sought(wanted), limit=PAGE + 1, before=before)
        people = matches.seats_of(conn, [row.id for row in rows[:PAGE]])
    if before and not rows:
        abort(404)
    return public(
        render(
            "archive.html",
            finished=[_finished(row, people[row.id]) for row in rows[:PAGE]],
            first=before is None,
            older=_next(rows[PAGE - 1]) if len(rows) > PAGE else None,
            here=_next_of(before),
            asked=wanted,
            games=games.offered(),
            endings=[(one, _(_ENDINGS[one])) for one in (*ENDINGS, DRAWN)],
            most=LOGS,
        )
    )


@pages.get("/archive/logs.zip")
def logs() -> Answer:
    """The logs that were ticked; else of the matches that are looked for, from this page on, as far
    as one file goes."""
    before, sought, ticked = _before(), _sought(_wanted()), request.args.getlist("match")[:LOGS]
    with site().db.read() as conn:
        if ticked:
            rows = finished.chosen(conn, list(filter(matches.is_id, ticked)))
        else:
            rows = finished.search(conn, sought, limit=LOGS, before=before)
    found = _exported(site(), [row.id for row in rows])
    response = Response(zipped(found), mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename="fernpartie-logs.zip")
    return response


def lately(most: int) -> list[Finished]:
    """The newest lines of the archive."""
    with site().db.read() as conn:
        rows = finished.search(conn, Sought(), limit=most)
        people = matches.seats_of(conn, [row.id for row in rows])
    return [_finished(row, people[row.id]) for row in rows]


def _exported(site: Site, found: list[str]) -> Iterator[tuple[str, bytes]]:
    for match in found:
        with suppress(NoMatch):
            yield f"{match}.mlog", records.export(site, match)


def _before() -> Mark | None:
    text = request.args.get("before")
    if text is None:
        return None
    found = _mark(text)
    return (int(found[1]), found[2]) if found else abort(404)


def _next(row: MatchRow) -> str:
    return f"{row.changed}-{row.id}"


def _next_of(mark: Mark | None) -> str | None:
    return f"{mark[0]}-{mark[1]}" if mark else None


def _wanted() -> dict[str, str]:
    """What is looked for, as it stands in the address."""
    days = {name: asked.day(name) for name in ("since", "until")}
    wanted = {
        "game": asked.one_of("game", registry.games()),
        "ending": asked.one_of("ending", _ENDINGS),
        **{name: field(name, request.args).strip()[:40] for name in ("name", "winner")},
        **{name: found.isoformat() for name, found in days.items() if found},
    }
    return {name: text for name, text in wanted.items() if text}


def _sought(wanted: dict[str, str]) -> Sought:
    ending = wanted.get("ending", "")
    until = _day(wanted.get("until"))
    return Sought(
        game=wanted.get("game", ""),
        name=wanted.get("name", ""),
        winner=wanted.get("winner", ""),
        since=_midnight(_day(wanted.get("since"))),
        until=_midnight(until + timedelta(days=1) if until else None),
        ending=next((one for one in ENDINGS if one == ending), ""),
        drawn=ending == DRAWN,
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _midnight(day: date | None) -> int | None:
    if day is None:
        return None
    zone = ZoneInfo(site().settings.zone)
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp())


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


_ENDINGS: dict[str, str] = {
    "": N_("however it ended"),
    "played": N_("played to the end"),
    "resigned": N_("by resignation"),
    "time": N_("out of time"),
    "agreed": N_("by agreement"),
    DRAWN: N_("without a winner"),
}
