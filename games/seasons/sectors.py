"""The eleven sectors of the sun, and who has won them."""

from __future__ import annotations

from typing import NamedTuple

Ring = tuple[int, ...]
"""The sums in a player's fields, sector by sector; FREE where there is none."""
FREE = 0
NOBODY = 0


class Sector(NamedTuple):
    """A sector: `max15` goes to the larger sum, `min9` to the smaller one (S-1, S-14)."""

    name: str
    highest: bool
    points: int

    @property
    def label(self) -> str:
        """As people write it: Max-15, min-9."""
        return f"{'Max' if self.highest else 'min'}-{self.points}"


SECTORS = (
    *(Sector(f"max{points}", True, points) for points in (8, 10, 15, 13, 9, 5)),
    *(Sector(f"min{points}", False, points) for points in (9, 11, 17, 13, 10)),
)
"""Clockwise (S-L)."""
PLACES = {sector.name: place for place, sector in enumerate(SECTORS)}


def winner(sector: Sector, outer: int, inner: int) -> int:
    """The seat that a sector with these two sums belongs to, or NOBODY (S-14)."""
    if outer == FREE or inner == FREE:
        return NOBODY
    return 1 if (outer > inner) == sector.highest else 2


def winners(outer: Ring, inner: Ring) -> tuple[int, ...]:
    """The seat that each sector belongs to, or NOBODY."""
    return tuple(map(winner, SECTORS, outer, inner))


def points(outer: Ring, inner: Ring) -> tuple[int, int]:
    """The points of both seats (S-30)."""
    owners = winners(outer, inner)
    first, second = (
        sum(sector.points for sector, owner in zip(SECTORS, owners, strict=True) if owner == seat)
        for seat in (1, 2)
    )
    return first, second
