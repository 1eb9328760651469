"""What can be chosen in a turn of Monad, step by step: cards of the hand, then what they buy.

No payment is ever listed. Whether the cards chosen so far can still become one is worked out from
totals, so a hand of twenty is as quick as one of six.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core.cards import UNSEEN, missing, things, without
from games.core.rules import Choice, IllegalMove, Mark, Say, say
from games.monad.cards import LEAPS, MONAD, PLACE, VALUE, VALUES
from games.monad.legal import (
    check,
    hand,
    levels,
    pair_level,
    refusal,
    unpaid,
)
from games.monad.moves import (
    Bonus,
    Draw,
    End,
    Exchange,
    Flip,
    Leap,
    Move,
    Pair,
    Pass,
    Sum,
    begun,
    notate,
)
from games.monad.state import State, bonus_cards, entitled

Cards = tuple[str, ...]


def choices(state: State, line: str) -> tuple[Choice, ...]:
    """First a card or what ends the turn, then more cards and what they buy; every step can be
    taken back."""
    if line == "" and (state.end or state.lot):
        return ()
    if line == "":
        return (*_stock(state), *_picks(state, ()), *_others(state))
    chosen = begun(line)
    if not isinstance(chosen, tuple):
        check(state, chosen)
        return (_takes_back(chosen),)
    unpaid(state, chosen)
    further = (*_buys(state, chosen), *_picks(state, chosen))
    if not further:
        raise IllegalMove(_why_nothing(state, chosen))
    return (*_puts_back(chosen), *further)


def _stock(state: State) -> Iterator[Choice]:
    if refusal(state, Draw()) is None:
        card, count = state.stock[0], len(state.stock)
        sentence = say("draw-unseen", count=count)
        if card != UNSEEN:
            sentence = say("draw", card=card, count=count)
        yield Choice("stock", "draw", sentence, True, Mark.CAN)


def _others(state: State) -> Iterator[Choice]:
    """The buttons."""
    for level in entitled(state):
        cards = bonus_cards(state, level)
        key = "bonus" if cards else "bonus-nothing"
        yield Choice("", notate(Bonus(level)), say(key, level=level, cards=", ".join(cards)), True)
    for move in (Flip(), Pass(), End()):
        if refusal(state, move) is None:
            yield Choice("", notate(move), say(notate(move)), True)


def _picks(state: State, chosen: Cards) -> Iterator[Choice]:
    """The hand cards that can be paid along with those chosen; of equal ones the later."""
    taken = things(chosen)
    own = hand(state)
    fit = {card: _leads_on(state, (*chosen, card)) for card in dict.fromkeys(own)}
    for thing, card in zip(things(own), own, strict=True):
        if thing not in taken and fit[card]:
            key = "pick-joker" if _joker(state, card) else "pick"
            yield Choice(thing, " ".join((*chosen, card)), say(key, card=card), False, Mark.CAN)


def _joker(state: State, card: str) -> bool:
    return card[0] == state.player.stamm and VALUE[card] > VALUES[0]


def _puts_back(chosen: Cards) -> Iterator[Choice]:
    for thing, card in zip(things(chosen), chosen, strict=True):
        line = " ".join(without(chosen, card))
        yield Choice(thing, line, say("put-back", card=card), False, Mark.CHOSEN)


def _buys(state: State, chosen: Cards) -> Iterator[Choice]:
    """What the chosen cards can be exchanged for as they are."""
    for move in _exchanges(state, chosen):
        if refusal(state, move) is None:
            level = move.level if isinstance(move, Sum) else _worth(state, move)
            yield _buy(state, move, level)


def _exchanges(state: State, chosen: Cards) -> Iterator[Exchange]:
    if len(chosen) == 2:
        yield Pair(chosen)
    if len(chosen) in LEAPS:
        yield Leap(chosen)
    for level in levels(state):
        yield Sum(chosen, level)


def _worth(state: State, move: Pair | Leap) -> int:
    """What a legal pair or leap is exchanged for."""
    if isinstance(move, Leap):
        return LEAPS[len(move.cards)]
    return pair_level(state.player.stamm, *move.cards)


def _buy(state: State, move: Exchange, level: int) -> Choice:
    paid = sum(VALUE[card] for card in move.cards)
    how, badge = ("-sum", f"−{paid}") if isinstance(move, Sum) else ("", "")
    thing, sentence = "monad-pile", say(f"buy-monad{how}", paid=paid)
    if level != MONAD:
        thing = state.groups[PLACE[level]][0]
        sentence = say(f"buy{how}", card=thing, paid=paid)
    return Choice(thing, notate(move), sentence, True, badge=badge)


def _takes_back(chosen: Move) -> Choice:
    """The way back from a whole move: to the cards chosen for it, or to the beginning."""
    thing = "stock" if isinstance(chosen, Draw) else ""
    line = " ".join(chosen.cards) if isinstance(chosen, Exchange) else ""
    return Choice(thing, line, say("take-back", move=notate(chosen)), False, Mark.CHOSEN)


def _why_nothing(state: State, chosen: Cards) -> Say:
    nothing = say("buys-nothing", cards=" ".join(chosen))
    return refusal(state, End()) or nothing if state.end or state.lot else nothing


def _leads_on(state: State, chosen: Cards) -> bool:
    """Whether cards that are held are a payment, or may become one by adding others."""
    rest = list(hand(state))
    if missing(rest, chosen):
        return False
    for card in chosen:
        rest.remove(card)
    return (
        _pairs_up(state, chosen, rest)
        or _leaps(state, chosen, rest)
        or any(_adds_up(state, chosen, rest, level) for level in levels(state))
    )


def _pairs_up(state: State, chosen: Cards, rest: list[str]) -> bool:
    if len(chosen) == 1:
        return any(_pays(state, (chosen[0], card)) for card in rest)
    return len(chosen) == 2 and _pays(state, chosen)


def _pays(state: State, cards: Cards) -> bool:
    return refusal(state, Pair(cards)) is None


def _leaps(state: State, chosen: Cards, rest: list[str]) -> bool:
    """Whether there are enough ones of other colours for a leap."""
    ones = [card for card in dict.fromkeys(rest) if VALUE[card] == VALUES[0] and card not in chosen]
    most = min(len(chosen) + len(ones), max(LEAPS))
    wanted = max(len(chosen), min(LEAPS))
    return any(
        refusal(state, Leap((*chosen, *ones[: count - len(chosen)]))) is None
        for count in range(wanted, most + 1)
    )


def _adds_up(state: State, chosen: Cards, rest: list[str], level: int) -> bool:
    """Whether the chosen cards can be part of a sum for a level."""
    paid = [VALUE[card] for card in chosen]
    if max(paid) >= level:
        return False
    more = [VALUE[card] for card in rest if VALUE[card] < level]
    if state.terms.tight:
        return _adds_up_tightly(paid, more, level)
    return sum(paid) + sum(more) >= level


def _adds_up_tightly(paid: list[int], more: list[int], level: int) -> bool:
    """Whether some of more values fill up those paid so that each is needed: the total reaches
    the level, and falls short of it without the least of the values.

    The totals within reach are the bits of a number.
    """
    for least in VALUES:
        if least > min(paid):
            return False
        larger = [value for value in more if value >= least]
        reach = 1 << sum(paid)
        if least < min(paid):
            if least not in larger:
                continue
            larger.remove(least)
            reach <<= least
        for value in larger:
            reach |= reach << value
        if (reach >> level) & ((1 << least) - 1):
            return True
    return False
