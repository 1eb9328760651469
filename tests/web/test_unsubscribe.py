"""Fewer mails: by one click of a mail program, by the page, and by the account."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

import pytest
import sqlalchemy as sa

from service.models import OUTBOX, SEAT
from tests.web.people import ADA, BEN, House, Pair, begin

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def pair(house: House) -> Pair:
    pair = begin(house)
    house.post()
    return pair


def way_out(pair: Pair, address: str) -> str:
    """The path in the header of the newest mail about a turn."""
    letter = next(one for one in pair.house.letters(address) if "/t/" in one.text)
    mail = message_from_bytes(letter.raw, policy=default)
    found = re.search(r"/u/[a-z2-7]{26}", mail["List-Unsubscribe"])
    assert found
    return found[0]


def states(house: House, address: str) -> list[tuple[str, str]]:
    query = sa.select(OUTBOX.c.kind, OUTBOX.c.state).where(OUTBOX.c.address == address)
    with house.site.db.read() as conn:
        return [tuple(row) for row in conn.execute(query.order_by(OUTBOX.c.id))]


def test_one_click_needs_no_cookie_and_no_token_of_a_form(house: House, pair: Pair) -> None:
    path, quitter = way_out(pair, pair.mover), pair.mover
    for _ in range(2):
        answer = house.visitor().client.post(path, data=ONE_CLICK)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
    pair.play("a1-c1", "f1-d1")
    house.post()

    assert states(house, quitter)[-1] == ("turn", "suppressed")
    assert pair.mover == quitter
    with house.site.db.read() as conn:
        assert len(conn.execute(sa.select(SEAT.c.player)).all()) == 2


@pytest.mark.parametrize("body", [b"", b"{}", b"List-Unsubscribe=One-Click", b"\xff\x00=;&"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "x/y", ""])
def test_any_body_will_do(house: House, pair: Pair, body: bytes, kind: str) -> None:
    path = way_out(pair, pair.mover)
    answer = house.visitor().client.post(path, data=body, content_type=kind)
    assert answer.status_code == 200
    with house.site.db.read() as conn:
        assert len([row for row in conn.execute(sa.select(SEAT.c.muted)) if row.muted]) == 1


def test_whether_a_token_was_one_is_not_told(house: House, pair: Pair) -> None:
    client = house.visitor("en").client
    wanted = {"Accept-Language": "en"}
    told = [
        client.post(path, data=ONE_CLICK, headers=wanted).text
        for path in (way_out(pair, pair.mover), "/u/" + "a" * 26, "/u/nothing")
    ]
    assert len({re.sub(r'href="[^"]*\?lang=', "", text) for text in told}) == 1


def test_looking_at_the_page_changes_nothing_and_sets_no_cookie(house: House, pair: Pair) -> None:
    path = way_out(pair, pair.mover)
    before = house.dump()
    page = house.visitor().get(path)
    assert f"{pair.mover[0]}…@example.org" in page.text
    assert "Set-Cookie" not in page.headers
    assert house.visitor().client.head(path).status_code == 200
    assert house.dump() == before


def test_all_mails_can_be_stopped_and_wanted_again(house: House, pair: Pair) -> None:
    path, quitter = way_out(pair, pair.mover), pair.mover
    pair.turn("a1-c1")
    house.visitor().submit(path, {"choice": "everything"})
    pair.turn("f1-d1")
    house.post()
    assert states(house, quitter)[-1] == ("turn", "suppressed")

    house.visitor().submit(path, {"choice": "again"})
    house.post()
    assert states(house, quitter)[-1] == ("turn", "sent")


def test_who_wants_no_invitations_gets_none(house: House) -> None:
    ada = house.visitor()
    ada.start("Ada", BEN)
    ada.send(house.link(ADA, "a"), answer="yes")
    (invitation,) = house.letters(BEN)
    path = re.search(r"/u/[a-z2-7]{26}", invitation.text)
    assert path
    house.visitor().client.post(path[0], data=ONE_CLICK)
    ada.start("Ada", BEN, nonce="another")
    house.post()

    assert [state for _, state in states(house, BEN)] == ["sent", "suppressed"]
    assert house.visitor().get(house.link(BEN, "i")).status_code == 200


def test_an_account_keeps_what_is_wished(house: House, pair: Pair) -> None:
    ada = pair.players[ADA]
    form = {"delivery": "digest", "digest": "19", "once": "yes", "kind-result": "yes"}
    quiet = {"quiet": "yes", "quiet_from": "23", "quiet_to": "6"}
    answer = ada.send("/account", **form, **quiet)
    assert answer.status_code == 405
    values = dict(re.findall(r'name="(csrf_token)" value="([^"]*)"', ada.get("/account").text))
    assert ada.submit("/account/mails", values).status_code == 422
    assert ada.submit("/account/mails", values | form | quiet).status_code == 303

    page = ada.get("/account").text
    assert re.search(r'value="digest" checked', page)
    assert re.search(r'<option value="19" selected>', page)
    assert re.search(r'<option value="23" selected>', page)
    assert re.search(r'name="kind-result" value="yes" checked', page)
    assert not re.search(r'name="kind-news" value="yes" checked', page)


def test_an_account_is_for_those_who_have_signed_in(house: House, pair: Pair) -> None:
    stranger = house.visitor()
    assert "Mail me the link" in stranger.get("/account").text
    assert stranger.send("/account", delivery="off").status_code == 405


def test_a_button_that_is_pressed_without_a_choice_asks_again(pair: Pair) -> None:
    path, stranger = way_out(pair, pair.mover), pair.house.visitor()
    assert "checked" not in stranger.get(path).text
    again = stranger.client.post(path, data={"asked": "1"})
    assert 'name="choice"' in again.text
    with pair.house.site.db.read() as conn:
        assert not any(conn.execute(sa.select(SEAT.c.muted)).scalars())
