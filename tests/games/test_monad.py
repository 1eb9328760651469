"""Monad: its worked examples and its rules, by the ids of rules.md, part 1."""

from __future__ import annotations

import pytest

from games.core import line
from games.core.rules import (
    BadOptions,
    Chance,
    Dice,
    IllegalMove,
    MalformedMove,
    NotHeld,
    Over,
    RulesError,
    Shuffle,
    ToMove,
)
from games.monad.state import State
from games.monad.v1 import RULES, leave
from tests.games.ladder import (
    GROUPS,
    after,
    dealt,
    every_card,
    group,
    hand,
    legal,
    monads,
    place,
    start,
    whole,
)

REST = "A3 a3 b3 C3 A7 a7 B7 b7 C7 c7 A16 a16 B16 C16 B36 c36 A1 A1 a1 B1 b1 b1 C1 c1 c1"
LADDER = ("C3 a3 B3 c3 A3 b3", "b7 A7 c7 B7 a7 C7", "c16 b16", "c36 A36")


def refused(state: State, move: str) -> str:
    """The key of the reason against a move."""
    with pytest.raises(RulesError) as error:
        RULES.apply(state, RULES.parse(move))
    return error.value.say.key


def fits(state: State, move: str) -> bool:
    try:
        RULES.apply(state, RULES.parse(move))
    except IllegalMove:
        return False
    return True


def chain(**options: str) -> State:
    """The position of the first example."""
    return place(
        "A36 a36 B1",
        REST,
        groups=("B3 c3", "", "c16 b16", "C36 b36"),
        stock="a1 C1",
        monads=(2, 0),
        **options,
    )


def test_m_x1_a_bonus_over_an_empty_group() -> None:
    state = after(chain(), "pair A36 a36; bonus 80")
    assert monads(state) == 3
    assert hand(state) == "B1 B3 C36 a1 c16"
    assert state.deeds[1].cards == ("C36", "c16", "B3", "a1")
    assert (group(state, 36), group(state, 16)) == ("b36 A36 a36", "b16")
    assert (group(state, 7), group(state, 3), state.stock) == ("", "c3", ("C1",))


@pytest.mark.parametrize(
    "options", [{"bonus_chain": "break"}, {"edition": "monad-german"}, {"edition": "million"}]
)
def test_m_x1_an_empty_group_ends_the_german_bonus(options: dict[str, str]) -> None:
    state = after(chain(**options), "pair A36 a36; bonus 80")
    assert (monads(state), hand(state)) == (3, "B1 C36 c16")
    assert (group(state, 3), state.stock) == ("B3 c3", ("a1", "C1"))


def joker(stamm: str) -> State:
    groups = ("B3", "B7", "B16", "C36 c36 B36")
    return place("A3 b36 a16", "B1", groups=groups, stamm=f"{stamm}c")


def test_m_x2_a_joker_counts_as_its_partner() -> None:
    state = after(joker("A"), "pair A3 b36")
    assert (monads(state), hand(state)) == (1, "a16")
    assert (group(state, 3), group(state, 36)) == ("B3 A3", "C36 c36 B36 b36")
    assert refused(state, "bonus 80") == "no-bonus"


def test_m_x2_a_joker_of_bonus_colours_brings_no_bonus() -> None:
    state = after(joker("A"), "pair A3 a16")
    assert hand(state) == "C36 b36"
    assert refused(state, "bonus 36") == "no-bonus"
    assert legal(state, "bonus") == []


def test_m_x2_without_the_stamm_colour_it_is_no_joker() -> None:
    assert legal(joker("B"), "pair") == []
    assert refused(joker("B"), "pair A3 b36") == "unequal"
    assert refused(joker("B"), "pair A3 a16") == "unequal"


@pytest.mark.parametrize(
    ("cards", "level", "enough"),
    [
        ("A16 B16", "36", False),
        ("A16 B16 a3 b1", "36", True),
        ("A36 a36 C7", "monad", False),
        ("A36 a36 C7 c1", "monad", True),
        ("A36 a36 B16", "monad", True),
        ("A7 b7 c1", "16", False),
        ("A7 b7 c1 C1", "16", True),
        ("A7 b1", "7", False),
    ],
)
def test_m_x3_what_is_enough_for_a_sum(cards: str, level: str, enough: bool) -> None:
    state = place(cards, groups=("B3", "C7", "C16", "C36"))
    assert fits(state, f"sum {cards} > {level}") is enough


def test_m_x3_nothing_is_lower_than_itself() -> None:
    assert refused(place("A7 b1"), "sum A7 b1 > 7") == "not-lower"
    assert refused(place("A36 B36 C36"), "sum A36 B36 C36 > 36") == "not-lower"


def test_m_x4_a_first_turn_with_a_rainbow_hand() -> None:
    state = place("A1 B1 C1 a1 b1 c1", groups=LADDER)
    assert refused(state, "leap B1 C1 b1 c1") == "leap-first"
    state = after(state, "pair A1 a1")
    assert hand(state) == "B1 C1 C3 b1 c1"
    state = after(state, "bonus 3")
    assert hand(state) == "B1 C1 C3 b1 c1"
    state = after(state, "leap B1 C1 b1 c1; end")
    assert hand(state) == "C3 b7"
    assert " ".join(state.discard) == "A1 a1 B1 C1 b1 c1"
    assert refused(state, "draw") == "no-stock"
    state = after(state, "flip")
    assert (" ".join(state.stock), state.discard) == ("A1 a1 B1 C1 b1 c1", ())
    assert after(state, "draw").stock[0] == "a1"


def test_m_x6_a_seat_that_can_do_nothing_shows_its_hand() -> None:
    state = place("A1 B1", "C1 C1 c1 c1")
    assert legal(state) == ["pass"]
    passed = after(state, "pass")
    assert passed.players[0].secret == ()
    assert RULES.view(passed, 2).holder(1).hand == ("A1", "B1")
    assert passed.lately[0].cards == ("A1", "B1")
    assert refused(state, "end") == "nothing-done"


def test_m_x6_a_pair_must_be_played_where_there_is_something_to_get() -> None:
    assert refused(place("A1 b1", "C1"), "pass") == "can-exchange"
    assert legal(place("A1 b1", "C1", groups=("", *GROUPS[1:]))) == ["pass"]


def test_m_10_the_ones_are_dealt_round_the_table() -> None:
    state = start(3)
    ones = tuple(f"{colour}1" for colour in "ABCabc" for _ in range(3))
    assert RULES.turn(state) == Chance("hid", Shuffle(ones))
    state = RULES.apply_chance(state, ones)
    assert [hand(state, seat) for seat in (1, 2, 3)] == ["A1 B1 C1 a1 b1 c1"] * 3
    assert (state.stock, state.discard) == ((), ())


@pytest.mark.parametrize(
    ("seats", "asked", "eyes", "colours"),
    [
        (3, (2,), 1, "ABC"),
        (3, (2,), 2, "abc"),
        (4, (3,), 1, "BCbc"),
        (4, (3,), 2, "ACac"),
        (4, (3,), 3, "ABab"),
    ],
)
def test_m_11_which_stamm_cards_are_in_play(
    seats: int, asked: tuple[int, ...], eyes: int, colours: str
) -> None:
    state = RULES.apply_chance(start(seats), whole_ones(seats))
    assert RULES.turn(state) == Chance("pub", Dice(asked))
    state = RULES.apply_chance(state, (eyes,))
    assert RULES.turn(state) == Chance("pub", Shuffle(tuple(colours)))
    state = RULES.apply_chance(state, tuple(reversed(colours)))
    assert "".join(player.stamm for player in state.players) == colours[::-1][:seats]


def whole_ones(seats: int) -> tuple[str, ...]:
    return tuple(f"{colour}1" for colour in "ABCabc" for _ in range(seats))


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {"stamm_deal": "all-six"}), (4, {"edition": "million"})],
)
def test_m_11_or_all_six_are(seats: int, options: dict[str, str]) -> None:
    state = RULES.apply_chance(start(seats, **options), whole_ones(seats))
    assert RULES.turn(state) == Chance("pub", Shuffle(tuple("ABCabc")))


def test_m_12_groups_are_shuffled_from_the_lowest_on() -> None:
    state = RULES.apply_chance(start(), whole_ones(2))
    state = RULES.apply_chance(state, tuple("cabABC"))
    for value in (3, 7, 16, 36):
        ids = tuple(f"{colour}{value}" for colour in "ABCabc")
        assert RULES.turn(state) == Chance("pub", Shuffle(ids))
        assert RULES.final(state) == {}
        state = RULES.apply_chance(state, ids[::-1])
    assert RULES.turn(state) == ToMove(1)
    assert group(state, 16) == "c16 b16 a16 C16 B16 A16"


@pytest.mark.parametrize(("seats", "target"), [(2, 5), (3, 4), (4, 3)])
def test_m_20_how_many_monads_win(seats: int, target: int) -> None:
    assert start(seats).terms.target == target
    state = place(*["A36 a36 b36 B36"] * seats, monads=(target - 1,) + (1,) * 3)
    won = after(state, "pair A36 a36")
    assert RULES.turn(won) == Over("monads", ((target,), *((1,),) * (seats - 1)))
    assert refused(won, "pair B36 b36") == "over"


def test_m_q27_a_win_cuts_the_turn_short() -> None:
    state = place("A36 a36 A1 a1", "b1", monads=(4, 0))
    played = line.play(RULES, state, 1, "pair A36 a36; bonus 80; end")
    assert (played.line, played.rest) == ("pair A36 a36", "bonus 80; end")


def test_m_21_a_team_counts_together() -> None:
    state = place("A36 a36", "A1", "B1", "C1", team="yes", monads=(1, 2, 3, 0))
    assert RULES.sides(state) == ((1, 3), (2, 4))
    assert state.terms.target == 5
    assert RULES.turn(after(state, "pair A36 a36")) == Over("monads", ((5,), (2,), (5,), (2,)))


@pytest.mark.parametrize("seats", [2, 3])
def test_m_21_teams_are_of_four(seats: int) -> None:
    with pytest.raises(BadOptions) as error:
        start(seats, team="yes")
    assert error.value.say.key == "team-of-four"


def test_m_30_a_card_is_drawn_and_the_turn_is_over() -> None:
    state = after(place("B1", "b1", stock="a1 C1"), "draw")
    assert (hand(state), state.stock, state.seat) == ("B1 a1", ("C1",), 2)


def test_m_31_the_discard_is_turned_over_only_when_the_stock_is_empty() -> None:
    assert refused(place("B1", stock="a1", discard="C1"), "flip") == "stock-left"
    assert refused(place("B1"), "flip") == "no-discard"
    state = after(place("B1", "b1", discard="C1 a1 b1"), "flip")
    assert (state.stock, state.discard, hand(state), state.seat) == (
        ("C1", "a1", "b1"),
        (),
        "B1",
        2,
    )


def test_m_33_drawing_and_exchanging_do_not_go_together() -> None:
    state = after(place("A1 b1 C1", stock="a1"), "pair A1 b1")
    for move in ("draw", "flip", "pass"):
        assert refused(state, move) == "exchanging"
    empty = after(place("A1 b1 C1", discard="a1"), "pair A1 b1")
    assert refused(empty, "flip") == "exchanging"


def test_m_34_who_can_draw_or_turn_over_does_not_pass() -> None:
    assert refused(place("A1", stock="a1"), "pass") == "can-draw"
    assert refused(place("A1", discard="a1"), "pass") == "can-flip"
    assert refused(place("A1 B1 C1"), "pass") == "can-exchange"


def test_m_35_the_match_ends_when_all_have_passed() -> None:
    state = place("A1", "B1", "C1", monads=(1, 3, 1))
    state = after(after(state, "pass"), "pass")
    assert state.passes == 2
    assert RULES.turn(after(state, "pass")) == Over("passed", ((1,), (3,), (1,)))


def test_m_35_other_turns_break_the_chain() -> None:
    state = after(after(place("A1", "B1", "C1 c1 b1 A1"), "pass"), "pass")
    assert after(state, "pair A1 c1; end").passes == 0


def test_m_35_free_passes_count_twice() -> None:
    state = place("A1 A1 A1", "B1", stock="a1", pass_="free")
    for passes in (1, 2, 3):
        state = after(state, "pass")
        assert (state.passes, state.end) == (passes, "")
    assert after(state, "pass").end == "passed"


def test_m_q24_a_free_pass_shows_nothing() -> None:
    state = after(place("A1", "B1", pass_="free"), "pass")
    assert (state.players[0].secret, state.lately[0].cards) == (("A1",), ())


def test_m_q25_a_hand_need_not_be_shown() -> None:
    state = after(place("A1", "B1", "c1", stuck_reveal="no"), "pass")
    assert RULES.view(state, 2).holder(1).hand == ("?",)
    assert refused(place("A1 b1", "C1", stuck_reveal="no"), "pass") == "can-exchange"


def test_m_41_cards_go_back_in_the_order_named() -> None:
    state = after(place("A7 b7 C1 c1 B7", groups=("", "a7", "C16", "")), "sum b7 c1 A7 C1 > 16")
    assert group(state, 7) == "a7 b7 A7"
    assert state.discard == ("c1", "C1")
    assert hand(state) == "B7 C16"


def test_m_42_a_group_must_have_a_card_before_the_payment() -> None:
    empty = place("A1 b1 B1", groups=("", "C7", "", ""))
    assert refused(empty, "pair A1 b1") == "empty"
    assert refused(empty, "sum A1 B1 b1 > 3") == "empty"


def test_m_q20_a_joker_cannot_buy_itself() -> None:
    state = place("A7 b3 a1", "", groups=("C3", "", "C16", "C36"), stamm="Ab")
    assert refused(state, "pair A7 b3") == "empty"


def test_m_50_ones_may_be_paid_too_and_the_joker_is_none() -> None:
    state = place("A3 B3 c1 b1", groups=("C3", "C7", "C16", "C36"), stamm="Ab")
    assert after(state, "sum A3 B3 c1 > 7").discard == ("c1",)
    assert refused(state, "sum A3 c1 > 7") == "too-little"


@pytest.mark.parametrize(
    ("pair", "gained"),
    [("A1 b1", "C3"), ("b3 A3", "b7"), ("A7 c7", "c16"), ("B16 c16", "c36"), ("a36 B36", "monad")],
)
def test_m_60_a_pair_climbs_by_one(pair: str, gained: str) -> None:
    state = after(place(pair), f"pair {pair}")
    assert state.deeds[0].cards == (gained,)


def test_m_60_a_pair_is_warm_and_cool() -> None:
    assert refused(place("A1 B1"), "pair A1 B1") == "same-warmth"
    assert refused(place("a3 b7", stamm="ab"), "pair a3 b7") == "same-warmth"


@pytest.mark.parametrize(
    ("stamm", "cards", "gained"),
    [("A", "A7 b1", "C3"), ("A", "b1 A7", "C3"), ("b", "A36 b3", "monad"), ("b", "A3 b36", "b7")],
)
def test_m_q18_a_joker_may_count_as_any_other_value(stamm: str, cards: str, gained: str) -> None:
    state = after(place(cards, "", stamm=f"{stamm}c"), f"pair {cards}")
    assert state.deeds[0].cards == (gained,)


def test_m_q19_a_one_is_no_joker() -> None:
    assert refused(place("A1 b36", "", stamm="Ac"), "pair A1 b36") == "unequal"


def test_m_q21_a_stamm_card_at_its_own_value_entitles_to_a_bonus() -> None:
    state = after(place("A7 a7", "", stamm="Ac"), "pair A7 a7")
    assert legal(state, "bonus") == ["bonus 16"]


def test_m_71_there_is_one_bonus_in_a_turn() -> None:
    state = place("A1 a1 B3 b3 C1", "", stock="c1 C1")
    state = after(state, "pair A1 a1; pair B3 b3")
    assert legal(state, "bonus") == ["bonus 3", "bonus 7"]
    assert refused(state, "bonus 16") == "no-bonus"
    state = after(state, "bonus 7")
    assert refused(state, "bonus 3") == "bonus-taken"
    assert refused(after(state, "end"), "bonus 3") == "no-bonus"


def test_m_q8_a_bonus_may_have_to_follow_its_pair_at_once() -> None:
    state = place("A1 a1 B1 c1", "", stock="c1", bonus_timing="immediate")
    assert legal(after(state, "pair A1 a1"), "bonus") == ["bonus 3"]
    late = after(state, "pair A1 a1; pair B1 c1")
    assert refused(late, "bonus 3") == "no-bonus"
    anytime = place("A1 a1 B1 c1", "", stock="c1")
    assert hand(after(anytime, "pair A1 a1; pair B1 c1; bonus 3")) == "C3 a3 c1"


def test_m_q12_an_empty_stock_brings_nothing() -> None:
    state = after(place("A1 a1", "", discard="c1"), "pair A1 a1; bonus 3")
    assert (hand(state), state.discard) == ("C3", ("c1", "A1", "a1"))


def test_m_q13_a_bonus_can_bring_back_what_was_paid() -> None:
    state = place("A7 a7", "", groups=("B3", "", "C16", "C36"))
    assert hand(after(state, "pair A7 a7; bonus 16")) == "A7 B3 C16"


def test_m_q15_every_card_may_have_to_be_needed() -> None:
    tight = place("A7 B7 C7 c1 b1 a1", "", groups=("", "", "C16", ""), overpay="tight")
    assert refused(tight, "sum A7 B7 C7 c1 > 16") == "superfluous"
    assert fits(tight, "sum A7 B7 C7 > 16")
    assert fits(tight, "sum A7 B7 c1 b1 > 16")
    assert refused(tight, "sum A7 B7 c1 b1 a1 > 16") == "superfluous"
    assert fits(place("A7 B7 C7 c1"), "sum A7 B7 C7 c1 > 16")


@pytest.mark.parametrize(("count", "level"), [(4, "b7"), (5, "c16"), (6, "c36")])
def test_m_80_so_many_ones_leap_so_far(count: int, level: str) -> None:
    ones = " ".join(["A1", "B1", "C1", "a1", "b1", "c1"][:count])
    state = after(place(f"{ones} A3 b3", ""), f"pair A3 b3; leap {ones}")
    assert state.deeds[1].cards == (level if count > 4 else "A7",)


def test_m_80_the_ones_differ_in_colour() -> None:
    state = after(place("A1 A1 B1 C1 c1 b1 A3", ""), "pair A1 b1")
    assert refused(state, "leap A1 A3 B1 C1") == "not-different"
    state = after(place("A1 A1 A1 B1 C1 c1 b1", ""), "pair A1 b1")
    assert refused(state, "leap A1 A1 B1 C1") == "not-different"


def test_m_q22_leaps_may_be_limited_to_one() -> None:
    cards = "A1 A1 B1 B1 C1 C1 c1 c1 A3 b3"
    text = "pair A3 b3; leap A1 B1 C1 c1"
    assert fits(after(place(cards, ""), text), "leap A1 B1 C1 c1")
    once = after(place(cards, "", leap_limit="once"), text)
    assert refused(once, "leap A1 B1 C1 c1") == "leapt"


def test_m_q7_the_discard_may_be_shuffled() -> None:
    state = after(place("A1", "B1", discard="C1 A1 a1", flip="shuffle"), "flip")
    assert RULES.turn(state) == Chance("hid", Shuffle(("A1", "C1", "a1")))
    assert refused(state, "draw") == "not-yet"
    state = RULES.apply_chance(state, ("a1", "A1", "C1"))
    assert (state.stock, state.discard, RULES.turn(state)) == (("a1", "A1", "C1"), (), ToMove(2))


def test_m_a1_m_a2_all_cards_are_there() -> None:
    for seats in (2, 3, 4):
        assert every_card(dealt(seats)) == whole(seats)


def test_a_card_that_is_not_held_goes_before_any_other_reason() -> None:
    state = place("A1 B1 C1", "")
    for move in ("pair A1 b1", "sum A36 > 3", "leap A1 B1 C1 a1", "sum A1 A1 B1 > 3", "pair A1 B7"):
        with pytest.raises(NotHeld):
            RULES.apply(state, RULES.parse(move))
    with pytest.raises(NotHeld):
        RULES.choices(state, "A1 A1")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Sum A7 b7  A1,C1 >16", "sum A7 b7 A1 C1 > 16"),
        ("Handel rot7 Blau 7 A1 gelb1 → 16", "sum A7 b7 A1 C1 > 16"),
        ("HANDEL A36 a36 B16 > Monade", "sum A36 a36 B16 > monad"),
        ("sum A36 a36 B16 -> 80", "sum A36 a36 B16 > monad"),
        ("handel A1 B1 C1 für 3", "sum A1 B1 C1 > 3"),
        ("Paar rot36 lila36", "pair A36 a36"),
        ("pair RED36 purple36", "pair A36 a36"),
        ("paar violett3 orange3", "pair a3 B3"),
        ("Sprung A1 B1 b1 grün1", "leap A1 B1 b1 c1"),
        ("leap yellow1 green1 blue1 orange1", "leap C1 c1 b1 B1"),
        ("Bonus 16", "bonus 16"),
        ("bonus monad", "bonus 80"),
        ("Ziehen", "draw"),
        ("DRAW", "draw"),
        ("umdrehen", "flip"),
        ("passen", "pass"),
        ("Ende", "end"),
    ],
)
def test_what_people_type_is_read_generously(typed: str, stored: str) -> None:
    assert RULES.read(typed) == stored


@pytest.mark.parametrize("typed", ["Kauf A36 a36", "kaufen A36 a36 B16 > monad", "buy", "Trade A1"])
def test_kauf_is_never_a_keyword(typed: str) -> None:
    with pytest.raises(MalformedMove) as error:
        RULES.read(typed)
    assert error.value.say.key == "ambiguous"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sum A7 b7",
        "sum A7 b7 > 80",
        "sum  A7 b7 > 16",
        "pair A36",
        "pair A36 a36 b36",
        "pair a36 d36",
        "leap A1 B1 C1",
        "leap A1 B1 C1 a1 b1 c1 A1",
        "bonus monad",
        "bonus 1",
        "Draw",
        "pair A36  a36",
        "A36 a36",
        "sum A4 > 7",
        "kauf A1 b1",
    ],
)
def test_no_other_spelling_is_a_move(text: str) -> None:
    with pytest.raises(MalformedMove):
        RULES.parse(text)


def test_the_case_of_a_cards_letter_counts() -> None:
    assert RULES.read("pair a36 A36") == "pair a36 A36"
    assert RULES.read("PAIR A36 a36") == "pair A36 a36"


def test_the_final_state_is_that_of_rules_md() -> None:
    state = after(chain(), "pair A36 a36; bonus 80; end")
    final = RULES.final(state)
    assert final["g36"] == ["b36", "A36", "a36"]
    assert (final["g7"], final["stock"], final["discard"]) == ([], ["C1"], [])
    assert (final["monads"], final["stamm"]) == ({"s1": 3, "s2": 0}, {"s1": "B", "s2": "a"})
    assert isinstance(final["hands"], dict)
    assert final["hands"]["s1"] == ["B1", "B3", "C36", "a1", "c16"]


def test_a_seat_that_leaves_is_skipped() -> None:
    state = leave(place("A1", "B1", "C1", stock="a1 b1 c1"), 2)
    assert after(state, "draw").seat == 3
    assert after(after(state, "draw"), "draw").seat == 1
    assert hand(state, 2) == "B1"


def test_a_seat_that_leaves_in_its_turn_ends_it() -> None:
    state = after(place("A1 b1", "B1", "C1"), "pair A1 b1")
    gone = leave(state, 1)
    assert (gone.seat, gone.deeds, gone.passes) == (2, (), 0)
    assert hand(gone) == "C3"


def test_passes_before_somebody_left_count_for_those_who_stay() -> None:
    state = after(after(place("A1", "B1", "C1"), "pass"), "pass")
    assert leave(state, 3).end == "passed"
    gone = leave(state, 1)
    assert (gone.seat, gone.end) == (3, "")
    assert after(gone, "pass").end == "passed"


def test_the_defaults_are_those_of_the_edition_and_the_seats() -> None:
    german, million = (start(3, edition=name).terms for name in ("monad-german", "million"))
    assert (german.breaks, million.breaks, start(3).terms.breaks) == (True, True, False)
    assert start(3, edition="million").colours == "ABCabc"
    assert start(3, edition="monad-german").colours == ""
    assert not start(2, edition="million", bonus_chain="skip").terms.breaks
    assert start(4, team="yes", target="7").terms.target == 7
