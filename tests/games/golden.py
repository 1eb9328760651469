"""Digests of golden logs: `python -m tests.games.golden NAME` writes that of a new one.

The one of the shared examples is named after its game, further ones lie in a folder of that name:
`seasons`, `seasons/level`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from games.core.rules import Chance, Dice, Over, ToMove, Turn
from games.log import canon
from games.log.record import Reveal
from games.position import Position
from games.verify import positions, read

GOLDEN = Path(__file__).parent.parent / "golden"


def names() -> list[str]:
    """Every log that has a digest."""
    kept = sorted(GOLDEN.rglob("*.digest"))
    return [path.relative_to(GOLDEN).with_suffix("").as_posix() for path in kept]


def digests(name: str) -> Iterator[str]:
    """For each record its number and the SHA-256 of what the rules say after it."""
    log = read((GOLDEN / f"{name}.mlog").read_bytes())
    bodies = [record.body for record in log.records]
    hidden = {body.k: body.d for body in bodies if isinstance(body, Reveal)}
    for record, position in positions(log, hidden):
        yield f"{record.n} {canon.b64url(hashlib.sha256(said(position)).digest())}"


def said(position: Position) -> bytes:
    """The canonical JSON of the state and of whose turn it is."""
    final = {} if position.state is None else position.rules.final(position.state)
    return canon.encode({"final": final, "turn": _turn(position.turn)})


def _turn(turn: Turn | None) -> dict[str, object]:
    match turn:
        case ToMove(seat):
            return {"seat": seat}
        case Chance(chain, Dice(sides)):
            return {"chain": chain, "dice": list(sides)}
        case Chance(chain, shuffle):
            return {"chain": chain, "shuffle": list(shuffle.ids)}
        case Over(reason, standing):
            return {"over": reason, "standing": [list(seat) for seat in standing]}
        case _:
            return {}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        text = "".join(line + "\n" for line in digests(name))
        (GOLDEN / f"{name}.digest").write_text(text)
