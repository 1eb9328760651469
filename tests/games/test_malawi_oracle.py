"""Malawi against an oracle written naively from the text: random matches under all options."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.rules import Over, ToMove, complete
from games.malawi.v1 import RULES, State
from tests.games.boards import moves
from tests.games.malawi_oracle import Oracle, name

KINDS = list(
    product(
        ("survives", "uncapturable", "reach"),
        ("move", "state", "leave"),
        ("draw", "forbid", "off"),
    )
)
LONGEST = 80

options = st.fixed_dictionaries(
    {option.name: st.sampled_from(option.words) for option in RULES.options}
    | {"no-progress": st.sampled_from(("off", "20", "33", "100"))}
)


def agree(state: State, oracle: Oracle) -> list[str]:
    """The two say the same about a position: the legal moves, sorted."""
    mine = {
        (square, seat): strength
        for seat in (1, 2)
        for square, strength in _side(state, seat).items()
    }
    theirs = {(name(at), one.seat): one.strength for at, one in oracle.pieces.items()}
    assert mine == theirs
    assert RULES.turn(state) == _turn(oracle)
    assert state.quiet == oracle.dull
    legal = sorted(oracle.legal())
    assert sorted(moves(state)) == legal
    return legal


def _side(state: State, seat: int) -> dict[str, int]:
    side = RULES.final(state)[f"s{seat}"]
    assert isinstance(side, dict)
    return side


def _turn(oracle: Oracle) -> ToMove | Over:
    if oracle.result is None:
        return ToMove(oracle.seat)
    why, winner = oracle.result
    return Over(why, ((int(winner == 1),), (int(winner == 2),)))


def liked(random: Random, legal: list[str], before: str) -> str:
    """A move at random, with a liking for lines over distributions and for going back again."""
    back = f"{before[3:]}-{before[:2]}"
    if back in legal and random.random() < 0.4:
        return back
    lines = [move for move in legal if move[2] != ":"]
    return random.choice(lines if lines and random.random() < 0.7 else legal)


def match(given: dict[str, str], random: Random) -> str:
    """Plays a match on both; the reason of its end, "" if it was given up."""
    filled = complete(RULES, 2, given)
    state, oracle = RULES.setup(2, filled), Oracle.start(filled)
    played = [""] * 2
    while len(played) < LONGEST and oracle.result is None:
        move = liked(random, agree(state, oracle), played[-2])
        before = sum(_side(state, 1).values()), sum(_side(state, 2).values())
        state = RULES.apply(state, RULES.parse(move))
        oracle.play(move)
        played.append(move)
        after = sum(_side(state, 1).values()), sum(_side(state, 2).values())
        assert after[0] <= before[0]
        assert after[1] <= before[1]
    agree(state, oracle)
    return state.end


@pytest.mark.parametrize("size", ["6", "7", "8"])
def test_random_matches_agree_under_every_kind_of_options(size: str) -> None:
    ends = set()
    for number, (goal, reentry, repetition) in enumerate(KINDS):
        random = Random(number)
        chosen = {
            "board-size": size,
            "goal": goal,
            "reentry": reentry,
            "repetition": repetition,
            "max-strength": random.choice(("5", "6", "7", "none")),
            "no-progress": random.choice(("off", "20", "100")),
        }
        ends.add(match(chosen, random))
    assert ends >= {"goal", "repetition", "no-progress"}


@settings(max_examples=25)
@given(options, st.randoms(use_true_random=False))
def test_a_random_match_agrees(given: dict[str, str], random: Random) -> None:
    match(given, random)


def test_the_same_moves_lead_to_the_same_state() -> None:
    def play(seed: int) -> State:
        random, state = Random(seed), RULES.setup(2, complete(RULES, 2, {}))
        while not state.end:
            state = RULES.apply(state, random.choice(list(RULES.legal_moves(state))))
        return state

    for seed in range(10):
        one, other = play(seed), play(seed)
        assert one == other
        assert hash(one) == hash(other)
        assert RULES.final(one) == RULES.final(other)
