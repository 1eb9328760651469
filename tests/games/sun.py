"""Positions of Seasons of the Sun by hand, for the tests."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.rules import complete
from games.seasons.sectors import SECTORS
from games.seasons.v1 import RULES, State

SAMPLE = (
    (1, (1, 4, 5), "1", (2,), 11, "max5", (0, 0), 2),
    (2, (1, 2, 3), "", (), 6, "min11", (0, 0), 1),
    (1, (1, 4, 6), "1", (6,), 16, "max13", (0, 0), 2),
    (2, (1, 2, 3), "", (), 6, "min10", (0, 0), 1),
    (1, (2, 4, 6), "1", (2,), 12, "max8", (0, 0), 2),
    (2, (4, 4, 5), "", (), 13, "max8", (0, 8), 2),
    (2, (1, 2, 2), "", (), 5, "min13", (0, 8), 1),
    (1, (1, 4, 6), "1", (3,), 13, "max9", (0, 8), 2),
    (2, (2, 5, 5), "1", (6,), 16, "max13", (0, 8), 1),
    (1, (5, 5, 6), "", (), 16, "max13", (0, 8), 2),
    (2, (2, 2, 3), "", (), 7, "min9", (0, 8), 1),
)
"""The author's sample game: seat, roll, dice thrown once more, what they showed then, the sum,
its sector, the points after it, who is next."""


def start(tie: str = "draw") -> State:
    """The first position; seat 1 is to throw."""
    return RULES.setup(2, complete(RULES, 2, {"tie": tie}))


def place(outer: str, inner: str, seat: int = 1, tie: str = "draw") -> State:
    """A position from `max15:16 min9:7` for each ring; the seat is to throw."""
    return start(tie)._replace(rings=(_ring(outer), _ring(inner)), seat=seat)


def _ring(fields: str) -> tuple[int, ...]:
    sums = dict(field.split(":") for field in fields.split())
    assert sums.keys() <= {sector.name for sector in SECTORS}
    return tuple(int(sums.get(sector.name, 0)) for sector in SECTORS)


def thrown(state: State, *dice: int) -> State:
    """The position after these dice have fallen."""
    return RULES.apply_chance(state, dice)


def after(state: State, *moves: str) -> State:
    """The position after these moves, all of them legal."""
    for move in moves:
        state = RULES.apply(state, RULES.parse(move))
    return state


def laid(state: State, total: int, sector: str) -> State:
    """The position after a turn that lays a sum without throwing dice once more."""
    dice = next(
        (one, two, total - one - two)
        for one in range(1, 7)
        for two in range(1, 7)
        if 1 <= total - one - two <= 6
    )
    return after(thrown(state, *dice), sector)


def sample(turns: int = len(SAMPLE)) -> State:
    """The position after so many turns of the author's sample game."""
    state = start()
    for _, roll, again, showed, _, sector, _, _ in SAMPLE[:turns]:
        state = thrown(state, *roll)
        if again:
            state = thrown(after(state, f"reroll {again}"), *showed)
        state = after(state, sector)
    return state


def sums(state: State, seat: int) -> Mapping[str, int]:
    """What lies in a ring, by sector."""
    ring = RULES.final(state)[f"s{seat}"]
    assert isinstance(ring, dict)
    return ring


def moves(state: State) -> list[str]:
    """All legal moves as they are written."""
    return [RULES.notate(move) for move in RULES.legal_moves(state)]
