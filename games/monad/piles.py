"""The ladder in the middle of the table of Monad: stock and discard, the four groups, Monads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core.svg import number, paint, words
from games.monad.cards import VALUES, warm
from games.monad.people import EDGE
from games.monad.symbols import pair_mark, place

WIDE, HIGH = 96, 124
"""A card of the ladder."""
PITCH = 108.8
"""From one column to the next."""
SHOWN = 41
"""What is seen of a card that lies below another."""
COLUMN, STRIP = 8, 14
"""So many cards of the discard lie under the stock, two by two; more of them lie under the whole
table, so many to a row."""
CELL, BROAD = 42, 44
"""From one badge of the discard down or along to the next."""
PENCIL = paint(stroke="pencil", width=3) + ' stroke-dasharray="7 6"'
INK = paint(stroke="ink", width=5)


class Trace(NamedTuple):
    """What a turn changed on the table, and whether it is drawn in ink or in pencil."""

    returned: tuple[str, ...] = ()
    ones: int = 0
    """How many ones came on the discard."""
    flipped: bool = False
    ink: bool = False

    def mark(self, shape: str) -> str:
        """A sign beside what changed."""
        if not shape:
            return ""
        return f'<g class="{"chosen" if self.ink else "last"}">{shape}</g>'

    @property
    def line(self) -> str:
        return INK if self.ink else PENCIL


def column(step: int) -> float:
    """Where a column of the ladder begins."""
    return round(PITCH * step, 1)


def face(card: str) -> str:
    """A narrow card at the origin."""
    near, scale = (43, 0.66) if warm(card) else (46, 0.58)
    return "".join(
        (
            '<use href="#head"/>',
            place(f"badge-{card[0]}", 22, 24),
            words(near, 35, 32, card[1:], "cardtext", anchor="start"),
            place(f"emblem-{card[0]}", 48, 62, scale),
            _foot(card),
        )
    )


def _foot(card: str) -> str:
    """The lower edge of a card, which is what is seen of it under another."""
    size, drop, left, scale = (32, 111, 17, 0.9) if len(card) == 2 else (28, 109.7, 11.5, 0.62)
    return (
        place(f"badge-{card[0]}", 72.5, 100)
        + words(50.5, drop, size, card[1:], "cardtext", anchor="end")
        + place(pair_mark(card[0]), left, 100, scale)
    )


def under(card: str) -> str:
    """A card of a group that lies under another."""
    return f'<use href="#head"/>{_foot(card)}'


def at(x: float, y: float, shape: str) -> str:
    """A shape drawn at the origin, put there."""
    return f'<g transform="translate({number(x)} {number(y)})">{shape}</g>'


def depth(count: int) -> int:
    """How deep a group of so many cards hangs."""
    return HIGH + SHOWN * max(count - 1, 0)


def bare(x: float, y: float, value: int) -> str:
    """The place of a group or of the stock in which there is no card."""
    frame = f'<rect x="{number(x + 1)}" y="{y + 1}" width="94" height="122" rx="10"'
    figure = words(x + 48, y + 73, 32, str(value), "print-2")
    return f"{frame} {paint(stroke='rule', width=2)}/>{figure}"


def stock(count: int, y: float) -> str:
    """The stock with the number of its cards."""
    if not count:
        return bare(0, int(y), VALUES[0])
    disc = f'<rect x="26" y="{number(y + 40)}" width="44" height="44" rx="22" {paint("card")}/>'
    return place("back", 0, y) + disc + words(48, y + 72, 28, str(count), "cardtext")


def turned(y: float, trace: Trace) -> str:
    """The sign round a stock that was the discard before."""
    if not trace.flipped:
        return ""
    return f'<rect x="-5" y="{number(y - 5)}" width="106" height="134" rx="14" {trace.line}/>'


def discard_size(count: int) -> tuple[int, int]:
    """How wide and how high the discard is."""
    if count <= COLUMN:
        return WIDE, 8 + CELL * max(-(-count // 2), 1)
    return EDGE, 8 + CELL * -(-count // STRIP)


def discard(cards: Sequence[str], y: float, traces: Sequence[Trace]) -> str:
    """Badges, the oldest first, row by row."""
    wide, high = discard_size(len(cards))
    frame = (
        f'<rect x="1.2" y="{number(y)}" width="{number(wide - 2.4)}" height="{high}" rx="10"'
        f" {paint(stroke='line' if cards else 'rule', width=2)}/>"
    )
    spots = list(_spots(len(cards), y))
    badges = [place(f"badge-{card[0]}", *spot) for card, spot in zip(cards, spots, strict=True)]
    rings = []
    for trace in traces:
        old = max(len(spots) - trace.ones, 0)
        spots, fresh = spots[:old], spots[old:]
        rings.append(trace.mark("".join(_ring(spot, trace.line) for spot in fresh)))
    return "".join((frame, *badges, *rings))


def _spots(count: int, y: float) -> Iterator[tuple[float, float]]:
    across = 2 if count <= COLUMN else STRIP
    for number_ in range(count):
        row, step = divmod(number_, across)
        yield 26 + BROAD * step, y + 26 + CELL * row


def _ring(spot: tuple[float, float], line: str) -> str:
    x, y = spot
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="20" {line}/>'


def brackets(group: Sequence[str], x: float, y: float, traces: Sequence[Trace]) -> str:
    """The signs beside the cards that were returned to a group."""
    return "".join(
        trace.mark("".join(_bracket(run, x + 99, y, trace.line) for run in _runs(group, trace)))
        for trace in traces
    )


def _runs(group: Sequence[str], trace: Trace) -> Iterator[tuple[int, int]]:
    """The first and last places of cards that were returned and lie one under the other."""
    first = None
    for place_, card in enumerate((*group, "")):
        if card in trace.returned:
            first = place_ if first is None else first
        elif first is not None:
            yield first, place_ - 1
            first = None


def _bracket(run: tuple[int, int], x: float, y: float, line: str) -> str:
    first, last = run
    start = y + SHOWN * first + (88 if first else 4)
    end = y + SHOWN * last + 120
    path = f"M{number(x)} {number(start)}h6V{number(end)}h-6"
    return f'<path d="{path}" {line}/>'


def monads(y: float) -> str:
    """The Monads, of which there are always enough."""
    x = column(5)
    return "".join(
        (
            place("head", x, y),
            words(x + 9, y + 35, 32, "80", "cardtext", anchor="start"),
            place("monad", x + 48, y + 66, 0.72),
            words(x + 88, y + 113, 32, "80", "cardtext", anchor="end"),
        )
    )


def steps(y: float) -> Iterator[str]:
    """The marks between the columns: a pair climbs by one."""
    return (place("step", column(step) - 6.4, y + 62) for step in range(1, 6))
