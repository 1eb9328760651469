"""The operator's list of mails, with a relay and without one."""

from __future__ import annotations

import re
import time
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from flask import Flask

from service import reach, worker
from service.kinds import KINDS
from service.mail.transport import Delivery
from service.models import OUTBOX
from service.web.outbox import MAILS
from tests.mail.recorder import Recorder
from tests.web.people import ADA, BEN, OPERATOR, House, Pair, Visitor, begin

GONE = Delivery("failed", 550, "RCPT: 550 5.1.1 no such user", bounce="hard")


@pytest.fixture
def pair(house: House) -> Pair:
    """A match whose turn mail was refused since its mailbox is gone."""
    pair = begin(house)
    recorder = Recorder(answers=[GONE])
    worker.post(house.site, recorder, int(time.time()))
    return pair


@pytest.fixture
def operator(house: House, pair: Pair) -> Visitor:
    visitor = house.visitor()
    visitor.send(f"/operator/{OPERATOR}")
    return visitor


def act(operator: Visitor, act: str) -> None:
    """Presses the first button of a kind."""
    page = operator.get("/operator/outbox").text
    found = re.search(
        rf'action="(/operator/outbox/[0-9]+)">.*?name="csrf_token" value="([^"]*)".*?value="{act}"',
        page,
    )
    assert found
    values = {"csrf_token": found[2], "act": act}
    assert operator.submit(found[1], values).status_code == 303


def state(house: House) -> str:
    query = sa.select(OUTBOX.c.state).where(OUTBOX.c.kind == "turn")
    with house.site.db.read() as conn:
        return str(conn.execute(query.order_by(OUTBOX.c.id.desc()).limit(1)).scalar_one())


def test_every_kind_of_mail_has_a_name_there() -> None:
    assert MAILS.keys() == KINDS.keys()


def test_the_operator_sees_what_was_refused_and_why(operator: Visitor, pair: Pair) -> None:
    page = operator.get("/operator/outbox").text
    assert "<td>Turn " in page
    assert "no such user" in page
    assert pair.mover in page
    assert "Outbox</a>" in operator.get("/").text


def test_an_address_can_be_let_in_again(house: House, operator: Visitor, pair: Pair) -> None:
    with house.site.db.read() as conn:
        assert reach.suppressed(conn, pair.mover)
    act(operator, "readmit")
    with house.site.db.read() as conn:
        assert not reach.suppressed(conn, pair.mover)
    act(operator, "again")
    house.post()
    assert state(house) == "sent"


def test_a_mail_that_waits_can_be_skipped(house: House, operator: Visitor, pair: Pair) -> None:
    act(operator, "readmit")
    act(operator, "again")
    act(operator, "skip")
    assert state(house) == "failed"
    assert "the operator skipped it" in operator.get("/operator/outbox").text


def test_others_find_nothing_there(house: House, pair: Pair) -> None:
    for visitor in (house.visitor(), pair.players[ADA]):
        assert visitor.get("/operator/outbox").status_code == 404


def test_with_a_relay_the_operator_signs_in_as_a_player(
    app: Flask, house: House, pair: Pair
) -> None:
    relayed = {"operator": ADA.upper(), "smtp_host": "localhost"}
    changed = house.site.settings.model_copy(update=relayed)
    object.__setattr__(house.site, "settings", changed)
    assert pair.players[ADA].get("/operator/outbox").status_code == 200
    assert pair.players[ADA].get("/operator/mail").status_code == 404
    others = next(one for address, one in pair.players.items() if address != ADA)
    assert others.get("/operator/outbox").status_code == 404


def test_the_player_is_told_that_mails_come_back(house: House, pair: Pair) -> None:
    player = pair.players[pair.mover]
    assert "come back" in player.get("/account").text
    values = dict(re.findall(r'name="(csrf_token)" value="([^"]*)"', player.get("/account").text))
    player.submit("/account/reach", values)
    assert "come back" not in player.get("/account").text
    with house.site.db.write() as conn:
        reach.bounced(conn, pair.mover, "soft", int(time.time()))
    assert "Is its mailbox full?" in player.get("/account").text


def test_whoever_follows_the_link_in_a_mail_gets_mails_again(house: House, pair: Pair) -> None:
    visitor = house.visitor()
    visitor.send(f"/m/{pair.match}/link", address=pair.mover)
    assert "come back" in pair.players[pair.mover].get("/account").text
    visitor.send(house.link(pair.mover, "a"), answer="yes")
    assert "come back" not in visitor.get("/account").text
    with house.site.db.read() as conn:
        assert not reach.suppressed(conn, pair.mover)


def test_the_opener_alone_is_told_of_a_guest_whom_no_invitation_reaches(house: House) -> None:
    ada = house.visitor("de")
    ada.start("Ada", BEN, **{"invited-1-name": "Ben"})
    entered = ada.send(house.link(ADA, "a"), answer="yes")
    match = urlsplit(entered.headers["Location"]).path
    assert "Unsere Einladung" not in ada.get(match).text
    worker.post(house.site, Recorder(answers=[GONE]), int(time.time()))
    assert "Unsere Einladung erreicht Ben nicht." in ada.get(match).text
    told = " ".join(house.letters(ADA)[0].text.split())
    assert "erreicht Ben nicht: Mails an b…@example.org kommen zurück" in told
    assert "Unsere Einladung" not in house.visitor("de").get(match).text
