"""A turn line: how far it goes, and what is left of it to be chosen and drawn."""

from __future__ import annotations

import pytest

from games import registry
from games.core import line as lines
from games.core.rules import IllegalMove, MalformedMove, RulesError, complete
from games.core.words import put
from games.monad.v1 import RULES as MONAD
from tests.games.ladder import GROUPS, place

MALAWI = registry.newest("malawi")
START = MALAWI.setup(2, complete(MALAWI, 2, {}))


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("", ""),
        ("a3", "a3"),
        ("a3-c3", "a3-c3"),
        ("a3-c3; f3-d3", "a3-c3"),
        ("a3-c3; rubbish", "a3-c3"),
        ("a3-c3; rubbish; more", "a3-c3"),
    ],
)
def test_a_line_goes_no_further_than_the_turn(line: str, left: str) -> None:
    assert lines.begun(MALAWI, START, 1, line) == left


@pytest.mark.parametrize("line", ["rubbish; a3-c3", "a3; a3-c3"])
def test_a_line_whose_earlier_moves_are_none_cannot_be_begun(line: str) -> None:
    with pytest.raises(MalformedMove):
        lines.begun(MALAWI, START, 1, line)


def test_a_line_whose_earlier_moves_are_illegal_cannot_be_begun() -> None:
    with pytest.raises(IllegalMove):
        lines.begun(MALAWI, START, 1, "a3-d3; a4")


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("pair A1 a1; pair B1 c1; end", "pair B1 c1: "),
        ("pair B1 c1; end", "pair B1 c1: "),
        ("pair A1 a1; flip", "flip: "),
        ("pair A1 a1; Rubbish; end", "“Rubbish” is not a move."),
        ("pair B1 c1", "You do not hold c1."),
    ],
)
def test_the_reason_against_one_move_of_several_names_it(line: str, named: str) -> None:
    state = place("A1 a1 B1", "B1", groups=GROUPS)
    with pytest.raises(RulesError) as error:
        lines.play(MONAD, state, 1, lines.read(MONAD, line))
    assert put(registry.words("monad"), error.value.say, "en").startswith(named)


@pytest.mark.parametrize("line", ["pair A1 a1; pair B1 c1; end", "pair A1 a1; pair B1 c1"])
def test_so_does_that_against_a_line_begun(line: str) -> None:
    state = place("A1 a1 B1", "B1", groups=GROUPS)
    with pytest.raises(RulesError) as error:
        lines.choices(MONAD, state, 1, line)
    assert put(registry.words("monad"), error.value.say, "de").startswith("pair B1 c1: ")
