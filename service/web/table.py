"""A match on the table as one reader may see it: people, board, turns, what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.core.drawing import Reader
from games.core.rules import BYSTANDER, Choice, ToMove, Viewer
from games.log.record import End, Move, Record, Start
from games.position import Phase, Position
from games.registry import drawing, vocabulary
from service import tale
from service.language import moment
from service.matches import SeatRow
from service.site import Cache
from service.web.frame import _, language, site
from service.web.gather import Gathered, Step

ROWS = 100
"""Of the turn list; older turns are in the replay."""
_boards: Cache[tuple[object, ...], str] = Cache(512)


@dataclass(frozen=True)
class Status:
    """A label of the printed form and what stands on its line."""

    label: str
    words: str


@dataclass(frozen=True)
class Told:
    """What happened, with the record that says so."""

    n: int
    words: str


@dataclass(frozen=True)
class Turn:
    """A turn line in the list."""

    n: int
    line: str
    newest: bool


@dataclass(frozen=True)
class Row:
    """One round of the turn list: for each seat what it played."""

    number: int
    cells: tuple[tuple[Turn, ...], ...]


@dataclass(frozen=True)
class Sat:
    """A person in the list of seats."""

    seat: int | None
    words: str


@dataclass(frozen=True)
class Table:
    """What the page of a match shows."""

    match: str
    code: str
    game: str
    title: str
    status: Status
    running: bool
    when: str
    newest: int
    names: tuple[str, ...]
    people: tuple[Sat, ...]
    board: str
    lately_title: str
    lately: tuple[Told, ...]
    rows: tuple[Row, ...]


def lay(found: Gathered, viewer: Viewer, board: str | None = None) -> Table:
    """The table of a match for a reader, with another picture if they have begun a turn."""
    position = found.position
    seat = viewer if isinstance(viewer, int) else None
    return Table(
        match=position.m,
        code=found.row.code,
        game=position.opened.game,
        title=title(found, seat),
        status=status(found, position, seat),
        running=position.phase is not Phase.CLOSED,
        when=moment(position.at, site().settings.zone, language()),
        newest=position.n - 1,
        names=found.names,
        people=tuple(_sat(person, position, seat) for person in found.people),
        board=drawn(found, position, viewer) if board is None else board,
        lately_title=_("Last turn") if seat is None else _("Since your last turn"),
        lately=lately(found, viewer),
        rows=rows(found),
    )


def reader(found: Gathered, viewer: Viewer) -> Reader:
    """Who reads this answer."""
    return Reader(language(), found.names, viewer)


def title(found: Gathered, seat: int | None) -> str:
    """The game and who plays it."""
    game = vocabulary(found.position.opened.game).NAME[language()]
    if seat is None:
        return _("%(game)s: %(names)s", game=game, names=" – ".join(found.names))
    others = [name for number, name in enumerate(found.names, start=1) if number != seat]
    return _("%(game)s against %(names)s", game=game, names=", ".join(others))


def status(found: Gathered, position: Position, seat: int | None) -> Status:
    """Whose turn it is, whom the match waits for, or how it ended."""
    if position.phase is Phase.JOINING:
        away = [person.name for person in found.people if person.pid is None]
        return Status(_("Waiting for"), ", ".join(away))
    if position.result:
        return Status(_("Result"), tale.result(position, reader(found, seat or BYSTANDER)))
    mover = position.turn.seat if isinstance(position.turn, ToMove) else None
    if mover is not None and mover == seat:
        return Status(_("To move"), _("you"))
    return Status(_("To move"), found.names[mover - 1] if mover else _("the lot"))


def drawn(found: Gathered, position: Position, viewer: Viewer) -> str:
    """The picture of a position at rest."""
    if position.state is None:
        return ""
    key = (position.m, position.hash, viewer, language())
    board = _boards.get(key)
    if board is None:
        board = picture(found, position, viewer, last=last_line(found.steps[: position.n]))
        _boards.put(key, board)
    return board


def picture(
    found: Gathered,
    position: Position,
    viewer: Viewer,
    *,
    state: object = None,
    choices: Sequence[Choice] = (),
    line: str = "",
    last: str = "",
) -> str:
    """The picture for a reader; `state` is what they would reach with the line begun."""
    shown = position if state is None else position._replace(state=state)
    return drawing(position.opened.game).svg(
        tale.view(shown, viewer), reader(found, viewer), choices=choices, line=line, last=last
    )


def last_line(steps: Sequence[Step]) -> str:
    """The newest turn line of these records."""
    bodies = (record.body for record, _ in reversed(steps))
    return next((body.mv for body in bodies if isinstance(body, Move)), "")


def lately(found: Gathered, viewer: Viewer) -> tuple[Told, ...]:
    """What happened since the reader's own last turn; for a bystander, the last turn. The end is
    told by the status."""
    first = max(_since(found.records, viewer), 1)
    who = reader(found, viewer)
    return tuple(
        Told(record.n, tale.tell(record, before, after, who))
        for (_, before), (record, after) in pairwise(found.steps[first - 1 :])
        if not isinstance(record.body, End)
    )


def _since(records: Sequence[Record], viewer: Viewer) -> int:
    for record in reversed(records):
        body = record.body
        if isinstance(body, Move) and body.seat == viewer:
            return record.n + 1
        if isinstance(body, Move) and viewer == BYSTANDER:
            return record.n
    return next((record.n for record in records if isinstance(record.body, Start)), len(records))


def rows(found: Gathered) -> tuple[Row, ...]:
    """The turn list, newest first. A row ends before a seat that has played in it or stands
    before one that has."""
    moves = [record for record in found.records if isinstance(record.body, Move)]
    rounds: list[list[list[Turn]]] = []
    before = len(found.names) + 1
    for record in moves:
        assert isinstance(record.body, Move)
        seat = record.body.seat
        if seat < before or not rounds:
            rounds.append([[] for _ in found.names])
        rounds[-1][seat - 1].append(Turn(record.n, record.body.mv, record is moves[-1]))
        before = seat
    numbered = [
        Row(number, tuple(map(tuple, cells))) for number, cells in enumerate(rounds, start=1)
    ]
    return tuple(reversed(numbered[-ROWS:]))


def _sat(person: SeatRow, position: Position, seat: int | None) -> Sat:
    if person.number is not None and person.number == seat:
        return Sat(seat, _("%(name)s (you)", name=person.name))
    if person.declined:
        return Sat(None, _("%(name)s (declined)", name=person.name))
    if person.pid is None:
        return Sat(None, _("%(name)s (invited)", name=person.name))
    return Sat(person.number, person.name)
