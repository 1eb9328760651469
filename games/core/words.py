"""Putting a `Say` into words."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.drawing import Language
from games.core.rules import Say

Words = Mapping[Language, Mapping[str, str]]
"""The sentences of a game by language and key; values stand in braces: `{square}`."""


def put(words: Words, say: Say, language: Language) -> str:
    """The sentence in a language. Raises KeyError for a key or a value that it lacks."""
    return words[language][say.key].format_map(dict(say.values))
