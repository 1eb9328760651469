"""The table of Black Monday as an SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.black_monday import people, scales
from games.black_monday.cards import COLOURS, ordered
from games.black_monday.moves import Buy, Crash, End, Move, Pass, Price, Sell, Swap, begun
from games.black_monday.people import EDGE, LINE, Marks
from games.black_monday.symbols import SYMBOLS, face, small, use
from games.black_monday.told import address, card, hand, owning, standing, stock, title
from games.black_monday.view import Holder, Stock, View
from games.black_monday.words import WORDS
from games.core.cards import UNSEEN, things
from games.core.drawing import Reader
from games.core.faces import PITCH, Spot, back, depth, framed, spread, underline, underlined
from games.core.line import JOINT, split
from games.core.names import called
from games.core.rules import Choice, Mark
from games.core.svg import HIT, disc, link, number, paint, thing, words
from games.core.svg import picture as whole
from games.core.text import plain
from games.core.words import put

MARGIN = 8
OWN, COLUMN, ROW = 131, 98, 84
"""Where the own share cards begin, and from one to the next."""


class Desk(NamedTuple):
    """What is drawn: a view, for whom, what can be chosen, and what was begun and done last."""

    view: View
    reader: Reader
    choices: Mapping[str, Choice]
    picked: str
    """The hand card with which the line does nothing yet, or ""."""
    moves: tuple[Move, ...]
    """The whole moves of the line begun."""
    last: tuple[Move, ...]
    """The moves of the last turn."""

    @property
    def own(self) -> Holder | None:
        """What the reader has, if they have a seat."""
        viewer = self.reader.viewer
        return self.view.holder(viewer) if isinstance(viewer, int) else None

    @property
    def over(self) -> bool:
        """Whether the match is over, by the rules or otherwise."""
        return bool(self.view.end) or self.reader.over

    @property
    def ended(self) -> int:
        """1 if the line begun ends the turn, so that the view stands behind it; else 0."""
        whole = bool(self.moves) and isinstance(self.moves[-1], End | Swap | Pass)
        return int(whole and not self.view.end)

    def link(self, choice: Choice, parts: str) -> str:
        """A choosable thing."""
        sentence = put(WORDS, choice.say, self.reader.language)
        return link(choice.thing, sentence, choice.line, choice.mark.value, parts)


def svg(
    view: View,
    reader: Reader,
    *,
    choices: Sequence[Choice] = (),
    line: str = "",
    last: Sequence[str] = (),
) -> str:
    """Prices, everybody's money and shares, and the reader's hand."""
    chosen = tuple(_moves(line))
    desk = Desk(
        view=view,
        reader=reader,
        choices={choice.thing: choice for choice in choices},
        picked=next((move for move in chosen if isinstance(move, str)), ""),
        moves=tuple(move for move in chosen if not isinstance(move, str)),
        last=tuple(move for one in last for move in _moves(one) if not isinstance(move, str)),
    )
    parts, bottom = _table(desk)
    ground = (
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{EDGE + 2 * MARGIN}"'
        f' height="{bottom + 2 * MARGIN}" {paint("paper")}/>'
    )
    heading = address(reader, "title-chosen", line=line) if line else title(view, reader)
    told = _description(desk, last)
    parts = [SYMBOLS, ground, *parts]
    return whole((EDGE, bottom), reader.language, heading, told, parts, MARGIN)


def _moves(line: str) -> Iterator[Move | str]:
    """The moves of a line up to the one that ends the turn; what follows does not stand."""
    for text in split(line) if line else ():
        move = begun(text)
        yield move
        if isinstance(move, End | Swap | Pass):
            return


def _description(desk: Desk, last: Sequence[str]) -> str:
    view, reader, own = desk.view, desk.reader, desk.own
    prices = "; ".join(stock(one, reader) for one in view.stocks)
    return " ".join(
        [
            *([f"{prices}."] if prices else []),
            *(f"{_owning(holder, reader)}." for holder in view.holders if holder is not own),
            *([f"{owning(own, reader)}.", hand(own, reader)] if own else []),
            *([address(reader, "last", line=JOINT.join(last))] if last else []),
            standing(view, reader),
        ]
    ).rstrip()


def _owning(holder: Holder, reader: Reader) -> str:
    """What another seat has, the hand too if it lies open."""
    return (
        f"{owning(holder, reader)}. {hand(holder, reader)}"
        if holder.seen
        else owning(holder, reader)
    )


def _table(desk: Desk) -> tuple[list[str], int]:
    """All that is drawn from top to bottom, and where the bottom is."""
    parts = [_row(desk, place, letter) for place, letter in enumerate(COLOURS)]
    parts.append(_rule(378))
    y = 413
    for holder in _others(desk):
        shown, rows = people.line(_name(desk, holder), holder, y, _marks(desk, holder))
        parts.append(thing("", _owning(holder, desk.reader), shown))
        y += LINE * rows
    parts.append(_rule(y - 13))
    own = desk.own
    if own is None:
        parts.append(_talon(desk, 0, y + 5))
        return parts, y + 111
    top, cards = y + 3, _hand(desk, own)
    parts.append(_money(desk, own, top))
    parts += _shares(desk, own, top)
    top += ROW * _share_rows(desk, own) + 12
    parts += _cards(desk, cards, top)
    below = depth(len(cards))
    beside = len(cards) < 10 and len(cards) % 5 > 0
    parts.append(_talon(desk, 544, top + below + (22 - PITCH if beside else 22)))
    return parts, round(top + below + 6 + (0 if beside else 146))


def _rule(y: float) -> str:
    return f'<path d="M0 {number(y)}H{EDGE}" {paint(stroke="rule", width=2)}/>'


def _name(desk: Desk, holder: Holder) -> str:
    return plain(desk.reader.names[holder.seat - 1])


def _others(desk: Desk) -> Iterator[Holder]:
    """All seats but the reader's, in turn order behind it."""
    holders, viewer = desk.view.holders, desk.reader.viewer
    if not isinstance(viewer, int):
        yield from holders
    else:
        yield from (*holders[viewer:], *holders[: viewer - 1])


def _marks(desk: Desk, holder: Holder) -> Marks:
    """What the last turn did for a seat, and how it ended."""
    view = desk.view
    going_on = view.begun and not desk.moves
    author = view.seat if going_on else view.movers[desk.ended]
    last = desk.last if author == holder.seat else ()
    return Marks(
        bought=_bought(last),
        sold=any(isinstance(move, Sell) for move in last),
        over=desk.over,
        won=holder.seat in view.winners,
    )


def _bought(moves: Sequence[Move]) -> tuple[str, ...]:
    """The cards bought and not sold again."""
    kept: list[str] = []
    for move in moves:
        if isinstance(move, Buy):
            kept.append(move.card)
        elif isinstance(move, Sell) and move.card in kept:
            kept.remove(move.card)
    return tuple(kept)


def _row(desk: Desk, place: int, letter: str) -> str:
    """A price with its scale, which is one thing to choose; or two, if the card in hand can be
    played in both ways."""
    top = scales.PITCH * place
    if not desk.view.stocks:
        name = address(desk.reader, f"colour-{letter}")
        return thing(f"price-{letter}", name, scales.bare(letter, top))
    shown = desk.view.stocks[place]
    body = scales.scale(shown, top) + _moved(desk, shown, top) + scales.pointer(shown, top)
    price, crash = (desk.choices.get(f"{what}-{letter}") for what in ("price", "crash"))
    if price and price.mark is Mark.CHOSEN:
        return desk.link(price, scales.frame(top, 6) + body)
    if price:
        goal = scales.goal(int(price.badge), top)
        both = desk.link(crash, scales.brink(top)) if crash else ""
        return desk.link(price, scales.frame(top, 4) + body + goal) + both
    if crash:
        return desk.link(crash, scales.frame(top, 4) + body + scales.brink(top))
    return thing(f"price-{letter}", stock(shown, desk.reader), body)


def _moved(desk: Desk, shown: Stock, top: float) -> str:
    """How the last turn moved the price, in pencil, and how the line begun does, in ink."""
    opening, before = shown.past[desk.ended : desk.ended + 2]
    parts, ink = [], _changes(desk.moves, shown.colour)
    if _changes(desk.last, shown.colour):
        going_on = opening != shown.price and not ink
        ends = (opening, shown.price) if going_on else (before, opening)
        parts.append(f'<g class="last">{scales.path(*ends, top, "pencil", 3)}</g>')
    if ink:
        parts.append(f'<g class="chosen">{scales.path(opening, shown.price, top, "ink", 5)}</g>')
    return "".join(parts)


def _changes(moves: Sequence[Move], letter: str) -> bool:
    return any(isinstance(move, Price | Crash) and move.card[0] == letter for move in moves)


def _money(desk: Desk, own: Holder, top: float) -> str:
    """The reader's name and money."""
    inked = any(isinstance(move, Buy | Sell) for move in desk.moves)
    marks = _marks(desk, own)
    figure = words(32, top + 61, 30, str(own.money), "ink" if inked else "print", anchor="start")
    shown = (
        called(_name(desk, own), 0, top + 26, 27, 118, left=own.left)
        + people.coin(12, top + 51, sold=marks.sold)
        + figure
        + people.worth(own, top + 31, marks)
    )
    return thing("money", owning(own, desk.reader), shown)


def _columns(desk: Desk) -> int:
    return 4 if desk.over else 5


def _share_rows(desk: Desk, own: Holder) -> int:
    columns = _columns(desk)
    slots = len(own.shares)
    if "buy" in desk.choices:
        slots += 1 if slots % columns < columns - 1 else 2
    return max(1, -(-slots // columns))


def _slot(desk: Desk, place: int, top: float) -> tuple[float, float]:
    columns = _columns(desk)
    return OWN + COLUMN * (place % columns), top + ROW * (place // columns)


def _shares(desk: Desk, own: Holder, top: float) -> Iterator[str]:
    """The reader's share cards, and where a new one would lie."""
    new = _new(own.shares, _bought(desk.moves))
    for place, (name, laid) in enumerate(zip(things(own.shares), own.shares, strict=True)):
        x, y = _slot(desk, place, top)
        shape = (_slot_frame(x, y) if name in new else "") + use("share", x, y) + small(laid, x, y)
        yield _share(desk, f"share-{name}", laid, x, y, shape)
    buy = desk.choices.get("buy")
    if buy:
        place = len(own.shares)
        yield _purchase(desk, buy, *_slot(desk, place + (place % 5 == 4), top))


def _new(laid: Sequence[str], bought: Sequence[str]) -> set[str]:
    """The names of share cards that were bought: of equal ones the last."""
    named = tuple(zip(things(laid), laid, strict=True))
    copies = {card: [name for name, other in named if other == card] for card in bought}
    return {name for card, names in copies.items() for name in names[-bought.count(card) :]}


def _share(desk: Desk, name: str, laid: str, x: float, y: float, shape: str) -> str:
    choice = desk.choices.get(name)
    if not choice:
        return thing(name, address(desk.reader, f"share-{laid[0]}", value=laid[1:]), shape)
    area = f'<rect x="{number(x)}" y="{number(y)}" width="84" height="84" rx="10" {HIT}/>'
    return desk.link(choice, area + shape + underline(x + 42, y + 73, 22))


def _slot_frame(x: float, y: float) -> str:
    return (
        f'<rect x="{number(x - 3)}" y="{number(y - 3)}" width="90" height="70" rx="11"'
        f" {paint('ink-wash', 'ink', 4)}/>"
    )


def _purchase(desk: Desk, buy: Choice, x: float, y: float) -> str:
    """Where the picked card would lie as shares, and what it costs."""
    area = f'<rect x="{number(x - 3)}" y="{number(y - 3)}" width="90" height="84" rx="10" {HIT}/>'
    cost = words(x + 100, y + 44, 30, buy.badge, "ink", anchor="start")
    return desk.link(buy, area + _slot_frame(x, y) + small(desk.picked, x, y, "ink") + cost)


def _hand(desk: Desk, own: Holder) -> tuple[str, ...]:
    """The hand as it is shown: cards about to be exchanged are still there."""
    last = desk.moves[-1] if desk.moves else None
    if not isinstance(last, Swap):
        return own.hand
    return ordered((*(card for card in own.hand if card != UNSEEN), *last.cards))


def _cards(desk: Desk, cards: tuple[str, ...], top: float) -> Iterator[str]:
    """The hand; cards that are not seen have no name."""
    last = desk.moves[-1] if desk.moves else None
    chosen = things(last.cards) if isinstance(last, Swap) else (desk.picked,)
    for name, held, spot in zip(things(cards), cards, spread(len(cards), top), strict=True):
        if held == UNSEEN:
            yield thing("", card(held, desk.reader), spot.place(back()))
        else:
            yield _card(desk, name, held, spot, chosen=name in chosen)


def _card(desk: Desk, name: str, held: str, spot: Spot, *, chosen: bool) -> str:
    shape, choice = face(held), desk.choices.get(name)
    if chosen:
        shape = framed(shape)
    elif choice:
        shape = underlined(shape)
    if choice:
        return desk.link(choice, spot.place(shape))
    return thing(name, card(held, desk.reader), spot.place(shape))


def _talon(desk: Desk, x: float, y: float) -> str:
    """The talon, ringed once the End card is in it; a picked card may be exchanged there."""
    view, choice = desk.view, desk.choices.get("talon")
    key = "talon-closing" if view.closing else "talon"
    frame = f'<rect x="{x}" y="{number(y)}" width="76" height="102" rx="9"'
    ring = paint("card", "stamp", 5) if view.closing else paint("card")
    shape = (
        f"{frame} {paint('card', 'cardline', 2.4)}/>"
        f'<rect x="{x + 7}" y="{number(y + 7)}" width="62" height="88" rx="5" {paint("back")}/>'
        f'<circle cx="{x + 38}" cy="{number(y + 51)}" r="24" {ring}/>'
        + words(x + 38, y + 61, 28, str(view.talon), "cardtext")
    )
    if choice:
        around = f'<rect x="{x - 5}" y="{number(y - 5)}" width="86" height="112" rx="13"'
        area = f"{around} {HIT}/>{around} {paint('ink-wash', 'ink', 4)}/>"
        return desk.link(choice, area + shape + _exchange(x + 76, y))
    if desk.moves and isinstance(desk.moves[-1], Swap):
        shape += f'<g class="chosen">{_exchange(x + 76, y)}</g>'
    elif desk.last and isinstance(desk.last[-1], Swap):
        around = f'<rect x="{x - 6}" y="{number(y - 6)}" width="88" height="114" rx="14"'
        shape += f'<g class="last">{around} {people.PENCIL}/></g>'
    return thing("talon", address(desk.reader, key, count=view.talon), shape)


def _exchange(x: float, y: float) -> str:
    """The sign of an exchange: two arrows, one each way."""
    arrows = f"M{x - 9} {number(y - 4)}h17l-5 -5M{x + 9} {number(y + 4)}h-17l5 5"
    return disc(x, y, "ink") + f'<path d="{arrows}" {paint(stroke="on-ink", width=3)}/>'
