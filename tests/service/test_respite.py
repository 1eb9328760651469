"""Clocks of players whom no mail reaches: a day for each day, seven at most, in the log."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from games.log.record import Sys
from service import beat, matches, outbox, play, reach, records, respite, vacation
from service.models import OUTBOX
from service.site import Site
from tests.service.conftest import ON_SQLITE
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
        for unreached in respite.find(site, now):
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
    assert respite.find(site, NOW + DAY) == []
    assert not respite.give(site, match, NOW + 2 * DAY)
    assert deadline(site, match) == NOW + 4 * DAY


def test_an_outage_in_a_day_that_was_given_is_not_made_up_for_again(site: Site, match: str) -> None:
    """Nor is a vacation; what of them lies beyond the day is."""
    assert respite.give(site, match, NOW)
    beat.beat(site.db, "worker", NOW + DAY // 2)
    beat.beat(site.db, "worker", NOW + 2 * DAY)
    assert respite.give(site, match, NOW + 2 * DAY), "after the outage, which comes first"
    assert [sys.secs for sys in given(site, match)] == [DAY, DAY, DAY]
    assert deadline(site, match) == NOW + 6 * DAY
    vacation.plan(site, holder(site, match), None, 2, NOW + 2 * DAY)
    assert [sys.secs for sys in given(site, match)][3:] == [DAY]
    assert not respite.give(site, match, NOW + 3 * DAY + 1), "on vacation the clock stands anyway"
    assert respite.give(site, match, NOW + 4 * DAY)


def holder(site: Site, match: str) -> int:
    with site.db.read() as conn:
        player = matches.seats(conn, match)[look(site, match).mover - 1].player
    assert player is not None
    return player


def test_a_day_is_what_the_clock_counts_of_it(site: Site) -> None:
    match = started(site, clock="3d weekends off UTC")
    with site.db.write() as conn:
        for address in ("anna@example.org", "bo@example.org"):
            reach.bounced(conn, address, "hard", NOW)
    for late in range(0, 96, 6):
        respite.give(site, match, NOW + late * 3_600)
    hours = [(sys.secs or 0) // 3_600 for sys in given(site, match)]
    assert hours == [16, 2, 24, 24], "of Friday, Monday, the next days; none of the weekend"


def test_whoever_was_not_told_of_a_turn_for_hours_does_not_lose_by_it(site: Site) -> None:
    """The relay is away, say."""
    match = started(site, clock="1d")
    turn = OUTBOX.update().where(OUTBOX.c.kind == "turn")
    with site.db.write() as conn:
        conn.execute(turn.values(state="deferred", last_text="connect: refused"))
    days = [0] * 6 + [1] * 24 + [2] * 10
    for hours, count in enumerate(days):
        now = NOW + hours * 3_600
        for untold in respite.find(site, now):
            respite.give(site, untold, now)
        assert [sys.secs for sys in given(site, match)] == [DAY] * count
    with site.db.write() as conn:
        conn.execute(turn.values(state="sent"))
    assert respite.find(site, NOW + 2 * DAY) == []
    assert deadline(site, match) == NOW + 3 * DAY


def test_a_mail_that_waits_by_its_readers_wish_gives_no_time(site: Site) -> None:
    started(site, clock="1d")
    assert respite.find(site, NOW + DAY // 2) == []


@ON_SQLITE
def test_players_whom_no_mail_reaches_are_found_without_looking_at_all_matches(
    site: Site,
) -> None:
    with site.db.read() as conn:
        untold = respite._UNTOLD.params(since=0).compile(
            dialect=conn.dialect, compile_kwargs={"literal_binds": True}
        )
    for query, scanned in ((respite._UNREACHED, ["SCAN reach"]), (untold, [])):
        with site.db.read() as conn:
            plan = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
        assert [step[3] for step in plan if "SCAN" in step[3]] == scanned


def test_a_match_without_a_limit_needs_no_time(site: Site) -> None:
    match = started(site)
    with site.db.write() as conn:
        for address in ("anna@example.org", "bo@example.org"):
            reach.bounced(conn, address, "hard", NOW)
    assert respite.find(site, NOW) == []
    assert not respite.give(site, match, NOW)
