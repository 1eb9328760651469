"""What a mail says, as values for its templates: from its row, and from the log it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from textwrap import wrap

import sqlalchemy as sa

from games.core.drawing import LANGUAGES, Language
from games.core.rules import Say
from games.core.text import WIDTH
from games.core.words import put
from games.position import Position, gone
from games.registry import vocabulary
from service import links, matches, messages, pace, people, records, tale, wishes
from service.clock import Clocks, parse
from service.kinds import KINDS, Kind
from service.language import listed, moment, span, until
from service.mail import ways
from service.mail.story import NO_MOVES, Source, Story, Values, heard, moves, scene, watching
from service.matches import MatchRow
from service.outbox import Row, Snapshot
from service.site import Site


def gather(site: Site, conn: sa.Connection, row: Row, now: int) -> Values:
    """The values for the templates of a mail."""
    source = Source(site, conn, row, row.about, spoken(row.language), now)
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
        "apart": _apart(source),
        "house": tale.house(about.names, about.house, source.language),
        "host": about.by,
        "address": about.address,
        "link": ways.link(source),
        "leave": ways.leave(source),
        "svg": "",
        "expires": "" if expires is None else moment(expires, row.zone, source.language),
        "match_url": f"{base}/m/{row.match}",
        "record": row.record,
        "attached": note_name(row),
        "answers": ways.answers(source),
        **NO_MOVES,
    }


def _reader(source: Source) -> str:
    """The name of whoever reads, as they or their host wrote it; "" if nobody did."""
    row, names = source.row, source.names
    if row.seat is not None:
        return names[row.seat - 1]
    if row.match is None or row.kind == "access":
        return source.about.by
    seat = ways.seat(source)
    return seat.name if seat else ""


def _apart(source: Source) -> bool:
    """Whether the reader wants a thread for each turn instead of one for the match."""
    threaded = KINDS[source.row.kind].thread
    player = people.find(source.conn, source.row.address) if threaded else None
    return player is not None and wishes.of(source.conn, player).apart


def _plan(source: Source) -> Values:
    """How a match is going to be, for whoever is to agree to it."""
    control = parse(source.about.clock)
    facts = [
        (source.say("Players"), _players(source)),
        (source.say("Time to think"), pace.told(control, source.language)),
        *_options(source.about, source.language),
    ]
    invites = len(source.about.house) < len(source.names) - 1
    return {"facts": facts, "limited": control.limited, "invites": invites}


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


def _turn(source: Source) -> Values:
    story = heard(source)
    return {
        "turn": _number(source, story),
        "answer_by": _answer_by(source),
        **moves(source, story),
        **scene(source, story),
    }


def _reminder(source: Source) -> Values:
    """The same turn once more; `was` is until when there was time, if that has changed."""
    was = source.about.was
    return {**_turn(source), "was": "" if was is None else _hour(source, was)}


def _number(source: Source, story: Story) -> int:
    """Of the reader's turn, as the page of the match counts."""
    return story.rounds.number(len(source.names), source.row.seat or 0)


def _answer_by(source: Source) -> str:
    """Until when there is time, as the clock stands when the mail is written."""
    row, deadline = source.row, source.about.deadline
    if row.match is not None:
        match = matches.find(source.conn, row.match)
        if (match.mover, match.wait) == (row.seat, row.wait):
            deadline = match.deadline
    return pace.answer_by(source.about.clock, deadline, source.now, row.zone, source.language)


def _reply(source: Source) -> Values:
    """What answers a mail of the reader's: what became of it, and how the match stands."""
    reply = source.about.reply
    assert reply is not None
    told: Values = {"told": (), "board": "", "turns": [], "turn": 0}
    if source.row.match is None:
        told = {**told, **_digest(source)}
    if source.row.seat is not None:
        story = heard(source)
        shown = scene(source, story) if reply.reason != "hold" else {}
        told = {**told, **shown, **moves(source, story), "turn": _number(source, story)}
    times = {name: _hour(source, getattr(reply, name)) for name in ("time", "deadline")}
    return {**told, **asdict(reply), "fault": _fault(source), **times}


def _hour(source: Source, time: int | None) -> str:
    return "" if time is None else moment(time, source.row.zone, source.language)


def _fault(source: Source) -> str:
    """What the rules say against a line."""
    reply = source.about.reply
    if reply is None or not reply.fault:
        return ""
    words = vocabulary(source.about.game).WORDS
    return put(words, Say(reply.fault, reply.values), source.language)


def _till(deadline: int | None, source: Source) -> str:
    """Until when an answer is awaited."""
    if deadline is None:
        return source.say("no deadline")
    return until(deadline, source.now, source.row.zone, source.language)


def _result(source: Source) -> Values:
    story = heard(source)
    result = story.last.result
    url = f"{source.site.settings.base_url}/m/{source.row.match}"
    return {
        **_ending(result.places if result else None, source.row.seat),
        "result": tale.result(story.last, watching(source)),
        "replay_url": f"{url}/replay",
        "log_url": f"{url}.mlog",
        **scene(source, story),
    }


def _ending(places: Sequence[int] | None, seat: int | None) -> Values:
    """What the end is for the reader; among more than two who did not win, a place as well."""
    if not places or seat is None:
        return {"ending": "void", "place": 0, "of": 0}
    place, of = places[seat - 1], len(places)
    if place > 1:
        return {"ending": "lost" if of == 2 else "placed", "place": place, "of": of}
    return {"ending": "won" if max(places) > 1 else "drawn", "place": place, "of": of}


def _left(source: Source) -> Values:
    """Whose mail tells that a seat has left a match that goes on: of that seat itself?"""
    story = heard(source)
    return {"own": source.row.seat in gone(story.last), **scene(source, story)}


def _pause(source: Source) -> Values:
    story = heard(source)
    clocks = records.clocks(source.site, source.conn, story.last)
    return {
        "state": _pausing(clocks, story.last),
        "told": story.told,
        "answer_by": _answer_by(source),
        "runs_on": moment(clocks.rests, source.row.zone, source.language),
    }


def _pausing(clocks: Clocks, at: Position) -> str:
    """What an act has made of a pause: it is asked for, holds, is over, or was not agreed to."""
    if clocks.paused:
        return "holds"
    if clocks.asked:
        return "asked"
    return "over" if clocks.rests > at.at else "off"


def _news(source: Source) -> Values:
    story = heard(source)
    return {"headline": story.told[-1] if story.told else "", **scene(source, story)}


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
        "deadline": _till(row.deadline, source),
        "link": f"{source.site.settings.base_url}/t/{token}",
    }


def _alert(source: Source) -> Values:
    """What a relay said, or why nothing can be written to a match, and where to see more."""
    page = "state" if source.about.code else "outbox"
    return {
        "stuck": source.about.code,
        "answer": source.about.said,
        "pages": f"{source.site.settings.base_url}/operator/{page}",
    }


def _outage(source: Source) -> Values:
    """When the service was away."""
    about, zone, language = source.about, source.row.zone, source.language
    return {
        "since": moment(about.began, zone, language),
        "till": moment(about.ended, zone, language),
        "away": span(about.ended - about.began, language),
        "mine": f"{source.site.settings.base_url}/matches",
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
    texts = [(one.name, one.text.split("\n")) for one in written]
    told = [{"name": name, "lines": lines, "rows": _rows(lines)} for name, lines in texts]
    return {"messages": told, "writers": listed(names, source.language)}


def _rows(lines: list[str]) -> list[str]:
    """The lines, broken where they are too long for a mark before each."""
    rows = (wrap(line, WIDTH, break_long_words=False) or [""] for line in lines)
    return [row for found in rows for row in found]


def _nothing(source: Source) -> Values:
    return {}


_OF_KIND: dict[Kind, Callable[[Source], Values]] = {
    "confirm": _plan,
    "access": _nothing,
    "invitation": _plan,
    "turn": _turn,
    "reminder": _reminder,
    "result": _result,
    "declined": _declined,
    "left": _left,
    "pause": _pause,
    "void": _nothing,
    "message": _message,
    "ack": _reply,
    "answer": _reply,
    "hold": _reply,
    "news": _news,
    "digest": _digest,
    "outage": _outage,
    "alert": _alert,
    "change": _nothing,
    "arrival": _nothing,
    "deletion": _nothing,
}
