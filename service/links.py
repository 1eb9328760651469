"""Tokens that are mailed: a purpose and the row of a link make 26 characters.

The worker can write a token from its row and the link key; the database keeps its hash alone, so
whoever reads the database has no link. Purposes: `w` turn page, `t` the address for answers to
the turn, `i` invitation, page and address, `a` confirm and access, `u` unsubscribing, `h` a line
that came from a stranger, to be played or not. Of another kind, `b`, are the addresses to which
mails come back: their row is the mail itself. Two more confirm a change of an account: `o` is for
the address that is known, `n` for a new one. `d` is the address for answers to a daily mail, and
`x` that of a turn the operator sends for trial, which has no row.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from service.errors import BadLink
from service.models import LINK

Purpose = Literal["w", "t", "i", "a", "u", "h", "b", "o", "n", "d", "x"]

_TOKEN = re.compile(r"[a-z2-7]{26}").fullmatch


@dataclass(frozen=True)
class Link:
    """What a token stands for."""

    id: str
    expires: int | None
    used: int | None

    def live(self, now: int) -> bool:
        """Whether it can still be used."""
        return self.used is None and (self.expires is None or now < self.expires)


@dataclass(frozen=True)
class TurnLink(Link):
    """Shows one seat, and plays its turn that waits on a record."""

    match: str
    seat: int
    wait: int
    answer: str | None
    """What the line sent over it became."""


@dataclass(frozen=True)
class Invitation(Link):
    """Fills a place of a match: a row of `seat`."""

    match: str
    place: int


@dataclass(frozen=True)
class Confirmation(Link):
    """Confirms the address of a form, which opens its match."""

    opening: int


@dataclass(frozen=True)
class Access(Link):
    """Signs a player in, and leads to a match of theirs or to all of them."""

    player: int
    match: str | None


@dataclass(frozen=True)
class PlayerLink(Link):
    """Takes answers to a daily mail of a player; of nobody once the account is deleted."""

    player: int | None


@dataclass(frozen=True)
class ChangeLink(Link):
    """Says yes to a change of an account, for the old address or for the new one."""

    change: int
    new: bool


@dataclass(frozen=True)
class WayOut(Link):
    """Stops mails: those to a place of a match, or the daily one to a player."""

    match: str | None
    place: int | None
    player: int | None


_MAKE = LINK.insert()
_SEAT = sa.and_(LINK.c.match == sa.bindparam("of"), LINK.c.seat == sa.bindparam("whose"))
_OF_TURN = sa.and_(_SEAT, LINK.c.wait == sa.bindparam("on"))
_FIND = sa.select(LINK).where(
    LINK.c.purpose == sa.bindparam("for"), LINK.c.hash == sa.bindparam("hashed")
)
_FIND_TURN = sa.select(LINK).where(_OF_TURN, LINK.c.purpose == "w")
_LAST = (
    sa.select(LINK.c.answer)
    .where(_SEAT, LINK.c.answer.is_not(None), LINK.c.purpose == "w")
    .order_by(LINK.c.wait.desc())
    .limit(1)
)
_ANSWER = LINK.update().where(_OF_TURN, LINK.c.purpose.in_(("w", "t")))
_ADDRESS = sa.select(LINK).where(_OF_TURN, LINK.c.purpose == "t")


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
    match, seat, wait, place, player, opening, change."""
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


def bounce(key: bytes, message_id: str) -> tuple[str, bytes]:
    """The token in the address to which a mail comes back, and the hash that the outbox keeps."""
    returning = token(key, "b", message_id)
    return returning, _hash(returning)


def token(key: bytes, purpose: Purpose, row: str) -> str:
    """The token of a link's row: 128 bits in lower-case base32."""
    mac = hmac.digest(key, f"{purpose}|{row}".encode("ascii"), "sha256")
    return base64.b32encode(mac[:16]).decode("ascii").rstrip("=").lower()


def turn(conn: sa.Connection, token: str) -> TurnLink:
    """The link to a turn. Like the next two it takes a token in any case of letters, and finds
    used and expired links too. Raises BadLink."""
    return _turn(_find(conn, "w", token))


def answering(conn: sa.Connection, token: str) -> TurnLink:
    """The address for answers to a turn. Raises BadLink."""
    return _turn(_find(conn, "t", token))


def address(conn: sa.Connection, match: str, seat: int, wait: int) -> TurnLink | None:
    """The address for answers to a turn, if it has one."""
    row = conn.execute(_ADDRESS, {"of": match, "whose": seat, "on": wait}).first()
    return _turn(row) if row else None


def stranger(conn: sa.Connection, token: str) -> Link:
    """A line that waits for its player's word. Raises BadLink."""
    row = _find(conn, "h", token)
    return Link(row.id, row.expires, row.used)


def invitation(conn: sa.Connection, token: str) -> Invitation:
    """An invitation. Raises BadLink."""
    row = _find(conn, "i", token)
    return Invitation(row.id, row.expires, row.used, row.match, row.place)


def daily(conn: sa.Connection, token: str) -> PlayerLink:
    """The address for answers to a daily mail. Raises BadLink."""
    row = _find(conn, "d", token)
    return PlayerLink(row.id, row.expires, row.used, row.player)


def entry(conn: sa.Connection, token: str) -> Confirmation | Access:
    """A link that confirms an address or signs a player in. Raises BadLink."""
    row = _find(conn, "a", token)
    if row.opening is not None:
        return Confirmation(row.id, row.expires, row.used, row.opening)
    return Access(row.id, row.expires, row.used, row.player, row.match)


def way_out(
    conn: sa.Connection,
    key: bytes,
    now: int,
    *,
    place: int | None = None,
    player: int | None = None,
) -> str:
    """The row of the link that unsubscribes a place or a player: the one there is, or a new one."""
    return find_way_out(conn, place=place, player=player) or make(
        conn, key, "u", now=now, place=place, player=player
    )


def find_way_out(
    conn: sa.Connection, *, place: int | None = None, player: int | None = None
) -> str | None:
    """The same, if there is one."""
    mine = LINK.c.player == player if place is None else LINK.c.place == place
    row: str | None = conn.execute(sa.select(LINK.c.id).where(mine, LINK.c.purpose == "u")).scalar()
    return row


def leaving(conn: sa.Connection, token: str) -> WayOut:
    """A link that unsubscribes. Raises BadLink."""
    row = _find(conn, "u", token)
    return WayOut(row.id, row.expires, row.used, row.match, row.place, row.player)


def changing(conn: sa.Connection, token: str) -> ChangeLink:
    """A link that confirms a change of an account. Raises BadLink."""
    try:
        row = _find(conn, "o", token)
    except BadLink:
        row = _find(conn, "n", token)
    return ChangeLink(row.id, row.expires, row.used, row.change, row.purpose == "n")


def of_turn(conn: sa.Connection, match: str, seat: int, wait: int) -> TurnLink | None:
    """The link to the page of a turn."""
    row = conn.execute(_FIND_TURN, {"of": match, "whose": seat, "on": wait}).first()
    return _turn(row) if row else None


def last_answer(conn: sa.Connection, match: str, seat: int) -> str | None:
    """What the seat's last turn became."""
    return conn.execute(_LAST, {"of": match, "whose": seat}).scalar()


def answered(conn: sa.Connection, match: str, seat: int, wait: int, answer: str, now: int) -> None:
    """Marks the links of a turn as used, with what the line sent became."""
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


def prolong(conn: sa.Connection, match: str, since: int, secs: int) -> None:
    """The invitations of a match that were valid at a moment are so for longer."""
    invitations = sa.and_(LINK.c.match == match, LINK.c.purpose == "i", LINK.c.used.is_(None))
    longer = LINK.update().where(invitations, LINK.c.expires > since)
    conn.execute(longer.values(expires=LINK.c.expires + secs))


def _turn(row: sa.Row[Any]) -> TurnLink:
    return TurnLink(row.id, row.expires, row.used, row.match, row.seat, row.wait, row.answer)


def _find(conn: sa.Connection, purpose: Purpose, token: str) -> sa.Row[Any]:
    found = _TOKEN(token.lower())
    row = found and conn.execute(_FIND, {"for": purpose, "hashed": _hash(found[0])}).first()
    if not row:
        raise BadLink
    return row


def hash_of(token: str) -> bytes:
    """What the database keeps of a token."""
    return _hash(token.lower())


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("ascii")).digest()
