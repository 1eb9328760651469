"""Black Monday, version 1: what chance and the moves do, what is seen, and how it ends.

The position and its options are in `state`, what is legal in `legal`, how a turn is chosen in
`choosing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

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
    Holding,
    Lot,
    Pile,
    State,
    own,
    owning,
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

HIGHEST_START = 10
"""The highest price at the beginning (B-10)."""
MOVERS = tuple(map(ToMove, range(7)))
"""By seat, that it is to move."""


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    """Each seat for itself."""
    return tuple((seat,) for seat in range(1, len(state.holdings) + 1))


def turn(state: State) -> Turn:
    """Who is to move, what is left to chance, or how it ended."""
    if state.end:
        return Over(state.end, _standing(state))
    if state.lot is Lot.NOTHING:
        return MOVERS[state.seat]
    if state.lot is Lot.PRICES:
        return Chance("pub", Dice((2 * HIGHEST_START,) * len(COLOURS)))
    cards = _stock(state) if state.lot is Lot.DEAL else (*ordered(state.discard), END)
    return Chance("hid", Shuffle(cards))


def _standing(state: State) -> tuple[tuple[int, ...], ...]:
    """Wealth, and money after it if it decides (B-52, B-Q20)."""
    if not state.terms.cash:
        return tuple((_wealth(state, holding),) for holding in state.holdings)
    return tuple((_wealth(state, holding), holding.money) for holding in state.holdings)


def _wealth(state: State, holding: Holding) -> int:
    worth = (SHARES[card] * state.piles[COLOUR[card]].price for card in holding.shares)
    return holding.money + sum(worth)


def _stock(state: State) -> tuple[str, ...]:
    """The cards that are dealt: all but the price cards (B-11)."""
    stock = list(DECK)
    for pile in state.piles:
        stock.remove(pile.card)
    return tuple(stock)


def apply_chance(state: State, outcome: Outcome) -> State:
    """The start prices, the deal, or a new talon with the End card in it."""
    if state.lot is Lot.PRICES:
        prices = [(int(eyes) + 1) // 2 for eyes in outcome]
        piles = tuple(map(Pile, prices, map("{}{}".format, COLOURS, prices)))
        return state._replace(piles=piles, past=(piles,) * 3, lot=Lot.DEAL)
    cards = tuple(map(str, outcome))
    if state.lot is Lot.TALON:
        renewed = state._replace(talon=cards, discard=(), bell=Bell.INSIDE, lot=Lot.NOTHING)
        return _refill(renewed, own(state).hand)
    seats = len(state.holdings)
    dealt = HAND * seats
    hands = (ordered(cards[seat:dealt:seats]) for seat in range(seats))
    return state._replace(
        holdings=tuple(Holding(hand) for hand in hands), talon=cards[dealt:], lot=Lot.NOTHING
    )


def apply(state: State, move: Move) -> State:
    """The state after the move, or the reason against it; that a card is not held goes first."""
    check(state, move)
    return _DO[type(move)](state, move)


def _price(state: State, move: Price) -> State:
    return _change(state, Pile(VALUE[move.card], move.card))


def _change(state: State, pile: Pile) -> State:
    """A card on its pile; the one below it is discarded."""
    card, colour, holding = pile.card, COLOUR[pile.card], own(state)
    blocks, changes, buys, fresh = state.doing
    return _going_on(
        state,
        (*state.piles[:colour], pile, *state.piles[colour + 1 :]),
        Holding(without(holding.hand, card), holding.shares, holding.money),
        (*state.discard, state.piles[colour].card),
        Doing(_entered(blocks, Block.PRICE), changes + 1, buys, fresh),
    )


def _going_on(
    state: State,
    piles: tuple[Pile, ...],
    holding: Holding,
    discard: tuple[str, ...],
    doing: Doing,
) -> State:
    """The state with what the mover has changed in the middle of the turn."""
    return State(
        state.terms,
        state.seat,
        piles,
        owning(state, holding),
        state.talon,
        discard,
        state.bell,
        Lot.NOTHING,
        doing,
        0,
        state.left,
        state.past,
        state.movers,
        "",
    )


def _entered(blocks: tuple[Block, ...], block: Block) -> tuple[Block, ...]:
    """The phases of the turn up to this one."""
    return blocks if blocks and blocks[-1] is block else (*blocks, block)


def _crash(state: State, move: Crash) -> State:
    """The price is 0 and all shares of the colour are lost, those of seats that left too (B-31)."""
    colour = COLOUR[move.card]
    changed = _change(state, Pile(0, move.card))
    lost = [card for holding in state.holdings for card in of_colour(holding.shares, colour)]
    if not lost:
        return changed
    holdings = (
        holding._replace(shares=tuple(card for card in holding.shares if COLOUR[card] != colour))
        for holding in changed.holdings
    )
    return changed._replace(holdings=tuple(holdings), discard=(*changed.discard, *lost))


def _buy(state: State, move: Buy) -> State:
    card, (hand, shares, money) = move.card, own(state)
    blocks, changes, buys, fresh = state.doing
    cost = SHARES[card] * state.piles[COLOUR[card]].price
    return _going_on(
        state,
        state.piles,
        Holding(without(hand, card), ordered((*shares, card)), money - cost),
        state.discard,
        Doing(_entered(blocks, Block.TRADE), changes, buys + 1, (*fresh, card)),
    )


def _sell(state: State, move: Sell) -> State:
    """The money for a card laid out; of equal cards those of earlier turns are sold first."""
    card, (hand, shares, money) = move.card, own(state)
    blocks, changes, buys, fresh = state.doing
    gain = SHARES[card] * state.piles[COLOUR[card]].price
    if card in fresh and shares.count(card) == fresh.count(card):
        fresh = without(fresh, card)
    return _going_on(
        state,
        state.piles,
        Holding(hand, without(shares, card), money + gain),
        (*state.discard, card),
        Doing(_entered(blocks, Block.TRADE), changes, buys, fresh),
    )


def _swap(state: State, move: Swap) -> State:
    kept = own(state).hand
    for card in move.cards:
        kept = without(kept, card)
    return _refill(state._replace(discard=(*state.discard, *move.cards), passes=0), kept)


def _pass(state: State, move: Pass) -> State:
    return _refill(state._replace(passes=state.passes + 1), own(state).hand)


def _finish(state: State, move: End) -> State:
    return _refill(state, own(state).hand)


_DO: Mapping[type[Move], Callable[..., State]] = {
    Price: _price,
    Crash: _crash,
    Buy: _buy,
    Sell: _sell,
    Swap: _swap,
    Pass: _pass,
    End: _finish,
}


def _refill(state: State, kept: tuple[str, ...]) -> State:
    """The mover draws up to eight cards (B-23), the talon is renewed when it is used up (B-50), and
    the turn is over. Nobody draws any more after the End card (B-Q17, B-Q18).

    Who does not see the talon knows at least that its last card, if not one before, was the End
    card once this is among them.
    """
    if state.bell is Bell.DRAWN:
        return _next(state, kept, state.talon)
    need = HAND - len(kept)
    drawn, talon = state.talon[:need], state.talon[need:]
    if END in drawn:
        last = drawn.index(END)
        return _close(state, ordered((*kept, *drawn[:last])), state.talon[last + 1 :])
    hand = ordered((*kept, *drawn)) if drawn else kept
    if talon or (len(drawn) == need and not state.terms.eager and state.bell is Bell.ASIDE):
        return _next(state, hand, talon)
    if state.bell is Bell.INSIDE:
        return _close(state, hand, talon)
    return state._replace(holdings=_handed(state, hand), talon=talon, lot=Lot.TALON)


def _handed(state: State, hand: tuple[str, ...]) -> tuple[Holding, ...]:
    """What all seats have if the mover has this hand."""
    _, shares, money = own(state)
    return owning(state, Holding(hand, shares, money))


def _close(state: State, hand: tuple[str, ...], talon: tuple[str, ...]) -> State:
    """The End card is drawn: it is over, or over when the round is (B-51, B-Q17)."""
    closed = state._replace(bell=Bell.DRAWN)
    return (_next if state.terms.outplayed else _over)(closed, hand, talon)


def _next(state: State, hand: tuple[str, ...], talon: tuple[str, ...]) -> State:
    """The next seat's turn, unless the last round is over or all have passed twice (B-Q14)."""
    seats = len(state.holdings)
    seat = state.seat % seats + 1
    while seat in state.left:
        seat = seat % seats + 1
    if state.bell is Bell.DRAWN:
        over = seat <= state.seat
    else:
        over = state.passes >= TWICE * (seats - len(state.left))
    if over:
        return _over(state, hand, talon)
    return State(
        state.terms,
        seat,
        state.piles,
        _handed(state, hand),
        talon,
        state.discard,
        state.bell,
        Lot.NOTHING,
        NOTHING,
        state.passes,
        state.left,
        (state.piles, state.past[0], state.past[1]),
        (state.seat, state.movers[0]),
        "",
    )


def _over(state: State, hand: tuple[str, ...], talon: tuple[str, ...]) -> State:
    """The end, with the last hand."""
    end = "closed" if state.bell is Bell.DRAWN else "passed"
    return state._replace(holdings=_handed(state, hand), talon=talon, end=end)


def leave(state: State, seat: int) -> State:
    """The seat is skipped from now on; if it was its turn, the turn ends without a refill."""
    gone = state._replace(left=(*state.left, seat))
    return _next(gone, own(gone).hand, gone.talon) if seat == state.seat else gone


def known(state: State, viewer: Viewer) -> State:
    """The talon and the hands of others are unseen."""
    if viewer is OPEN:
        return state
    holdings = tuple(
        holding
        if seat == viewer
        else Holding((UNSEEN,) * len(holding.hand), holding.shares, holding.money)
        for seat, holding in enumerate(state.holdings, start=1)
    )
    return state._replace(holdings=holdings, talon=(UNSEEN,) * len(state.talon))


def view(state: State, viewer: Viewer) -> View:
    """The table as the viewer sees it."""
    seen = known(state, viewer)
    return View(
        stocks=tuple(_shown(seen, colour) for colour in range(len(seen.piles))),
        holders=tuple(_holder(seen, seat) for seat in range(1, len(seen.holdings) + 1)),
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
        card=state.piles[colour].card,
        price=state.piles[colour].price,
        low=max(low, 1),
        high=min(high, 13),
        crash=may_crash(state, colour),
        past=tuple(piles[colour].price for piles in state.past),
    )


def _holder(state: State, seat: int) -> Holder:
    holding = state.holdings[seat - 1]
    return Holder(
        seat=seat,
        money=holding.money,
        shares=holding.shares,
        hand=holding.hand,
        wealth=_wealth(state, holding),
        left=seat in state.left,
    )


def _winners(state: State) -> tuple[int, ...]:
    """The seats that are first among those that stayed."""
    if not state.end:
        return ()
    standing = dict(enumerate(_standing(state), start=1))
    staying = [seat for seat in standing if seat not in state.left]
    best = max(standing[seat] for seat in staying)
    return tuple(seat for seat in staying if standing[seat] == best)


def final(state: State) -> dict[str, object]:
    """Where every card is, with money and prices; {} before the deal."""
    if state.lot in (Lot.PRICES, Lot.DEAL):
        return {}
    hands, shares, money = zip(*state.holdings, strict=True)
    prices = {COLOURS[colour].lower(): pile.price for colour, pile in enumerate(state.piles)}
    return {
        "discard": list(ordered(state.discard)),
        "hands": _by_seat(map(list, hands)),
        "money": _by_seat(money),
        "prices": prices,
        "shares": _by_seat(map(list, shares)),
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
