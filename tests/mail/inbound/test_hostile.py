"""Mails made to hurt: no exception, no guess, and bounded work."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.mail.inbound import dkim, raw, route, text
from service.mail.inbound.nature import nature
from tests.mail.inbound.corpus import SHAPES
from tests.mail.inbound.letters import Part, html, plain
from tests.mail.inbound.original import LEGAL, PATTERN, PLAYER, SERVICE, address, original

SEAL = (
    b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=x; h=from; "
    b"bh=AA==; b=AA==\r\n"
)
HEAD = f"From: {PLAYER}\nTo: {address()}\n".encode()


def everything(data: bytes) -> None:
    """All that is done with a mail before anything is known of its match."""
    mail = raw.take(data)
    ways = route.routes(mail, PATTERN)
    route.references(mail, "games.example.org")
    nature(mail, SERVICE, ways)
    assert mail.identity
    original().judge(data, trusted="mx.example.org")
    dkim.proof(data, PLAYER, 0, lambda name: "p=AA==")


@given(st.binary(max_size=2_000))
def test_any_bytes_are_a_mail(data: bytes) -> None:
    everything(data)
    everything(HEAD + data)


@given(st.sampled_from(SHAPES), st.integers(0, 2**32))
def test_damaged_mails_never_raise(shape, seed: int) -> None:  # type: ignore[no-untyped-def]
    data = bytearray(shape.make(original())[:20_000])
    chance = random.Random(seed)
    for _ in range(20):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
    everything(bytes(data))


def deep(kind: str, levels: int) -> bytes:
    heads = (f'Content-Type: multipart/{kind}; boundary="b{i}"\n\n--b{i}\n' for i in range(levels))
    return HEAD + "".join(heads).encode() + f"\n{LEGAL}\n".encode()


def hostile() -> Iterator[tuple[str, bytes]]:
    yield "deep", deep("mixed", 20_000)
    yield "digests", deep("digest", 5_000)
    yield "mails in mails", HEAD + b"Content-Type: message/rfc822\n\n" * 10_000
    yield (
        "many parts",
        HEAD + b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\nx\n" * 90_000,
    )
    yield "many headers", HEAD + b"a:\n" * 300_000
    yield (
        "many headers of a part",
        HEAD + b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n' + b"a:\n" * 300_000,
    )
    yield "long type", HEAD + b'Content-Type: text/plain; x="' + b'";' * 30_000 + b"\n\nx"
    yield (
        "long type of a part",
        HEAD
        + b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; x="'
        + b'";' * 300_000
        + b"\n\nx",
    )
    yield "long from", b"From: " + b"a@b.c," * 10_000 + b"\n\nx"
    yield "long quoted from", b'From: "' + b'\\"' * 20_000 + b"\n\nx"
    yield "encoded words", HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 4_000 + b"\n\nx"
    yield "from in comments", b"From: " + b"(" * 1_900 + b"\nTo: x\n\nx"
    yield "no colon", b"x" * 60_000 + b"\n" + HEAD + b"\nx"
    yield "blocks of a report", HEAD + b"Content-Type: message/delivery-status\n\n" + b"\n" * 39_000
    yield "a seal on line ends", SEAL + HEAD + b"\r\n" + b"\r\n" * 400_000 + b"x"
    for name, words in bodies():
        yield name, original().reply(plain(words, encoding="8bit")).bytes()
        yield name + ", HTML", original().reply(html(words, encoding="8bit")).bytes()
    punycode = Part("text/plain; charset=punycode", b"-" + b"b" * 200_000, "8bit")
    yield "a slow codec", original().reply(punycode).bytes()
    yield "nothing", b""
    yield "line ends alone", b"\r\n" * 400_000


def bodies() -> Iterator[tuple[str, str]]:
    yield "On On On", "On " * 70_000
    yield "lines of On", "On \n" * 50_000
    yield "lines", "\n" * 200_000
    yield "one line", "a" * 900_000
    yield "divs", "<div>" * 40_000
    yield "tags begun", "<a " * 60_000
    yield "attributes", "<a b='" * 40_000
    yield "comments begun", "<!--" * 50_000
    yield "declarations", "<![CDATA[" * 20_000
    yield "instructions", "<?" * 90_000
    yield "one long tag", "<a " + "/" * 190_000 + ">"
    yield "references", "&#x" * 60_000
    yield "entities", "&" + "a" * 190_000
    yield "ends", "</" * 90_000
    yield "signs", ">" * 200_000
    yield "labels", "Von: x\n" * 30_000
    yield "moves", f"{LEGAL}\n" * 30_000
    yield "wrote", "On a 1 wrote @\n" * 12_000
    yield "rules", ("---a" + "-" * 290 + "!\n") * 680
    yield "hours", ("a 14:00" + " 14:00" * 45 + ":\n") * 680
    yield "turn", "zug " * 40_000
    yield "ligatures", "\ufdfa" * 60_000
    yield "blanks", " " * 900_000
    yield "conditions", ("if " * 90 + "\n") * 700


MEANEST = dict(hostile())


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", MEANEST)
def test_hostile_mails_come_to_nothing_in_time(name: str) -> None:
    everything(MEANEST[name])


@pytest.mark.parametrize(
    "name", ["long type of a part", "one line", "blanks, HTML", "many parts", "many headers"]
)
def test_the_largest_mails_take_up_a_bounded_room(name: str) -> None:
    """Of all these, the ones that take up the most."""
    data = MEANEST[name]
    everything(b"")  # what is made once
    tracemalloc.start()
    try:
        everything(data)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 100_000_000


def test_what_is_looked_at_is_bounded() -> None:
    found = text.words(
        raw.take(original().reply(plain("\ufdfa" * 300 + "\n" + "x\n" * 9_000)).bytes())
    )
    assert len(found.lines) <= text.LINES
    assert max(map(len, found.lines)) <= text.LENGTH + 1
