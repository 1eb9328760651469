"""The house player: of all it can do with prices, sales and purchases in one turn, what leaves it
best off.

A share is worth what its price will probably be when the turn comes round again: prices drift
towards the middle, and a low one may crash. A turn is worth the own wealth by that measure against
the mean of the others, and something for hand cards that could still raise what is owned. All is
counted in whole numbers, in parts of a coin; the weights were tried out against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from games.black_monday.cards import COLOUR, COLOURS, SHARES, VALUE, shares
from games.black_monday.legal import may_crash, refusal, window
from games.black_monday.moves import MOST, Buy, Crash, End, Move, Price, Sell, Swap, notate
from games.black_monday.state import TWICE, Bell, State, own, owning
from games.black_monday.v1 import apply
from games.core.bot import Lot
from games.core.cards import without
from games.core.line import JOINT

PART = 24
"""Parts of a coin in which everything is counted."""
MIDDLE, DRIFT = 6, 4
"""The price to which all prices drift, and how much of the way they come: four parts in 24."""
RISK = 3
"""Parts of a share's worth lost for each opponent who could crash its price."""
REACH = 3
"""What a step up is worth that the hand could give to an owned share; and to two more, which could
be bought."""
NEW = 18
"""What a new card is worth."""

Plan = tuple[Move, ...]


def play(known: State, seat: int, lot: Lot) -> str:
    """The best plan of the turn; one of the best by lot."""
    worth = {plan: _worth(after, seat) for plan, after in _plans(known)}
    for plan, after in _exchanges(known):
        worth[plan] = _worth(after, seat) + NEW * len(plan[0].cards)
    best = max(worth.values())
    plans = [plan for plan, value in worth.items() if value == best]
    return JOINT.join(map(notate, plans[lot.below(len(plans))]))


def _exchanges(known: State) -> Iterator[tuple[tuple[Swap], State]]:
    """Every exchange, with the state before new cards come."""
    for count in range(1, MOST + 1) if not known.doing.blocks else ():
        for cards in dict.fromkeys(combinations(own(known).hand, count)):
            rest = own(known)
            for card in cards:
                rest = rest._replace(hand=without(rest.hand, card))
            yield (Swap(cards),), known._replace(holdings=owning(known, rest))


def _plans(known: State) -> Iterator[tuple[Plan, State]]:
    """Plans of prices, then trade, and of trade, then prices, with the state before the turn ends.
    The trade is the one that suits the last prices."""
    for changes, changed in _changes(known):
        hold = _outlook(changed)
        for plan, after in (
            _on(changes, changed, _trade(changed, hold, ())),
            _traded(known, _trade(known, hold, changes), changes),
        ):
            if after is not None and after.doing.blocks:
                yield (*plan, End()), after


def _changes(known: State) -> Iterator[tuple[Plan, State]]:
    """Up to two price changes, with the state after them."""
    reached: list[tuple[Plan, State]] = [((), known)]
    for _ in range(TWICE + 1):
        yield from reached
        reached = [
            ((*plan, move), apply(state, move))
            for plan, state in reached
            for card in dict.fromkeys(own(state).hand)
            for move in (Price(card), Crash(card))
            if refusal(state, move) is None
        ]


def _on(plan: Plan, state: State, moves: Iterable[Move]) -> tuple[Plan, State | None]:
    """A plan with more moves behind it; no state if one of them is not legal."""
    for move in moves:
        if refusal(state, move) is not None:
            return plan, None
        plan, state = (*plan, move), apply(state, move)
    return plan, state


def _traded(known: State, trade: Plan, changes: Plan) -> tuple[Plan, State | None]:
    """A plan that trades first; without trade or changes it is no plan of its own."""
    if not trade or not changes:
        return (), None
    plan, state = _on((), known, trade)
    return _on(plan, state, changes) if state is not None else (plan, None)


def _trade(state: State, hold: tuple[int, ...], kept: Plan) -> Plan:
    """Sells what brings more now than it is worth keeping, and buys the best of what is cheap;
    the cards of the plan `kept` are needed."""
    gain = [worth - PART * pile.price for worth, pile in zip(hold, state.piles, strict=True)]
    sales = tuple(Sell(card) for card in own(state).shares if gain[COLOUR[card]] < 0)
    _, sold = _on((), state, sales)
    if sold is None:
        return ()
    free = own(sold).hand
    for move in kept:
        if isinstance(move, Price | Crash):
            free = without(free, move.card)
    cheap = [card for card in free if gain[COLOUR[card]] > 0]
    best: tuple[int, Plan] = (0, ())
    for count in range(1, TWICE + 1):
        for cards in combinations(cheap, count):
            value = sum(gain[COLOUR[card]] * SHARES[card] for card in cards)
            purchases = tuple(map(Buy, cards))
            if value > best[0] and _on((), sold, purchases)[1] is not None:
                best = value, purchases
    return (*sales, *best[1])


def _outlook(state: State) -> tuple[int, ...]:
    """By colour, what a share is worth keeping for."""
    return tuple(_expected(state, colour) for colour in range(len(COLOURS)))


def _expected(state: State, colour: int) -> int:
    price = state.piles[colour].price
    if state.bell is Bell.DRAWN:
        return PART * price
    value = PART * price - DRIFT * (price - MIDDLE)
    others = len(state.holdings) - len(state.left) - 1
    return value - value * RISK * others // PART if may_crash(state, colour) else value


def _worth(state: State, seat: int) -> int:
    """The own wealth against the mean of the others still in the match, and the hand."""
    hold = _outlook(state)
    rivals = [
        _wealth(state, other, hold)
        for other in range(1, len(state.holdings) + 1)
        if other != seat and other not in state.left
    ]
    return _wealth(state, seat, hold) - sum(rivals) // len(rivals) + _promise(state)


def _wealth(state: State, seat: int, hold: tuple[int, ...]) -> int:
    holding = state.holdings[seat - 1]
    owned = sum(SHARES[card] * hold[COLOUR[card]] for card in holding.shares)
    return PART * holding.money + owned


def _promise(state: State) -> int:
    """What the hand could still do for shares that are owned, or will be."""
    return sum(
        REACH * _rise(state, colour) * (2 + shares(own(state).shares, colour))
        for colour in range(len(COLOURS))
        if state.bell is not Bell.DRAWN
    )


def _rise(state: State, colour: int) -> int:
    """How far the hand could raise a price in one change."""
    price, (_, high) = state.piles[colour].price, window(state, colour)
    values = [VALUE[card] for card in own(state).hand if COLOUR[card] == colour]
    return max((value - price for value in values if price < value <= high), default=0)
