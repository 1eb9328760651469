"""Our rules: playing games again from their text, and playing on at random."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import cast

from games import registry
from games.chance import Stream
from games.core import line
from games.core.rules import ToMove, complete
from tests.bench import corpora
from tests.bench.workers.serve import Operation, serve, timed

RULES = registry.newest("malawi")
OPTIONS = complete(RULES, 2, {})
PLAYOUTS = 10


def prepare(name: str) -> Operation:
    """`replay:random`, `replay:line` or `playout`."""
    kind, _, corpus = name.partition(":")
    if kind == "playout":
        return timed(playout())
    return timed(replay(cast("corpora.Kind", corpus)))


def replay(kind: corpora.Kind) -> Callable[[], tuple[int, bytes]]:
    """Every game of a corpus from its text, checked as a stranger's moves are."""
    games = corpora.malawi(kind)
    moves = sum(map(len, games))

    def work() -> tuple[int, bytes]:
        finals = []
        for game in games:
            state = RULES.setup(2, OPTIONS)
            for text in game:
                turn = RULES.turn(state)
                assert isinstance(turn, ToMove)
                state = line.play(RULES, state, turn.seat, text).state
            finals.append(RULES.final(state))
        return moves, repr(finals).encode()

    return work


def playout() -> Callable[[], tuple[int, bytes]]:
    """Random games with the whole list of legal moves at every turn."""

    def work() -> tuple[int, bytes]:
        lot, moves = corpora.stream("playout"), 0
        state = RULES.setup(2, OPTIONS)
        for _ in range(PLAYOUTS):
            state, count = _play(lot)
            moves += count
        return moves, repr(RULES.final(state)).encode()

    return work


def _play(lot: Stream) -> tuple[registry.AnyState, int]:
    state, count = RULES.setup(2, OPTIONS), 0
    while isinstance(RULES.turn(state), ToMove) and count < corpora.CAP:
        moves = list(RULES.legal_moves(state))
        state = RULES.apply(state, moves[lot.below(len(moves))])
        count += 1
    return state, count


if __name__ == "__main__":
    serve(f"malawi {RULES.version}, Python {sys.version.split()[0]}", prepare)
