"""People at the pages: they fill in forms, open their mail and follow its links."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import html5lib
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from games.core.drawing import Language
from service import house as bots
from service import worker
from service.mail import mailbox
from service.mail.transport import Maildir
from service.models import SQLModel
from service.site import Site

OPERATOR = "the-operator-of-this-run"
ADA, BEN = "ada@example.org", "ben@example.org"
FIELD = re.compile(r'name="(csrf_token|nonce|on|wait|match)" value="([^"]*)"')
TOKENS = {"w": "t", "i": "i", "a": "a", "c": "c"}
GAME = ("a1-c1", "f1-d1", "a2:a3,c1", "d1-d3", "c1-f1")
"""A whole match: seat 1 arrives where nobody can capture."""


@dataclass
class House:
    """The service with its pages, its mail and its tables."""

    app: Flask

    @property
    def site(self) -> Site:
        site: Site = self.app.extensions["fernpartie"]
        return site

    @cached_property
    def boxes(self) -> Path:
        return self.site.settings.data / "mail" / "outbox"

    def visitor(self, language: str = "en") -> Visitor:
        """Somebody with a new browser."""
        return Visitor(self, self.app.test_client(), language)

    def post(self) -> None:
        """Delivers all mail that is due."""
        while worker.post(self.site, Maildir(self.boxes), int(time.time())):
            pass

    def answer(self) -> None:
        """Lets the house play until it waits for somebody."""
        while bots.play_once(self.site, int(time.time())):
            pass

    def letters(self, address: str) -> list[mailbox.Letter]:
        """The mails to an address, the newest first."""
        return list(self._letters(address))

    def _letters(self, address: str) -> Iterator[mailbox.Letter]:
        """One is opened when it is wanted."""
        self.post()
        for entry in mailbox.entries(self.boxes, address):
            yield mailbox.read(self.boxes, address, entry.key)

    def link(self, address: str, kind: str = "w") -> str:
        """The path of the newest link of its kind that an address has got."""
        for letter in self._letters(address):
            if found := re.search(rf"/{TOKENS[kind]}/[a-z2-7]{{26}}", letter.text):
                return found[0]
        raise LookupError(f"{address} has no mail with a link {kind}")

    def links(self) -> set[str]:
        """The path of every link in every mail."""
        self.post()
        texts = [
            letter.text + letter.html
            for address in mailbox.addresses(self.boxes)
            for letter in self.letters(address)
        ]
        base = re.escape(self.site.settings.base_url)
        return {found for text in texts for found in re.findall(rf'{base}(/[^\s"<>]*)', text)}

    def dump(self) -> dict[str, list[tuple[object, ...]]]:
        """Every row of every table."""
        with self.site.db.read() as conn:
            return {
                name: sorted((tuple(row) for row in conn.execute(sa.select(table))), key=repr)
                for name, table in SQLModel.metadata.tables.items()
            }


@dataclass
class Visitor:
    """A browser without scripts; every page it is shown must be clean HTML."""

    house: House
    client: FlaskClient
    language: str = "en"

    def get(self, path: str, **headers: str) -> TestResponse:
        wanted = {"Accept-Language": self.language, **headers}
        return self._read(self.client.get(path, headers=wanted))

    def send(self, path: str, **values: str) -> TestResponse:
        """Opens a page and sends its form, with these values over those in it."""
        page = self.client.get(path, headers={"Accept-Language": self.language})
        return self.submit(path, dict(FIELD.findall(page.text)) | values)

    def start(self, name: str, guest: str, game: str = "malawi", **values: str) -> TestResponse:
        """Fills in the form that starts a match for two, and sends it."""
        who = {"name": name, "address": at(name), "invited-1-address": guest}
        return self.send(f"/start/{game}", **who | values)

    def submit(self, path: str, values: dict[str, str]) -> TestResponse:
        """Sends these values, as they are."""
        wanted = {"Accept-Language": self.language}
        return self._read(self.client.post(path, data=values, headers=wanted))

    def upload(self, data: bytes, name: str = "some.mlog") -> TestResponse:
        """Brings a file to Verify."""
        values = dict(FIELD.findall(self.client.get("/verify").text))
        part = '--part\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'
        fields = [part.format(key, "").encode() + value.encode() for key, value in values.items()]
        file = part.format("file", f'; filename="{name}"').encode() + data
        body = b"\r\n".join((*fields, file, b"--part--\r\n"))
        wanted = {"Accept-Language": self.language}
        form = "multipart/form-data; boundary=part"
        return self._read(self.client.post("/verify", data=body, content_type=form, headers=wanted))

    def _read(self, response: TestResponse) -> TestResponse:
        if response.mimetype == "text/html":
            html5lib.HTMLParser(strict=True).parse(response.text)
        return response


@dataclass
class Pair:
    """A match, mostly of two: who sits where is decided by lot."""

    house: House
    match: str
    seats: tuple[str, ...]
    """The addresses of seats 1, 2, …"""
    players: dict[str, Visitor]
    """By address: the browsers that came in as players."""

    def play(self, *lines: str) -> list[TestResponse]:
        """Plays lines in turn, each over the newest link of the seat to move."""
        return [self.turn(line) for line in lines]

    def turn(self, line: str) -> TestResponse:
        """Sends a line over the link of whoever is to move, from a new browser."""
        return self.house.visitor().send(self.link(), line=line)

    @property
    def mover(self) -> str:
        """The address of the seat to move."""
        match = SQLModel.metadata.tables["match"]
        with self.house.site.db.read() as conn:
            query = sa.select(match.c.mover).where(match.c.id == self.match)
            return self.seats[conn.execute(query).scalar_one() - 1]

    @property
    def waiting(self) -> str:
        return next(address for address in self.seats if address != self.mover)

    def link(self) -> str:
        """The path of the link to the present turn."""
        return self.house.link(self.mover)


def begin(
    house: House,
    *,
    game: str = "malawi",
    guests: tuple[str, ...] = ("Ben",),
    ben_reads: Language = "en",
    clock: str = "none",
    **options: str,
) -> Pair:
    """Ada invites Ben, or more; all come in through their mails, and the match starts."""
    ada = house.visitor()
    invited = {f"invited-{n}-name": name for n, name in enumerate(guests, start=1)}
    invited |= {f"invited-{n}-address": at(name) for n, name in enumerate(guests, start=1)}
    given = {f"option.{name}": value for name, value in options.items()}
    seats = str(1 + len(guests))
    asked = ada.start("Ada", at(guests[0]), game, seats=seats, clock=clock, **invited, **given)
    assert asked.status_code == 303
    confirmed = ada.send(house.link(ADA, "a"), answer="yes")
    assert confirmed.status_code == 303
    players = {ADA: ada}
    for name in guests:
        players[at(name)] = guest = house.visitor(ben_reads)
        answer = {"answer": "yes", "name": name, "language": ben_reads}
        assert guest.send(house.link(at(name), "i"), **answer).status_code == 303
    match = urlsplit(confirmed.headers["Location"]).path.removeprefix("/m/")
    return Pair(house, match, seats_of(house, match), players)


def at(name: str) -> str:
    """Somebody's address."""
    return f"{name.lower()}@example.org"


def seats_of(house: House, match: str) -> tuple[str, ...]:
    seat = SQLModel.metadata.tables["seat"]
    query = sa.select(seat.c.address).where(seat.c.match == match).order_by(seat.c.number)
    with house.site.db.read() as conn:
        return tuple(conn.execute(query).scalars())
