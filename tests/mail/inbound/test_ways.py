"""Every way in: a mail is kept before it is acknowledged, and comes to the same over each."""

from __future__ import annotations

import hmac
import os
import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from pydantic import SecretStr

from service import beat, create_app, doctor, inbox, worker
from service.errors import NotReady
from service.mail import imap, letterbox, lmtp, mailbox
from service.models import INBOUND
from service.settings import Settings
from service.site import Site
from tests.absent import absent
from tests.mail.inbound import dovecot
from tests.mail.inbound.letters import plain
from tests.mail.inbound.original import original
from tests.mail.inbound.players import Players
from tests.mail.play import Table


def move(players: Players) -> tuple[bytes, str]:
    """An answer that plays, and the address it goes to."""
    mail = players.last(players.mover())
    letter = players.letter(players.legal()[0], mail)
    return letter.bytes(), mail["Reply-To"].addresses[0].addr_spec


def work(players: Players) -> None:
    while worker.receive(players.table.site, players.table.recorder, players.table.now):
        pass


def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def count(site: Site) -> int:
    with site.db.read() as conn:
        return int(conn.execute(sa.select(sa.func.count()).select_from(INBOUND)).scalar_one())


def test_what_lies_in_the_letter_box_comes_in_once(players: Players) -> None:
    site = players.table.site
    raw, _ = move(players)
    letterbox.put(site.settings.data, raw)
    worker.collect(site, players.table.recorder, players.table.now)
    assert not letterbox.empty(site)
    players.table.now = 4_000_000_000
    work(players)
    assert players.outcome() == "play"
    box = letterbox.folder(site.settings.data)
    assert box.stat().st_mode & 0o077 == 0
    with site.db.read() as conn:
        assert not inbox.settled(conn, site.settings, 3_999_999_990, 4_000_000_000)


def lmtp_client(number: int) -> smtplib.LMTP:
    return smtplib.LMTP("127.0.0.1", number, timeout=20)


def test_a_mail_server_gets_an_answer_for_every_recipient(players: Players) -> None:
    site, number = players.table.site, port()
    raw, address = move(players)
    other = address.upper()
    with lmtp.served(site, number), lmtp_client(number) as client:
        client.ehlo()
        client.mail("bjoern@example.org")
        assert client.rcpt(address)[0] == 250
        assert client.rcpt(other)[0] == 250
        assert client.rcpt("play+t." + "b" * 26 + "@games.example.org")[0] == 550
        client.putcmd("data")
        assert client.getreply()[0] == 354
        client.send(raw + b"\r\n.\r\n")
        assert [client.getreply()[0], client.getreply()[0]] == [250, 250]
    players.table.now = 4_000_000_000
    work(players)
    assert len(players.moves()) == 1


def test_a_line_of_any_length_gets_through_the_listener(players: Players) -> None:
    site, number = players.table.site, port()
    _, address = move(players)
    long = original().reply(plain("x" * 5_000, encoding="8bit"), to=address).bytes()
    with lmtp.served(site, number), lmtp_client(number) as client:
        assert client.sendmail("a@example.org", [address], long) == {}
    assert count(site) == 1


def test_a_port_that_is_taken_stops_the_start(site: Site) -> None:
    number = port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", number))
        taken.listen()
        with pytest.raises(NotReady, match="FERNPARTIE_LMTP_PORT"), lmtp.served(site, number):
            pass


def pipe(data: Path, raw: bytes, *words: str) -> int:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FERNPARTIE_")}
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "inbound", *words],
        input=raw,
        env=kept | {"FERNPARTIE_DATA": str(data)},
        capture_output=True,
        check=False,
    )
    return done.returncode


def test_a_pipe_says_that_a_mail_is_kept_or_when_to_come_back(players: Players) -> None:
    site = players.table.site
    raw, address = move(players)
    assert pipe(site.settings.data, raw, "--rcpt", address) == 0
    assert count(site) == 1
    assert pipe(site.settings.data / "nowhere", raw) == 75


def test_a_provider_posts_raw_mails_with_the_secret(players: Players) -> None:
    raw, _ = move(players)
    given = players.table.site.settings.model_copy(update={"hook_secret": SecretStr("s3cret")})
    app = create_app(given)
    client = app.test_client()
    host = {"base_url": given.base_url}
    signature = hmac.digest(b"s3cret", raw, "sha256").hex()
    assert client.post("/mail", data=raw, **host).status_code == 403
    wrong = {"X-Fernpartie-Signature": "0" * 64}
    assert client.post("/mail", data=raw, headers=wrong, **host).status_code == 403
    good = {"X-Fernpartie-Signature": f"sha256={signature}"}
    assert client.post("/mail", data=raw, headers=good, **host).status_code == 200
    assert client.post("/mail", data=raw, auth=("x", "s3cret"), **host).status_code == 200
    assert count(players.table.site) == 1
    app.extensions["fernpartie"].close()


def test_without_a_secret_nobody_posts_mails(site: Site) -> None:
    app = create_app(site.settings)
    posted = app.test_client().post("/mail", data=b"x", base_url=site.settings.base_url)
    assert posted.status_code == 404
    app.extensions["fernpartie"].close()


def test_the_operators_answer_is_a_genuine_mail(players: Players) -> None:
    """It goes through all that a mail from elsewhere does."""
    site, who = players.table.site, Table.ADDRESSES[players.mover()]
    raw = next(raw for _, to, raw in reversed(players.table.recorder.mails) if to == who)
    key = mailbox.put(mailbox.folder(site.settings.data), who, raw)
    letter = mailbox.read(mailbox.folder(site.settings.data), who, key)
    typed = players.legal()[0]
    answer = letterbox.answer(letter, who, typed, "Am Sonntag schrieb Fernpartie:", 1)
    letterbox.put(site.settings.data, answer)
    worker.collect(site, players.table.recorder, players.table.now)
    players.table.now = 4_000_000_000
    work(players)
    assert players.outcome() == "play"


@pytest.fixture(scope="module")
def provider() -> Iterator[dovecot.Server]:
    """A mailbox at a provider."""
    binary = dovecot.program()
    if binary is None:
        absent("Dovecot is not installed (Debian: apt-get install dovecot-imapd).")
    with dovecot.serve(binary) as running:
        yield running


def fetching(players: Players, provider: dovecot.Server) -> Site:
    """The service with its mailbox at the provider."""
    there = {
        "imap_host": "127.0.0.1",
        "imap_port": provider.port,
        "imap_tls": "none",
        "imap_user": dovecot.USER,
        "imap_password": SecretStr(dovecot.PASSWORD),
    }
    site = players.table.site
    return replace(site, settings=site.settings.model_copy(update=there))


def test_a_mailbox_at_a_provider_is_emptied_of_what_is_ours(
    players: Players, provider: dovecot.Server
) -> None:
    site = fetching(players, provider)
    raw, _ = move(players)
    arrived = players.table.now - 3_600
    provider.bring(raw, arrived)
    provider.bring(b"From: a@example.org\r\nTo: play@games.example.org\r\n\r\nBuy!\r\n")
    assert imap.poll(site, players.table.now) == 1
    assert [provider.count(name) for name in ("INBOX", "Processed", "Ignored")] == [0, 1, 1]
    with site.db.read() as conn:
        assert conn.execute(sa.select(INBOUND.c.arrived)).scalar_one() == arrived
    work(players)
    assert players.outcome() == "play"
    assert imap.poll(site, players.table.now) == 0


def test_the_same_mail_by_every_way_and_after_a_crash_plays_once_and_is_answered_once(
    players: Players, provider: dovecot.Server
) -> None:
    """From the mailbox, put back there, from a folder that was made anew, from a mail server, and
    taken up a second time."""
    site, way, now = fetching(players, provider), players.table.recorder, players.table.now
    site = replace(site, settings=site.settings.model_copy(update={"imap_folder": "Games"}))
    raw, address = move(players)
    validities = []
    for anew in (True, False, True):
        validities += [provider.anew("Games")] * anew
        provider.bring(raw, now, "Games")
        assert imap.poll(site, now) == 1
    assert len(set(validities)) == 2
    number = port()
    with lmtp.served(site, number), lmtp_client(number) as client:
        for _ in range(2):
            assert client.sendmail("bjoern@example.org", [address], raw) == {}
    players.table.now = 4_000_000_000
    for crashed in (False, True):
        if crashed:
            with site.db.write() as conn:
                conn.execute(INBOUND.update().values(state="new"))
        while worker.receive(site, way, players.table.now):
            pass
    with site.db.read() as conn:
        outcomes = list(conn.execute(sa.select(INBOUND.c.outcome)).scalars())
    assert sorted(outcomes) == ["duplicate", "duplicate", "duplicate", "play"]
    assert len(players.moves()) == 1
    assert players.kinds().count("ack") == 1


def test_a_mail_from_a_server_whose_clock_is_ahead_is_taken_up_at_once(
    players: Players, provider: dovecot.Server
) -> None:
    site = fetching(players, provider)
    raw, _ = move(players)
    provider.bring(raw, players.table.now + 7_200)
    imap.poll(site, players.table.now)
    work(players)
    assert players.outcome() == "play"


def test_a_mailbox_that_cannot_be_opened_is_no_reason_to_end(
    players: Players, provider: dovecot.Server
) -> None:
    site = fetching(players, provider)
    for word in ("wrong", "fälschlich"):
        locked = site.settings.model_copy(update={"imap_password": SecretStr(word)})
        with pytest.raises(imap.Unreachable, match="Authentication failed"):
            imap.poll(replace(site, settings=locked), players.table.now)
        assert worker.fetch(replace(site, settings=locked), players.table.recorder, 1) is False


@pytest.mark.parametrize(
    ("trouble", "late"), [("taken", False), ("refused", True), ("hangs up", True)]
)
def test_a_mail_that_cannot_be_had_keeps_no_other_out(
    players: Players,
    provider: dovecot.Server,
    monkeypatch: pytest.MonkeyPatch,
    trouble: str,
    late: bool,
) -> None:
    """Another program takes it away, or the server does not give it out. Such a one may be in time,
    so nothing is timed out for a while; but not for ever."""
    site, now = fetching(players, provider), players.table.now
    site = replace(site, settings=site.settings.model_copy(update={"imap_folder": "Games"}))
    provider.anew("Games")
    mail = players.last(players.mover())
    for text in ("one", "two", "three"):
        provider.bring(players.letter(text, mail).bytes(), now - 60, "Games")
    fetch = IMAPClient.fetch

    def troubled(box: IMAPClient, uids: list[int], parts: list[str]) -> object:
        body = uids == [2] and "INTERNALDATE" not in parts
        if body and trouble == "hangs up":
            raise IMAPClientAbortError("socket error: EOF")
        if body and trouble == "refused":
            raise IMAPClientError("fetch failed: [SERVERBUG] Internal error")
        if body:
            with provider.open() as other:
                other.select_folder("Games")
                other.delete_messages([2])
                other.expunge()
        return fetch(box, uids, parts)

    monkeypatch.setattr(IMAPClient, "fetch", troubled)
    looked = []
    for seconds in (0, 4_000):
        imap.poll(site, now + seconds)
        with site.db.read() as conn:
            looked.append(beat.last(conn).get("inbound", 0))
    assert count(site) == 2
    assert looked == [0 if late else now, now + 4_000]


def problem(settings: Settings) -> str:
    """What the doctor says against the ways in; "" if nothing."""
    found = doctor.of_mail(settings, running=True)
    return " ".join(one.sentence for one in found if one.about == "answers" and not one.ok)


def test_the_doctor_looks_into_the_mailbox_at_a_provider(
    players: Players, provider: dovecot.Server
) -> None:
    settings = fetching(players, provider).settings
    assert problem(settings) == ""
    wrong = settings.model_copy(update={"imap_password": SecretStr("wrong")})
    assert "cannot be looked into" in problem(wrong)
    assert "no folder Play" in problem(settings.model_copy(update={"imap_folder": "Play"}))


def test_the_doctor_asks_the_listener_and_the_pages(site: Site) -> None:
    number = port()
    settings = site.settings.model_copy(update={"lmtp_port": number})
    assert f"port {number}" in problem(settings)
    with lmtp.served(site, number):
        assert problem(settings) == ""
    posting = settings.model_copy(update={"hook_secret": SecretStr("s3cret"), "port": port()})
    assert "/mail are not taken in" in problem(posting.model_copy(update={"lmtp_port": None}))
