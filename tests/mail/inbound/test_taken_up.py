"""When mails are taken up, what waits for them meanwhile, and when they are forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from service import inbox, matches, play, worker
from service.inbox import Arrival
from service.models import INBOUND, OUTBOX, VERDICT
from service.site import Site
from tests.mail.inbound.letters import html
from tests.mail.inbound.players import Players
from tests.mail.play import Table
from tests.service.table import at_once


def test_several_workers_take_a_mail_up_once(players: Players) -> None:
    table = players.table
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    inbox.store(table.site.db, Arrival("one", letter.bytes(), table.now))
    at_once([lambda: worker.receive(table.site, table.recorder, table.now)] * 4)
    assert len(players.moves()) == 1
    assert players.kinds().count("ack") == 1


def test_a_mail_that_cannot_be_taken_up_waits_and_blocks_no_other(players: Players) -> None:
    table = players.table
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    with table.site.db.write() as conn:
        conn.execute(sa.text("ALTER TABLE verdict RENAME TO elsewhere"))
    players.bring(letter)
    with table.site.db.write() as conn:
        conn.execute(sa.text("ALTER TABLE elsewhere RENAME TO verdict"))
    assert players.moves() == []
    table.now += 60
    while worker.receive(table.site, table.recorder, table.now):
        pass
    assert players.outcome() == "play"


@pytest.mark.parametrize(("seconds", "outcome"), [(-1, "play"), (0, "answer:late")])
def test_when_a_mail_arrived_decides_and_neither_its_date_nor_when_it_is_read(
    site: Site, seconds: int, outcome: str
) -> None:
    players = Players(Table(site, clock="2h"))
    players.table.begin()
    players.post()
    with site.db.read() as conn:
        deadline = matches.find(conn, players.table.match).deadline
    assert deadline is not None
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    dated = letter.having(date="Mon, 30 Nov 2020 12:00:00 +0000")
    players.table.now = deadline + 3_600
    players.bring(dated, now=deadline + seconds)
    assert players.outcome() == outcome


def test_a_mail_that_waits_keeps_its_turn_from_running_out(players: Players) -> None:
    site, now = players.table.site, players.table.now
    with site.db.read() as conn:
        assert inbox.settled(conn, site.settings, now, now)
    inbox.store(site.db, Arrival("late", b"x", now - 1))
    with site.db.read() as conn:
        assert not inbox.settled(conn, site.settings, now, now)
        assert inbox.settled(conn, site.settings, now - 1, now)
    for tried in range(inbox.HOPELESS):
        (row,) = inbox.due(site.db, now + 86_400)
        with site.db.read() as conn:
            assert not inbox.settled(conn, site.settings, now, now)
        assert row.attempts == tried
        inbox.put_off(site.db, row, "unreadable", now)
    with site.db.read() as conn:
        assert inbox.settled(conn, site.settings, now, now)


def test_a_turn_does_not_run_out_before_the_mailbox_was_looked_into(players: Players) -> None:
    site, now = players.table.site, players.table.now
    inbox.fetched(site.db, now)
    with site.db.read() as conn:
        assert not inbox.settled(conn, site.settings, now - 1, now)
        assert inbox.settled(conn, site.settings, now - inbox.LATE_SECONDS, now)
        assert inbox.settled(conn, site.settings, now - 1, now + inbox.LONGEST_WAIT)


def test_a_mailbox_that_could_never_be_opened_is_waited_for_too(players: Players) -> None:
    site, now = players.table.site, players.table.now
    away = {"smtp_host": "mx.example.org", "imap_host": "mx.example.org", "imap_user": "play"}
    settings = site.settings.model_copy(update=away)
    with site.db.read() as conn:
        assert not inbox.settled(conn, settings, now - 1, now)
        assert inbox.settled(conn, settings, now - 1, now + inbox.LONGEST_WAIT)


def test_raw_mails_are_forgotten_after_a_month(players: Players) -> None:
    players.answer(players.legal()[0])
    site = players.table.site
    inbox.forget(site.db, players.table.now + inbox.RAW_SECONDS + 1)
    with site.db.read() as conn:
        assert conn.execute(sa.select(INBOUND.c.raw)).scalar_one() is None
        assert conn.execute(sa.select(VERDICT.c.action)).scalar_one() == "play"


def test_what_our_mails_say_is_kept_with_them(players: Players) -> None:
    with players.table.site.db.read() as conn:
        assert all(conn.execute(sa.select(OUTBOX.c.words)).scalars())


def test_what_our_mails_say_is_forgotten_two_months_after_their_match(players: Players) -> None:
    table, day = players.table, 86_400

    def kept() -> set[tuple[str | None, bool]]:
        query = sa.select(OUTBOX.c.match, OUTBOX.c.words.is_not(None)).distinct()
        with table.site.db.read() as conn:
            return {(row[0], row[1]) for row in conn.execute(query)}

    assert kept() == {(None, True), (table.match, True)}
    worker.purge(table.site, table.recorder, table.now + 61 * day)
    assert kept() == {(None, False), (table.match, True)}
    with table.site.db.read() as conn:
        row = matches.find(conn, table.match)
    play.act(table.site, match=row.id, seat=1, act="resign", on=row.n, via="web", now=table.now)
    for days, still in ((59, True), (61, False)):
        worker.purge(table.site, table.recorder, table.now + days * day)
        assert ((table.match, True) in kept()) == still


def test_a_huge_mail_is_cut_and_asked_for_again(players: Players) -> None:
    mail = players.last(players.mover())
    letter = replace(players.letter("", mail), body=html("x" * 1_200_000, encoding="7bit"))
    players.bring(letter)
    assert players.outcome() == "answer:large"
    with players.table.site.db.read() as conn:
        assert len(conn.execute(sa.select(INBOUND.c.raw)).scalar_one()) == inbox.KEPT
