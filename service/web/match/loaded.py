"""A match as the database has it: its rows, its records and the positions they gave."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.position import Position
from service import matches, people, reach, records, tale
from service.clock import Clocks
from service.matches import MatchRow, SeatRow
from service.web.match.walk import Passed, Turn, Walk, walk
from service.web.request import language, site


@dataclass(frozen=True)
class Loaded:
    """A match as it stands."""

    row: MatchRow
    people: tuple[SeatRow, ...]
    """By seat once the match has started, before that by place."""
    position: Position
    """The position now."""
    clocks: Clocks

    @cached_property
    def walked(self) -> Walk:
        """All records and turns, walked when they are asked for: who only moves needs none."""
        with site().db.read() as conn:
            return walk(conn, self.row)

    @property
    def passed(self) -> tuple[Passed, ...]:
        """All records, each with the position after it."""
        return self.walked.passed

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Who played what, in turn."""
        return self.walked.turns

    @cached_property
    def unreached(self) -> frozenset[int]:
        """The seats to whose players no mail goes any more."""
        with site().db.read() as conn:
            return reach.unreached(conn, self.row.id)

    @cached_property
    def unfound(self) -> tuple[str, ...]:
        """Whom no invitation has reached, by what their opener calls them."""
        with site().db.read() as conn:
            lost = reach.unfound(conn, self.row.id)
        guests = (one for one in self.people if one.pid is None and one.declined is None)
        return tuple(one.name for one in guests if people.folded(one.address) in lost)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of seats 1, 2, …, as their players gave them, and what we call the house."""
        return tale.called(self.people, language())

    @property
    def houses(self) -> tuple[int, ...]:
        """Which of these the house plays."""
        return matches.houses(self.people)

    def seat_of(self, player: int) -> int | None:
        """The seat that a player holds."""
        return next((one.number for one in self.people if one.player == player), None)


def load(match: str) -> Loaded:
    """A match from the database. Raises NoMatch."""
    with site().db.read() as conn:
        row = matches.find(conn, match)
        position, clocks = records.standing(site(), conn, match)
        return Loaded(row, matches.seats(conn, match), position, clocks)
