"""What can be chosen in a turn of Black Monday, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from games.black_monday.cards import COLOUR, SHARES, about, ordered
from games.black_monday.legal import check, check_held, refusal
from games.black_monday.moves import (
    MOST,
    Buy,
    Crash,
    End,
    Move,
    Pass,
    Price,
    Sell,
    Swap,
    begun,
    notate,
)
from games.black_monday.state import State, own
from games.core.cards import things, without
from games.core.rules import Choice, IllegalMove, Mark, say


def choices(state: State, line: str) -> tuple[Choice, ...]:
    """First a card or a button, then what becomes of the card; the last step can be taken back."""
    if line == "":
        return (*_sales(state), *_picks(state), *_endings(state))
    chosen = begun(line)
    if isinstance(chosen, str):
        return _uses(state, chosen)
    check(state, chosen)
    if isinstance(chosen, Swap):
        return (*_swapped(chosen.cards), *_swappable(state, chosen.cards))
    return (_takes_back(chosen),)


def _sales(state: State) -> Iterator[Choice]:
    laid = own(state).shares
    for thing, card in zip(things(laid), laid, strict=True):
        if refusal(state, Sell(card)) is None:
            gain = SHARES[card] * state.piles[COLOUR[card]].price
            sentence = about("sell", card, gain=gain)
            yield Choice(f"share-{thing}", f"sell {card}", sentence, True, Mark.CAN)


def _picks(state: State) -> Iterator[Choice]:
    """The hand cards of which anything can become."""
    hand = own(state).hand
    for thing, card in zip(things(hand), hand, strict=True):
        if any(refusal(state, move) is None for move in _becomes(card)):
            yield Choice(thing, card, about("pick", card), False, Mark.CAN)


def _becomes(card: str) -> tuple[Move, ...]:
    return Price(card), Crash(card), Buy(card), Swap((card,))


def _endings(state: State) -> Iterator[Choice]:
    """The buttons that end the turn."""
    for move in (End(), Pass()):
        if refusal(state, move) is None:
            yield Choice("", notate(move), say(notate(move)), True)


def _uses(state: State, card: str) -> tuple[Choice, ...]:
    """What can become of the hand card that is picked."""
    check_held(state, (card,))
    price, crash, buy, swap = _becomes(card)
    letter, colour, count = card[0], COLOUR[card], SHARES[card]
    now = state.piles[colour].price
    cost = count * now
    offers = (
        (price, f"price-{letter}", about("set", card, old=now), card[1:]),
        (crash, f"crash-{letter}", about("crash", card, old=now), "0"),
        (buy, "buy", about("buy", card, count=count, cost=cost), f"−{cost}"),
        (swap, "talon", about("swap", card), ""),
    )
    found = tuple(
        Choice(thing, notate(move), sentence, True, badge=badge)
        for move, thing, sentence, badge in offers
        if refusal(state, move) is None
    )
    if not found:
        raise IllegalMove(refusal(state, price) or say("over"))
    return (Choice(card, "", about("put-back", card), False, Mark.CHOSEN), *found)


def _takes_back(chosen: Move) -> Choice:
    """The way back from a whole move: on the price it changed, else by a button."""
    text = notate(chosen)
    on_price = isinstance(chosen, Price | Crash)
    thing = f"price-{text.split()[1][0]}" if on_price else ""
    return Choice(thing, "", say("take-back", move=text), False, Mark.CHOSEN)


def _swapped(cards: tuple[str, ...]) -> Iterator[Choice]:
    for thing, card in zip(things(cards), cards, strict=True):
        rest = without(cards, card)
        line = notate(Swap(rest)) if rest else ""
        yield Choice(thing, line, about("put-back", card), bool(rest), Mark.CHOSEN)


def _swappable(state: State, cards: tuple[str, ...]) -> Iterator[Choice]:
    """The hand cards that can be exchanged along with those chosen, of equal ones the later."""
    if len(cards) == MOST:
        return
    hand, chosen = own(state).hand, things(cards)
    for thing, card in zip(things(hand), hand, strict=True):
        if thing not in chosen:
            line = notate(Swap(ordered((*cards, card))))
            yield Choice(thing, line, about("swap-too", card), True, Mark.CAN)
