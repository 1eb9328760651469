"""The operator's mailbox: everything in it, for the operator alone."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from flask import Flask
from pydantic import SecretStr

from service.settings import Settings
from tests.web.people import ADA, BEN, FIELD, OPERATOR, House, Visitor, begin

LINK = f"/operator/{OPERATOR}"


@pytest.fixture
def operator(house: House) -> Visitor:
    """A browser that came in by the operator's link, when there is mail."""
    begin(house)
    house.post()
    visitor = house.visitor()
    entered = visitor.send(LINK)
    assert (entered.status_code, entered.headers["Location"]) == (303, "/operator/mail")
    return visitor


def test_all_mailboxes_are_listed(operator: Visitor) -> None:
    page = operator.get("/operator/mail").text
    assert ADA in page
    assert BEN in page
    assert "Please confirm your match of Malawi" in page
    assert "<br>you want to start a match of Malawi. Confirm it" in page
    assert "Mailbox</a>" in operator.get("/").text


def test_a_mail_is_shown_whole(operator: Visitor) -> None:
    path = _newest(operator, BEN)
    page = operator.get(path)
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert re.search(r'<a href="http://127.0.0.1:8000/[ti]/[a-z2-7]{26}">', page.text)
    assert f'sandbox="allow-top-navigation-by-user-activation" src="{path}/html"' in page.text
    assert "Message-ID" in page.text


def test_the_html_of_a_mail_is_kept_in_a_sandbox(operator: Visitor) -> None:
    framed = operator.get(_newest(operator, BEN) + "/html")
    policy = framed.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-top-navigation-by-user-activation" in policy
    assert "allow-scripts" not in policy
    assert '<base target="_top">' in framed.text


def test_mail_and_attachments_are_downloaded_as_they_are(operator: Visitor) -> None:
    path = _newest(operator, BEN)
    raw = operator.get(path + "/raw")
    kept = next(operator.house.boxes.glob(f"*/new/{path.rpartition('/')[2]}*"))
    assert raw.data == kept.read_bytes()
    assert raw.headers["Content-Disposition"] == "attachment; filename=mail.eml"
    attached = [part.get_payload(decode=True) for part in _message(raw.data).iter_attachments()]
    assert attached
    for number, data in enumerate(attached):
        assert operator.get(f"{path}/{number}").data == data
    assert operator.get(f"{path}/{len(attached)}").status_code == 404


@pytest.mark.parametrize("path", ["/operator/mail", f"/operator/mail/{ADA}"])
def test_nobody_else_sees_anything(operator: Visitor, path: str) -> None:
    assert operator.get(path).status_code == 200
    assert operator.house.visitor().get(path).status_code == 404
    operator.client.set_cookie("operator", "0" * 64)
    assert operator.get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/operator/wrong",
        f"/operator/{OPERATOR.upper()}",
        "/operator/mail/nobody@example.org",
        "/operator/mail/..%2f..%2fkeys/x",
        f"/operator/mail/{ADA}/..%2f..%2f..%2fkeys%2flink.key",
    ],
)
def test_what_is_not_mail_is_not_there(operator: Visitor, path: str) -> None:
    assert operator.get(path).status_code == 404


def test_the_mailbox_is_gone_when_there_is_a_relay(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(app)
    visitor = house.visitor()
    visitor.send(LINK)
    assert visitor.get("/operator/mail").status_code == 200
    site = house.site
    relayed = Settings(
        data=site.settings.data,
        operator_token=SecretStr(OPERATOR),
        smtp_host="relay.example",
        mail_from="play@example.org",
    )
    monkeypatch.setitem(app.extensions, "fernpartie", type(site)(relayed, *_rest(site)))
    assert visitor.get("/operator/mail").status_code == 404
    assert visitor.get(LINK).status_code == 404


def test_the_state_has_the_figures_and_is_for_the_operator_alone(operator: Visitor) -> None:
    page = operator.get("/operator/state").text
    assert re.search(r"<dt>Started</dt><dd>1</dd>", page)
    assert re.search(r"<dt>Waiting for players</dt><dd>0</dd>", page)
    assert "There are none." in page
    assert operator.house.visitor().get("/operator/state").status_code == 404


@pytest.mark.parametrize(("act", "left"), [("remove", 0), ("keep", 1)])
def test_a_reported_message_is_removed_or_stays(house: House, act: str, left: int) -> None:
    pair = begin(house)
    path = f"/m/{pair.match}/messages"
    pair.players[ADA].send(path, text="A rude word")
    pair.players[BEN].send(f"{path}", text="Hey!")
    csrf = dict(FIELD.findall(pair.players[BEN].get(path).text))
    pair.players[BEN].submit(f"{path}/report", csrf | {"message": "1"})
    visitor = house.visitor()
    visitor.send(LINK)
    assert "A rude word" in visitor.get("/operator/state").text
    assert visitor.send("/operator/state", message="1", act=act).status_code == 303
    assert "A rude word" not in visitor.get("/operator/state").text
    assert pair.players[BEN].get(path).text.count("A rude word") == left
    assert house.visitor().send("/operator/state", message="2", act="remove").status_code in (
        400,
        404,
    )


def _message(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def _rest(site: object) -> list[object]:
    return list(vars(site).values())[1:]


def _newest(operator: Visitor, address: str) -> str:
    page = operator.get(f"/operator/mail/{address}").text
    found = re.search(rf'href="(/operator/mail/{re.escape(address)}/[^"]+)"', page)
    assert found is not None
    return found[1]


def test_a_mail_is_answered_as_its_reader_would(operator: Visitor, house: House) -> None:
    """The answer lies in the letter box, to the address for answers, above the quote."""
    path = _newest(operator, BEN)
    assert "Send the answer" in operator.get(path).text
    typed = "YES three blue elephants\r\n\r\nRegards,\r\nBen"
    sent = operator.send(path, answer=typed)
    assert sent.status_code == 303
    assert "The answer is on its way" in operator.get(sent.headers["Location"]).text
    data = house.site.settings.data
    (file,) = (data / "mail" / "inbox" / "new").iterdir()
    answer = message_from_bytes(file.read_bytes(), policy=default)
    assert answer["From"] == BEN
    assert re.fullmatch(r"play\+[ti]\.[a-z2-7]{26}@localhost", answer["To"].addresses[0].addr_spec)
    assert answer["Subject"].startswith("Re: ")
    assert answer["In-Reply-To"]
    lines = answer.get_content().splitlines()
    assert lines[:4] == typed.splitlines()
    assert any(line.startswith("> ") for line in lines)


def test_a_mail_that_cannot_be_answered_offers_no_answer(operator: Visitor) -> None:
    path = re.findall(rf"/operator/mail/{ADA}/[^\"/]+", operator.get(f"/operator/mail/{ADA}").text)[
        -1
    ]
    assert "Please confirm" in operator.get(path).text
    assert "Send the answer" not in operator.get(path).text
