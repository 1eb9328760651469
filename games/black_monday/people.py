"""What lies before everybody in Black Monday: names, money and shares in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.black_monday.cards import COLOURS, SHARES, of_colour
from games.black_monday.symbols import use
from games.black_monday.view import Holder
from games.core.cards import UNSEEN
from games.core.names import called
from games.core.svg import DASHES, number, paint, tick, words

LINE = 52
"""From one line to the next."""
FIRST, EDGE = 224, 640
"""Where the shares of a line begin and end."""
WORTH = 92
"""Kept free for the wealth at the end of a match."""
PENCIL = f"{paint(stroke='pencil', width=3)} {DASHES}"


class Marks(NamedTuple):
    """What is told beside what a seat has."""

    bought: tuple[str, ...] = ()
    """Share cards that came with the last turn."""
    sold: bool = False
    """Whether the last turn sold shares."""
    over: bool = False
    won: bool = False


class Run(NamedTuple):
    """The share cards of a colour, from x on in a row."""

    cards: tuple[str, ...]
    x: float
    row: int

    @property
    def total(self) -> str:
        """How many shares the cards are, unless a single card says so."""
        total = sum(SHARES[card] for card in self.cards)
        return "" if self.cards[0][1:] == str(total) else f"={total}"

    @property
    def edge(self) -> float:
        """Where the cards end."""
        return self.x + 16 + 48 * len(self.cards)

    @property
    def end(self) -> float:
        """Where the sum ends."""
        return self.edge + 45 * bool(self.total)


def line(name: str, holder: Holder, y: float, marks: Marks) -> tuple[str, int]:
    """A seat in one row or more, y being the middle of the first; and how many rows these are."""
    runs = tuple(_runs(holder, EDGE - WORTH * marks.over))
    rows = 1 + max((run.row for run in runs), default=0)
    parts = [
        called(name, 0, y + 9, 25, 98, left=holder.left),
        coin(112, y, sold=marks.sold),
        words(132, y + 9, 26, str(holder.money), "print", anchor="start"),
        *(_run(run, y + LINE * run.row, marks.bought) for run in runs),
        worth(holder, y, marks),
    ]
    if holder.seen:
        parts.append(_hand(holder, y + LINE * rows))
        rows += 1
    return "".join(parts), rows


def coin(x: float, y: float, *, sold: bool = False) -> str:
    """The sign of money, in a ring if the last turn sold shares."""
    ring = f'<g class="last"><circle cx="{number(x)}" cy="{number(y)}" r="16" {PENCIL}/></g>'
    return use("coin", x, y) + ring * sold


def worth(holder: Holder, y: float, marks: Marks) -> str:
    """The wealth at the end, with a tick if it won."""
    if not marks.over:
        return ""
    figure = words(EDGE, y + 9, 26, str(holder.wealth), "print", anchor="end")
    left = EDGE - 26 - 15 * len(str(holder.wealth))
    return figure + f'<g class="won">{tick(left, y)}</g>' * marks.won


def _runs(holder: Holder, limit: float) -> Iterator[Run]:
    """The shares colour by colour, in as many rows as they need."""
    x, row = float(FIRST), 0
    for colour in range(len(COLOURS)):
        cards = of_colour(holder.shares, colour)
        if not cards:
            continue
        run = Run(cards, x, row)
        if run.end > limit and x > FIRST:
            row += 1
            run = Run(cards, FIRST, row)
        yield run
        x = run.edge + (80 if run.total else 36)


def _run(run: Run, y: float, bought: tuple[str, ...]) -> str:
    """Badge, cards and sum of a colour."""
    fresh = [card for card in bought if card in run.cards]
    parts = [use(f"badge-{run.cards[0][0]}", run.x, y)]
    for place, card in enumerate(run.cards):
        x = run.x + 22 + 48 * place
        parts.append(use("mini", x, y - 18) + words(x + 21, y + 9, 25, card[1:], "cardtext"))
        if card in fresh:
            fresh.remove(card)
            frame = f'<rect x="{number(x - 5)}" y="{number(y - 23)}" width="52" height="46" rx="9"'
            parts.append(f'<g class="last">{frame} {PENCIL}/></g>')
    total = words(run.edge + 8, y + 8, 21, run.total, "print-2", 400, "start") if run.total else ""
    return "".join((*parts, total))


def _hand(holder: Holder, y: float) -> str:
    """A hand that lies open: the sign of a hand, then badge and value of each card."""
    sign = (
        f'<rect x="1" y="{number(y - 14)}" width="20" height="28" rx="4"'
        f" {paint('back', 'backline', 2)}/>"
    )
    return sign + "".join(
        use(f"badge-{card[0]}", 50 + 75 * place, y)
        + words(82 + 75 * place, y + 9, 25, card[1:], "print")
        for place, card in enumerate(card for card in holder.hand if card != UNSEEN)
    )
