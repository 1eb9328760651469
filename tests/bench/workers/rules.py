"""Our rules: playing games again from their text, and playing on at random."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import cast

from games.chance import Stream
from games.core import line
from games.core.rules import Chance, Outcome, Over, ToMove
from games.registry import AnyRules, AnyState
from tests.bench import corpora
from tests.bench.workers.serve import Operation, serve, timed

PLAYOUTS = 10


def prepare(name: str) -> Operation:
    """`replay:random` and `replay:line` of Malawi, `replay:GAME`, `playout:GAME`."""
    kind, _, of = name.partition(":")
    if kind == "playout":
        return timed(playout(of))
    events = (
        corpora.events(of) if of in corpora.CHANCE else corpora.malawi(cast("corpora.Kind", of))
    )
    return timed(replay(of if of in corpora.CHANCE else "malawi", events))


def replay(
    game: str, matches: Iterable[Iterable[corpora.Event]]
) -> Callable[[], tuple[int, bytes]]:
    """Every match of a corpus from its text, checked as a stranger's moves are; chance is given."""
    rules, options, seats = corpora.options(game)
    moves = sum(isinstance(event, str) for events in matches for event in events)

    def work() -> tuple[int, bytes]:
        finals = []
        for events in matches:
            state = rules.setup(seats, options)
            for event in events:
                state = _after(rules, state, event)
            finals.append(rules.final(state))
        return moves, repr(finals).encode()

    return work


def _after(rules: AnyRules, state: AnyState, event: corpora.Event) -> AnyState:
    turn = rules.turn(state)
    if isinstance(turn, ToMove):
        return line.play(rules, state, turn.seat, cast(str, event)).state
    return rules.apply_chance(state, cast(Outcome, event))


def playout(game: str) -> Callable[[], tuple[int, bytes]]:
    """Random matches with the list of legal moves at every turn, as far as there is one."""
    rules, options, seats = corpora.options(game)

    def work() -> tuple[int, bytes]:
        lot, moves = corpora.stream("playout"), 0
        state = rules.setup(seats, options)
        for _ in range(PLAYOUTS):
            state, count = _play(rules, rules.setup(seats, options), lot)
            moves += count
        return moves, repr(rules.final(state)).encode()

    return work


def _play(rules: AnyRules, state: AnyState, lot: Stream) -> tuple[AnyState, int]:
    count = 0
    while count < corpora.CAP and not isinstance(turn := rules.turn(state), Over):
        if isinstance(turn, Chance):
            state = rules.apply_chance(state, corpora.drawn(lot, turn.request))
        else:
            moves = list(rules.legal_moves(state))
            state = rules.apply(state, moves[lot.below(len(moves))])
            count += 1
    return state, count


if __name__ == "__main__":
    serve(f"our rules, Python {sys.version.split()[0]}", prepare)
