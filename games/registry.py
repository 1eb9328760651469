"""Finds the games: every folder of `games` whose package has VERSIONS is one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, cast

import games as all_games
from games.core.bot import Bot
from games.core.drawing import Drawing, Language
from games.core.rules import Rules
from games.core.words import Vocabulary, Words

AnyState = Any
"""A state of any game; only that game's own functions look inside, so no type can say more."""
AnyRules = Rules[Any, Any, Any]
"""The rules of any game, for code that passes states, moves and views through unopened."""
AnyDrawing = Drawing[Any]
"""The drawing of any game, for the same reason."""
AnyBot = Bot[Any]
"""The house player of any game, for the same reason."""


class UnknownRules(LookupError):
    """There is no such game, or no such version of it."""


def games() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(name for name in _folders() if _versions(name)))


def find(game: str, version: int) -> AnyRules:
    """The rules of a game in a version. Raises UnknownRules."""
    rules = _known(game).get(version)
    if rules is None:
        raise UnknownRules(f"There is no version {version} of the rules of {game}.")
    return rules


def versions(game: str) -> tuple[int, ...]:
    """The versions of the rules of a game, sorted. Raises UnknownRules."""
    return tuple(sorted(_known(game)))


def newest(game: str) -> AnyRules:
    """The rules under which a new match of the game starts. Raises UnknownRules."""
    versions = _known(game)
    return versions[max(versions)]


def drawing(game: str) -> AnyDrawing:
    """How the game is drawn and told. Raises UnknownRules."""
    return cast(AnyDrawing, _part(game, "draw"))


def bot(game: str) -> AnyBot:
    """The house player of the game. Raises UnknownRules."""
    return cast(AnyBot, _part(game, "bot"))


def vocabulary(game: str) -> Vocabulary:
    """Everything the game has words for. Raises UnknownRules."""
    return cast(Vocabulary, _part(game, "words"))


def words(game: str) -> Words:
    """The sentences of the game. Raises UnknownRules."""
    return vocabulary(game).WORDS


def manual(game: str, language: Language) -> str:
    """The rules as players read them, in Markdown. Raises UnknownRules."""
    _known(game)
    return files(_folders()[game]).joinpath(f"rules.{language}.md").read_text("utf-8")


@cache
def _folders() -> Mapping[str, str]:
    return {
        found.name.replace("_", "-"): f"games.{found.name}"
        for found in iter_modules(all_games.__path__)
        if found.ispkg
    }


@cache
def _versions(game: str) -> Mapping[int, AnyRules]:
    return getattr(import_module(_folders()[game]), "VERSIONS", {})


def _known(game: str) -> Mapping[int, AnyRules]:
    versions = _versions(game) if game in _folders() else {}
    if not versions:
        raise UnknownRules(f"There is no game {game!r}.")
    return versions


def _part(game: str, module: str) -> ModuleType:
    _known(game)
    return import_module(f"{_folders()[game]}.{module}")
