"""The bench measures neighbours, keeps its corpora, and knows its goals."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from games.log import policy
from games.verify import verify
from tests.bench import corpora, logs, report
from tests.bench.__main__ import SUITES
from tests.bench.pair import Op, Ratio, Slice, interleave, ratio

YARD, ONE, TWO = Op("e", "yard"), Op("e", "one"), Op("e", "two")


def test_every_engine_stands_between_two_measurements_of_the_yardstick() -> None:
    asked: list[str] = []

    def ask(op: Op) -> Slice:
        asked.append(op.name)
        return Slice(1, 1.0, "")

    interleave(YARD, (ONE, TWO), 2, ask)
    assert asked[:3] == ["yard", "one", "two"]
    assert asked[3:8] == ["yard", "one", "yard", "two", "yard"]
    assert asked[8:] == ["yard", "two", "yard", "one", "yard"]


def test_a_ratio_is_made_of_neighbours() -> None:
    rates = iter([1, 1, 10, 30, 20, 1, 5, 3])

    def ask(op: Op) -> Slice:
        return Slice(next(rates), 1.0, "")

    measured = interleave(YARD, (ONE,), 2, ask)
    assert measured.ratios[ONE] == [30 / 15, 5 / 2]


def test_quartiles_turn_with_the_ratio() -> None:
    assert ratio([1, 2, 3]) == Ratio(2, 1.5, 2.5)
    assert ratio([0.5, 1, 2], inverse=True) == Ratio(1, 0.75, 1.5)


@pytest.mark.parametrize(
    ("goal", "found", "met"),
    [
        (report.Goal("g", at_least=10), Ratio(10, 9, 12), True),
        (report.Goal("g", at_least=10), Ratio(10, 8, 12), False),
        (report.Goal("g", at_least=10), Ratio(9.9, 9.9, 12), False),
        (report.Goal("g", at_most=1.3), Ratio(1.3, 1, 1.4), True),
        (report.Goal("g", at_most=1.3), Ratio(1.2, 1, 2), False),
    ],
)
def test_a_goal_bounds_the_median_and_the_worse_quartile(
    goal: report.Goal, found: Ratio, met: bool
) -> None:
    assert goal.met(found) == met


def test_the_corpora_are_the_pinned_ones() -> None:
    assert corpora.digests() == report.pinned()


def test_every_row_has_an_engine_and_every_goal_a_row() -> None:
    rows = [row for groups in SUITES.values() for at in groups for row in (at.yard, *at.rows)]
    engines = {row.op.engine for row in rows}
    assert all(find_spec(f"tests.bench.workers.{engine}") for engine in engines)
    assert {row.goal for row in rows if row.goal} == set(report.goals())


@pytest.mark.parametrize("signed", [True, False])
def test_a_log_for_the_bench_is_a_whole_one(signed: bool) -> None:

    verdict = verify(logs.log(10, signed=signed), policy.parse(logs.POLICY))
    assert verdict.lines[0] == "INTACT 10 records, unfinished"
    assert ("seat 1: signed" in verdict.lines[3]) == signed
