"""What everybody sees of a match of Malawi: nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.core.drawing import Reader


class Piece(NamedTuple):
    """A piece on the board."""

    square: str
    seat: int
    strength: int


@dataclass(frozen=True)
class View:
    """The board, and where the match stands."""

    size: int
    pieces: tuple[Piece, ...]
    """In board order."""
    seat: int
    """To move, unless the match is over."""
    arrival: str
    """The square of a piece that wins unless it is captured now, or has won; else ""."""
    end: str
    """Why the match is over, or ""."""
    winner: int
    """0 for a draw, and as long as the match goes on."""

    def total(self, seat: int) -> int:
        """All points of a side."""
        return sum(piece.strength for piece in self.pieces if piece.seat == seat)

    def facing(self, below: int) -> tuple[str, str]:
        """Rows from the top and columns from the left, the base row of a seat at the bottom."""
        rows, columns = "abcdefgh"[: self.size], "12345678"[: self.size]
        return (rows, columns[::-1]) if below == 2 else (rows[::-1], columns)


def below(reader: Reader) -> int:
    """The seat whose base row is at the bottom: the reader's own, unless the board is turned."""
    return 2 if (reader.viewer == 2) != reader.turned else 1
