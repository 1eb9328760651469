"""Mails that real programs wrote: none raises, none is much work, none plays by guess.

`genuine/` holds some that the post office of `tests.mail.bench` brought; the first word of a file's
name says what sort of mail it is. MAIL_CORPORA names another folder to be looked through, at any
depth, such as clones of public collections; what is in it says nothing by its name.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.mail.inbound import raw, route, text
from service.mail.inbound.nature import nature
from service.mail.inbound.verdict import From, judge
from tests.mail.inbound.original import PATTERN, PLAYER, SERVICE, address, original

GENUINE = Path(__file__).parent / "genuine"
SUFFIXES = (".eml", ".txt", ".mail", ".email", "")
LARGEST = 1_000_000


def corpora() -> Iterator[Path]:
    """Every file that may be a mail."""
    folders = [GENUINE, *(Path(name) for name in [os.environ.get("MAIL_CORPORA")] if name)]
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            small = path.is_file() and path.stat().st_size <= LARGEST
            if small and path.suffix in SUFFIXES and ".git" not in path.parts:
                yield path


def test_no_mail_raises_or_costs_much_or_plays_by_guess() -> None:
    """Each is read as if it had come to the address of a turn, from its player."""
    asked, natures = original().asked, Counter[str]()
    for path in corpora():
        data = path.read_bytes()
        for mail in (raw.take(data), raw.take(f"Delivered-To: {address()}\n".encode() + data)):
            ways = route.routes(mail, PATTERN)
            route.references(mail, "games.example.org")
            natures[nature(mail, SERVICE, ways)] += 1
            lines = text.words(mail).lines
            assert len(lines) <= text.LINES, path
            assert max(map(len, lines), default=0) <= text.LENGTH + 1, path
            found = judge(mail, From(PLAYER, "none", False), asked)
            assert found.action != "play", path
    print(f"\n{natures.total() // 2} files: {dict(natures)}")


@pytest.mark.parametrize("path", sorted(GENUINE.glob("*.eml")), ids=lambda path: path.stem)
def test_a_genuine_mail_is_of_its_sort(path: Path) -> None:
    mail = raw.take(path.read_bytes())
    sort, _, _ = path.stem.partition("-")
    assert nature(mail, SERVICE, route.routes(mail, PATTERN)) == sort
    if sort == "reply":
        found = judge(mail, From(PLAYER), original().asked)
        # illegal in this match; it is all they say
        assert (found.reason, found.line) == ("illegal", "a1-c1")
