"""The rules of Malawi: worked examples by their ids, options, and the reasons against a move."""

from __future__ import annotations

import pytest

from games.core.rules import IllegalMove, MalformedMove, Mark, Over, ToMove
from games.malawi.moves import Distribute
from games.malawi.v1 import RULES, State
from tests.games import walk
from tests.games.boards import after, moves, place, start, strengths, won

X3 = ("c1:3 a2:2 a3:1 a4:1 a5:0 a6:2", "f2:0 f3:1 f4:2 f5:2 d6:2 e6:2")
X4 = ("c1:3 a2:2 a3:1 a4:1 a5:0 a6:2", "e2:0 f3:2 f4:3 f5:2 d6:2 e6:2")


def refusal(state: State, move: str) -> str:
    """The key of the reason against a move."""
    with pytest.raises(IllegalMove) as error:
        after(state, move)
    return error.value.say.key


def test_w_x1_first_moves() -> None:
    state = start()
    legal = moves(state)
    assert len(legal) == 66
    assert "a3-c3" in legal
    assert refusal(state, "a3-b3") == "distance"
    assert refusal(state, "a3-a5") == "blocked"
    assert refusal(state, "a3-a4") == "distance"
    assert after(state, "a3-c3", "f3-d3").seat == 1


def test_w_x2_distribute_advance_get_captured() -> None:
    state = after(start(), "a1:a2,a3")
    assert strengths(state, 1) == {"a1": 0, "a2": 3, "a3": 3, "a4": 2, "a5": 2, "a6": 2}
    state = after(state, "f6-d6", "a3-d3")
    assert [move for move in moves(state) if "x" in move] == ["f3xd3"]
    state = after(state, "f3xd3")
    assert strengths(state, 1)["d3"] == 0
    assert strengths(state, 2)["f3"] == 2
    assert sum(strengths(state, 1).values()) == 9


def test_w_x3_safe_arrival() -> None:
    assert won(after(place(*X3), "c1-f1")) == ("goal", 1)


def test_w_x4_capturable_arrival_goes_on_when_it_is_captured() -> None:
    state = after(place(*X4), "c1-f1", "f3xf1")
    assert won(state) == ("", 0)
    assert strengths(state, 1)["f1"] == 0
    assert RULES.turn(state) == ToMove(1)


@pytest.mark.parametrize(
    ("goal", "arriving", "replied"),
    [
        ("survives", ("", 0), ("goal", 1)),
        ("uncapturable", ("", 0), ("", 0)),
        ("reach", ("goal", 1), None),
    ],
)
def test_w_x4_capturable_arrival_and_another_reply(
    goal: str, arriving: tuple[str, int], replied: tuple[str, int] | None
) -> None:
    state = after(place(*X4, goal=goal), "c1-f1")
    assert won(state) == arriving
    if replied is not None:
        assert won(after(state, "f5-d5")) == replied


def test_w_x6_lost_surplus() -> None:
    state = place("a1:5 b2:5 c3:1 a4:1 a5:0 a6:0", "f1:2 f2:2 f3:2 f4:2 f5:2 f6:2")
    assert [move for move in moves(state) if move.startswith("a1:")] == ["a1:a4,a5,a6,c3"]
    state = after(state, "a1:a4,a5,a6,c3")
    assert strengths(state, 1) == {"a1": 0, "b2": 5, "c3": 2, "a4": 2, "a5": 1, "a6": 1}
    assert sum(strengths(state, 1).values()) == 11
    assert state.quiet == 0


def test_w_x7_last_point() -> None:
    one, two = "c3:2 a1:2 a2:2 a4:2 a5:2 a6:2", "e3:4 f1:0 f2:0 f4:0 f5:0 f6:0"
    state = after(place(one, two), "c3xe3")
    assert won(state) == ("exhausted", 1)
    assert RULES.turn(state) == Over("exhausted", ((1,), (0,)))


def test_perft_counts_sequences_of_legal_moves() -> None:
    assert [perft(start(), depth) for depth in (1, 2, 3)] == [66, 4_356, 244_854]


def test_perft_to_the_fourth_move() -> None:
    assert perft(start(), 4) == 13_757_392


def perft(state: State, depth: int, known: dict[object, int] | None = None) -> int:
    """How many sequences of legal moves there are. Too short for a repetition, so positions that
    look alike are counted once."""
    known = {} if known is None else known
    key = state.board, state.seat, state.arrival, state.end, depth
    if key not in known:
        legal = RULES.legal_moves(state)
        known[key] = (
            sum(1 for _ in legal)
            if depth == 1
            else sum(perft(RULES.apply(state, move), depth - 1, known) for move in legal)
        )
    return known[key]


def test_w_q5_a_reply_that_wins_goes_before_the_arrival() -> None:
    one, two = "c1:3 a2:2 a3:1 a4:2 a6:2 b6:0", "e2:0 f3:2 f4:3 f5:2 e6:2 d5:3"
    state = after(place(one, two), "c1-f1")
    assert won(state) == ("", 0)
    assert won(after(state, "d5-a5")) == ("goal", 2)
    assert won(after(state, "d5-d2")) == ("goal", 1)


def test_w_q5_a_reply_that_only_arrives_comes_too_late() -> None:
    one, two = "c1:3 a2:2 a3:1 a4:1 a6:2 b6:0", "e2:0 f3:2 f4:3 f5:2 e6:2 d5:3"
    assert won(after(place(one, two), "c1-f1", "d5-a5")) == ("goal", 1)


def test_w_q14_a_side_without_points_has_lost_and_no_moves() -> None:
    one, two = "c3:2 a1:2 a2:2 a4:2 a5:2 a6:2", "e3:1 f1:0 f2:0 f4:0 f5:0 f6:0"
    state = after(place(one, two), "c3xe3")
    assert won(state) == ("exhausted", 1)
    assert moves(state) == []
    assert refusal(state, "f1-e1") == "over"


REVIVED = ("f1:0 a2:2 a3:1 a4:1 a5:1 a6:2", "c3:2 c4:0 b5:0 b6:0 d5:2 e6:2")
"""A piece of seat 1 at its goal, without points, where nothing can reach it."""


@pytest.mark.parametrize(
    ("reentry", "result"), [("move", ("", 0)), ("state", ("goal", 1)), ("leave", ("", 0))]
)
def test_w_q6_points_given_on_the_goal_row(reentry: str, result: tuple[str, int]) -> None:
    assert won(after(place(*REVIVED, reentry=reentry), "a3:f1")) == result


@pytest.mark.parametrize(
    ("reentry", "result"), [("move", ("goal", 1)), ("state", ("goal", 1)), ("leave", ("", 0))]
)
def test_w_q6_a_sideways_move_on_the_goal_row(reentry: str, result: tuple[str, int]) -> None:
    one = REVIVED[0].replace("f1:0", "f1:1")
    assert won(after(place(one, REVIVED[1], reentry=reentry), "f1-f2")) == result


@pytest.mark.parametrize("reentry", ["move", "state", "leave"])
def test_w_q6_whoever_left_the_row_may_come_back(reentry: str) -> None:
    one = REVIVED[0].replace("f1:0", "e1:1")
    assert won(after(place(one, REVIVED[1], reentry=reentry), "e1-f1")) == ("goal", 1)


def test_w_q6_state_asks_after_the_own_action_only() -> None:
    guarded = "c3:2 c6:0 b5:0 b6:0 f4:3 e6:2"
    state = after(place(REVIVED[0], guarded, reentry="state"), "a3:f1", "f4-c4")
    assert won(state) == ("", 0)
    assert won(after(state, "a2-c2")) == ("goal", 1)


TO_AND_FRO = ("a1-c1", "f1-d1", "c1-a1", "d1-f1")


def test_w_q15_the_third_occurrence_draws_the_start_counted() -> None:
    state = after(start(), *TO_AND_FRO)
    assert won(state) == ("", 0)
    state = after(state, *TO_AND_FRO[:3])
    assert won(state) == ("", 0)
    assert RULES.turn(after(state, TO_AND_FRO[3])) == Over("repetition", ((0,), (0,)))


def test_w_q15_the_third_occurrence_may_be_forbidden() -> None:
    state = after(start(repetition="forbid"), *TO_AND_FRO, *TO_AND_FRO[:3])
    assert "d1-f1" not in moves(state)
    assert refusal(state, "d1-f1") == "third-time"
    assert won(after(state, "d1-b1")) == ("", 0)


def test_w_q15_repetition_may_be_without_effect() -> None:
    state = after(start(repetition="off"), *TO_AND_FRO * 6)
    assert won(state) == ("", 0)
    assert state.past == ((), ())


def test_w_q15_a_side_whose_every_move_is_forbidden_draws() -> None:
    one, two = "a1:1 a2:0 a3:0 a4:0 a5:0 b1:0", "c6:0 f2:0 f3:0 f4:0 f5:0 f6:1"
    state = place(one, two, seat=2, repetition="forbid")
    reached = after(state, "f6-e6")
    replies = [after(reached, move).board for move in moves(reached)]
    assert len(replies) == 5
    stuck = state._replace(past=(tuple(sorted([state.board, *replies, *replies])), ()))
    assert won(after(stuck, "f6-e6")) == ("repetition", 0)
    assert won(after(stuck, "f6:f5")) == ("", 0)


def test_a_lost_point_forgets_the_past() -> None:
    state = after(start(), "a1:a2,a3", "f6-d6", "a3-d3")
    assert [len(boards) for boards in state.past] == [2, 2]
    state = after(state, "f3xd3")
    assert state.past == ((state.board,), ())


def test_w_q16_no_progress_draws_after_so_many_moves() -> None:
    state = after(start(no_progress="20", repetition="off"), *TO_AND_FRO * 4, *TO_AND_FRO[:3])
    assert won(state) == ("", 0)
    assert won(after(state, TO_AND_FRO[3])) == ("no-progress", 0)


def test_w_q16_no_progress_ends_a_match_even_if_an_arrival_is_pending() -> None:
    state = place(*X4, no_progress="20")._replace(quiet=19)
    assert won(after(state, "c1-f1")) == ("no-progress", 0)


def test_w_q16_a_win_and_repetition_go_before_no_progress() -> None:
    assert won(after(place(*X3, no_progress="20")._replace(quiet=19), "c1-f1")) == ("goal", 1)
    state = after(start(), *TO_AND_FRO, *TO_AND_FRO[:3])._replace(quiet=99)
    assert won(after(state, TO_AND_FRO[3])) == ("repetition", 0)


def test_w_q11_a_piece_stronger_than_any_line_can_only_distribute() -> None:
    state = place(
        "c3:7 a1:1 a2:1 a3:1 a4:1 a5:1",
        "f1:2 f2:2 f3:2 f4:2 f5:2 f6:2",
        max_strength="none",
    )
    assert [move for move in moves(state) if move.startswith("c3")] == ["c3:a1,a2,a3,a4,a5"]
    state = after(state, "c3:a1,a2,a3,a4,a5")
    assert sum(strengths(state, 1).values()) == 10


def test_w_q18_larger_boards_have_more_pieces_and_a_higher_limit() -> None:
    for size in (6, 7, 8):
        state = start(board_size=str(size))
        assert (state.terms.size, state.terms.most) == (size, size - 1)
        assert sum(strengths(state, 1).values()) == sum(strengths(state, 2).values()) == 2 * size
    assert "h8-f8" in moves(after(start(board_size="8"), "a1-c1"))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("f3-d3", "not-yours"),
        ("b1-c1", "nobody"),
        ("g1-e1", "off-board"),
        ("a6-a8", "off-board"),
        ("a2-b3", "not-straight"),
        ("a2-a2", "not-straight"),
        ("a5-b5", "powerless"),
        ("a2-b2", "distance"),
        ("a2-a4", "blocked"),
        ("c1-c4", "occupied"),
        ("c1xf1", "no-enemy"),
        ("a2xa4", "blocked"),
        ("a6xc6", "spent"),
        ("a3xa4", "no-enemy"),
        ("a2:a2,a3", "to-itself"),
        ("a2:a3,c4", "full"),
        ("a2:a3,f4", "not-yours"),
        ("a2:a3,b1", "nobody"),
        ("a2:a3", "too-few"),
        ("a2:a3,a4,a5", "too-many"),
        ("a5:a2", "powerless"),
        ("a2:a3,g1", "off-board"),
    ],
)
def test_a_refusal_says_why(move: str, reason: str) -> None:
    one, two = "c1:3 a2:2 a3:1 a4:1 a5:0 c4:5 a6:2", "c6:0 f3:2 f4:3 f5:2 d6:2 e6:2"
    assert refusal(place(one, two), move) == reason


def test_a_receiver_counts_once_and_in_board_order() -> None:
    for receivers in (("a2", "a2"), ("a3", "a2")):
        with pytest.raises(IllegalMove) as error:
            RULES.apply(start(), Distribute("a1", receivers))
        assert error.value.say.key == "receivers"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a1",
        "a1-",
        "a1-a9",
        "i1-a1",
        "a0-a1",
        "A3-c3",
        "a3–c3",
        "a3-c3 ",
        "a3-c3\n",
        "a3 -c3",
        "a3Xc3",
        "a1:",
        "a1:a2,",
        "a1:a2, a3",
        "a1:a3,a2",
        "a1:a2,a2",
        "a1:a2;a3",
        "a１-c1",
        "pass",
    ],
)
def test_only_the_stored_notation_is_a_move(text: str) -> None:
    with pytest.raises(MalformedMove):
        RULES.parse(text)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a3-c3", "a3-c3"),
        (" A3 – C3 ", "a3-c3"),
        ("a3—c3", "a3-c3"),
        ("F3 × D3", "f3xd3"),
        ("f3Xd3", "f3xd3"),
        ("a1: a3, a2", "a1:a2,a3"),
        ("A1:A3 a2", "a1:a2,a3"),
        ("a1:a2+a3", "a1:a2,a3"),
    ],
)
def test_people_may_write_as_they_like(typed: str, stored: str) -> None:
    assert RULES.read(typed) == stored


def test_what_cannot_be_read_is_quoted_back_in_part() -> None:
    with pytest.raises(MalformedMove) as error:
        RULES.read("Hallo " * 50)
    assert dict(error.value.say.values)["text"] == ("Hallo " * 50)[:40]
    with pytest.raises(MalformedMove) as error:
        RULES.read("a1:a2,a2")
    assert error.value.say.key == "receivers"


def test_nothing_but_the_legal_moves_is_sent_by_choices() -> None:
    for state in walk.sample(RULES, 1):
        found = walk.leaves(RULES, state)
        assert sorted(line for line, sends in found.items() if sends) == sorted(moves(state))


def test_choices_go_from_piece_to_target() -> None:
    state = after(place(*X4), "c1-f1")
    pieces = RULES.choices(state, "")
    assert [choice.thing for choice in pieces] == ["d6", "e6", "f3", "f4", "f5"]
    assert {choice.mark for choice in pieces} == {Mark.CAN}
    targets = {choice.line: choice.badge for choice in RULES.choices(state, "f3")}
    assert targets == {
        "": "",
        "f3-d3": "",
        "f3xf1": "×",
        "f3:d6": "+1",
        "f3:e2": "+1",
        "f3:e6": "+1",
        "f3:f4": "+1",
        "f3:f5": "+1",
    }


def test_a_distribution_is_sent_when_as_many_as_possible_are_named() -> None:
    state = place(*X4, seat=2)
    sends = {choice.line: choice.sends for choice in RULES.choices(state, "f3:e2")}
    assert sends == {
        "": False,
        "f3": False,
        "f3:d6,e2": True,
        "f3:e2,e6": True,
        "f3:e2,f4": True,
        "f3:e2,f5": True,
    }
    assert {choice.mark for choice in RULES.choices(state, "f3:d6,e2")} == {Mark.CHOSEN}


def test_a_line_that_cannot_stand_has_no_choices() -> None:
    for line, reason in (("a2", "not-yours"), ("e2", "powerless"), ("f3:a2", "not-yours")):
        with pytest.raises(IllegalMove) as error:
            RULES.choices(place(*X4, seat=2), line)
        assert error.value.say.key == reason
    with pytest.raises(MalformedMove):
        RULES.choices(start(), "a1:")
