"""Malawi positions by hand, for the tests."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.rules import complete
from games.malawi.grid import GRIDS
from games.malawi.v1 import NO_PAST, NOWHERE, RULES, SEAT, State


def start(**options: str) -> State:
    """The first position; options with an underscore for the hyphen."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    return RULES.setup(2, complete(RULES, 2, given))


def place(one: str, two: str, seat: int = 1, arrival: str = "", **options: str) -> State:
    """A position from `a1:2 b3:0` for each side, as if it had just come up."""
    state = start(**options)
    squares = GRIDS[state.terms.size].squares
    board = [0] * len(state.board)
    for owner, pieces in ((1, one), (2, two)):
        for piece in pieces.split():
            square, strength = piece.split(":")
            board[squares[square]] = SEAT * owner + int(strength)
    past = ((tuple(board),), ()) if state.past[0] else NO_PAST
    where = squares[arrival] if arrival else NOWHERE
    return state._replace(board=tuple(board), seat=seat, arrival=where, past=past)


def after(state: State, *moves: str) -> State:
    """The position after these moves, all of them legal."""
    for move in moves:
        state = RULES.apply(state, RULES.parse(move))
    return state


def strengths(state: State, seat: int) -> Mapping[str, int]:
    """The pieces of a side with their strengths."""
    side = RULES.final(state)[f"s{seat}"]
    assert isinstance(side, dict)
    return side


def moves(state: State) -> list[str]:
    """All legal moves as they are written."""
    return [RULES.notate(move) for move in RULES.legal_moves(state)]


def won(state: State) -> tuple[str, int]:
    """Why the match ended, and who won; ("", 0) while it goes on."""
    return state.end, state.winner
