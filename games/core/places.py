"""Who came where: the places at the end of a match (`games.log`, "The order of records")."""

from __future__ import annotations

from collections.abc import Sequence

Standing = tuple[int, ...]


def remaining(sides: Sequence[tuple[int, ...]], left: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The sides with at least one seat still in the match."""
    return tuple(side for side in sides if not set(side) <= set(left))


def places(
    sides: Sequence[tuple[int, ...]], left: Sequence[int], standing: Sequence[Standing]
) -> tuple[int, ...]:
    """The place of each seat: 1 + the number of sides strictly ahead.

    `left` names the seats that left, in that order; a side that left as a whole is behind all that
    stayed, and behind those that left after it. `standing` has a tuple for each seat.
    """

    def rank(side: tuple[int, ...]) -> tuple[bool, Standing]:
        if set(side) <= set(left):
            return False, (max(left.index(seat) for seat in side),)
        return True, standing[side[0] - 1]

    ranks = [rank(side) for side in sides]
    found = {
        seat: 1 + sum(other > own for other in ranks)
        for side, own in zip(sides, ranks, strict=True)
        for seat in side
    }
    return tuple(found[seat] for seat in sorted(found))
