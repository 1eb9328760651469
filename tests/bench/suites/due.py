"""What time costs: finding what is due, a move beside a million others, the clock of a turn."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.pair import Op
from tests.bench.suites import Group, Row

SIZES = (1_000, 100_000, 1_000_000)
_LAST = SIZES[-1]


def _more(kind: str, label: str, goal: str) -> Iterator[Row]:
    for size in SIZES[1:]:
        yield Row(
            Op("due", f"{kind}:{size}"),
            label.format(size),
            f"time({size:,}) / time({SIZES[0]:,})",
            inverse=True,
            goal=goal if size == _LAST else "",
        )


GROUPS = (
    Group(
        "due",
        "scans/s",
        Row(Op("due", f"scan:{SIZES[0]}"), f"what is due of {SIZES[0]:,} open matches"),
        (
            *_more("scan", "what is due of {:,} open matches", "D1"),
            Row(
                Op("due", f"view:{_LAST}"),
                "    asked of each match instead of the index",
                "time(asked) / time(1,000)",
                inverse=True,
            ),
        ),
    ),
    Group(
        "due",
        "moves/s",
        Row(Op("due", f"move:{SIZES[0]}"), f"move beside {SIZES[0]:,} open matches"),
        tuple(_more("move", "move beside {:,} open matches", "S1")),
    ),
    Group(
        "due",
        "turns/s",
        Row(Op("due", "reschedule"), "a job of APScheduler moved for each turn"),
        (
            Row(
                Op("due", f"turn:{SIZES[0]}"),
                "the clock of a turn, with its deadline",
                "time(clock) / time(job)",
                inverse=True,
                goal="D2",
            ),
        ),
    ),
)
