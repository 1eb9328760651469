"""What players keep in mind about their matches: nobody else ever reads it."""

from __future__ import annotations

import sqlalchemy as sa

from service.db import Database, insert
from service.models import NOTE
from service.writing import tidy

LENGTH = 10_000


def read(conn: sa.Connection, player: int, match: str) -> str:
    """A player's note about a match; "" if there is none."""
    mine = sa.and_(NOTE.c.player == player, NOTE.c.match == match)
    return conn.execute(sa.select(NOTE.c.text).where(mine)).scalar() or ""


def keep(db: Database, player: int, match: str, text: str, now: int) -> None:
    """Keeps a note in place of the one before; an empty one is none. Raises BadForm for one that
    is too long."""
    values = {"text": tidy(text, LENGTH), "changed": now}
    mine = sa.and_(NOTE.c.player == player, NOTE.c.match == match)
    with db.write() as conn:
        if not values["text"]:
            conn.execute(NOTE.delete().where(mine))
            return
        row = insert(conn.dialect.name, NOTE).values(player=player, match=match, **values)
        conn.execute(row.on_conflict_do_update(index_elements=["player", "match"], set_=values))


def of_player(conn: sa.Connection, player: int) -> list[tuple[str, str]]:
    """All notes of a player, each with its match: part of their own data."""
    query = sa.select(NOTE.c.match, NOTE.c.text).where(NOTE.c.player == player)
    return [(match, text) for match, text in conn.execute(query.order_by(NOTE.c.match))]
