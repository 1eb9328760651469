"""Real mail servers and a real mail program: what goes out arrives, and answers play."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from dataclasses import dataclass, replace
from email.utils import parseaddr
from functools import partial

import pytest
import sqlalchemy as sa
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from imapclient import IMAPClient

from service import dkim, matches, reach, worker
from service.dkim import MailKey
from service.mail import lmtp
from service.mail.inbound.dkim import proof
from service.mail.transport import Relay, Smtp
from service.models import INBOUND, OUTBOX
from service.settings import Settings
from service.site import Site
from tests.mail.bench.office import (
    ANNA,
    BJOERN,
    CARLA,
    FULL,
    GHOST,
    LATE,
    PASSWORD,
    PLAYERS,
    RUDE,
    Office,
    until,
)
from tests.mail.bench.people import SERVICE, Correspondence, Wire, posted
from tests.mail.play import DOMAIN, read, service, text_of

pytestmark = pytest.mark.xdist_group("post office")


@pytest.mark.parametrize(
    ("below", "charset"), [(False, "us-ascii:utf-8"), (True, "us-ascii:iso-8859-1")]
)
def test_an_answer_with_mutt_plays_and_is_acknowledged(
    site: Site, office: Office, below: bool, charset: str
) -> None:
    match = Correspondence(site, office)
    match.begin()
    mover, line = match.mover, match.legal()[0]
    match.reply(line, below=below, charset=charset)
    match.come()
    match.work()
    assert [move.mv for move in match.moves()] == [line]
    assert office.raws(SERVICE) == []
    match.post()
    said = next(mail for mail in office.mails(mover) if mail["Auto-Submitted"] == "auto-replied")
    assert line in text_of(said)
    assert "ü" not in str(said["To"])


def test_a_signed_mail_is_genuine_as_its_reader_has_it(site: Site, office: Office) -> None:
    """After Postfix and Dovecot, over IMAP; and no longer with one other header."""
    key = MailKey("s1", DOMAIN, dkim.new("rsa"))
    match = Correspondence(replace(site, dkim=key), office)
    match.table.ask()
    match.post()
    with IMAPClient("127.0.0.1", port=office.imap, ssl=False) as box:
        box.login(ANNA, PASSWORD)
        box.select_folder("INBOX", readonly=True)
        (found,) = box.fetch(box.search("ALL"), ["BODY.PEEK[]"]).values()
    raw = found[b"BODY[]"]
    assert raw.index(b"Received: ") < raw.index(b"DKIM-Signature: ")
    for changed, expected in ((raw, "pass"), (raw.replace(b"Subject: ", b"Subject: x"), "fail")):
        assert proof(changed, SERVICE, match.table.now, lambda name: key.record) == expected


def test_one_mail_to_two_turns_plays_both_over_lmtp(settings: Settings, office: Office) -> None:
    """Postfix hands it over once and gets an answer for each of the two."""
    chosen = posted(settings, office, reply_to=f"app+{{}}@{DOMAIN}", imap_host=None, imap_user=None)
    with service(chosen) as site, lmtp.served(site, office.ports["app"]):
        first, second = same_mover(site, office)
        asked = (match.asked(match.mover)["Reply-To"] for match in (first, second))
        own, other = (reply_to.addresses[0].addr_spec for reply_to in asked)
        first.reply(first.legal()[0], copy=other)
        until(lambda: count(site) == 2)
        first.work()
        assert [len(match.moves()) for match in (first, second)] == [1, 1]
        (one,), (two,) = (until(partial(office.log, f"to=<{to}>")) for to in (own, other))
        assert "(250 2.0.0 kept)" in one
        assert "(250 2.0.0 kept)" in two
        assert one.split()[5] == two.split()[5], "one mail in the queue"


def same_mover(site: Site, office: Office) -> tuple[Correspondence, Correspondence]:
    """Two matches in which the same person begins."""
    matches: dict[str, Correspondence] = {}
    for number in range(20):  # the lot draws the seats
        match = Correspondence(site, office, nonce=str(number))
        match.begin()
        if match.mover in matches:
            return matches[match.mover], match
        matches[match.mover] = match
    raise AssertionError("the lot cannot do that")


def count(site: Site) -> int:
    with site.db.read() as conn:
        return int(conn.execute(sa.select(sa.func.count()).select_from(INBOUND)).scalar_one())


@pytest.mark.parametrize(
    ("address", "state", "outcome", "stopped"),
    [
        (GHOST, "sent", "bounce:stopped", True),
        (FULL, "sent", "bounce:soft", False),
        (f"nobody@{PLAYERS}", "failed", "", True),
        (LATE, "deferred", "", False),
    ],
)
def test_a_mailbox_that_takes_no_mail(
    site: Site, office: Office, address: str, state: str, outcome: str, stopped: bool
) -> None:
    """One is forgotten, one full, one unknown at once, one never ready; real reports say so."""
    match = Correspondence(site, office, (ANNA, address))
    match.table.ask()
    match.table.confirm()
    match.table.post()
    assert match.states(address) == [("invitation", state)]
    if outcome:
        match.come()
        match.work()
        assert match.outcomes() == [outcome]
    with site.db.read() as conn:
        assert reach.suppressed(conn, address) == stopped
        assert len(matches.seats(conn, match.table.match)) == 2


def test_a_holiday_is_not_told_to_us(site: Site, office: Office) -> None:
    """A real responder is silent for the headers of our mails; what it answers without them, though
    a line of it is a move, is read by nobody."""
    match = Correspondence(site, office, (ANNA, CARLA))
    match.begin()
    assert office.mails(CARLA)
    until(lambda: not office.waiting())
    assert office.raws(SERVICE) == []
    sender, _, raw = next(mail for mail in match.way.mails if mail[1] == CARLA)
    bare = re.sub(rb"(?im)^(auto-submitted|list-\S+|x-auto\S+): .*\r\n(?:[ \t].*\r\n)*", b"", raw)
    match.way.deliver(sender, CARLA, bare)
    match.way.close()
    match.come()
    (answer,) = office.mails(SERVICE)
    assert "a1-c1" in text_of(answer)
    match.work()
    assert match.outcomes() == ["automatic"]
    assert (match.moves(), office.raws(SERVICE)) == ([], [])


@dataclass
class Responder:
    """A program that answers every mail at once, with no sign that it is one."""

    port: int
    count: int = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        mail = read(bytes(envelope.content or b""))
        self.count += 1
        answer = (
            f"From: {RUDE}\nTo: {mail['Reply-To'] or mail['From']}\nSubject: Re: {self.count}\n"
        )
        answer += f"In-Reply-To: {mail['Message-ID']}\n\nI have read your mail number {self.count}."
        await asyncio.to_thread(self._send, str(mail["Reply-To"] or mail["From"]), answer)
        return "250 2.0.0 read"

    def _send(self, to: str, text: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.port) as line:
            line.sendmail(RUDE, [parseaddr(to)[1]], text.encode())


def test_a_rude_responder_gets_three_answers_and_the_queue_runs_empty(
    site: Site, office: Office
) -> None:
    responder = Responder(office.smtp)
    away = Controller(responder, hostname="127.0.0.1", port=office.ports["away"])
    away.start()
    match = Correspondence(site, office, (ANNA, RUDE))
    match.table.ask()
    match.table.confirm()
    while match.table.post():
        until(lambda: not office.waiting())
        match.work()
    away.stop()
    assert match.states(RUDE) == [("invitation", "sent"), *[("answer", "sent")] * 3]
    assert match.outcomes() == [*["answer:consent"] * 3, "silent:consent"]
    assert office.raws(SERVICE) == []


def test_a_relay_that_is_away_for_an_hour_loses_and_doubles_nothing(
    site: Site, office: Office
) -> None:
    """It goes away in the middle of a batch."""
    match = Correspondence(site, office)
    guests = [f"anna+{number}@{PLAYERS}" for number in range(8)]
    for number, address in enumerate(guests):
        each = Correspondence(site, office, (address, BJOERN), nonce=str(number))
        each.table.now = match.table.now
        each.table.ask()

    def leave(count: int) -> None:
        if count == 3:
            until(lambda: not office.waiting())  # else Postfix itself would double what it has
            office.shut()

    match.way.then = leave
    match.table.post()
    assert len(match.way.mails) == 3
    for _ in range(60):
        match.table.now += 60
        match.table.post()
    assert len(match.way.mails) == 3
    office.open()
    match.way.then = lambda count: None
    match.table.now += 900
    match.table.post()
    until(lambda: len(office.raws(ANNA)) == len(guests))
    assert {state for address in guests for _, state in match.states(address)} == {"sent"}
    assert {str(mail["To"].addresses[0].addr_spec) for mail in office.mails(ANNA)} == set(guests)


def test_a_wrong_password_is_the_operators_trouble_and_nobody_elses(
    site: Site, office: Office
) -> None:
    match = Correspondence(site, office)
    match.table.ask()
    trust = ssl.create_default_context(cafile=str(office.folder / "cert.pem"))
    relay = Relay("localhost", office.ports["submission"], DOMAIN, "starttls", SERVICE, "", trust)
    worker.post(site, Smtp(replace(relay, password="wrong")), match.table.now)
    assert match.states(ANNA) == [("confirm", "ready")]
    with site.db.read() as conn:
        assert not reach.suppressed(conn, ANNA)
        alerts = conn.execute(sa.select(OUTBOX.c.snapshot).where(OUTBOX.c.kind == "alert"))
        (alert,) = alerts.scalars()
    assert "535" in alert
    match.table.recorder = Wire(replace(relay, password=PASSWORD))  # type: ignore[assignment]
    match.table.now += 60
    match.table.post()
    assert match.states(ANNA) == [("confirm", "sent")]
    until(lambda: office.mails(ANNA))


def test_an_answer_that_waited_in_the_mailbox_past_the_deadline_counts(
    site: Site, office: Office
) -> None:
    match = Correspondence(site, office, clock="2h")
    match.begin()
    match.work()
    line = match.legal()[0]
    match.reply(line)
    match.come()
    late = match.table.now + 5 * 3_600
    worker.clocks(site, match.way, late)
    assert match.moves() == []
    with site.db.read() as conn:
        assert matches.find(conn, match.table.match).mover is not None
    match.work(late)
    worker.clocks(site, match.way, late)
    assert [move.mv for move in match.moves()] == [line]
    with site.db.read() as conn:
        assert matches.find(conn, match.table.match).mover is not None
