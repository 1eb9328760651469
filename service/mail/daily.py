"""Answers to the daily mail: a line for each match, `7F3K: a1-c1`, and what is not so told back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.message import Message

import sqlalchemy as sa

from games.log.schema import IDS
from service import inbox, links, matches, outbox, people
from service.errors import BadLink
from service.inbox import Taken
from service.links import PlayerLink
from service.mail.deeds import Letter, Target, may_tell
from service.mail.inbound import grammar, text
from service.mail.inbound.cutter import ours, own
from service.mail.inbound.raw import Incoming
from service.mail.inbound.sender import folded
from service.matches import MatchRow
from service.outbox import Mail, Reply, Snapshot, To
from service.site import Site

_CODED = re.compile(rf"\[?([{IDS}]{{4,16}})\]? ?: ?(\S.*)", re.I)


@dataclass(frozen=True)
class Sheet:
    """An answer to the daily mail: its link, what it says to which turns, and whether there is
    something in it that is for no turn that waits."""

    link: PlayerLink
    turns: tuple[tuple[Letter, Target], ...]
    more: bool


def read(site: Site, conn: sa.Connection, letter: Letter, token: str) -> Sheet | None:
    """What an answer says; None for one that is not its player's. Raises BadLink."""
    link = links.daily(conn, token)
    if link.player is None or not link.live(letter.row.arrived):
        raise BadLink
    person = people.known(conn, link.player)
    mine = inbox.aliases(conn, link.player) | {folded(person.address)}
    if letter.author.address not in mine or not letter.author.proved:
        return None
    said = text.words(letter.mail)
    known = ours(inbox.sent_words(conn, None, person.address), site.settings.mail_sender)
    coded: dict[str, list[str]] = {}
    lines = own(said.lines, known, lambda line: _coded(line) is not None)
    for line in lines:
        if found := _coded(line):
            coded.setdefault(found[1].upper(), []).append(found[2])
    waiting = {row.code: row for row in matches.waiting(conn, link.player)}
    turns = tuple(_turns(conn, letter, token, coded, waiting))
    return Sheet(link, turns, not turns or any(code not in waiting for code in coded))


def _coded(line: str) -> re.Match[str] | None:
    return _CODED.fullmatch(grammar.bare(line))


def tell(site: Site, letter: Letter, token: str, sheet: Sheet | None, now: int) -> str:
    """Says which turns wait and how to name them, unless that was said often enough; in a word
    what was done."""
    with site.db.write() as conn:
        route = links.hash_of(token)
        if not inbox.seize(conn, letter.row):
            return "duplicate"
        if before := inbox.known(conn, route, letter.identity, letter.row.id):
            return before
        link = links.daily(conn, token)
        taken = Taken(
            route,
            letter.identity,
            letter.row.id,
            link.id,
            letter.author.address,
            "ignore",
            "stranger",
        )
        if sheet is not None:
            told = _tell(site, conn, letter, link, now)
            taken = replace(taken, action="answer" if told else "silent", reason="codes")
            taken = replace(taken, answered=told)
        inbox.take(conn, taken, now)
    return inbox.outcome(taken.action, taken.reason)


def _turns(
    conn: sa.Connection,
    letter: Letter,
    token: str,
    coded: dict[str, list[str]],
    waiting: dict[str, MatchRow],
) -> Iterator[tuple[Letter, Target]]:
    for code, lines in coded.items():
        row = waiting.get(code)
        link = row and row.mover and links.address(conn, row.id, row.mover, row.wait)
        if link:
            said = replace(letter, mail=_saying(letter.mail, lines))
            yield said, Target(links.hash_of(f"{token}:{code}"), link)


def _saying(mail: Incoming, lines: list[str]) -> Incoming:
    """The same mail, as if it said these lines alone."""
    message = Message()
    for name, value in mail.message.raw_items():
        if not name.lower().startswith("content-"):
            message.set_raw(name, value)
    message["Content-Type"] = "text/plain; charset=utf-8"
    message["Content-Transfer-Encoding"] = "8bit"
    message.set_payload("\n".join(lines).encode().decode("ascii", "surrogateescape"))
    return Incoming(message, whole=True)


def _tell(site: Site, conn: sa.Connection, letter: Letter, link: PlayerLink, now: int) -> bool:
    assert link.player is not None
    person = people.known(conn, link.player)
    if not may_tell(conn, link.id, person.address, now):
        return False
    about = Snapshot(by=person.name, reply=Reply(letter.mail.header("Message-ID"), "codes"))
    to = To(person.address, person.language, person.zone)
    key = f"answer:{letter.row.id}:{link.id}"
    return outbox.queue(conn, Mail("answer", key, to, about, link=link.id), now)
