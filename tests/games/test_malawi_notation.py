"""How the moves of Malawi are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.rules import MalformedMove
from games.malawi.moves import Capture, Distribute, Move, Step, notate, parse, read

SQUARES = st.builds("{}{}".format, st.sampled_from("abcdefgh"), st.integers(1, 8))
RECEIVERS = st.lists(SQUARES, min_size=1, max_size=7, unique=True)
MOVES = st.one_of(
    st.builds(Step, SQUARES, SQUARES),
    st.builds(Capture, SQUARES, SQUARES),
    st.builds(Distribute, SQUARES, RECEIVERS.map(sorted).map(tuple)),
)
CHARACTERS = st.one_of(st.sampled_from("abcdefgh12345678-x:, –×ABC"), st.characters())


@given(MOVES)
def test_what_is_written_is_read_as_the_same_move(move: Move) -> None:
    text = notate(move)
    assert parse(text) == move
    assert read(text) == text


@given(MOVES, st.sampled_from("-–—−"), st.sampled_from("x×X"), st.sampled_from(["", " ", "\t "]))
def test_people_may_write_it_their_way(move: Move, dash: str, cross: str, gap: str) -> None:
    text = notate(move)
    typed = gap.join(text.upper()).replace("X", cross).replace("-", dash)
    assert read(f" {typed}\n") == text


@given(SQUARES, RECEIVERS)
def test_receivers_may_stand_in_any_order(piece: str, receivers: list[str]) -> None:
    stored = f"{piece}:{','.join(sorted(receivers))}"
    assert read(f"{piece}: {', '.join(receivers)}") == stored
    assert read(f"{piece}: {' '.join(reversed(receivers))}") == stored


@given(st.text(CHARACTERS, max_size=12))
def test_any_text_is_a_move_as_stored_or_is_refused(text: str) -> None:
    try:
        move = parse(text)
    except MalformedMove:
        return
    assert notate(move) == text


@given(st.text(CHARACTERS, max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        stored = read(text)
    except MalformedMove:
        return
    assert notate(parse(stored)) == stored


def test_moves_of_different_kinds_are_never_equal() -> None:
    assert Step("a1", "a3") != Capture("a1", "a3")
    assert len({Step("a1", "a3"), Capture("a1", "a3"), Distribute("a1", ("a3",))}) == 3


def test_a_refused_text_is_quoted_as_it_was_typed() -> None:
    with pytest.raises(MalformedMove) as error:
        read("  Guten Tag  ")
    assert dict(error.value.say.values) == {"text": "Guten Tag"}


def test_a_huge_text_is_refused_at_once() -> None:
    with pytest.raises(MalformedMove):
        read("a1:" + "a2," * 100_000)
