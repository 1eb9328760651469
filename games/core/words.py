"""Putting a `Say` into words, and the words that all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from games.core.drawing import Language, Reader
from games.core.rules import OF, Say
from games.core.text import plain

Words = Mapping[Language, Mapping[str, str]]
"""The sentences of a game by language and key; values stand in braces: `{square}`."""


class Vocabulary(Protocol):
    """The module `words.py` of a game."""

    NAME: Mapping[Language, str]
    OPTIONS: Words
    """What each option is called."""
    VALUES: Mapping[Language, Mapping[str, Mapping[str, str]]]
    """By option: what each of its words means. Numbers speak for themselves."""
    REASONS: Words
    """Why a match ended: the reasons of the game and those of every match."""
    WORDS: Words
    """A sentence for every Say of the game, and the general ones."""


GENERAL: Words = {
    "de": {
        "bad-seats": "Dieses Spiel geht nicht mit {seats} Plätzen.",
        "unknown-option": "Eine Option „{option}“ gibt es in diesem Spiel nicht.",
        "bad-option": "Die Option „{option}“ kann nicht „{value}“ sein.",
        "no-move": "Hier fehlt der Zug.",
        "and": "{most} und {last}",
    },
    "en": {
        "bad-seats": "This game cannot be played with {seats} seats.",
        "unknown-option": "This game has no option “{option}”.",
        "bad-option": "The option “{option}” cannot be “{value}”.",
        "no-move": "The move is missing.",
        "and": "{most} and {last}",
    },
}
"""What `games.core` says itself; every game takes these into its WORDS."""

ENDS: Words = {
    "de": {
        "resign": "Aufgabe",
        "timeout": "die Zeit ist abgelaufen",
        "agreed": "so vereinbart",
        "void": "für nichtig erklärt",
        "adjudicated": "vom Betreiber entschieden",
    },
    "en": {
        "resign": "resignation",
        "timeout": "out of time",
        "agreed": "as agreed",
        "void": "declared void",
        "adjudicated": "decided by the operator",
    },
}
"""The reasons for which any match can end; every game takes these into its REASONS."""


def put(words: Words, say: Say, language: Language) -> str:
    """The sentence in a language; one about a move of a longer line names that move. Raises
    KeyError for a key or a value that it lacks."""
    values = dict(say.values)
    sentence = words[language][say.key].format_map(values)
    move = str(values.get(OF, ""))
    return sentence if move in sentence else f"{move}: {sentence}"


def address(words: Words, reader: Reader, key: str, seat: int = 0, **values: str | int) -> str:
    """A sentence about a seat, whose name is `name`; 0 is nobody.

    If the seat is the reader's own, the sentence `key-you` stands in its place where there is one.
    """
    if seat:
        values["name"] = plain(reader.names[seat - 1])
    if seat and seat == reader.viewer and f"{key}-you" in words[reader.language]:
        key += "-you"
    return put(words, Say(key, tuple(values.items())), reader.language)


def listed(words: Words, reader: Reader, things: Sequence[str]) -> str:
    """Things as people list them: one, one and another, some and a last."""
    *most, last = things
    return address(words, reader, "and", most=", ".join(most), last=last) if most else last
