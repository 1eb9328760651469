"""Views as plain data: the fields of the view and nothing else, in the form that is described."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import pytest
from jsonschema import Draft202012Validator

from games import registry
from games.core.rules import BYSTANDER, OPEN, complete
from games.plain import plain, schema
from tests.games import walk
from tests.games.script import expel_toys

expel_toys()
VERSIONS = [(game, version) for game in registry.games() for version in registry.versions(game)]


@pytest.mark.parametrize(("game", "version"), VERSIONS)
def test_every_view_has_the_form_that_is_described(game: str, version: int) -> None:
    rules = registry.find(game, version)
    described = schema(game, version)
    Draft202012Validator.check_schema(described)
    check = Draft202012Validator(described)
    for seats in rules.seats:
        random = Random(seats)
        for state in walk.states(rules, seats, complete(rules, seats, {}), random):
            viewer = random.choice([1, seats, BYSTANDER, OPEN])
            told = plain(rules.view(state, viewer))
            check.validate(told)
            assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize(("game", "version"), VERSIONS)
def test_different_views_differ_as_plain_data(game: str, version: int) -> None:
    rules = registry.find(game, version)
    seats = rules.seats[0]
    states = walk.states(rules, seats, complete(rules, seats, {}), Random(1))
    views = {rules.view(state, 1) for state in states}
    assert len({json.dumps(plain(view)) for view in views}) == len(views)


class Card(NamedTuple):
    name: str


@dataclass(frozen=True)
class DrawTwo:
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Table:
    done: DrawTwo | None
    pair: tuple[int, str]


def test_a_dataclass_inside_a_view_says_what_it_is() -> None:
    told = plain(Table(DrawTwo((Card("B7"),)), (1, "x")))
    assert told == {"done": {"kind": "draw-two", "cards": [{"name": "B7"}]}, "pair": [1, "x"]}
    assert plain(Table(None, (1, "x")))["done"] is None


@pytest.mark.parametrize("value", [{1: 2}, {1}, [1], 1.5, b"x", object()])
def test_what_has_no_plain_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        plain(Table(value, (1, "x")))  # type: ignore[arg-type]


def test_fields_are_described_by_what_stands_below_them_in_the_source() -> None:
    described = schema("black-monday", 1)
    assert "In card order" in json.dumps(described)
    assert described["additionalProperties"] is False
