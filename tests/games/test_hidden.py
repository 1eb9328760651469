"""Two states that a seat cannot tell apart are one to it: what it sees and what it may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from games import registry
from games.core import line
from games.core.rules import (
    BYSTANDER,
    Chance,
    IllegalMove,
    RulesError,
    ToMove,
    Viewer,
)
from games.registry import AnyRules, AnyState
from tests.games import walk
from tests.games.script import admit_toys

Event = Any
"""An outcome of chance, or a move."""
LONGEST = 16
TRIES = 12


@pytest.mark.parametrize("game", [*registry.games(), "highest"])
def test_what_a_seat_cannot_see_changes_nothing_for_it(game: str) -> None:
    admit_toys()
    rules = registry.newest(game)
    hidden = found = 0
    for number, (seats, options) in enumerate(walk.settings(rules)):
        random = Random(number)
        events = list(match(rules, seats, options, random))
        hidden += any(chain == "hid" for chain, _ in events)
        for one, other in others(rules, seats, options, events, random):
            for viewer in (BYSTANDER, *range(1, seats + 1)):
                if rules.known(one, viewer) == rules.known(other, viewer):
                    found += 1
                    alike(rules, one, other, viewer, random)
    assert bool(found) is bool(hidden)


def alike(rules: AnyRules, one: AnyState, other: AnyState, viewer: Viewer, random: Random) -> None:
    """The viewer sees the same in both, and gets the same answer to whatever it tries."""
    assert rules.view(one, viewer) == rules.view(other, viewer)
    assert rules.turn(one) == rules.turn(other)
    if rules.turn(one) != ToMove(viewer):  # type: ignore[arg-type]
        return
    legal = [rules.notate(move) for move in rules.legal_moves(rules.known(one, viewer))]
    for text in (*legal, *walk.mutants(random.choice(legal), random)):
        assert answer(rules, one, viewer, text) == answer(rules, other, viewer, text), text


def answer(rules: AnyRules, state: AnyState, seat: Viewer, text: str) -> object:
    """How far a line is played, or the words against it."""
    assert isinstance(seat, int)
    try:
        return line.play(rules, state, seat, text)[1:]
    except RulesError as error:
        return error.say


def match(
    rules: AnyRules, seats: int, options: dict[str, str], random: Random
) -> Iterator[tuple[str, Event]]:
    """The first events of a random match, each with the chain it came from, "" for a move."""
    state = rules.setup(seats, options)
    for _ in range(random.randint(1, LONGEST)):
        turn = rules.turn(state)
        if isinstance(turn, Chance):
            out = walk.drawn(turn.request, random)
            yield turn.chain, out
            state = rules.apply_chance(state, out)
        elif isinstance(turn, ToMove):
            move = random.choice(list(rules.legal_moves(state)))
            yield "", move
            state = rules.apply(state, move)


def others(
    rules: AnyRules,
    seats: int,
    options: dict[str, str],
    events: Sequence[tuple[str, Event]],
    random: Random,
) -> Iterator[tuple[AnyState, AnyState]]:
    """The state after these events, and what it would be had two hidden cards lain otherwise."""
    state = replayed(rules, seats, options, [event for _, event in events])
    dealt = [place for place, (chain, _) in enumerate(events) if chain == "hid"]
    for _ in range(TRIES if dealt else 0):
        changed = [event for _, event in events]
        place = random.choice(dealt)
        changed[place] = swapped(changed[place], random)
        other = replayed(rules, seats, options, changed)
        if other is not None and other != state:
            yield state, other


def swapped(cards: tuple[str, ...], random: Random) -> tuple[str, ...]:
    one, other = random.sample(range(len(cards)), 2)
    pile = list(cards)
    pile[one], pile[other] = pile[other], pile[one]
    return tuple(pile)


def replayed(
    rules: AnyRules, seats: int, options: dict[str, str], events: Sequence[Event]
) -> AnyState | None:
    """The state after these events; None if they cannot come so."""
    state = rules.setup(seats, options)
    for event in events:
        turn = rules.turn(state)
        try:
            state = (rules.apply_chance if isinstance(turn, Chance) else rules.apply)(state, event)
        except IllegalMove:
            return None
    return state
