"""Monad in a list of matches: everybody's Monads, and the reader's own cards."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.drawing import Reader
from games.core.names import called
from games.core.svg import number, paint, picture, thing, words
from games.core.text import plain
from games.monad.cards import VALUE
from games.monad.people import CIRCLE, NOTHING, ROW, known, monads
from games.monad.symbols import definitions, place, small_card
from games.monad.told import hand, has, standing, title
from games.monad.view import Holder, View

EDGE, MARGIN = 320, 8
LINE, LOW = 88, 46
"""From one seat to the next where they are two or three, and where they are more."""
FEW = 3


def small(view: View, reader: Reader) -> str:
    """A line for each seat, the reader's first; below it the cards that the reader sees."""
    own = [view.holder(reader.viewer)] if isinstance(reader.viewer, int) else []
    parts, y = [], 0
    for holder in (*own, *view.others(reader.viewer)):
        sentences = (has(view, holder, reader), hand(holder, reader))
        shape, y = _seat(view, holder, reader, y)
        parts.append(thing("", ", ".join(filter(None, sentences)), shape))
    ground = (
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{EDGE + 2 * MARGIN}"'
        f' height="{y + 2 * MARGIN}" {paint("paper")}/>'
    )
    shown = ["\n".join(definitions()), ground, *parts]
    told = standing(view, reader)
    return picture((EDGE, y), reader.language, title(view, reader), told, shown, MARGIN)


def _seat(view: View, holder: Holder, reader: Reader, y: int) -> tuple[str, int]:
    """A seat, and where it ends."""
    parts = [_name(view, holder, reader, y), *_cards(view, holder, y)]
    rows = max((row + 1 for _, row, _ in known(holder, EDGE)), default=0)
    y += (LINE if len(view.holders) <= FEW or rows else LOW) + ROW * rows
    line = f'<path d="M0 {y - 4}H{EDGE}" {paint(stroke="rule", width=2)}/>'
    return "".join((*parts, line)), y + 6


def _name(view: View, holder: Holder, reader: Reader, y: int) -> str:
    """The name, and the Monads as circles, or as a figure where they are many."""
    most, name = max(view.target, holder.team), plain(reader.names[holder.seat - 1])
    as_circles = most * CIRCLE < EDGE / 2
    score = f"{holder.team}/{view.target}"
    room = EDGE - 28 - (most * CIRCLE if as_circles else 20 * len(score) + 20)
    shown = called(name, 2, y + 32, 28, room, left=holder.left)
    if as_circles:
        return shown + monads(holder, view.target, (EDGE - 16, y + 24), (CIRCLE, 1.1), NOTHING)
    figure = words(EDGE, y + 33, 28, score, "print", anchor="end")
    return shown + place("m-on", EDGE - 18 - 17 * len(score), y + 24) + figure


def _cards(view: View, holder: Holder, y: int) -> Iterator[str]:
    """Stamm card and size of the hand, and the cards that are seen."""
    if len(view.holders) <= FEW or holder.seen:
        if holder.stamm:
            yield small_card(2, y + 44, 36, holder.stamm)
        yield from _count(holder, y + 44)
    for x, row, card in known(holder, EDGE):
        middle = y + LINE + 14 + ROW * row
        if card in VALUE:
            yield place(f"badge-{card[0]}", x, middle)
        else:
            yield words(x, middle + 8, 22, card, "print-2", anchor="start")


def _count(holder: Holder, y: int) -> Iterator[str]:
    paper, back = paint("card", "cardline", 2), paint("back")
    yield (
        f'<rect x="96" y="{number(y)}" width="22" height="30" rx="4" {paper}/>'
        f'<rect x="100" y="{number(y + 4)}" width="14" height="22" rx="2" {back}/>'
    )
    yield words(126, y + 25, 26, str(len(holder.hand)), "print", anchor="start")
