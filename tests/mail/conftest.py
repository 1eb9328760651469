"""Mails of every kind, made by playing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage

import pytest

from games.core.drawing import LANGUAGES, Language
from service import access, alerts, lobby, matches, messages, play, unstarted, wishes, worker
from service.outbox import Row
from service.people import find
from service.settings import Settings
from service.site import Site
from service.wishes import Wishes
from tests.mail.play import Table, read, service

DAY = 86_400
NAMES = ("Weiß, Anna „A“ <b>", 'Björn "B" O’Hara; 漢字 😀')
"""With everything that headers and HTML could mistake."""


@dataclass(frozen=True)
class Sent:
    """A mail with the row that it was made from."""

    language: Language
    kind: str
    row: Row
    raw: bytes
    mail: EmailMessage


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    with service(settings) as opened:
        yield opened


@pytest.fixture(scope="session", params=LANGUAGES)
def mails(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Sent]:
    """All kinds of mail in one language."""
    language: Language = request.param
    with service(Settings(data=tmp_path_factory.mktemp("mails") / "var")) as opened:
        played = _played(opened, language)
        declined, cancelled = _declined(opened, language), _cancelled(opened, language)
        return [*_sent(played), *_sent(declined), *_sent(cancelled)]


def _played(site: Site, language: Language) -> Table:
    table = Table(site, language, NAMES, {"board-size": "8", "goal": "reach"})
    table.ask()
    table.confirm()
    table.post()
    table.join()
    table.post()
    for line in ("a1-c1", "h2-f2"):
        table.move(line)
        table.post()
    _access(table)
    _message(table)
    _digest(table)
    play.act(site, match=table.match, seat=2, act="offer-draw", on=5, via="web", now=table.now)
    table.post()
    play.act(site, match=table.match, seat=1, act="resign", on=6, via="web", now=table.now)
    table.post()
    return table


def _declined(site: Site, language: Language) -> Table:
    table = Table(site, language, NAMES)
    table.ask()
    table.post()
    table.confirm()
    table.post()
    lobby.decline(site, table.token("i"), table.now)
    table.post()
    return table


def _cancelled(site: Site, language: Language) -> Table:
    table = Table(site, language, ("Carla", ""))
    table.ask()
    table.post()
    table.confirm()
    table.post()
    with site.db.read() as conn:
        player = find(conn, Table.ADDRESSES[0])
    assert player is not None
    unstarted.cancel(site, player, table.match, table.now)
    table.post()
    return table


def _message(table: Table) -> None:
    with table.site.db.read() as conn:
        player = find(conn, Table.ADDRESSES[1])
    assert player is not None
    said = (
        "A long <b>line</b> about nothing & everything, " * 4
        + "\n\nhttps://example.org/"
        + "x" * 90
    )
    messages.send(table.site, match=table.match, player=player, text=said, now=table.now)
    table.now += messages.SOON
    table.post()


def _access(table: Table) -> None:
    with table.site.db.read() as conn:
        player = find(conn, Table.ADDRESSES[0])
    assert player is not None
    access.send(table.site, player=player, match=table.match, now=table.now)
    table.post()


def _digest(table: Table) -> None:
    """The daily mail and an alert, as the worker queues them."""
    with table.site.db.write() as conn:
        player = matches.seats(conn, table.match)[0].player
        assert player is not None
        wishes.put(conn, player, Wishes(delivery="digest"))
    worker.daily(table.site, table.recorder, table.now + DAY)
    with table.site.db.write() as conn:
        wishes.put(conn, player, wishes.USUAL)
        alerts.refused(table.site, conn, "RCPT: 554 5.7.1 we do not trust you", table.now + DAY)
        alerts.stuck(table.site, conn, table.match, "K4TZ", "database and signer", table.now + DAY)
    table.now += DAY
    table.post()


def _sent(table: Table) -> Iterator[Sent]:
    for _, _, raw in table.recorder.mails:
        mail = read(raw)
        row = table.row_of(mail["Message-ID"][1:].partition("@")[0])
        language: Language = "de" if row.language == "de" else "en"
        yield Sent(language, row.kind, row, raw, mail)
