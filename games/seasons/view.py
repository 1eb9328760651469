"""What everybody sees of a match of Seasons of the Sun; nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass

from games.seasons.sectors import NOBODY, Ring, points, winners


@dataclass(frozen=True)
class View:
    """The table."""

    tie: str
    """What decides at 60:60: `draw`, nothing; `sectors`, who has more of them."""
    rings: tuple[Ring, Ring]
    seat: int
    """To move, or NOBODY after the end."""
    dice: tuple[int, ...]
    """What they show, or showed before they went into the cup; 0 before the first throw."""
    cup: tuple[int, ...]
    """The positions of the dice that are still to be thrown."""

    @property
    def owners(self) -> tuple[int, ...]:
        """The seat that each sector belongs to, or NOBODY."""
        return winners(*self.rings)

    @property
    def points(self) -> tuple[int, int]:
        """The points of both seats."""
        return points(*self.rings)

    @property
    def sectors(self) -> tuple[int, int]:
        """How many sectors each seat has."""
        owners = self.owners
        return owners.count(1), owners.count(2)

    @property
    def ahead(self) -> int:
        """The seat with more points, or by the option with more sectors; NOBODY if level."""
        ranks = (self.points, self.sectors if self.tie == "sectors" else (0, 0))
        first, second = zip(*ranks, strict=True)
        return NOBODY if first == second else 1 + (second > first)
