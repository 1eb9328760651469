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


@pytest.mark.parametrize("name", sorted(FIELDS | set(schema._READERS)))
def test_the_specification_names_every_type_and_every_field(name: str) -> None:
    assert games.log.__doc__ is not None
    assert re.search(rf"\b{name}\b", games.log.__doc__)
