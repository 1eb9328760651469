"""Malawi from text and at random, beside python-chess doing the same with chess."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import Group, Row

GROUPS = (
    Group(
        "replay",
        "moves/s",
        Row(Op("rules", "replay:random"), "Malawi from text, random corpus"),
        (
            Row(Op("rules", "replay:line"), "Malawi from text, line corpus", "line / random"),
            Row(
                Op("python_chess", "replay"),
                "python-chess push_uci",
                "Malawi / chess",
                inverse=True,
                goal="R1",
            ),
        ),
    ),
    Group(
        "playout",
        "moves/s",
        Row(Op("rules", "playout"), "Malawi, all legal moves listed"),
        (
            Row(
                Op("python_chess", "playout"),
                "python-chess, all legal moves listed",
                "Malawi / chess",
                inverse=True,
                goal="R5",
            ),
        ),
    ),
)
