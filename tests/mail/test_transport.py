"""Handing mails over: every answer of a relay, and mailboxes on disk."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from service.mail.transport import (
    Breaker,
    Delivery,
    Maildir,
    Relay,
    Smtp,
    Unreachable,
    chosen,
)
from service.settings import Settings
from tests.mail.relay import Desk, certificate, free_port, listening, password

RAW = b"Message-ID: <1@example.org>\r\nSubject: dots\r\n\r\n.\r\n..two\r\nlast\r\n"
FROM, TO = "play@example.org", "anna@example.org"


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def smtp(desk: Desk) -> Iterator[Smtp]:
    with listening(desk) as port:
        way = Smtp(Relay("127.0.0.1", port, "games.example.org", tls="none"))
        yield way
        way.close()


def test_the_relay_gets_the_very_bytes(desk: Desk, smtp: Smtp) -> None:
    assert smtp.deliver(FROM, TO, RAW).state == "sent"
    assert desk.mails == [(FROM, TO, RAW)]
    assert desk.greeting == "games.example.org"


@pytest.mark.parametrize(("said", "name"), [(None, "example.org"), ("mx.example.org",) * 2])
def test_a_relay_is_greeted_by_a_public_name(said: str | None, name: str) -> None:
    settings = Settings(smtp_host="relay.example.org", mail_from=FROM, smtp_hello=said)
    way = chosen(settings)
    assert isinstance(way, Smtp)
    assert way.relay.greeting == name


def test_a_batch_goes_over_one_connection(desk: Desk, smtp: Smtp) -> None:
    for _ in range(3):
        smtp.deliver(FROM, TO, RAW)
    assert (desk.connections, len(desk.mails)) == (1, 3)


@pytest.mark.parametrize(
    ("step", "answer", "state", "says"),
    [
        ("MAIL", "451 4.3.0 later", "deferred", ""),
        ("MAIL", "452 4.3.1 no room on the disk", "deferred", ""),
        ("MAIL", "550 5.1.8 sender unknown", "failed", "ours"),
        ("MAIL", "552 5.3.4 too big", "failed", "ours"),
        ("MAIL", "553 5.1.8 not your address", "failed", "ours"),
        ("RCPT", "450 4.2.0 greylisted", "deferred", ""),
        ("RCPT", "451 4.7.1 try again", "deferred", ""),
        ("RCPT", "452 4.2.2 full for now", "deferred", ""),
        ("RCPT", "550 5.1.1 unknown user", "failed", "hard"),
        ("RCPT", "550 5.1.2 no such host", "failed", "hard"),
        ("RCPT", "553 5.1.3 bad address", "failed", "hard"),
        ("RCPT", "551 5.1.6 moved", "failed", "hard"),
        ("RCPT", "556 5.1.10 takes no mail", "failed", "hard"),
        ("RCPT", "550 5.2.1 disabled", "failed", "hard"),
        ("RCPT", "552 5.2.2 mailbox full", "deferred", "soft"),
        ("RCPT", "550 5.4.1 no way there", "deferred", "soft"),
        ("RCPT", "550 5.0.0 no", "failed", "soft"),
        ("RCPT", "550 no", "failed", "soft"),
        ("RCPT", "550 5.7.1 blocked", "failed", "ours"),
        ("RCPT", "550 5.1.1 blocked as spam", "failed", "ours"),
        ("RCPT", "554 5.7.26 unauthenticated", "failed", "ours"),
        ("RCPT", "554 your network has a bad reputation", "failed", "ours"),
        ("DATA", "451 4.7.1 try again", "deferred", ""),
        ("DATA", "452 4.2.2 full for now", "deferred", ""),
        ("DATA", "552 5.2.2 mailbox full", "deferred", "soft"),
        ("DATA", "550 5.1.1 unknown user", "failed", "ours"),
        ("DATA", "552 5.3.4 too big", "failed", "ours"),
        ("DATA", "554 5.6.0 content", "failed", "ours"),
        ("DATA", "550 5.7.1 policy", "failed", "ours"),
        ("DATA", "421 4.3.2 closing", "deferred", ""),
    ],
)
def test_a_refusal_is_sorted_by_its_step_and_code(
    desk: Desk, smtp: Smtp, step: str, answer: str, state: str, says: str
) -> None:
    """Whether the mail is tried again, what it says about the mailbox, and if it says it of us."""
    desk.answers[step] = [answer]

    delivery = smtp.deliver(FROM, TO, RAW)

    assert (delivery.state, delivery.code) == (state, int(answer[:3]))
    assert (delivery.bounce or "ours" * delivery.ours) == says
    assert answer[4:] in delivery.text
    assert desk.mails == []


@pytest.mark.parametrize("step", ["MAIL", "RCPT"])
@pytest.mark.parametrize("code", [421, 530, 534, 535])
def test_a_relay_that_does_not_let_us_in_says_nothing_about_a_mail(
    desk: Desk, smtp: Smtp, step: str, code: int
) -> None:
    desk.answers[step] = [f"{code} 5.7.0 first say who you are"]
    with pytest.raises(Unreachable, match=str(code)) as refused:
        smtp.deliver(FROM, TO, RAW)
    assert refused.value.ours == (code != 421)


def test_after_a_refusal_the_next_mail_goes_out(desk: Desk, smtp: Smtp) -> None:
    desk.answers["RCPT"] = ["550 5.1.1 unknown user"]
    smtp.deliver(FROM, "nobody@example.org", RAW)

    assert smtp.deliver(FROM, TO, RAW).state == "sent"
    assert (desk.connections, desk.mails) == (1, [(FROM, TO, RAW)])


@pytest.mark.parametrize("step", ["MAIL", "RCPT"])
@pytest.mark.parametrize("answer", ["421 4.3.2 too many mails", "drop"])
def test_a_connection_that_ends_is_made_once_more(
    desk: Desk, smtp: Smtp, step: str, answer: str
) -> None:
    smtp.deliver(FROM, TO, RAW)
    desk.answers[step] = [answer]

    assert smtp.deliver(FROM, TO, RAW).state == "sent"
    assert (desk.connections, len(desk.mails)) == (2, 2)


def test_a_relay_that_keeps_leaving_says_nothing_about_the_mail(desk: Desk, smtp: Smtp) -> None:
    desk.answers["MAIL"] = ["421 4.3.2 later"] * 2

    for _ in range(2):
        with pytest.raises(Unreachable, match="421"):
            smtp.deliver(FROM, TO, RAW)
    assert smtp.deliver(FROM, TO, RAW).state == "sent"
    assert len(desk.mails) == 1


def test_a_lost_answer_to_the_final_dot_is_uncertain(desk: Desk, smtp: Smtp) -> None:
    desk.answers["DATA"] = ["drop"]

    assert smtp.deliver(FROM, TO, RAW).state == "uncertain"
    assert smtp.deliver(FROM, TO, RAW).state == "sent"


def test_a_relay_that_is_not_there_is_unreachable() -> None:
    way = Smtp(Relay("127.0.0.1", free_port(), "games.example.org", tls="none"))

    with pytest.raises(Unreachable):
        way.deliver(FROM, TO, RAW)
    way.close()


def test_a_relay_without_starttls_gets_no_mail(desk: Desk) -> None:
    with listening(desk) as port, pytest.raises(Unreachable, match="STARTTLS"):
        Smtp(Relay("127.0.0.1", port, "games.example.org")).deliver(FROM, TO, RAW)
    assert desk.mails == []


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_mail_goes_over_tls_with_a_password(desk: Desk, tmp_path: Path, tls: str) -> None:
    server, client = contexts(tmp_path)
    options = (
        {"tls_context": server}
        if tls == "starttls"
        else {"ssl_context": server, "auth_require_tls": False}
    )
    with listening(desk, authenticator=password, **options) as port:
        for word in ("wrong", "falsch, ähnlich", "right", "Schlüssel"):
            relay = Relay("localhost", port, "g.example.org", tls, "anna", word, client)  # type: ignore[arg-type]
            way = Smtp(relay)
            if word in ("right", "Schlüssel"):
                assert way.deliver(FROM, TO, RAW).state == "sent"
            else:
                with pytest.raises(Unreachable, match="535"):
                    way.deliver(FROM, TO, RAW)
            assert word not in repr(relay)
            way.close()
    assert len(desk.mails) == 2


@pytest.mark.parametrize(
    ("host", "greeting"), [("mx..example.org", "g.example.org"), ("127.0.0.1", "müller.example")]
)
def test_a_name_that_is_none_is_said(smtp: Smtp, host: str, greeting: str) -> None:
    way = Smtp(replace(smtp.relay, host=host, greeting=greeting))
    with pytest.raises(Unreachable, match="is no name of a machine"):
        way.deliver(FROM, TO, RAW)


def test_a_certificate_of_somebody_else_is_refused(desk: Desk, tmp_path: Path) -> None:
    server, _ = contexts(tmp_path)
    with listening(desk, tls_context=server) as port, pytest.raises(Unreachable, match="CERT"):
        Smtp(Relay("localhost", port, "games.example.org")).deliver(FROM, TO, RAW)


def contexts(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    client = certificate(folder)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return server, client


def test_a_breaker_rests_longer_each_time_up_to_a_quarter_of_an_hour() -> None:
    breaker = Breaker()
    pauses = []
    for _ in range(8):
        breaker.trip(1000, "away")
        pauses.append(breaker.until - 1000)
    assert pauses == [30, 60, 120, 240, 480, 900, 900, 900]
    assert breaker.rests(1899)
    assert not breaker.rests(1900)
    breaker.reset()
    assert not breaker.rests(1000)


def test_a_full_disk_leaves_the_mail_waiting(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")

    with pytest.raises(Unreachable):
        Maildir(blocked / "mail").deliver(FROM, TO, RAW)


def test_a_mailbox_takes_the_very_bytes(tmp_path: Path) -> None:
    delivery = Maildir(tmp_path).deliver(FROM, TO, RAW)

    (file,) = tmp_path.glob("*/new/*")
    assert delivery == Delivery("sent", text=file.name)
    assert file.read_bytes() == RAW
