"""Seasons of the Sun against an oracle written naively from the text, and what always holds."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import line
from games.core.rules import BYSTANDER, Chance, Choice, Dice, IllegalMove, Mark, Over, ToMove
from games.seasons.sectors import FREE, points
from games.seasons.v1 import RULES, State
from tests.games.seasons_oracle import MASKS, SECTORS, Oracle
from tests.games.sun import moves, start, sums

randoms = st.randoms(use_true_random=False)
ties = st.sampled_from(("draw", "sectors"))


def agree(state: State, oracle: Oracle, tie: str) -> None:
    """The two say the same about a position."""
    for seat in (1, 2):
        theirs = {sector: sum_ for (owner, sector), sum_ in oracle.stones.items() if owner == seat}
        assert sums(state, seat) == theirs
    assert sorted(moves(state)) == sorted(oracle.legal())
    if oracle.over:
        standing = tuple(oracle.score(seat)[: 1 + (tie == "sectors")] for seat in (1, 2))
        assert RULES.turn(state) == Over("score", standing)
    elif oracle.asked():
        assert RULES.turn(state) == Chance("pub", Dice((6,) * oracle.asked()))
    else:
        assert RULES.turn(state) == ToMove(oracle.seat)
        assert list(state.dice) == oracle.dice


def step(state: State, oracle: Oracle, random: Random, kind: float) -> State:
    """One event on both: dice, or a move; `kind` says how willingly sectors are cleared."""
    if oracle.asked():
        eyes = [random.randint(1, 6) for _ in range(oracle.asked())]
        oracle.roll(eyes)
        return RULES.apply_chance(state, tuple(eyes))
    legal, other = oracle.legal(), 3 - oracle.seat
    equal = [move for move in legal if oracle.stones.get((other, move)) == sum(oracle.dice)]
    move = random.choice(equal if equal and random.random() < kind else legal)
    oracle.play(move)
    return RULES.apply(state, RULES.parse(move))


def match(tie: str, random: Random, kind: float = 0.5) -> tuple[State, Oracle]:
    """A match on both, to its end."""
    state, oracle = start(tie), Oracle()
    agree(state, oracle, tie)
    while not oracle.over:
        state = step(state, oracle, random, kind)
        agree(state, oracle, tie)
    return state, oracle


def some(tie: str, random: Random, events: int) -> State:
    """A position of a random match after so many events, or before its end."""
    state, oracle = start(tie), Oracle()
    for _ in range(events):
        following = step(state, oracle, random, 0.5)
        if oracle.over:
            break
        state = following
    return state


positions = st.builds(some, ties, randoms, st.integers(0, 80))


def test_many_random_matches_agree_and_all_end() -> None:
    cleared = 0
    for seed in range(200):
        state, oracle = match(("draw", "sectors")[seed % 2], Random(seed), 0.9)
        assert oracle.placed == 22 + 2 * oracle.neutralised
        assert sum(points(*state.rings)) == 120
        cleared += oracle.neutralised
    assert cleared > 50


@given(positions)
def test_sums_are_of_three_dice_and_fields_in_a_sector_differ(state: State) -> None:
    for outer, inner in zip(*state.rings, strict=True):
        assert {outer, inner} <= {FREE, *range(3, 19)}
        assert outer != inner or outer == FREE


@given(positions)
def test_legal_moves_are_what_apply_allows(state: State) -> None:
    legal = set(moves(state))
    for text in [*SECTORS, *MASKS]:
        try:
            RULES.apply(state, RULES.parse(text))
            allowed = True
        except IllegalMove:
            allowed = False
        assert allowed is (text in legal)


@given(positions)
def test_notation_comes_back_and_is_read(state: State) -> None:
    for move in RULES.legal_moves(state):
        text = RULES.notate(move)
        assert RULES.parse(text) == move
        assert RULES.read(text) == text


@given(positions)
def test_choices_lead_to_each_legal_turn_and_to_nothing_else(state: State) -> None:
    turn = RULES.turn(state)
    if not isinstance(turn, ToMove):
        assert RULES.choices(state, "") == ()
        return
    found, open_lines = set(), [""]
    seen = {""}
    while open_lines:
        for choice in line.choices(RULES, state, turn.seat, open_lines.pop()):
            assert choice.sends is line.sends(RULES, state, turn.seat, choice.line)
            found |= {choice.line} if choice.sends else set()
            if choice.line not in seen:
                seen.add(choice.line)
                open_lines.append(choice.line)
    assert found == set(moves(state))
    assert seen == found | {""}


@given(positions)
def test_what_is_chosen_can_be_taken_back(state: State) -> None:
    turn = RULES.turn(state)
    if not isinstance(turn, ToMove):
        return
    for text in moves(state):
        back = _chosen(line.choices(RULES, state, turn.seat, text))
        assert len(back) == (text.count(",") + 1 if text.startswith("reroll") else 1)
        while text:
            back = _chosen(line.choices(RULES, state, turn.seat, text))
            assert len(back[0].line) < len(text)
            text = back[0].line


def _chosen(choices: tuple[Choice, ...]) -> list[Choice]:
    return [choice for choice in choices if choice.mark is Mark.CHOSEN]


@given(positions)
def test_everybody_knows_everything(state: State) -> None:
    for viewer in (1, 2, BYSTANDER):
        assert RULES.known(state, viewer) == state
        assert RULES.view(state, viewer) == RULES.view(state, 1)


@given(positions)
def test_a_refused_move_leaves_no_choice(state: State) -> None:
    turn = RULES.turn(state)
    if not isinstance(turn, ToMove):
        return
    legal = moves(state)
    for text in [sector for sector in SECTORS if sector not in legal]:
        with pytest.raises(IllegalMove):
            line.choices(RULES, state, turn.seat, text)


def test_the_same_moves_lead_to_the_same_state() -> None:
    for seed in range(10):
        one, other = (match("draw", Random(seed))[0] for _ in range(2))
        assert one == other
        assert hash(one) == hash(other)
