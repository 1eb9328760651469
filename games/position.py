"""A position: what the records of a match say so far, and how it changes as a value."""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import Literal, NamedTuple

from games.core.places import places, remaining
from games.core.rules import Over, ToMove, Turn
from games.log import canon
from games.log.record import End, Join, Open
from games.registry import AnyRules, AnyState


class Phase(Enum):
    """How far a match has come."""

    JOINING = "joining"
    RUNNING = "running"
    OVER = "over"
    """Decided; reveals and the end are still to be written."""
    CLOSED = "closed"


Hashes = tuple[tuple[bytes, ...], ...]
"""Hashes in blocks, each shorter than the one before: adding one copies few, however many acts
follow a move."""


def added(hashes: Hashes, hash: bytes) -> Hashes:
    """The hashes with one more."""
    block: tuple[bytes, ...] = (hash,)
    while hashes and len(hashes[-1]) == len(block):
        block, hashes = hashes[-1] + block, hashes[:-1]
    return (*hashes, block)


def nth(hashes: Hashes, index: int) -> bytes:
    """The hash at `index`. Raises IndexError."""
    for block in hashes:
        if index < len(block):
            return block[index]
        index -= len(block)
    raise IndexError(index)


class Holder(NamedTuple):
    """Who holds a seat, and the key that signs for it."""

    pid: str
    key: bytes | None


class Offer(NamedTuple):
    """The offer that stands, and the seats that want it."""

    kind: Literal["draw", "void"]
    agreed: tuple[int, ...]


class Result(NamedTuple):
    """Why a match is over, and the place of each seat; none if void, None if the operator says."""

    why: str
    places: tuple[int, ...] | None


class Position(NamedTuple):
    """What the records so far say."""

    m: str
    opened: Open
    rules: AnyRules
    sides: tuple[tuple[int, ...], ...]
    n: int
    """Records so far, and the number of the next."""
    hash: bytes
    """Hash of the last record, the head."""
    at: int
    phase: Phase
    joins: tuple[Join, ...]
    opened_ents: tuple[tuple[str, bytes], ...]
    """(pid, entropy) as far as they are in the open."""
    holders: tuple[Holder, ...]
    """In the order of joining; from `start` on those of seats 1, 2, …"""
    state: AnyState | None
    """None before `start`, and while a deal is not revealed."""
    turn: Turn | None
    """None whenever `state` is."""
    wait: int
    """Number of the last record that changed the position: the one the turn waits on."""
    since: Hashes
    """Hashes of the records from `wait` on."""
    left: tuple[tuple[int, str], ...]
    """The seats that left, in that order, with the reason."""
    offer: Offer | None
    result: Result | None
    pub: int
    hid: int
    """Elements of each chain that have been used."""
    reveals: int

    @property
    def ents(self) -> tuple[bytes, ...]:
        """The entropies in the open."""
        return tuple(ent for _, ent in self.opened_ents)


def gone(position: Position) -> tuple[int, ...]:
    """The seats that left, in that order."""
    return tuple(seat for seat, _ in position.left)


def in_match(position: Position, seat: int | None) -> bool:
    """Whether the seat exists, the match runs, and the seat has not left it."""
    return (
        seat is not None
        and 1 <= seat <= position.opened.seats
        and position.phase is Phase.RUNNING
        and seat not in gone(position)
    )


def mover(position: Position) -> int | None:
    """The seat to move."""
    running = position.phase is Phase.RUNNING
    return position.turn.seat if running and isinstance(position.turn, ToMove) else None


def key_of(position: Position, seat: int) -> bytes | None:
    """The key that signs for the seat; None if it has none, or if there is no such seat."""
    return position.holders[seat - 1].key if 1 <= seat <= len(position.holders) else None


def pid_of(position: Position, seat: int) -> str:
    """The pseudonym of whoever holds the seat now."""
    return position.holders[seat - 1].pid


def holding(position: Position, seat: int, holder: Holder) -> Position:
    """The position with another holder of the seat."""
    holders = list(position.holders)
    holders[seat - 1] = holder
    return position._replace(holders=tuple(holders))


def reached(position: Position, state: AnyState) -> Position:
    """The position with a new state, over if the rules say so."""
    turn = position.rules.turn(state)
    after = position._replace(state=state, turn=turn)
    return (
        over(after, Result(turn.reason, placed(after, turn))) if isinstance(turn, Over) else after
    )


def leave(position: Position, seat: int, why: str) -> Position:
    """The position after a seat left; the match is over when one side is left."""
    left = position._replace(left=(*position.left, (seat, why)), offer=None)
    if len(remaining(position.sides, gone(left))) == 1:
        return over(left, Result(why, placed(left)))
    if position.state is None or position.rules.leave is None:
        return left
    return reached(left, position.rules.leave(position.state, seat))


def over(position: Position, result: Result) -> Position:
    """The position of a match that is decided."""
    return position._replace(phase=Phase.OVER, offer=None, result=result)


def placed(position: Position, end: Over | None = None) -> tuple[int, ...]:
    """Places by the standing that the rules give; without it those who stayed share the first."""
    level = ((),) * position.opened.seats
    return places(position.sides, gone(position), end.standing if end else level)


def state_hash(position: Position) -> bytes:
    """SHA-256 of the canonical final state, `Rules.final`."""
    final = {} if position.state is None else position.rules.final(position.state)
    return hashlib.sha256(canon.encode(final)).digest()


def ending(position: Position) -> End:
    """The `end` that a match which is over asks for (not for one the operator adjudicates)."""
    if position.result is None or position.result.places is None:
        raise ValueError("the result of this match is not known from its records")
    numbered = tuple(enumerate(position.result.places, start=1))
    return End(numbered, position.result.why, state_hash(position))


def fits(result: Result, end: End, seats: int) -> bool:
    """Whether `end` has the places of the result, or possible ones if the operator decides."""
    if result.places is not None:
        return end.res == tuple(enumerate(result.places, start=1))
    every = range(1, seats + 1)
    return [seat for seat, _ in end.res] == list(every) and all(
        place in every for _, place in end.res
    )
