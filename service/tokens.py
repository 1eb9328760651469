"""What players give to programs and to readers of feeds: tokens that can be taken back.

A token is shown once and kept as a hash. One for the API stands in a header, `fp_` and 256 random
bits; one of a feed stands in its address, 128 random bits as in a link.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from service import people, quota
from service.db import Database
from service.errors import BadLink, BadName
from service.models import PLAYER, TOKEN
from service.quota import Quota

Purpose = Literal["api", "feed"]
MOST = 20
"""Of a purpose that a player may have at once."""
DAY = 86_400
ASKED = {"api": Quota("api", 120, 1), "feed": Quota("feed", 30, 60)}
"""How often one token may be used: a burst, then one in so many seconds."""

_SHAPE = {
    "api": re.compile(r"fp_[\w-]{43}", re.ASCII).fullmatch,
    "feed": re.compile(r"[a-z2-7]{26}").fullmatch,
}


@dataclass(frozen=True)
class Token:
    """A token as its player sees it."""

    id: int
    purpose: Purpose
    name: str
    plays: bool
    created: int
    used: int | None
    """When the day began on which it was used last (UTC)."""


@dataclass(frozen=True)
class Bearer:
    """Whose token it is, and what it may do."""

    token: int
    player: int
    name: str
    language: str
    zone: str
    plays: bool
    created: int
    used: int | None


def make(
    db: Database, player: int, purpose: Purpose, name: str, *, now: int, plays: bool = False
) -> str:
    """A new token of a player, which is nowhere to be read again. Raises BadName, also for one too
    many."""
    named, token = people.name(name), _new(purpose)
    with db.write() as conn:
        if len(_rows(conn, player, purpose)) >= MOST:
            raise BadName("You have %(most)s of them. Please take one back first.", most=MOST)
        conn.execute(
            TOKEN.insert().values(
                player=player,
                purpose=purpose,
                name=named,
                plays=plays,
                hash=_hash(token),
                created=now,
            )
        )
    return token


def of_player(db: Database, player: int) -> list[Token]:
    """All tokens of a player, the oldest first."""
    with db.read() as conn:
        return [*_rows(conn, player, "api"), *_rows(conn, player, "feed")]


def revoke(db: Database, player: int, token: int) -> None:
    """Takes a token back: from now on it is worth nothing. One of somebody else stays."""
    with db.write() as conn:
        conn.execute(TOKEN.delete().where(TOKEN.c.id == token, TOKEN.c.player == player))


def use(db: Database, purpose: Purpose, token: str, now: int) -> Bearer:
    """Who brings a token. It counts as used today. Raises BadLink for one that is made up or was
    taken back, TooMany for one that comes too often."""
    with db.read() as conn:
        _find(conn, purpose, token)  # nobody without a token keeps others from writing
    with db.write() as conn:
        bearer, today = _find(conn, purpose, token), now - now % DAY
        quota.take(conn, ASKED[purpose], bearer.token, now)
        if bearer.used != today:
            conn.execute(TOKEN.update().where(TOKEN.c.id == bearer.token).values(used=today))
    return bearer


def _find(conn: sa.Connection, purpose: Purpose, token: str) -> Bearer:
    if not _SHAPE[purpose](token):
        raise BadLink
    person = (PLAYER.c.name, PLAYER.c.language, PLAYER.c.zone)
    query = sa.select(
        TOKEN.c.id, TOKEN.c.player, *person, TOKEN.c.plays, TOKEN.c.created, TOKEN.c.used
    ).join(PLAYER, PLAYER.c.id == TOKEN.c.player)
    mine = query.where(TOKEN.c.hash == _hash(token), TOKEN.c.purpose == purpose)
    row = conn.execute(mine).first()
    if row is None:
        raise BadLink
    return Bearer(*row)


def _rows(conn: sa.Connection, player: int, purpose: Purpose) -> list[Token]:
    fields = [TOKEN.c[name] for name in Token.__dataclass_fields__]
    mine = sa.select(*fields).where(TOKEN.c.player == player, TOKEN.c.purpose == purpose)
    return [Token(*row) for row in conn.execute(mine.order_by(TOKEN.c.id))]


def _new(purpose: Purpose) -> str:
    if purpose == "api":
        return f"fp_{secrets.token_urlsafe(32)}"
    return base64.b32encode(secrets.token_bytes(16)).decode("ascii").rstrip("=").lower()


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("ascii")).digest()
