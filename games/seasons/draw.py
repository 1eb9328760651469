"""Seasons of the Sun as it is shown: its view, the wheel in characters, the picture, the words."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.drawing import Figure, Reader
from games.core.text import INDENT, folded, page, plain
from games.seasons.picture import svg
from games.seasons.sectors import SECTORS
from games.seasons.told import about, dice, standing, tell, tell_chance, title
from games.seasons.view import View

__all__ = ["SIDED", "View", "figures", "small", "svg", "tell", "tell_chance", "text", "title"]

SIDED = False

COLUMN = 14
"""Letters of a name that fit over a column."""


def small(view: View, reader: Reader) -> str:
    """The whole picture, which can be read in a list as well."""
    return svg(view, reader)


def text(view: View, reader: Reader) -> str:
    """The sums in a table with a column for each ring, the dice, and where the match stands."""
    thrown = about(reader, "dice", dice=dice(view), sum=sum(view.dice))
    return page(
        [
            _row(about(reader, "sector"), *(f"{_name(reader, seat)} " for seat in (1, 2))),
            *_sectors(view),
            _row(about(reader, "points"), *(f"{score} " for score in view.points)),
            *folded(about(reader, "legend") if any(view.owners) else ""),
            *folded("" if view.cup else thrown),
            *folded(" ".join(standing(view, reader))),
        ]
    )


def _sectors(view: View) -> Iterator[str]:
    for sector, owner, *sums in zip(SECTORS, view.owners, *view.rings, strict=True):
        cells = (
            f"{there or '.'}{'*' if owner == seat else ' '}"
            for seat, there in enumerate(sums, start=1)
        )
        yield _row(sector.name, *cells)


def _row(name: str, *cells: str) -> str:
    return f"{INDENT}{name:7}" + "".join(f"{cell:>{COLUMN + 2}}" for cell in cells)


def _name(reader: Reader, seat: int) -> str:
    name = plain(reader.names[seat - 1])
    return name if len(name) <= COLUMN else name[: COLUMN - 1] + "…"


def figures(view: View, reader: Reader) -> tuple[Figure, ...]:
    """The points of both."""
    colours = (("one", "onetext"), ("two", "twotext"))
    return tuple(
        Figure(plain(reader.names[seat]), str(seat + 1), *colours[seat], view.points[seat])
        for seat in range(2)
    )
