"""What a record is checked for before it takes effect (`games.log`, "Judging", step 6)."""

from __future__ import annotations

from typing import NoReturn

from games.log import player
from games.log.errors import BadLog
from games.log.record import Act, By, Ent, Join, Move, Record
from games.position import Position, nth

_SIGNED = {Join: "join", Ent: "ent", Move: "move", Act: "act"}


def bad(code: str, record: Record, detail: str) -> NoReturn:
    """Refuses the record."""
    raise BadLog(code, record.n, detail)


def fresh(position: Position, record: Record, by: By) -> None:
    """The player had the present position in view (`games.log`, "The order of records")."""
    if not position.wait <= by.on < record.n:
        bad("E_STALE", record, f"acted on record {by.on}")


def strong(record: Record, key: bytes | None) -> None:
    """A key about to be registered binds its holder (`games.log`, "Signatures of players")."""
    if key is not None and player.weak(key):
        bad("E_WEAK_KEY", record, "one signature of this key would fit any message")


def signed(position: Position, record: Record, by: By, key: bytes | None, check: bool) -> None:
    """A seat with a key signs, a seat without one does not; `check`: does the signature fit?"""
    if key is None:
        if by.sig is not None:
            bad("E_PLAYER_SIG", record, "there is no key for this signature")
        return
    if by.sig is None:
        bad("E_PLAYER_UNSIGNED", record, "a player with a key signs every record")
    seen = nth(position.since, by.on - position.wait)
    kind = _SIGNED[type(record.body)]
    message = player.message(record.m, kind, by.on, seen, by.text)
    if check and not player.verify(key, by.sig, message):
        bad("E_PLAYER_SIG", record, "the signature does not fit")


def entropy_fits(position: Position, record: Record, body: Join) -> None:
    """The join brings the entropy that the level asks for (`games.log`, "The order of records")."""
    level = position.opened.level
    second_of_two = position.opened.seats == 2 and len(position.joins) == 1
    plain, sealed = body.ent is not None, body.entc is not None
    fits = {
        "F0": not plain and not sealed,
        "F1": plain and not sealed,
        "F2": (sealed and not plain) or (plain and not sealed and second_of_two),
    }
    if not fits[level]:
        bad("E_ENTROPY", record, f"not the entropy that level {level} asks for")
