"""Black Monday in sentences: what a turn did, who is to move, who won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from games.black_monday.cards import COLOURS, SHARES, VALUE
from games.black_monday.moves import Buy, Crash, End, Move, Pass, Price, Sell, Swap, parse
from games.black_monday.view import Holder, Stock, View
from games.black_monday.words import REASONS, WORDS
from games.core import words
from games.core.cards import UNSEEN, missing, without
from games.core.drawing import Reader
from games.core.line import split
from games.core.text import plain

address = partial(words.address, WORDS)
listed = partial(words.listed, WORDS)


def title(view: View, reader: Reader) -> str:
    """Whose turn it is, or who won."""
    if len(view.winners) > 1:
        return address(reader, "title-shared", names=_names(view.winners, reader))
    if view.winners:
        return address(reader, "title-won", view.winners[0])
    if reader.over:
        return address(reader, "title-over")
    return address(reader, "title", view.seat) if view.stocks else address(reader, "title-undealt")


def standing(view: View, reader: Reader) -> str:
    """Whose turn it is, or how the match ended; "" if it did not end by the rules."""
    if len(view.winners) > 1:
        names, reason = _names(view.winners, reader), REASONS[reader.language][view.end]
        return address(reader, "shared", names=names, reason=reason)
    if view.winners:
        reason = REASONS[reader.language][view.end]
        return address(reader, "won", view.winners[0], reason=reason)
    if reader.over:
        return ""
    if not view.stocks:
        return address(reader, "undealt")
    return address(reader, "begun" if view.begun else "turn", view.seat)


def _names(seats: Iterable[int], reader: Reader) -> str:
    return listed(reader, [plain(reader.names[seat - 1]) for seat in seats])


def tell(before: View, after: View, line: str, reader: Reader) -> str:
    """What the moves did, what the reader drew, and whether the End card came."""
    moves = [parse(move) for move in split(line)]
    deeds = list(_deeds(before, moves, reader))
    told = [address(reader, "deeds", before.seat, deeds=listed(reader, deeds))]
    told += [address(reader, f"lost-{letter}") for letter in _lost(before, moves)]
    return " ".join([*told, *_refilled(before, after, moves, reader)])


def tell_chance(before: View, after: View, reader: Reader) -> str:
    """The start prices, the deal, or a new talon and what it brings whoever was drawing."""
    if not before.stocks:
        prices = [address(reader, f"at-{one.colour}", price=one.price) for one in after.stocks]
        return address(reader, "start-prices", prices=listed(reader, prices))
    if not any(holder.hand for holder in before.holders):
        return address(reader, "dealt", count=len(after.holders[0].hand))
    return " ".join([address(reader, "new-talon"), *_refilled(before, after, (), reader)])


def _refilled(before: View, after: View, moves: Sequence[Move], reader: Reader) -> Iterator[str]:
    """What the reader drew, and whether the End card came."""
    drawn = _drawn(before, after, moves, reader)
    if drawn:
        yield address(reader, "draws", cards=cards(drawn, reader))
    if after.end:
        yield standing(after, reader)
    elif after.closed and not before.closed:
        yield address(reader, "last-round")


def _deeds(before: View, moves: Sequence[Move], reader: Reader) -> Iterator[str]:
    """Each move in a few words; `end` only if there is no other."""
    prices = {stock.colour: stock.price for stock in before.stocks}
    for move in moves:
        if isinstance(move, Swap):
            yield address(reader, "swaps", before.seat, cards=cards(move.cards, reader))
        elif isinstance(move, Pass):
            yield address(reader, "passes", before.seat)
        elif not isinstance(move, End):
            yield _deed(prices, before.seat, move, reader)
        elif len(moves) == 1:
            yield address(reader, "ends", before.seat)


def _deed(
    prices: dict[str, int], seat: int, move: Price | Crash | Buy | Sell, reader: Reader
) -> str:
    """A move with a single card; the prices follow it."""
    letter, old = move.card[0], prices[move.card[0]]
    if isinstance(move, Buy | Sell):
        verb = "buys" if isinstance(move, Buy) else "sells"
        cost = SHARES[move.card] * old
        return address(reader, f"{verb}-{letter}", seat, value=move.card[1:], cost=cost)
    new = VALUE[move.card]
    verb = "raises" if new > old else "lowers" if new < old else "keeps"
    prices[letter] = new
    if isinstance(move, Crash):
        verb, prices[letter] = "crashes", 0
    return address(reader, f"{verb}-{letter}", seat, old=old, value=new)


def _lost(before: View, moves: Sequence[Move]) -> list[str]:
    """The colours whose shares a crash took."""
    laid = {card[0] for holder in before.holders for card in holder.shares}
    laid |= {move.card[0] for move in moves if isinstance(move, Buy)}
    crashed = {move.card[0] for move in moves if isinstance(move, Crash)}
    return [letter for letter in COLOURS if letter in laid & crashed]


def _drawn(before: View, after: View, moves: Sequence[Move], reader: Reader) -> tuple[str, ...]:
    """The cards that came to the reader's own hand."""
    if reader.viewer != before.seat:
        return ()
    kept = before.holder(before.seat).hand
    for card in (card for move in moves for card in _played(move)):
        if not missing(kept, (card,)):
            kept = without(kept, card)
    drawn = after.holder(before.seat).hand
    for card in kept:
        if not missing(drawn, (card,)):
            drawn = without(drawn, card)
    return tuple(card for card in drawn if card != UNSEEN)


def _played(move: Move) -> tuple[str, ...]:
    """The hand cards of a move."""
    if isinstance(move, Swap):
        return move.cards
    return () if isinstance(move, Sell | Pass | End) else (move.card,)


def cards(names: Iterable[str], reader: Reader) -> str:
    """Cards as people list them."""
    return listed(reader, [card(name, reader) for name in names])


def card(name: str, reader: Reader) -> str:
    """A card in words."""
    if name == UNSEEN:
        return address(reader, "unseen")
    return address(reader, f"card-{name[0]}", value=name[1:])


def stock(shown: Stock, reader: Reader) -> str:
    """A price and where it may go."""
    key = "stock-crash" if shown.crash else "stock"
    return address(
        reader, f"{key}-{shown.colour}", price=shown.price, low=shown.low, high=shown.high
    )


def laid(holder: Holder, reader: Reader) -> str:
    """The shares of a seat by colour: `Blau 2+10, Violett 6`."""
    groups = [
        (letter, [name[1:] for name in holder.shares if name[0] == letter]) for letter in COLOURS
    ]
    said = [
        address(reader, f"laid-{letter}", values="+".join(values))
        for letter, values in groups
        if values
    ]
    return ", ".join(said) or address(reader, "no-shares")


def person(holder: Holder, reader: Reader) -> str:
    """A name, with a word on who that is."""
    return address(reader, "person-left" if holder.left else "person", holder.seat)


def owning(holder: Holder, reader: Reader) -> str:
    """Money and shares of a seat."""
    key = "seat-left" if holder.left else "seat"
    return address(
        reader, key, holder.seat, money=holder.money, shares=laid(holder, reader)
    ).removesuffix(".")


def hand(holder: Holder, reader: Reader) -> str:
    """The hand of a seat as far as it is seen."""
    return address(reader, "hand", holder.seat, cards=" ".join(holder.hand))
