"""Black Monday in a list of matches: the four prices, and what the reader has."""

from __future__ import annotations

from collections.abc import Iterator

from games.black_monday.cards import COLOURS, SHARES
from games.black_monday.people import coin
from games.black_monday.symbols import SYMBOLS, use
from games.black_monday.told import owning, standing, title
from games.black_monday.told import stock as told
from games.black_monday.view import Holder, Stock, View
from games.core.drawing import Reader
from games.core.names import fitted
from games.core.svg import number, paint, picture, thing, words
from games.core.text import plain

EDGE, ROW, MARGIN = 320, 76, 8
PRICE, LOWEST, STEP = 126, 156, 12
"""Where the figure of a price ends, and the small scale: its 0, and one price to the next."""
TOP = 4 * ROW
"""Where the prices end and what people have begins."""


def small(view: View, reader: Reader) -> str:
    """A row for each colour; below, the reader's money, or everybody's."""
    shown = [view.holder(reader.viewer)] if isinstance(reader.viewer, int) else list(view.holders)
    height = TOP + 52 * len(shown)
    parts = [
        SYMBOLS,
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{EDGE + 2 * MARGIN}"'
        f' height="{height + 2 * MARGIN}" {paint("paper")}/>',
        *_prices(view, reader),
        *(_holder(holder, reader, TOP + 52 * n) for n, holder in enumerate(shown)),
    ]
    size = (EDGE, height)
    return picture(
        size, reader.language, title(view, reader), standing(view, reader), parts, MARGIN
    )


def _prices(view: View, reader: Reader) -> Iterator[str]:
    own = view.holder(reader.viewer) if isinstance(reader.viewer, int) else None
    if not view.stocks:
        yield from (use(f"badge-{one}", 32, _middle(n), 1.6) for n, one in enumerate(COLOURS))
    for place, stock in enumerate(view.stocks):
        yield thing("", told(stock, reader), _price(stock, own, _middle(place)))


def _middle(place: int) -> float:
    return ROW * place + ROW / 2


def _price(stock: Stock, own: Holder | None, y: float) -> str:
    """Badge and price, where that is between 0 and 13, and how many shares the reader has."""
    low, high = (LOWEST + STEP * price for price in (stock.low, stock.high))
    end = LOWEST + STEP * 13
    window = (
        f'<rect x="{number(low - 7)}" y="{number(y - 9)}" width="{number(high - low + 14)}"'
        f' height="18" rx="9" {paint("field-2")}/>'
    )
    scale = f'<path d="M{LOWEST} {number(y)}H{number(end)}" {paint(stroke="line", width=2)}/>'
    at = number(LOWEST + STEP * stock.price)
    here = f'<circle cx="{at}" cy="{number(y)}" r="9" {paint("print")}/>'
    return (
        use(f"badge-{stock.colour}", 32, y, 1.6)
        + words(
            PRICE, y + 18, 50 if stock.price < 10 else 44, str(stock.price), "print", anchor="end"
        )
        + window
        + scale
        + here
        + (_shares(stock, own, end, y) if own else "")
    )


def _shares(stock: Stock, own: Holder, x: float, y: float) -> str:
    count = sum(SHARES[card] for card in own.shares if card[0] == stock.colour)
    return words(x, y - 16, 24, f"×{count}", "print-2", anchor="end") if count else ""


def _holder(holder: Holder, reader: Reader, y: float) -> str:
    """A name with the money; the cards in the reader's own hand are counted on the page."""
    name, size = fitted(plain(reader.names[holder.seat - 1]), 28, 190)
    shown = (
        words(4, y + 36, size, name, "print-2" if holder.left else "print", 400, "start")
        + coin(236, y + 27)
        + words(EDGE, y + 37, 32, str(holder.money), "print", anchor="end")
    )
    return thing("", owning(holder, reader), shown)
