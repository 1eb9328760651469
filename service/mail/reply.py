"""Taking up a mail that came in: which match it is for, and a transaction for each."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Literal

import sqlalchemy as sa

from service import inbox, journal, links, matches
from service.errors import BadLink, Unavailable
from service.inbox import Row, Sent
from service.links import TurnLink
from service.mail import daily, deeds, lookup, returned
from service.mail.deeds import Case, Letter, Target
from service.mail.inbound import dkim, raw, route, sender
from service.mail.inbound.dkim import Lookup
from service.mail.inbound.nature import nature
from service.mail.inbound.raw import Incoming
from service.mail.inbound.route import Route
from service.mail.inbound.verdict import From
from service.settings import Settings
from service.signing import sign
from service.site import Site

log = journal.log("inbound")


TAKEN = "taken"


def take_up(site: Site, row: Row, now: int, ask: Lookup = lookup.text) -> bool:
    """Does what a mail asks for, once, and settles it; False if another worker is at it. `ask` is
    who is asked for keys, where signatures are checked."""
    mail = raw.take(row.raw, whole=row.whole)
    ways = route.routes(mail, site.settings.answers, row.recipient)
    found = nature(mail, site.settings.mail_from, ways)
    if row.outcome == inbox.RELEASED and found in ("automatic", "reaction"):
        found = "reply"  # the operator knows better
    if found != "reply" or any(way.purpose == "u" for way in ways):
        return _settle(site, row, returned.heed(site, mail, found, ways, now))
    author = _from(site.settings, row, mail, ask)
    if not ways and route.HOLE not in site.settings.answers:
        ways, author = _referred(site, mail), replace(author, strict=True)
    letter = Letter(row, mail, author)
    with site.db.read() as conn:
        targets = _targets(site, conn, mail, ways)
    outcomes = [_answer(site, letter, target, now) for target in targets]
    for way in ways:
        if way.purpose == "d":
            outcomes += _daily(site, letter, way.token, now)
    return TAKEN not in outcomes and _settle(site, row, " ".join(outcomes) or "nobody's")


def _from(settings: Settings, row: Row, mail: Incoming, ask: Lookup) -> From:
    """Who wrote a mail, and what speaks for that. No transaction is open meanwhile."""
    author = sender.author(mail)
    proof = sender.proof(mail, settings.authserv_id, author)
    if proof == "none" and settings.check_dkim and row.whole:
        proof = dkim.proof(row.raw, author, row.arrived, ask)
    return From(author, proof, settings.strict_senders)


def _daily(site: Site, letter: Letter, token: str, now: int) -> list[str]:
    """What an answer to a daily mail comes to, for each turn that it names and for the rest."""
    try:
        with site.db.read() as conn:
            sheet = daily.read(site, conn, letter, token)
    except BadLink:
        return []
    turns = sheet.turns if sheet else ()
    outcomes = [_answer(site, said, target, now) for said, target in turns]
    if sheet is None or sheet.more:
        outcomes.append(daily.tell(site, letter, token, sheet, now))
    return outcomes


def _settle(site: Site, row: Row, outcome: str) -> bool:
    with site.db.write() as conn:
        inbox.finish(conn, row.id, outcome)
    log.info("mail", inbound=row.id, outcome=outcome)
    return True


def _targets(
    site: Site, conn: sa.Connection, mail: Incoming, ways: tuple[Route, ...]
) -> list[Target]:
    """What a mail answers, by its tokens. A mail that is our own answers nothing."""
    if inbox.sent(conn, route.named(mail.header("Message-ID"), site.settings.mail_domain)):
        return []
    found = []
    for way in ways:
        with suppress(BadLink):
            found.append(_target(conn, way))
    return found


def _target(conn: sa.Connection, way: Route) -> Target:
    hash = links.hash_of(way.token)
    if way.purpose == "t":
        return Target(hash, links.answering(conn, way.token))
    if way.purpose == "i":
        return Target(hash, links.invitation(conn, way.token))
    raise BadLink


def _referred(site: Site, mail: Incoming) -> tuple[Route, ...]:
    """The way that the newest mail of ours would have named that is referred to. Its name stands in
    everybody's quotes, so whoever answers so has to be proved."""
    ids = route.references(mail, site.settings.mail_domain)
    with site.db.read() as conn:
        ways = (_asked(site, conn, row) for row in inbox.sent(conn, ids))
        return tuple(islice((way for way in ways if way is not None), 1))


def _asked(site: Site, conn: sa.Connection, row: Sent) -> Route | None:
    """The way for answers to a mail of ours."""
    purpose: Literal["t", "i", "d"] = "d" if row.match is None else "i"
    id = row.link
    if row.match is not None and row.seat is not None:
        link = row.wait and links.address(conn, row.match, row.seat, row.wait)
        purpose, id = "t", link.id if link else None
    return Route(purpose, links.token(site.keys.link, purpose, id)) if id else None


def _answer(site: Site, letter: Letter, target: Target, now: int) -> str:
    """What a mail comes to for one turn or invitation, in a word for the operator."""
    with site.db.write() as conn:
        if not inbox.seize(conn, letter.row):
            return TAKEN
        matches.lock(conn, target.link.match)
        if before := inbox.known(conn, target.route, letter.identity, letter.row.id):
            return before
        case = Case(site, conn, letter, target, now)
        do = deeds.turn if isinstance(target.link, TurnLink) else deeds.invitation
        taken = do(case)
        inbox.take(conn, taken, now)
    with suppress(Unavailable):
        sign(site, target.link.match)
    return inbox.outcome(taken.action, taken.reason)
