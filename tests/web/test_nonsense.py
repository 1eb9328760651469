"""Nonsense in every link, field and address: never a fault of ours, never a page that is broken."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote, urlsplit

import pytest
import sqlalchemy as sa
from flask import Flask, got_request_exception
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from games.core.rules import BYSTANDER
from service.mail import mailbox
from service.models import MATCH
from tests.web import forms
from tests.web.crawl import VARYING, walked
from tests.web.forms import Form
from tests.web.nonsense import BROKEN, WORDS, Body, filled
from tests.web.people import FIELD, GAME, OPERATOR, House, Pair, begin
from tests.web.spelling import spelled, unseen

CY, DORA = "cy@example.org", "dora@example.org"
LINKS = 2
"""How many addresses are opened that differ in what is asked for alone, and not in its names."""
FILLED = 3
"""How often a form is filled in with anything."""
LEAVING = ("/out", "/account/devices")
"""Whoever sends these is somebody else from then on."""
SENT = {
    *("start.ask", "lobby.enter", "lobby.answer", "lobby.send_link", "places.take", "mine.sign_in"),
    *("match.send", "match.act", "turn.send", "talk.send", "talk.note", "match.cancel"),
    *("person.describe", "person.move", "person.answer", "account.mails", "vacation.plan"),
    *("programs.make", "verify.check", "unsubscribe.answer", "outbox.act", "operator.answer"),
}
"""Forms that are met on the way, at least."""
ASKED = [
    "at",
    "as",
    "lang",
    "turned",
    "page",
    "before",
    "line",
    "sent",
    "state",
    "seats",
    "house",
    "game",
    "name",
    "since",
    "until",
    "match",
]
"""What stands behind the question mark of an address."""


@dataclass
class Crawler:
    """Somebody who opens all that they find, and sends anything."""

    app: Flask
    client: FlaskClient
    named: Callable[[str, bytes], list[str]] = lambda path, data: []
    """The hidden cards that an answer names."""
    lot: Random = field(default_factory=lambda: Random(6))
    waiting: deque[str] = field(default_factory=deque)
    met: Counter[object] = field(default_factory=Counter)
    read: set[int] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)

    def crawl(self, *paths: str) -> None:
        """From these addresses on."""
        self.waiting.extend(paths)
        while self.waiting:
            path = self.waiting.popleft()
            page = self.look(path, self.client.get(path))
            for form in page.forms if page else ():
                self.send(form)

    def guess(self) -> None:
        """Every route with anything in its address, behind it, and sent to it."""
        token = dict(FIELD.findall(self.client.get("/verify").text))["csrf_token"]
        for rule in self.app.url_map.iter_rules():
            path = re.sub(r"<[^>]*>", self._word, rule.rule)
            query = {name: self.lot.choice(WORDS) for name in ASKED}
            self.look(path, self.client.get(path, query_string=query))
            data, kind = self.lot.choice(BROKEN)
            headers = {"X-CSRFToken": token}
            self.look(path, self.client.post(path, data=data, content_type=kind, headers=headers))

    def _word(self, _argument: re.Match[str]) -> str:
        return quote(self.lot.choice(WORDS)) or "x"

    def send(self, form: Form) -> None:
        """A form, once for each set of fields; and what is no form at all."""
        path = urlsplit(form.path).path
        if path in LEAVING or self.knows(form.method.upper(), path, "", *form.names, most=1):
            return
        token = {"X-CSRFToken": dict(form.hidden).get("csrf_token", "")}
        for data, kind in (*filled(form, self.lot, FILLED), *self.lot.sample(BROKEN, 2)):
            self.look(form.path, self._sent(form, (data, kind), token))

    def _sent(self, form: Form, body: Body, token: dict[str, str]) -> TestResponse:
        data, kind = body
        if form.method == "get":
            return self.client.get(form.path, query_string=data.decode("latin-1"))
        return self.client.post(form.path, data=data, content_type=kind, headers=token)

    def look(self, path: str, answer: TestResponse) -> forms.Page | None:
        """Whatever comes is read, each page once; its links are opened later."""
        assert answer.status_code < 500 or path.startswith("/readyz"), path
        self.meet(answer.headers.get("Location", "data:"))
        body = VARYING.sub(b"", answer.data)
        answer.close()
        if hash(body) in self.read:
            return None
        self.read.add(hash(body))
        assert self.named(path, body) == [], path
        if answer.mimetype != "text/html":
            return None
        page = forms.read(answer.text, path)
        for link in page.links:
            self.meet(link)
        return page

    def meet(self, link: str) -> None:
        """A link of ours that leads to something new is opened later."""
        parts = urlsplit(link)
        if (
            parts.netloc not in ("", "127.0.0.1:8000", "localhost")
            or parts.scheme == "data"
            or parts.path.startswith("/static")
            or "&lang=" in parts.query
        ):
            return
        here = parts.path + (f"?{parts.query}" if parts.query else "")
        names = [pair.partition("=")[0] for pair in parts.query.split("&")]
        self.met[here] += 1
        if self.met[here] == 1 and not self.knows("GET", parts.path, *names, most=LINKS):
            self.waiting.append(here)

    def knows(self, method: str, path: str, *names: str, most: int) -> bool:
        """Whether enough of a kind has been met; every route is a kind."""
        try:
            endpoint, _ = self.app.url_map.bind("").match(path, method)
        except HTTPException as other:
            endpoint = type(other).__name__
        kind = (method, endpoint, names)
        self.met[kind] += 1
        self.reached.add(endpoint)
        return self.met[kind] > most


@pytest.fixture
def faults(app: Flask) -> Iterator[list[object]]:
    """What the pages did not expect."""
    found: list[object] = []

    def keep(_app: Flask, exception: BaseException) -> None:
        found.append(exception)

    with got_request_exception.connected_to(keep, app):
        yield found


@pytest.fixture
def watched(house: House) -> Pair:
    """A match with hidden cards; beside it one that is over, one in which Cy is to move, one with a
    free place, one with an invitation, and one that is not confirmed yet."""
    begin(house).play(*GAME)
    pair = begin(house, game="black-monday")
    cy, emil = house.visitor(), house.visitor()
    cy.start("Cy", DORA, clock="5d")
    cy.send(house.link(CY, "a"), answer="yes")
    house.visitor().send(house.link(DORA, "i"), answer="yes", name="Dora")
    with suppress(LookupError):
        house.visitor().send(house.link(DORA), line=GAME[0])
    cy.start("Cy", "", "seasons", **{"invited-1-by": "free"})
    emil.start("Emil", "fay@example.org")
    emil.send(house.link("emil@example.org", "a"), answer="yes")
    house.visitor().start("Gus", "fay@example.org", "monad")
    return pair


def test_nonsense_is_answered_in_sentences(
    house: House, watched: Pair, faults: list[object]
) -> None:
    """For somebody, for a player of another match, and for the operator, who reads all mail."""
    dark = unseen(walked(watched), BYSTANDER)

    def named(path: str, data: bytes) -> list[str]:
        return spelled("black-monday", data, dark) if watched.match in path else []

    player = house.visitor()
    player.send("/matches", address=CY)
    player.send(house.link(CY, "a"), answer="yes")
    with house.site.db.read() as conn:
        matches = [f"/m/{match}" for match in conn.execute(sa.select(MATCH.c.id)).scalars()]
    public = ("/", "/matches", "/readyz", *matches, *(f"{match}/place" for match in matches))
    somebody = Crawler(house.app, house.app.test_client(), named)
    somebody.crawl(*public)
    known = Crawler(house.app, player.client, named)
    known.crawl(*public, "/account", "/account/programs")
    known.guess()
    operator = Crawler(house.app, house.app.test_client())
    operator.crawl(f"/operator/{OPERATOR}", *_letters(house), *sorted(house.links()))
    assert faults == []
    assert somebody.reached | known.reached | operator.reached >= SENT


def _letters(house: House) -> list[str]:
    """The addresses of all mails to Cy, as the operator reads them."""
    house.post()
    found = mailbox.entries(house.boxes, CY)
    return [f"/operator/mail/{CY}/{entry.key}" for entry in found]
