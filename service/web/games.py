"""The games as pages offer them: names, people, options with their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games import registry
from games.core.rules import Option, complete
from service.web.request import _, language

FEW = 12
ROUND = frozenset((1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500))
"""Of a long range of numbers, those that a form offers."""


@dataclass(frozen=True)
class Game:
    """A game on the shelf."""

    id: str
    name: str
    people: str


@dataclass(frozen=True)
class Choosable:
    """An option in a form: its values with their words, and the one that is chosen."""

    name: str
    label: str
    values: tuple[tuple[str, str], ...]
    chosen: str


def offered() -> tuple[Game, ...]:
    """All games."""
    return tuple(map(game, registry.games()))


def game(id: str) -> Game:
    """One game. Raises UnknownRules."""
    seats = registry.newest(id).seats
    people = f"{seats[0]}–{seats[-1]}" if len(seats) > 1 else str(seats[0])
    name = registry.vocabulary(id).NAME[language()]
    return Game(id, name, _("%(people)s people", people=people))


def options(id: str, chosen: Mapping[str, str]) -> tuple[Choosable, ...]:
    """The options of a game; one that is not chosen stays "", as usual."""
    rules = registry.newest(id)
    usual = complete(rules, rules.seats[0], {})
    return tuple(
        _choosable(id, option, usual[option.name], chosen.get(option.name, ""))
        for option in rules.options
    )


def unusual(id: str, chosen: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Label and words of what was chosen otherwise than usual."""
    rules, vocabulary = registry.newest(id), registry.vocabulary(id)
    usual = complete(rules, rules.seats[0], {})
    labels = vocabulary.OPTIONS[language()]
    return tuple(
        (labels[name], _worded(id, name, value))
        for name, value in chosen.items()
        if value != usual.get(name)
    )


def _choosable(id: str, option: Option, usual: str, chosen: str) -> Choosable:
    numbers = [n for n in option.numbers if len(option.numbers) <= FEW or n in ROUND]
    values = dict.fromkeys((*option.words, *map(str, numbers), chosen or usual))
    as_usual = _("as usual: %(words)s", words=_worded(id, option.name, usual))
    named = (("", as_usual), *((value, _worded(id, option.name, value)) for value in values))
    return Choosable(
        option.name, registry.vocabulary(id).OPTIONS[language()][option.name], named, chosen
    )


def _worded(id: str, option: str, value: str) -> str:
    return registry.vocabulary(id).VALUES[language()].get(option, {}).get(value, value)
