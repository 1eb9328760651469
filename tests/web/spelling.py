"""The cards that a viewer has never seen, and every way in which they could be spelled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.policy import default
from functools import cache
from html import unescape
from typing import Any
from urllib.parse import unquote_plus

from games.core.drawing import LANGUAGES
from games.core.rules import Viewer
from games.log.record import Move, Record
from games.position import Position
from games.registry import words
from tests.web.crawl import CARDS
from tests.web.twins import laid_open, veiled

CODED = re.compile(r"[A-Za-z0-9+/=_-]{24,}")
"""Hashes, signatures and tokens, in which any two letters may stand."""
SIGNED = re.compile(r"[A-Za-z0-9+/]{60,}=*")
"""Signatures, in which a `+` is no space."""
LONG = 30
"""Letters of a sentence that stands in the vocabulary of its game."""
WORDED = re.compile(r"[^\W\d_]+ \d+")


def unseen(passed: Sequence[tuple[Record, Position]], viewer: Viewer) -> frozenset[str]:
    """The cards of which the viewer has not seen a copy yet, wherever it lay."""
    game, seats = passed[0][1].opened.game, passed[0][1].opened.seats
    if game == "monad" and seats == 2 and isinstance(viewer, int):
        return frozenset()  # of two seats each can work out what the other was dealt
    return frozenset(CARDS[game]) - {card for step in passed for card in _seen(*step, viewer)}


def _seen(record: Record, position: Position, viewer: Viewer) -> Iterator[str]:
    """Every card that lies open for the viewer after a record, and those that a line names."""
    if isinstance(record.body, Move):
        yield from re.findall(r"[A-Za-z]\d+", record.body.mv)
    table: dict[str, Any] = {}
    if position.state is not None:
        table |= position.rules.final(position.state)
    dark = {name for name, _ in veiled(position, table)} if table else set()
    for name, things in table.items():
        if name == "hands":
            open_hands = (f"s{viewer}", laid_open(record, table))
            yield from (card for seat in open_hands for card in things.get(seat, ()))
        elif name == "prices":
            yield from (f"{colour.upper()}{price}" for colour, price in things.items())
        elif name == "shares":
            yield from (card for cards in things.values() for card in cards)
        elif isinstance(things, list) and name not in dark:
            yield from things


def spelled(game: str, data: bytes, cards: frozenset[str]) -> list[str]:
    """Those of the cards that bytes name: by their id, in words, or within an address."""
    text = unquote_plus(SIGNED.sub(" ", unescape(readable(data))))
    for example in _examples(game):
        text = text.replace(example, " ")
    text = CODED.sub(" ", text)
    found = set(re.findall(r"[^\W_]+", text)) | set(map(str.casefold, WORDED.findall(text)))
    return sorted(card for card in cards if not found.isdisjoint(_names(game, card)))


def readable(data: bytes) -> str:
    """A page as it is; a mail with its headers and all its parts decoded."""
    if not data.startswith(b"From:"):
        return data.decode(errors="replace")
    mail = message_from_bytes(data, policy=default)
    parts = [
        str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"
    ]
    return "\n".join([*map(str, mail.values()), *parts])


@cache
def _examples(game: str) -> tuple[str, ...]:
    """What sentences of the game say themselves, such as how a move is written."""
    sentences = [sentence for language in LANGUAGES for sentence in words(game)[language].values()]
    parts = [part for sentence in sentences for part in re.split(r"\{\w+\}", sentence)]
    return tuple(part for part in parts if len(part) > LONG)


@cache
def _names(game: str, card: str) -> frozenset[str]:
    """The id of a card, and what the game calls it if it has words for cards."""
    key, found = f"card-{card[0]}", [words(game)[language] for language in LANGUAGES]
    told = {known[key].format(value=card[1:]).casefold() for known in found if key in known}
    return frozenset({card} | told)
