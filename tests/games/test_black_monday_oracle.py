"""Black Monday against an oracle written naively from the text, and what always holds."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.black_monday.cards import DECK
from games.black_monday.state import State
from games.black_monday.v1 import RULES
from games.core import line
from games.core.rules import (
    BYSTANDER,
    OPEN,
    Chance,
    Dice,
    IllegalMove,
    Mark,
    Over,
    Shuffle,
    ToMove,
    complete,
)
from tests.games import walk
from tests.games.market import shuffled, start
from tests.games.monday_oracle import Oracle

randoms = st.integers(0, 2**32).map(Random)
seats = st.integers(2, 6)
options = st.fixed_dictionaries({one.name: st.sampled_from(one.words) for one in RULES.options})


def agree(state: State, oracle: Oracle) -> None:
    """The two say the same about a position."""
    assert RULES.final(state) == oracle.final()
    turn = RULES.turn(state)
    if oracle.over:
        assert turn == Over(oracle.over, tuple(oracle.standing()))
    elif oracle.waits == "prices":
        assert turn == Chance("pub", Dice((20,) * 4))
    elif oracle.waits:
        assert turn == Chance("hid", Shuffle(tuple(oracle.wanted())))
    else:
        assert turn == ToMove(oracle.seat)
    assert sorted(map(RULES.notate, RULES.legal_moves(state))) == sorted(oracle.legal())


def step(state: State, oracle: Oracle, random: Random) -> State:
    """One event on both: chance, a move, or rarely a seat that leaves."""
    turn = RULES.turn(state)
    if isinstance(turn, Chance):
        outcome = walk.drawn(turn.request, random)
        oracle.chance(outcome)
        return RULES.apply_chance(state, outcome)
    if len(oracle.order) > 2 and random.random() < 0.01:
        seat = random.choice(oracle.order)
        oracle.leave(seat)
        assert RULES.leave is not None
        return RULES.leave(state, seat)
    move = pick(oracle.legal(), random)
    oracle.play(move)
    return RULES.apply(state, RULES.parse(move))


def pick(legal: list[str], random: Random) -> str:
    """A move, each kind as likely as any other, for most of the moves are exchanges."""
    kinds = sorted({move.split()[0] for move in legal})
    kind = random.choice(kinds)
    return random.choice(sorted(move for move in legal if move.split()[0] == kind))


@settings(max_examples=30)
@given(seats, options, randoms)
def test_a_match_is_what_the_text_says(seats: int, options: dict[str, str], random: Random) -> None:
    state, oracle = RULES.setup(seats, complete(RULES, seats, options)), Oracle(seats, options)
    agree(state, oracle)
    for _ in range(400):
        if oracle.over:
            break
        state = step(state, oracle, random)
        agree(state, oracle)
        conserved(state)


def conserved(state: State) -> None:
    """No card is lost or made, nobody is in debt, nobody owns too much."""
    if not RULES.final(state):
        return
    cards = Counter((*state.talon, *state.discard, *(pile.card for pile in state.piles)))
    for holding in state.holdings:
        cards += Counter(holding.hand) + Counter(holding.shares)
        assert holding.money >= 0
        assert len(holding.hand) <= 8
    assert cards - Counter({"END": 1}) == Counter(DECK)
    assert cards["END"] == (state.bell.value == "inside")
    assert all(0 <= pile.price <= 13 for pile in state.piles)


@settings(max_examples=40)
@given(seats, options, randoms)
def test_choices_lead_to_all_legal_lines_and_to_no_other(
    seats: int, options: dict[str, str], random: Random
) -> None:
    """On lines of several moves: what can be sent is what can be played."""
    state = shuffled(RULES.setup(seats, complete(RULES, seats, options)), random)
    for _ in range(15):
        turn = RULES.turn(state)
        if not isinstance(turn, ToMove):
            break
        text = walked(RULES.known(state, turn.seat), turn.seat, random)
        played = line.play(RULES, state, turn.seat, text)
        assert played.rest == ""
        state = shuffled(played.state, random)


def walked(known: State, seat: int, random: Random) -> str:
    """A line made by choosing; at each step every choice says truly whether it can be sent."""
    text, sends = "", False
    while not sends or random.random() < 0.7:
        further = line.choices(RULES, known, seat, text)
        for choice in further:
            assert choice.sends == (
                choice.line != "" and line.sends(RULES, known, seat, choice.line)
            ), choice
        onward = [choice for choice in further if choice.mark is not Mark.CHOSEN]
        if not onward:
            break
        chosen = random.choice(onward)
        text, sends = chosen.line, chosen.sends
    return text


@settings(max_examples=40)
@given(seats, options, randoms)
def test_what_nobody_sees_makes_no_difference(
    seats: int, options: dict[str, str], random: Random
) -> None:
    """Two states that differ in unseen cards look, choose, preview and answer alike."""
    state = middle(seats, options, random)
    turn = RULES.turn(state)
    for viewer in (*range(1, seats + 1), BYSTANDER):
        other = changed(state, viewer, random)
        assert RULES.known(other, viewer) == RULES.known(state, viewer)
        assert RULES.view(other, viewer) == RULES.view(state, viewer)
        if turn == ToMove(viewer if isinstance(viewer, int) else 0):
            assert answers(other, random) == answers(state, random)


def middle(seats: int, options: dict[str, str], random: Random) -> State:
    """A position somewhere in a match."""
    state = shuffled(RULES.setup(seats, complete(RULES, seats, options)), random)
    for _ in range(random.randrange(40)):
        legal = list(map(RULES.notate, RULES.legal_moves(state)))
        if not legal:
            break
        after = shuffled(RULES.apply(state, RULES.parse(pick(legal, random))), random)
        state = state if after.end else after
    return state


def changed(state: State, viewer: object, random: Random) -> State:
    """The state with everything shuffled that the viewer has not seen."""
    others = [holding for seat, holding in enumerate(state.holdings, start=1) if seat != viewer]
    unseen = [card for holding in others for card in holding.hand]
    unseen += [card for card in state.talon if card != "END"]
    random.shuffle(unseen)
    holdings = tuple(
        holding
        if seat == viewer
        else holding._replace(hand=tuple(unseen.pop() for _ in holding.hand))
        for seat, holding in enumerate(state.holdings, start=1)
    )
    talon = unseen + ["END"] * ("END" in state.talon)
    random.shuffle(talon)
    return state._replace(holdings=holdings, talon=tuple(talon))


def answers(state: State, random: Random) -> list[object]:
    """What the mover is offered and told, and what some lines get, legal or not."""
    seat, known = state.seat, RULES.known(state, state.seat)
    legal = list(map(RULES.notate, RULES.legal_moves(known)))[::7]
    hopeless = [
        f"{word} {card}" for word in ("price", "crash", "buy", "sell") for card in DECK[::9]
    ]
    return [
        line.choices(RULES, known, seat, ""),
        *(line.choices(RULES, known, seat, move) for move in legal),
        *(RULES.view(line.preview(RULES, known, seat, move), seat) for move in legal),
        *(refusal(state, move) for move in (*legal, *hopeless, "pass", "end")),
    ]


def refusal(state: State, move: str) -> object:
    """Why the state refuses a move, or None."""
    try:
        RULES.apply(state, RULES.parse(move))
    except IllegalMove as error:
        return type(error), error.say
    return None


@settings(max_examples=40)
@given(seats, options, randoms)
def test_what_is_legal_for_the_knower_is_legal(
    seats: int, options: dict[str, str], random: Random
) -> None:
    state = middle(seats, options, random)
    known = RULES.known(state, state.seat)
    assert list(RULES.legal_moves(known)) == list(RULES.legal_moves(state))
    for move in RULES.legal_moves(known):
        assert RULES.turn(RULES.apply(known, move)) is not None
        RULES.apply(state, move)
    assert RULES.known(state, OPEN) == state


def test_the_knower_sees_the_match_end_when_the_talon_must_hold_the_end_card() -> None:
    state = shuffled(start(2), Random(1))._replace(talon=("END", "R1"))
    state = state._replace(bell=type(state.bell)("inside"))
    known = RULES.known(state, 1)
    move = RULES.parse(f"swap {' '.join(state.holdings[0].hand[:2])}")
    assert RULES.apply(known, move).end == RULES.apply(state, move).end == "closed"


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_matches_end(seats: int) -> None:
    for seed in range(4):
        random = Random(seed)
        state = shuffled(start(seats, pass_="no"), random)
        turns = 0
        while not state.end:
            legal = list(map(RULES.notate, RULES.legal_moves(state)))
            state = shuffled(RULES.apply(state, RULES.parse(pick(legal, random))), random)
            turns += 1
        assert state.end == "closed"
        assert turns < 800
