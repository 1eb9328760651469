"""Tokens that are mailed: a purpose and the row of a link make 26 characters.

The worker can write a token from its row and the link key; the database keeps its hash alone, so
whoever reads the database has no link. Purposes: `w` turn page, `t` turn reply, `i` invitation,
`a` confirm and access, `u` unsubscribe, `b` bounces.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from service.errors import BadLink
from service.models import LINK

Purpose = Literal["w", "t", "i", "a", "u", "b"]
TURN: tuple[Purpose, ...] = ("w", "t")

_TOKEN = re.compile(r"[a-z2-7]{26}").fullmatch


@dataclass(frozen=True)
class LinkRow:
    """What a token stands for. A turn link has match, seat and wait; an invitation match and
    place (a row of `seat`); confirm and access have an opening, or a player and perhaps a match."""

    id: str
    purpose: Purpose
    match: str | None
    seat: int | None
    wait: int | None
    place: int | None
    player: int | None
    opening: int | None
    expires: int | None
    used: int | None
    answer: str | None

    def live(self, now: int) -> bool:
        """Whether it can still be used."""
        return self.used is None and (self.expires is None or now < self.expires)


_FIELDS = [LINK.c[name] for name in LinkRow.__dataclass_fields__]
_MAKE = LINK.insert()
_SEAT = sa.and_(LINK.c.match == sa.bindparam("of"), LINK.c.seat == sa.bindparam("whose"))
_OF_TURN = sa.and_(_SEAT, LINK.c.wait == sa.bindparam("on"))
_FIND_TURN = sa.select(*_FIELDS).where(_OF_TURN, LINK.c.purpose == "w")
_LAST = (
    sa.select(LINK.c.answer)
    .where(_SEAT, LINK.c.answer.is_not(None))
    .order_by(LINK.c.wait.desc())
    .limit(1)
)
_ANSWER = LINK.update().where(_OF_TURN, LINK.c.purpose.in_(TURN))


def make(
    conn: sa.Connection,
    key: bytes,
    purpose: Purpose,
    *,
    now: int,
    expires: int | None = None,
    **scope: str | int | None,
) -> str:
    """Stores a link and returns the id of its row; `key` is the link key, `scope` what it is for:
    match, seat, wait, place, player, opening."""
    row = secrets.token_hex(16)
    hash = _hash(token(key, purpose, row))
    values: dict[str, object] = {
        "id": row,
        "purpose": purpose,
        "hash": hash,
        "created": now,
        "expires": expires,
    }
    conn.execute(_MAKE, values | scope)
    return row


def token(key: bytes, purpose: Purpose, row: str) -> str:
    """The token of a link's row: 128 bits in lower-case base32."""
    mac = hmac.digest(key, f"{purpose}|{row}".encode("ascii"), "sha256")
    return base64.b32encode(mac[:16]).decode("ascii").rstrip("=").lower()


def find(conn: sa.Connection, purpose: Purpose, token: str) -> LinkRow:
    """The link of a token in any case of letters, used and expired ones too. Raises BadLink."""
    found = _TOKEN(token.lower())
    query = sa.select(*_FIELDS).where(LINK.c.purpose == purpose)
    row = found and conn.execute(query.where(LINK.c.hash == _hash(found[0]))).first()
    if not row:
        raise BadLink
    return LinkRow(*row)


def of_turn(conn: sa.Connection, match: str, seat: int, wait: int) -> LinkRow | None:
    """The link to the page of a turn."""
    row = conn.execute(_FIND_TURN, {"of": match, "whose": seat, "on": wait}).first()
    return LinkRow(*row) if row else None


def last_answer(conn: sa.Connection, match: str, seat: int) -> str | None:
    """What the seat's last turn became."""
    return conn.execute(_LAST, {"of": match, "whose": seat}).scalar()


def answered(conn: sa.Connection, match: str, seat: int, wait: int, answer: str, now: int) -> None:
    """Marks all links of a turn as used, with what the line sent became."""
    turn = {"of": match, "whose": seat, "on": wait}
    conn.execute(_ANSWER, {**turn, "used": now, "answer": answer})


def spend(conn: sa.Connection, row: str, now: int) -> bool:
    """Marks a link as used; whether this call was the first to do so."""
    spent = LINK.update().where(LINK.c.id == row, LINK.c.used.is_(None)).values(used=now)
    return conn.execute(spent).rowcount == 1


def withdraw(conn: sa.Connection, match: str, now: int, place: int | None = None) -> None:
    """Ends the invitations of a match, or the one for a place of it."""
    invitations = sa.and_(LINK.c.match == match, LINK.c.purpose == "i", LINK.c.used.is_(None))
    one = sa.true() if place is None else LINK.c.place == place
    conn.execute(LINK.update().where(invitations, one).values(expires=now))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("ascii")).digest()
