"""Our verifier over whole logs, and what hashing them costs by itself."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable

from games.log import policy
from games.log.policy import Policy
from games.new import Wish, make_match
from games.verify import verify
from tests.bench import corpora, logs
from tests.bench.workers.serve import Operation, serve, timed

SEEDS = range(3)
LONGEST = 300
"""Records of a match of a game."""

Files = list[tuple[bytes, Policy]]


def prepare(name: str) -> Operation:
    """`verify:100`: the head alone is signed; `signed:100`: every record is; `hash:100`. Of whole
    matches of a game: `match:GAME` and `links:GAME`."""
    kind, _, of = name.partition(":")
    if kind in ("match", "links"):
        return timed((verdicts if kind == "match" else hashes)(played(of)))
    files = [(logs.log(int(of), signed=kind == "signed"), policy.parse(logs.POLICY))]
    return timed((hashes if kind == "hash" else verdicts)(files))


def played(game: str) -> Files:
    """Random matches of a game to their end, one of whose players signs."""
    seats = corpora.CHANCE.get(game, 2)
    made = (make_match(Wish(game, seats, seed), LONGEST) for seed in SEEDS)
    return [(one.log, policy.parse(one.policy)) for one in made]


def verdicts(files: Files) -> Callable[[], tuple[int, bytes]]:
    """The whole verification, from bytes to verdict lines."""
    count = sum(len(_lines(data)) for data, _ in files)

    def work() -> tuple[int, bytes]:
        found = [verify(data, trusted) for data, trusted in files]
        for verdict in found:
            assert verdict.ok, verdict.sentence
        return count, "\n".join(line for one in found for line in one.lines).encode()

    return work


def hashes(files: Files) -> Callable[[], tuple[int, bytes]]:
    """One SHA-256 for each line and nothing else."""

    def work() -> tuple[int, bytes]:
        count = 0
        for data, _ in files:
            lines = _lines(data)
            count += len(lines)
            for line in lines:
                hash = hashlib.sha256(line + b"\n").digest()
        return count, hash

    return work


def _lines(data: bytes) -> list[bytes]:
    return data.partition(b"\n\n")[0].split(b"\n")


if __name__ == "__main__":
    serve(f"pbem/1, Python {sys.version.split()[0]}", prepare)
