"""The prices of Black Monday as cards with their scales, and how the turns moved them."""

from __future__ import annotations

from games.black_monday.symbols import bolt, use
from games.black_monday.view import Stock
from games.core.svg import DASHES, HIT, disc, number, paint, words

PITCH = 92
"""From one scale to the next."""
ZERO, STEP = 152, 36.2
"""Where the 0 of a scale is, and how far it is from one price to the next."""
HIGHEST = 13


def along(price: int) -> float:
    """Where a price is on its scale."""
    return ZERO + STEP * price


def scale(stock: Stock, top: float) -> str:
    """The price card, and the scale with what may follow now; the price itself is not on it yet."""
    figure = (56, 46) if stock.price < 10 else (52, 40)
    left, right = along(stock.low) - 17, along(stock.high) + 17
    return (
        _card(stock.colour, top)
        + words(81 - (stock.price < 10), top + figure[0], figure[1], str(stock.price), "cardtext")
        + f'<rect x="{number(left)}" y="{number(top + 17)}" width="{number(right - left)}"'
        f' height="34" rx="17" {paint("field-2")}/>'
        + _line(top)
        + "".join(_point(price, top, stock) for price in range(HIGHEST + 1))
    )


def bare(colour: str, top: float) -> str:
    """A card and its scale before there is a price."""
    points = "".join(_point(price, top, None) for price in range(HIGHEST + 1))
    return _card(colour, top) + _line(top) + points


def _card(colour: str, top: float) -> str:
    return use("price", 0, top + 2) + use(f"badge-{colour}", 30, top + 40, 1.25)


def _line(top: float) -> str:
    path = f"M{ZERO} {number(top + 34)}H{number(along(HIGHEST))}"
    return f'<path d="{path}" {paint(stroke="line", width=2)}/>'


def _point(price: int, top: float, stock: Stock | None) -> str:
    """A point of the scale with its figure: strong where the price may be after a change."""
    x, y = along(price), top + 34
    if stock and price == stock.price:
        return _label(price, top)
    if stock and stock.low <= price <= stock.high:
        return disc(x, y, "print", 4.5) + _label(price, top)
    if stock and stock.crash and price == 0:
        return _danger(x, y) + _label(price, top, "print", 400)
    return disc(x, y, "line", 2.8) + _label(price, top, "print-2", 400)


def _label(price: int, top: float, colour: str = "print", weight: int = 600) -> str:
    return words(along(price), top + 78, 21, str(price), colour, weight)


def _danger(x: float, y: float) -> str:
    """The sign at 0: a crash is possible."""
    ring = f'<circle cx="{number(x)}" cy="{number(y)}" r="15" {paint("stamp-wash", "stamp", 2.5)}/>'
    sign = bolt("M3 -11L-5 2H5L-3 11", "stamp", 3)
    return f'{ring}<g transform="translate({number(x)} {number(y)})">{sign}</g>'


def pointer(stock: Stock, top: float) -> str:
    """The badge of the colour at its price."""
    return use(f"badge-{stock.colour}", along(stock.price), top + 34, 0.98)


def frame(top: float, width: float) -> str:
    """The frame round a whole scale that may be hit, or is chosen."""
    shape = f'<rect x="-5" y="{number(top - 5)}" width="650" height="90"'
    return f'{shape} rx="10" {HIT}/>{shape} rx="14" {paint("ink-wash", "ink", width)}/>'


def goal(price: int, top: float) -> str:
    """Where the price would go."""
    return disc(along(price), top + 34, "ink") + _label(price, top, "ink")


def brink(top: float) -> str:
    """The 0 as a thing of its own that may be hit, where the card has two ways to be played."""
    area = f'<rect x="{ZERO - 42}" y="{number(top - 5)}" width="84" height="90" rx="10" {HIT}/>'
    sign = bolt("M3 -11L-5 2H5L-3 11", "on-ink", 3)
    mark = f'<g transform="translate({ZERO} {number(top + 34)})">{sign}</g>'
    return area + disc(ZERO, top + 34, "ink", 18) + mark + _label(0, top, "ink")


def path(old: int, new: int, top: float, colour: str, width: float) -> str:
    """How a price moved: a ring where it was and an arrow to where it is, or a
    ring round it where it stayed. Pencil is dashed.
    """
    dashes = f" {DASHES}" if colour == "pencil" else ""
    line = paint(stroke=colour, width=width)
    x, y, to = along(old), top + 34, along(new)
    radius = 22 if old == new else 11
    ring = f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius}" {line}{dashes}/>'
    if old == new:
        return ring
    way = 1 if new > old else -1
    start, middle, tip = number(x + 5 * way), number((x + to) / 2), number(to - 9 * way)
    shaft = f"M{start} {number(y - 10)}Q{middle} {number(y - 40)} {tip} {number(y - 21)}"
    head = (
        f"M{number(to - 19 * way)} {number(y - 34)}L{number(to - 8 * way)} {number(y - 20)}"
        f"L{number(to - 24 * way)} {number(y - 16)}"
    )
    return f'{ring}<path d="{shaft}" {line}{dashes}/><path d="{head}" {line}/>'
