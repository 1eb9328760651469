"""A turn line: how far it goes, and what is left of it to be chosen and drawn."""

from __future__ import annotations

import pytest

from games import registry
from games.core import line as lines
from games.core.rules import IllegalMove, MalformedMove, complete

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
