"""Players: the names and addresses they may have, and their rows."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

import sqlalchemy as sa
from email_validator import EmailNotValidError, validate_email
from sqlalchemy.exc import IntegrityError

from service.db import insert
from service.errors import BadAddress, BadName, Taken
from service.language import N_
from service.models import PLAYER, SEAT
from service.site import Site
from service.writing import BLANKS, JOINERS

NAME_LENGTH = 40
TAKEN = N_("Somebody plays here with this address already.")
GONE = "–"
"""In place of the name of whoever has deleted their account; no name can be so."""
CONTINENTS = frozenset(
    {
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    }
)
_OF_THE_HOUSE = re.compile(r"(house|haus)( [0-9]+)?").fullmatch
"""What `tale.names` makes of it in any language."""


@dataclass(frozen=True)
class Person:
    """Somebody as a form describes them; checked, but the address not yet confirmed."""

    name: str
    address: str
    language: str
    zone: str


def name(given: str) -> str:
    """The name, its blanks tidied. Raises BadName if it cannot stand on a page and in a mail."""
    tidy = " ".join(unicodedata.normalize("NFC", given).split())
    if not tidy:
        raise BadName("Please give a name.")
    if len(tidy) > NAME_LENGTH:
        raise BadName("A name has at most %(most)s characters.", most=NAME_LENGTH)
    if not all(map(_shown, tidy)):
        raise BadName("This name has a character that cannot be shown.")
    if not any(unicodedata.category(c)[0] in "LNS" for c in tidy):
        raise BadName("A name needs a letter, a digit or an emoji.")
    if _OF_THE_HOUSE(tidy.casefold()):
        raise BadName("The house player is called so.")
    if "=?" in tidy:
        raise BadName("A name cannot have =? in it, which means something else in mails.")
    return tidy


def _shown(character: str) -> bool:
    hidden = unicodedata.category(character)[0] == "C" and character not in JOINERS
    return not hidden and character not in BLANKS


def address(site: Site, given: str) -> str:
    """The address as mail carries it, without asking the network. Raises BadAddress.

    While mail stays on this machine, made-up domains will do.
    """
    relayed = not site.settings.embedded
    try:
        checked = validate_email(
            given.strip(),
            check_deliverability=False,
            globally_deliverable=relayed,
            test_environment=not relayed,
        )
    except EmailNotValidError:
        raise BadAddress("This is no mail address that can be reached.") from None
    if checked.ascii_email is None:
        raise BadAddress("Before the @ an address can have plain letters only, no ä or é.")
    return checked.ascii_email


def folded(address: str) -> str:
    """The address as it is compared."""
    return address.casefold()


def enter(conn: sa.Connection, person: Person, now: int) -> int:
    """The player of a confirmed address, new or known; a known one keeps name and language."""
    row = insert(conn.dialect.name, PLAYER).values(
        address=person.address,
        folded=folded(person.address),
        name=person.name,
        language=person.language,
        zone=person.zone,
        created=now,
    )
    conn.execute(row.on_conflict_do_nothing(index_elements=["folded"]))
    found = find(conn, person.address)
    assert found is not None
    return found


def find(conn: sa.Connection, address: str) -> int | None:
    """The player of an address."""
    query = sa.select(PLAYER.c.id).where(PLAYER.c.folded == folded(address))
    return conn.execute(query).scalar()


def alter(conn: sa.Connection, player: int, name: str, language: str, zone: str) -> None:
    """Keeps what a player says of themselves: for mails, pages and matches to come."""
    values = {"name": name, "language": language, "zone": zone}
    conn.execute(PLAYER.update().where(PLAYER.c.id == player).values(values))


def move(conn: sa.Connection, player: int, address: str) -> None:
    """Brings a player to another address, with all their places. Raises Taken if somebody else
    plays with it."""
    if find(conn, address) not in (None, player):
        raise Taken(TAKEN)
    values = {"address": address, "folded": folded(address)}
    try:
        conn.execute(PLAYER.update().where(PLAYER.c.id == player).values(values))
    except IntegrityError:  # somebody came to it at the same moment
        raise Taken(TAKEN) from None
    conn.execute(SEAT.update().where(SEAT.c.player == player).values(address=address))


@cache
def zones() -> tuple[str, ...]:
    """The time zones that can be chosen: those of places, and UTC."""
    named = {zone for zone in available_timezones() if zone.partition("/")[0] in CONTINENTS}
    return ("UTC", *sorted(named))


def known(conn: sa.Connection, player: int) -> Person:
    """What is known of a player."""
    fields = (PLAYER.c.name, PLAYER.c.address, PLAYER.c.language, PLAYER.c.zone)
    return Person(*conn.execute(sa.select(*fields).where(PLAYER.c.id == player)).one())
