"""Verifying whole logs: what the head costs, every signature, and hashing alone."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import LENGTHS, Group, Row


def _group(length: int) -> Group:
    return Group(
        "verify",
        "records/s",
        Row(Op("logs", f"verify:{length}"), f"{length:,} records, head signature"),
        (
            Row(
                Op("logs", f"signed:{length}"),
                f"{length:,} records, every signature",
                "head only / every",
                inverse=True,
            ),
            Row(
                Op("logs", f"hash:{length}"), "    bare hash chain", "verify / hashes", inverse=True
            ),
            Row(
                Op("python_chess", f"pgn:{length}"),
                "    python-chess reads a PGN",
                "verify / PGN",
                inverse=True,
                goal="V1" if length == 100 else "",
            ),
        ),
    )


GROUPS = tuple(map(_group, LENGTHS))
