"""Our own mails signed (DKIM): whatever kind, whatever happens on the way; and the key for that."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from service import dkim, doctor
from service.dkim import Kind, MailKey
from service.errors import NotReady
from service.mail import trial
from service.mail.compose import compose
from service.mail.inbound.dkim import proof
from service.mail.signature import NAMES, signed
from service.settings import Settings
from service.site import Site, open_site
from tests.mail.conftest import Sent
from tests.mail.play import DOMAIN, NOON, read
from tests.mail.recorder import Recorder

AUTHOR = f"play@{DOMAIN}"
KINDS: tuple[Kind, ...] = ("rsa", "ed25519")


@cache
def key(kind: Kind = "rsa") -> MailKey:
    return MailKey("s1", DOMAIN, dkim.new(kind))


def judged(raw: bytes, by: MailKey) -> str:
    """What a receiver finds who asks DNS for our key."""

    def record(name: str) -> str:
        assert name == f"s1._domainkey.{DOMAIN}" == by.name
        return by.record

    return proof(raw, AUTHOR, NOON, record)


@cache
def letter() -> bytes:
    """A mail with every header that is signed."""
    fields = "".join(f"{name.title()}: <{name}@{DOMAIN}>\r\n" for name in NAMES)
    return signed(f"{fields}X-More: 1\r\n\r\nA line  \r\nanother\r\n\r\n".encode(), key(), NOON)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mail_is_signed(mails: list[Sent], kind: Kind) -> None:
    for sent in {sent.kind: sent for sent in mails}.values():
        site = replace(sent.site, dkim=key(kind))
        raw = compose(site, sent.row, NOON)
        assert judged(raw, key(kind)) == "pass"
        assert compose(site, sent.row, NOON) == raw
        assert raw.endswith(compose(sent.site, sent.row, NOON))
        assert max(map(len, raw.split(b"\r\n"))) <= 78
        said = "".join(str(read(raw)["DKIM-Signature"]).split())
        named = re.findall(r"[;]h=([^;]*)", said)[0].split(":")
        there = [name.lower() for name in read(raw)]
        assert {name: named.count(name) for name in NAMES} == {
            name: there.count(name) + 1 for name in NAMES
        }


@pytest.mark.parametrize("name", NAMES)
def test_no_header_can_be_changed_added_or_taken_away(name: str) -> None:
    field = re.search(rf"(?im)^{name}: .*\r\n".encode(), letter())
    assert field
    for other in (field[0].replace(b"<", b"<x"), b"", field[0] * 2):
        assert judged(letter().replace(field[0], other), key()) == "fail"
    assert judged(field[0] + letter(), key()) == "fail"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb"another", b"any other"),
        (rb"\Z", b"more\r\n"),
        (rb"s=s1;", b"s=s1; l=3;"),
        (rb"t=17", b"t=16"),
    ],
)
def test_neither_can_the_body_nor_the_signature(old: bytes, new: bytes) -> None:
    changed = re.sub(old, new, letter(), count=1)
    assert changed != letter()
    assert judged(changed, key()) in ("fail", "none")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb"\A", b"Return-Path: <x@y.example>\r\nReceived: by mx.example\r\n"),
        (rb"\r\n", b"\n"),
        (rb"Subject: ", b"SUBJECT:\r\n\t "),
        (rb"A line  \r\n", b"A line\r\n"),
        (rb"\r\n\Z", b""),
        (rb"X-More: 1\r\n", b""),
    ],
)
def test_what_mail_servers_do_on_the_way_changes_nothing(old: bytes, new: bytes) -> None:
    changed = re.sub(old, new, letter())
    assert changed != letter()
    assert judged(changed, key()) == "pass"


def made(folder: Path, kind: Kind = "rsa", **more: str) -> Settings:
    """Settings with a key of their own."""
    settings = Settings(data=folder, dkim_selector="s1", mail_from=AUTHOR, **more)
    settings.dkim_key.parent.mkdir(parents=True, exist_ok=True)
    assert dkim.make(settings, kind)
    return settings


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_is_made_once_for_the_service_alone_and_told_to_dns(
    tmp_path: Path, kind: Kind
) -> None:
    settings = made(tmp_path, kind, smtp_host="relay.example.org")
    assert settings.dkim_key.stat().st_mode & 0o777 == 0o600
    before = settings.dkim_key.read_bytes()
    assert not dkim.make(settings, kind)
    assert settings.dkim_key.read_bytes() == before

    loaded = dkim.load(settings)
    assert loaded is not None
    assert before.decode().splitlines()[1] not in repr(loaded)
    (record,) = [one for one in trial.dns(settings) if "DKIM" in one.value]
    assert (record.name, record.value) == (f"s1._domainkey.{DOMAIN}", loaded.record)
    assert judged(signed(f"From: {AUTHOR}\r\n\r\nx\r\n".encode(), loaded, NOON), loaded) == "pass"


def pem(private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, password: bytes = b"") -> bytes:
    return private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption(),
    )


@pytest.mark.parametrize(
    "text",
    [
        b" ",
        b"nonsense",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        pem(rsa.generate_private_key(65_537, 1_024)),
        pem(ec.generate_private_key(ec.SECP256R1())),
        pem(ec.generate_private_key(ec.SECP256R1()), b"a password"),
    ],
    ids=["empty", "nonsense", "damaged", "short", "another sort", "locked"],
)
def test_a_file_that_holds_no_key_is_a_sentence(tmp_path: Path, text: bytes) -> None:
    settings = made(tmp_path)
    settings.dkim_key.write_bytes(text)
    with pytest.raises(NotReady, match=r"dkim\.key holds no key that can sign mails"):
        dkim.load(settings)


@pytest.mark.parametrize(("mode", "fault"), [(0o644, True), (0o660, True), (0o640, False)])
def test_a_key_that_others_can_use_is_a_sentence(tmp_path: Path, mode: int, fault: bool) -> None:
    settings = made(tmp_path)
    settings.dkim_key.chmod(mode)
    if fault:
        with pytest.raises(NotReady, match="Run: chmod"):
            dkim.load(settings)
    else:
        assert dkim.load(settings)


def test_a_service_with_a_selector_and_no_key_does_not_start(site: Site) -> None:
    wanting = site.settings.model_copy(update={"dkim_selector": "s1"})
    with pytest.raises(NotReady, match="Run: fernpartie dkim-key"):
        open_site(wanting)
    assert signature(wanting) == (False, "dkim-key")
    assert dkim.make(wanting, "ed25519")
    with closing(open_site(wanting)) as opened:
        assert opened.dkim is not None
    assert signature(wanting) == (True, "--dns).")


def signature(settings: Settings) -> tuple[bool, str]:
    """What the doctor finds, and how that ends."""
    (found,) = (one for one in doctor.of_mail(settings, running=False) if one.about == "signature")
    return found.ok, found.sentence.split()[-1]


def test_what_is_tried_out_is_signed_like_any_mail(site: Site) -> None:
    recorder = Recorder()
    trial.send(replace(site, dkim=key()), recorder, "anna@example.org", "de", NOON)
    ((_, _, raw),) = recorder.mails
    assert judged(raw, key()) == "pass"
