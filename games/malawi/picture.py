"""The board of Malawi as an SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from games.core.drawing import Reader
from games.core.line import JOINT
from games.core.rules import Choice, Mark
from games.core.svg import DASHES, badge, box, disc, hit, link, number, paint, thing, tick, words
from games.core.svg import picture as whole
from games.core.words import put
from games.malawi.moves import Distribute, Move, Step, begun
from games.malawi.told import about, standing, title
from games.malawi.view import Piece, View, below
from games.malawi.words import WORDS

SHEET = (640, 680)
LEFT, TOP, SIDE = 36, 34, 588
"""The board on the sheet; the names of rows and columns stand in the margin."""
FULL = 98
"""A square of the board of 6. Pieces are drawn for it and made smaller for others."""


class Cell(NamedTuple):
    """A square of the picture: its left upper corner, and how wide it is."""

    x: float
    y: float
    side: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.side / 2, self.y + self.side / 2

    def frame(self, inset: float, paint: str) -> str:
        """A frame inside the square."""
        return box(self.x + inset, self.y + inset, self.side - 2 * inset, 8, paint)

    def badge(self, content: str) -> str:
        """A badge in the right upper corner."""
        return badge(self.x + self.side - 19, self.y + 19, content)


Cells = Mapping[str, Cell]


def svg(
    view: View,
    reader: Reader,
    *,
    choices: Sequence[Choice] = (),
    line: str = "",
    last: Sequence[str] = (),
) -> str:
    """The board, the reader's own base row at the bottom."""
    cells = _cells(view, reader)
    chosen = begun(line) if line else None
    frames = _frames(chosen)
    marked = {*frames, *(choice.thing for choice in choices)}
    parts = [
        SYMBOLS,
        _table(view.size, below(reader) == 2),
        *(_pencil(cells, begun(one)) for one in last),
        *([_arrival(cells[view.arrival])] if _pending(view, reader) - marked else []),
        *(cells[square].frame(3, _washed(width)) for square, width in frames.items()),
        *_squares(view, reader, cells, choices),
        *([_changes(cells, chosen)] if chosen else []),
        *([_won(cells[view.arrival])] if view.winner else []),
    ]
    heading = about(reader, "title-chosen", line=line) if line else title(view, reader)
    return whole(SHEET, reader.language, heading, _description(view, reader, last), parts)


def _pending(view: View, reader: Reader) -> set[str]:
    return {view.arrival} if view.arrival and not (view.end or reader.over) else set()


def _cells(view: View, reader: Reader) -> Cells:
    """The squares in reading order."""
    rows, columns = view.facing(below(reader))
    side = SIDE / view.size
    return {
        row + column: Cell(LEFT + x * side, TOP + y * side, side)
        for y, row in enumerate(rows)
        for x, column in enumerate(columns)
    }


def _description(view: View, reader: Reader, last: Sequence[str]) -> str:
    rows, _ = view.facing(below(reader))
    return " ".join(
        [
            about(reader, "rows", top=rows[0], bottom=rows[-1]),
            *(about(reader, f"side-{seat}", seat, pieces=_listed(view, seat)) for seat in (1, 2)),
            *([about(reader, "last", line=JOINT.join(last))] if last else []),
            *standing(view, reader),
        ]
    )


def _listed(view: View, seat: int) -> str:
    own = (piece for piece in view.pieces if piece.seat == seat)
    return ", ".join(f"{piece.square} {piece.strength}" for piece in own)


PILL = '<rect x="-33" y="-28" width="66" height="28" rx="14" {}/>'
"""The base of a piece of seat 1."""
BLOCK = '<path d="M-26 -28H26L34 -20V0H-34V-20Z" {}/>'
"""The base of a piece of seat 2."""
BEAD_1 = '<ellipse rx="23" ry="7.5" {}/>'
BEAD_2 = '<path d="M-25 0L-14 -7H14L25 0L14 7H-14Z" {}/>'
LIGHT = paint("one", "oneline", 2.4)
DARK = paint("two", "twoedge", 2)
HOLLOW = paint(stroke="print", width=2.4)
PEG = f'<path d="M0 -26V-86" {paint(stroke="line", width=3)} stroke-linecap="round"/>'
SYMBOLS = "\n".join(
    (
        "<defs>",
        *(
            f'<g id="{name}">{shape}</g>'
            for name, shape in (
                ("bead1", BEAD_1.format(LIGHT)),
                ("bead2", BEAD_2.format(DARK)),
                ("base1", PILL.format(LIGHT)),
                ("base2", BLOCK.format(DARK)),
                ("hollow1", PILL.format(HOLLOW)),
                ("hollow2", BLOCK.format(HOLLOW)),
                ("peg", PEG),
            )
        ),
        "</defs>",
    )
)


@cache
def _table(size: int, turned: bool) -> str:
    """Everything that is printed: the board with its goal rows, their marks, and the margin."""
    side = SIDE / size
    lines = [number(LEFT + side * step) for step in range(1, size)]
    across = [number(TOP + side * step) for step in range(1, size)]
    grid = "".join(f"M{x} {TOP}V{TOP + SIDE}" for x in lines)
    grid += "".join(f"M{LEFT} {y}H{LEFT + SIDE}" for y in across)
    board = f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}"'
    goal = f'width="{SIDE}" height="{number(side)}" {paint("field-2")}/>'
    return "\n".join(
        (
            f'<rect width="{SHEET[0]}" height="{SHEET[1]}" {paint("paper")}/>',
            f"{board} {paint('field')}/>",
            f'<rect x="{LEFT}" y="{TOP}" {goal}',
            f'<rect x="{LEFT}" y="{number(TOP + SIDE - side)}" {goal}',
            f'<path d="{grid}" {paint(stroke="rule", width=2)}/>',
            f"{board} {paint(stroke='line', width=3)}/>",
            *_margin(size, turned),
        )
    )


def _margin(size: int, turned: bool) -> Iterator[str]:
    """Names of rows and columns, and in front of each goal row who wants to get there."""
    side = SIDE / size
    rows, columns = View(size, (), 0, "", "", 0).facing(2 if turned else 1)
    light, dark = paint("one", "oneline", 2), paint("two", "twoline", 2)
    above, below = (dark, light) if turned else (light, dark)
    for step in range(size):
        x, y = LEFT + side * (step + 0.5), TOP + side * (step + 0.5)
        left, middle, right = number(x - 11), number(x), number(x + 11)
        yield words(19, y + 7, 22, rows[step], "print-2", 400)
        yield words(x, 670, 22, columns[step], "print-2", 400)
        yield f'<path d="M{left} 25L{middle} 11L{right} 25Z" {above}/>'
        yield f'<path d="M{left} 631L{middle} 645L{right} 631Z" {below}/>'


def _squares(view: View, reader: Reader, cells: Cells, choices: Sequence[Choice]) -> Iterator[str]:
    """What stands or can be chosen on each square, in reading order."""
    pieces = {piece.square: piece for piece in view.pieces}
    links = {choice.thing: choice for choice in choices}
    for square, cell in cells.items():
        piece, choice = pieces.get(square), links.get(square)
        shape = _piece(cell, piece) if piece else ""
        if choice:
            sentence = put(WORDS, choice.say, reader.language)
            shape = _choosable(cell, choice, shape)
            yield link(square, sentence, choice.line, choice.mark.value, shape)
        elif piece:
            seat, strength = piece.seat, piece.strength
            sentence = about(reader, "piece", seat, square=square, strength=strength)
            yield thing(square, sentence, shape)


def _choosable(cell: Cell, choice: Choice, shape: str) -> str:
    """The shape with the sign of its mark: a line under it, a disc, a frame, a badge."""
    area, (x, y) = hit(*cell), cell.centre
    if choice.mark is Mark.CAN:
        half, low = 26 * cell.side / FULL, number(cell.y + cell.side - 3.5)
        line = f'<line x1="{number(x - half)}" y1="{low}" x2="{number(x + half)}" y2="{low}"'
        return f'{area}{shape}{line} {paint(stroke="ink", width=6)} stroke-linecap="round"/>'
    if choice.mark is Mark.CHOSEN:
        return area + shape
    if not shape:
        return area + disc(x, y, "ink", 17)
    frame = cell.frame(3, _washed(3)) if choice.badge == "×" else ""
    return area + frame + shape + cell.badge(choice.badge)


def _piece(cell: Cell, piece: Piece) -> str:
    """A piece, standing in the middle of its square."""
    x, y, scale = cell.centre[0], cell.y + cell.side * 90 / FULL, cell.side / FULL
    small = f" scale({scale:.3f})" if scale != 1 else ""
    drawn = _stack(piece.seat, piece.strength)
    return f'<g transform="translate({number(x)} {number(y)}){small}">{drawn}</g>'


@cache
def _stack(seat: int, strength: int) -> str:
    """Base with the strength as a figure, peg, and a bead for every point."""
    pitch = 11.5 if strength < 6 else 58 / strength
    beads = "".join(
        f'<use href="#bead{seat}" y="{number(-34 - pitch * step)}"/>' for step in range(strength)
    )
    base = "base" if strength else "hollow"
    colour = ("onetext" if seat == 1 else "twotext") if strength else "print"
    figure = words(0, -5, 26, str(strength), colour)
    return f'<use href="#peg"/>{beads}<use href="#{base}{seat}"/>{figure}'


def _washed(width: float) -> str:
    return paint("ink-wash", "ink", width)


def _frames(chosen: Move | None) -> dict[str, int]:
    """How strongly the squares of the line are framed: the acting piece most."""
    if chosen is None:
        return {}
    if isinstance(chosen, Distribute):
        return {chosen.piece: 6, **dict.fromkeys(chosen.receivers, 3)}
    moved = isinstance(chosen, Step)
    return {chosen.piece: 3 if moved else 6, chosen.target: 6 if moved else 3}


def _changes(cells: Cells, chosen: Move) -> str:
    """What the line does, in ink."""
    if isinstance(chosen, Distribute):
        parts = [cells[receiver].badge("+1") for receiver in chosen.receivers]
    else:
        start, target = cells[chosen.piece], cells[chosen.target]
        parts = [_arrow(start, target)]
        if not isinstance(chosen, Step):
            parts.append(target.badge("×"))
    return f'<g class="chosen">{"".join(parts)}</g>'


def _arrow(start: Cell, target: Cell) -> str:
    """From piece to square, past the figures; neighbours need none."""
    (x, y), (to_x, to_y) = start.centre, target.centre
    if abs(to_x - x) + abs(to_y - y) < 1.5 * start.side:
        return ""
    lift, gap = 12 if y == to_y else 0, start.side / 2 + 4
    ends = (x, y - lift), (to_x, to_y - lift)
    return _pointed(*ends, (gap, gap), (13, 11), paint(stroke="ink", width=5))


def _pencil(cells: Cells, last: Move) -> str:
    """The last turn: dashed round what it changed, with the way that the piece went or hit."""
    colour = paint(stroke="pencil", width=3)
    if isinstance(last, Distribute):
        parts = [cells[last.piece].frame(8, f"{colour} {DASHES}")]
        parts += [_noted(cells[receiver]) for receiver in last.receivers]
    else:
        start, target = cells[last.piece], cells[last.target]
        changed = start if isinstance(last, Step) else target
        way, gaps = (start.centre, target.centre), (0, start.side / 2)
        parts = [
            changed.frame(8, f"{colour} {DASHES}"),
            _pointed(*way, gaps, (12, 9), colour, f" {DASHES}"),
        ]
    return f'<g class="last">{"".join(parts)}</g>'


def _noted(cell: Cell) -> str:
    return words(cell.x + 13, cell.y + 24, 20, "+1", "pencil")


def _pointed(
    start: tuple[float, float],
    target: tuple[float, float],
    gaps: tuple[float, float],
    head: tuple[float, float],
    colour: str,
    shaft: str = "",
) -> str:
    """An arrow along a row or column, with gaps before and behind; `head`: length, half width."""
    (x, y), (to_x, to_y) = start, target
    dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    tip_x, tip_y = to_x - dx * gaps[1], to_y - dy * gaps[1]
    back_x, back_y = tip_x - dx * head[0], tip_y - dy * head[0]
    wing_x, wing_y = dy * head[1], dx * head[1]
    tail = _point(x + dx * gaps[0], y + dy * gaps[0])
    return (
        f'<path d="M{tail}L{_point(tip_x - dx, tip_y - dy)}" {colour}{shaft}/>'
        f'<path d="M{_point(back_x - wing_x, back_y - wing_y)}L{_point(tip_x, tip_y)}'
        f'L{_point(back_x + wing_x, back_y + wing_y)}" {colour}/>'
    )


def _point(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"


def _arrival(cell: Cell) -> str:
    """The corners round a piece that wins unless it is captured."""
    near, far, leg = 5, cell.side - 5, 20
    corners = (
        ((near, near + leg), (near, near), (near + leg, near)),
        ((far - leg, near), (far, near), (far, near + leg)),
        ((far, far - leg), (far, far), (far - leg, far)),
        ((near + leg, far), (near, far), (near, far - leg)),
    )
    path = "".join(
        "M" + "L".join(_point(cell.x + x, cell.y + y) for x, y in corner) for corner in corners
    )
    return f'<g class="arrival"><path d="{path}" {paint(stroke="stamp", width=4)}/></g>'


def _won(cell: Cell) -> str:
    """The frame and the tick of the piece that won."""
    frame = cell.frame(3, paint(stroke="print", width=6))
    return f'<g class="won">{frame}{tick(cell.x + cell.side - 19, cell.y + 19)}</g>'
