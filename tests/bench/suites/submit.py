"""A move through WSGI with its commit, in matches of growing length: the cost must stay flat."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import LENGTHS, Group, Row


def _row(length: int) -> Row:
    return Row(
        Op("service", f"submit:{length}"),
        f"move in a match of {length:,} records",
        f"time({length:,}) / time({LENGTHS[0]})",
        inverse=True,
        goal="G1" if length == LENGTHS[-1] else "",
    )


GROUPS = (
    Group(
        "submit",
        "moves/s",
        Row(Op("service", f"submit:{LENGTHS[0]}"), f"move in a match of {LENGTHS[0]} records"),
        (
            *map(_row, LENGTHS[1:]),
            Row(
                Op("service", "transaction"),
                "    bare transaction of three statements",
                "move / transaction",
                inverse=True,
            ),
        ),
    ),
    Group(
        "submit",
        "requests/s",
        Row(Op("web", "ping"), "/healthz over HTTP, 8 connections"),
        (Row(Op("web", "move"), "move over HTTP, 8 connections", "move / healthz", goal="S3"),),
    ),
)
