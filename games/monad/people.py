"""What lies before everybody in Monad: name, Stamm card, Monads, and what is known of the hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.core.names import called, fitted, width
from games.core.svg import number, paint, tick, words
from games.monad.cards import VALUE, VALUES
from games.monad.symbols import place, small_card
from games.monad.view import Holder

EDGE, GAP = 640, 14
"""The width of the table, and what is between two panels."""
FLAT = 104
"""The height of a panel without known cards."""
ROW, STEP = 42, 39
"""Known cards: from one row to the next, and from one badge to the next."""
INDENT, HALF = 14.0, 20
"""Where a row of known cards begins, and half a badge."""
CIRCLE, NARROW = 29, 80
"""From one Monad to the next, and the least room for a name."""
PENCIL = paint(stroke="pencil", width=3) + ' stroke-dasharray="5 4"'
INK = paint(stroke="ink", width=5)


class Marks(NamedTuple):
    """What a turn changed for a seat, and with which line that is told."""

    cards: tuple[str, ...] = ()
    """Gained."""
    monads: int = 0
    """Gained."""
    unseen: bool = False
    """Whether a card was gained that is not seen."""
    line: str = PENCIL


NOTHING = Marks()


class Panel(NamedTuple):
    """A seat above the table."""

    name: str
    holder: Holder
    target: int
    teams: bool
    side: bool
    """Whether it is of the team that is told by a bar."""
    won: bool
    marks: Marks


def columns(count: int) -> int:
    """How many panels lie in a row."""
    return 2 if count in (2, 4) else min(count, 3)


def breadth(count: int) -> float:
    """How wide a panel is when there are so many."""
    across = columns(count)
    return (EDGE - GAP * (across - 1)) / across


def height(panels: tuple[Panel, ...]) -> int:
    """How high all panels are: as high as the highest needs."""
    wide = breadth(len(panels))
    return FLAT + ROW * max((_rows(panel.holder, wide) for panel in panels), default=0)


def _rows(holder: Holder, wide: float) -> int:
    return max((row + 1 for _, row, _ in known(holder, wide)), default=0)


def known(holder: Holder, wide: float) -> Iterator[tuple[float, int, str]]:
    """The cards of a hand that are seen, with their places: x, row, and a card or a value that
    stands before its cards. A value begins a new row if its cards do not fit into the last."""
    x, row, edge = INDENT, 0, wide - 8
    for value in VALUES:
        cards = [card for card in holder.seen if VALUE[card] == value]
        label = 13 * len(str(value)) + 26
        if not cards:
            continue
        if x > INDENT and x + label + STEP * (len(cards) - 1) + HALF > edge:
            x, row = INDENT, row + 1
        yield x, row, str(value)
        x += label
        for card in cards:
            if x + HALF > edge:
                x, row = INDENT + label, row + 1
            yield x, row, card
            x += STEP
        x -= HALF - 12


def panel(shown: Panel, x: float, y: float, wide: float, high: float) -> str:
    """A seat in its frame."""
    holder = shown.holder
    frame = _frame(x + 1.5, y + 1.5, wide - 3, high - 3, won=shown.won)
    parts = [frame, *_first_line(shown, x, y, wide)]
    if shown.side:
        parts.append(
            f'<rect x="{number(x + 1.5)}" y="{number(y + 14)}" width="5"'
            f' height="{number(high - 28)}" {paint("print")}/>'
        )
    if holder.stamm:
        parts.append(small_card(x + 14, y + 44, 48, holder.stamm))
    parts += _hand(shown, x, y, wide)
    if shown.won:
        parts.append(f'<g class="won">{tick(x + wide - 28, y + 70)}</g>')
    return "".join(parts)


def _frame(x: float, y: float, wide: float, high: float, *, won: bool) -> str:
    colour = paint("sheet", "print", 6) if won else paint("sheet", "rule", 2)
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
        f' rx="10" {colour}/>'
    )


def _first_line(shown: Panel, x: float, y: float, wide: float) -> Iterator[str]:
    """Name and Monads: a circle for each, or a figure where there is no room for circles."""
    holder, target = shown.holder, shown.target
    room = wide - 36 - CIRCLE * target
    as_circles = room >= NARROW
    if not as_circles:
        room = wide - 56 - 16 * len(_score(holder, target))
    yield called(shown.name, x + 14, y + 32, 25, room, left=holder.left)
    if as_circles:
        yield monads(holder, target, (x + wide - 22, y + 26), (CIRCLE, 1), shown.marks)
        return
    score = _score(holder, target)
    middle = x + wide - 32 - 14 * len(score)
    yield place("m-on" if holder.team else "m-off", middle, y + 26)
    yield words(x + wide - 14, y + 34, 25, score, "print", anchor="end")
    if shown.marks.monads:
        yield _ring(middle, y + 26, 14.5, shown.marks.line)


def _score(holder: Holder, target: int) -> str:
    return f"{holder.team}/{target}"


def monads(
    holder: Holder,
    target: int,
    end: tuple[float, float],
    step: tuple[float, float],
    marks: Marks,
) -> str:
    """The Monads out of those that win, ending on the right; those of the partner are hollow.

    `step` is the way from one to the next, and the scale.
    """
    (right, y), (pitch, scale) = end, step
    most = max(target, holder.team)
    kinds = ["m-on"] * holder.monads + ["m-mate"] * (holder.team - holder.monads)
    kinds += ["m-off"] * (most - holder.team)
    at = [right - pitch * (most - 1 - number) for number in range(most)]
    parts = [place(kind, x, y, scale) for kind, x in zip(kinds, at, strict=True)]
    fresh = at[holder.monads - marks.monads : holder.monads]
    parts += [_ring(x, y, 14.5 * scale, marks.line) for x in fresh]
    return "".join(parts)


def _ring(x: float, y: float, radius: float, line: str) -> str:
    style = "last" if line == PENCIL else "chosen"
    circle = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" {line}/>'
    return f'<g class="{style}">{circle}</g>'


def _hand(shown: Panel, x: float, y: float, wide: float) -> Iterator[str]:
    """How many cards, and those that are known."""
    holder, marks = shown.holder, shown.marks
    paper, back = paint("card", "cardline", 2), paint("back")
    yield (
        f'<g><rect x="{number(x + 94)}" y="{number(y + 52)}" width="22" height="30" rx="4"'
        f' {paper}/><rect x="{number(x + 98)}" y="{number(y + 56)}" width="14" height="22"'
        f' rx="2" {back}/></g>'
    )
    yield words(x + 122, y + 78, 26, str(len(holder.hand)), "print", anchor="start")
    if marks.unseen:
        yield _ring(x + 105, y + 67, 24, marks.line)
    fresh = list(marks.cards)
    for left, row, card in known(holder, wide):
        middle = y + FLAT + 14 + ROW * row
        if card not in VALUE:
            yield words(x + left, middle + 8, 22, card, "print-2", anchor="start")
            continue
        yield place(f"badge-{card[0]}", x + left, middle)
        if card in fresh:
            fresh.remove(card)
            yield _ring(x + left, middle, HALF, marks.line)


def own_line(shown: Panel, y: float) -> str:
    """The reader's own name, Stamm card and Monads; y is the line above."""
    holder = shown.holder
    right = EDGE - 26 if shown.won else EDGE - 14
    start = right - 28 * (max(shown.target, holder.team) - 1) - 20
    room = start - (138 if shown.won else 104)
    parts = [called(shown.name, 0, y + 45, 27, room, left=holder.left)]
    if holder.stamm:
        beside = round(width(*fitted(shown.name, 27, room)) + 24)
        parts.append(small_card(beside, y + 14, 46, holder.stamm))
    parts.append(monads(holder, shown.target, (right, y + 37), (28, 1.15), shown.marks))
    if shown.won:
        frame = f'<rect x="{start}" y="{number(y + 14)}" width="{EDGE - start - 1}" height="46"'
        circle = tick(start - 26, y + 37)
        parts.append(
            f'<g class="won">{frame} rx="10" {paint(stroke="print", width=6)}/>{circle}</g>'
        )
    return "".join(parts)
