"""The shapes from which the pictures of Black Monday are put together."""

from __future__ import annotations

from games.core import faces
from games.core.svg import number, paint, words

COLOUR = {"R": "red", "B": "blue", "P": "purple", "Y": "yellow"}
"""The token of each colour. Its pips are its number: the more, the wider its window."""
POINTED = frozenset("PY")
"""The colours whose badges are broader: a diamond and a star."""

_SHAPES = {
    "R": ('<circle r="34" {}/>', '<circle r="15" {}/>'),
    "B": (
        '<rect x="-31" y="-31" width="62" height="62" rx="3" {}/>',
        '<rect x="-14" y="-14" width="28" height="28" rx="2" {}/>',
    ),
    "P": (
        '<path d="M0 -43L43 0L0 43L-43 0Z" {}/>',
        '<path d="M0 -19.5L19.5 0L0 19.5L-19.5 0Z" {}/>',
    ),
    "Y": (
        '<path d="M0 -41L11.9 -28.6L29 -29L28.6 -11.9L41 0L28.6 11.9L29 29L11.9 28.6L0 41'
        'L-11.9 28.6L-29 29L-28.6 11.9L-41 0L-28.6 -11.9L-29 -29L-11.9 -28.6Z" {}/>',
        '<path d="M0 -19L5.5 -13.4L13.4 -13.4L13.4 -5.5L19 0L13.4 5.5L13.4 13.4L5.5 13.4L0 19'
        'L-5.5 13.4L-13.4 13.4L-13.4 5.5L-19 0L-13.4 -5.5L-13.4 -13.4L-5.5 -13.4Z" {}/>',
    ),
}
"""By colour: the emblem in the middle of a card, and the badge in its corners."""
_PIPS = {
    "R": ((0, 0),),
    "B": ((-12, -12), (12, 12)),
    "P": ((0, -14), (-14, 10), (14, 10)),
    "Y": ((-10, -10), (10, -10), (-10, 10), (10, 10)),
}


def _emblem(letter: str) -> str:
    token, shape = COLOUR[letter], _SHAPES[letter][0]
    colour = paint(token, "cardtext", 2.4) if letter == "Y" else paint(token)
    pips = "".join(
        f'<circle cx="{x}" cy="{y}" r="7" {paint(f"on{token}")}/>' for x, y in _PIPS[letter]
    )
    return f'<g id="emblem-{letter}">{shape.format(colour)}{pips}</g>'


def _badge(letter: str) -> str:
    token, shape = COLOUR[letter], _SHAPES[letter][1]
    colour = paint(token, "cardtext", 2) if letter == "Y" else paint(token, "card", 2.4)
    name = words(1 if letter == "P" else 0, 7.5, 21, letter, f"on{token}")
    return f'<g id="badge-{letter}">{shape.format(colour)}{name}</g>'


def bolt(path: str, colour: str, width: float) -> str:
    """The sign of the crash, round the origin."""
    return (
        f'<path d="{path}" {paint(stroke=colour, width=width)}'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _blank(name: str, width: float, height: float, radius: float, line: float) -> str:
    """An empty card of a size."""
    return (
        f'<g id="{name}"><rect width="{number(width)}" height="{number(height)}"'
        f' rx="{number(radius)}" {paint("card", "cardline", line)}/></g>'
    )


SYMBOLS = "\n".join(
    (
        "<defs>",
        *(_emblem(letter) for letter in COLOUR),
        *(_badge(letter) for letter in COLOUR),
        f'<g id="crash">{bolt("M3 -12L-6 2H6L-3 13", "cardtext", 3.4)}</g>',
        faces.SYMBOL,
        _blank("price", 112, 76, 10, 2.4),
        _blank("share", 84, 64, 8, 2.4),
        _blank("mini", 42, 36, 6, 2),
        f'<g id="coin"><circle r="11" {paint(stroke="line", width=2.4)}/>'
        f'<circle r="5" {paint(stroke="line", width=2)}/></g>',
        "</defs>",
    )
)


def use(name: str, x: float, y: float, scale: float = 1) -> str:
    """A symbol, put somewhere."""
    small = f" scale({scale})" if scale != 1 else ""
    return f'<use href="#{name}" transform="translate({number(x)} {number(y)}){small}"/>'


def face(card: str) -> str:
    """A hand card at the origin; a bolt says that it can be played as 0."""
    marks = use("crash", 103, 25) if int(card[1:]) > 10 else ""
    return faces.face(card[0], card[1:], pointed=card[0] in POINTED, marks=marks)


def small(card: str, x: float, y: float, colour: str = "cardtext") -> str:
    """The figures of a share card whose left upper corner is at x, y."""
    badge, value = use(f"badge-{card[0]}", x + 24, y + 32), card[1:]
    if len(value) > 1:
        return badge + words(x + 61, y + 43, 31, value, colour)
    return badge + words(x + 58, y + 45, 36, value, colour)
