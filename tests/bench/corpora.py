"""The moves that are measured, made from a fixed seed by our own sampler.

Two sorts of Malawi: `random` takes any legal move, so three of four are distributions; `line` takes
a move or a capture every other time where there is one. Of chess and of the games with chance
one sort, random legal moves; dice and shuffles stand between them.
Games end by the rules or after a cap, so that making them ends as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Literal

import chess

from games import registry
from games.chance import Stream
from games.core.rules import Chance, Dice, Outcome, Request, ToMove, complete
from games.registry import AnyRules

SEED = 20261129
GAMES = 40
CAP = 120

Kind = Literal["random", "line"]
Game = tuple[str, ...]
Event = str | tuple[int | str, ...]
"""A turn line, or what came out by chance."""

CHANCE = {"seasons": 2, "monad": 3, "black-monday": 4}
"""The games with chance, and how many play them here."""

ENDLESS = {"repetition": "off", "no-progress": "off"}
"""Options under which a match can be as long as a measurement needs."""


def stream(label: str, seed: int = SEED) -> Stream:
    """A stream of its own for each thing that is made."""
    return Stream(hashlib.sha256(f"{label} {seed}".encode()).digest())


@cache
def malawi(kind: Kind) -> tuple[Game, ...]:
    """Games of Malawi as turn lines."""
    lot = stream(f"malawi {kind}")
    return tuple(tuple(_malawi(kind, lot)) for _ in range(GAMES))


def _malawi(kind: Kind, lot: Stream) -> Iterator[str]:
    rules = registry.newest("malawi")
    state = rules.setup(2, complete(rules, 2, {}))
    for _ in range(CAP):
        if not isinstance(rules.turn(state), ToMove):
            return
        moves = list(rules.legal_moves(state))
        texts = [rules.notate(move) for move in moves]
        lines = [at for at, text in enumerate(texts) if ":" not in text]
        if kind == "line" and lines and lot.below(2):
            at = lines[lot.below(len(lines))]
        else:
            at = lot.below(len(moves))
        yield texts[at]
        state = rules.apply(state, moves[at])


def options(game: str) -> tuple[AnyRules, dict[str, str], int]:
    """The rules of a game with the options and the number of seats that are measured."""
    rules, seats = registry.newest(game), CHANCE.get(game, 2)
    return rules, complete(rules, seats, {}), seats


@cache
def events(game: str) -> tuple[tuple[Event, ...], ...]:
    """Matches of a game with chance."""
    lot = stream(game)
    return tuple(tuple(_events(game, lot)) for _ in range(GAMES))


def _events(game: str, lot: Stream) -> Iterator[Event]:
    rules, chosen, seats = options(game)
    state = rules.setup(seats, chosen)
    for _ in range(CAP):
        turn = rules.turn(state)
        if isinstance(turn, Chance):
            out = drawn(lot, turn.request)
            yield out
            state = rules.apply_chance(state, out)
        elif isinstance(turn, ToMove):
            moves = list(rules.legal_moves(state))
            move = moves[lot.below(len(moves))]
            yield rules.notate(move)
            state = rules.apply(state, move)
        else:
            return


def drawn(lot: Stream, request: Request) -> Outcome:
    """What comes out by chance."""
    return lot.dice(request.sides) if isinstance(request, Dice) else lot.shuffle(request.ids)


@cache
def chess_games() -> tuple[Game, ...]:
    """Games of chess as UCI moves."""
    lot = stream("chess")
    return tuple(tuple(_chess(lot)) for _ in range(GAMES))


def _chess(lot: Stream) -> Iterator[str]:
    board = chess.Board()
    for _ in range(CAP):
        moves = list(board.legal_moves)
        if not moves:
            return
        move = moves[lot.below(len(moves))]
        yield move.uci()
        board.push(move)


def endless(count: int) -> Game:
    """So many turn lines of one match of Malawi with the options ENDLESS: out and back again."""
    return tuple(("a3-c3", "f3-d3", "c3-a3", "d3-f3")[at % 4] for at in range(count))


def digest(games: tuple[Game, ...] | tuple[tuple[Event, ...], ...]) -> str:
    """What a corpus is pinned by."""
    text = "".join(" ".join(map(str, game)) + "\n" for game in games)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digests() -> dict[str, str]:
    """Every corpus with its digest."""
    return {
        "malawi random": digest(malawi("random")),
        "malawi line": digest(malawi("line")),
        "chess": digest(chess_games()),
        **{game: digest(events(game)) for game in CHANCE},
    }
