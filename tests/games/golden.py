"""Golden logs and what they came to, record by record: `python -m tests.games.golden LOG …`.

Beside a log stands NAME.digests: a line for every record with its number and the SHA-256 of the
canonical JSON of final state and turn after it, "-" while there is no state; and then the verdict.
Its policy is NAME.policy, else the policy.txt of the folder. None of them is ever changed.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from games.chance.audit import audit
from games.core.rules import Chance, Dice, Over, ToMove, Turn
from games.log import canon
from games.log.policy import Policy, parse
from games.position import Position
from games.verify import positions, read, verify

FOLDER = Path(__file__).parents[1] / "golden"


def logs() -> list[Path]:
    """All logs that have digests."""
    return [path.with_suffix(".mlog") for path in sorted(FOLDER.rglob("*.digests"))]


def kept(log: Path) -> list[str]:
    """What the log came to when it was committed."""
    return log.with_suffix(".digests").read_text("ascii").splitlines()


def policy(log: Path) -> Policy:
    """Whom the log is checked against."""
    own = log.with_suffix(".policy")
    return parse((own if own.exists() else log.parent / "policy.txt").read_bytes())


def digests(log: Path) -> list[str]:
    """What the log comes to now."""
    records = read(log.read_bytes())
    found = positions(records, audit(records.records).hidden)
    lines = [f"{record.n} {digest(position)}" for record, position in found]
    return [*lines, *verify(log.read_bytes(), policy(log)).lines]


def digest(position: Position) -> str:
    """The SHA-256 of a position's final state and turn."""
    if position.state is None or position.turn is None:
        return "-"
    told = {"final": position.rules.final(position.state), "turn": said(position.turn)}
    return hashlib.sha256(canon.encode(told)).hexdigest()


def said(turn: Turn) -> dict[str, object]:
    """A turn as JSON."""
    match turn:
        case ToMove(seat):
            return {"seat": seat}
        case Chance(chain, Dice(sides)):
            return {"chain": chain, "dice": list(sides)}
        case Chance(chain, request):
            assert not isinstance(request, Dice)
            return {"chain": chain, "ids": list(request.ids)}
        case Over(reason, standing):
            return {"reason": reason, "standing": [list(one) for one in standing]}


def main() -> None:
    """Writes the digests of new logs."""
    for log in map(Path, sys.argv[1:]):
        with log.with_suffix(".digests").open("x", encoding="ascii", newline="\n") as file:
            file.writelines(f"{line}\n" for line in digests(log))


if __name__ == "__main__":
    main()
