"""Random matches of any game in the registry, from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from games.core.rules import BadOptions, Chance, Dice, Option, Outcome, Request, ToMove, complete
from games.registry import AnyRules, AnyState


def settings(rules: AnyRules) -> Iterator[tuple[int, dict[str, str]]]:
    """Seats and options: all defaults for every number of seats, then each option's every value,
    for the fewest that it goes with."""
    yield from allowed(rules, {})
    for option in rules.options:
        for value in some(option):
            yield next(allowed(rules, {option.name: value}))


def allowed(rules: AnyRules, given: dict[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The numbers of seats that go with these options, with all options."""
    for seats in rules.seats:
        with suppress(BadOptions):
            yield seats, complete(rules, seats, given)


def some(option: Option) -> list[str]:
    """Every word of an option, and the ends of its range."""
    ends = [str(option.numbers[0]), str(option.numbers[-1])] if option.numbers else []
    return [*option.words, *ends]


def drawn(request: Request, random: Random) -> Outcome:
    """An outcome as it could come."""
    if isinstance(request, Dice):
        return tuple(random.randint(1, sides) for sides in request.sides)
    return tuple(random.sample(request.ids, len(request.ids)))


def states(rules: AnyRules, seats: int, options: dict[str, str], random: Random) -> Iterator[Any]:
    """The states of a random match, at most 200 of them."""
    state = rules.setup(seats, options)
    for _ in range(200):
        yield state
        turn = rules.turn(state)
        if isinstance(turn, Chance):
            state = rules.apply_chance(state, drawn(turn.request, random))
        elif isinstance(turn, ToMove):
            state = rules.apply(state, random.choice(list(rules.legal_moves(state))))
        else:
            return


def sample(rules: AnyRules, count: int = 3) -> Iterator[AnyState]:
    """States from matches under every setting, `count` from each, and each match's last."""
    for number, (seats, options) in enumerate(settings(rules)):
        random = Random(number)
        whole = list(states(rules, seats, options, random))
        yield from random.sample(whole, min(count, len(whole)))
        yield whole[-1]


def leaves(rules: AnyRules, state: AnyState) -> dict[str, bool]:
    """Every line of one move that `choices` leads to, with what it says about sending it."""
    found: dict[str, bool] = {}
    open_lines = [""]
    while open_lines:
        for choice in rules.choices(state, open_lines.pop()):
            if choice.line and choice.line not in found:
                found[choice.line] = choice.sends
                open_lines.append(choice.line)
            elif choice.line:
                found[choice.line] = found[choice.line] or choice.sends
    return found


def mutants(move: str, random: Random) -> Iterator[str]:
    """Texts that are nearly this move."""
    letters = "abcdefghABCRBPY0123456789-x:, "
    for _ in range(6):
        at = random.randrange(len(move))
        yield move[:at] + random.choice(letters) + move[at + 1 :]
        yield move[:at] + move[at + 1 :]
        yield move[:at] + random.choice(letters) + move[at:]
