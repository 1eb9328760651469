"""Mails of every kind, made by playing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage

import pytest

from games.core.drawing import LANGUAGES, Language
from service import (
    access,
    alerts,
    beat,
    changes,
    lobby,
    matches,
    messages,
    play,
    reach,
    unstarted,
    wishes,
    worker,
)
from service.outbox import Row
from service.people import find
from service.settings import Settings
from service.site import Site
from service.wishes import Wishes
from tests.mail.inbound.players import Players
from tests.mail.play import Table, read, service

DAY = 86_400
NAMES = ("Weiß, Anna „A“ <b>", 'Björn "B" O’Hara; 漢字 😀')
"""With everything that headers and HTML could mistake."""


@dataclass(frozen=True)
class Sent:
    """A mail with the row that it was made from, and the service that sent it."""

    site: Site
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
def mails(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Sent]]:
    """All kinds of mail in one language."""
    language: Language = request.param
    with service(Settings(data=tmp_path_factory.mktemp("mails") / "var")) as opened:
        played = _played(opened, language)
        tables = (
            played,
            _declined(opened, language),
            _unfound(opened, language),
            _cancelled(opened, language),
            _left(opened, language, played.now),
            _answered(opened, language, played.now),
        )
        yield [sent for table in tables for sent in _sent(table)]


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


def _unfound(site: Site, language: Language) -> Table:
    table = Table(site, language, NAMES, nonce="unfound")
    table.ask()
    table.post()
    table.confirm()
    with site.db.write() as conn:
        reach.bounced(conn, Table.ADDRESSES[1], "hard", table.now)
    table.post()
    with site.db.write() as conn:
        reach.alive(conn, Table.ADDRESSES[1], table.now)
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


def _left(site: Site, language: Language, now: int) -> Table:
    """Three at Black Monday, one of whom resigns."""
    names = (*NAMES, "Carla")
    table = Table(site, language, names, now=now, nonce="left", game="black-monday")
    table.begin()
    table.post()
    with site.db.read() as conn:
        row = matches.find(conn, table.match)
    seat = next(seat for seat in (1, 2, 3) if seat != row.mover)
    play.act(site, match=table.match, seat=seat, act="resign", on=row.n, via="web", now=table.now)
    table.post()
    return table


def _answered(site: Site, language: Language, now: int) -> Table:
    """Two at Seasons who answer by mail, rightly and wrongly, and are reminded; and what has to do
    with an account and with the clock."""
    table = Table(site, language, NAMES, now=now + DAY, nonce="mail", game="seasons", clock="12d")
    players = Players(table)
    table.begin()
    players.post()
    players.answer(next(line for line in players.legal() if line[0] == "m"))
    for typed in ("reroll 1 1", "HILFE", "Hallo!"):
        players.answer(typed)
    stranger = players.letter(players.legal()[0], players.last(players.mover()))
    players.bring(stranger.having(**{"from": "f@example.net"}))
    play.act(site, match=table.match, seat=1, act="pause", on=_on(table), via="web", now=table.now)
    players.post()
    table.now += 6 * DAY
    worker.remind(site, table.recorder, table.now)
    changes.ask_address(site, table.mover, "new@example.org", table.now)
    changes.ask_deletion(site, table.mover, table.now)
    beat.beat(site.db, "worker", table.now)
    table.now += 3_600
    beat.beat(site.db, "worker", table.now)
    worker.clocks(site, table.recorder, table.now)
    players.post()
    _codes(players)
    return table


def _codes(players: Players) -> None:
    """A daily mail that is answered without the code of a match."""
    table = players.table
    with table.site.db.write() as conn:
        wishes.put(conn, table.mover, Wishes(delivery="digest"))
    table.now += DAY
    worker.daily(table.site, table.recorder, table.now)
    mail = next(mail for mail in players.post() if "+d." in str(mail["Reply-To"]))
    players.bring(players.letter("Hallo!", mail))
    players.post()


def _on(table: Table) -> int:
    with table.site.db.read() as conn:
        return matches.find(conn, table.match).n


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
        alerts.stuck(table.site, conn, "K4TZ", "database and signer", table.now + DAY)
    table.now += DAY
    table.post()


def _sent(table: Table) -> Iterator[Sent]:
    for _, _, raw in table.recorder.mails:
        mail = read(raw)
        row = table.row_of(mail["Message-ID"][1:].partition("@")[0])
        language: Language = "de" if row.language == "de" else "en"
        yield Sent(table.site, language, row.kind, row, raw, mail)
