"""What a turn line became: kept with the links of its turn, so that sent again it is the same."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from games.core import line as turn_line
from games.core.rules import MalformedMove
from games.position import Position
from service import links
from service.links import TurnLink


@dataclass(frozen=True)
class Answer:
    """The part of a receipt that is stored."""

    record: int
    line: str
    rest: str
    over: bool
    again: bool = False

    def text(self) -> str:
        """As the database keeps it."""
        return json.dumps(asdict(self))

    def same(self, position: Position, typed: str) -> bool:
        """Whether a line is the one that was sent."""
        sent = turn_line.JOINT.join(part for part in (self.line, self.rest) if part)
        try:
            return turn_line.read(position.rules, typed) == sent
        except MalformedMove:
            return False


def of(link: TurnLink) -> Answer | None:
    """What the line sent for a turn became; None if none was."""
    return None if link.answer is None else _parsed(link.answer)


def latest(conn: sa.Connection, match: str, seat: int) -> Answer | None:
    """What the seat's last turn became."""
    kept = links.last_answer(conn, match, seat)
    return None if kept is None else _parsed(kept)


def _parsed(text: str) -> Answer:
    return Answer(**json.loads(text))
