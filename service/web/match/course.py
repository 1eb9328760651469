"""The course of a match in figures: a chart beside the replay, and the same as a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from games.core import chart
from games.core.chart import Chart
from games.core.drawing import Figure
from games.core.rules import BYSTANDER
from games.registry import drawing
from service import tale
from service.cache import Cache
from service.web.match import board as boards
from service.web.match.loaded import Loaded
from service.web.request import _, language

Point = tuple[int, tuple[Figure, ...]]
"""A record, and the figures after it."""

_courses: Cache[tuple[bytes, str], tuple[Point, ...]] = Cache(64)
"""By head hash and language."""


@dataclass(frozen=True)
class Line:
    """A row of the table: a record that changed something."""

    n: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Course:
    """The chart with its twin."""

    picture: str
    names: tuple[str, ...]
    lines: tuple[Line, ...]


def course(found: Loaded, at: int) -> Course | None:
    """The course of the whole match so far, with a mark at record `at`; None if the game has
    nothing to follow, or nothing has happened."""
    points = _points(found)
    if len(points) < 2:
        return None
    here = max(0, bisect_right([n for n, _figures in points], at) - 1)
    shown = Chart(_("The course of the match"), language(), [one for _n, one in points], here)
    lines = [Line(n, tuple(figure.value for figure in figures)) for n, figures in points]
    changed = [
        line
        for before, line in zip([None, *lines], lines, strict=False)
        if before is None or before.values != line.values
    ]
    names = tuple(figure.name for figure in points[0][1])
    return Course(chart.svg(shown), names, tuple(changed))


def _points(found: Loaded) -> tuple[Point, ...]:
    """What the game follows at the start and after each turn. It is the same for everybody."""
    key = (found.position.hash, language())
    points = _courses.get(key)
    if points is None:
        first = next((turn.records[0] - 1 for turn in found.turns), None)
        ends = [] if first is None else [first, *(turn.records[-1] for turn in found.turns)]
        points = tuple(_until_nothing(found, ends))
        _courses.put(key, points)
    return points


def _until_nothing(found: Loaded, records: list[int]) -> Iterator[Point]:
    """Nothing at all for a game that follows nothing, however long the match is."""
    drawn = drawing(found.row.game)
    for n in records:
        position = found.passed[n][1]
        if position.state is None:
            continue
        view = tale.view(position, BYSTANDER)
        figures = drawn.figures(view, boards.reader(found, position, BYSTANDER))
        if not figures:
            return
        yield n, figures
