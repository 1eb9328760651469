"""Our games from text and at random, beside python-chess doing the same with chess."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import Group, Row

NAMES = {"seasons": "Seasons", "monad": "Monad", "black-monday": "Black Monday"}
GOALS = {"seasons": "R4s", "monad": "R4m", "black-monday": "R4b"}
CHESS = Row(Op("python_chess", "replay"), "python-chess push_uci")

GROUPS = (
    Group(
        "replay",
        "moves/s",
        Row(Op("rules", "replay:random"), "Malawi from text, random corpus"),
        (
            Row(Op("rules", "replay:line"), "Malawi from text, line corpus", "line / random"),
            Row(CHESS.op, CHESS.label, "Malawi / chess", inverse=True, goal="R1"),
        ),
    ),
    Group(
        "replay",
        "moves/s",
        CHESS,
        tuple(
            Row(
                Op("rules", f"replay:{game}"),
                f"{name} from text, chance given",
                f"{name} / chess",
                goal=GOALS[game],
            )
            for game, name in NAMES.items()
        ),
    ),
    Group(
        "playout",
        "moves/s",
        Row(Op("rules", "playout:malawi"), "Malawi, all legal moves listed"),
        (
            Row(
                Op("python_chess", "playout"),
                "python-chess, all legal moves listed",
                "Malawi / chess",
                inverse=True,
                goal="R5",
            ),
            *(
                Row(
                    Op("rules", f"playout:{game}"),
                    f"{name}, the legal moves listed",
                    f"{name} / Malawi",
                )
                for game, name in NAMES.items()
            ),
        ),
    ),
)
