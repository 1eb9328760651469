"""The picture of a match for one reader: the board, and what it marks."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.drawing import Reader
from games.core.rules import Choice, Viewer
from games.position import Position
from games.registry import drawing
from service import tale
from service.cache import Cache
from service.web.match.loaded import Loaded
from service.web.request import language

_boards: Cache[tuple[object, ...], str] = Cache(512)
"""By head hash, viewer, language, and "small" or whether it is turned."""


def reader(found: Loaded, position: Position, viewer: Viewer, *, turned: bool = False) -> Reader:
    """Who reads this answer, and whether the match is over at the position they look at."""
    return Reader(language(), found.names, viewer, position.result is not None, turned)


def at_rest(found: Loaded, position: Position, viewer: Viewer, *, turned: bool = False) -> str:
    """The picture of a position in which nothing is chosen."""
    if position.state is None:
        return ""
    key = (position.hash, viewer, language(), turned)
    board = _boards.get(key)
    if board is None:
        last = last_turn(found, position)
        board = picture(found, position, viewer, last=last, turned=turned)
        _boards.put(key, board)
    return board


def small(found: Loaded, viewer: Viewer) -> str:
    """The present position in a list of matches; "" before the start."""
    position = found.position
    if position.state is None:
        return ""
    key = (position.hash, viewer, language(), "small")
    board = _boards.get(key)
    if board is None:
        drawn = drawing(position.opened.game)
        board = drawn.small(tale.view(position, viewer), reader(found, position, viewer))
        _boards.put(key, board)
    return board


def picture(
    found: Loaded,
    position: Position,
    viewer: Viewer,
    *,
    state: object = None,
    choices: Sequence[Choice] = (),
    line: str = "",
    last: Sequence[str] = (),
    turned: bool = False,
) -> str:
    """The picture for a reader; `state` is what they would reach with the line begun."""
    shown = position if state is None else position._replace(state=state)
    return drawing(position.opened.game).svg(
        tale.view(shown, viewer),
        reader(found, position, viewer, turned=turned),
        choices=choices,
        line=line,
        last=last,
    )


def last_turn(found: Loaded, position: Position) -> tuple[str, ...]:
    """The lines of the turn that was played last before a position."""
    return tale.last_turn([record.body for record, _ in found.passed[: position.n]])
