"""Colours and marks for the pictures of all games, the same as on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import quote


class Colour(NamedTuple):
    """A colour by its use, in the light scheme and in the dark one."""

    light: str
    dark: str


TOKENS: Mapping[str, Colour] = {
    "paper": Colour("#f4f1ea", "#1a1815"),
    "sheet": Colour("#fffdf9", "#24211d"),
    "rule": Colour("#d6cfc2", "#3d3830"),
    "line": Colour("#786e60", "#8f8575"),
    "print": Colour("#272420", "#ece6da"),
    "print-2": Colour("#5f584d", "#b4ab9c"),
    "ink": Colour("#1b4b9b", "#8fb6f4"),
    "ink-wash": Colour("#dce6f6", "#243653"),
    "stamp": Colour("#a3352a", "#f29a87"),
    "stamp-wash": Colour("#f9e4df", "#47241e"),
    "ok": Colour("#2b6a40", "#8fca9d"),
    "ok-wash": Colour("#e2efe3", "#203526"),
    "field": Colour("#ede6d8", "#2f2a24"),
    "field-2": Colour("#dfd4be", "#3f382e"),
    "pencil": Colour("#6b6358", "#a89e8e"),
    "one": Colour("#f0c768", "#e6bd5c"),
    "oneline": Colour("#5a4218", "#191510"),
    "onetext": Colour("#2b2110", "#2b2110"),
    "two": Colour("#46362c", "#14110e"),
    "twoline": Colour("#2a1f18", "#c9b89e"),
    "twoedge": Colour("#eadfcb", "#b9a98f"),
    "twotext": Colour("#f8f0e3", "#f3e9d9"),
    "card": Colour("#fffdf9", "#e3dccf"),
    "cardline": Colour("#786e60", "#bdb3a2"),
    "cardtext": Colour("#272420", "#272420"),
    "cardtext-2": Colour("#5f584d", "#565046"),
    "back": Colour("#8a7d6b", "#6f6557"),
    "backline": Colour("#5f5547", "#a3988a"),
    "red": Colour("#ae2a1f", "#ae2a1f"),
    "orange": Colour("#ec9537", "#ec9537"),
    "yellow": Colour("#f4cd36", "#f4cd36"),
    "purple": Colour("#4e2378", "#4e2378"),
    "blue": Colour("#3a78b8", "#3a78b8"),
    "green": Colour("#4fa36c", "#4fa36c"),
    "onred": Colour("#ffffff", "#ffffff"),
    "onorange": Colour("#272420", "#272420"),
    "onyellow": Colour("#272420", "#272420"),
    "onpurple": Colour("#ffffff", "#ffffff"),
    "onblue": Colour("#ffffff", "#ffffff"),
    "ongreen": Colour("#272420", "#272420"),
    "on-ink": Colour("#ffffff", "#14181f"),
}
"""The values of tokens.css; a test compares the two."""

FONT = "Fira Sans, Segoe UI, system-ui, sans-serif"
DASHES = 'stroke-dasharray="7 6"'
HIT = 'class="hit" fill="none" stroke="none" stroke-width="4" pointer-events="all"'
"""Of a shape that can be hit: the area of a link, seen only when it is under the pointer."""


def style(token: str) -> str:
    """The name of a token in the classes `f-…` and `s-…`."""
    return token.replace("-", "")


def paint(fill: str = "", stroke: str = "", width: float = 0) -> str:
    """Attributes that colour a shape: classes for a page, the light values for everywhere else."""
    classes = [f"f-{style(fill)}"] * bool(fill) + [f"s-{style(stroke)}"] * bool(stroke)
    outline = f' stroke="{TOKENS[stroke].light}" stroke-width="{number(width)}"' if stroke else ""
    ground = TOKENS[fill].light if fill else "none"
    return f'class="{" ".join(classes)}" fill="{ground}"{outline}'


def number(value: float) -> str:
    """A measure with at most one decimal place."""
    return f"{value:.1f}".removesuffix(".0")


def picture(
    size: tuple[int, int],
    language: str,
    title: str,
    description: str,
    parts: list[str],
    margin: int = 0,
) -> str:
    """The whole picture, with a margin round its size. It has no width or height of its own."""
    width, height = (side + 2 * margin for side in size)
    corner = f"{-margin} {-margin}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{corner} {width} {height}"'
            ' class="board" role="group" aria-labelledby="board-title board-desc"'
            f' lang="{language}" font-family="{FONT}" font-weight="600">',
            f'<title id="board-title">{escape(title)}</title>',
            f'<desc id="board-desc">{escape(description)}</desc>',
            *parts,
            "</svg>",
        ]
    )


def thing(name: str, words: str, parts: str) -> str:
    """Something on the table, with its words for those who do not see it; "" names nothing."""
    named = f' id="{name}"' if name else ""
    return f'<g{named} role="img"><title>{escape(words)}</title>{parts}</g>'


def link(name: str, words: str, line: str, mark: str, parts: str) -> str:
    """A choosable thing: leads to the page on which `line` is begun."""
    href = escape("?line=" + quote(line, safe=":,;"))
    return f'<a id="{name}" href="{href}" class="{mark}"><title>{escape(words)}</title>{parts}</a>'


def words(
    x: float,
    y: float,
    size: float,
    content: str,
    fill: str,
    weight: int = 600,
    anchor: str = "middle",
) -> str:
    """A short text, centred unless the anchor is `start` or `end`."""
    light = f' font-weight="{weight}"' if weight != 600 else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{light}'
        f' text-anchor="{anchor}" {paint(fill)}>{escape(content)}</text>'
    )


def box(x: float, y: float, side: float, radius: float, rest: str) -> str:
    """A square shape with rounded corners."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(side)}" height="{number(side)}"'
        f' rx="{number(radius)}" {rest}/>'
    )


def hit(x: float, y: float, side: float) -> str:
    """The area of a link on a square."""
    return box(x, y, side, 10, HIT)


def badge(x: float, y: float, content: str) -> str:
    """A small disc that says what will happen to a thing: `+1`, or a cross for `×`; broader for
    what is longer: `−24`."""
    if content == "×":
        return disc(x, y, "ink") + (
            f'<path d="M{number(x - 7)} {number(y - 7)}l14 14m0 -14l-14 14"'
            f" {paint(stroke='ink-wash', width=3.5)}/>"
        )
    half, colour = max(16, 6 * len(content) + 4), paint("ink-wash", "ink", 2.5)
    ring = f'<circle cx="{number(x)}" cy="{number(y)}" r="16" {colour}/>'
    if half > 16:
        ring = (
            f'<rect x="{number(x - half)}" y="{number(y - 16)}" width="{2 * half}" height="32"'
            f' rx="16" {colour}/>'
        )
    return ring + words(x - 0.5, y + 7, 20, content, "ink")


def tick(x: float, y: float) -> str:
    """The disc on what has won."""
    return disc(x, y, "print") + (
        f'<path d="M{number(x - 7)} {number(y)}l5 6l10 -12" {paint(stroke="paper", width=3.5)}/>'
    )


def disc(x: float, y: float, fill: str, radius: float = 16) -> str:
    """A filled circle."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" {paint(fill)}/>'
