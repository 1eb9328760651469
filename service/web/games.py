"""The games as pages offer them: names, people, options with their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from games import registry
from games.core.drawing import Language
from games.core.rules import BadOptions, Option, complete
from games.registry import AnyRules
from service.web.request import _, language

PREFIX = "option."
"""Of the fields of a form that are options of its game."""
_SENTENCES = re.compile(r"(?<=\w\w[.!?]) ")
"""What parts them; not the point of a number, like that of “1. Million”."""
FEW = 12
ROUND = frozenset((1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500))
"""Of a long range of numbers, those that a form offers."""


@dataclass(frozen=True)
class Game:
    """A game as it is offered."""

    id: str
    name: str
    people: str
    about: str
    """What it is about, in one sentence: the second one of its rules."""


@dataclass(frozen=True)
class Choosable:
    """An option in a form: its values with their words, and the one that is chosen."""

    field: str
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
    return Game(id, name, _("%(people)s people", people=people), _about(id, language()))


@cache
def _about(id: str, language: Language) -> str:
    paragraphs = registry.manual(id, language).split("\n\n")
    sentences = _SENTENCES.split(paragraphs[1]) if len(paragraphs) > 1 else []
    return sentences[1] if len(sentences) > 1 else ""


def options(id: str, seats: int, chosen: Mapping[str, str]) -> tuple[Choosable, ...]:
    """The options of a game for so many; one that is not chosen stays "", as usual."""
    rules = registry.newest(id)
    usual, depends = complete(rules, seats, {}), _dependent(rules, seats)
    return tuple(
        _choosable(
            id,
            option,
            usual[option.name],
            chosen.get(option.name, ""),
            depends=option.name in depends,
        )
        for option in rules.options
    )


def _dependent(rules: AnyRules, seats: int) -> set[str]:
    """The options of which it depends on others what is usual."""
    usual, names = complete(rules, seats, {}), set()
    for other in rules.options:
        for value in other.words:
            with suppress(BadOptions):
                given = complete(rules, seats, {other.name: value})
                names |= {name for name in usual if given[name] != usual[name]} - {other.name}
    return names


def blamed(id: str, seats: int, chosen: Mapping[str, str]) -> str:
    """Of options that do not go together, the one to change: without it the others do; else ""."""
    names = [option.name for option in registry.newest(id).options if option.name in chosen]
    return next((name for name in names if _fit(id, seats, chosen, name)), "")


def _fit(id: str, seats: int, chosen: Mapping[str, str], left_out: str) -> bool:
    rest = {name: value for name, value in chosen.items() if name != left_out}
    try:
        complete(registry.newest(id), seats, rest)
    except BadOptions:
        return False
    return True


def _choosable(id: str, option: Option, usual: str, chosen: str, *, depends: bool) -> Choosable:
    numbers = [n for n in option.numbers if len(option.numbers) <= FEW or n in ROUND]
    values = dict.fromkeys((*option.words, *map(str, numbers), chosen or usual))
    as_usual = _("as usual: %(words)s", words=_worded(id, option.name, usual))
    named = (
        ("", _("as usual") if depends else as_usual),
        *((value, _worded(id, option.name, value)) for value in values),
    )
    label = registry.vocabulary(id).OPTIONS[language()][option.name]
    return Choosable(PREFIX + option.name, label, named, chosen)


def _worded(id: str, option: str, value: str) -> str:
    return registry.vocabulary(id).VALUES[language()].get(option, {}).get(value, value)
