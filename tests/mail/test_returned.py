"""Mails that come back: who gets no more of them, and who is told."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from service import inbox, links, reach
from service.inbox import Arrival
from service.mail import reply
from service.models import OUTBOX, SEAT
from service.settings import Settings
from service.site import Site
from tests.mail.play import DOMAIN, Table

REPORT = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
To: {to}
Subject: {subject}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type={kind}; boundary="=x"

--=x
Content-Type: text/plain

I could not deliver this. User unknown 5.1.1 e2e4 a1-c1
--=x
Content-Type: message/{kind}

{said}
--=x
Content-Type: {copy}

{brought}
--=x--
"""
DSN = "Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; x@example.org\n"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    given = {"reply_to": f"play+{{}}@{DOMAIN}", "mail_envelope": "verp"}
    return settings.model_copy(update=given)


@pytest.fixture
def table(site: Site) -> Table:
    """A match whose first turn mail has gone out."""
    table = Table(site)
    table.begin()
    table.post()
    return table


def report(table: Table, said: str, *, kind: str = "delivery-status", **changes: str) -> str:
    """Lets a report about the newest turn mail come in; gives its outcome."""
    row = table.row("turn")
    token, _ = links.bounce(table.site.keys.link, row.message_id)
    fields = {
        "to": f"play+b.{token}@{DOMAIN}",
        "copy": "text/rfc822-headers",
        "brought": "Subject: x",
        "kind": kind,
        "said": said,
        "subject": "Undelivered Mail Returned to Sender",
    }
    raw = REPORT.format(**fields | changes).encode()
    assert inbox.store(table.site.db, Arrival(f"t:{raw!r}"[:300], raw, table.now, "", ""))
    (due,) = inbox.due(table.site.db, table.now)
    assert reply.take_up(table.site, due, table.now)
    inbound = sa.text("SELECT outcome FROM inbound ORDER BY id DESC LIMIT 1")
    with table.site.db.read() as conn:
        return str(conn.execute(inbound).scalar_one())


def suppressed(table: Table) -> bool:
    with table.site.db.read() as conn:
        return reach.suppressed(conn, table.row("turn").address)


def test_mails_leave_with_an_address_of_their_own(table: Table) -> None:
    sender, _, _ = table.recorder.mails[-1]
    token, hash = links.bounce(table.site.keys.link, table.row("turn").message_id)
    assert sender == f"play+b.{token}@{DOMAIN}"
    with table.site.db.read() as conn:
        assert hash in list(conn.execute(sa.select(OUTBOX.c.bounce)).scalars())


@pytest.mark.parametrize(
    ("said", "outcome", "stopped"),
    [
        ("Action: failed\nStatus: 5.1.1\n", "bounce:stopped", True),
        ("Action: failed\nStatus: 5.2.1\n", "bounce:stopped", True),
        ("Action: failed\nStatus: 5.2.2\n", "bounce:soft", False),
        ("Action: failed\nStatus: 5.0.0\n", "bounce:soft", False),
        ("Action: failed\nStatus: 5.7.1\n", "bounce", False),
        ("Action: failed\nStatus: 5.1.8\n", "bounce", False),
        ("Action: failed\nStatus: 5.3.4\n", "bounce", False),
        ("Action: failed\nStatus: 4.4.7\n", "bounce:soft", False),
        ("Status: 4.2.2\n", "bounce", False),
        ("Action: delayed\nStatus: 4.4.1\n", "bounce", False),
        ("Action: delayed\nStatus: 5.1.1\n", "bounce", False),
        ("Action: relayed\nStatus: 2.0.0\n", "bounce", False),
        ("nothing that a machine could read\n", "bounce:soft", False),
    ],
)
def test_a_report_counts_by_its_status(
    table: Table, said: str, outcome: str, stopped: bool
) -> None:
    assert report(table, DSN + said) == outcome
    assert suppressed(table) == stopped


@pytest.mark.parametrize(
    ("subject", "outcome"),
    [
        ("Warning: message 1r8x delayed 24 hours", "bounce"),
        ("Zustellung verzögert", "bounce"),
        ("Mail delivery failed: returning message to sender", "bounce:soft"),
    ],
)
def test_a_report_in_words_alone_counts_unless_the_mail_is_only_late(
    table: Table, subject: str, outcome: str
) -> None:
    assert report(table, "words", subject=subject, kind="x") == outcome


@pytest.mark.parametrize("copy", ["message/rfc822", "text/rfc822-headers", "text/plain"])
def test_a_mail_is_known_by_its_copy_too(table: Table, copy: str) -> None:
    brought = f"Message-ID: <{table.row('turn').message_id}@{DOMAIN}>\nSubject: x\n\nbody"
    failed = DSN + "Action: failed\nStatus: 5.1.1\n"
    said = report(table, failed, to=f"play@{DOMAIN}", copy=copy, brought=brought)
    assert said == "bounce:stopped"


def test_a_report_about_nothing_of_ours_changes_nothing(table: Table) -> None:
    strange = f"play+b.{'a' * 26}@{DOMAIN}"
    assert report(table, DSN + "Action: failed\nStatus: 5.1.1\n", to=strange) == "bounce"
    assert not suppressed(table)


def test_a_complaint_ends_the_mails_of_its_match_and_no_seat(table: Table) -> None:
    brought = f"Message-ID: <{table.row('turn').message_id}@{DOMAIN}>\n"
    said = "Feedback-Type: abuse\nUser-Agent: x/1\n"
    outcome = report(table, said, kind="feedback-report", to=f"play@{DOMAIN}", brought=brought)
    assert outcome == "complaint:muted"
    with table.site.db.read() as conn:
        rows = conn.execute(sa.select(SEAT.c.muted, SEAT.c.player, SEAT.c.number)).all()
    assert [row.muted is not None for row in rows].count(True) == 1
    assert all(row.player and row.number for row in rows)
    player = table.mover
    assert player in [row.player for row in rows if row.muted]


def test_a_mail_to_the_address_in_the_header_unsubscribes(table: Table) -> None:
    mail = table.recorder.mails[-1][2].decode()
    token = mail.partition("mailto:play+u.")[2][:26]
    raw = f"From: x@example.org\nTo: play+u.{token}@{DOMAIN}\nSubject: unsubscribe\n\n".encode()
    assert inbox.store(table.site.db, Arrival("u:1", raw, table.now, "", ""))
    (due,) = inbox.due(table.site.db, table.now)
    assert reply.take_up(table.site, due, table.now)
    with table.site.db.read() as conn:
        assert len([row for row in conn.execute(sa.select(SEAT.c.muted)) if row.muted]) == 1
