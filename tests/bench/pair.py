"""The interleaver: every engine in its own process, one at work at a time, ratios within a round.

Figures of different minutes differ by up to two on a shared machine. So a ratio is only ever made
of neighbours: yardstick, engine, yardstick, engine, yardstick; each engine is compared with the
mean of the yardstick just before and just after it, and every other round runs backwards.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class Op(NamedTuple):
    """An operation of an engine: `Op("logs", "verify:100")`."""

    engine: str
    name: str


@dataclass(frozen=True)
class Slice:
    """What an engine did in one turn: units of work, seconds, and a hash of what came out."""

    n: int
    seconds: float
    check: str

    @property
    def rate(self) -> float:
        return self.n / self.seconds


class EngineFailed(RuntimeError):
    """An engine ended or answered nothing."""


class Worker:
    """The process of one engine. It blocks on its input while others work."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.start()

    def start(self) -> None:
        """Starts the process and waits until it is ready. Raises EngineFailed."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"tests.bench.workers.{self.engine}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.version = str(self._exchange("")["version"])

    def ask(self, name: str, seconds: float) -> Slice:
        """One slice of an operation, by a new process if the last failed. Raises EngineFailed."""
        if self.process.poll() is not None:
            self.start()
        answer = self._exchange(f"{name} {seconds}\n")
        return Slice(int(answer["n"]), float(answer["dt"]), str(answer["check"]))

    def end(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _exchange(self, line: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if line:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        said = self.process.stdout.readline()
        if not said:
            self.process.wait()
            raise EngineFailed(f"{self.engine} failed at {line.strip() or 'its start'}")
        answer: dict[str, Any] = json.loads(said)
        return answer


@contextmanager
def workers(engines: Sequence[str]) -> Iterator[dict[str, Worker]]:
    """Starts the processes of the engines and ends exactly these."""
    started: dict[str, Worker] = {}
    try:
        for engine in engines:
            started[engine] = Worker(engine)
        yield started
    finally:
        for worker in started.values():
            worker.end()


@dataclass
class Measured:
    """All slices of a group, and the ratios that neighbours gave."""

    slices: dict[Op, list[Slice]] = field(default_factory=lambda: defaultdict(list))
    ratios: dict[Op, list[float]] = field(default_factory=lambda: defaultdict(list))

    def rate(self, op: Op) -> float:
        return median(found.rate for found in self.slices[op])

    def checks(self, op: Op) -> set[str]:
        return {found.check for found in self.slices[op]}


def interleave(yard: Op, others: Sequence[Op], rounds: int, ask: Callable[[Op], Slice]) -> Measured:
    """Yardstick and engines in turn, after one unrecorded slice of each."""
    measured = Measured()
    for op in (yard, *others):
        ask(op)
    for number in range(rounds):
        order = others if number % 2 == 0 else tuple(reversed(others))
        before = _record(measured, yard, ask)
        for op in order:
            between = _record(measured, op, ask)
            after = _record(measured, yard, ask)
            measured.ratios[op].append(between.rate / fmean((before.rate, after.rate)))
            before = after
    return measured


def _record(measured: Measured, op: Op, ask: Callable[[Op], Slice]) -> Slice:
    found = ask(op)
    measured.slices[op].append(found)
    return found


@dataclass(frozen=True)
class Ratio:
    """Median and quartiles of the ratios of a row."""

    median: float
    q1: float
    q3: float


def ratio(values: Sequence[float], *, inverse: bool = False) -> Ratio:
    """The quartiles of an engine against its yardstick, or of the yardstick against it."""
    turned = sorted(1 / value if inverse else value for value in values)
    if len(turned) == 1:
        return Ratio(turned[0], turned[0], turned[0])
    q1, q2, q3 = quantiles(turned, n=4, method="inclusive")
    return Ratio(q2, q1, q3)
