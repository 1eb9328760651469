"""What the pictures of Monad are put together from: emblems, badges, faces and marks.

Round is warm, angular is cool, the same pattern is a pair (look.md, part 4).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core.svg import number, paint, words
from games.monad.cards import COLOURS, warm

INK = {"A": "red", "B": "orange", "C": "yellow", "a": "purple", "b": "blue", "c": "green"}
"""The token of each colour; what is drawn on it has the token `on…`."""
KEYED = "BCc"
"""Colours too light for a card: they have a dark outline, the others a light rim."""
ROUND = 'stroke-linecap="round"'
MITRED = 'stroke-linejoin="round"'

WAVES = (
    "M-25 -13q6.25 -9 12.5 0t12.5 0t12.5 0t12.5 0",
    "M-29 1q7.25 -9 14.5 0t14.5 0t14.5 0t14.5 0",
    "M-25 15q6.25 -9 12.5 0t12.5 0t12.5 0t12.5 0",
)
ZIGZAGS = (
    "M-20 -9l10 -10l10 10l10 -10l10 10",
    "M-31 5l15.5 -10l15.5 10l15.5 -10l15.5 10",
    "M-20 19l10 -10l10 10l10 -10l10 10",
)
DOTS = ((-13, -13), (13, -13), (0, 0), (-13, 13), (13, 13))
LOZENGES = ((0, -27.5), (-20, -7.5), (0, -7.5), (20, -7.5), (0, 12.5))
PAIRS = {"A": "wave", "B": "dot", "C": "ring"}
LETTER_DROP = {"a": 6.0, "b": 7.0, "c": 6.0}
"""How far below its middle the letter of a cool badge stands."""


def definitions() -> Iterator[str]:
    """All symbols of the picture."""
    yield "<defs>"
    for name, shape in _symbols():
        yield f'<g id="{name}">{shape}</g>'
    yield "</defs>"


def _symbols() -> Iterator[tuple[str, str]]:
    for colour in COLOURS:
        yield f"emblem-{colour}", _emblem(colour)
        yield f"badge-{colour}", _badge(colour)
    yield from _marks()
    yield from _faces()


def _emblem(colour: str) -> str:
    fill = paint(INK[colour], "cardtext", 2.4) if colour in KEYED else paint(INK[colour])
    shape = f'<circle r="34" {fill}/>' if warm(colour) else f'<path d="{diamond(42)}" {fill}/>'
    return shape + "".join(_pattern(colour))


def _pattern(colour: str) -> Iterator[str]:
    on = f"on{INK[colour]}"
    line, fill = paint(stroke=on, width=4.5), paint(on)
    match colour:
        case "A":
            yield from (f'<path d="{wave}" {line}/>' for wave in WAVES)
        case "a":
            yield from (f'<path d="{zigzag}" {line} {MITRED}/>' for zigzag in ZIGZAGS)
        case "B":
            yield from (f'<circle cx="{x}" cy="{y}" r="5.8" {fill}/>' for x, y in DOTS)
        case "b":
            lozenge = "l7.5 7.5l-7.5 7.5l-7.5 -7.5Z"
            yield from (f'<path d="M{x} {y}{lozenge}" {fill}/>' for x, y in LOZENGES)
        case "C":
            yield from (f'<circle r="{radius}" {line}/>' for radius in (10, 21))
        case _:
            yield from (f'<path d="{diamond(half)}" {line}/>' for half in (13, 27.3))


def diamond(half: float) -> str:
    """The path of a square that stands on a corner."""
    return f"M0 -{half}L{half} 0L0 {half}L-{half} 0Z"


def _badge(colour: str) -> str:
    rim = ("cardtext", 2.0) if colour in KEYED else ("card", 2.4)
    fill = paint(INK[colour], *rim)
    letter = words(0, LETTER_DROP.get(colour, 7.5), 22, colour, f"on{INK[colour]}")
    if warm(colour):
        return f'<circle r="15" {fill}/>{letter}'
    return f'<path d="{diamond(19.5)}" {fill}/>{letter}'


def _marks() -> Iterator[tuple[str, str]]:
    """Of pairs, of the joker, of Monads, and the step from a column to the next."""
    thin, fill = paint(stroke="cardtext-2", width=3) + f" {ROUND}", paint("cardtext-2")
    yield "pair-wave", f'<path d="M-10 0q5 -9 10 0t10 0" {thin}/>'
    dots = ((-6, -6), (6, -6), (0, 0), (-6, 6), (6, 6))
    yield "pair-dot", "".join(f'<circle cx="{x}" cy="{y}" r="2.8" {fill}/>' for x, y in dots)
    yield "pair-ring", f'<circle r="9" {thin}/><circle r="3" {fill}/>'
    star = "M0 -11V11M-9.5 -5.5L9.5 5.5M-9.5 5.5L9.5 -5.5"
    yield "joker", f'<path d="{star}" {paint(stroke="cardtext", width=4)} {ROUND}/>'
    eye = f'<circle r="3.6" {paint("paper")}/>'
    yield "m-on", f'<circle r="9.5" {paint("print", "print", 2)}/>{eye}'
    yield "m-off", f'<circle r="9" {paint(stroke="line", width=2.4)}/>'
    dot = f'<circle r="4.5" {paint("print")}/>'
    yield "m-mate", f'<circle r="9" {paint(stroke="print", width=2.4)}/>{dot}'
    ring = f'<circle r="22" {paint(stroke="card", width=2.4)}/>'
    middle = f'<circle r="9" {paint("card")}/>'
    yield "monad", f'<circle r="30" {paint("cardtext")}/>{ring}{middle}'
    step = paint(stroke="pencil", width=3)
    yield "step", f'<path d="M-3.5 -8L3.5 0L-3.5 8" {step} {ROUND}/>'


def _faces() -> Iterator[tuple[str, str]]:
    """Cards without what stands on them."""
    paper = paint("card", "cardline", 2.4)
    yield "card", f'<rect width="116" height="146" rx="10" {paper}/>'
    yield "head", f'<rect width="96" height="124" rx="10" {paper}/>'
    back = f'<rect x="8" y="8" width="80" height="108" rx="5" {paint("back")}/>'
    line = paint(stroke="backline", width=2)
    inner = f'<rect x="15" y="15" width="66" height="94" rx="3" {line}/>'
    yield "back", f'<rect width="96" height="124" rx="10" {paper}/>{back}{inner}'


def place(name: str, x: float, y: float, scale: float = 1) -> str:
    """A symbol at a place."""
    size = f" scale({scale:g})" if scale != 1 else ""
    return f'<use href="#{name}" transform="translate({number(x)} {number(y)}){size}"/>'


def small_card(x: float, y: float, height: float, colour: str) -> str:
    """The Stamm card beside a name: its badge and the sign of the joker."""
    middle = y + height / 2
    paper = paint("card", "cardline", 2)
    card = f'<rect x="{number(x)}" y="{number(y)}" width="64" height="{number(height)}" rx="7"'
    return (
        f"{card} {paper}/>"
        + place(f"badge-{colour}", x + 21, middle)
        + place("joker", x + 49, middle, 0.75)
    )


def pair_mark(colour: str) -> str:
    """The symbol of the pair of a colour."""
    return f"pair-{PAIRS[colour.upper()]}"
