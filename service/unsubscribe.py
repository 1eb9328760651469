"""Fewer mails by the link in a mail. Whatever is chosen, nobody loses a place by it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import sqlalchemy as sa

from service import links, matches, outbox, people, reach, wishes
from service.errors import BadLink
from service.links import WayOut
from service.matches import SeatRow
from service.models import SEAT
from service.site import Site

Choice = Literal["match", "invitations", "daily", "everything", "again"]


@dataclass(frozen=True)
class Reader:
    """Whose link it is, and what it ends if nothing else is chosen."""

    address: str
    language: str
    player: int | None
    seat: SeatRow | None
    code: str
    """Of the match that the link is about; "" for the daily mail."""
    usual: Choice

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be chosen by this link, the usual first."""
        rest: list[Choice] = ["match"] if self.seat else []
        rest += ["daily"] if self.player else []
        rest += ["invitations", "everything", "again"]
        return (self.usual, *(choice for choice in rest if choice != self.usual))


def reader(site: Site, token: str) -> Reader:
    """Whom the link was mailed to. Raises BadLink."""
    with site.db.read() as conn:
        return _reader(conn, links.leaving(conn, token))


def choose(site: Site, token: str, given: str, now: int) -> bool:
    """Does what was chosen, or what the link is for; whether the link leads anywhere.

    The same twice is the same once.
    """
    with site.db.write() as conn:
        try:
            who = _reader(conn, links.leaving(conn, token))
        except BadLink:
            return False
        choice = next((one for one in who.choices if one == given), who.usual)
        if choice in ("everything", "again"):
            _all(conn, who, now, wanted=choice == "again")
        elif choice == "match" and who.seat:
            reach.mute(conn, who.seat.id, now, wanted=False)
        elif choice == "daily" and who.player:
            wishes.put(conn, who.player, replace(wishes.of(conn, who.player), delivery="digest"))
        else:
            reach.invite(conn, who.address, now, wanted=False)
    return True


def _all(conn: sa.Connection, who: Reader, now: int, *, wanted: bool) -> None:
    """No mail any more but what is asked for, or every mail again."""
    reach.invite(conn, who.address, now, wanted=wanted)
    if who.player:
        delivery: wishes.Delivery = "instant" if wanted else "off"
        wishes.put(conn, who.player, replace(wishes.of(conn, who.player), delivery=delivery))
    elif who.seat:
        reach.mute(conn, who.seat.id, now, wanted=wanted)
    if wanted and who.seat:
        reach.mute(conn, who.seat.id, now, wanted=True)
    if wanted:
        outbox.revive(conn, who.address, now)


def _reader(conn: sa.Connection, link: WayOut) -> Reader:
    if link.place is None:
        person = people.known(conn, link.player or 0)
        return Reader(person.address, person.language, link.player, None, "", "everything")
    match = conn.execute(sa.select(SEAT.c.match).where(SEAT.c.id == link.place)).scalar_one()
    seat = next(one for one in matches.seats(conn, match) if one.id == link.place)
    code = matches.find(conn, match).code
    usual: Choice = "match" if seat.pid else "invitations"
    return Reader(seat.address, seat.language, seat.player, seat, code, usual)
