"""An outage takes nobody's time: every clock that ran is shifted by what it lost, and once."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest
import sqlalchemy as sa

from games.log.record import Sys
from games.verify import verify
from service import (
    beat,
    clock,
    lobby,
    matches,
    outages,
    overdue,
    play,
    ready,
    records,
    stuck,
    vacation,
    worker,
)
from service.errors import TooLate
from service.joining import JoinForm
from service.models import BEAT, MATCH, OUTAGE, OUTBOX
from service.opening import Invited
from service.outbox import Snapshot
from service.site import Site
from tests.mail.play import read, text_of
from tests.mail.recorder import Recorder
from tests.service.conftest import ON_SQLITE
from tests.service.table import NOW, at_once, invitation, look, move, opened, started
from tests.service.test_crash import environment

HOUR = 3_600
DAY = 24 * HOUR


def outage(site: Site, began: int, ended: int, part: beat.Part = "worker") -> None:
    """A part that was silent between two hours."""
    beat.beat(site.db, part, began)
    beat.beat(site.db, part, ended)


def sweep(site: Site, now: int) -> None:
    """What the worker does every ten seconds."""
    worker.clocks(site, Recorder(), now)


def shifts(site: Site, match: str) -> list[tuple[int | None, int | None]]:
    """To which seats how many seconds were given."""
    with site.db.read() as conn:
        bodies = [record.body for record in records.load(conn, match)]
    return [(body.seat, body.secs) for body in bodies if isinstance(body, Sys) and body.secs]


def several(site: Site, count: int, **changes: object) -> list[str]:
    return [
        started(
            site,
            nonce=str(n),
            address=f"a{n}@example.org",
            invited=(Invited("Bo", f"b{n}@example.org"),),
            **{"clock": "2h", **changes},
        )
        for n in range(count)
    ]


def test_a_turn_whose_time_was_over_meanwhile_has_as_much_as_before(site: Site) -> None:
    match = started(site, clock="2h")
    outage(site, NOW + HOUR, NOW + 11 * HOUR)
    sweep(site, NOW + 11 * HOUR)
    assert look(site, match).row.deadline == NOW + 12 * HOUR
    assert shifts(site, match) == [(look(site, match).mover, 10 * HOUR)]
    sweep(site, NOW + 12 * HOUR - 1)
    assert look(site, match).row.why is None
    sweep(site, NOW + 12 * HOUR + play.GRACE)
    assert look(site, match).row.why == "timeout"
    assert verify(records.export(site, match)).ok


def test_only_what_the_clock_lost_is_made_up_for(site: Site) -> None:
    weekend, untimed = (
        started(site, nonce=control, clock=control, address=f"{control[:2]}@example.org")
        for control in ("7d weekends off UTC", "none")
    )
    noon = NOW + 4 * HOUR
    assert datetime.fromtimestamp(noon, UTC).strftime("%A %H") == "Friday 12"
    outage(site, noon, noon + 4 * DAY)
    sweep(site, noon + 4 * DAY)
    assert shifts(site, weekend) == [(look(site, weekend).mover, 2 * DAY)]
    assert shifts(site, untimed) == []
    with site.db.read() as conn:
        assert beat.unsettled(conn) == []


def test_a_turn_that_began_meanwhile_gets_the_rest_alone(site: Site) -> None:
    match = started(site, NOW + 5 * HOUR, clock="7d")
    outage(site, NOW, NOW + 9 * HOUR)
    sweep(site, NOW + 9 * HOUR)
    assert shifts(site, match) == [(look(site, match).mover, 4 * HOUR)]


def test_a_match_that_was_paused_lost_nothing_more(site: Site) -> None:
    match = started(site, clock="2d")
    seen = look(site, match)
    for seat in (1, 2):
        play.act(
            site, match=match, seat=seat, act="pause", on=seen.row.n, via="web", now=NOW + 2 * HOUR
        )
        seen = look(site, match)
    outage(site, NOW + HOUR, NOW + 9 * HOUR)
    sweep(site, NOW + 9 * HOUR)
    assert shifts(site, match) == [(seen.mover, HOUR)]
    assert look(site, match).row.deadline is None


def test_a_bank_gets_back_what_it_paid_during_an_outage_of_the_mail(site: Site) -> None:
    match = started(site, clock="10h in all")
    first = look(site, match).mover
    beat.beat(site.db, "worker", NOW)
    move(site, match, now=NOW + 3 * HOUR)
    beat.beat(site.db, "worker", NOW + 5 * HOUR)
    sweep(site, NOW + 5 * HOUR)
    assert dict(shifts(site, match)) == {first: 3 * HOUR, 3 - first: 2 * HOUR}
    assert look(site, match).row.deadline == NOW + 15 * HOUR


def test_a_move_that_comes_back_first_is_judged_by_the_shifted_clock(site: Site) -> None:
    match = started(site, clock="2h")
    mover = look(site, match).mover
    outage(site, NOW + HOUR, NOW + 5 * HOUR, "web")
    move(site, match, now=NOW + 5 * HOUR + 1)
    assert shifts(site, match) == [(mover, 4 * HOUR)]
    sweep(site, NOW + 5 * HOUR + 10)
    assert shifts(site, match) == [(mover, 4 * HOUR)]
    assert look(site, match).row.deadline == NOW + 7 * HOUR + 1


def test_nothing_runs_out_in_a_match_that_is_owed_time(site: Site) -> None:
    match = started(site, clock="2h")
    outage(site, NOW + HOUR, NOW + 11 * HOUR)
    wait = look(site, match).row.wait
    assert not play.timeout(site, match=match, wait=wait, now=NOW + 11 * HOUR)
    assert not any(
        overdue.end(site, due, NOW + 11 * HOUR) for due in overdue.find(site, NOW + 11 * HOUR)
    )
    assert look(site, match).row.why is None


def test_a_worker_that_is_stopped_for_an_hour_takes_nobodys_time(site: Site) -> None:
    """Stopped by a signal, as by a machine that sleeps; the hours are handed to it."""
    match = started(site, clock="2h")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.service.sweeper"],
        env=environment(site.settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as stopped:
        stop = NOW + 2 * HOUR - 300
        assert at_hour(stopped, stop) == "done\n"
        stopped.send_signal(signal.SIGSTOP)
        assert stopped.stdin is not None
        stopped.stdin.write(f"{stop + HOUR}\n")
        stopped.stdin.flush()
        reasons = ready.reasons(site, stop + HOUR)
        assert [why for why in reasons if why.startswith("No worker has been heard of for 3600")]
        assert look(site, match).row.deadline == NOW + 2 * HOUR
        stopped.send_signal(signal.SIGCONT)
        assert stopped.stdout is not None
        assert stopped.stdout.readline() == "done\n"
        assert look(site, match).row.deadline == NOW + 3 * HOUR
        assert at_hour(stopped, NOW + 3 * HOUR + play.GRACE) == "done\n"
        assert look(site, match).row.why == "timeout"
        stopped.stdin.close()


def at_hour(worker: subprocess.Popen[str], now: int) -> str:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{now}\n")
    worker.stdin.flush()
    return worker.stdout.readline()


@ON_SQLITE
def test_who_moves_while_the_worker_is_away_is_not_too_late_for_it(site: Site) -> None:
    match = started(site, clock="2h")
    over = NOW + 2 * HOUR
    beat.beat(site.db, "worker", over + 10)
    with pytest.raises(TooLate):
        move(site, match, now=over + HOUR)
    with site.db.write() as conn:
        conn.execute(BEAT.update().values(at=over - 60))
    with pytest.raises(TooLate):
        move(site, match, now=over + 60)
    assert move(site, match, now=over + HOUR).record == 4
    beat.beat(site.db, "worker", over + 2 * HOUR)
    sweep(site, over + 2 * HOUR)
    assert look(site, match).row.deadline == over + 4 * HOUR


@ON_SQLITE
def test_a_clock_that_is_behind_is_said_once_and_once_when_it_is_right(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    beat.beat(site.db, "worker", NOW + DAY)
    shift = worker._Shift(site, Recorder())
    for now in (NOW, NOW + 5, NOW + 10, NOW + DAY, NOW + DAY + 5):
        shift._round(worker.stay, now)
    said = capsys.readouterr().out
    assert said.count("clock is behind") == said.count("to be believed again") == 1


def test_two_outages_that_become_known_at_once_are_both_made_up_for(site: Site) -> None:
    match = started(site, clock="1d")
    beat.beat(site.db, "worker", NOW + 2 * HOUR)
    beat.beat(site.db, "web", NOW + HOUR)
    beat.beat(site.db, "worker", NOW + 3 * HOUR)
    beat.beat(site.db, "web", NOW + 4 * HOUR)
    sweep(site, NOW + 4 * HOUR)
    assert sum(secs or 0 for _, secs in shifts(site, match)) == 3 * HOUR
    assert look(site, match).row.deadline == NOW + DAY + 3 * HOUR


def test_players_are_told_once_for_all_their_matches(site: Site) -> None:
    for n in range(3):
        started(site, nonce=str(n), clock="1d")
    outage(site, NOW + HOUR, NOW + 3 * HOUR)
    sweep(site, NOW + 3 * HOUR)
    sweep(site, NOW + 3 * HOUR + 10)
    recorder = Recorder()
    while worker.post(site, recorder, NOW + 3 * HOUR + 60):
        pass
    told = [
        (to, text_of(mail))
        for _, to, raw in recorder.mails
        if "ernpartie war nicht da" in (mail := read(raw))["Subject"]
        or "ernpartie was away" in mail["Subject"]
    ]
    assert 1 <= len(told) <= 2
    assert len({to for to, _ in told}) == len(told)
    assert all("2 Stunden" in text or "2 hours" in text for _, text in told)
    assert all("/matches" in text for _, text in told)


def test_two_workers_at_once_shift_each_match_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "BATCH", 2)
    began = several(site, 5)
    outage(site, NOW + HOUR, NOW + 3 * HOUR)
    for late in range(2):
        at_once([partial(sweep, site, NOW + 3 * HOUR + late)] * 3)
    assert [len(shifts(site, match)) for match in began] == [1] * 5
    with site.db.read() as conn:
        assert beat.unsettled(conn) == []


def test_a_worker_that_is_killed_in_the_middle_leaves_no_match_out_and_shifts_none_twice(
    site: Site,
) -> None:
    """It dies at four points of its way through the matches, each time at a later one."""
    began, at_each = several(site, 4), []
    outage(site, NOW + HOUR, NOW + 3 * HOUR)
    for steps in (30, 45, 55, 65):
        command = [sys.executable, "-m", "tests.service.sweeper", str(NOW + 3 * HOUR), str(steps)]
        done = subprocess.run(command, env=environment(site.settings), check=False)
        at_each.append((done.returncode, sum(len(shifts(site, match)) for match in began)))
    assert at_each[0][0] == -9
    assert any(0 < shifted < 4 for _, shifted in at_each), at_each
    sweep(site, NOW + 3 * HOUR + 10)
    assert [len(shifts(site, match)) for match in began] == [1] * 4
    with site.db.read() as conn:
        assert beat.unsettled(conn) == []
        assert conn.execute(sa.select(sa.func.count()).select_from(OUTAGE)).scalar() == 1
        assert not any(records.astray(site, conn, match) for match in began)


def test_a_match_that_cannot_be_written_to_holds_up_no_other(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another history of it was signed: it stays owed, its player's vacation cannot be told either,
    and the others go on and run out. The operator is told once, and it is tried again later."""
    forked, other = several(site, 2)
    with site.db.read() as conn:
        player = matches.seats(conn, forked)[look(site, forked).mover - 1].player
    site.signer.sign(forked, [(count, b"\1" * 32) for count in range(5, 7)])
    vacation.plan(site, player or 0, None, 3, NOW + HOUR)
    outage(site, NOW + HOUR // 2, NOW + 2 * HOUR)
    told_by_mail = site.settings.model_copy(update={"operator": "op@example.org"})
    site = replace(site, settings=told_by_mail)
    tries = []
    monkeypatch.setattr(outages, "shift", partial(counted, tries, outages.shift))
    for seconds in (0, 10, 50, 70, 80, 150):
        sweep(site, NOW + 2 * HOUR + seconds)
    assert [time - NOW - 2 * HOUR for match, time in tries if match == forked] == [0, 70, 150]
    sweep(site, NOW + 4 * HOUR)
    assert look(site, other).row.why == "timeout"
    with site.db.read() as conn:
        assert [one.id for one in stuck.listed(conn)] == [forked]
        assert len(beat.unsettled(conn)) == 1
        told = conn.execute(sa.select(OUTBOX.c.snapshot).where(OUTBOX.c.kind == "alert")).scalars()
        assert [Snapshot.parse(text).code for text in told] == [look(site, forked).row.code]
    with site.db.write() as conn:  # as the database with its newest records would say it
        conn.execute(MATCH.update().values(stuck=None, retry=None, outage=1))
        assert stuck.listed(conn) == []
    assert outages.close(site, outages.unsettled(site), NOW)


def counted(
    tries: list[tuple[str, int]],
    shift: Callable[[Site, str, int], bool],
    site: Site,
    match: str,
    now: int,
) -> bool:
    tries.append((match, now))
    return shift(site, match, now)


def test_whoever_is_invited_has_as_long_as_before(site: Site) -> None:
    match = opened(site).match
    assert match is not None
    token = invitation(site)
    late = NOW + lobby.INVITATION + HOUR
    outage(site, NOW + HOUR, late, "web")
    sweep(site, late)
    lost = late - NOW - HOUR
    assert shifts(site, match) == [(None, lost)]
    assert look(site, match).row.deadline == NOW + clock.JOIN + lost
    assert lobby.join(site, token, JoinForm("Bo", "en", "UTC"), late).match == match
    sweep(site, late + 10)
    assert verify(records.export(site, match)).ok
    with site.db.read() as conn:
        assert beat.unsettled(conn) == []


@ON_SQLITE
def test_a_match_that_nobody_could_join_is_not_void_before_it_has_its_time(site: Site) -> None:
    match = opened(site).match
    assert match is not None
    outage(site, NOW + HOUR, NOW + clock.JOIN + HOUR, "web")
    (due,) = overdue.find(site, NOW + clock.JOIN + HOUR)
    assert not overdue.end(site, due, NOW + clock.JOIN + HOUR)
    assert look(site, match).row.why is None


@ON_SQLITE
@pytest.mark.parametrize(("hours", "back"), [(3, 0), (5, 1), (8, 4)])
def test_a_bank_gets_back_what_it_paid_and_no_free_stretch(
    site: Site, hours: int, back: int
) -> None:
    match = started(site, clock="10h in all free 4h")
    first = look(site, match).mover
    beat.beat(site.db, "worker", NOW)
    move(site, match, now=NOW + hours * HOUR)
    beat.beat(site.db, "worker", NOW + 9 * HOUR)
    sweep(site, NOW + 9 * HOUR)
    assert dict(shifts(site, match)).get(first, 0) == back * HOUR


def test_while_the_hour_is_not_to_be_believed_nothing_runs_out(site: Site) -> None:
    match = started(site, clock="2h")
    over = NOW + 2 * HOUR + play.GRACE
    beat.beat(site.db, "worker", over + DAY)
    sweep(site, over)
    assert look(site, match).row.why is None
    with site.db.write() as conn:
        conn.execute(BEAT.update().values(at=over))
    sweep(site, over)
    assert look(site, match).row.why == "timeout"


def test_the_hours_of_a_log_never_go_back(site: Site) -> None:
    match = started(site)
    move(site, match, now=NOW + DAY)
    move(site, match, now=NOW - DAY)
    with site.db.read() as conn:
        hours = [record.at for record in records.load(conn, match)]
    assert hours == sorted(hours)
    assert hours[-1] == NOW + DAY


@ON_SQLITE
def test_what_is_owed_is_found_by_index(site: Site) -> None:
    values = {"phase": "running", "newest": 1, "outage": -1, "id": "", "most": 50}
    with site.db.read() as conn:
        query = outages._OWED.params(values).compile(conn, compile_kwargs={"literal_binds": True})
        plan = " ".join(map(str, conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()))
    assert "ix_match_phase_outage_id" in plan
    assert "TEMP B-TREE" not in plan
