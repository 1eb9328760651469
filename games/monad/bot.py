"""The house player: it plans its whole turn ahead, and plays the one that leaves it best off.

What a seat has is counted in whole numbers: its Monads, its cards by their value, and what these
can become in the next turn: a pair, the more so with a bonus, a joker beside a partner, ones of
different colours for a leap.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

from games.core.bot import Lot
from games.core.line import JOINT
from games.monad.cards import LEAPS, LEVELS, MONAD, PLACE, VALUE, VALUES
from games.monad.legal import hand, levels, pair_level, payments, refusal
from games.monad.moves import Bonus, Draw, End, Exchange, Flip, Leap, Move, Pair, Pass, Sum, notate
from games.monad.state import Player, State, entitled, owned
from games.monad.v1 import apply

WIDTH, DEPTH = 12, 12
"""How many turns begun are followed, and for how many moves."""
POINT = 20
"""What a point counts; prospects count less."""
PRIZE = 40
"""Points of a Monad: fewer than it costs, since cards bring more cards and Monads do not. So they
are bought late, or cheap."""
WON = 1_000_000
PAIR, JOKER, LEAP, BONUS = 9, 13, 20, 12
"""What a point counts that a pair, a joker, a leap or a bonus could bring in the next turn."""
BROUGHT = tuple(sum(VALUES[: place + 1]) for place in range(len(LEVELS)))
"""What a bonus brings for each level when no group is empty."""
LEAPT = (0, 1, 3, 6, 10, 17, 25)
"""What so many ones of different colours promise, in points."""

Plan = tuple[State, tuple[Move, ...]]


def play(known: State, seat: int, lot: Lot) -> str:
    """The best turn of those that were looked at; of equally good ones any."""
    plans = list(_plans(known))
    worth = [_worth(state, seat) for state, _ in plans]
    best = [moves for (_, moves), found in zip(plans, worth, strict=True) if found == max(worth)]
    return JOINT.join(map(notate, best[lot.below(len(best))]))


def _plans(known: State) -> Iterator[Plan]:
    """Whole turns with the positions behind them."""
    for move in (Draw(), Flip(), Pass(), End()):
        if refusal(known, move) is None:
            yield apply(known, move), (move,)
    beam: list[Plan] = [(known, ())]
    for _ in range(DEPTH):
        begun = _followed(beam, known.seat)
        for state, moves in begun:
            yield (state, moves) if state.end else (apply(state, End()), (*moves, End()))
        beam = [(state, moves) for state, moves in begun if not state.end]


def _followed(beam: list[Plan], seat: int) -> list[Plan]:
    """The most promising turns with one more move."""
    found = {}
    for state, moves in beam:
        for move in _moves(state):
            after = apply(state, move)
            found[after.players, after.groups] = after, (*moves, move)
    ranked = sorted(found.values(), key=lambda plan: _worth(plan[0], seat), reverse=True)
    return ranked[:WIDTH]


def _moves(state: State) -> Iterator[Move]:
    """Exchanges and bonuses that are worth a look."""
    yield from map(Bonus, entitled(state))
    yield from (move for move in _exchanges(state) if refusal(state, move) is None)


def _exchanges(state: State) -> Iterator[Exchange]:
    """Every pair, and of leaps and sums those that pay with what is least missed."""
    own = hand(state)
    yield from map(Pair, combinations(dict.fromkeys(own), 2))
    spare = sorted(own, key=lambda card: (_missed(card, state.player), -own.count(card)))
    by_value = [tuple(card for card in spare if VALUE[card] == value) for value in VALUES]
    ones = tuple(dict.fromkeys(by_value[0]))
    yield from (Leap(ones[:count]) for count in LEAPS if count <= len(ones))
    for level in levels(state):
        lower = by_value[: PLACE[level] + 1]
        for counts in payments(tuple(map(len, lower)), level):
            parts = (some[:count] for some, count in zip(lower, counts, strict=True))
            yield Sum(tuple(chain.from_iterable(parts)), level)


def _missed(card: str, player: Player) -> int:
    """How much a card would be missed among its equals: a joker most, then half of a bonus pair."""
    if VALUE[card] > VALUES[0] and card[0] == player.stamm:
        return 2
    return int(card.swapcase() in player.hand)


def _worth(state: State, seat: int) -> int:
    """How well a seat stands after its turn."""
    player = state.players[seat - 1]
    if state.end == "monads":
        return WON
    points = PRIZE * owned(state, seat) + sum(VALUE.get(card, 1) for card in player.hand)
    return POINT * points + _prospects(player)


def _prospects(player: Player) -> int:
    """What the hand could become in the next turn."""
    cards = tuple(dict.fromkeys(card for card in player.hand if card in VALUE))
    pairs = max((_gain(player, *two) for two in combinations(cards, 2)), default=0)
    colours = sum(VALUE[card] == VALUES[0] for card in cards)
    return pairs + LEAP * LEAPT[colours]


def _gain(player: Player, first: str, second: str) -> int:
    """What a pair could bring."""
    level = pair_level(player.stamm, first, second)
    if not level:
        return 0
    gained = (PRIZE if level == MONAD else level) - VALUE[first] - VALUE[second]
    if first[1:] != second[1:]:
        return JOKER * gained
    bonus = BROUGHT[PLACE[level]] if first.swapcase() == second else 0
    return PAIR * gained + BONUS * bonus
