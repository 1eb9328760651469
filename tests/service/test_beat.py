"""The heartbeat: every second without a part of the service is known once, and by whom."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from service import beat, worker
from service.beat import Outage
from service.db import Database
from service.site import Site
from tests.mail.recorder import Recorder
from tests.service.table import NOW, at_once

HOUR = 3_600


def outages(db: Database) -> list[tuple[str, int, int]]:
    """Those that are not settled: whose, from when and until when, from NOW on."""
    with db.read() as conn:
        return [(o.part, o.began - NOW, o.ended - NOW) for o in beat.unsettled(conn)]


def last(db: Database) -> dict[str, int]:
    with db.read() as conn:
        return {part: at - NOW for part, at in beat.last(conn).items()}


def test_a_first_beat_ends_no_outage(site: Site) -> None:
    beat.beat(site.db, "worker", NOW)
    assert last(site.db) == {"worker": 0}
    assert outages(site.db) == []


def test_ten_minutes_of_silence_are_no_outage_and_a_second_more_is_one(site: Site) -> None:
    beat.beat(site.db, "worker", NOW)
    beat.beat(site.db, "worker", NOW + 600)
    assert outages(site.db) == []
    beat.beat(site.db, "worker", NOW + 1_201)
    assert outages(site.db) == [("worker", 600, 1_201)]


def test_an_outage_is_settled_once(site: Site) -> None:
    beat.beat(site.db, "worker", NOW)
    beat.beat(site.db, "worker", NOW + HOUR)
    with site.db.write() as conn:
        (found,) = beat.unsettled(conn)
        assert found == Outage(found.id, "worker", NOW, NOW + HOUR)
        assert found.seconds == HOUR
        assert beat.settle(conn, found.id, NOW + HOUR)
        assert not beat.settle(conn, found.id, NOW + HOUR)
    assert outages(site.db) == []


def test_a_beat_just_after_another_writes_nothing(site: Site) -> None:
    beat.beat(site.db, "worker", NOW)
    beat.beat(site.db, "worker", NOW + beat.EVERY - 1)
    assert last(site.db) == {"worker": 0}


def test_a_clock_that_is_set_back_moves_no_beat_and_is_known_to_be_behind(site: Site) -> None:
    beat.beat(site.db, "worker", NOW)
    beat.beat(site.db, "worker", NOW - 86_400)
    assert last(site.db) == {"worker": 0}
    with site.db.read() as conn:
        assert beat.behind(conn, NOW - 86_400) == 86_400
        assert beat.behind(conn, NOW - 60) == 0
        assert beat.behind(conn, NOW + 10) == 0


def test_what_two_parts_missed_at_once_is_one_outage(site: Site) -> None:
    beat.beat(site.db, "worker", NOW)
    beat.beat(site.db, "web", NOW - HOUR)
    beat.beat(site.db, "worker", NOW + HOUR)
    beat.beat(site.db, "web", NOW + 2 * HOUR)
    assert outages(site.db) == [
        ("web", -HOUR, 0),
        ("worker", 0, HOUR),
        ("web", HOUR, 2 * HOUR),
    ]


def test_a_part_that_is_switched_off_is_not_missed(site: Site) -> None:
    beat.beat(site.db, "inbound", NOW)
    beat.retire(site.db, "inbound")
    beat.beat(site.db, "inbound", NOW + 86_400)
    assert outages(site.db) == []


@pytest.mark.parametrize("host", [None, "mail.example.org"])
def test_mail_that_a_worker_does_not_fetch_is_not_missed_later(
    site: Site, host: str | None
) -> None:
    relayed = {"smtp_host": "relay.example.org", "imap_host": host}
    beat.beat(site.db, "inbound", NOW)
    worker.retire_unused(replace(site, settings=site.settings.model_copy(update=relayed)))
    beat.beat(site.db, "inbound", NOW + HOUR)
    assert len(outages(site.db)) == (0 if host is None else 1)


def test_a_worker_that_a_mail_server_brings_mail_to_says_that_it_listens(site: Site) -> None:
    """Another worker that does not listen may be up all the while."""
    relayed = {"smtp_host": "relay.example.org"}
    settings = site.settings.model_copy(update={**relayed, "lmtp_port": 8024})
    listens = replace(site, settings=settings)
    worker.stay(listens, Recorder(), NOW)
    beat.beat(site.db, "worker", NOW + HOUR)
    worker.retire_unused(listens)
    worker.stay(listens, Recorder(), NOW + HOUR)
    assert outages(site.db) == [("inbound", 0, HOUR)]


def test_many_processes_that_come_back_at_once_find_one_outage(site: Site) -> None:
    for part in ("worker", "web"):
        beat.beat(site.db, part, NOW)
    back = [
        partial(beat.beat, site.db, part, NOW + HOUR + more)
        for more in range(3)
        for part in ("worker", "web")
    ]
    assert at_once(back) == [None] * len(back)
    found = outages(site.db)
    seconds = [second for _, began, ended in found for second in range(began, ended)]
    assert len(seconds) == len(set(seconds))
    assert set(range(HOUR)) <= set(seconds) <= set(range(HOUR + 3))


def test_what_is_left_of_a_time_is_what_no_known_one_covers() -> None:
    chance = random.Random(4)
    for _ in range(500):
        known = [tuple(sorted(chance.choices(range(30), k=2))) for _ in range(chance.randrange(5))]
        began, ended = sorted(chance.choices(range(30), k=2))
        left = beat.uncovered(began, ended, [(a, b) for a, b in known])
        covered = {second for a, b in known for second in range(a, b)}
        assert [second for a, b in left for second in range(a, b)] == [
            second for second in range(began, ended) if second not in covered
        ]
