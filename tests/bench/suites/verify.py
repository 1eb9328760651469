"""Verifying whole logs: what the head costs, every signature, and hashing alone."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import LENGTHS, Group, Row
from tests.bench.suites.replay import NAMES


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


def _of_game(game: str, name: str) -> Group:
    """Finished matches with chance: every word of the chains and every outcome is checked."""
    return Group(
        "verify",
        "records/s",
        Row(Op("logs", f"match:{game}"), f"{name}, whole matches"),
        (Row(Op("logs", f"links:{game}"), "    bare hash chain", "verify / hashes", inverse=True),),
    )


GROUPS = (
    *map(_group, LENGTHS),
    *(_of_game(game, name) for game, name in {"malawi": "Malawi", **NAMES}.items()),
)
