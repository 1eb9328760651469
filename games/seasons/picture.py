"""The wheel of Seasons of the Sun and its dice as an SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core.drawing import Reader
from games.core.line import JOINT, split
from games.core.rules import Choice, Mark
from games.core.svg import DASHES, HIT, link, number, paint, thing, words
from games.core.svg import picture as whole
from games.core.words import put
from games.seasons import wheel
from games.seasons.moves import Move, Place, Reroll, parse
from games.seasons.sectors import FREE, NOBODY, PLACES, SECTORS, Sector
from games.seasons.told import about, standing, title
from games.seasons.view import View
from games.seasons.wheel import EDGE, HUB, MIDDLE, RIM, Point, pair
from games.seasons.words import WORDS

SHEET = (640, 774)
LABELS, LABELS_WON = 292, 283
"""How far from the middle of the wheel the points of a sector stand: outside, or on its ground."""
DICE = {1: 140, 2: 244, 3: 348}
"""How far right each die lies."""
TABLE = 710
"""How far down they lie."""


class Colours(NamedTuple):
    """The tokens of a side: its ground, the line round that, and figures on it."""

    ground: str
    line: str
    figures: str


SIDES = {
    NOBODY: Colours("field", "line", "print"),
    1: Colours("one", "oneline", "onetext"),
    2: Colours("two", "twoedge", "twotext"),
}


class Field(NamedTuple):
    """A field as it is drawn."""

    place: int
    seat: int
    total: int
    owner: int
    """Of its sector."""

    @property
    def sector(self) -> Sector:
        return SECTORS[self.place]

    @property
    def name(self) -> str:
        """Its id in the picture: the inner field is the second of its sector."""
        return self.sector.name if self.seat == 1 else f"{self.sector.name}-2"

    @property
    def spot(self) -> Point:
        return wheel.spot(self.place, self.seat)

    @property
    def lost(self) -> bool:
        return self.owner == 3 - self.seat


def svg(
    view: View,
    reader: Reader,
    *,
    choices: Sequence[Choice] = (),
    line: str = "",
    last: Sequence[str] = (),
) -> str:
    """The wheel with the score in its hub, and the dice below."""
    links = {choice.thing: choice for choice in choices}
    parts = [
        SYMBOLS,
        WHEEL,
        *_won(view, reader),
        SPOKES,
        *_sectors(view, reader, links),
        *([_pencil(view, [parse(one) for one in last])] if last else []),
        _score(view, reader),
        *_dice(view, reader, links, line),
        CAPTIONS,
    ]
    heading = about(reader, "title-chosen", line=line) if line else title(view, reader)
    return whole(SHEET, reader.language, heading, _description(view, reader, last), parts)


def _description(view: View, reader: Reader, last: Sequence[str]) -> str:
    rings = (
        about(reader, key, seat, fields=_fields(view, seat) or about(reader, "empty"))
        for seat, key in ((1, "outer"), (2, "inner"))
    )
    owned = (
        about(reader, "owned", seat, sectors=_owned(view, seat))
        for seat in (1, 2)
        if seat in view.owners
    )
    turn = [about(reader, "last", line=JOINT.join(last))] if last else []
    return " ".join((*rings, *owned, *turn, *standing(view, reader)))


def _fields(view: View, seat: int) -> str:
    fields = zip(SECTORS, view.rings[seat - 1], strict=True)
    return ", ".join(f"{sector.label} {total}" for sector, total in fields if total)


def _owned(view: View, seat: int) -> str:
    owners = zip(SECTORS, view.owners, strict=True)
    return ", ".join(sector.label for sector, owner in owners if owner == seat)


TOKENS = {
    1: f'<circle r="31" {paint("one", "oneline", 2.4)}/>',
    2: '<path d="M-27 -16L-16 -27H16L27 -16V16L16 27H-16L-27 16Z"'
    f" {paint('two', 'twoedge', 2.4)}/>",
}
PIPS = {
    0: (),
    1: ((0, 0),),
    2: ((-20, -20), (20, 20)),
    3: ((-20, -20), (0, 0), (20, 20)),
    4: ((-20, -20), (20, -20), (-20, 20), (20, 20)),
    5: ((-20, -20), (20, -20), (0, 0), (-20, 20), (20, 20)),
    6: ((-20, -20), (20, -20), (-20, 0), (20, 0), (-20, 20), (20, 20)),
}


def _face(eyes: int) -> str:
    rim = f'<rect x="-38" y="-38" width="76" height="76" rx="14" {paint("card", "cardline", 3)}/>'
    ink = paint("cardtext")
    return rim + "".join(f'<circle cx="{x}" cy="{y}" r="7.5" {ink}/>' for x, y in PIPS[eyes])


SYMBOLS = "\n".join(
    (
        "<defs>",
        *(f'<g id="token{seat}">{shape}</g>' for seat, shape in TOKENS.items()),
        *(f'<g id="face-{eyes}">{_face(eyes)}</g>' for eyes in PIPS),
        "</defs>",
    )
)
WHEEL = "\n".join(
    (
        f'<rect width="{SHEET[0]}" height="{SHEET[1]}" {paint("paper")}/>',
        f'<circle cx="{wheel.X}" cy="{wheel.Y}" r="{RIM}" {paint("field")}/>',
        f'<path d="{wheel.half(HUB, RIM)}" {paint("field-2")}/>',
        f'<circle cx="{wheel.X}" cy="{wheel.Y}" r="{MIDDLE}" {paint(stroke="rule", width=2)}/>',
        f'<circle cx="{wheel.X}" cy="{wheel.Y}" r="{RIM}" {paint(stroke="line", width=3)}/>',
        f'<circle cx="{wheel.X}" cy="{wheel.Y}" r="{HUB}" {paint("paper", "line", 3)}/>',
    )
)
_WAYS = "".join(
    wheel.spoke(place, RIM if sector.highest == SECTORS[place - 1].highest else EDGE)
    for place, sector in enumerate(SECTORS)
)
SPOKES = f'<path d="{_WAYS}" {paint(stroke="line", width=2)}/>'
"""The two that part the halves stand out."""
CAPTIONS = words(28, 56, 24, "Max", "print-2", 400, "start") + words(
    28, 618, 24, "min", "print-2", 400, "start"
)


def _won(view: View, reader: Reader) -> Iterator[str]:
    """The sectors that are decided, filled to the edge with the colour of their owner."""
    for place, owner in enumerate(view.owners):
        if owner:
            name = SECTORS[place].name
            ground, line, _ = SIDES[owner]
            shape = f'<path d="{wheel.band(place, HUB, EDGE)}" {paint(ground, line, 3)}/>'
            yield thing(f"sector-{name}", about(reader, "sector-won", owner, sector=name), shape)


def _sectors(view: View, reader: Reader, links: dict[str, Choice]) -> Iterator[str]:
    """Clockwise: what a sector is worth, the outer field, the inner one."""
    for place, owner in enumerate(view.owners):
        yield _worth(place, owner)
        for seat in (1, 2):
            field = Field(place, seat, view.rings[seat - 1][place], owner)
            choice = links.get(field.name)
            yield (
                _link(reader, choice, _choosable(field, choice))
                if choice
                else thing(field.name, _sentence(reader, field), _resting(field))
            )


def _worth(place: int, owner: int) -> str:
    """The points of a sector behind an arrow: up if the larger sum gets them, down if not."""
    x, y = wheel.centre(place, LABELS_WON if owner else LABELS)
    worth, figures = str(SECTORS[place].points), SIDES[owner].figures
    left = x - 11 - 7 * len(worth)
    arrow = "M-8 6L0 -7L8 6Z" if SECTORS[place].highest else "M-8 -7L0 6L8 -7Z"
    shape = f'<path d="{arrow}" {_to(left + 8, y)} {paint(figures)}/>'
    return f"<g>{shape}{words(left + 22, y + 10, 28, worth, figures, anchor='start')}</g>"


def _to(x: float, y: float) -> str:
    return f'transform="translate({pair((x, y))})"'


def _sentence(reader: Reader, field: Field) -> str:
    key = "field-lost" if field.lost else "field" if field.total else "field-free"
    return about(reader, key, field.seat, sector=field.sector.name, sum=field.total)


def _resting(field: Field) -> str:
    """A token with the sum, the struck sum of who lost the sector, or a dot."""
    if field.total == FREE:
        x, y = map(number, field.spot)
        return f'<circle cx="{x}" cy="{y}" r="4" {paint("line")}/>'
    return _struck(field, SIDES[field.owner].figures) if field.lost else _token(field)


def _token(field: Field) -> str:
    x, y = field.spot
    figure = words(x, y + 10, 30, str(field.total), SIDES[field.seat].figures)
    return f'<use href="#token{field.seat}" {_to(x, y)}/>{figure}'


def _struck(field: Field, colour: str) -> str:
    x, y = field.spot
    stroke = f"M{pair((x - 22, y + 11))}L{pair((x + 22, y - 11))}"
    figure = words(x, y + 10, 24, str(field.total), colour, 400)
    return f'<path d="{stroke}" {paint(stroke=colour, width=3)}/>{figure}'


def _choosable(field: Field, choice: Choice) -> str:
    """A free field that can take the sum, or the one that has been chosen for it."""
    inner, outer = (MIDDLE, RIM) if field.seat == 1 else (HUB, MIDDLE)
    shape = f'<path d="{wheel.band(field.place, inner + 2, outer - 2, 0.02)}"'
    if choice.mark is not Mark.CHOSEN:
        line = f'<path d="{wheel.arc(field.place, inner + 16, 48)}" {_underline()}/>'
        return f"{shape} {HIT}/>{line}{_badge(field, choice.badge)}"
    chosen = _token(field) if field.total else _badge(field, "=")
    frame = f"{shape} {paint('ink-wash', 'ink', 6)}/>"
    return frame + (_struck(field, "ink") if field.lost else chosen)


def _badge(field: Field, sign: str) -> str:
    """What the sum does to the sector: wins points, gives them away, makes both fields free."""
    if not sign:
        return ""
    x, y = wheel.spot(field.place, field.seat, lift=8)
    wins = sign.startswith("+")
    ground = paint("ink") if wins else paint("ink-wash", "ink", 2.5)
    shape = f'<circle cx="{number(x)}" cy="{number(y)}" r="22" {ground}/>'
    return shape + words(x, y + 8, 22, sign, "ink-wash" if wins else "ink")


def _underline() -> str:
    return f'{paint(stroke="ink", width=6)} stroke-linecap="round"'


def _link(reader: Reader, choice: Choice, shape: str) -> str:
    sentence = put(WORDS, choice.say, reader.language)
    return link(choice.thing, sentence, choice.line, choice.mark.value, shape)


def _pencil(view: View, last: Sequence[Move]) -> str:
    """What the last turn changed: sums, sectors that were decided or cleared, dice at its end."""
    placed = [move for move in last if isinstance(move, Place)]
    around = [shape for move in placed for shape in _sector_around(view, move)]
    around += _dice_around(last[-1]) if isinstance(last[-1], Reroll) else []
    colour = f"{paint(stroke='pencil', width=3)} {DASHES}"
    return f'<g class="last">{"".join(f"<{shape} {colour}/>" for shape in around)}</g>'


def _dice_around(move: Reroll) -> list[str]:
    return [
        f'rect x="{DICE[die] - 46}" y="{TABLE - 46}" width="92" height="92" rx="18"'
        for die in move.dice
    ]


def _sector_around(view: View, move: Place) -> list[str]:
    place = PLACES[move.sector]
    if view.owners[place]:
        return [f'path d="{wheel.arc(place, EDGE + 5, 160)}"']
    lying = [seat for seat in (1, 2) if view.rings[seat - 1][place]]
    spots = [map(number, wheel.spot(place, seat)) for seat in lying or (1, 2)]
    return [f'circle cx="{x}" cy="{y}" r="{37 if lying else 14}"' for x, y in spots]


def _score(view: View, reader: Reader) -> str:
    first, second = view.points
    one, two = (about(reader, "name", seat) for seat in (1, 2))
    sentence = about(reader, "score-of", one=one, two=two, first=first, second=second)
    halves = (
        f'<use href="#token{seat}" {_to(x, 290)[:-1]} scale(0.62)"/>'
        + words(x, 358, 46, str(score), "print")
        for seat, x, score in ((1, 276, first), (2, 364, second))
    )
    line = f'<path d="M{wheel.X} {wheel.Y - 64}V{wheel.Y + 64}" {paint(stroke="rule", width=2)}/>'
    return thing("score", sentence, line + "".join(halves))


def _dice(view: View, reader: Reader, links: dict[str, Choice], line: str) -> Iterator[str]:
    """The dice and their sum; those in the cup show nothing, unless the reader has begun a line:
    then they lie as they lay, and the chosen ones are marked."""
    for die in DICE:
        eyes = 0 if die in view.cup and not line else view.dice[die - 1]
        face = f'<use href="#face-{eyes}" {_to(DICE[die], TABLE)}/>'
        choice = links.get(f"die{die}")
        sentence = about(reader, "die" if eyes else "die-away", die=die, eyes=eyes)
        yield (
            _link(reader, choice, _throwable(die, choice, face))
            if choice
            else thing(f"die{die}", sentence, face)
        )
    if line or not view.cup:
        again = line and isinstance(parse(split(line)[0]), Reroll)
        total = "?" if again else sum(view.dice)
        yield words(414, TABLE + 17, 48, f"= {total}", "print", anchor="start")


def _throwable(die: int, choice: Choice, face: str) -> str:
    corner = f'<rect x="{DICE[die] - 46}" y="{TABLE - 46}" width="92"'
    if choice.mark is Mark.CHOSEN:
        return f'{corner} height="92" rx="10" {paint("ink-wash", "ink", 6)}/>{face}'
    line = f'<path d="M{DICE[die] - 24} {TABLE + 48}h48" {_underline()}/>'
    return f'{corner} height="100" rx="10" {HIT}/>{face}{line}'
