"""Whom it concerns at once when something happens in a match that is no turn."""

from __future__ import annotations

from games.log.record import Act, Body, Sys
from games.position import Phase, Position, gone
from service import matches

KNOWN = ("rekey", "clock")
"""What nobody has to hear of before their next turn."""


def readers(before: Position, after: Position, body: Body) -> tuple[int, ...]:
    """The seats to be told of a record: those that play on, except who did it, and who has just
    got a turn, which tells it as well."""
    if after.phase is not Phase.RUNNING or not _is_news(body):
        return ()
    informed = matches.mover(after) if matches.turn(before) != matches.turn(after) else None
    away = {*gone(after), _doer(body), informed}
    return tuple(seat for seat in range(1, after.opened.seats + 1) if seat not in away)


def _is_news(body: Body) -> bool:
    kind = body.act if isinstance(body, Act) else body.sys if isinstance(body, Sys) else ""
    return bool(kind) and kind not in KNOWN


def _doer(body: Body) -> int | None:
    return body.seat if isinstance(body, Act | Sys) else None
