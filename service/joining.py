"""How a place is filled: its row, its record, and what follows of that."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from games import chance
from games.log.record import Join, Via
from games.log.schema import IDS
from games.log.writing import by
from games.position import Position
from service import matches, opening, people, play
from service.errors import BadForm, Fault
from service.matches import SeatRow
from service.models import SEAT
from service.people import Person
from service.site import Site


@dataclass(frozen=True)
class JoinForm:
    """The form of an invitation as it was filled in."""

    name: str
    language: str
    zone: str
    words: str = ""
    """A few words of the player's own for the lot; if empty, the service makes some."""


@dataclass(frozen=True)
class Joining:
    """Who fills which place, with what words for the lot, and how they came."""

    seat: int
    player: int
    person: Person
    words: str
    via: Via
    ev: bytes | None = None
    """The hash of the mail, if they came by one."""


def join(site: Site, conn: sa.Connection, position: Position, who: Joining, now: int) -> Position:
    """The position after a person has joined; the last one is followed by the start."""
    person, filled = who.person, SEAT.update().where(SEAT.c.id == who.seat)
    conn.execute(
        filled.values(player=who.player, name=person.name, language=person.language, invited=None)
    )
    ent = chance.typed_words(who.words) if who.words else secrets.token_bytes(32)
    return _enter(site, conn, position, who.seat, ent, By(who.via, who.ev), now)


def house(site: Site, conn: sa.Connection, position: Position, seat: int, now: int) -> Position:
    """The same for the house: its record came `via` `api`, which marks it in the log."""
    return _enter(site, conn, position, seat, secrets.token_bytes(32), By("api"), now)


class By(NamedTuple):
    """How somebody came, and the hash of the mail if it was by one."""

    via: Via
    ev: bytes | None = None


def free_name(conn: sa.Connection, seat: SeatRow, name: str, words: str) -> str:
    """The name, checked and not that of another player of the match. Raises BadForm."""
    faults = [*opening.fault("name", people.name, name), *opening.words_fault(words)]
    others = {people.folded(s.name) for s in matches.seats(conn, seat.match) if s.pid}
    if people.folded(" ".join(name.split())) in others:
        faults.append(Fault("name", "Somebody in this match has this name."))
    if faults:
        raise BadForm(*faults)
    return people.name(name)


def _enter(
    site: Site, conn: sa.Connection, position: Position, seat: int, ent: bytes, came: By, now: int
) -> Position:
    pid = "p_" + "".join(secrets.choice(IDS) for _ in range(10))
    conn.execute(SEAT.update().where(SEAT.c.id == seat).values(pid=pid))
    body = Join(pid, by(0, came.via, ev=came.ev, pid=pid, ent=ent), ent=ent)
    return play.extend(site, conn, position, [body], now).position
