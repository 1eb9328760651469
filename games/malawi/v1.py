"""Malawi, version 1: state, moves, options, and what is legal.

Rows have letters and columns have digits: `a3` is row a, column 3. Seat 1 starts on row a.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from games.core.rules import (
    Choice,
    IllegalMove,
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
from games.malawi.grid import FAR, GRIDS, Way
from games.malawi.moves import Capture, Distribute, Move, Step, begun, notate, parse, read
from games.malawi.view import Piece, View

EMPTY = 0
SEAT = 32
"""A square holds EMPTY, or SEAT × the owner's seat + the strength of the piece."""
NOWHERE = -1

Board = tuple[int, ...]
Boards = tuple[Board, ...]
NO_PAST: tuple[Boards, Boards] = ((), ())


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
    board: Board
    seat: int
    """To move; after the end the one who would be."""
    arrival: int
    """The square of the other side's piece that wins unless it is captured now, or NOWHERE.
    After a win the square of the piece that made it."""
    past: tuple[Boards, Boards]
    """The boards since a point was last lost: those with the same side to move as now, this one
    included, and those with the other. Sorted, so that none is sought for long in a long match;
    empty if repetition is no matter."""
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


_TO_MOVE = tuple(map(ToMove, range(3)))


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
    past = NO_PAST if terms.repetition == "off" else ((board,), ())
    return State(terms, board, 1, NOWHERE, past, 0, "", 0)


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    """Each seat for itself."""
    return ((1,), (2,))


def turn(state: State) -> Turn:
    """Who is to move, or how it ended."""
    if not state.end:
        return _TO_MOVE[state.seat]
    return Over(state.end, ((int(state.winner == 1),), (int(state.winner == 2),)))


def legal_moves(state: State) -> Iterator[Move]:
    """Piece by piece in board order: steps and captures, then distributions."""
    if state.terms.repetition != "forbid":
        return _candidates(state)
    return (move for move in _candidates(state) if _never_third(state, move))


def _candidates(state: State) -> Iterator[Move]:
    if state.end:
        return
    board, seat = state.board, state.seat
    mine, full = SEAT * seat, SEAT * seat + state.terms.most
    names = GRIDS[state.terms.size].names
    own = [square for square, there in enumerate(board) if there // SEAT == seat]
    able = [names[square] for square in own if board[square] != full]
    for square in own:
        piece, points = names[square], board[square] - mine
        if points:
            yield from _lines(state, square, points)
            others = [name for name in able if name != piece]
            for receivers in combinations(others, min(points, len(others))):
                yield Distribute(piece, receivers)


def _lines(state: State, square: int, points: int) -> Iterator[Step | Capture]:
    grid, board = GRIDS[state.terms.size], state.board
    for way in grid.reach[square][points]:
        there = board[way.target]
        if any(board[way.between]) or there // SEAT == state.seat:
            continue
        if there == EMPTY:
            yield Step(grid.names[square], grid.names[way.target])
        elif there % SEAT:
            yield Capture(grid.names[square], grid.names[way.target])


def _never_third(state: State, move: Move) -> bool:
    try:
        _played(state, move)
    except IllegalMove:
        return False
    return True


def apply(state: State, move: Move) -> State:
    """The state after the move, or the reason against it. Wins go before repetition (W-Q15), and
    that before no progress (W-Q16)."""
    after = _played(state, move)
    if after.end:
        return after
    terms = after.terms
    if terms.repetition == "forbid" and next(legal_moves(after), None) is None:
        return after._replace(end="repetition", arrival=NOWHERE)
    if after.quiet == terms.patience > 0:
        return after._replace(end="no-progress", arrival=NOWHERE)
    return after


def _played(state: State, move: Move) -> State:
    if state.end:
        raise IllegalMove(say("over"))
    if isinstance(move, Distribute):
        return _distribute(state, move)
    return _step(state, move) if isinstance(move, Step) else _capture(state, move)


def _step(state: State, move: Step) -> State:
    way = _way(state, move)
    board = list(state.board)
    if board[way.target]:
        raise IllegalMove(say("occupied", square=move.target))
    board[way.target], board[way.start] = board[way.start], EMPTY
    after = tuple(board)
    won, arrival = _arrival(state, after, way)
    return _settle(state, after, won, arrival)


def _capture(state: State, move: Capture) -> State:
    way = _way(state, move)
    enemy, strength = divmod(state.board[way.target], SEAT)
    if enemy != 3 - state.seat:
        raise IllegalMove(say("no-enemy", square=move.target))
    if strength == 0:
        raise IllegalMove(say("spent", square=move.target))
    board = list(state.board)
    board[way.target] = SEAT * enemy
    if board.count(SEAT * enemy) == state.terms.size:
        return _settle(state, tuple(board), "exhausted", way.start, lost=True)
    return _settle(state, tuple(board), lost=True)


def _way(state: State, move: Step | Capture) -> Way:
    """The way along which a piece of the mover acts: free, and as long as the piece is strong."""
    way = GRIDS[state.terms.size].ways.get((move.piece, move.target))
    if way is None or state.board[way.start] != SEAT * state.seat + way.length:
        raise IllegalMove(_why_no_way(state, move.piece, move.target, way))
    if any(state.board[way.between]):
        raise IllegalMove(say("blocked", square=move.piece, target=move.target))
    return way


def _why_no_way(state: State, piece: str, target: str, way: Way | None) -> Say:
    strength = _strength(state, piece)
    if strength == 0:
        return say("powerless", square=piece)
    if target not in GRIDS[state.terms.size].squares:
        return say("off-board", square=target)
    if way is None:
        return say("not-straight", square=piece, target=target)
    return say("distance", square=piece, strength=strength, length=way.length)


def _strength(state: State, name: str) -> int:
    """The strength of the piece on a square; it must be there and the mover's."""
    square = GRIDS[state.terms.size].squares.get(name)
    if square is None:
        raise IllegalMove(say("off-board", square=name))
    owner, strength = divmod(state.board[square], SEAT)
    if owner != state.seat:
        raise IllegalMove(say("not-yours" if owner else "nobody", square=name))
    return strength


def _distribute(state: State, move: Distribute) -> State:
    before, mine = state.board, SEAT * state.seat
    full = mine + state.terms.most
    squares = GRIDS[state.terms.size].squares
    points, giver = _strength(state, move.piece), squares[move.piece]
    board, last = list(before), NOWHERE
    for name in move.receivers:
        receiver = squares.get(name, NOWHERE)
        if not (last < receiver != giver and mine <= before[receiver] < full):
            raise IllegalMove(_why_no_gift(state, move.piece, name))
        board[receiver] += 1
        last = receiver
    board[giver] = mine
    if not 0 < len(move.receivers) == points:
        _check_surplus(state, move, points)
    return _settle(state, tuple(board), lost=len(move.receivers) < points)


def _check_surplus(state: State, move: Distribute, points: int) -> None:
    """Points may be lost only when everybody able to take one has got it (W-12)."""
    full = SEAT * state.seat + state.terms.most
    able = state.terms.size - 1 - state.board.count(full) + (points == state.terms.most)
    count, given = min(points, able), len(move.receivers)
    if points == 0:
        raise IllegalMove(say("powerless", square=move.piece))
    if not 0 < given == count:
        key = "too-few" if given < count else "too-many"
        values = {"points": points, "count": count, "given": given}
        raise IllegalMove(say(key, square=move.piece, **values))


def _why_no_gift(state: State, giver: str, receiver: str) -> Say:
    strength = _strength(state, receiver)
    if receiver == giver:
        return say("to-itself", square=giver)
    full = strength == state.terms.most
    return say("full", square=receiver, strength=strength) if full else say("receivers")


def _arrival(state: State, board: Board, way: Way) -> tuple[str, int]:
    """Whether the step wins at once, and the square that it has reached if this counts as an
    arrival (W-20, W-21, W-Q4, W-Q6)."""
    terms = state.terms
    goal = GRIDS[terms.size].homes[3 - state.seat]
    if way.target not in goal or (terms.reentry == "leave" and way.start in goal):
        return "", NOWHERE
    if terms.goal == "reach" or not _threatened(terms, board, way.target):
        return "goal", way.target
    return "", way.target if terms.goal == "survives" else NOWHERE


def _threatened(terms: Terms, board: Board, square: int) -> bool:
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
    board: Board,
    won: str = "",
    arrival: int = NOWHERE,
    *,
    lost: bool = False,
) -> State:
    """The state after the mover's action. The mover wins first, then the other side whose arrival
    was not captured (W-21); then comes the third occurrence of a position (W-Q15), which a
    pending arrival cannot have: a capture or the end follows it.
    """
    terms, seat, other, standing = state.terms, state.seat, 3 - state.seat, state.arrival
    quiet = 0 if lost else state.quiet + 1
    if not won and terms.reentry == "state" and (revived := _revived(state, board)) != NOWHERE:
        won, arrival = "goal", revived
    if won:
        return State(terms, board, other, arrival, NO_PAST, quiet, won, seat)
    if standing != NOWHERE and board[standing] == state.board[standing]:
        return State(terms, board, other, standing, NO_PAST, quiet, "goal", other)
    if terms.repetition == "off":
        return State(terms, board, other, arrival, NO_PAST, quiet, "", 0)
    others, same = NO_PAST if lost else state.past
    place = bisect_left(same, board)
    third = arrival == NOWHERE and same[place : place + 2] == (board, board)
    if third and terms.repetition == "forbid":
        raise IllegalMove(say("third-time"))
    past = ((*same[:place], board, *same[place:]), others)
    return State(terms, board, other, arrival, past, quiet, "repetition" if third else "", 0)


def _revived(state: State, board: Board) -> int:
    """A piece of the mover that wins where it stands (W-Q6): on its goal row, with points, not to
    be captured. NOWHERE if there is none."""
    mine = SEAT * state.seat
    for square in GRIDS[state.terms.size].homes[3 - state.seat]:
        alive = mine < board[square] < mine + SEAT
        if alive and not _threatened(state.terms, board, square):
            return square
    return NOWHERE


def choices(state: State, line: str) -> tuple[Choice, ...]:
    """First a piece, then what it does; whatever is chosen can be taken back."""
    moves = tuple(legal_moves(state))
    if line == "":
        return tuple(_pick(state, piece) for piece in dict.fromkeys(move.piece for move in moves))
    chosen = begun(line)
    further = tuple(move for move in moves if _begins(chosen, move))
    if not further:
        apply(state, chosen)  # raises, and says why
    return (*_takes_back(chosen), *_adds(state, chosen, further))


def _begins(chosen: Move, move: Move) -> bool:
    """Whether the move may still come of what is chosen: a piece alone can do anything."""
    if not isinstance(chosen, Distribute):
        return chosen == move
    if chosen.piece != move.piece or not chosen.receivers:
        return chosen.piece == move.piece
    return isinstance(move, Distribute) and set(chosen.receivers) <= set(move.receivers)


def _pick(state: State, piece: str) -> Choice:
    sentence = say("pick", square=piece, strength=_strength(state, piece))
    return Choice(piece, piece, sentence, False, Mark.CAN)


def _takes_back(chosen: Move) -> Iterator[Choice]:
    """The chosen things: each leads to the line without it."""
    yield Choice(chosen.piece, "", say("put-back", square=chosen.piece), False, Mark.CHOSEN)
    targets = chosen.receivers if isinstance(chosen, Distribute) else (chosen.target,)
    for target in targets:
        rest = tuple(other for other in targets if other != target)
        line = notate(Distribute(chosen.piece, rest)) if rest else chosen.piece
        yield Choice(target, line, say("untarget", square=target), False, Mark.CHOSEN)


def _adds(state: State, chosen: Move, moves: tuple[Move, ...]) -> Iterator[Choice]:
    """What may be added to the chosen piece or distribution."""
    if not isinstance(chosen, Distribute):
        return
    for move in moves:
        if not isinstance(move, Distribute):
            yield _acts(state, move)
    named = {name for move in moves if isinstance(move, Distribute) for name in move.receivers}
    for receiver in sorted(named - set(chosen.receivers)):
        more = Distribute(chosen.piece, tuple(sorted((*chosen.receivers, receiver))))
        sentence = say("give", piece=chosen.piece, receiver=receiver)
        yield Choice(receiver, notate(more), sentence, more in moves, badge="+1")


def _acts(state: State, move: Step | Capture) -> Choice:
    piece, target, line = move.piece, move.target, notate(move)
    if isinstance(move, Step):
        return Choice(target, line, say("step", piece=piece, target=target), True)
    strength = state.board[GRIDS[state.terms.size].squares[target]] % SEAT
    sentence = say("capture", piece=piece, target=target, strength=strength)
    return Choice(target, line, sentence, True, badge="×")


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
    """Square and strength of every piece, by seat."""
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
