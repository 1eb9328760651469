"""What is legal in Black Monday, and the reason against what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from games.black_monday.cards import COLOUR, COURTS, DOWN, SHARES, UP, VALUE, about, shares
from games.black_monday.moves import MOST, Buy, Crash, End, Move, Pass, Price, Sell, Swap
from games.black_monday.state import CAP, TWICE, Block, Lot, State, own
from games.core.cards import missing
from games.core.rules import IllegalMove, NotHeld, Say, say


def check(state: State, move: Move) -> None:
    """Raises the reason against the move; that a card is not held goes before any other."""
    if isinstance(move, Swap):
        check_held(state, move.cards)
    elif isinstance(move, Price | Crash | Buy):
        check_held(state, (move.card,))
    reason = refusal(state, move)
    if reason is not None:
        raise IllegalMove(reason)


def check_held(state: State, cards: tuple[str, ...]) -> None:
    """Raises NotHeld if the seat to move does not hold all the cards."""
    lacking = missing(own(state).hand, cards)
    if lacking:
        raise NotHeld(about("not-held", lacking))


def refusal(state: State, move: Move) -> Say | None:
    """The reason against a move of cards that are held."""
    return _resting(state) or _REASONS[type(move)](state, move)


def _resting(state: State) -> Say | None:
    """The reason against any move at all."""
    if state.end:
        return say("over")
    return say("not-yet") if state.lot is not Lot.NOTHING else None


def _no_price(state: State, move: Price) -> Say | None:
    colour, value = COLOUR[move.card], VALUE[move.card]
    low, high = window(state, colour)
    if low <= value <= high:
        return _no_change(state)
    price = state.piles[colour].price
    reach = about("window", move.card, price=price, low=max(low, 1), high=min(high, 13))
    return _no_change(state) or reach


def window(state: State, colour: int) -> tuple[int, int]:
    """The least and the highest value that may follow the price (B-30)."""
    price = state.piles[colour].price
    return price - DOWN[colour], price + UP[colour]


def _no_crash(state: State, move: Crash) -> Say | None:
    colour = COLOUR[move.card]
    if move.card not in COURTS:
        return about("no-court", move.card)
    if may_crash(state, colour):
        return _no_change(state)
    high = about("too-high", move.card, price=state.piles[colour].price, most=DOWN[colour])
    return _no_change(state) or high


def may_crash(state: State, colour: int) -> bool:
    return not state.terms.bounded or window(state, colour)[0] <= 0


def _no_change(state: State) -> Say | None:
    if state.doing.changes == TWICE:
        return say("changed-twice")
    return _no_enter(state, Block.PRICE)


def _no_enter(state: State, block: Block) -> Say | None:
    """The reason against another move of a phase: the other phase followed it (B-20)."""
    blocks = state.doing.blocks
    over = blocks and blocks[-1] is not block and block in blocks
    return say(f"{block.value}-over") if over else None


def _no_buy(state: State, move: Buy) -> Say | None:
    if move.card in COURTS and not state.terms.courts:
        return about("court", move.card)
    if state.doing.buys == TWICE:
        return say("bought-twice")
    return _no_enter(state, Block.TRADE) or _no_pay(state, move.card)


def _no_pay(state: State, card: str) -> Say | None:
    colour, count = COLOUR[card], SHARES[card]
    price, holding = state.piles[colour].price, own(state)
    if price == 0 and not state.terms.gratis:
        return about("worthless", card)
    laid = shares(holding.shares, colour)
    if laid + count > CAP:
        return about("cap", card, shares=laid, count=count, most=CAP)
    if count * price > holding.money:
        return say("too-dear", cost=count * price, money=holding.money)
    return None


def _no_sell(state: State, move: Sell) -> Say | None:
    laid = own(state).shares
    if move.card not in laid:
        return about("not-laid", move.card)
    if not state.terms.resale and laid.count(move.card) == state.doing.fresh.count(move.card):
        return about("resale", move.card)
    return _no_enter(state, Block.TRADE)


def _no_swap(state: State, move: Swap) -> Say | None:
    return say("swap-alone") if state.doing.blocks else None


def _no_pass(state: State, move: Pass) -> Say | None:
    if not state.terms.idle:
        return say("no-pass")
    return say("pass-alone") if state.doing.blocks else None


def _no_end(state: State, move: End) -> Say | None:
    return None if state.doing.blocks else say("nothing-done")


_REASONS: Mapping[type[Move], Callable[..., Say | None]] = {
    Price: _no_price,
    Crash: _no_crash,
    Buy: _no_buy,
    Sell: _no_sell,
    Swap: _no_swap,
    Pass: _no_pass,
    End: _no_end,
}


def legal_moves(state: State) -> Iterator[Move]:
    """Sales, then for each hand card a price, a crash and a purchase, then exchanges, then what
    ends the turn; each of equal cards once."""
    if _resting(state) is not None:
        return
    found: list[Move] = [Sell(card) for card in dict.fromkeys(own(state).shares)]
    found += [use(card) for card in dict.fromkeys(own(state).hand) for use in _USES]
    yield from (move for move in found if refusal(state, move) is None)
    if not state.doing.blocks:
        for count in range(1, MOST + 1):
            yield from map(Swap, dict.fromkeys(combinations(own(state).hand, count)))
    yield from (move for move in (End(), Pass()) if refusal(state, move) is None)


_USES: tuple[Callable[[str], Price | Crash | Buy], ...] = (Price, Crash, Buy)
