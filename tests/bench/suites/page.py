"""The page of a match, short and long: the cost must stay flat."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import LENGTHS, Group, Row


def _row(length: int) -> Row:
    return Row(
        Op("service", f"page:{length}"),
        f"page of a match of {length:,} records",
        f"time({length:,}) / time({LENGTHS[0]})",
        inverse=True,
        goal="G2" if length == LENGTHS[-1] else "",
    )


GROUPS = (
    Group(
        "page",
        "pages/s",
        Row(Op("service", f"page:{LENGTHS[0]}"), f"page of a match of {LENGTHS[0]} records"),
        tuple(map(_row, LENGTHS[1:])),
    ),
)
