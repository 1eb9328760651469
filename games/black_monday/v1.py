"""Black Monday, version 1: what chance and the moves do, what is seen, and how it ends.

The position and its options are in `state`, what is legal in `legal`, how a turn is chosen in
`choosing`. Ids such as B-20: rules.md, part 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from games.black_monday.cards import (
    COLOUR,
    COLOURS,
    DECK,
    END,
    SHARES,
    VALUE,
    of_colour,
    ordered,
)
from games.black_monday.choosing import choices
from games.black_monday.legal import check, legal_moves, may_crash, window
from games.black_monday.moves import (
    Buy,
    Crash,
    End,
    Move,
    Pass,
    Price,
    Sell,
    Swap,
    notate,
    parse,
    read,
)
from games.black_monday.state import (
    HAND,
    NOTHING,
    OPTIONS,
    TWICE,
    Bell,
    Block,
    Doing,
    State,
    hand,
    setup,
)
from games.black_monday.view import Holder, Stock, View
from games.core.cards import UNSEEN, without
from games.core.rules import (
    OPEN,
    Chance,
    Dice,
    Outcome,
    Over,
    Rules,
    Shuffle,
    ToMove,
    Turn,
    Viewer,
)

_T = TypeVar("_T")

HIGHEST_START = 10
"""The highest price at the beginning (B-10)."""
MOVERS = tuple(map(ToMove, range(7)))
"""By seat, that it is to move."""


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    """Each seat for itself."""
    return tuple((seat,) for seat in range(1, len(state.money) + 1))


def turn(state: State) -> Turn:
    """Who is to move, what is left to chance, or how it ended."""
    if state.end:
        return Over(state.end, _standing(state))
    if not state.prices:
        return Chance("pub", Dice((2 * HIGHEST_START,) * len(COLOURS)))
    if not state.hands:
        return Chance("hid", Shuffle(_stock(state)))
    if state.shuffling:
        return Chance("hid", Shuffle((*ordered(state.discard), END)))
    return MOVERS[state.seat]


def _standing(state: State) -> tuple[tuple[int, ...], ...]:
    """Wealth, and money after it if it decides (B-52, B-Q20)."""
    worth = tuple(_wealth(state, seat) for seat in range(1, len(state.money) + 1))
    if not state.terms.cash:
        return tuple((wealth,) for wealth in worth)
    return tuple(zip(worth, state.money, strict=True))


def _wealth(state: State, seat: int) -> int:
    laid = state.shares[seat - 1]
    return state.money[seat - 1] + sum(SHARES[card] * state.prices[COLOUR[card]] for card in laid)


def _stock(state: State) -> tuple[str, ...]:
    """The cards that are dealt: all but the price cards (B-11)."""
    stock = list(DECK)
    for card in state.tops:
        stock.remove(card)
    return tuple(stock)


def apply_chance(state: State, outcome: Outcome) -> State:
    """The start prices, the deal, or a new talon with the End card in it."""
    if not state.prices:
        prices = tuple((int(eyes) + 1) // 2 for eyes in outcome)
        tops = tuple(f"{colour}{price}" for colour, price in zip(COLOURS, prices, strict=True))
        return state._replace(prices=prices, tops=tops, past=(prices,) * 3)
    cards = tuple(map(str, outcome))
    if state.hands:
        full = state._replace(talon=cards, discard=(), bell=Bell.INSIDE, shuffling=False)
        return _refill(full)
    seats = len(state.money)
    dealt = HAND * seats
    hands = tuple(ordered(cards[seat:dealt:seats]) for seat in range(seats))
    return state._replace(hands=hands, talon=cards[dealt:])


def apply(state: State, move: Move) -> State:
    """The state after the move, or the reason against it; that a card is not held goes first."""
    check(state, move)
    return _DO[type(move)](state, move)


def _price(state: State, move: Price) -> State:
    return _change(state, move.card, VALUE[move.card])


def _change(state: State, card: str, value: int) -> State:
    """The card on its pile; the one below it is discarded."""
    colour, doing = COLOUR[card], state.doing
    blocks = _entered(doing, Block.PRICE)
    return state._replace(
        prices=_put(state.prices, colour, value),
        tops=_put(state.tops, colour, card),
        hands=_put(state.hands, state.seat - 1, without(hand(state), card)),
        discard=(*state.discard, state.tops[colour]),
        doing=Doing(blocks, doing.changes + 1, doing.buys, doing.fresh),
        passes=0,
    )


def _entered(doing: Doing, block: Block) -> tuple[Block, ...]:
    """The phases of the turn up to this one."""
    if doing.blocks and doing.blocks[-1] is block:
        return doing.blocks
    return (*doing.blocks, block)


def _put(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _crash(state: State, move: Crash) -> State:
    """The price is 0 and all shares of the colour are lost, those of seats that left too (B-31)."""
    colour = COLOUR[move.card]
    changed = _change(state, move.card, 0)
    lost = [card for laid in state.shares for card in of_colour(laid, colour)]
    if not lost:
        return changed
    return changed._replace(
        shares=tuple(
            tuple(card for card in laid if COLOUR[card] != colour) for laid in state.shares
        ),
        discard=(*changed.discard, *lost),
    )


def _buy(state: State, move: Buy) -> State:
    card, own, doing = move.card, state.seat - 1, state.doing
    cost = SHARES[card] * state.prices[COLOUR[card]]
    blocks = _entered(doing, Block.TRADE)
    return state._replace(
        hands=_put(state.hands, own, without(state.hands[own], card)),
        shares=_put(state.shares, own, ordered((*state.shares[own], card))),
        money=_put(state.money, own, state.money[own] - cost),
        doing=Doing(blocks, doing.changes, doing.buys + 1, (*doing.fresh, card)),
        passes=0,
    )


def _sell(state: State, move: Sell) -> State:
    """The money for a card laid out; of equal cards those of earlier turns are sold first."""
    card, own, doing = move.card, state.seat - 1, state.doing
    gain = SHARES[card] * state.prices[COLOUR[card]]
    laid, fresh = state.shares[own], doing.fresh
    if card in fresh and laid.count(card) == fresh.count(card):
        fresh = without(fresh, card)
    return state._replace(
        shares=_put(state.shares, own, without(laid, card)),
        money=_put(state.money, own, state.money[own] + gain),
        discard=(*state.discard, card),
        doing=Doing(_entered(doing, Block.TRADE), doing.changes, doing.buys, fresh),
        passes=0,
    )


def _swap(state: State, move: Swap) -> State:
    rest = hand(state)
    for card in move.cards:
        rest = without(rest, card)
    hands = _put(state.hands, state.seat - 1, rest)
    discard = (*state.discard, *move.cards)
    return _refill(state._replace(hands=hands, discard=discard, passes=0))


def _pass(state: State, move: Pass) -> State:
    return _refill(state._replace(passes=state.passes + 1))


def _finish(state: State, move: End) -> State:
    return _refill(state)


_DO: Mapping[type[Move], Callable[..., State]] = {
    Price: _price,
    Crash: _crash,
    Buy: _buy,
    Sell: _sell,
    Swap: _swap,
    Pass: _pass,
    End: _finish,
}


def _refill(state: State) -> State:
    """The mover draws up to eight cards (B-23), the talon is renewed when it is used up (B-50), and
    the turn is over. Nobody draws any more after the End card (B-Q17, B-Q18).

    Who does not see the talon knows at least that its last card, if not one before, was the End
    card once this is among them.
    """
    if state.bell is Bell.DRAWN:
        return _next(state, state.hands, state.talon)
    need = HAND - len(hand(state))
    drawn, talon = state.talon[:need], state.talon[need:]
    if END in drawn:
        last = drawn.index(END)
        return _close(state, _full(state, drawn[:last]), state.talon[last + 1 :])
    hands = _full(state, drawn)
    if talon or (len(drawn) == need and not state.terms.eager and state.bell is Bell.ASIDE):
        return _next(state, hands, talon)
    if state.bell is Bell.INSIDE:
        return _close(state, hands, talon)
    return state._replace(hands=hands, talon=talon, shuffling=True)


Hands = tuple[tuple[str, ...], ...]


def _full(state: State, drawn: tuple[str, ...]) -> Hands:
    """The hands after the mover has drawn these cards."""
    return _put(state.hands, state.seat - 1, ordered((*hand(state), *drawn)))


def _close(state: State, hands: Hands, talon: tuple[str, ...]) -> State:
    """The End card is drawn: it is over, or over when the round is (B-51, B-Q17)."""
    if state.terms.outplayed:
        return _next(state._replace(bell=Bell.DRAWN), hands, talon)
    return state._replace(hands=hands, talon=talon, bell=Bell.DRAWN, end="closed")


def _next(state: State, hands: Hands, talon: tuple[str, ...]) -> State:
    """The next seat's turn, unless nobody is left to play or all passed twice (B-Q14)."""
    seats = len(state.money)
    seat = state.seat % seats + 1
    while seat in state.left:
        seat = seat % seats + 1
    closed = state.bell is Bell.DRAWN
    passed = state.passes >= TWICE * (seats - len(state.left))
    if (closed and seat <= state.seat) or (passed and not closed):
        return state._replace(hands=hands, talon=talon, end="closed" if closed else "passed")
    return state._replace(
        seat=seat,
        hands=hands,
        talon=talon,
        doing=NOTHING,
        past=(state.prices, state.past[0], state.past[1]),
        movers=(state.seat, state.movers[0]),
    )


def leave(state: State, seat: int) -> State:
    """The seat is skipped from now on; if it was its turn, the turn ends without a refill."""
    gone = state._replace(left=(*state.left, seat))
    return _next(gone, gone.hands, gone.talon) if seat == state.seat else gone


def known(state: State, viewer: Viewer) -> State:
    """The talon and the hands of others are unseen."""
    if viewer is OPEN:
        return state
    hands = tuple(
        hand if seat == viewer else (UNSEEN,) * len(hand)
        for seat, hand in enumerate(state.hands, start=1)
    )
    return state._replace(hands=hands, talon=(UNSEEN,) * len(state.talon))


def view(state: State, viewer: Viewer) -> View:
    """The table as the viewer sees it."""
    seen = known(state, viewer)
    holders = tuple(_holder(seen, seat) for seat in range(1, len(seen.money) + 1))
    return View(
        stocks=tuple(_shown(seen, colour) for colour in range(len(seen.prices))),
        holders=holders,
        seat=seen.seat,
        movers=seen.movers,
        begun=seen.doing != NOTHING,
        talon=len(seen.talon),
        closing=seen.bell is Bell.INSIDE,
        closed=seen.bell is Bell.DRAWN,
        discard=ordered(seen.discard),
        end=seen.end,
        winners=_winners(seen),
    )


def _shown(state: State, colour: int) -> Stock:
    low, high = window(state, colour)
    return Stock(
        colour=COLOURS[colour],
        card=state.tops[colour],
        price=state.prices[colour],
        low=max(low, 1),
        high=min(high, 13),
        crash=may_crash(state, colour),
        past=tuple(prices[colour] for prices in state.past),
    )


def _holder(state: State, seat: int) -> Holder:
    return Holder(
        seat=seat,
        money=state.money[seat - 1],
        shares=state.shares[seat - 1],
        hand=state.hands[seat - 1] if state.hands else (),
        wealth=_wealth(state, seat),
        left=seat in state.left,
    )


def _winners(state: State) -> tuple[int, ...]:
    """The seats that are first among those that stayed."""
    if not state.end:
        return ()
    standing = _standing(state)
    staying = [seat for seat in range(1, len(standing) + 1) if seat not in state.left]
    best = max(standing[seat - 1] for seat in staying)
    return tuple(seat for seat in staying if standing[seat - 1] == best)


def final(state: State) -> dict[str, object]:
    """Where every card is, with money and prices (rules.md, part 8); {} before the deal."""
    if not state.hands:
        return {}
    letters = COLOURS.lower()
    return {
        "discard": list(ordered(state.discard)),
        "hands": _by_seat(list(cards) for cards in state.hands),
        "money": _by_seat(state.money),
        "prices": dict(zip(letters, state.prices, strict=True)),
        "shares": _by_seat(list(cards) for cards in state.shares),
        "talon": list(state.talon),
    }


def _by_seat(values: Iterable[object]) -> dict[str, object]:
    return {f"s{seat}": value for seat, value in enumerate(values, start=1)}


RULES = Rules(
    game="black-monday",
    version=1,
    seats=range(2, 7),
    chance=True,
    options=OPTIONS,
    setup=setup,
    sides=sides,
    turn=turn,
    legal_moves=legal_moves,
    apply=apply,
    apply_chance=apply_chance,
    leave=leave,
    parse=parse,
    notate=notate,
    read=read,
    known=known,
    choices=choices,
    view=view,
    final=final,
)
