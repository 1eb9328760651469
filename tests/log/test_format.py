"""The two specifications that an outsider reads say what the code does."""

from __future__ import annotations

import doctest
import re
from types import ModuleType

import pytest

import games.chance
import games.log
from games.log import schema


@pytest.mark.parametrize("package", [games.log, games.chance], ids=lambda package: package.__name__)
def test_the_worked_example_of_a_specification_comes_true(package: ModuleType) -> None:
    failed, tried = doctest.testmod(package)
    assert (failed, tried > 15) == (0, True)


SHAPES = [shape for shape in vars(schema).values() if isinstance(shape, schema.Shape)]
FIELDS = set().union(*(shape.known for shape in [*SHAPES, *schema._SYS.values()]))


def test_the_specification_defines_every_type_and_every_field() -> None:
    assert games.log.__doc__ is not None
    told = games.log.__doc__.split("\n## Fields\n")[1].split("\n## ")[0]
    firsts = re.findall(r"^    (\w+) {2,}", told, re.MULTILINE)
    seconds = re.findall(r"^    (?:\w+ {2,}| {8})(\w+(?:, \w+)*) {2,}", told, re.MULTILINE)
    inner = re.findall(r"[\"(](\w+)", told)
    assert FIELDS | set(schema._READERS) <= {*firsts, *", ".join(seconds).split(", "), *inner}
