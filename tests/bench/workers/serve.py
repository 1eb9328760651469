"""The worker's side of the protocol: a line `OP SECONDS` in, a line of JSON out."""

from __future__ import annotations

import gc
import hashlib
import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

LONGEST = 20
"""A slice ends after so many times its seconds on the wall, whatever it has measured by then."""


class Pass(NamedTuple):
    """One pass of an operation: units done, the seconds that count, and what came out."""

    n: int
    seconds: float
    outcome: bytes


Operation = Callable[[], Pass]


def timed(work: Callable[[], tuple[int, bytes]]) -> Operation:
    """An operation whose whole pass counts."""

    def run() -> Pass:
        start = perf_counter()
        n, outcome = work()
        return Pass(n, perf_counter() - start, outcome)

    return run


def serve(version: str, prepare: Callable[[str], Operation]) -> None:
    """Says that it is ready, then answers until its input ends. Operations are prepared once."""
    _say({"ready": 1, "version": version})
    operations: dict[str, Operation] = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in operations:
            operations[name] = prepare(name)
            gc.freeze()
        _say(_slice(operations[name], float(seconds)))


def _slice(operation: Operation, seconds: float) -> dict[str, object]:
    n, spent, outcome = 0, 0.0, b""
    start = perf_counter()
    while spent < seconds and perf_counter() - start < LONGEST * seconds:
        done = operation()
        n, spent, outcome = n + done.n, spent + done.seconds, done.outcome
    return {"n": n, "dt": spent, "check": hashlib.sha256(outcome).hexdigest()[:16]}


def _say(answer: dict[str, object]) -> None:
    print(json.dumps(answer), flush=True)
