"""What is measured against what. Each module here has GROUPS, each group one yardstick."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.pair import Op

LENGTHS = (10, 100, 1_000, 10_000)


@dataclass(frozen=True)
class Row:
    """One engine of a group, and how its ratio to the yardstick is to be read."""

    op: Op
    label: str
    versus: str = ""
    inverse: bool = False
    """Is the ratio yardstick / engine?"""
    goal: str = ""
    """The id of its goal in goals.toml."""


@dataclass(frozen=True)
class Group:
    """What is measured in turn with one yardstick."""

    suite: str
    unit: str
    yard: Row
    rows: tuple[Row, ...]
