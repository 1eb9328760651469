"""Private feeds behind a secret address: deadlines for a calendar, own turns for a feed reader.

They say which match waits and until when, never what is on its table, and their links lead to the
match, which asks who is there. The same matches give the same bytes, so nothing seems new that is
not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as xml

from flask import Blueprint, request, url_for
from icalendar import Calendar, Event, Timezone, TimezoneStandard
from werkzeug.wrappers import Response

from games.registry import vocabulary
from service import matches, tale, tokens
from service.language import listed, moment
from service.matches import Asked, MatchRow, SeatRow
from service.tokens import Bearer
from service.web.request import _, language, now, site, speak

pages = Blueprint("feeds", __name__, url_prefix="/feed")
MOST = 500
"""Matches in a feed, those that changed last."""
ATOM = "http://www.w3.org/2005/Atom"
EVERY = timedelta(hours=1)
"""How often a calendar may well ask."""
SETTLED = 2
"""Seconds after which no other change can bear the same time: before, the ETag alone can tell."""


@dataclass(frozen=True)
class Turn:
    """A turn that its player owes."""

    row: MatchRow
    title: str
    page: str

    @property
    def id(self) -> str:
        return f"{self.row.id}/{self.row.wait}"


@pages.get("/<token>/deadlines.ics")
def deadlines(token: str) -> Response:
    who = _reader(token)
    calendar = Calendar()
    calendar.add("prodid", "-//Fernpartie//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", _("Fernpartie: my deadlines"))
    calendar.add("refresh-interval", EVERY, parameters={"value": "DURATION"})
    for turn in _turns(who):
        if turn.row.deadline is not None:
            calendar.add_component(_event(turn, turn.row.deadline))
    if not calendar.subcomponents:
        calendar.add_component(_nothing())
    return _answered(calendar.to_ical(), "text/calendar", who)


@pages.get("/<token>/turns.atom")
def turns(token: str) -> Response:
    who = _reader(token)
    owed = sorted(_turns(who), key=lambda turn: (-turn.row.began, turn.row.id))
    newest = max((turn.row.began for turn in owed), default=who.created)
    feed = xml.Element("feed", {"xmlns": ATOM, "xml:lang": language()})
    _add(feed, "id", f"{_authority(who.created)}:turns/{who.token}")
    _add(feed, "title", _("Fernpartie: my turns"))
    _add(feed, "updated", _stamp(newest))
    _add(_add(feed, "author"), "name", "Fernpartie")
    _add(feed, "link", href=site().settings.base_url + url_for("home.home"))
    for turn in owed:
        _enter(feed, turn, who)
    return _answered(xml.tostring(feed, "utf-8", xml_declaration=True), "application/atom+xml", who)


def _reader(token: str) -> Bearer:
    """Whose feed it is, in their language from now on. Raises BadLink or TooMany."""
    who = tokens.use(site().db, "feed", token, now())
    speak(who.language)
    return who


def _turns(who: Bearer) -> Iterator[Turn]:
    with site().db.read() as conn:
        wanted = Asked(to_move=True)
        rows = matches.played(conn, who.player, wanted, limit=MOST, before=None)
        people = matches.seats_of(conn, [row.id for row in rows])
    for row in rows:
        page = site().settings.base_url + url_for("match.match", match=row.id)
        yield Turn(row, _title(row, people[row.id], who), page)


def _title(row: MatchRow, people: tuple[SeatRow, ...], who: Bearer) -> str:
    names = zip(people, tale.called(people, language()), strict=True)
    others = [name for one, name in names if one.player != who.player]
    game = vocabulary(row.game).NAME[language()]
    return _(
        "Your turn: %(game)s against %(names)s (%(code)s)",
        game=game,
        names=listed(others, language()),
        code=row.code,
    )


def _event(turn: Turn, deadline: int) -> Event:
    """An instant in the calendar; it bears the time of the match's last change, not the fetch's."""
    event, row = Event(), turn.row
    event.add("uid", f"{row.id}-{row.wait}@{site().settings.mail_domain}")
    event.add("dtstamp", _time(row.changed))
    event.add("last-modified", _time(row.changed))
    event.add("dtstart", _time(deadline))
    event.add("dtend", _time(deadline))
    event.add("summary", turn.title)
    event.add("description", _("Your answer is due at this time.") + "\n" + turn.page)
    event.add("url", turn.page)
    event.add("transp", "TRANSPARENT")
    return event


def _nothing() -> Timezone:
    """What a calendar holds that has no dates: it must hold something (RFC 5545, 3.6)."""
    zone, always = Timezone(), TimezoneStandard()
    zone.add("tzid", "Etc/UTC")
    always.add("dtstart", datetime(1970, 1, 1))
    always.add("tzoffsetfrom", timedelta(0))
    always.add("tzoffsetto", timedelta(0))
    zone.add_component(always)
    return zone


def _enter(feed: xml.Element, turn: Turn, who: Bearer) -> None:
    entry, row = _add(feed, "entry"), turn.row
    _add(entry, "id", f"{_authority(row.created)}:{turn.id}")
    _add(entry, "title", turn.title)
    _add(entry, "updated", _stamp(row.began))
    _add(entry, "link", href=turn.page)
    _add(entry, "summary", _until(row, who))


def _until(row: MatchRow, who: Bearer) -> str:
    if row.deadline is None:
        return _("There is no time limit.")
    return _("Answer by: %(moment)s.", moment=moment(row.deadline, who.zone, language()))


def _add(parent: xml.Element, name: str, text: str | None = None, **attributes: str) -> xml.Element:
    child = xml.SubElement(parent, name, attributes)
    child.text = text
    return child


def _authority(created: int) -> str:
    """The beginning of ids that nobody else gives (RFC 4151): ours, on a day when we were here."""
    return f"tag:{site().settings.mail_domain},{_time(created):%Y-%m-%d}"


def _stamp(time: int) -> str:
    return _time(time).isoformat().replace("+00:00", "Z")


def _time(time: int) -> datetime:
    return datetime.fromtimestamp(time, UTC)


def _answered(body: bytes, kind: str, who: Bearer) -> Response:
    """The feed, or that nothing has changed since the reader asked last."""
    response = Response(body, content_type=f"{kind}; charset=utf-8")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Content-Language"] = language()
    last = _last_change(who)
    if last < now() - SETTLED:
        response.last_modified = _time(last)
    response.add_etag()
    return response.make_conditional(request)


def _last_change(who: Bearer) -> int:
    """When the feed may have changed last."""
    with site().db.read() as conn:
        return max(who.created, matches.last_change(conn, who.player))
