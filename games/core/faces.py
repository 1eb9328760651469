"""Cards as they are drawn in a hand: faces, backs, and where each lies."""

from __future__ import annotations

from typing import NamedTuple

from games.core.svg import HIT, number, paint, words

WIDTH, HEIGHT = 116, 146
TABLE = 640
"""Width of the table between its margins."""
ROW, PITCH = 5, 168
"""Cards to a row, and from one row to the next, with room for the underline."""

SYMBOL = (
    f'<g id="card"><rect width="116" height="146" rx="10" {paint("card", "cardline", 2.4)}/></g>'
)


class Spot(NamedTuple):
    """Where a card lies: its left upper corner."""

    x: float
    y: float

    def place(self, parts: str) -> str:
        """Something drawn for a card at the origin, put there."""
        return f'<g transform="translate({number(self.x)} {number(self.y)})">{parts}</g>'


def spread(count: int, top: float) -> tuple[Spot, ...]:
    """Where the cards of a hand lie, five to a row."""
    across = (TABLE - WIDTH) / (ROW - 1)
    return tuple(Spot(step % ROW * across, top + step // ROW * PITCH) for step in range(count))


def depth(count: int) -> float:
    """How deep a hand of so many cards is, with the room for its underlines."""
    return PITCH * -(-count // ROW)


def face(letter: str, value: str, *, pointed: bool, marks: str = "") -> str:
    """A full card at the origin. `pointed` badges are broader than round and square ones; `marks`
    are drawn over it."""
    near, scale = (48, 0.78) if pointed else (45, 0.86)
    return (
        f'<use href="#card"/><use href="#badge-{letter}" transform="translate(24 26)"/>'
        + words(near, 38.4, 36, value, "cardtext", anchor="start")
        + f'<use href="#emblem-{letter}" transform="translate(58 73) scale({scale})"/>'
        f'<use href="#badge-{letter}" transform="translate(92 120)"/>'
        + words(70, 132.4, 36, value, "cardtext", anchor="end")
        + marks
    )


def back() -> str:
    """A card that is not seen, at the origin."""
    inner = paint("back")
    line = paint(stroke="backline", width=2)
    return (
        f'<use href="#card"/><rect x="9" y="9" width="98" height="128" rx="5" {inner}/>'
        f'<rect x="17" y="17" width="82" height="112" rx="3" {line}/>'
    )


def underlined(shape: str) -> str:
    """A card that may be picked."""
    return HIT_CARD + shape + underline(58, 155, 28)


def framed(shape: str) -> str:
    """A card that is picked."""
    frame = paint("ink-wash", "ink", 6)
    return f'<rect x="-5" y="-5" width="126" height="156" rx="14" {frame}/>{HIT_CARD}{shape}'


def underline(x: float, y: float, half: float) -> str:
    """The sign below a thing that may be chosen."""
    return (
        f'<line x1="{number(x - half)}" y1="{number(y)}" x2="{number(x + half)}" y2="{number(y)}"'
        f' {paint(stroke="ink", width=6)} stroke-linecap="round"/>'
    )


HIT_CARD = f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" {HIT}/>'
