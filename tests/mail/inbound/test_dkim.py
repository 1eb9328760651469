"""Signatures of mails that come in: those of another implementation, whole, changed and strange."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from service import inbox
from service.inbox import Arrival
from service.mail.inbound import dkim
from service.mail.reply import take_up
from service.settings import Settings
from service.site import Site
from tests.mail.inbound.players import Players
from tests.mail.play import Table, service

AUTHOR, NOW = "bjoern@example.org", 1_795_953_600
SIGNED = [
    (base64.b64decode(one["mail"]), one["key"])
    for one in json.loads((Path(__file__).parent / "signed.json").read_text())
]
"""Made by dkimpy 1.1.8 with throw-away keys: RSA and Ed25519, blanks counted and not."""
ALL = pytest.mark.parametrize(("mail", "key"), SIGNED)
BROKEN = "v=1; a=ed25519-sha256; d=example.org; s=s1; h=from; bh=AAAA; b=AAAA"


def judged(mail: bytes, key: str, author: str = AUTHOR) -> str:
    return dkim.proof(mail, author, NOW, lambda name: key)


@ALL
def test_a_genuine_mail_passes_whatever_its_line_ends(mail: bytes, key: str) -> None:
    assert judged(mail, key) == "pass"
    assert judged(mail.replace(b"\r\n", b"\n"), key) == "pass"
    assert judged(mail, key, "bjoern@mail.example.org") == "pass"


@ALL
def test_a_mail_that_was_changed_fails(mail: bytes, key: str) -> None:
    assert judged(mail.replace(b"f1-d1", b"f2-d2"), key) == "fail"
    assert judged(mail.replace(b"From: Bj", b"From: Aj"), key) == "fail"
    other = next(one for _, one in SIGNED if one != key)
    assert judged(mail, other) == "fail"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b" d=example.org", b" d=example.net"),
        (b" v=1;", b" v=1; l=3;"),
        (b" v=1;", b" v=1; x=1000;"),
        (b" v=1;", b" v=2;"),
        (b"DKIM-Signature", b"X-Signature"),
        (b"a=", b"a=none-"),
    ],
)
def test_what_says_too_little_proves_and_disproves_nothing(old: bytes, new: bytes) -> None:
    mail, key = SIGNED[0]
    assert judged(mail.replace(old, new, 1), key) == "none"


@pytest.mark.parametrize("key", ["", "v=DKIM1; p=", "v=DKIM1; t=y; p=AAAA", "nonsense"])
def test_a_key_that_is_not_there_proves_nothing(key: str) -> None:
    assert judged(SIGNED[0][0], key) == "none"


def test_a_name_server_that_does_not_answer_disproves_nobody() -> None:
    def silent(name: str) -> str:
        assert name == "s1._domainkey.example.org"
        raise LookupError("timeout")

    assert dkim.proof(SIGNED[0][0], AUTHOR, NOW, silent) == "none"


def test_another_authors_domain_is_not_asked_for() -> None:
    def nobody(name: str) -> str:
        raise AssertionError(name)

    assert dkim.proof(SIGNED[0][0], "a@example.net", NOW, nobody) == "none"


@pytest.mark.parametrize("noise", [b"", b"\r\n", b"DKIM-Signature: ;;=;a", b"\xff" * 99, b":" * 99])
def test_nothing_that_comes_in_raises(noise: bytes) -> None:
    mail = b"DKIM-Signature: " + BROKEN.encode() + b"\r\n" + noise
    assert dkim.proof(mail, AUTHOR, NOW, lambda name: "p=!!!") in ("fail", "none")


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    with service(settings) as opened:
        checking = opened.settings.model_copy(update={"check_dkim": True})
        yield replace(opened, settings=checking)


@pytest.mark.parametrize(
    ("signature", "outcome"), [(BROKEN, "hold"), (BROKEN.replace(".org", ".net"), "play")]
)
def test_a_mail_whose_own_domain_disproves_it_is_held(
    site: Site, signature: str, outcome: str
) -> None:
    players = Players(Table(site))
    players.table.begin()
    players.post()
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    raw = letter.having(dkim_signature=signature).bytes()
    inbox.store(site.db, Arrival("signed", raw, players.table.now))
    (row,) = inbox.due(site.db, players.table.now)
    assert take_up(site, row, players.table.now, lambda name: "v=DKIM1; k=ed25519; p=AAAA")
    assert players.outcome() == outcome
