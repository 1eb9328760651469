"""Clocks of players whom no mail reaches: a day for each day, seven at most, in the log."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from games.log.record import Sys
from service import outbox, play, reach, records, respite
from service.models import OUTBOX
from service.site import Site
from tests.service.table import NOW, look, started

DAY = 86_400


@pytest.fixture
def match(site: Site) -> str:
    """A match with three days for every turn, whose mover gets no mail."""
    match = started(site, clock="3d")
    (mail,) = [row for row in outbox.claim(site.db, "a", NOW) if row.kind == "turn"]
    with site.db.write() as conn:
        outbox.hold(conn, "a", mail.id, "suppressed", "mails come back", NOW)
        reach.bounced(conn, mail.address, "hard", NOW)
    return match


def given(site: Site, match: str) -> list[Sys]:
    with site.db.read() as conn:
        bodies = [record.body for record, _ in records.walk(site, conn, match)]
    return [body for body in bodies if isinstance(body, Sys)]


def deadline(site: Site, match: str) -> int:
    found = look(site, match).row.deadline
    assert found is not None
    return found


def test_a_clock_stands_for_seven_days_and_not_longer(site: Site, match: str) -> None:
    for hours in range(0, 24 * 20, 6):
        now = NOW + hours * 3_600
        for unreached in respite.find(site):
            respite.give(site, unreached, now)
    assert [(sys.sys, sys.secs) for sys in given(site, match)] == [("clock", DAY)] * 7
    assert deadline(site, match) == NOW + 10 * DAY
    assert not play.timeout(site, match=match, wait=look(site, match).row.wait, now=NOW + 9 * DAY)


def test_others_are_told_once(site: Site, match: str) -> None:
    for day in range(5):
        assert respite.give(site, match, NOW + day * DAY)
    query = sa.select(OUTBOX.c.seat).where(OUTBOX.c.kind == "news")
    with site.db.read() as conn:
        told = list(conn.execute(query).scalars())
    assert told == [3 - look(site, match).mover]


def test_the_clock_goes_on_when_mail_arrives_again(site: Site, match: str) -> None:
    assert respite.give(site, match, NOW)
    query = sa.select(OUTBOX.c.address, OUTBOX.c.state).where(OUTBOX.c.kind == "turn")
    with site.db.write() as conn:
        address, _ = conn.execute(query).one()
        reach.alive(conn, address, NOW + DAY)
        assert conn.execute(query).one().state == "pending"
    assert respite.find(site) == []
    assert not respite.give(site, match, NOW + 2 * DAY)
    assert deadline(site, match) == NOW + 4 * DAY


def test_a_match_without_a_limit_needs_no_time(site: Site) -> None:
    match = started(site)
    with site.db.write() as conn:
        for address in ("anna@example.org", "bo@example.org"):
            reach.bounced(conn, address, "hard", NOW)
    assert respite.find(site) == []
    assert not respite.give(site, match, NOW)
