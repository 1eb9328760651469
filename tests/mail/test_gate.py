"""Who gets a mail now, later, once a day or not at all; and that nobody loses a place by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service import alerts, matches, reach, wishes, worker
from service.mail.transport import Delivery
from service.matches import MatchRow
from service.site import Site
from service.wishes import Wishes
from tests.mail.play import NOON, Table, text_of

DAY, HOUR = 86_400, 3_600
GONE = Delivery("failed", 550, "RCPT: 550 5.1.1 unknown", bounce="hard")
FULL = Delivery("deferred", 552, "RCPT: 552 5.2.2 full", bounce="soft")


@pytest.fixture
def table(site: Site) -> Table:
    """A match whose first turn mail is waiting."""
    table = Table(site, "en", ("Anna", "Ben"))
    table.begin()
    table.post()
    table.move("a1-c1")
    return table


def wish(table: Table, **changes: object) -> None:
    """Of whoever is to move."""
    with table.site.db.write() as conn:
        wishes.put(conn, table.mover, replace(Wishes(), **changes))  # type: ignore[arg-type]


def test_a_mailbox_that_is_gone_gets_no_more_mail_and_keeps_its_seat(table: Table) -> None:
    address, player = table.row("turn").address, table.mover
    table.recorder.answers = [GONE]
    table.post()
    with table.site.db.read() as conn:
        assert reach.suppressed(conn, address)
    table.move("f2-d2")
    table.move("c1-e1")
    table.post()

    assert [state for _, state in table.rows()[-3:]] == ["failed", "superseded", "suppressed"]
    assert table.mover == player


def test_a_full_mailbox_is_left_alone_after_six_days(table: Table) -> None:
    address = table.row("turn").address
    with table.site.db.write() as conn:
        stopped = [reach.bounced(conn, address, "soft", NOON + n * DAY // 2) for n in range(13)]
    assert stopped.index(True) == 10
    assert stopped.count(True) == 1


def test_a_quiet_week_forgets_what_came_back(table: Table) -> None:
    with table.site.db.write() as conn:
        for time in (NOON, NOON + DAY, NOON + 9 * DAY, NOON + 10 * DAY):
            assert not reach.bounced(conn, "anna@example.org", "soft", time)
        assert not reach.suppressed(conn, "anna@example.org")


def test_a_turn_by_the_link_of_a_mail_shows_that_mail_arrives(table: Table) -> None:
    with table.site.db.write() as conn:
        reach.bounced(conn, table.row("turn").address, "hard", NOON)
        reach.alive(conn, table.row("turn").address, NOON)
    assert len(table.post()) == 1


def test_an_explicit_request_is_mailed_whatever_came_back(site: Site) -> None:
    with site.db.write() as conn:
        reach.bounced(conn, "anna@example.org", "hard", NOON)
    table = Table(site)
    table.ask()
    assert len(table.post()) == 1


def test_quiet_hours_put_a_mail_off(table: Table) -> None:
    wish(table, quiet_from=13, quiet_to=17)  # it is two in the afternoon in Berlin
    assert table.post() == []
    table.now += 3 * HOUR - 1
    assert table.post() == []
    table.now += 1
    assert len(table.post()) == 1


@pytest.mark.parametrize(
    ("start", "end", "hour", "until"),
    [(22, 7, 23, 7), (22, 7, 6, 7), (22, 7, 7, None), (22, 7, 21, None), (0, 0, 5, None)],
)
def test_quiet_hours_may_go_past_midnight(
    start: int, end: int, hour: int, until: int | None
) -> None:
    midnight = NOON - 12 * HOUR
    found = wishes.quiet_until(
        Wishes(quiet_from=start, quiet_to=end), "UTC", midnight + hour * HOUR
    )
    over = None if until is None else midnight + until * HOUR + (DAY if hour > until else 0)
    assert found == over


def test_one_mail_is_enough_until_the_player_returns(table: Table) -> None:
    wish(table, once=True)
    assert len(table.post()) == 1
    other = Table(table.site, "en", ("Anna", "Ben"), now=table.now, recorder=table.recorder)
    other.nonce = "2"
    other.begin()
    while other.mover != table.mover:
        other.move("a1-c1")
    other.post()
    assert other.rows()[-1] == ("turn", "suppressed")
    with table.site.db.write() as conn:
        wishes.returned(conn, table.mover, other.now + 1)


def test_the_daily_mail_has_all_turns_that_wait(table: Table) -> None:
    wish(table, delivery="digest", digest=18)
    assert table.post() == []
    assert table.rows()[-1] == ("turn", "suppressed")
    worker.daily(table.site, table.recorder, NOON)
    assert table.post() == []
    table.now = NOON + 6 * HOUR
    for _ in range(2):
        worker.daily(table.site, table.recorder, table.now)
    (mail,) = table.post()
    assert mail["Subject"] == "1 match waits for you"
    assert "/t/" in text_of(mail)
    table.move("f2-d2")
    table.move("c1-e1")
    worker.daily(table.site, table.recorder, table.now + HOUR)
    assert [kind for kind, _ in table.rows()].count("digest") == 1


def test_whoever_gets_thirty_mails_a_day_gets_one_from_then_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.mail.gate.CROWD", 1)
    for line in ("f2-d2", "c1-e1"):
        table.post()
        table.move(line)
    table.post()
    assert table.rows()[-1] == ("turn", "suppressed")
    with table.site.db.read() as conn:
        found = wishes.of(conn, table.mover)
    assert (found.delivery, found.crowded) == ("digest", True)


@pytest.mark.parametrize(
    ("unreached", "clock", "given", "told"), [(True, "28d", 7, 1), (False, "40d", 0, 0)]
)
def test_a_month_without_mail_costs_no_seat(
    site: Site, unreached: bool, clock: str, given: int, told: int
) -> None:
    """Where a mailbox is gone the clock stands as long as it may, and the other hears of it once;
    whoever wants no mail at all goes on as before."""
    table = Table(site, "en", ("Anna", "Ben"), clock=clock)
    table.begin()
    mover, (found, seats) = table.mover, at(table)
    assert found.deadline is not None
    if unreached:
        sent = Delivery("sent", 250)
        table.recorder.answers = [sent, sent, GONE]  # confirm mail, invitation, turn
    else:
        wish(table, delivery="off")
    jobs = (worker.post, worker.remind, worker.wait, worker.daily, worker.clocks, worker.purge)
    for _ in range(30 * 4):
        for job in jobs:
            job(site, table.recorder, table.now)
        table.now += DAY // 4

    after, left = at(table)
    assert (left, after.mover) == (seats, found.mover)
    assert after.deadline == found.deadline + given * DAY
    kinds = [kind for kind, _ in table.rows()]
    assert kinds.count("news") == told
    table.move("a1-c1")
    assert table.mover != mover


def at(table: Table) -> tuple[MatchRow, list[int | None]]:
    """The match, and who has which seat."""
    with table.site.db.read() as conn:
        row = matches.find(conn, table.match)
        return row, [seat.player for seat in matches.seats(conn, table.match)]


def test_the_operator_is_told_in_the_language_in_which_they_play(site: Site) -> None:
    """In English, if they do not play here."""
    table = Table(site, "de")
    table.begin()
    for operator, language in (("anna@example.org", "de"), ("nobody@example.org", "en")):
        settings = site.settings.model_copy(update={"operator": operator})
        with site.db.write() as conn:
            alerts.refused(replace(site, settings=settings), conn, f"554 {operator}", NOON)
        assert table.row("alert").language == language
