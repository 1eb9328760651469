"""The table, the goals, and the header that says under what conditions they were measured."""

from __future__ import annotations

import os
import platform
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from tests.bench.pair import Measured, Ratio, ratio
from tests.bench.suites import Group

GOALS = Path(__file__).with_name("goals.toml")
PROBE = 0.4
"""Seconds of the fdatasync probe."""
HEAD = ("suite", "row", "value", "unit", "ratio", "q1", "q3", "of", "goal", "ok")


@dataclass(frozen=True)
class Goal:
    """A bound of a ratio; the worse quartile may miss it by the tolerance."""

    id: str
    at_least: float | None = None
    at_most: float | None = None
    tolerance: float = 0.15

    def met(self, found: Ratio) -> bool:
        if self.at_least is not None:
            lowest = self.at_least * (1 - self.tolerance)
            return found.median >= self.at_least and found.q1 >= lowest
        assert self.at_most is not None
        return found.median <= self.at_most and found.q3 <= self.at_most * (1 + self.tolerance)

    def __str__(self) -> str:
        return f"≥{self.at_least:g}" if self.at_least is not None else f"≤{self.at_most:g}"


@dataclass(frozen=True)
class Line:
    """One line of the table. `void` is the reason why its figure does not count."""

    suite: str
    label: str
    unit: str
    value: float | None = None
    ratio: Ratio | None = None
    of: str = ""
    goal: Goal | None = None
    void: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it: no goal missed, no result void."""
        if self.goal is None or self.ratio is None:
            return not (self.void and self.goal)
        return not self.void and self.goal.met(self.ratio)


def goals() -> dict[str, Goal]:
    """The goals by id."""
    return {
        name: Goal(
            name,
            found.get("at_least"),
            found.get("at_most"),
            found.get("tolerance", Goal.tolerance),
        )
        for name, found in tomllib.loads(GOALS.read_text())["goals"].items()
    }


def pinned() -> dict[str, str]:
    """The digests that the corpora must have."""
    found: dict[str, str] = tomllib.loads(GOALS.read_text())["corpora"]
    return found


def lines(group: Group, measured: Measured, known: Mapping[str, Goal]) -> Iterable[Line]:
    """The lines of a group: the yardstick, then each engine with its ratio."""
    for row in (group.yard, *group.rows):
        found = measured.ratios.get(row.op)
        yield Line(
            group.suite,
            row.label,
            group.unit,
            measured.rate(row.op),
            ratio(found, inverse=row.inverse) if found else None,
            f"{row.goal} {row.versus}".strip(),
            known.get(row.goal),
            "" if len(measured.checks(row.op)) == 1 else "results differ",
        )


def failed(group: Group, reason: str, known: Mapping[str, Goal]) -> Iterable[Line]:
    """The lines of a group that could not be measured."""
    for row in (group.yard, *group.rows):
        yield Line(group.suite, row.label, group.unit, goal=known.get(row.goal), void=reason)


def table(found: Iterable[Line]) -> str:
    """All lines in columns."""
    rows = [HEAD, *map(_cells, found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _cells(line: Line) -> tuple[str, ...]:
    value = "-" if line.value is None else _figure(line.value)
    quartiles = ("-", "-", "-")
    if line.ratio is not None:
        quartiles = (
            f"{line.ratio.median:.3g}",
            f"{line.ratio.q1:.3g}",
            f"{line.ratio.q3:.3g}",
        )
    goal, ok = "", ""
    if line.goal is not None:
        goal, ok = str(line.goal), "yes" if line.ok else "NO"
    return (line.suite, line.label, value, line.unit, *quartiles, line.of, goal, line.void or ok)


def _figure(value: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def header(versions: Mapping[str, str], corpora: Mapping[str, str]) -> dict[str, object]:
    """Machine, versions and corpora, as far as they bear on the figures."""
    return {
        "python": sys.version.split()[0],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "engines": dict(versions),
        "corpora": dict(corpora),
    }


def conditions(folder: Path) -> dict[str, float]:
    """Load of the machine and fdatasync/s of a folder, now."""
    return {"load": round(os.getloadavg()[0], 2), "fdatasync/s": round(_syncs(folder))}


def _syncs(folder: Path) -> float:
    path = folder / "sync-probe"
    handle = os.open(path, os.O_CREAT | os.O_WRONLY)
    count, start = 0, perf_counter()
    try:
        while perf_counter() - start < PROBE:
            os.pwrite(handle, b"x" * 512, 0)
            os.fdatasync(handle)
            count += 1
    finally:
        os.close(handle)
        path.unlink()
    return count / (perf_counter() - start)


def as_json(line: Line) -> dict[str, object]:
    """A line for machines."""
    return {**asdict(line), "ok": line.ok}
