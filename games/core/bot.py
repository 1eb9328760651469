"""What the `bot.py` of a game offers: the house player."""

from __future__ import annotations

from typing import Protocol, TypeVar

S_contra = TypeVar("S_contra", contravariant=True)


class Lot(Protocol):
    """Where a bot gets its chance from; a `games.chance` stream is one."""

    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely."""


class Bot(Protocol[S_contra]):
    """The module `bot.py` of a game. It decides by what it is given and by nothing else."""

    def play(self, known: S_contra, seat: int, lot: Lot) -> str:
        """A turn line that the seat to move can send, from what this seat knows of the state."""
