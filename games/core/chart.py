"""The chart beside a replay: lines that a game follows, told apart by badge and dashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from games.core.drawing import Figure
from games.core.svg import FONT, number, paint, words

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 560, 20, 270
BADGE = 15
DASHES = ("", "14 6", "3 6", "14 5 3 5", "24 6", "8 8")
"""Of the first line, the second, …: a line needs no colour to be followed."""
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""What may lie between two of the few figures at the side."""
MARKS = 6


@dataclass(frozen=True)
class Chart:
    """What is charted: the figures at each position, all of the same lines."""

    title: str
    language: str
    course: Sequence[tuple[Figure, ...]]
    at: int
    """The position that is looked at."""


def svg(chart: Chart) -> str:
    """The chart as a picture of its own; its table says the same in figures."""
    lines = len(chart.course[0])
    parts = [
        *_scale(chart),
        _here(chart),
        *(_line(chart, line) for line in range(lines)),
        *_badges(chart),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="chart"'
            f' role="img" aria-label="{escape(chart.title)}" lang="{chart.language}"'
            f' font-family="{FONT}" font-weight="600">',
            *parts,
            "</svg>",
        ]
    )


def _most(chart: Chart) -> int:
    return max(1, *(figure.value for figures in chart.course for figure in figures))


def _x(chart: Chart, place: int) -> float:
    return LEFT + (RIGHT - LEFT) * place / max(1, len(chart.course) - 1)


def _y(chart: Chart, value: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / _most(chart)


def _scale(chart: Chart) -> Iterator[str]:
    """Hairlines with their figures."""
    most = _most(chart)
    step = next((step for step in STEPS if most <= MARKS * step), most)
    for value in range(0, most + 1, step):
        y = _y(chart, value)
        yield f'<path d="M{LEFT} {number(y)}H{RIGHT}" {paint(stroke="rule", width=2)}/>'
        yield words(LEFT - 10, y + 7, 20, str(value), "print-2", 400, "end")


def _here(chart: Chart) -> str:
    x = number(_x(chart, chart.at))
    return f'<path d="M{x} {TOP - 10}V{BOTTOM + 10}" {paint(stroke="line", width=2)}/>'


def _line(chart: Chart, line: int) -> str:
    """A stair: a figure stands until it changes. Where it does not, nothing is drawn anew."""
    values = [figures[line].value for figures in chart.course]
    path = [f"M{number(_x(chart, 0))} {number(_y(chart, values[0]))}"]
    for place, (before, after) in enumerate(pairwise(values), start=1):
        if before != after:
            path.append(f"H{number(_x(chart, place))}V{number(_y(chart, after))}")
    dashes = f' stroke-dasharray="{DASHES[line % len(DASHES)]}"' if DASHES[line % 6] else ""
    drawn = "".join((*path, f"H{RIGHT}"))
    return f'<path d="{drawn}" {paint(stroke="print", width=3)}{dashes}/>'


def _badges(chart: Chart) -> Iterator[str]:
    """At the end of each line its badge with the last figure, none over another."""
    last = sorted(chart.course[-1], key=lambda figure: figure.value)
    for figure, y in zip(last, _apart([_y(chart, figure.value) for figure in last]), strict=True):
        ring = paint(figure.token, "print", 2)
        yield (
            f'<circle cx="{RIGHT + 18}" cy="{number(y)}" r="{BADGE}" {ring}/>'
            + words(RIGHT + 18, y + 7, 20, figure.sign, figure.on)
            + words(WIDTH, y + 8, 24, str(figure.value), "print", anchor="end")
        )


def _apart(wanted: list[float]) -> list[float]:
    """Where badges can lie, from the lowest up: as near as there is room to where they belong."""
    gap, found = 2 * BADGE + 2, list(wanted)
    for place in range(1, len(found)):
        found[place] = min(found[place], found[place - 1] - gap)
    found[-1] = max(found[-1], BADGE + 2)
    for place in range(len(found) - 2, -1, -1):
        found[place] = max(found[place], found[place + 1] + gap)
    return found
