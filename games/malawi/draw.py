"""Malawi drawn and told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Piece(NamedTuple):
    """A piece on the board."""

    square: str
    seat: int
    strength: int


@dataclass(frozen=True)
class View:
    """What everybody sees; nothing in Malawi is hidden."""

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
