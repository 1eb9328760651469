"""Black Monday as it is shown: its view, the table in characters, the picture, the sentences."""

from __future__ import annotations

from collections.abc import Iterator

from games.black_monday.picture import svg
from games.black_monday.symbols import COLOUR
from games.black_monday.thumb import small
from games.black_monday.told import address, hand, laid, person, standing, tell, tell_chance, title
from games.black_monday.view import Holder, Stock, View
from games.core.drawing import Figure, Reader
from games.core.text import INDENT, folded, page

__all__ = ["SIDED", "View", "figures", "small", "svg", "tell", "tell_chance", "text", "title"]

SIDED = False


def text(view: View, reader: Reader) -> str:
    """The prices with their windows, what everybody has, the hand, and where the match stands."""
    talon = address(reader, "talon-closing" if view.closing else "talon", count=view.talon)
    discard = address(reader, "discard", cards=" ".join(view.discard)) if view.discard else ""
    return page(
        [
            *(_stock(stock, reader) for stock in view.stocks),
            *(line for holder in view.holders for line in _holder(holder, reader)),
            *folded(f"{talon}. {discard}"),
            *folded(standing(view, reader)),
        ]
    )


def _stock(stock: Stock, reader: Reader) -> str:
    name = address(reader, f"colour-{stock.colour}")
    allowed = address(reader, "allowed", low=stock.low, high=stock.high)
    crash = f", {address(reader, 'crash-too')}" if stock.crash else ""
    return f"{INDENT}{name:<8}{stock.price:>2}   {allowed}{crash}"


def _holder(holder: Holder, reader: Reader) -> Iterator[str]:
    """Name, money and shares; below them the hand as far as it is seen."""
    worth = address(reader, "worth", money=holder.money, wealth=holder.wealth)
    yield from folded(f"{person(holder, reader)}: {worth}; {laid(holder, reader)}.")
    if holder.seen:
        yield from folded(hand(holder, reader))


def figures(view: View, reader: Reader) -> tuple[Figure, ...]:
    """The four prices."""
    return tuple(
        Figure(
            name=address(reader, f"colour-{stock.colour}"),
            sign=stock.colour,
            token=COLOUR[stock.colour],
            on=f"on{COLOUR[stock.colour]}",
            value=stock.price,
        )
        for stock in view.stocks
    )
