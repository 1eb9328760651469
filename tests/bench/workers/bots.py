"""The house players: how often they win against chance, and what a turn of theirs takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count, islice
from time import perf_counter
from typing import NamedTuple

from games import registry
from games.chance import Stream
from games.core import line
from games.core.rules import Chance, Dice, Over, ToMove, complete
from games.registry import AnyRules, AnyState
from tests.bench import corpora
from tests.bench.workers.serve import Operation, Pass, serve

CAP = 2_000
"""Turns after which nobody has won."""

Player = Callable[[AnyState, int, Stream], str]
"""A turn line from what the seat knows."""


class Taken(NamedTuple):
    """A turn that was taken: by whom, in how many seconds, and the state after it."""

    seat: int
    seconds: float
    state: AnyState


def prepare(name: str) -> Operation:
    """`share:GAME`, `wins:GAME:MATCHES` or `turn:GAME:WHO`, where WHO is `house` or `chance`."""
    kind, game, *more = name.split(":")
    if kind == "share":
        return lambda: Pass(1, float(registry.newest(game).seats[0]), b"")
    if kind == "wins":
        return lambda: wins(game, int(more[0]))
    spent = seconds(game, more[0])
    return lambda: Pass(1, next(spent), b"")


@cache
def wins(game: str, matches: int) -> Pass:
    """Matches won for "units", matches played for "seconds". They come out the same each time, so
    they are played once."""
    rules = registry.newest(game)
    won = [_won(rules, number) for number in range(matches)]
    return Pass(sum(won), float(matches), repr(won).encode())


def _won(rules: AnyRules, number: int) -> bool:
    *_, last = islice(turns(rules, "house", number), CAP)
    over, seat = rules.turn(last.state), _seat(rules, number)
    if not isinstance(over, Over):
        return False
    return all(
        over.standing[seat - 1] > standing
        for other, standing in enumerate(over.standing, start=1)
        if other != seat
    )


def seconds(game: str, who: str) -> Iterator[float]:
    """The seconds of every turn of the player, match after match."""
    rules = registry.newest(game)
    for number in count():
        for taken in islice(turns(rules, who, number), CAP):
            if taken.seat == _seat(rules, number):
                yield taken.seconds


def turns(rules: AnyRules, who: str, number: int) -> Iterator[Taken]:
    """A match of the fewest seats, in which the others play at random."""
    players = _players(rules, who, number)
    lot = corpora.stream(f"bots {rules.game} {number}")
    state = rules.setup(rules.seats[0], complete(rules, rules.seats[0], {}))
    while not isinstance(turn := rules.turn(state), Over):
        if isinstance(turn, ToMove):
            known = rules.known(state, turn.seat)
            start = perf_counter()
            text = players[turn.seat](known, turn.seat, lot)
            spent = perf_counter() - start
            state = line.play(rules, state, turn.seat, text).state
            yield Taken(turn.seat, spent, state)
        else:
            state = rules.apply_chance(state, _drawn(turn, lot))


def _players(rules: AnyRules, who: str, number: int) -> Mapping[int, Player]:
    def chance(known: AnyState, seat: int, lot: Stream) -> str:
        moves = list(rules.legal_moves(known))
        return rules.notate(moves[lot.below(len(moves))])

    player: Player = registry.bot(rules.game).play if who == "house" else chance
    mine = _seat(rules, number)
    return {seat: player if seat == mine else chance for seat in range(1, rules.seats[0] + 1)}


def _seat(rules: AnyRules, number: int) -> int:
    """The seat of the player that is measured: each in turn."""
    return number % rules.seats[0] + 1


def _drawn(turn: Chance, lot: Stream) -> tuple[int, ...] | tuple[str, ...]:
    if isinstance(turn.request, Dice):
        return tuple(lot.dice(turn.request.sides))
    return tuple(lot.shuffle(turn.request.ids))


if __name__ == "__main__":
    serve(f"Python {sys.version.split()[0]}", prepare)
