"""The house player: the move that is worth most on average over all that the dice may show.

A position is worth what its sectors are: one that is decided all its points, one with a single sum
in it its points in proportion to the chance that this sum will win. The other side is taken to aim
every second turn that it has left at that sector, as well as it can. All is counted in whole
numbers: worth in parts of a point, averages as totals over equally likely cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product

from games.core.bot import Lot
from games.seasons.moves import Place, Reroll, notate
from games.seasons.sectors import FREE, SECTORS, Sector, winner
from games.seasons.v1 import REROLLS, State

POINT = 10_000
EYES = range(1, 7)
THROWS = tuple(product(EYES, repeat=3))
CASES = len(THROWS) ** 2
"""Of a turn: its throw, and three dice thrown once more."""
SUMS = range(3, 19)
WAYS = tuple(Counter(map(sum, product(EYES, repeat=count))) for count in range(4))
"""By number of dice: in how many ways they show a sum."""
REST = (216, 36, 6, 1)
"""By number of dice thrown once more: how many cases of 216 one case stands for."""
STAY = Reroll(())
"""No die is thrown once more."""


def play(known: State, seat: int, lot: Lot) -> str:
    """The dice to throw once more, or the best field for their sum."""
    worth = {total: max(_fields(known, seat, total).values()) for total in SUMS}
    chosen = best_reroll(known.dice, worth) if known.fresh else STAY
    if chosen != STAY:
        return notate(chosen)
    fields = _fields(known, seat, sum(known.dice))
    best = [name for name, gain in fields.items() if gain == max(fields.values())]
    return notate(Place(best[lot.below(len(best))]))


def best_reroll(dice: tuple[int, ...], worth: Mapping[int, int]) -> Reroll:
    """The dice to throw once more if every sum has a worth; none where that is no better."""
    return max((STAY, *REROLLS), key=lambda reroll: expected(dice, reroll, worth))


def expected(dice: tuple[int, ...], reroll: Reroll, worth: Mapping[int, int]) -> int:
    """The worth of throwing some dice once more, as the total over 216 equally likely cases."""
    count = len(reroll.dice)
    kept = sum(dice) - sum(dice[die - 1] for die in reroll.dice)
    total = sum(ways * worth[kept + eyes] for eyes, ways in WAYS[count].items())
    return total * REST[count]


def _fields(known: State, seat: int, total: int) -> dict[str, int]:
    """What is gained by laying the sum on each free field."""
    own, other = known.rings[seat - 1], known.rings[2 - seat]
    mine, theirs = own.count(FREE), other.count(FREE)
    return {
        sector.name: _gain(sector, total, there, mine, theirs)
        for sector, here, there in zip(SECTORS, own, other, strict=True)
        if here == FREE
    }


def _gain(sector: Sector, total: int, there: int, mine: int, theirs: int) -> int:
    """What a sum changes in a sector where the other side has laid `there`, or nothing yet;
    `mine` and `theirs` are free fields."""
    if there == FREE:
        return prospect(sector, total, theirs)
    before = -prospect(sector, there, mine)
    if there == total:
        return -before
    won = winner(sector, total, there) == 1
    return (1 if won else -1) * sector.points * POINT - before


@cache
def prospect(sector: Sector, total: int, fields: int) -> int:
    """The worth of a sum that waits in a sector for an opponent with so many free fields."""
    aimed = (fields + 1) // 2
    stands: int = (CASES - beaten(sector.highest, total)) ** aimed
    cases: int = CASES**aimed
    return sector.points * (2 * POINT * stands // cases - POINT)


@cache
def beaten(highest: bool, total: int) -> int:
    """In how many of CASES a turn beats the sum, with the right dice thrown once more."""
    worth = {other: int((other > total) if highest else (other < total)) for other in SUMS}
    return sum(expected(dice, best_reroll(dice, worth), worth) for dice in THROWS)
