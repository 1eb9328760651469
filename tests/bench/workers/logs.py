"""Our verifier over whole logs, and what hashing them costs by itself."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable

from games.log import policy
from games.verify import verify
from tests.bench import logs
from tests.bench.workers.serve import Operation, serve, timed


def prepare(name: str) -> Operation:
    """`verify:100`: the head alone is signed; `signed:100`: every record is; `hash:100`."""
    kind, _, length = name.partition(":")
    data = logs.log(int(length), signed=kind == "signed")
    return timed(hashes(data) if kind == "hash" else verdict(data, int(length)))


def verdict(data: bytes, length: int) -> Callable[[], tuple[int, bytes]]:
    """The whole verification, from bytes to verdict lines."""
    trusted = policy.parse(logs.POLICY)

    def work() -> tuple[int, bytes]:
        found = verify(data, trusted)
        assert found.ok, found.sentence
        return length, "\n".join(found.lines).encode()

    return work


def hashes(data: bytes) -> Callable[[], tuple[int, bytes]]:
    """One SHA-256 for each line and nothing else."""

    def work() -> tuple[int, bytes]:
        lines = data.partition(b"\n\n")[0].split(b"\n")
        for line in lines:
            hash = hashlib.sha256(line + b"\n").digest()
        return len(lines), hash

    return work


if __name__ == "__main__":
    serve(f"pbem/1, Python {sys.version.split()[0]}", prepare)
