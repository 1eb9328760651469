"""What is legal in Monad, and the reason against what is not. Ids as in rules.md, part 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain, combinations, permutations

from games.core.cards import UNSEEN
from games.core.rules import IllegalMove, NotHeld, Say, say
from games.monad.cards import (
    LEAPS,
    LEVELS,
    MONAD,
    NEXT,
    PLACE,
    VALUE,
    VALUES,
    warm,
)
from games.monad.moves import Bonus, Draw, End, Exchange, Flip, Leap, Move, Pair, Pass, Sum
from games.monad.state import State, entitled


def check(state: State, move: Move) -> None:
    """Raises the reason against the move; that a card is not held goes before any other."""
    if isinstance(move, Exchange):
        unpaid(state, move.cards)
    allow(state, move)


def unpaid(state: State, cards: tuple[str, ...]) -> list[str]:
    """The hand of the seat to move without the cards. Raises NotHeld."""
    hand = list(state.players[state.seat - 1].hand)
    for card in cards:
        if card not in hand:
            raise NotHeld(say("not-held", card=card))
        hand.remove(card)
    return hand


def allow(state: State, move: Move) -> None:
    """Raises the reason against a move of cards that are held."""
    reason = refusal(state, move)
    if reason is not None:
        raise IllegalMove(reason)


def refusal(state: State, move: Move) -> Say | None:
    """The reason against a move of cards that are held."""
    if state.end or state.lot:
        return say("over" if state.end else "not-yet")
    return _REASONS[type(move)](state, move)


def _no_sum(state: State, move: Sum) -> Say | None:
    values = [VALUE[card] for card in move.cards]
    total, least, level = sum(values), min(values), move.level
    if max(values) >= level:
        high = next(card for card in move.cards if VALUE[card] >= level)
        return say("not-lower", card=high, level=level)
    if total < level:
        return say("too-little", total=total, level=level)
    if state.terms.tight and total - least >= level:
        card = move.cards[values.index(least)]
        return say("superfluous", card=card, total=total, level=level)
    return _no_target(state, level)


def _no_target(state: State, level: int) -> Say | None:
    """The reason against acquiring something of a level (M-40, M-42)."""
    if level == MONAD or state.groups[PLACE[level]]:
        return None
    return say("empty", level=level)


def _no_pair(state: State, move: Pair) -> Say | None:
    first, second = move.cards
    level = pair_level(state.players[state.seat - 1].stamm, first, second)
    if level:
        return _no_target(state, level)
    key = "same-warmth" if warm(first) == warm(second) else "unequal"
    return say(key, first=first, second=second)


@cache
def pair_level(stamm: str, first: str, second: str) -> int:
    """What the pair is exchanged for; 0 if it is none (M-60). A card of the Stamm colour, from 3
    up, may count as its partner does (M-61)."""
    if warm(first) == warm(second):
        return 0
    for joker, partner in ((first, second), (second, first)):
        if joker[1:] == partner[1:] or (joker[0] == stamm and VALUE[joker] > VALUES[0]):
            return NEXT[VALUE[partner]]
    return 0


def _no_leap(state: State, move: Leap) -> Say | None:
    if not state.deeds:
        return say("leap-first")
    if leapt(state):
        return say("leapt")
    if any(VALUE[card] > VALUES[0] for card in move.cards) or _alike(move.cards):
        return say("not-different")
    return _no_target(state, LEAPS[len(move.cards)])


def _alike(cards: tuple[str, ...]) -> bool:
    return len(dict.fromkeys(cards)) < len(cards)


def leapt(state: State) -> bool:
    """Whether no other leap is allowed in this turn (M-Q22)."""
    return state.terms.once and any(isinstance(deed.move, Leap) for deed in state.deeds)


def _no_bonus(state: State, move: Bonus) -> Say | None:
    if any(isinstance(deed.move, Bonus) for deed in state.deeds):
        return say("bonus-taken")
    return None if move.level in entitled(state) else say("no-bonus", level=move.level)


def _no_draw(state: State, move: Draw) -> Say | None:
    if state.deeds:
        return say("exchanging")
    return None if state.stock else say("no-stock")


def _no_flip(state: State, move: Flip) -> Say | None:
    if state.deeds:
        return say("exchanging")
    if state.stock:
        return say("stock-left")
    return None if state.discard else say("no-discard")


def _no_pass(state: State, move: Pass) -> Say | None:
    if state.deeds:
        return say("exchanging")
    if state.terms.free:
        return None
    if state.stock or state.discard:
        return say("can-draw" if state.stock else "can-flip")
    return say("can-exchange") if can_exchange(state) else None


def _no_end(state: State, move: End) -> Say | None:
    return None if state.deeds else say("nothing-done")


_REASONS: Mapping[type[Move], Callable[..., Say | None]] = {
    Sum: _no_sum,
    Pair: _no_pair,
    Leap: _no_leap,
    Bonus: _no_bonus,
    Draw: _no_draw,
    Flip: _no_flip,
    Pass: _no_pass,
    End: _no_end,
}


def can_exchange(state: State) -> bool:
    """Whether a turn can begin with an exchange (M-34); a leap cannot be the first."""
    return next(_pairs(state), None) is not None or next(_sums(state), None) is not None


def levels(state: State) -> tuple[int, ...]:
    """The levels of which something can be acquired now."""
    return tuple(level for level in LEVELS if _no_target(state, level) is None)


def hand(state: State) -> tuple[str, ...]:
    """The cards that the seat to move is known to hold."""
    return tuple(card for card in state.player.hand if card != UNSEEN)


def legal_moves(state: State) -> Iterator[Move]:
    """Pairs in both orders, leaps in card order, of the sums those in which every card is needed
    and of equal values the first are taken; then the bonus, and what ends the turn."""
    if state.end or state.lot:
        return
    yield from _pairs(state)
    yield from _sums(state)
    yield from _leaps(state)
    yield from map(Bonus, entitled(state))
    yield from (move for move in (Draw(), Flip(), Pass(), End()) if refusal(state, move) is None)


def _pairs(state: State) -> Iterator[Pair]:
    for cards in permutations(dict.fromkeys(hand(state)), 2):
        move = Pair(cards)
        if _no_pair(state, move) is None:
            yield move


def _leaps(state: State) -> Iterator[Leap]:
    ones = [card for card in dict.fromkeys(hand(state)) if VALUE[card] == VALUES[0]]
    for count in LEAPS:
        for cards in combinations(ones, count):
            move = Leap(cards)
            if _no_leap(state, move) is None:
                yield move


def _sums(state: State) -> Iterator[Sum]:
    held = hand(state)
    by_value = [tuple(card for card in held if VALUE[card] == value) for value in VALUES]
    for level in levels(state):
        lower = [cards for cards, value in zip(by_value, VALUES, strict=True) if value < level]
        for counts in payments(tuple(map(len, lower)), level):
            parts = (some[:count] for some, count in zip(lower, counts, strict=True))
            yield Sum(tuple(chain.from_iterable(parts)), level)


def payments(held: tuple[int, ...], price: int) -> Iterator[tuple[int, ...]]:
    """How many of each value, the lowest first, reach the price so that each is needed."""
    if not held:
        return
    *lower, most = held
    value = VALUES[len(lower)]
    enough = -(-price // value)
    for count in range(min(most, enough - 1) + 1):
        for counts in payments(tuple(lower), price - count * value):
            yield (*counts, count)
    if enough <= most:
        yield (*(0 for _ in lower), enough)
