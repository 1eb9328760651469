"""What a mail says, as values for its templates: from its row, and from the log it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import sqlalchemy as sa

from games.core.drawing import LANGUAGES, Language, Reader
from games.core.rules import BYSTANDER
from games.log.record import Act, Move, Roll, Start, Sys
from games.position import Position
from games.registry import drawing, vocabulary
from service import links, matches, messages, people, records, tale, wishes
from service.cache import Cache
from service.kinds import KINDS, Kind
from service.language import gettext, listed, moment, ngettext, remaining
from service.links import Purpose
from service.matches import MatchRow, SeatRow
from service.outbox import Row, Snapshot
from service.site import Site

Values = dict[str, object]

DOORS: dict[Kind, tuple[Purpose, str]] = {
    "confirm": ("a", "a"),
    "access": ("a", "a"),
    "invitation": ("i", "i"),
    "turn": ("w", "t"),
}
"""The purpose of the link that a kind of mail carries, and where it leads."""
NEWS = (Start, Move, Act, Roll, Sys)
"""Records that are news to a player who waits for a turn."""

_been: Cache[tuple[str, int], tuple[Position, int]] = Cache(1_000)
"""By match and number of records: a position and the moves up to it."""


@dataclass(frozen=True)
class Source:
    """Where the values of one mail come from."""

    site: Site
    conn: sa.Connection
    row: Row
    about: Snapshot
    language: Language

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the snapshot, with a word for the house."""
        return tale.names(self.about.names, self.about.house, self.language)

    def say(self, text: str, **values: object) -> str:
        return gettext(text, self.language, **values)

    def say_many(self, one: str, many: str, num: int) -> str:
        return ngettext(one, many, num, self.language)


def gather(site: Site, conn: sa.Connection, row: Row) -> Values:
    """The values for the templates of a mail."""
    source = Source(site, conn, row, row.about, spoken(row.language))
    return _common(source) | _OF_KIND[row.kind](source)


def spoken(language: str) -> Language:
    """The language of a reader, English for one that we do not speak."""
    return next((ours for ours in LANGUAGES if ours == language), "en")


def note_name(row: Row) -> str:
    """The file name of the signed head that goes along; "" if none does."""
    if row.record is None or not KINDS[row.kind].signed:
        return ""
    return f"{row.match}-{row.record + 1}.head"


def _common(source: Source) -> Values:
    site, row, about = source.site, source.row, source.about
    base = site.settings.base_url
    expires = about.expires
    return {
        "service": site.settings.mail_name,
        "home": f"{base}/",
        "reader": _reader(source),
        "game": vocabulary(about.game).NAME[source.language] if about.game else "",
        "code": about.code,
        "names": " – ".join(source.names),
        "house": tale.house(about.names, about.house, source.language),
        "host": about.by,
        "link": _link(source),
        "leave": _leave(source),
        "svg": "",
        "expires": "" if expires is None else moment(expires, row.zone, source.language),
        "match_url": f"{base}/m/{row.match}",
        "record": row.record,
        "attached": note_name(row),
    }


def _link(source: Source) -> str:
    row = source.row
    if row.link is None:
        return ""
    purpose, path = DOORS[row.kind]
    token = links.token(source.site.keys.link, purpose, row.link)
    return f"{source.site.settings.base_url}/{path}/{token}"


def _leave(source: Source) -> str:
    """Where mails like this one are unsubscribed; "" if they cannot be, or nothing was prepared."""
    row, scope, link = source.row, KINDS[source.row.kind].scope, None
    if scope == "digest":
        player = people.find(source.conn, row.address)
        link = links.find_way_out(source.conn, player=player)
    elif scope is not None and (seat := _seat(source)) is not None:
        link = links.find_way_out(source.conn, place=seat.id)
    if link is None:
        return ""
    token = links.token(source.site.keys.link, "u", link)
    return f"{source.site.settings.base_url}/u/{token}"


def _seat(source: Source) -> SeatRow | None:
    """The place of whoever reads."""
    row = source.row
    if row.match is None:
        return None
    folded = people.folded(row.address)
    seats = matches.seats(source.conn, row.match)
    return next((seat for seat in seats if people.folded(seat.address) == folded), None)


def _reader(source: Source) -> str:
    """The name of whoever reads, as they or their host wrote it; "" if nobody did."""
    row, names = source.row, source.names
    if row.seat is not None:
        return names[row.seat - 1]
    if row.match is None or row.kind == "access":
        return source.about.by
    seat = _seat(source)
    return seat.name if seat else ""


def _plan(source: Source) -> Values:
    """How a match is going to be, for whoever is to agree to it."""
    facts = [
        (source.say("Players"), _players(source)),
        (source.say("Time to think"), source.say("no time limit")),
        *_options(source.about, source.language),
    ]
    return {"facts": facts, "invites": len(source.about.house) < len(source.names) - 1}


def _players(source: Source) -> str:
    """All of them; the opener need not have given a name to everybody who is invited."""
    marked = tale.marked(source.names, source.about.house, source.language)
    named = [name for name in marked if name]
    nameless = len(source.names) - len(named)
    if nameless:
        more = source.say_many("one more", "%(num)s more", nameless)
        return listed([*named, more], source.language)
    return listed(named, source.language)


def _options(about: Snapshot, language: Language) -> list[tuple[str, str]]:
    return tale.unusual(about.game, len(about.names), dict(about.options), language)


@dataclass(frozen=True)
class Story:
    """What happened since the reader's own last turn, the newest turn line of it, the position it
    led to, and the number of moves up to there."""

    told: tuple[str, ...]
    line: str
    last: Position
    moves: int


def _turn(source: Source) -> Values:
    story = _story(source)
    deadline = _deadline(source.about.deadline, source.row.created, source)
    return {"turn": story.moves + 1, "deadline": deadline, **_scene(source, story)}


def _deadline(deadline: int | None, now: int, source: Source) -> str:
    """Until when an answer is awaited, in words; "" if it may take for ever."""
    if deadline is None:
        return ""
    when = moment(deadline, source.row.zone, source.language)
    return f"{when}, {remaining(deadline - now, source.language)}"


def _result(source: Source) -> Values:
    story = _story(source)
    result = story.last.result
    url = f"{source.site.settings.base_url}/m/{source.row.match}"
    return {
        **_ending(result.places if result else None, source.row.seat),
        "result": tale.result(story.last, _watching(source)),
        "replay_url": f"{url}/replay",
        "log_url": f"{url}.mlog",
        **_scene(source, story),
    }


def _ending(places: Sequence[int] | None, seat: int | None) -> Values:
    """What the end is for the reader; among more than two who did not win, a place as well."""
    if not places or seat is None:
        return {"ending": "void", "place": 0, "of": 0}
    place, of = places[seat - 1], len(places)
    if place > 1:
        return {"ending": "lost" if of == 2 else "placed", "place": place, "of": of}
    return {"ending": "won" if max(places) > 1 else "drawn", "place": place, "of": of}


def _scene(source: Source, story: Story) -> Values:
    reader, last = _watching(source), story.last
    if last.state is None:
        return {"told": story.told, "board": "", "svg": ""}
    drawn, seen = drawing(last.opened.game), tale.view(last, reader.viewer)
    board, svg = drawn.text(seen, reader), drawn.svg(seen, reader, last=story.line)
    return {"told": story.told, "board": board, "svg": svg}


def _story(source: Source) -> Story:
    """The records from the reader's own last turn to those that the mail knows."""
    reader, told, line = _watching(source), [], ""
    at, moves = _reached(source, max(source.about.since, 1))
    later = records.onward(source.site, source.conn, at)
    for record, after in islice(later, source.about.count - at.n):
        if isinstance(record.body, NEWS):
            told.append(tale.tell(record, at, after, reader))
        if isinstance(record.body, Move):
            moves, line = moves + 1, record.body.mv
        at = after
    _been.put((at.m, at.n), (at, moves))
    return Story(tuple(told), line, at, moves)


def _reached(source: Source, count: int) -> tuple[Position, int]:
    """The position after so many records, and the moves in them: where the mail to the other side
    has been, else from the beginning."""
    match = str(source.row.match)
    known = _been.get((match, count))
    if known is not None:
        return known
    steps = list(records.walk(source.site, source.conn, match, count))
    return steps[-1][1], sum(isinstance(record.body, Move) for record, _ in steps)


def _watching(source: Source) -> Reader:
    seat = source.row.seat
    viewer = BYSTANDER if seat is None else seat
    over = source.row.kind == "result"
    return Reader(source.language, source.names, viewer, over)


def _news(source: Source) -> Values:
    story = _story(source)
    return {"headline": story.told[-1] if story.told else "", **_scene(source, story)}


def _digest(source: Source) -> Values:
    """The turns that wait for the reader, each with its link."""
    player = people.find(source.conn, source.row.address)
    open_turns = [] if player is None else matches.waiting(source.conn, player)
    crowded = player is not None and wishes.of(source.conn, player).crowded
    return {"turns": [_open(source, row) for row in open_turns], "crowded": crowded}


def _open(source: Source, row: MatchRow) -> Values:
    names = tale.called(matches.seats(source.conn, row.id), source.language)
    link = links.of_turn(source.conn, row.id, row.mover or 0, row.wait)
    token = links.token(source.site.keys.link, "w", link.id) if link else ""
    return {
        "code": row.code,
        "game": vocabulary(row.game).NAME[source.language],
        "names": " – ".join(names),
        "deadline": _deadline(row.deadline, source.row.created, source),
        "link": f"{source.site.settings.base_url}/t/{token}",
    }


def _alert(source: Source) -> Values:
    return {
        "answer": source.about.said,
        "pages": f"{source.site.settings.base_url}/operator/outbox",
    }


def _declined(source: Source) -> Values:
    return {"guest": source.about.by or source.say("Somebody you invited")}


def _message(source: Source) -> Values:
    """What others wrote, from the message on with which the mail was queued."""
    row = source.row
    seats = matches.seats(source.conn, str(row.match))
    reader = next((seat.player for seat in seats if seat.number == row.seat), None)
    first = source.about.message
    written = messages.since(source.conn, str(row.match), reader, first) if reader else []
    names = list(dict.fromkeys(one.name for one in written))
    told = [{"name": one.name, "lines": one.text.split("\n")} for one in written]
    return {"messages": told, "writers": listed(names, source.language)}


def _nothing(source: Source) -> Values:
    return {}


_OF_KIND: dict[Kind, Callable[[Source], Values]] = {
    "confirm": _plan,
    "access": _nothing,
    "invitation": _plan,
    "turn": _turn,
    "result": _result,
    "declined": _declined,
    "void": _nothing,
    "message": _message,
    "news": _news,
    "digest": _digest,
    "alert": _alert,
}
