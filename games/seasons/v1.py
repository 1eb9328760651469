"""Seasons of the Sun, version 1: state, options, and what is legal.

The dice of a turn lie in the cup until chance has thrown them: all three when the turn begins
(S-10), those chosen when the mover throws some once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from games.core.rules import (
    Chance,
    Choice,
    Dice,
    IllegalMove,
    Mark,
    Option,
    Options,
    Outcome,
    Over,
    Rules,
    ToMove,
    Turn,
    Viewer,
    say,
)
from games.seasons.moves import Move, Place, Reroll, notate, parse, read
from games.seasons.sectors import FREE, NOBODY, PLACES, SECTORS, Ring, points, winner, winners
from games.seasons.view import View


class State(NamedTuple):
    """A position of Seasons of the Sun."""

    tie: str
    """What decides at 60:60: `draw`, nothing; `sectors`, who has more of them (S-Q7)."""
    rings: tuple[Ring, Ring]
    """The outer ring, seat 1, and the inner one, seat 2 (S-2)."""
    seat: int
    """To move; NOBODY when both rings are full."""
    dice: tuple[int, ...]
    """What they show, or showed before they went into the cup; 0 before the first throw."""
    cup: tuple[int, ...]
    """The positions of the dice that chance is to throw now."""
    fresh: bool
    """Has the mover not yet thrown dice once more?"""


OPTIONS = (Option("tie", ("draw", "sectors"), lambda seats, options: "draw"),)

DICE = (1, 2, 3)
REROLLS = tuple(Reroll(some) for count in DICE for some in combinations(DICE, count))
"""Every choice of dice: one, two or all three."""
_THROWS = tuple(Chance("pub", Dice((6,) * count)) for count in range(4))
_TO_MOVE = tuple(map(ToMove, range(3)))


def setup(seats: int, options: Options) -> State:
    """Empty rings, and the dice in the cup of seat 1."""
    empty = (FREE,) * len(SECTORS)
    return State(options["tie"], (empty, empty), 1, (0, 0, 0), DICE, True)


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    """Each seat for itself."""
    return ((1,), (2,))


def turn(state: State) -> Turn:
    """The dice to be thrown, who is to move, or how it ended."""
    if state.cup:
        return _THROWS[len(state.cup)]
    if state.seat:
        return _TO_MOVE[state.seat]
    first, second = points(*state.rings)
    if state.tie == "draw":
        return Over("score", ((first,), (second,)))
    won = winners(*state.rings)
    return Over("score", ((first, won.count(1)), (second, won.count(2))))


def legal_moves(state: State) -> Iterator[Move]:
    """The free fields of the own ring, then the dice to throw once more."""
    if state.cup or state.seat == NOBODY:
        return
    for sector, there in zip(SECTORS, state.rings[state.seat - 1], strict=True):
        if there == FREE:
            yield Place(sector.name)
    if state.fresh:
        yield from REROLLS


def apply(state: State, move: Move) -> State:
    """The state after the move, or the reason against it."""
    if state.cup or state.seat == NOBODY:
        raise IllegalMove(say("in-the-cup" if state.cup else "over"))
    return _place(state, move) if isinstance(move, Place) else _reroll(state, move)


def _reroll(state: State, move: Reroll) -> State:
    if not state.fresh:
        raise IllegalMove(say("rerolled"))
    return State(state.tie, state.rings, state.seat, state.dice, move.dice, False)


def _place(state: State, move: Place) -> State:
    seat, place, total = state.seat, PLACES[move.sector], sum(state.dice)
    own, other = state.rings[seat - 1], state.rings[2 - seat]
    if own[place] != FREE:
        raise IllegalMove(say("taken", sector=move.sector, sum=own[place]))
    if other[place] == total:
        return _pass_on(state, own, _put(other, place, FREE), 3 - seat)
    again = _wins(state, place, total)
    return _pass_on(state, _put(own, place, total), other, seat if again else 3 - seat)


def _put(ring: Ring, place: int, total: int) -> Ring:
    return (*ring[:place], total, *ring[place + 1 :])


def _wins(state: State, place: int, total: int) -> bool:
    """Whether the mover wins the sector there with this sum, which is not the other's."""
    there = state.rings[2 - state.seat][place]
    pair = (total, there) if state.seat == 1 else (there, total)
    return winner(SECTORS[place], *pair) == state.seat


def _pass_on(state: State, own: Ring, other: Ring, next_seat: int) -> State:
    """The dice go to the next seat (S-20); a full ring sits out (S-21)."""
    rings = (own, other) if state.seat == 1 else (other, own)
    for seat in (next_seat, 3 - next_seat):
        if FREE in rings[seat - 1]:
            return State(state.tie, rings, seat, state.dice, DICE, True)
    return State(state.tie, rings, NOBODY, state.dice, (), True)


def apply_chance(state: State, outcome: Outcome) -> State:
    """The dice from the cup lie on the table."""
    dice = list(state.dice)
    for number, position in enumerate(state.cup):
        dice[position - 1] = int(outcome[number])
    return State(state.tie, state.rings, state.seat, tuple(dice), (), state.fresh)


def choices(state: State, begun: str) -> tuple[Choice, ...]:
    """A field for the sum, or dice to throw once more; whatever is chosen can be taken back."""
    if not begun:
        moves = tuple(legal_moves(state))
        fields = tuple(_field(state, move.sector) for move in moves if isinstance(move, Place))
        dice = tuple(_die(state, (), die) for die in DICE if Reroll((die,)) in moves)
        return fields + dice
    move = parse(begun)
    apply(state, move)
    if isinstance(move, Place):
        back = say("unplace", sector=move.sector)
        return (Choice(_thing(state, move.sector), "", back, False, Mark.CHOSEN),)
    return tuple(_die(state, move.dice, die) for die in DICE)


def _thing(state: State, sector: str) -> str:
    """The mover's field in a sector: in the inner ring it is the second of its name."""
    return sector if state.seat == 1 else f"{sector}-2"


def _field(state: State, name: str) -> Choice:
    """A free field, with a badge if the sum decides or clears its sector."""
    place, total = PLACES[name], sum(state.dice)
    there, worth = state.rings[2 - state.seat][place], SECTORS[place].points
    key, badge = "place", ""
    if there == total:
        key, badge = "place-clears", "="
    elif there != FREE:
        wins = _wins(state, place, total)
        key, badge = ("place-wins", f"+{worth}") if wins else ("place-loses", f"−{worth}")
    words = say(key, sector=name, sum=total, points=worth)
    return Choice(_thing(state, name), name, words, True, Mark.CAN, badge)


def _die(state: State, chosen: tuple[int, ...], die: int) -> Choice:
    """A die to take into the cup, or out of it again."""
    back = die in chosen
    cup = tuple(one for one in DICE if (one in chosen) != (one == die))
    line = notate(Reroll(cup)) if cup else ""
    words = say("keep" if back else "throw", die=die, eyes=state.dice[die - 1])
    return Choice(f"die{die}", line, words, bool(cup), Mark.CHOSEN if back else Mark.CAN)


def known(state: State, viewer: Viewer) -> State:
    """Everything lies open."""
    return state


def view(state: State, viewer: Viewer) -> View:
    """What everybody sees."""
    return View(state.tie, state.rings, state.seat, state.dice, state.cup)


def final(state: State) -> dict[str, object]:
    """Sector and sum of every occupied field, by seat."""
    return {
        f"s{seat}": {
            sector.name: total for sector, total in zip(SECTORS, ring, strict=True) if total != FREE
        }
        for seat, ring in enumerate(state.rings, start=1)
    }


RULES = Rules(
    game="seasons",
    version=1,
    seats=range(2, 3),
    chance=True,
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
