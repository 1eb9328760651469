"""Malawi as it is shown: its view, the board in characters, the picture and the sentences."""

from __future__ import annotations

from games.core.drawing import Figure, Reader
from games.core.text import folded, page
from games.malawi.picture import svg
from games.malawi.told import about, standing, tell, title
from games.malawi.view import Piece, View, below

__all__ = ["SIDED", "View", "figures", "small", "svg", "tell", "tell_chance", "text", "title"]

SIDED = True


def small(view: View, reader: Reader) -> str:
    """The whole picture, which can be read in a list as well."""
    return svg(view, reader)


def text(view: View, reader: Reader) -> str:
    """The board, the sides told apart by round and angular brackets, and where the match stands."""
    rows, columns = view.facing(below(reader))
    pieces = {piece.square: piece for piece in view.pieces}
    edge = "    " + "".join(f" {column}  " for column in columns)
    board = [
        f" {row}  {''.join(_sign(pieces.get(row + column)) for column in columns)} {row}"
        for row in rows
    ]
    sides = [*_side(view, reader, 1, "( )"), *_side(view, reader, 2, "[ ]")]
    return page([edge, *board, edge, *sides, *folded(" ".join(standing(view, reader)))])


def _side(view: View, reader: Reader, seat: int, sign: str) -> list[str]:
    beads = about(reader, "sum", seat, sum=view.total(seat))
    return folded(f"{sign} {beads}")


def _sign(piece: Piece | None) -> str:
    if piece is None:
        return " .  "
    left, right = "()" if piece.seat == 1 else "[]"
    return f"{left}{piece.strength}{right}".ljust(4)


def tell_chance(before: View, after: View, reader: Reader) -> str:
    """Nothing comes out by chance."""
    return ""


def figures(view: View, reader: Reader) -> tuple[Figure, ...]:
    """Nothing that a chart would tell better than the table."""
    return ()
