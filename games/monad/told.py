"""Monad in sentences: what a turn did, who is to move, who won, who has what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from games.core.cards import UNSEEN
from games.core.drawing import Reader
from games.core.line import split
from games.core.text import plain
from games.core.words import address, listed
from games.monad.cards import GROUPED
from games.monad.moves import Bonus, Draw, End, Exchange, Flip, Pass, parse
from games.monad.view import Done, Holder, View
from games.monad.words import REASONS, WORDS

about = partial(address, WORDS)
"""A sentence about a seat, in the second person if it is the reader's."""


def title(view: View, reader: Reader) -> str:
    """Whose turn it is, or who won."""
    game = about(reader, view.edition)
    if view.end:
        return _won(view, reader, "title-", game=game)
    if reader.over:
        return about(reader, "title-over", game=game)
    if len(view.groups) < len(GROUPED):
        return about(reader, "title-set-up", game=game)
    return about(reader, "title", view.seat, game=game)


def standing(view: View, reader: Reader) -> str:
    """Whose turn it is, or how the match ended; "" if the game does not say."""
    if view.end:
        return _won(view, reader, "", reason=REASONS[reader.language][view.end])
    if reader.over:
        return ""
    if len(view.groups) < len(GROUPED):
        return about(reader, "set-up")
    return about(reader, "turn", view.seat)


def _won(view: View, reader: Reader, form: str, **values: str | int) -> str:
    first = view.winners[0]
    if len(view.winners) == len(view.holders):
        return about(reader, f"{form}drawn", 0, **values)
    if len(view.winners) == 1:
        return about(reader, f"{form}won", first, **values)
    names = listed(WORDS, reader, [plain(reader.names[seat - 1]) for seat in view.winners])
    return about(reader, f"{form}won-together", 0, names=names, **values)


def tell(before: View, after: View, line: str, reader: Reader) -> str:
    """What the moves of a line did, and how the match ended with them."""
    ended = isinstance(parse(split(line)[-1]), End | Draw | Flip | Pass)
    done = (after.lately if ended else after.deeds)[len(before.deeds) :]
    seat = before.seat
    told = [*_deeds(done, seat, reader)] or [about(reader, "ends", seat)]
    if any("monad" in one.cards for one in done):
        told.append(_monads(after, seat, reader))
    return " ".join([*told, standing(after, reader)] if after.end else told)


def tell_chance(before: View, after: View, reader: Reader) -> str:
    """The ones, the Stamm colours, a group, or a stock that was shuffled."""
    if not before.holders[0].hand and not before.groups:
        return about(reader, "deals")
    if len(after.groups) > len(before.groups):
        place = len(before.groups)
        cards = " ".join(after.groups[place])
        return about(reader, "lays", value=GROUPED[place], cards=cards)
    if before.groups:
        return about(reader, "shuffles", count=len(after.stock))
    given = [
        about(reader, "stamm", one.seat, stamm=one.stamm) for one in after.holders if one.stamm
    ]
    return (
        about(reader, "gives", given=listed(WORDS, reader, given))
        if given
        else (about(reader, "chooses"))
    )


def _deeds(done: Sequence[Done], seat: int, reader: Reader) -> Iterator[str]:
    """Exchanges in one sentence, then the bonus; or what else the turn was."""
    deals = [_deal(one, reader) for one in done if isinstance(one.move, Exchange)]
    if deals:
        yield about(reader, "exchanges", seat, deals=listed(WORDS, reader, deals))
    for one in done:
        if isinstance(one.move, Bonus):
            yield _bonus(one, reader)
        elif not isinstance(one.move, Exchange):
            yield _whole_turn(one, seat, reader)


def _deal(one: Done, reader: Reader) -> str:
    assert isinstance(one.move, Exchange)
    (card,) = one.cards
    gained = about(reader, "a-monad") if card == "monad" else card
    return about(reader, "deal", paid=" ".join(one.move.cards), gained=gained)


def _bonus(one: Done, reader: Reader) -> str:
    if not one.cards:
        return about(reader, "bonus-brings-nothing")
    cards = [about(reader, "a-one") if card == UNSEEN else card for card in one.cards]
    return about(reader, "bonus-brings", cards=listed(WORDS, reader, cards))


def _whole_turn(one: Done, seat: int, reader: Reader) -> str:
    cards = " ".join(one.cards)
    if isinstance(one.move, Draw):
        return about(reader, "draws-unseen" if cards == UNSEEN else "draws", seat, card=cards)
    if isinstance(one.move, Flip):
        return about(reader, "flips", seat)
    return about(reader, "proves" if cards else "passes", seat, cards=cards)


def _monads(view: View, seat: int, reader: Reader) -> str:
    key, count = "team-has-now" if view.teams else "has-now", view.holder(seat).team
    return about(reader, key, seat, count=count, target=view.target)


def has(view: View, holder: Holder, reader: Reader) -> str:
    """What a seat has, its hand left out."""
    if holder.left:
        return about(reader, "left", holder.seat)
    return about(
        reader,
        "has-in-team" if view.teams else "has",
        holder.seat,
        stamm=holder.stamm,
        count=len(holder.hand),
        monads=holder.monads,
        team=holder.team,
        target=view.target,
    )


def hand(holder: Holder, reader: Reader) -> str:
    """The cards of a hand that are seen; "" if there are none."""
    cards = " ".join(holder.seen)
    if not cards:
        return ""
    return about(reader, "hand" if UNSEEN not in holder.hand else "known", cards=cards)


def lying(view: View, reader: Reader) -> list[str]:
    """Stock and discard."""
    cards = " ".join(view.stock)
    seen = "stock-seen" if cards and UNSEEN not in view.stock else "stock"
    discard = " ".join(view.discard) or about(reader, "nothing")
    return [
        about(reader, seen, count=len(view.stock), cards=cards),
        about(reader, "discard", cards=discard),
    ]
