"""A turn line: moves joined by `; `, played one by one, and what can be added to a line begun."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, NamedTuple

from games.core.rules import (
    Choice,
    IllegalMove,
    M,
    MalformedMove,
    Rules,
    RulesError,
    S,
    ToMove,
    V,
    say,
)

JOINT = "; "


class Played(NamedTuple, Generic[S]):
    """How far a line went: the state reached, the moves played, and those handed back."""

    state: S
    line: str
    rest: str


def split(line: str) -> tuple[str, ...]:
    """The moves of a line as stored."""
    return tuple(line.split(JOINT))


def read(rules: Rules[S, M, V], typed: str) -> str:
    """The line as stored, from what a person typed. Raises MalformedMove."""
    moves = [move for move in typed.split(";") if move.strip()]
    if not moves:
        raise MalformedMove(say("no-move"))
    return JOINT.join(_read(rules, move, typed) for move in moves)


def _read(rules: Rules[S, M, V], move: str, line: str) -> str:
    try:
        return rules.read(move)
    except RulesError as error:
        error.blame(move.strip(), line.strip())
        raise


def play(rules: Rules[S, M, V], state: S, seat: int, line: str, whole: str = "") -> Played[S]:
    """Plays the stored line for the seat to move, up to a chance event or the end of its turn;
    `whole` is the line that it begins, if it is not all.

    Raises MalformedMove or IllegalMove for the first move that fails; nothing is played then.
    """
    moves = split(line)
    for count, move in enumerate(moves):
        turn = rules.turn(state)
        if not (isinstance(turn, ToMove) and turn.seat == seat):
            return Played(state, JOINT.join(moves[:count]), JOINT.join(moves[count:]))
        try:
            state = rules.apply(state, rules.parse(move))
        except RulesError as error:
            error.blame(move, whole or line)
            raise
    return Played(state, line, "")


def sends(rules: Rules[S, M, V], known: S, seat: int, line: str) -> bool:
    """Whether the line can be sent as it stands: every move is legal and none is left over."""
    try:
        return play(rules, known, seat, line).rest == ""
    except (MalformedMove, IllegalMove):
        return False


def begun(rules: Rules[S, M, V], known: S, seat: int, line: str) -> str:
    """The line without what stands behind a chance event or the end of the turn.

    Raises MalformedMove or IllegalMove if a move before the last fails.
    """
    done, last = _last(line)
    if not done:
        return last
    played = play(rules, known, seat, done, line)
    goes_on = not played.rest and rules.turn(played.state) == ToMove(seat)
    return line if goes_on else played.line


def preview(rules: Rules[S, M, V], known: S, seat: int, line: str) -> S:
    """The mover's knowledge after the whole moves of a line begun; a last, unfinished move is not
    played. Raises MalformedMove or IllegalMove if an earlier one fails."""
    if line == "":
        return known
    if sends(rules, known, seat, line):
        return play(rules, known, seat, line).state
    done, _ = _last(line)
    return play(rules, known, seat, done, line).state if done else known


def choices(rules: Rules[S, M, V], known: S, seat: int, line: str) -> tuple[Choice, ...]:
    """What can be added to a line begun, from what the mover knows.

    Two sorts: what the last move can still become, and, once that move is whole and the turn goes
    on, the moves that may follow. Raises MalformedMove or IllegalMove for a line that cannot stand.
    """
    done, last = _last(line)
    before = play(rules, known, seat, done, line).state if done else known
    if rules.turn(before) != ToMove(seat):
        return ()
    try:
        further = _after(done, rules.choices(before, last))
    except RulesError as error:
        error.blame(last, line)
        raise
    if last and sends(rules, before, seat, last):
        after = play(rules, before, seat, last).state
        if rules.turn(after) == ToMove(seat):
            further += _after(line, rules.choices(after, ""))
    return further


def _last(line: str) -> tuple[str, str]:
    done, _, last = line.rpartition(JOINT)
    return done, last


def _after(done: str, found: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices behind moves that have been played; whoever takes the next one back stands
    behind these, and they can be sent."""
    if not done:
        return found
    return tuple(
        replace(choice, line=done + JOINT + choice.line)
        if choice.line
        else replace(choice, line=done, sends=True)
        for choice in found
    )
