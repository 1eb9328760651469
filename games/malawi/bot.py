"""The house player: it looks a few moves ahead and takes what is best against the best replies.

The search is alpha-beta, one move deeper each time until DEPTH moves are seen or NODES positions
have been looked at; what the last whole look found decides. Every move is tried as the first one.
After it only steps and captures are, and a pass for all distributions: they change little at once,
and are most of the moves. Where the search ends, a position is worth its points, the largest piece
that could be captured and the open steps to the goal row. The repetition of positions is minded for
the move that is played, not for what may follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.core.bot import Lot
from games.malawi.grid import GRIDS, Way
from games.malawi.moves import Capture, Distribute, Move, Step, notate
from games.malawi.v1 import EMPTY, NO_PAST, NOWHERE, SEAT, State, apply, legal_moves

DEPTH = 4
NODES = 12_000
WON = 1_000_000
"""More than any position is worth that is not won."""
POINT = 8
PREY = 6, 2
"""What a point is worth that the side to move could capture, and one that the other could."""
OPEN = 4, 2
"""The same for a step that is open to the goal row."""


def play(known: State, seat: int, lot: Lot) -> str:
    """The best move; one of the best by lot."""
    after = {move: _unminding(apply(known, move)) for move in legal_moves(known)}
    worth = Search().deepened(after)
    best = [move for move, value in worth.items() if value == max(worth.values())]
    return notate(best[lot.below(len(best))])


def _unminding(state: State) -> State:
    """The state in a match where the repetition of positions does not matter."""
    return state._replace(terms=state.terms._replace(repetition="off"), past=NO_PAST)


class _Spent(Exception):
    """All positions that may be looked at have been."""


class Search:
    """One search, and how many positions it has looked at."""

    def __init__(self) -> None:
        self.seen = 0
        self.most = 0

    def deepened(self, after: Mapping[Move, State]) -> dict[Move, int]:
        """What the moves to these states are worth by the last whole look. One that goes as far as
        the reply is always whole."""
        worth = dict.fromkeys(after, 0)
        for depth in range(1, DEPTH + 1):
            self.most = NODES if depth > 2 else NODES * len(after)
            order = sorted(worth, key=lambda move: -worth[move])
            try:
                worth = self._look({move: after[move] for move in order}, depth)
            except _Spent:
                break
        return worth

    def _look(self, after: Mapping[Move, State], depth: int) -> dict[Move, int]:
        """What is worth as much as the best is counted exactly, the rest is worth that at most."""
        worth: dict[Move, int] = {}
        best = -2 * WON
        for move, state in after.items():
            worth[move] = -self.value(state, depth - 1, -2 * WON, 1 - best)
            best = max(best, worth[move])
        return worth

    def value(self, state: State, depth: int, low: int, high: int) -> int:
        """What the position is worth for the side to move, if that is between low and high."""
        if self.seen == self.most:
            raise _Spent
        self.seen += 1
        if state.end:
            return _ended(state, depth)
        if depth <= 0 and state.arrival == NOWHERE:
            return standing(state)
        for reply in _replies(state):
            low = max(low, -self.value(reply, depth - 1, -high, -low))
            if low >= high:
                break
        return low


def _ended(state: State, depth: int) -> int:
    """The sooner it is won or lost, the more."""
    if not state.winner:
        return 0
    return WON + depth if state.winner == state.seat else -WON - depth


def _replies(state: State) -> Iterator[State]:
    """The states after captures, a pass, steps, and distributions where they may win (W-Q6)."""
    names, ways = GRIDS[state.terms.size].names, list(_ways(state, state.seat))
    for way in ways:
        if state.board[way.target]:
            yield apply(state, Capture(names[way.start], names[way.target]))
    pending = state.arrival != NOWHERE
    yield state._replace(
        seat=3 - state.seat,
        quiet=state.quiet + 1,
        end="goal" if pending else "",
        winner=3 - state.seat if pending else 0,
    )
    for way in ways:
        if not state.board[way.target]:
            yield apply(state, Step(names[way.start], names[way.target]))
    if state.terms.reentry == "state":
        yield from _gifts(state)


def _gifts(state: State) -> Iterator[State]:
    """The states after distributions, if the side has a piece on the goal row."""
    goal = GRIDS[state.terms.size].homes[3 - state.seat]
    if any(state.board[square] // SEAT == state.seat for square in goal):
        for move in legal_moves(state):
            if isinstance(move, Distribute):
                yield apply(state, move)


def _ways(state: State, seat: int) -> Iterator[Way]:
    """The ways to where a side could step or capture."""
    board, reach = state.board, GRIDS[state.terms.size].reach
    for square, there in enumerate(board):
        if there // SEAT != seat:
            continue
        for way in reach[square][there % SEAT]:
            target = board[way.target]
            spared = target and (target // SEAT == seat or not target % SEAT)
            if not spared and not any(board[way.between]):
                yield way


def standing(state: State) -> int:
    """What a position is worth for the side to move without looking further."""
    return _worth(state, state.seat, PREY[0], OPEN[0]) - _worth(
        state, 3 - state.seat, PREY[1], OPEN[1]
    )


def _worth(state: State, seat: int, prey: int, step: int) -> int:
    board, goal = state.board, GRIDS[state.terms.size].homes[3 - seat]
    points = sum(there % SEAT for there in board if there // SEAT == seat)
    ways = [way.target for way in _ways(state, seat)]
    largest = max((board[target] % SEAT for target in ways), default=0)
    steps = sum(target in goal and board[target] == EMPTY for target in ways)
    return POINT * points + prey * largest + step * steps
