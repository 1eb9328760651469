"""The rules of Seasons of the Sun: worked examples by their ids, and the reasons against a move."""

from __future__ import annotations

from itertools import product

import pytest

from games.core import line
from games.core.rules import Chance, Dice, IllegalMove, MalformedMove, Over, ToMove, complete
from games.seasons.moves import Place, Reroll
from games.seasons.sectors import PLACES, SECTORS, points, winners
from games.seasons.v1 import RULES, State
from tests.games.sun import SAMPLE, after, laid, moves, place, sample, start, sums, thrown

ALL = Chance("pub", Dice((6, 6, 6)))
FULL = "max5:10 max8:10 max9:10 max10:10 max13:10 max15:10 min9:10 min10:10 min11:10 min13:10"
"""Ten fields; min17 is free."""


def refusal(state: State, move: str) -> str:
    """The key of the reason against a move."""
    with pytest.raises(IllegalMove) as error:
        after(state, move)
    return error.value.say.key


def split(first: set[str], tie: str = "draw") -> State:
    """A finished match in which seat 1 has won these sectors and seat 2 the others."""
    good = {sector.name: "18" if sector.highest else "3" for sector in SECTORS}
    outer = {name: sum_ if name in first else "10" for name, sum_ in good.items()}
    inner = {name: "10" if name in first else sum_ for name, sum_ in good.items()}
    one, two = (
        " ".join(f"{name}:{sum_}" for name, sum_ in ring.items()) for ring in (outer, inner)
    )
    state = place(one, two, tie=tie)
    return state._replace(seat=0, cup=())


def test_s_x1_final_scoring() -> None:
    state = split({"max8", "max15", "max5", "min11", "min17", "min10"})
    assert points(*state.rings) == (66, 54)
    assert RULES.turn(state) == Over("score", ((66,), (54,)))


@pytest.mark.parametrize("turn", range(len(SAMPLE)))
def test_s_x2_the_sample_game_of_the_author(turn: int) -> None:
    seat, roll, again, showed, total, sector, score, following = SAMPLE[turn]
    state = sample(turn)
    assert (RULES.turn(state), state.seat) == (ALL, seat)
    state = thrown(state, *roll)
    assert RULES.turn(state) == ToMove(seat)
    if again:
        state = after(state, f"reroll {again}")
        assert RULES.turn(state) == Chance("pub", Dice((6,) * len(showed)))
        state = thrown(state, *showed)
        assert RULES.turn(state) == ToMove(seat)
    assert sum(state.dice) == total
    state = after(state, sector)
    assert points(*state.rings) == score
    assert (RULES.turn(state), state.seat) == (ALL, following)


def test_s_x2_a_sector_is_cleared_and_filled_again() -> None:
    assert "max13" in sums(sample(8), 1)
    assert "max13" not in {**sums(sample(9), 1), **sums(sample(9), 2)}
    assert sums(sample(10), 1)["max13"] == 16


def test_s_x2_the_fields_after_eleven_turns() -> None:
    state = sample()
    assert sums(state, 1) == {"max5": 11, "max8": 12, "max9": 13, "max13": 16}
    assert sums(state, 2) == {"min11": 6, "min10": 6, "max8": 13, "min13": 5, "min9": 7}


def test_s_x3_completed_but_lost() -> None:
    state = laid(place("max15:16", "", seat=2), 11, "max15")
    assert points(*state.rings) == (15, 0)
    assert state.seat == 1
    state = laid(place("min17:6", "", seat=2), 5, "min17")
    assert points(*state.rings) == (0, 17)
    assert state.seat == 2


@pytest.mark.parametrize(
    ("tie", "standing"),
    [("draw", ((60,), (60,))), ("sectors", ((60, 6), (60, 5)))],
)
def test_s_x5_tie(tie: str, standing: tuple[tuple[int, ...], ...]) -> None:
    state = split({sector.name for sector in SECTORS if sector.highest}, tie)
    assert RULES.turn(state) == Over("score", standing)


def test_s_1_eleven_sectors_are_worth_120() -> None:
    by_half = {
        half: sorted(sector.points for sector in SECTORS if sector.highest is half)
        for half in (True, False)
    }
    assert by_half == {True: [5, 8, 9, 10, 13, 15], False: [9, 10, 11, 13, 17]}


def test_48_of_all_divisions_are_level_and_some_scores_cannot_come() -> None:
    scores = [
        sum(sector.points for sector, mine in zip(SECTORS, split, strict=True) if mine)
        for split in product((True, False), repeat=11)
    ]
    assert scores.count(60) == 48
    low = {1, 2, 3, 4, 6, 7, 12}
    assert set(range(121)) - set(scores) == low | {120 - score for score in low}


def test_s_2_the_starter_has_the_outer_ring() -> None:
    state = laid(start(), 11, "max5")
    assert sums(state, 1) == {"max5": 11}
    assert (RULES.turn(start()), start().seat) == (ALL, 1)


def test_s_10_any_dice_are_thrown_once_more_and_only_once() -> None:
    state = thrown(start(), 2, 3, 6)
    rerolls = [move for move in moves(state) if move.startswith("reroll")]
    assert rerolls == [f"reroll {dice}" for dice in ("1", "2", "3", "1,2", "1,3", "2,3", "1,2,3")]
    state = after(state, "reroll 1,2")
    assert RULES.turn(state) == Chance("pub", Dice((6, 6)))
    state = thrown(state, 5, 4)
    assert state.dice == (5, 4, 6)
    assert refusal(state, "reroll 3") == "rerolled"
    assert not [move for move in moves(state) if move.startswith("reroll")]


def test_s_10_a_line_ends_with_the_reroll_and_the_rest_comes_back() -> None:
    played = line.play(RULES, thrown(start(), 2, 3, 6), 1, "reroll 1,2; max15")
    assert (played.line, played.rest) == ("reroll 1,2", "max15")


def test_s_q9_an_extra_turn_has_a_reroll_of_its_own() -> None:
    state = thrown(place("", "max5:4"), 6, 6, 6)
    state = thrown(after(state, "reroll 1"), 5)
    state = thrown(after(state, "max5"), 1, 1, 1)
    assert state.seat == 1
    assert after(state, "reroll 2").cup == (2,)


def test_s_11_the_sum_goes_on_any_free_field_of_the_own_ring() -> None:
    state = thrown(sample(), 5, 5, 6)
    free = [move for move in moves(state) if not move.startswith("reroll")]
    assert free == ["max10", "max15", "min9", "min11", "min17", "min13", "min10"]
    assert refusal(state, "max9") == "taken"


def test_s_13_equal_sums_make_both_fields_free() -> None:
    state = laid(place("max9:12 min9:8", "max15:12"), 12, "max15")
    assert sums(state, 1) == {"max9": 12, "min9": 8}
    assert sums(state, 2) == {}
    assert state.seat == 2


@pytest.mark.parametrize(
    ("sector", "total", "wins"),
    [("max9", 13, True), ("max9", 11, False), ("min9", 11, True), ("min9", 13, False)],
)
def test_s_14_and_s_20_who_wins_by_completing_moves_again(
    sector: str, total: int, wins: bool
) -> None:
    for seat in (1, 2):
        rings = ("", f"{sector}:12") if seat == 1 else (f"{sector}:12", "")
        state = laid(place(*rings, seat=seat), total, sector)
        owner = winners(*state.rings)[PLACES[sector]]
        assert owner == (seat if wins else 3 - seat)
        assert state.seat == owner


def test_s_q5_a_win_with_the_last_field_passes_the_turn() -> None:
    state = laid(place(FULL, "min17:12"), 5, "min17")
    assert points(*state.rings)[0] == 17
    assert state.seat == 2


def test_s_21_a_full_ring_sits_out_until_the_other_is_full() -> None:
    state = place(f"{FULL} min17:4", "min17:12", seat=2)
    state = laid(state, 9, "max5")
    assert (state.seat, state.rings[0].count(0)) == (2, 0)
    state = laid(state, 12, "max8")
    assert state.seat == 2


def test_s_q6_a_full_ring_plays_again_when_a_field_is_freed() -> None:
    state = place(f"{FULL} min17:4", "min17:12", seat=2)
    state = laid(state, 10, "max5")
    assert state.seat == 1
    assert moves(thrown(state, 1, 1, 1))[0] == "max5"


def test_s_21_the_match_is_over_when_both_rings_are_full() -> None:
    state = laid(place(f"{FULL} min17:4", FULL.replace(":10", ":11"), seat=2), 5, "min17")
    assert RULES.turn(state) == Over("score", ((60,), (60,)))
    assert moves(state) == []
    assert refusal(state, "max5") == "over"
    assert refusal(state, "reroll 1") == "over"


def test_nothing_is_played_while_the_dice_are_in_the_cup() -> None:
    assert moves(start()) == []
    assert refusal(start(), "max5") == "in-the-cup"
    assert refusal(after(thrown(start(), 1, 2, 3), "reroll 1"), "reroll 2") == "in-the-cup"


def test_the_final_state_has_only_what_lies() -> None:
    assert RULES.final(start()) == {"s1": {}, "s2": {}}
    assert RULES.final(laid(start(), 11, "max5")) == {"s1": {"max5": 11}, "s2": {}}


def test_options_have_defaults_and_no_other_values() -> None:
    assert complete(RULES, 2, {}) == {"tie": "draw"}
    assert [option.words for option in RULES.options] == [("draw", "sectors")]
    assert list(RULES.seats) == [2]
    assert RULES.leave is None


@pytest.mark.parametrize("move", [Place("max15"), Place("min9"), Reroll((2,)), Reroll((1, 2, 3))])
def test_notation_comes_back(move: Place | Reroll) -> None:
    assert RULES.parse(RULES.notate(move)) == move


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("max7", "malformed"),
        ("Max15", "malformed"),
        ("max-15", "malformed"),
        ("max15 ", "malformed"),
        ("min17\n", "malformed"),
        ("reroll", "malformed"),
        ("reroll ", "malformed"),
        ("reroll 4", "malformed"),
        ("reroll 1, 2", "malformed"),
        ("reroll 1,2,", "malformed"),
        ("reroll  1", "malformed"),
        ("reroll ١", "malformed"),
        ("reroll 1\n", "malformed"),
        ("reroll 3,1", "dice-order"),
        ("reroll 1,1", "dice-order"),
        ("", "malformed"),
    ],
)
def test_only_the_stored_spelling_is_notation(text: str, key: str) -> None:
    with pytest.raises(MalformedMove) as error:
        RULES.parse(text)
    assert error.value.say.key == key


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("max15", "max15"),
        ("Max-15", "max15"),
        ("MAX 15", "max15"),
        (" max – 15 ", "max15"),
        ("Min−9", "min9"),
        ("reroll 1,3", "reroll 1,3"),
        ("Reroll 3,1", "reroll 1,3"),
        ("re-roll 1 3", "reroll 1,3"),
        ("neu 2", "reroll 2"),
        ("NEU 3 + 1", "reroll 1,3"),
        ("neu 123", "reroll 1,2,3"),
        ("neu1,2", "reroll 1,2"),
    ],
)
def test_people_may_type_generously(typed: str, stored: str) -> None:
    assert RULES.read(typed) == stored
    assert RULES.read(stored) == stored


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("max7", "no-sector"),
        ("min 15", "no-sector"),
        ("neu 1,1", "die-twice"),
        ("neu", "malformed"),
        ("neu 4", "malformed"),
        ("15", "malformed"),
        ("kaufe max15", "malformed"),
        ("max15 max13", "malformed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(typed: str, key: str) -> None:
    with pytest.raises(MalformedMove) as error:
        RULES.read(typed)
    assert error.value.say.key == key
