"""The rules of Black Monday: the worked examples by their ids, each option, each reason."""

from __future__ import annotations

import pytest

from games.black_monday.cards import COLOURS, DECK, FACES, ordered
from games.black_monday.state import NOTHING, Bell, Lot, State
from games.black_monday.v1 import RULES
from games.core.rules import (
    Chance,
    Dice,
    IllegalMove,
    MalformedMove,
    NotHeld,
    Over,
    Shuffle,
    ToMove,
)
from tests.games.market import after, dealt, hand, legal, money, place, prices, shares, start


def refusal(state: State, text: str) -> str:
    """The key of the reason against the last move of a line."""
    with pytest.raises(IllegalMove) as error:
        after(state, text)
    return error.value.say.key


@pytest.mark.parametrize(
    ("colour", "price", "low", "high", "crash"),
    [
        ("B", 7, 4, 11, False),
        ("R", 2, 1, 5, True),
        ("R", 3, 1, 6, False),
        ("Y", 5, 1, 11, True),
        ("Y", 6, 1, 12, False),
        ("Y", 9, 4, 13, False),
        ("Y", 13, 8, 13, False),
        ("R", 13, 11, 13, False),
        ("P", 0, 1, 5, True),
    ],
)
def test_b_x1_window_table(colour: str, price: int, low: int, high: int, crash: bool) -> None:
    now = " ".join(str(price) if letter == colour else "6" for letter in COLOURS)
    cards = [face for face in FACES if face[0] == colour]
    state = place(now, " ".join(cards))
    assert legal(state, "price") == [f"price {colour}{value}" for value in range(low, high + 1)]
    assert legal(state, "crash") == [f"crash {card}" for card in cards[10:] if crash]
    stock = RULES.view(state, 1).stocks[COLOURS.index(colour)]
    assert (stock.low, stock.high, stock.crash) == (low, high, crash)


def test_b_x2_raise_twice_then_sell() -> None:
    state = place("6 5 5 5", "R9 R12 B1 B2 B3 B4 B5 B6", shares=("R10 R2",), money=(40,))
    assert refusal(state, "price R12") == "window-R"
    done = after(state, "price R9; price R12; sell R10; sell R2; end")
    assert money(done) == 184
    assert done.piles[0].card == "R12"
    assert sorted(done.discard) == ["R10", "R2", "R6", "R9"]
    assert len(hand(done)) == 8
    assert len(done.talon) == len(state.talon) - 2


def test_b_x3_block_rule() -> None:
    state = place("5 5 5 5", "P4 P10 B1 B2 B3 B4 B5 B6", shares=("P6",))
    raised = after(state, "buy P4; price P10")
    assert money(raised) == 180
    assert refusal(raised, "sell P4") == "trade-over"
    assert money(after(state, "price P10; sell P6")) == 260


def test_b_x4_bankruptcy_and_revival() -> None:
    cards, laid = "Y13 Y6 Y10 Y2 B1 B2 B3 B4", ("Y5", "Y10 Y2", "Y7")
    state = place("6 6 6 4", cards, shares=laid, money=(100,))
    crashed = after(state, "crash Y13")
    assert [shares(crashed, seat) for seat in (1, 2, 3)] == ["", "", ""]
    assert sorted(crashed.discard) == ["Y10", "Y2", "Y4", "Y5", "Y7"]
    done = after(crashed, "price Y6; buy Y10; buy Y2; end")
    assert (money(done), shares(done, 1)) == (28, "Y2 Y10")
    assert "Y13" in done.discard
    assert refusal(place("6 6 6 6", cards), "crash Y13") == "too-high-Y"
    assert prices(after(place("6 6 6 6", cards, zero_bound="free"), "crash Y13"))[3] == 0


def test_b_x6_end_of_talon() -> None:
    cards = "R5 R6 R7 B1 B2 B3 B4 B5"
    state = after(place("6 6 6 6", cards, talon="P1 P2", discard="Y1 Y9"), "swap R5 R6 R7")
    assert hand(state) == ("B1", "B2", "B3", "B4", "B5", "P1", "P2")
    new = ("R5", "R6", "R7", "Y1", "Y9", "END")
    assert RULES.turn(state) == Chance("hid", Shuffle(new))
    ended = RULES.apply_chance(state, ("END", "R5", "R6", "R7", "Y1", "Y9"))
    assert isinstance(over := RULES.turn(ended), Over)
    assert over.reason == "closed"
    assert ended.talon == ("R5", "R6", "R7", "Y1", "Y9")
    going_on = RULES.apply_chance(state, ("Y9", "END", "R5", "R6", "R7", "Y1"))
    assert RULES.turn(going_on) == ToMove(2)
    assert hand(going_on)[-1] == "Y9"
    assert going_on.discard == ()


@pytest.mark.parametrize(("tie", "standing"), [("share", (148,)), ("cash", (148, 57))])
def test_b_x7_score(tie: str, standing: tuple[int, ...]) -> None:
    laid = ("R9 R3 Y13", "B6")
    state = place("3 8 0 11", shares=laid, money=(57, 100), court_shares="on", tie=tie)
    over = RULES.turn(state._replace(end="closed"))
    assert isinstance(over, Over)
    assert over.standing == (standing, (148, 100)[: len(standing)])
    winners = RULES.view(state._replace(end="closed"), 1).winners
    assert winners == ((1, 2) if tie == "share" else (2,))


def test_b_1_the_deck() -> None:
    assert len(DECK) == 104
    assert ordered(reversed(DECK)) == DECK
    assert {card: DECK.count(card) for card in FACES} == dict.fromkeys(FACES, 2)


def test_b_10_start_prices_are_cards_of_the_deck() -> None:
    state = start()
    assert RULES.turn(state) == Chance("pub", Dice((20, 20, 20, 20)))
    state = RULES.apply_chance(state, (1, 2, 19, 20))
    assert prices(state) == (1, 1, 10, 10)
    assert [pile.card for pile in state.piles] == ["R1", "B1", "P10", "Y10"]
    turn = RULES.turn(state)
    assert isinstance(turn, Chance)
    assert isinstance(turn.request, Shuffle)
    assert ordered((*turn.request.ids, *(pile.card for pile in state.piles))) == DECK
    assert turn.chain == "hid"


@pytest.mark.parametrize(("seats", "talon"), [(2, 84), (3, 76), (4, 68), (5, 60), (6, 52)])
def test_b_11_eight_cards_each_one_at_a_time(seats: int, talon: int) -> None:
    state = RULES.apply_chance(start(seats), (1, 1, 1, 1))
    turn = RULES.turn(state)
    assert isinstance(turn, Chance)
    assert isinstance(turn.request, Shuffle)
    cards = turn.request.ids
    state = RULES.apply_chance(state, cards)
    assert hand(state) == ordered(cards[: 8 * seats : seats])
    assert state.talon == cards[8 * seats :]
    assert len(state.talon) == talon
    assert {money(state, seat) for seat in range(1, seats + 1)} == {200}
    assert RULES.turn(state) == ToMove(1)


def test_b_20_each_phase_once_and_in_one_block() -> None:
    state = place("5 5 5 5", "R6 R7 B6 B1 P6 P1 Y6 Y1")
    assert refusal(after(state, "price R6; buy R7"), "price B6") == "price-over"
    assert refusal(after(state, "buy R6; price R7"), "buy B6") == "trade-over"
    assert refusal(after(state, "buy R6; price R7; price B6"), "price P6") == "changed-twice"
    assert after(state, "price R6; price R7; buy B6; buy P6; end").seat == 2


def test_b_21_an_exchange_is_the_whole_turn() -> None:
    state = place("5 5 5 5", "R6 R7 B6 B1 P6 P1 Y6 Y1")
    assert refusal(state, "price R6; swap R7") == "swap-alone"
    done = after(state, "swap R6 R7 Y1 Y6")
    assert done.discard == ("R6", "R7", "Y1", "Y6")
    assert done.seat == 2
    assert len(legal(state, "swap")) == 8 + 28 + 56 + 70


def test_b_22_a_pass_and_an_end_need_nothing_and_something() -> None:
    state = place("5 5 5 5", "R6 R7 B6 B1 P6 P1 Y6 Y1")
    assert after(state, "pass").seat == 2
    assert refusal(state, "end") == "nothing-done"
    assert refusal(state, "price R6; pass") == "pass-alone"
    assert refusal(place("5 5 5 5", pass_="no"), "pass") == "no-pass"


def test_b_30_two_changes_of_the_same_colour_and_the_same_value() -> None:
    state = place("6 6 6 6", "R6 R7 R8 B1 B2 P2 Y2 Y3")
    assert refusal(after(state, "price R6; price R8"), "price R7") == "changed-twice"
    assert prices(after(state, "price R6")) == (6, 6, 6, 6)
    assert after(state, "price R6").discard == ("R6",)


def test_b_31_a_court_card_has_two_ways() -> None:
    state = place("6 6 6 5", "Y11 Y12 R5 B5 P5 P6 Y1 Y2")
    assert legal(state, "price Y1") == ["price Y1", "price Y11"]
    assert legal(state, "crash") == ["crash Y11", "crash Y12"]
    assert refusal(state, "crash Y2") == "no-court-Y"
    assert prices(after(state, "crash Y12; price Y2"))[3] == 2
    assert prices(after(state, "crash Y12; crash Y11"))[3] == 0


def test_b_40_purchases_cost_value_times_price() -> None:
    state = place("10 5 5 5", "R9 R10 B1 B2 B3 P12 Y1 Y2", money=(95,))
    assert refusal(state, "buy R10") == "too-dear"
    assert money(after(state, "buy R9; buy B1")) == 0
    assert refusal(state, "buy B1; buy B2; buy B3") == "bought-twice"
    assert refusal(state, "buy P12") == "court-P"


def test_b_41_twelve_shares_of_a_colour_and_no_more() -> None:
    state = place("1 5 5 5", "R2 R3 B9 B2 B3 P1 Y1 Y2", shares=("R10",))
    assert refusal(state, "buy R3") == "cap-R"
    assert shares(after(state, "buy R2"), 1) == "R2 R10"
    assert shares(after(state, "sell R10; buy R2; buy R3"), 1) == "R2 R3"


@pytest.mark.parametrize(("option", "bought"), [("no", False), ("yes", True)])
def test_b_42_purchases_at_price_0(option: str, bought: bool) -> None:
    state = place("0 5 5 5", "R2 R3 B9 B2 B3 P1 Y1 Y2", buy_at_zero=option)
    if bought:
        done = after(state, "buy R2; sell R2; buy R3")
        assert (money(done), shares(done, 1)) == (200, "R3")
    else:
        assert refusal(state, "buy R2") == "worthless-R"


@pytest.mark.parametrize(("option", "sold"), [("allow", True), ("forbid", False)])
def test_b_44_what_was_bought_in_this_turn(option: str, sold: bool) -> None:
    state = place("5 5 5 5", "R2 R2 B9 B2 B3 P1 Y1 Y2", shares=("R2",), round_trip=option)
    both = after(state, "buy R2; sell R2")
    assert shares(both, 1) == "R2"
    if sold:
        assert money(after(both, "sell R2")) == 200 + 10
    else:
        assert refusal(both, "sell R2") == "resale-R"
        later = after(after(both, "end")._replace(seat=1), "sell R2")
        assert shares(later, 1) == ""


def test_b_45_court_cards_as_five_shares() -> None:
    cards = "R12 R13 R11 R2 B3 P1 Y1 Y2"
    state = place("3 5 5 5", cards, money=(100,), court_shares="on")
    bought = after(state, "buy R12; buy R13")
    assert money(bought) == 70
    assert refusal(after(bought, "end")._replace(seat=1), "buy R11") == "cap-R"
    assert money(after(bought, "sell R12")) == 85


def test_not_held_goes_before_any_other_reason() -> None:
    state = place("5 5 5 5", "R6 R6 B6 B1 P6 P1 Y6 Y1")
    over = state._replace(end="passed")
    for text in ("price R13", "crash R5", "buy R13", "swap B13", "swap R6 R6 R6"):
        for position in (state, over, after(state, "buy R6; price R6")):
            with pytest.raises(NotHeld):
                RULES.apply(position, RULES.parse(text))


def test_no_move_is_legal_while_nobody_is_to_move() -> None:
    state = place("5 5 5 5", "R6 R7 B6 B1 P6 P1 Y6 Y1")
    for position, reason in (
        (state._replace(end="passed"), "over"),
        (state._replace(lot=Lot.TALON), "not-yet"),
        (start(), "not-yet"),
    ):
        for text in ("sell R9", "pass", "end"):
            with pytest.raises(IllegalMove) as error:
                RULES.apply(position, RULES.parse(text))
            assert error.value.say.key == reason
        assert legal(position) == []


def test_b_q14_two_rounds_of_passes_end_the_match() -> None:
    state = dealt(3)
    for _ in range(5):
        state = after(state, "pass")
    assert RULES.turn(after(after(state, legal(state, "swap")[0]), "pass")) == ToMove(2)
    ended = RULES.turn(after(state, "pass"))
    assert isinstance(ended, Over)
    assert (ended.reason, ended.standing) == ("passed", ((200,),) * 3)


def test_b_q15_the_last_card_of_the_talon() -> None:
    cards = "R5 R6 R7 B1 B2 B3 B4 B5"
    for option, asks in (("eager", True), ("lazy", False)):
        state = place("6 6 6 6", cards, talon="P1 P2", reshuffle=option)
        state = after(state, "swap R5 R6")
        assert isinstance(RULES.turn(state), Chance) is asks
    assert RULES.turn(state) == ToMove(2)
    state = after(state, "pass")
    assert RULES.turn(state) == ToMove(1)
    state = after(state, "swap R7")
    assert RULES.turn(state) == Chance("hid", Shuffle(("R5", "R6", "R7", "END")))


def test_b_q15_a_full_hand_waits_for_the_new_talon_too() -> None:
    state = place("6 6 6 6", "R5 R6 R7 B1 B2 B3 B4 B5", talon="P1")
    state = RULES.apply_chance(after(state, "swap R5"), ("END", "R5"))
    assert RULES.turn(state) == ToMove(2)
    assert state.talon == ("END", "R5")
    assert state.bell is Bell.INSIDE


def test_b_q19_a_new_talon_may_be_the_end_card_alone() -> None:
    state = place("6 6 6 6", "R5 R6 R7 B1 B2 B3 B4 B5", talon="P1")
    state = after(state, "buy R5; end")
    assert RULES.turn(state) == Chance("hid", Shuffle(("END",)))
    state = RULES.apply_chance(state, ("END",))
    assert RULES.turn(state) == ToMove(2)
    state = after(state, "swap P1 P2")
    assert state.end == "closed"
    assert len(hand(state, 2)) == 6


def test_b_q17_the_round_may_be_played_to_its_end() -> None:
    hands = ("R5 R6 R7 B1 B2 B3 B4 B5", "P1 P2 P3 P4 Y1 Y2 Y3 Y4", "B5 B6 P5 P6 P7 Y5 Y6 Y7")
    state = place("6 6 6 6", *hands, talon="Y8 END Y9", inside=True, end_card="round")
    state = after(state._replace(passes=5), "swap R5 R6 R7")
    assert (RULES.turn(state), state.bell) == (ToMove(2), Bell.DRAWN)
    assert hand(state) == ("B1", "B2", "B3", "B4", "B5", "Y8")
    state = after(state, "price P4; end")
    assert len(hand(state, 2)) == 7
    ended = after(state, "pass")
    assert ended.end == "closed"
    assert ended.talon == ("Y9",)


def test_b_q17_the_last_seat_ends_the_round_at_once() -> None:
    state = place("6 6 6 6", talon="END Y9", inside=True, end_card="round")._replace(seat=2)
    assert after(state, "swap P1").end == "closed"


def test_b_q18_the_refill_stops_at_the_end_card() -> None:
    state = place("6 6 6 6", "R5 R6 R7 B1 B2 B3 B4 B5", talon="Y8 END Y9", inside=True)
    ended = after(state, "swap R5 R6 R7")
    assert ended.end == "closed"
    assert hand(ended) == ("B1", "B2", "B3", "B4", "B5", "Y8")
    assert RULES.final(ended)["talon"] == ["Y9"]


def test_a_seat_that_leaves_is_skipped_and_its_shares_crash_like_others() -> None:
    assert RULES.leave is not None
    hands = ("Y13 Y6 Y10 Y2 B1 B2 B3 B4", "P1 P2 P3 P4 Y1 Y2 Y3 Y4", "B5 B6 P5 P6 P7 Y5 Y6 Y7")
    state = place("6 6 6 4", *hands, shares=("", "Y7 R1", ""))
    state = RULES.leave(state, 2)
    assert RULES.turn(state) == ToMove(1)
    state = after(state, "crash Y13; end")
    assert shares(state, 2) == "R1"
    assert "Y7" in state.discard
    assert RULES.turn(state) == ToMove(3)
    assert RULES.turn(after(state, "pass")) == ToMove(1)


def test_a_seat_that_leaves_in_its_turn_does_not_refill() -> None:
    assert RULES.leave is not None
    state = after(dealt(3), "pass")
    card = hand(state, 2)[0]
    begun = after(state, next(move for move in legal(state) if card in move and "swap" not in move))
    left = RULES.leave(begun, 2)
    assert RULES.turn(left) == ToMove(3)
    assert len(hand(left, 2)) == 7
    assert (left.doing, left.passes) == (NOTHING, 0)
    assert left.talon == begun.talon


def test_leaving_is_no_pass_but_the_passes_before_count_for_those_who_stay() -> None:
    assert RULES.leave is not None
    state = dealt(4)
    for _ in range(6):
        state = after(state, "pass")
    assert RULES.turn(RULES.leave(state, 1)) == ToMove(3)
    left = RULES.turn(RULES.leave(state, 3))
    assert isinstance(left, Over)
    assert left.reason == "passed"
    later = RULES.leave(state, 1)
    assert isinstance(RULES.turn(after(later, "pass")), Over)
    assert RULES.turn(after(later, legal(later, "swap")[0])) == ToMove(4)


def test_the_last_round_goes_on_without_those_who_leave() -> None:
    assert RULES.leave is not None
    state = place("6 6 6 6", *("R5 R6 R7 B1 B2 B3 B4 B5",) * 3, talon="END", inside=True)
    state = after(state._replace(terms=state.terms._replace(outplayed=True)), "swap R5")
    assert RULES.turn(state) == ToMove(2)
    assert RULES.turn(RULES.leave(state, 2)) == ToMove(3)
    assert RULES.leave(RULES.leave(state, 3), 2).end == "closed"
    gone = RULES.leave(RULES.leave(state, 1), 2)
    assert RULES.turn(gone) == ToMove(3)


def test_who_left_is_not_among_the_winners() -> None:
    state = place("6 6 6 6", shares=("Y7", "", ""), money=(200, 100, 150))
    state = state._replace(left=(1,), end="closed")
    assert RULES.view(state, 2).winners == (3,)


def test_final_state_is_canonical() -> None:
    state = place("6 6 0 11", "R2 R10", "Y1", shares=("B2 R1", ""), talon="Y2 R1", discard="P3 B1")
    assert RULES.final(state) == {
        "discard": ["B1", "P3"],
        "hands": {"s1": ["R2", "R10"], "s2": ["Y1"]},
        "money": {"s1": 200, "s2": 200},
        "prices": {"r": 6, "b": 6, "p": 0, "y": 11},
        "shares": {"s1": ["R1", "B2"], "s2": []},
        "talon": ["Y2", "R1"],
    }
    assert RULES.final(start()) == {}
    assert RULES.final(RULES.apply_chance(start(), (1, 1, 1, 1))) == {}


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("price R9", "price R9"),
        ("  PRICE   red 9 ", "price R9"),
        ("Kurs rot 9", "price R9"),
        ("konkurs lila12", "crash P12"),
        ("Konkurs: violett 12", "crash P12"),
        ("kaufe gelb10", "buy Y10"),
        ("Verkaufe B-3", "sell B3"),
        ("verkaufe blau–3", "sell B3"),
        ("tausche p3, r1 + b2", "swap R1 B2 P3"),
        ("swap r1b2", "swap R1 B2"),
        ("swap yellow 1 yellow 1", "swap Y1 Y1"),
        ("passen", "pass"),
        ("Passe", "pass"),
        ("ENDE", "end"),
    ],
)
def test_people_may_write_generously(typed: str, stored: str) -> None:
    assert RULES.read(typed) == stored
    assert RULES.notate(RULES.parse(stored)) == stored


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "R9",
        "kauf R9",
        "price",
        "price R14",
        "price R0",
        "price R01",
        "price R9 R8",
        "price G9",
        "swap",
        "swap R1 B2 P3 Y4 Y5",
        "pass R1",
        "end R1",
        "price R9;",
        "sell R 1 2",
    ],
)
def test_what_is_no_move_is_refused(typed: str) -> None:
    with pytest.raises(MalformedMove):
        RULES.read(typed)


@pytest.mark.parametrize(
    "text",
    ["swap B2 R1", "swap R1, B2", "swap R1  B2", "price r9", "Price R9", "price R9 ", "swap"],
)
def test_only_the_stored_spelling_is_parsed(text: str) -> None:
    with pytest.raises(MalformedMove):
        RULES.parse(text)
