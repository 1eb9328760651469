"""Reminders: at the hours their reader wishes, once each, and never of a turn that is over."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from games.log.record import Sys
from service import beat, correspondence, matches, play, records, reminders, wishes, worker
from service.site import Site
from service.wishes import Wishes
from tests.conftest import ENGINES
from tests.mail.play import Table, html_of, read, text_of
from tests.service.table import at_once

HOUR = 3_600
DAY = 24 * HOUR


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def table(site: Site) -> Table:
    """A match with four days for every turn whose first turn mail has gone out."""
    table = Table(site, "de", clock="4d")
    table.begin()
    table.post()
    return table


def at(table: Table, hours: int) -> list[str]:
    """The texts of the mails that go out, so many hours after the first turn began."""
    before, table.now = table.now, beginning(table) + hours * HOUR
    assert table.now >= before
    while worker.remind(table.site, table.recorder, table.now):
        pass
    return [text_of(mail) for mail in table.post()]


def beginning(table: Table) -> int:
    with table.site.db.read() as conn:
        return matches.find(conn, table.match).began


def wish(table: Table, **changes: object) -> None:
    wished = replace(wishes.USUAL, **changes)  # type: ignore[arg-type]
    correspondence.change(table.site, table.mover, wished, table.now)


def test_they_come_at_half_time_and_a_day_and_four_hours_before_the_end(table: Table) -> None:
    found = {hours: len(at(table, hours)) for hours in (0, 47, 48, 49, 71, 72, 73, 91, 92, 95)}
    assert [hours for hours, count in found.items() if count] == [48, 72, 92]
    assert set(found.values()) == {0, 1}


def test_a_reminder_has_the_link_and_the_board_of_its_turn(table: Table) -> None:
    turn = table.row("turn")
    (text,) = at(table, 48)
    mail = table.row("reminder")
    assert "Zug 1 wartet noch auf dich" in text
    assert (mail.link, mail.seat, mail.wait) == (turn.link, turn.seat, turn.wait)
    assert mail.raw is not None
    sent = table.recorder.mails[-1][2]
    assert f"/t/{table.token('w')}" in text_of(read(sent))
    assert f"/t/{table.token('w')}" in html_of(read(sent))
    assert "in 2 Tagen" in text_of(read(sent))


def test_whoever_keeps_turns_apart_has_a_thread_of_mails_for_each(table: Table) -> None:
    turn = read(table.recorder.mails[-1][2])
    wish(table, apart=True)
    at(table, 48)
    row, reminder = table.row("reminder"), read(table.recorder.mails[-1][2])
    assert reminder["Subject"] == f"{turn['Subject']} (Zug 1)"
    assert reminder["In-Reply-To"] == turn["Message-ID"]
    root = reminder["References"].split()[0]
    assert root.partition("@")[0].endswith(f".{row.seat}.{row.record}")


def test_whoever_has_moved_is_not_reminded(table: Table) -> None:
    table.now += 48 * HOUR
    assert worker.remind(table.site, table.recorder, table.now) is False
    table.move("a1-c1")
    sent = [kind for kind, state in table.rows() if state == "sent"]
    table.post()
    assert ("reminder", "superseded") in table.rows()
    assert "reminder" not in sent


def test_nobody_is_reminded_where_they_cannot_move(table: Table) -> None:
    """An old database was put back, and the signer knows more of the match."""
    signed = table.site.signer.last(table.match)
    table.site.signer.sign(table.match, [(signed + 1, bytes(32))])
    assert at(table, 48) == at(table, 72) == []


def test_each_player_says_when(table: Table) -> None:
    wish(table, half=False, first=48, last=0)
    assert [hours for hours in (47, 48, 49, 72, 92) if at(table, hours)] == [48]


@pytest.mark.parametrize(
    ("wished", "reminded"),
    [
        ({"once": True, "returned": 1}, []),
        ({"delivery": "off"}, []),
        ({"delivery": "digest"}, [92]),
        ({"delivery": "digest", "last": 0}, []),
    ],
)
def test_whoever_wants_less_mail_gets_no_reminder_but_the_last_beside_a_daily_mail(
    table: Table, wished: dict[str, object], reminded: list[int]
) -> None:
    with table.site.db.write() as conn:
        wishes.put(conn, table.mover, Wishes(**wished))  # type: ignore[arg-type]
    assert [hours for hours in (48, 72, 92, 95) if at(table, hours)] == reminded


def test_nobody_is_reminded_within_six_hours_of_the_mail_about_the_turn() -> None:
    usual = partial(reminders.hours, 0, 8 * HOUR, wished=wishes.USUAL)
    assert usual(mailed=1) == {}
    assert reminders.hours(0, 13 * HOUR, 1, wishes.USUAL) == {
        "half": 6 * HOUR + 1_800,
        "last": 9 * HOUR,
    }
    assert usual(mailed=0) == {"half": 4 * HOUR, "last": 4 * HOUR}


def test_quiet_hours_move_a_reminder_and_not_the_clock(table: Table) -> None:
    wish(table, quiet_from=12, quiet_to=17)  # it is 13 o'clock in Berlin
    assert [hours for hours in (48, 50, 52) if at(table, hours)] == [52]


def test_a_deadline_that_comes_nearer_is_told_at_once_with_the_one_before(table: Table) -> None:
    def give(secs: int) -> None:
        with table.site.db.write() as conn:
            matches.lock(conn, table.match)
            position = records.position(table.site, conn, table.match)
            play.extend(table.site, conn, position, [Sys("clock", "so", secs=secs)], table.now)

    assert at(table, 1) == []
    give(DAY)
    assert at(table, 2) == []
    give(-2 * DAY)
    assert len(at(table, 3)) == 1
    assert "hat sich geändert" in " ".join(text_of_last(table).split())
    assert at(table, 4) == []
    assert len(at(table, 36)) == 1, "half of three days"


def text_of_last(table: Table) -> str:
    return text_of(read(table.recorder.mails[-1][2]))


def test_two_workers_at_once_remind_once(table: Table) -> None:
    table.now += 48 * HOUR
    at_once([partial(worker.remind, table.site, table.recorder, table.now)] * 4)
    assert [kind for kind, _ in table.rows()].count("reminder") == 1


def test_a_worker_whose_clock_is_behind_reminds_nobody(table: Table) -> None:
    beat.beat(table.site.db, "worker", table.now + 30 * DAY)
    assert at(table, 48) == []


def test_due_turns_are_found_by_index(table: Table) -> None:
    if not table.site.db.lite:
        return
    with table.site.db.read() as conn:
        query = reminders._FIND.params(now=1, most=5)
        text = query.compile(conn, compile_kwargs={"literal_binds": True})
        plan = str(conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all())
    assert "ix_match_remind" in plan
