"""Monad as it is shown: its view, the table in characters, the picture and the sentences."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.drawing import Figure, Reader
from games.core.text import folded, page
from games.monad.cards import GROUPED
from games.monad.picture import svg
from games.monad.thumb import small
from games.monad.told import about, hand, has, lying, standing, tell, tell_chance, title
from games.monad.view import View

__all__ = ["SIDED", "View", "figures", "small", "svg", "tell", "tell_chance", "text", "title"]

SIDED = False


def text(view: View, reader: Reader) -> str:
    """The groups in their order, the piles, what everybody has, and where the match stands."""
    return page(
        [
            *_groups(view, reader),
            *(line for sentence in lying(view, reader) for line in folded(sentence)),
            *_holders(view, reader),
            *folded(standing(view, reader)),
        ]
    )


def _groups(view: View, reader: Reader) -> Iterator[str]:
    for value, group in zip(GROUPED, view.groups, strict=False):
        cards = " ".join(group) or about(reader, "nothing")
        yield f"  {value:>2}:  {cards}"


def _holders(view: View, reader: Reader) -> Iterator[str]:
    """The others first, the reader's own hand last."""
    own = [view.holder(reader.viewer)] if isinstance(reader.viewer, int) else []
    for holder in (*view.others(reader.viewer), *own):
        parts = [has(view, holder, reader), hand(holder, reader)]
        yield from folded(". ".join(part for part in parts if part) + ".")


def figures(view: View, reader: Reader) -> tuple[Figure, ...]:
    """Nothing that a chart would tell better than the table."""
    return ()
