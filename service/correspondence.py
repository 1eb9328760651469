"""What a player sees and changes of their mail: what they wish, and whether it reaches them."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from games.log.record import Via
from service import outbox, people, reach, reminders, wishes
from service.models import PLAYER, SEAT
from service.people import Person
from service.site import Site
from service.wishes import Wishes

_HOLDER = (
    sa.select(PLAYER.c.id, PLAYER.c.address)
    .join(SEAT, SEAT.c.player == PLAYER.c.id)
    .where(SEAT.c.match == sa.bindparam("of"), SEAT.c.number == sa.bindparam("seat"))
)


@dataclass(frozen=True)
class State:
    """How it stands with a player's mail."""

    person: Person
    wishes: Wishes
    suppressed: bool
    """Whether nothing is sent any more, since mails came back."""
    doubtful: bool
    """Whether some came back lately, and more of that would stop them."""
    uninvited: bool


def look(site: Site, player: int, now: int) -> State:
    """How it stands."""
    with site.db.read() as conn:
        person = people.known(conn, player)
        return State(
            person,
            wishes.of(conn, player),
            reach.suppressed(conn, person.address),
            reach.doubtful(conn, person.address, now),
            reach.uninvited(conn, person.address),
        )


def change(site: Site, player: int, wished: Wishes, now: int) -> None:
    """Keeps what a player wishes; what waited for another wish goes out, if this one lets it."""
    with site.db.write() as conn:
        wishes.put(conn, player, wished)
        wishes.returned(conn, player, now)
        reminders.look_again(conn, player)
        outbox.revive(conn, people.known(conn, player).address, now)


def here(conn: sa.Connection, match: str, seat: int, via: Via, now: int) -> None:
    """The player of a seat was here; a way that leads through a mail shows that mail arrives."""
    found = conn.execute(_HOLDER, {"of": match, "seat": seat}).first()
    if found is None:
        return
    wishes.returned(conn, found.id, now)
    if via in ("link", "mail"):
        reach.alive(conn, found.address, now)


def try_again(site: Site, player: int, now: int) -> None:
    """Mail goes out to the player's address again."""
    with site.db.write() as conn:
        reach.alive(conn, people.known(conn, player).address, now)
