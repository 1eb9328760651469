"""What happened in a match since its reader was last told, and the position that it led to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

import sqlalchemy as sa

from games.core.drawing import Language, Reader
from games.core.rules import BYSTANDER, ToMove
from games.log.record import Act, Body, Deal, Move, Roll, Start, Sys
from games.position import Phase, Position
from games.registry import drawing
from service import matches, records, tale
from service.cache import Cache
from service.language import gettext, ngettext
from service.mail.paper import GLUE
from service.outbox import Row, Snapshot
from service.rounds import Rounds, played
from service.site import Site

Values = dict[str, object]
NEWS = (Start, Move, Act, Roll, Deal, Sys)
"""Records that are news to a player who waits for a turn."""

LEGAL = 12
"""How many moves are named to whoever sent an illegal one."""
SHORT = 30
"""Characters of a move that never stands alone on a line, if another follows it."""
NO_MOVES: Values = {"example": "", "legal": (), "several": False}

_been: Cache[tuple[str, int], tuple[Position, Rounds]] = Cache(1_000)
"""By match and number of records: a position and the turns up to it."""


@dataclass(frozen=True)
class Source:
    """Where the values of one mail come from."""

    site: Site
    conn: sa.Connection
    row: Row
    about: Snapshot
    language: Language
    now: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the snapshot, with a word for the house."""
        return tale.names(self.about.names, self.about.house, self.language)

    def say(self, text: str, **values: object) -> str:
        return gettext(text, self.language, **values)

    def say_many(self, one: str, many: str, num: int) -> str:
        return ngettext(one, many, num, self.language)


@dataclass(frozen=True)
class Story:
    """What happened since the reader's own last turn, the lines of its last turn, the position it
    led to, and the turns up to there."""

    told: tuple[str, ...]
    turn: tuple[str, ...]
    last: Position
    rounds: Rounds


def scene(source: Source, story: Story) -> Values:
    """The story and its position, as the reader may see it, for the templates."""
    reader, last = watching(source), story.last
    if last.state is None:
        return {"told": story.told, "board": "", "svg": ""}
    reader = replace(reader, over=reader.over or last.phase is Phase.CLOSED)
    drawn, seen = drawing(last.opened.game), tale.view(last, reader.viewer)
    board, svg = drawn.text(seen, reader), drawn.svg(seen, reader, last=story.turn)
    return {"told": story.told, "board": board, "svg": svg}


def moves(source: Source, story: Story) -> Values:
    """Legal moves, as far as the reader may know: one, and some that do not fill a line; and
    whether another may follow in the same line."""
    last, seat = story.last, source.row.seat
    if last.state is None or seat is None or matches.mover(last) != seat:
        return NO_MOVES
    rules, known = last.rules, last.rules.known(last.state, seat)
    first = list(islice(rules.legal_moves(known), LEGAL))
    after = (rules.turn(rules.apply(known, move)) for move in first)
    told = tuple(rules.notate(move).replace(" ", GLUE) for move in first)
    return {
        "example": told[0],
        "legal": tuple(move for move in told if len(move) <= SHORT),
        "several": any(isinstance(turn, ToMove) and turn.seat == seat for turn in after),
    }


def heard(source: Source) -> Story:
    """The records from the reader's own last turn to those that the mail knows."""
    reader, told, bodies = watching(source), list[str](), list[Body]()
    at, rounds = _reached(source, max(source.about.since, 1))
    later = records.onward(source.site, source.conn, at)
    for record, after in islice(later, source.about.count - at.n):
        if isinstance(record.body, NEWS):
            told.append(tale.tell(record, at, after, reader))
        bodies.append(record.body)
        rounds = rounds.then(record.body)
        at = after
    _been.put((at.m, at.n), (at, rounds))
    return Story(tuple(told), tale.last_turn(bodies), at, rounds)


def _reached(source: Source, count: int) -> tuple[Position, Rounds]:
    """The position after so many records, and the turns in them: where the mail to the other side
    has been, else from the beginning."""
    match = str(source.row.match)
    known = _been.get((match, count))
    if known is not None:
        return known
    steps = list(records.walk(source.site, source.conn, match, count))
    return steps[-1][1], played(record.body for record, _ in steps)


def watching(source: Source) -> Reader:
    """Who reads, and with whose eyes."""
    seat = source.row.seat
    viewer = BYSTANDER if seat is None else seat
    over = source.row.kind == "result"
    return Reader(source.language, source.names, viewer, over)
