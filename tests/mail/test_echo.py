"""No line that a mail has from a game can be taken for a move, however it is quoted."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import pytest

from games.core.drawing import LANGUAGES, Reader
from games.core.rules import BYSTANDER, Viewer
from games.log.record import Move
from games.position import Position
from games.registry import drawing, games, newest
from games.verify import audit, positions, read
from service import tale
from service.mail import paper
from service.mail.inbound import grammar
from tests.log.forge import GOLDEN

NAMES = ("Anna", "Björn", "Carla", "Dmitri", "Eva", "Friedrich")
QUOTES = ("", "> ", ">")
EVERY = 9
"""Of the positions of a match, one in so many is looked at."""


def told(game: str) -> Iterator[str]:
    """Boards and sentences of a match as mails tell them, to everybody who could read them."""
    log = read((GOLDEN / f"{game}.mlog").read_bytes())
    steps = list(positions(log, audit(log.records).hidden, signatures=False))
    for (_, before), (record, after) in zip(steps[::EVERY], steps[1::EVERY], strict=False):
        if after.state is None:
            continue
        for language in LANGUAGES:
            for viewer in (1, BYSTANDER):
                reader = Reader(language, NAMES[: after.opened.seats], viewer)
                yield board(after, viewer, reader)
                if isinstance(record.body, Move) and before.state is not None:
                    yield tale.tell(record, before, after, reader)


def board(position: Position, viewer: Viewer, reader: Reader) -> str:
    return drawing(position.opened.game).text(tale.view(position, viewer), reader)


@pytest.mark.parametrize("game", games())
def test_no_line_is_a_move_or_a_command(game: str) -> None:
    for text in told(game):
        wrapped = [part for line in text.split("\n") for part in textwrap.wrap(line, 60)]
        for line in {*paper.filled(text).split("\n"), *text.split("\n"), *wrapped}:
            for quote in QUOTES:
                said = (quote + line).strip()
                for other in games():
                    assert grammar.turn(newest(other), said) is None, said
                    closed = grammar.turn(newest(other), " ".join(said.split()))
                    assert closed is None or closed.fault, said
                assert grammar.command(said, "7F3K") is None, said
