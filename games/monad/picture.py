"""The table of Monad as an SVG, after the look (look.md, parts 4 to 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.core.cards import UNSEEN, things
from games.core.drawing import Reader
from games.core.line import JOINT, split
from games.core.rules import Choice, Mark
from games.core.svg import badge, link, paint, thing
from games.core.svg import picture as whole
from games.core.text import plain
from games.core.words import put
from games.monad import people, piles
from games.monad.cards import GROUP, GROUPED, VALUE
from games.monad.moves import Draw, End, Exchange, Flip, Move, Pass, begun
from games.monad.people import EDGE, GAP, Marks, Panel
from games.monad.piles import HIGH, WIDE, Trace
from games.monad.spots import Spot, is_joker, spread
from games.monad.symbols import definitions
from games.monad.told import about, hand, has, lying, standing, title
from games.monad.view import Done, Holder, View
from games.monad.words import WORDS

MARGIN = 8
WHOLE_TURNS = (End, Draw, Flip, Pass)


class Desk(NamedTuple):
    """What is drawn: a view, for whom, what can be chosen, what was begun and done last."""

    view: View
    reader: Reader
    choices: Mapping[str, Choice]
    picked: tuple[str, ...]
    """The ids of the hand cards of which the line makes nothing yet."""
    now: tuple[Done, ...]
    """What the whole moves of the line begun did."""
    last: tuple[Done, ...]
    """What was done last before them."""
    author: int
    """By whom."""

    def link(self, choice: Choice, parts: str) -> str:
        """A choosable thing."""
        sentence = put(WORDS, choice.say, self.reader.language)
        return link(choice.thing, sentence, choice.line, choice.mark.value, parts)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """What changed on the table, the newest first."""
        return _trace(self.now, ink=True), _trace(self.last, ink=False)


def svg(
    view: View,
    reader: Reader,
    *,
    choices: Sequence[Choice] = (),
    line: str = "",
    last: Sequence[str] = (),
) -> str:
    """Everybody else above, the ladder in the middle, the reader's hand below."""
    desk = _desk(view, reader, choices, line, last)
    parts, bottom = _table(desk)
    ground = (
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{EDGE + 2 * MARGIN}"'
        f' height="{bottom + 2 * MARGIN}" {paint("paper")}/>'
    )
    heading = title(view, reader)
    if line:
        heading = about(reader, "title-chosen", game=about(reader, view.edition), line=line)
    shown = ["\n".join(definitions()), ground, *parts]
    told = _description(desk, line, last)
    return whole((EDGE, bottom), reader.language, heading, told, shown, MARGIN)


def _desk(
    view: View, reader: Reader, choices: Sequence[Choice], line: str, last: Sequence[str]
) -> Desk:
    moves, picked = _begun(line)
    ends = bool(moves) and isinstance(moves[-1], WHOLE_TURNS)
    done = view.lately if ends else view.deeds
    count = sum(not isinstance(move, End) for move in moves)
    now, before = done[len(done) - count :], done[: len(done) - count]
    author = view.seat
    if not before and not ends:
        before, author = view.lately, view.mover
    return Desk(
        view=view,
        reader=reader,
        choices={choice.thing: choice for choice in choices if choice.thing},
        picked=things(picked),
        now=now,
        last=before if last else (),
        author=author,
    )


def _begun(line: str) -> tuple[tuple[Move, ...], tuple[str, ...]]:
    """The whole moves of a line, and the cards picked behind them; nothing stands behind the
    end of the turn."""
    moves: list[Move] = []
    for text in split(line) if line else ():
        chosen = begun(text)
        if isinstance(chosen, tuple):
            return tuple(moves), chosen
        moves.append(chosen)
        if isinstance(chosen, WHOLE_TURNS):
            break
    return tuple(moves), ()


def _trace(done: Sequence[Done], *, ink: bool) -> Trace:
    paid = [card for one in done if isinstance(one.move, Exchange) for card in one.move.cards]
    returned = tuple(card for card in paid if GROUP[card] >= 0)
    flipped = any(isinstance(one.move, Flip) for one in done)
    return Trace(returned, len(paid) - len(returned), flipped, ink)


def _description(desk: Desk, line: str, last: Sequence[str]) -> str:
    view, reader = desk.view, desk.reader
    groups = "; ".join(
        f"{value} {' '.join(card[0] for card in group) or about(reader, 'nothing')}"
        for value, group in zip(GROUPED, view.groups, strict=False)
    )
    own = [view.holder(reader.viewer)] if isinstance(reader.viewer, int) else []
    sentences = [
        *(has(view, holder, reader) for holder in view.others(reader.viewer)),
        *([about(reader, "groups", groups=groups)] if groups else []),
        *lying(view, reader),
        *(part for holder in own for part in (has(view, holder, reader), hand(holder, reader))),
        *([about(reader, "last", line=JOINT.join(last))] if last else []),
        *([about(reader, "chosen", line=line)] if line else []),
    ]
    return " ".join([*(f"{one}." for one in sentences if one), standing(view, reader)]).rstrip()


def _table(desk: Desk) -> tuple[list[str], int]:
    """All that is drawn from top to bottom, and where the bottom is."""
    parts, top = _others(desk)
    ladder, bottom = _ladder(desk, top)
    parts += ladder
    viewer = desk.reader.viewer
    if not isinstance(viewer, int):
        return parts, bottom
    parts.append(f'<path d="M0 {bottom + 13}H{EDGE}" {paint(stroke="rule", width=2)}/>')
    parts.append(people.own_line(_panel(desk, desk.view.holder(viewer)), bottom + 13))
    cards, bottom = _hand(desk, desk.view.holder(viewer), bottom + 95)
    return [*parts, *cards], bottom


def _others(desk: Desk) -> tuple[list[str], int]:
    """The seats that are not the reader's, each in its panel."""
    holders = desk.view.others(desk.reader.viewer)
    panels = tuple(_panel(desk, holder) for holder in holders)
    across, wide = people.columns(len(panels)), people.breadth(len(panels))
    high, parts = people.height(panels), []
    for number_, shown in enumerate(panels):
        row, column = divmod(number_, across)
        shape = people.panel(shown, column * (wide + GAP), row * (high + GAP), wide, high)
        sentences = (has(desk.view, shown.holder, desk.reader), hand(shown.holder, desk.reader))
        parts.append(thing("", ", ".join(filter(None, sentences)), shape))
    rows = -(-len(panels) // across)
    return parts, rows * (high + GAP) + 8


def _panel(desk: Desk, holder: Holder) -> Panel:
    view = desk.view
    return Panel(
        name=plain(desk.reader.names[holder.seat - 1]),
        holder=holder,
        target=view.target,
        teams=view.teams,
        side=view.teams and holder.seat % 2 == 1,
        won=holder.seat in view.winners and len(view.winners) < len(view.holders),
        marks=_marks(desk, holder),
    )


def _marks(desk: Desk, holder: Holder) -> Marks:
    """What the line begun changed for the seat to move, or the last turn for another."""
    own = holder.seat == desk.reader.viewer
    done, line = desk.last, people.PENCIL
    if own and desk.now:
        done, line = desk.now, people.INK
    elif holder.seat != desk.author:
        return people.NOTHING
    gained = [card for one in done if not isinstance(one.move, Pass) for card in one.cards]
    unseen = UNSEEN in gained and not own
    monads = gained.count("monad")
    return Marks(tuple(card for card in gained if card in VALUE), monads, unseen, line)


def _ladder(desk: Desk, top: int) -> tuple[list[str], int]:
    """Stock, discard, groups and Monads, and where they end."""
    view = desk.view
    deepest = max((piles.depth(len(group)) for group in view.groups), default=HIGH)
    wide, high = piles.discard_size(len(view.discard))
    below = top + 152 if wide == WIDE else top + deepest + 16
    parts = [
        _stock(desk, top),
        _discard(desk, below),
        *piles.steps(top),
        *(_group(desk, step, top) for step in range(1, 1 + len(GROUPED))),
        _monads(desk, top),
    ]
    return parts, max(top + deepest, below + high)


def _stock(desk: Desk, top: int) -> str:
    shape = piles.stock(len(desk.view.stock), top)
    shape += "".join(trace.mark(piles.turned(top, trace)) for trace in desk.traces)
    choice, spot = desk.choices.get("stock"), Spot(0, top)
    if choice is None:
        return thing("stock", lying(desk.view, desk.reader)[0], shape)
    mark = spot.framed if choice.mark is Mark.CHOSEN else spot.underlined
    return desk.link(choice, spot.area() + mark(shape))


def _discard(desk: Desk, top: int) -> str:
    shape = piles.discard(desk.view.discard, top, desk.traces)
    return thing("discard", lying(desk.view, desk.reader)[1], shape)


def _group(desk: Desk, step: int, top: int) -> str:
    """A group, its head last, which is on top."""
    value, x = GROUPED[step - 1], piles.column(step)
    group = desk.view.groups[step - 1] if step <= len(desk.view.groups) else ()
    if not group:
        return thing("", about(desk.reader, "no-group", value=value), piles.bare(x, top, value))
    lower = [
        thing(
            "",
            about(desk.reader, "below", card=card, place=number_ + 1),
            piles.at(x, top + piles.SHOWN * number_, piles.under(card)),
        )
        for number_, card in reversed(list(enumerate(group)))
        if number_
    ]
    signs = piles.brackets(group, x, top, desk.traces)
    return "".join((*lower, signs, _head(desk, group[0], x, top)))


def _head(desk: Desk, card: str, x: float, top: int) -> str:
    shape = piles.at(x, top, piles.face(card))
    sentence = about(desk.reader, "top", value=card[1:], card=card)
    return _goal(desk, card, sentence, x, top, shape)


def _monads(desk: Desk, top: int) -> str:
    sentence = about(desk.reader, "monads")
    return _goal(desk, "monad-pile", sentence, piles.column(5), top, piles.monads(top))


def _goal(desk: Desk, name: str, sentence: str, x: float, top: int, shape: str) -> str:
    """Something that can be acquired; a link if the cards picked pay for it."""
    choice = desk.choices.get(name)
    if choice is None:
        return thing(name, sentence, shape)
    cost = badge(x + WIDE - 14, top - 2, choice.badge) if choice.badge else ""
    spot = Spot(x, top)
    return desk.link(choice, spot.area(5) + spot.framed(shape) + cost)


def _hand(desk: Desk, holder: Holder, top: int) -> tuple[list[str], int]:
    """The reader's hand, and where it ends."""
    spots, bottom = spread(len(holder.hand), top)
    new, parts = _new(holder.hand, desk), []
    for name, card, spot in zip(things(holder.hand), holder.hand, spots, strict=True):
        shape = spot.face(card, holder.stamm)
        if name in new:
            shape = f'<g class="chosen">{spot.framed(shape)}</g>'
        parts.append(_card(desk, name, _sentence(card, holder, desk), spot, shape))
    return parts, bottom


def _sentence(card: str, holder: Holder, desk: Desk) -> str:
    """The words of a card in the hand."""
    if card == UNSEEN:
        return about(desk.reader, "a-one")
    return about(desk.reader, "joker", card=card) if is_joker(card, holder.stamm) else card


def _new(cards: Sequence[str], desk: Desk) -> set[str]:
    """The ids of the hand cards that the line begun brings: of equal ones the last."""
    gained = [card for one in desk.now for card in one.cards]
    named = list(zip(things(cards), cards, strict=True))
    copies = {card: [name for name, other in named if other == card] for card in gained}
    return {name for card, names in copies.items() for name in names[-gained.count(card) :]}


def _card(desk: Desk, name: str, sentence: str, spot: Spot, shape: str) -> str:
    """A card of the hand: a link if it can be picked or put back, framed if it is picked."""
    choice = desk.choices.get(name)
    if choice is None:
        return thing("" if name.startswith(UNSEEN) else name, sentence, shape)
    if choice.mark is Mark.CHOSEN:
        return desk.link(choice, spot.area() + spot.framed(shape))
    return desk.link(choice, spot.area() + spot.underlined(shape))
