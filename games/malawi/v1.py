"""Malawi, version 1: state, moves, options, and what is legal. Ids such as W-10: rules.md, part 3.

Rows have letters and columns have digits: `a3` is row a, column 3. Seat 1 starts on row a.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from games.core.rules import (
    Choice,
    IllegalMove,
    MalformedMove,
    Mark,
    Option,
    Options,
    Outcome,
    Over,
    Rules,
    Say,
    ToMove,
    Turn,
    Viewer,
    say,
)
from games.malawi.draw import Piece, View


@dataclass(frozen=True, slots=True)
class Step:
    """A piece moves to an empty square exactly as far as it is strong (W-10)."""

    piece: str
    target: str


@dataclass(frozen=True, slots=True)
class Capture:
    """A piece takes all points of an enemy at exactly that distance; neither moves (W-13)."""

    piece: str
    target: str


@dataclass(frozen=True, slots=True)
class Distribute:
    """A piece gives away all its points, one to each receiver (W-11); receivers in board order."""

    piece: str
    receivers: tuple[str, ...]


Move = Step | Capture | Distribute


class Way(NamedTuple):
    """From one square straight to another: their indices, and those of the squares between."""

    start: int
    target: int
    between: tuple[int, ...]
    step: Step
    capture: Capture


class Grid(NamedTuple):
    """The geometry of one board size, worked out once. Squares are numbered row by row."""

    names: tuple[str, ...]
    squares: dict[str, int]
    ways: dict[tuple[str, str], Way]
    reach: tuple[tuple[tuple[Way, ...], ...], ...]
    """By square and distance: the ways of that length."""
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """By square: the squares in each of the four directions, the nearest first."""
    homes: tuple[range, ...]
    """By seat (0 is nobody): its base row, which is the goal of the other."""


def _grid(size: int) -> Grid:
    names = tuple(f"{row}{column}" for row in "abcdefgh"[:size] for column in range(1, size + 1))
    rays = tuple(_rays(size, square) for square in range(size * size))
    ways = [
        Way(start, ray[last], ray[:last], Step(*ends), Capture(*ends))
        for start in range(size * size)
        for ray in rays[start]
        for last in range(len(ray))
        for ends in [(names[start], names[ray[last]])]
    ]
    return Grid(
        names,
        {name: square for square, name in enumerate(names)},
        {(way.step.piece, way.step.target): way for way in ways},
        tuple(
            tuple(
                tuple(way for way in ways if way.start == start and len(way.between) + 1 == far)
                for far in range(FAR)
            )
            for start in range(size * size)
        ),
        rays,
        (range(0), range(size), range(size * size - size, size * size)),
    )


def _rays(size: int, square: int) -> tuple[tuple[int, ...], ...]:
    row, column = divmod(square, size)
    return (
        tuple(range(square + size, size * size, size)),
        tuple(range(square + 1, (row + 1) * size)),
        tuple(range(square - 1, row * size - 1, -1)),
        tuple(range(column, square, size))[::-1],
    )


EMPTY = 0
SEAT = 32
"""A square holds EMPTY, or SEAT × the owner's seat + the strength of the piece."""
FAR = 32
"""More than any strength: both sides together have 32 points on the largest board."""
NOWHERE = -1
GRIDS = {size: _grid(size) for size in (6, 7, 8)}


class Terms(NamedTuple):
    """What the options of a match come to."""

    size: int
    most: int
    """The highest strength of a piece; FAR - 1, which none can reach, if there is no limit."""
    goal: str
    reentry: str
    repetition: str
    patience: int
    """Moves without a lost point after which the match is drawn; 0 for no such end."""


class State(NamedTuple):
    """A position of Malawi with what its rules must remember."""

    terms: Terms
    board: tuple[int, ...]
    seat: int
    """To move; after the end the one who would be."""
    arrival: int
    """The square of the other side's piece that wins unless it is captured now, or NOWHERE.
    After the end the square of the piece that won by reaching its goal."""
    past: tuple[int, ...]
    """The positions since a point was last lost, this one included, each as one number."""
    quiet: int
    """Moves since a point was last lost."""
    end: str
    """Why the match is over, or ""."""
    winner: int
    """0 for a draw, and as long as the match goes on."""


OPTIONS = (
    Option("board-size", ("6", "7", "8"), lambda seats, options: "6"),
    Option(
        "max-strength",
        ("5", "6", "7", "none"),
        lambda seats, options: {"6": "5", "7": "6", "8": "7"}[options["board-size"]],
    ),
    Option("goal", ("survives", "uncapturable", "reach"), lambda seats, options: "survives"),
    Option("reentry", ("move", "state", "leave"), lambda seats, options: "move"),
    Option("repetition", ("draw", "forbid", "off"), lambda seats, options: "draw"),
    Option("no-progress", ("off",), lambda seats, options: "100", range(20, 501)),
)


def setup(seats: int, options: Options) -> State:
    """Both base rows full of pieces of strength 2 (W-2), row a to move (W-Q17)."""
    size = int(options["board-size"])
    limit, patience = options["max-strength"], options["no-progress"]
    terms = Terms(
        size=size,
        most=FAR - 1 if limit == "none" else int(limit),
        goal=options["goal"],
        reentry=options["reentry"],
        repetition=options["repetition"],
        patience=0 if patience == "off" else int(patience),
    )
    board = (SEAT + 2,) * size + (EMPTY,) * (size * size - 2 * size) + (2 * SEAT + 2,) * size
    past = () if terms.repetition == "off" else (_number(board, 1, NOWHERE),)
    return State(terms, board, 1, NOWHERE, past, 0, "", 0)


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    """Each seat for itself."""
    return ((1,), (2,))


def turn(state: State) -> Turn:
    """Who is to move, or how it ended."""
    if not state.end:
        return ToMove(state.seat)
    return Over(state.end, ((int(state.winner == 1),), (int(state.winner == 2),)))


def legal_moves(state: State) -> Iterator[Move]:
    """Piece by piece in board order: steps and captures, then distributions."""
    if state.terms.repetition != "forbid":
        return _candidates(state)
    return (move for move in _candidates(state) if _never_third(state, move))


def _candidates(state: State) -> Iterator[Move]:
    if state.end:
        return
    terms, board, seat = state.terms, state.board, state.seat
    grid = GRIDS[terms.size]
    mine, full = SEAT * seat, SEAT * seat + terms.most
    own = [square for square in range(len(board)) if board[square] // SEAT == seat]
    for square in own:
        points = board[square] - mine
        for way in grid.reach[square][points]:
            there = board[way.target]
            if there // SEAT == seat or there % SEAT == 0 < there:
                continue
            if not any(board[between] for between in way.between):
                yield way.capture if there else way.step
        if points:
            able = tuple(grid.names[at] for at in own if board[at] != full and at != square)
            yield from _shares(grid.names[square], able, points)


@lru_cache(maxsize=1 << 16)
def _shares(piece: str, able: tuple[str, ...], points: int) -> tuple[Distribute, ...]:
    """All ways to give points to those able to take one: as many as possible must be given."""
    count = min(points, len(able))
    return tuple(Distribute(piece, some) for some in combinations(able, count) if some)


def _never_third(state: State, move: Move) -> bool:
    try:
        _played(state, move)
    except IllegalMove:
        return False
    return True


def apply(state: State, move: Move) -> State:
    """The state after the move, or the reason against it. Draws come after wins: repetition
    (W-Q15), then no progress (W-Q16)."""
    after = _played(state, move)
    terms = after.terms
    if after.end:
        return after
    if terms.repetition == "draw" and _times(after) == 3:
        return after._replace(end="repetition", arrival=NOWHERE)
    if terms.repetition == "forbid" and next(legal_moves(after), None) is None:
        return after._replace(end="repetition", arrival=NOWHERE)
    if after.quiet == terms.patience > 0:
        return after._replace(end="no-progress", arrival=NOWHERE)
    return after


def _played(state: State, move: Move) -> State:
    if state.end:
        raise IllegalMove(say("over"))
    if isinstance(move, Step):
        return _step(state, move)
    if isinstance(move, Capture):
        return _capture(state, move)
    return _distribute(state, move)


def _step(state: State, move: Step) -> State:
    way = _way(state, move.piece, move.target)
    if state.board[way.target]:
        raise IllegalMove(say("occupied", square=move.target))
    board = list(state.board)
    board[way.target], board[way.start] = board[way.start], EMPTY
    after = tuple(board)
    wins, arrival = _arrives(state, after, way)
    return _settle(state, after, won="goal" if wins else "", arrival=arrival)


def _capture(state: State, move: Capture) -> State:
    way = _way(state, move.piece, move.target)
    enemy, points = divmod(state.board[way.target], SEAT)
    if enemy != 3 - state.seat:
        raise IllegalMove(say("no-enemy", square=move.target))
    if points == 0:
        raise IllegalMove(say("spent", square=move.target))
    board = list(state.board)
    board[way.target] = enemy * SEAT
    after = tuple(board)
    exhausted = after.count(enemy * SEAT) == state.terms.size
    return _settle(state, after, won="exhausted" if exhausted else "", lost=True)


def _distribute(state: State, move: Distribute) -> State:
    terms, before, seat = state.terms, state.board, state.seat
    giver = _own(state, move.piece)
    points, full = before[giver] % SEAT, SEAT * seat + terms.most
    board = list(before)
    for name in move.receivers:
        receiver = _own(state, name)
        if receiver == giver:
            raise IllegalMove(say("to-itself", square=name))
        if before[receiver] == full:
            raise IllegalMove(say("full", square=name, most=terms.most))
        board[receiver] = before[receiver] + 1
    board[giver] -= points
    able = terms.size - 1 - before.count(full) + (before[giver] == full)
    count = min(points, able)
    if len(move.receivers) != count:
        raise IllegalMove(_miscount(move, points, count))
    return _settle(state, tuple(board), lost=count < points)


def _miscount(move: Distribute, points: int, count: int) -> Say:
    if points == 0:
        return say("powerless", square=move.piece)
    key = "too-few" if len(move.receivers) < count else "too-many"
    return say(key, square=move.piece, points=points, count=count, given=len(move.receivers))


def _own(state: State, name: str) -> int:
    """The index of a square with a piece of the mover."""
    square = GRIDS[state.terms.size].squares.get(name)
    if square is None:
        raise IllegalMove(say("off-board", square=name))
    there = state.board[square]
    if there // SEAT != state.seat:
        raise IllegalMove(say("not-yours" if there else "nobody", square=name))
    return square


def _way(state: State, piece: str, target: str) -> Way:
    """The free way along which the piece acts on the target, exactly as long as it is strong."""
    square = _own(state, piece)
    strength = state.board[square] % SEAT
    if strength == 0:
        raise IllegalMove(say("powerless", square=piece))
    grid = GRIDS[state.terms.size]
    way = grid.ways.get((piece, target))
    if way is None:
        off = target not in grid.squares
        raise IllegalMove(say("off-board", square=target) if off else say("not-straight"))
    if len(way.between) + 1 != strength:
        far = len(way.between) + 1
        raise IllegalMove(say("distance", square=piece, strength=strength, far=far))
    for between in way.between:
        if state.board[between]:
            raise IllegalMove(say("blocked", square=grid.names[between]))
    return way


def _arrives(state: State, board: tuple[int, ...], way: Way) -> tuple[bool, int]:
    """Whether the step wins at once, and where it has arrived (W-20, W-21, W-Q4, W-Q6)."""
    terms, seat = state.terms, state.seat
    goal = GRIDS[terms.size].homes[3 - seat]
    if way.target not in goal or (terms.reentry == "leave" and way.start in goal):
        return False, NOWHERE
    if terms.goal == "reach" or not _threatened(terms, board, way.target):
        return True, way.target
    return False, way.target if terms.goal == "survives" else NOWHERE


def _threatened(terms: Terms, board: tuple[int, ...], square: int) -> bool:
    """Whether the piece on the square could be captured in the reply."""
    enemy = SEAT * (3 - board[square] // SEAT)
    for ray in GRIDS[terms.size].rays[square]:
        for far, there in enumerate(ray, start=1):
            if board[there]:
                if board[there] == enemy + far:
                    return True
                break
    return False


def _settle(
    state: State,
    board: tuple[int, ...],
    *,
    won: str = "",
    arrival: int = NOWHERE,
    lost: bool = False,
) -> State:
    """The state after the mover's action, over if somebody has won: the mover at once, else the
    other side whose arrival was not captured (W-21). Refuses a third occurrence (W-Q15)."""
    terms, seat, standing = state.terms, state.seat, state.arrival
    if not won and terms.reentry == "state":
        revived = _unassailable(terms, board, seat)
        won, arrival = ("goal", revived) if revived != NOWHERE else (won, arrival)
    winner = seat if won else 0
    if not won and standing != NOWHERE and board[standing] == state.board[standing]:
        won, winner, arrival = "goal", 3 - seat, standing
    quiet = 0 if lost else state.quiet + 1
    if won or terms.repetition == "off":
        return State(terms, board, 3 - seat, arrival, (), quiet, won, winner)
    number = _number(board, 3 - seat, arrival)
    past = (number,) if lost else (*state.past, number)
    after = State(terms, board, 3 - seat, arrival, past, quiet, "", 0)
    if terms.repetition == "forbid" and _times(after) == 3:
        raise IllegalMove(say("third-time"))
    return after


def _unassailable(terms: Terms, board: tuple[int, ...], seat: int) -> int:
    """A piece of the seat that has points, stands on its goal row and cannot be captured."""
    for square in GRIDS[terms.size].homes[3 - seat]:
        owner, points = divmod(board[square], SEAT)
        if owner == seat and points and not _threatened(terms, board, square):
            return square
    return NOWHERE


def _number(board: tuple[int, ...], seat: int, arrival: int) -> int:
    """What must be equal for a position to count as the same (W-Q15), as one number."""
    return int.from_bytes(bytes((seat, arrival + 1, *board)))


def _times(state: State) -> int:
    return state.past.count(state.past[-1])


_SQUARE = "[a-h][1-8]"
_MOVE = re.compile(f"({_SQUARE})(?:([-x])({_SQUARE})|:({_SQUARE}(?:,{_SQUARE})*))")
_BEGUN = re.compile(_SQUARE)
_TYPED_RECEIVERS = re.compile(f"(?:[,+]?{_SQUARE})+")
_SPELLINGS = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("×✕✗*", "x"))


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> Move:
    """The move from its stored notation: `a3-c3`, `f3xd3`, `a1:a2,a3`."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise MalformedMove(say("malformed", text=text[:40]))
    piece, sign, target, listed = found.groups()
    if sign is not None:
        return Step(piece, target) if sign == "-" else Capture(piece, target)
    receivers = tuple(listed.split(","))
    if any(one >= other for one, other in pairwise(receivers)):
        raise MalformedMove(say("receivers"))
    return Distribute(piece, receivers)


def notate(move: Move) -> str:
    """The stored notation."""
    match move:
        case Step(piece, target):
            return f"{piece}-{target}"
        case Capture(piece, target):
            return f"{piece}x{target}"
        case Distribute(piece, receivers):
            return f"{piece}:{','.join(receivers)}"


def read(typed: str) -> str:
    """The stored notation of what a person typed: any case, blanks, ×, dashes, any order."""
    text = "".join(typed.lower().split()).translate(_SPELLINGS)
    piece, colon, listed = text.partition(":")
    if colon and _TYPED_RECEIVERS.fullmatch(listed):
        text = f"{piece}:{','.join(sorted(re.findall(_SQUARE, listed)))}"
    try:
        return notate(parse(text))
    except MalformedMove as error:
        if error.say.key == "malformed":
            raise MalformedMove(say("malformed", text=typed.strip()[:40])) from None
        raise


def choices(state: State, begun: str) -> tuple[Choice, ...]:
    """First a piece, then what it does; whatever is chosen can be taken back."""
    moves = tuple(legal_moves(state))
    if begun == "":
        return tuple(_pick(state, piece) for piece in dict.fromkeys(move.piece for move in moves))
    if _BEGUN.fullmatch(begun):
        return _acts(state, begun, tuple(move for move in moves if move.piece == begun))
    chosen = parse(begun)
    if isinstance(chosen, Distribute):
        return _gifts(state, chosen, moves)
    apply(state, chosen)
    return (_put_back(chosen.piece), _untarget(chosen.piece, chosen.target))


def _pick(state: State, piece: str) -> Choice:
    strength = state.board[GRIDS[state.terms.size].squares[piece]] % SEAT
    return Choice(piece, piece, say("pick", square=piece, strength=strength), False, Mark.CAN)


def _put_back(piece: str) -> Choice:
    return Choice(piece, "", say("put-back", square=piece), False, Mark.CHOSEN)


def _untarget(piece: str, target: str) -> Choice:
    return Choice(target, piece, say("untarget", square=target), False, Mark.CHOSEN)


def _acts(state: State, piece: str, moves: tuple[Move, ...]) -> tuple[Choice, ...]:
    if not moves:
        square = _own(state, piece)
        spent = state.board[square] % SEAT == 0
        raise IllegalMove(say("powerless", square=piece) if spent else say("third-time"))
    direct = tuple(_act(state, move) for move in moves if not isinstance(move, Distribute))
    return (_put_back(piece), *direct, *_receivers(Distribute(piece, ()), moves))


def _act(state: State, move: Step | Capture) -> Choice:
    line, piece, target = notate(move), move.piece, move.target
    if isinstance(move, Step):
        return Choice(target, line, say("step", piece=piece, target=target), True)
    strength = state.board[GRIDS[state.terms.size].squares[target]] % SEAT
    sentence = say("capture", piece=piece, target=target, strength=strength)
    return Choice(target, line, sentence, True, badge="×")


def _gifts(state: State, chosen: Distribute, moves: tuple[Move, ...]) -> tuple[Choice, ...]:
    """What is left to choose of a distribution of which some receivers are named."""
    fitting = tuple(
        move
        for move in moves
        if isinstance(move, Distribute)
        and move.piece == chosen.piece
        and set(chosen.receivers) <= set(move.receivers)
    )
    if not fitting:
        apply(state, chosen)
        raise IllegalMove(say("third-time"))
    back = tuple(_ungive(chosen, receiver) for receiver in chosen.receivers)
    return (_put_back(chosen.piece), *back, *_receivers(chosen, fitting))


def _ungive(chosen: Distribute, receiver: str) -> Choice:
    rest = tuple(other for other in chosen.receivers if other != receiver)
    line = notate(Distribute(chosen.piece, rest)) if rest else chosen.piece
    return Choice(receiver, line, say("ungive", square=receiver), False, Mark.CHOSEN)


def _receivers(chosen: Distribute, moves: tuple[Move, ...]) -> tuple[Choice, ...]:
    """Who may get a point besides those chosen, by the distributions that are still possible."""
    possible = [move for move in moves if isinstance(move, Distribute)]
    named = sorted({name for move in possible for name in move.receivers} - set(chosen.receivers))
    return tuple(_give(chosen, receiver, possible) for receiver in named)


def _give(chosen: Distribute, receiver: str, possible: list[Distribute]) -> Choice:
    more = Distribute(chosen.piece, tuple(sorted((*chosen.receivers, receiver))))
    sentence = say("give", piece=chosen.piece, receiver=receiver)
    return Choice(receiver, notate(more), sentence, more in possible, badge="+1")


def apply_chance(state: State, outcome: Outcome) -> State:
    """Never called: nothing in Malawi is left to chance but the seats."""
    raise ValueError("Malawi asks for no chance.")


def known(state: State, viewer: Viewer) -> State:
    """Everything lies open."""
    return state


def view(state: State, viewer: Viewer) -> View:
    """What everybody sees."""
    grid = GRIDS[state.terms.size]
    pieces = tuple(
        Piece(name, *divmod(there, SEAT))
        for name, there in zip(grid.names, state.board, strict=True)
        if there
    )
    arrival = "" if state.arrival == NOWHERE else grid.names[state.arrival]
    return View(state.terms.size, pieces, state.seat, arrival, state.end, state.winner)


def final(state: State) -> dict[str, object]:
    """Square and strength of every piece, by seat (rules.md, part 8)."""
    pieces = view(state, 1).pieces
    return {
        f"s{seat}": {piece.square: piece.strength for piece in pieces if piece.seat == seat}
        for seat in (1, 2)
    }


RULES = Rules(
    game="malawi",
    version=1,
    seats=range(2, 3),
    chance=False,
    options=OPTIONS,
    setup=setup,
    sides=sides,
    turn=turn,
    legal_moves=legal_moves,
    apply=apply,
    apply_chance=apply_chance,
    leave=None,
    parse=parse,
    notate=notate,
    read=read,
    known=known,
    choices=choices,
    view=view,
    final=final,
)
