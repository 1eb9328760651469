"""Vacations: no clock of the player runs meanwhile, nothing is gained, and the year has an end."""

from __future__ import annotations

from datetime import date
from functools import partial

import pytest

from games.log.record import Sys
from games.verify import verify
from service import beat, matches, play, records, vacation, worker
from service.errors import BadVacation
from service.models import PLAYER
from service.site import Site
from tests.mail.recorder import Recorder
from tests.service.conftest import ON_SQLITE
from tests.service.table import NOW, at_once, look, move, started

HOUR = 3_600
DAY = 24 * HOUR


def holder(site: Site, match: str, seat: int) -> int:
    with site.db.read() as conn:
        player = matches.seats(conn, match)[seat - 1].player
    assert player is not None
    return player


def sweep(site: Site, now: int) -> None:
    worker.clocks(site, Recorder(), now)


def given(site: Site, match: str) -> list[tuple[int | None, int | None]]:
    with site.db.read() as conn:
        bodies = [record.body for record in records.load(conn, match)]
    return [(body.seat, body.secs) for body in bodies if isinstance(body, Sys) and body.secs]


def planned(site: Site, player: int) -> list[vacation.Vacation]:
    with site.db.read() as conn:
        return vacation.since(conn, player, 0)


def test_a_vacation_at_once_stops_the_clock_of_the_turn_that_is_on(site: Site) -> None:
    match = started(site, clock="3d")
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), None, 10, NOW + DAY)
    assert look(site, match).row.deadline == NOW + 13 * DAY
    for later in (0, 10, 100):
        sweep(site, NOW + DAY + later)
    assert given(site, match) == [(mover, 10 * DAY)]
    sweep(site, NOW + 13 * DAY + play.GRACE)
    assert look(site, match).row.why == "timeout"
    assert verify(records.export(site, match)).ok


@ON_SQLITE
def test_from_today_on_is_at_once(site: Site) -> None:
    player = holder(site, started(site, clock="3d"), 1)
    vacation.plan(site, player, date(2027, 1, 15), 2, NOW)
    assert [(one.begins, one.ends) for one in planned(site, player)] == [(NOW, NOW + 2 * DAY)]


def test_one_that_is_planned_begins_by_itself_and_nothing_runs_out_first(site: Site) -> None:
    match = started(site, clock="3d")
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), date(2027, 1, 18), 2, NOW)
    (one,) = planned(site, holder(site, match, mover))
    assert NOW < one.begins < NOW + 3 * DAY
    assert given(site, match) == []
    late, wait = NOW + 3 * DAY + HOUR, look(site, match).row.wait
    assert not play.timeout(site, match=match, wait=wait, now=late)
    sweep(site, late)
    assert look(site, match).row.deadline == NOW + 5 * DAY


def test_a_turn_that_begins_meanwhile_is_stopped_and_the_other_seat_is_not(site: Site) -> None:
    match = started(site, clock="3d")
    first = look(site, match).mover
    vacation.plan(site, holder(site, match, 3 - first), None, 5, NOW)
    assert given(site, match) == []
    move(site, match, now=NOW + DAY)
    assert given(site, match) == [(3 - first, 4 * DAY)]
    assert look(site, match).row.deadline == NOW + 8 * DAY
    move(site, match, now=NOW + 2 * DAY)
    assert look(site, match).row.deadline == NOW + 5 * DAY, "what was not used is not kept"


def test_an_early_end_takes_back_what_was_not_used(site: Site) -> None:
    match = started(site, clock="3d")
    mover = look(site, match).mover
    player = holder(site, match, mover)
    vacation.plan(site, player, None, 10, NOW)
    (one,) = planned(site, player)
    assert vacation.end(site, player, one.id, NOW + 2 * DAY)
    assert given(site, match) == [(mover, 10 * DAY), (mover, -8 * DAY)]
    assert look(site, match).row.deadline == NOW + 5 * DAY
    assert not vacation.end(site, player, one.id, NOW + 3 * DAY)
    with site.db.read() as conn:
        assert vacation.left(site, conn, player, 2027) == 26


def test_who_moves_on_vacation_pays_for_the_time_before_it(site: Site) -> None:
    match = started(site, clock="10d in all")
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), None, 20, NOW + 4 * DAY)
    move(site, match, now=NOW + 5 * DAY)
    assert given(site, match) == [(mover, 20 * DAY), (mover, -19 * DAY)]
    with site.db.read() as conn:
        banks = records.standing(site, conn, match).clocks.banks
    assert banks[mover - 1] == 6 * DAY
    assert verify(records.export(site, match)).ok


@ON_SQLITE
@pytest.mark.parametrize("control", ["3d no vacation", "none"])
def test_a_match_may_forbid_it(site: Site, control: str) -> None:
    match = started(site, clock=control)
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), None, 5, NOW)
    assert given(site, match) == []


@ON_SQLITE
def test_a_turn_whose_time_was_over_is_not_saved_by_it(site: Site) -> None:
    match = started(site, clock="3d")
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), None, 5, NOW + 3 * DAY)
    assert given(site, match) == []


@ON_SQLITE
def test_an_outage_meanwhile_is_made_up_for_once(site: Site) -> None:
    match = started(site, clock="3d")
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), None, 2, NOW)
    beat.beat(site.db, "worker", NOW + DAY)
    beat.beat(site.db, "worker", NOW + 4 * DAY)
    sweep(site, NOW + 4 * DAY)
    assert look(site, match).row.deadline == NOW + 7 * DAY


def test_two_at_once_give_the_same_days_once(site: Site) -> None:
    match = started(site, clock="3d")
    mover = look(site, match).mover
    vacation.plan(site, holder(site, match, mover), date(2027, 1, 17), 2, NOW)
    at_once([partial(sweep, site, NOW + 2 * DAY)] * 3)
    assert given(site, match) == [(mover, 2 * DAY)]


@ON_SQLITE
@pytest.mark.parametrize(
    ("begins", "days", "said"),
    [
        (date(2027, 1, 14), 3, "past"),
        (None, 0, "at least one day"),
        (None, -3, "at least one day"),
        (date(2027, 2, 1), 26, "left in"),
        (date(2027, 1, 20), 2, "already"),
        (date(2029, 1, 1), 2, "ahead"),
        (date(9999, 12, 31), 5, "ahead"),
        (date(1, 1, 1), 5, "past"),
        (date(2027, 12, 1), 10**9, "ahead"),
    ],
)
def test_what_cannot_be_had_is_a_sentence(
    site: Site, begins: date | None, days: int, said: str
) -> None:
    match = started(site, clock="3d")
    player = holder(site, match, 1)
    vacation.plan(site, player, date(2027, 1, 20), 3, NOW)
    with pytest.raises(BadVacation, match=said):
        vacation.plan(site, player, begins, days, NOW)
    assert len(planned(site, player)) == 1


@ON_SQLITE
def test_the_budget_is_that_of_the_calendar_year(site: Site) -> None:
    match = started(site, clock="3d")
    player = holder(site, match, 1)
    vacation.plan(site, player, date(2027, 12, 5), 40, NOW)
    with site.db.read() as conn:
        assert vacation.left(site, conn, player, 2027) == 1
        assert vacation.left(site, conn, player, 2028) == 15


@ON_SQLITE
def test_another_zone_gives_and_takes_no_days(site: Site) -> None:
    """Clocks change at other dates there: two weeks stay two weeks, and the year has an end."""
    match = started(site, clock="3d")
    player = holder(site, match, 1)
    vacation.plan(site, player, date(2027, 3, 20), 14, NOW)
    vacation.plan(site, player, date(2027, 10, 20), 7, NOW)
    for zone in ("UTC", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu"):
        with site.db.write() as conn:
            conn.execute(PLAYER.update().values(zone=zone))
            assert vacation.left(site, conn, player, 2027) == 7
        with pytest.raises(BadVacation, match="7 of 28"):
            vacation.plan(site, player, date(2027, 6, 1), 8, NOW)
