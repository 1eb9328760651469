"""What has run out of time ends without any visitor: turns, and matches that never started."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from games.verify import verify
from service import clock, lobby, matches, overdue, play, records
from service.errors import SpentLink
from service.joining import JoinForm
from service.opening import Invited
from service.site import Site, open_site
from tests.service.table import NOW, invitation, look, mails, opened, started, three
from tests.service.test_crash import environment

HOUR = 3_600
ENDED = "timeout"


def sweep(site: Site, now: int) -> int:
    """How many matches a sweep ends."""
    return sum(overdue.end(site, due, now) for due in list(overdue.find(site, now)))


def test_overdue_turns_end_without_a_visitor_also_after_a_restart(site: Site) -> None:
    slow, quick = (
        started(site, nonce=control, clock=control, address=f"a{control}@example.org")
        for control in ("7d", "2h")
    )
    mails(site)
    loser = look(site, quick).mover
    over = NOW + 2 * HOUR
    assert sweep(site, over - 1) == 0
    assert sweep(site, over) == 0, "a move that came in time may be on its way"
    with closing(open_site(site.settings)) as restarted:
        assert sweep(restarted, over + 30 * HOUR) == 1
    assert look(site, slow).row.why is None
    row = look(site, quick).row
    assert (row.why, row.deadline) == (ENDED, None)
    assert verify(records.export(site, quick)).ok
    with site.db.read() as conn:
        ranks = {seat.number: seat.rank for seat in matches.seats(conn, quick)}
    assert ranks == {loser: 2, 3 - loser: 1}
    told = mails(site, "result", over + 30 * HOUR)
    assert sorted(mail.seat or 0 for mail in told) == [1, 2]
    assert sweep(site, over + 60 * HOUR) == 0


def test_more_than_a_batch_ends_in_one_sweep_even_behind_those_that_wait(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overdue, "BATCH", 2)
    for n in range(5):
        started(site, nonce=str(n), clock="1h", address=f"a{n}@example.org", now=NOW + n // 2)
    over = NOW + HOUR + play.GRACE
    assert len(list(overdue.find(site, over + 2))) == 5
    assert sweep(site, over) == 2
    assert sweep(site, over + 2) == 3


def test_in_a_match_of_three_the_seat_leaves_and_the_next_deadline_runs(site: Site) -> None:
    match = three(site, clock="2d")
    seen, time = look(site, match), NOW
    gone = []
    while seen.row.deadline is not None:
        assert seen.row.deadline == time + 2 * 86_400
        time = seen.row.deadline + 60
        gone.append(seen.mover)
        assert sweep(site, time) == 1
        seen = look(site, match)
    assert len(set(gone)) == 2
    assert seen.row.why == ENDED
    assert verify(records.export(site, match)).ok


def test_a_match_that_nobody_joins_is_void_and_everybody_is_told(site: Site) -> None:
    match = opened(site).match
    assert match is not None
    token = invitation(site)
    over = NOW + clock.JOIN
    assert look(site, match).row.deadline == over
    assert sweep(site, over - 1) == 0
    lobby.renew(site, token, over - 5)
    assert sweep(site, over) == 1
    assert look(site, match).row.why == "void"
    assert {mail.address for mail in mails(site, "void", over)} == {
        "anna@example.org",
        "bo@example.org",
    }
    with pytest.raises(SpentLink):
        lobby.join(site, token, JoinForm("Bo", "en", "UTC"), over)
    assert not sweep(site, over + 1)
    assert verify(records.export(site, match)).ok


def test_moves_and_sweeps_of_three_processes_give_each_match_one_end_or_none(site: Site) -> None:
    matches = [
        started(
            site,
            nonce=str(n),
            clock="1h",
            address=f"a{n}@example.org",
            invited=(Invited("Bo", f"bo{n}@example.org"),),
        )
        for n in range(12)
    ]
    late = NOW + HOUR + play.GRACE
    losers = {match: look(site, match).mover for match in matches}
    crowd = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.service.finisher", role, str(late), *matches],
            env=environment(site.settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for role in ("sweep", "sweep", "move")
    ]
    for one in crowd:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    with ThreadPoolExecutor() as pool:
        said = list(pool.map(lambda one: one.communicate("go\n")[0], crowd))
    swept, swept_too, played = map(int, said)
    assert swept + swept_too + played == len(matches)
    site.positions.clear()
    ended = [match for match in matches if look(site, match).row.why == ENDED]
    assert len(ended) == swept + swept_too
    for match in matches:
        position = look(site, match).position
        assert verify(records.export(site, match)).ok
        assert position.n == site.signer.last(match)
        if match in ended:
            assert position.result is not None
            assert position.result.places == ((2, 1) if losers[match] == 1 else (1, 2))
        else:
            assert position.n == 5
            assert position.result is None


def test_what_is_due_is_found_by_index(site: Site) -> None:
    values = {"now": NOW, "deadline": -1, "id": "", "most": 50}
    with site.db.read() as conn:
        query = matches._DUE.params(values).compile(conn, compile_kwargs={"literal_binds": True})
        if site.db.lite:
            plan = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
        else:  # which would rather read a table as small as this one
            conn.exec_driver_sql("SET LOCAL enable_seqscan = off")
            plan = conn.exec_driver_sql(f"EXPLAIN {query}").all()
    steps = " ".join(str(row) for row in plan)
    assert "ix_match_deadline_id" in steps
    assert "TEMP B-TREE" not in steps
