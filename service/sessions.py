"""Cookies: 256 random bits in the browser, their hash in a row."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from service.db import Database
from service.models import PLAYER, SEAT, SESSION

DAY = 86_400
PLAYER_DAYS = 400
SEAT_DAYS = 400

_MINE = sa.and_(SESSION.c.match == sa.bindparam("of"), SESSION.c.seat == sa.bindparam("whose"))
_GO_ALONG = SESSION.update().where(_MINE)
_END = SESSION.delete().where(_MINE)


@dataclass(frozen=True)
class PlayerSession:
    """Who has come in by a link that was mailed to them."""

    player: int
    name: str
    address: str
    language: str
    zone: str
    used: int | None = None
    """When the day began on which it was used last (UTC)."""


@dataclass(frozen=True)
class Device:
    """A browser that knows its player."""

    id: int
    name: str
    created: int
    used: int | None
    here: bool
    """Whether it is the one that asks."""


@dataclass(frozen=True)
class SeatSession:
    """A view of one seat, until its next turn begins; `wait` is the record its turn answers."""

    match: str
    seat: int
    wait: int


def start_player(conn: sa.Connection, player: int, now: int) -> str:
    """A new session of a player: the value of the cookie."""
    expires = now + PLAYER_DAYS * DAY
    return _start(conn, player=player, created=now, expires=expires, used=_day(now))


def start_seat(conn: sa.Connection, match: str, seat: int, wait: int, now: int) -> str:
    """A new session of a seat: the value of the cookie."""
    return _start(
        conn, match=match, seat=seat, wait=wait, created=now, expires=now + SEAT_DAYS * DAY
    )


def find_player(conn: sa.Connection, cookie: str | None, now: int) -> PlayerSession | None:
    """The player of a cookie; None for one that is missing, over or made up."""
    fields = (PLAYER.c.id, PLAYER.c.name, PLAYER.c.address, PLAYER.c.language, PLAYER.c.zone)
    query = sa.select(*fields, SESSION.c.used).join(SESSION, SESSION.c.player == PLAYER.c.id)
    row = conn.execute(query.where(_is(cookie, now))).first()
    return PlayerSession(*row) if row else None


def find_seat(conn: sa.Connection, match: str, cookie: str | None, now: int) -> SeatSession | None:
    """The seat of this match that a cookie shows."""
    query = sa.select(SESSION.c.match, SESSION.c.seat, SESSION.c.wait)
    row = conn.execute(query.where(_is(cookie, now), SESSION.c.match == match)).first()
    return SeatSession(*row) if row else None


def advance(conn: sa.Connection, match: str, seat: int, wait: int, *, same: bool) -> None:
    """A turn of the seat begins: its sessions end, or go along if it is the same seat's turn
    that goes on after a chance event."""
    whose = {"of": match, "whose": seat}
    if same:
        conn.execute(_GO_ALONG, {**whose, "wait": wait})
    else:
        conn.execute(_END, whose)


def end(conn: sa.Connection, cookie: str | None) -> None:
    """Signs out: the cookie is worth nothing from now on."""
    conn.execute(SESSION.delete().where(SESSION.c.hash == _hash(cookie)))


def use(db: Database, cookie: str, found: PlayerSession, now: int) -> None:
    """Notes once a day that a session is used: so its player can tell old devices from new ones."""
    if found.used != _day(now):
        with db.write() as conn:
            mine = SESSION.update().where(SESSION.c.hash == _hash(cookie))
            conn.execute(mine.values(used=_day(now)))


def call(db: Database, cookie: str, device: str) -> None:
    """Says of a new session on which device it is."""
    with db.write() as conn:
        mine = SESSION.update().where(SESSION.c.hash == _hash(cookie))
        conn.execute(mine.values(device=device))


def devices(conn: sa.Connection, player: int, cookie: str | None, now: int) -> list[Device]:
    """The browsers that know a player, the newest first."""
    here = (SESSION.c.hash == _hash(cookie)).label("here")
    fields = (SESSION.c.id, SESSION.c.device, SESSION.c.created, SESSION.c.used, here)
    mine = sa.and_(SESSION.c.player == player, SESSION.c.expires > now)
    query = sa.select(*fields).where(mine).order_by(SESSION.c.id.desc())
    return [Device(*row) for row in conn.execute(query)]


def end_one(db: Database, player: int, session: int) -> None:
    """Signs one device of a player out; one of somebody else stays."""
    with db.write() as conn:
        conn.execute(SESSION.delete().where(SESSION.c.id == session, SESSION.c.player == player))


def end_others(db: Database, player: int, cookie: str | None) -> None:
    """Signs a player out everywhere else, and hides their seats where turns were sent from."""
    with db.write() as conn:
        mine = sa.and_(SESSION.c.player == player, SESSION.c.hash != _hash(cookie))
        conn.execute(SESSION.delete().where(sa.or_(mine, of_seats(player))))


def of_seats(player: int) -> sa.ColumnElement[bool]:
    """The sessions of all seats of a player."""
    seats = sa.select(SEAT.c.match, SEAT.c.number).where(SEAT.c.player == player)
    return sa.tuple_(SESSION.c.match, SESSION.c.seat).in_(seats)


def forget(db: Database, now: int) -> None:
    """Forgets sessions that are over."""
    with db.write() as conn:
        conn.execute(SESSION.delete().where(SESSION.c.expires <= now))


def _start(conn: sa.Connection, **values: str | int) -> str:
    cookie = secrets.token_urlsafe(32)
    conn.execute(SESSION.insert().values(hash=_hash(cookie), **values))
    return cookie


def _is(cookie: str | None, now: int) -> sa.ColumnElement[bool]:
    return sa.and_(SESSION.c.hash == _hash(cookie), SESSION.c.expires > now)


def _day(now: int) -> int:
    return now - now % DAY


def _hash(cookie: str | None) -> bytes:
    return hashlib.sha256((cookie or "").encode("utf-8", "replace")).digest()
