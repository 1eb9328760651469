"""The outbox: each mail once, claimed by one worker, its bytes fixed before the network."""

from __future__ import annotations

import hashlib
from functools import partial

import pytest
import sqlalchemy as sa

from service import outbox
from service.models import OUTBOX
from service.outbox import LEASE, Mail, Row, Settled, Snapshot, To
from service.site import Site
from tests.service.table import NOW, at_once, look, move, started

TO = To("anna@example.org", "de", "Europe/Berlin")


def queue(site: Site, number: int, **changes: object) -> bool:
    mail = Mail("confirm", f"confirm:{number}", TO, Snapshot(), **changes)  # type: ignore[arg-type]
    with site.db.write() as conn:
        return outbox.queue(conn, mail, NOW)


def states(site: Site) -> list[str]:
    with site.db.read() as conn:
        return list(conn.execute(sa.select(OUTBOX.c.state).order_by(OUTBOX.c.id)).scalars())


def send(site: Site, row: Row, owner: str, state: outbox.State = "sent", now: int = NOW) -> None:
    outbox.composed(site.db, owner, [(row.id, b"raw")])
    assert outbox.sending(site.db, owner, [row.id], now) == {row.id}
    outbox.settle(site.db, owner, [Settled(row.id, state, 250, "ok")], now)


def test_a_mail_of_one_key_is_queued_once(site: Site) -> None:
    assert queue(site, 1)
    assert not queue(site, 1)
    assert len(outbox.claim(site.db, "a", NOW)) == 1


def test_a_snapshot_is_what_it_was(site: Site) -> None:
    about = Snapshot("malawi", "7F3K", ("Anna", "Björn"), 5, 3, None, "Anna", 7, (("a", "b"),))
    assert Snapshot.parse(about.text()) == about


def test_a_mail_goes_from_pending_to_sent(site: Site) -> None:
    queue(site, 1)
    (row,) = outbox.claim(site.db, "a", NOW)
    assert (row.state, row.raw, row.to) == ("pending", None, TO)
    send(site, row, "a")
    with site.db.read() as conn:
        kept = conn.execute(sa.select(OUTBOX)).one()
    assert (kept.state, kept.sent, kept.attempts, kept.last_code) == ("sent", NOW, 1, 250)
    assert (kept.raw, kept.raw_sha256) == (b"raw", hashlib.sha256(b"raw").digest())
    assert outbox.claim(site.db, "a", NOW + 10**9) == []


def test_a_mail_waits_for_its_time(site: Site) -> None:
    queue(site, 1, not_before=NOW + 60)
    assert outbox.claim(site.db, "a", NOW + 59) == []
    assert len(outbox.claim(site.db, "a", NOW + 60)) == 1


def test_a_mail_whose_time_is_over_expires(site: Site) -> None:
    queue(site, 1, expires=NOW + 60)
    assert outbox.claim(site.db, "a", NOW + 60) == []
    assert states(site) == ["expired"]


def test_a_mail_that_was_being_sent_when_its_time_ended_stays_uncertain(site: Site) -> None:
    """Perhaps it went out: it has not expired, and is not sent again."""
    queue(site, 1, expires=NOW + 60)
    (row,) = outbox.claim(site.db, "a", NOW)
    outbox.composed(site.db, "a", [(row.id, b"raw")])
    outbox.sending(site.db, "a", [row.id], NOW)
    assert outbox.claim(site.db, "b", NOW + LEASE) == []
    assert states(site) == ["uncertain"]
    assert outbox.claim(site.db, "b", NOW + 10**9) == []
    outbox.blank(site.db, NOW + 10**9)
    with site.db.read() as conn:
        assert conn.execute(sa.select(OUTBOX.c.raw)).scalar() is None


def test_a_mail_that_waits_for_its_second_copy_when_its_time_ends_stays_uncertain(
    site: Site,
) -> None:
    queue(site, 1, expires=NOW + 60)
    (row,) = outbox.claim(site.db, "a", NOW)
    outbox.composed(site.db, "a", [(row.id, b"raw")])
    outbox.sending(site.db, "a", [row.id], NOW)
    outbox.settle(site.db, "a", [Settled(row.id, "uncertain", due=NOW + 50)], NOW)
    assert outbox.claim(site.db, "b", NOW + 60) == []
    assert states(site) == ["uncertain"]


def test_an_attempt_counts_unless_the_mail_was_not_looked_at(site: Site) -> None:
    queue(site, 1)
    for now, counts in enumerate((False, True, False), start=NOW):
        (row,) = outbox.claim(site.db, "a", now)
        outbox.composed(site.db, "a", [(row.id, b"raw")])
        outbox.sending(site.db, "a", [row.id], now)
        settled = Settled(row.id, "deferred", due=now + 1, counts=counts)
        outbox.settle(site.db, "a", [settled], now)
    with site.db.read() as conn:
        assert conn.execute(sa.select(OUTBOX.c.attempts)).scalar() == 1


def test_a_claimed_mail_is_left_alone_until_the_claim_runs_out(site: Site) -> None:
    queue(site, 1)
    (row,) = outbox.claim(site.db, "a", NOW)
    assert outbox.claim(site.db, "b", NOW + LEASE - 1) == []
    (again,) = outbox.claim(site.db, "b", NOW + LEASE)
    outbox.composed(site.db, "a", [(row.id, b"too late")])
    assert outbox.sending(site.db, "a", [row.id], NOW + LEASE) == set()
    outbox.composed(site.db, "b", [(again.id, b"raw")])
    assert outbox.sending(site.db, "b", [again.id], NOW + LEASE) == {again.id}
    outbox.settle(site.db, "a", [Settled(row.id, "failed")], NOW + LEASE)
    assert states(site) == ["sending"]


def test_a_mail_is_sent_with_the_bytes_of_the_first_attempt(site: Site) -> None:
    queue(site, 1)
    (row,) = outbox.claim(site.db, "a", NOW)
    outbox.composed(site.db, "a", [(row.id, b"first")])
    outbox.sending(site.db, "a", [row.id], NOW)
    outbox.settle(site.db, "a", [Settled(row.id, "deferred", 450, "later", NOW + 60)], NOW)
    assert outbox.claim(site.db, "b", NOW + 59) == []
    (again,) = outbox.claim(site.db, "b", NOW + 60)
    assert (again.state, again.raw, again.attempts) == ("deferred", b"first", 1)
    outbox.composed(site.db, "b", [(again.id, b"second")])
    assert outbox.sending(site.db, "b", [again.id], NOW + 60) == {again.id}
    with site.db.read() as conn:
        assert conn.execute(sa.select(OUTBOX.c.raw)).scalar() == b"first"


def test_a_mail_that_was_being_sent_at_a_crash_is_uncertain(site: Site) -> None:
    queue(site, 1)
    (row,) = outbox.claim(site.db, "a", NOW)
    outbox.composed(site.db, "a", [(row.id, b"raw")])
    outbox.sending(site.db, "a", [row.id], NOW)
    (again,) = outbox.claim(site.db, "b", NOW + LEASE)
    assert (again.state, again.raw) == ("uncertain", b"raw")


def test_a_released_mail_can_be_claimed_again(site: Site) -> None:
    queue(site, 1)
    (row,) = outbox.claim(site.db, "a", NOW)
    outbox.release(site.db, "a", [row.id], NOW + 5)
    assert outbox.claim(site.db, "b", NOW + 4) == []
    assert len(outbox.claim(site.db, "b", NOW + 5)) == 1


def test_workers_at_once_share_the_mails(site: Site) -> None:
    for number in range(100):
        queue(site, number)
    claims = at_once([partial(outbox.claim, site.db, name, NOW, 10) for name in "abcdefghij"])
    ids = [row.id for rows in claims for row in rows]  # type: ignore[attr-defined]
    assert len(ids) == len(set(ids))
    while rows := outbox.claim(site.db, "rest", NOW, 10):
        ids += [row.id for row in rows]
    assert sorted(ids) == list(range(1, 101))


def test_a_turn_mail_is_not_sent_when_the_turn_has_passed_meanwhile(site: Site) -> None:
    match = started(site)
    rows = [row for row in outbox.claim(site.db, "a", NOW) if row.kind == "turn"]
    outbox.composed(site.db, "a", [(row.id, b"raw") for row in rows])
    move(site, match)
    assert outbox.sending(site.db, "a", [row.id for row in rows], NOW) == set()


def test_a_mail_being_sent_is_not_sent_again_after_its_turn(site: Site) -> None:
    match = started(site)
    (row,) = [row for row in outbox.claim(site.db, "a", NOW) if row.kind == "turn"]
    outbox.composed(site.db, "a", [(row.id, b"raw")])
    outbox.sending(site.db, "a", [row.id], NOW)
    move(site, match)
    outbox.settle(site.db, "a", [Settled(row.id, "deferred", 450, "later", NOW)], NOW)
    (again,) = [r for r in outbox.claim(site.db, "b", NOW) if r.id == row.id]
    assert outbox.sending(site.db, "b", [again.id], NOW) == set()


def test_a_mail_knows_the_one_before_it_in_its_match(site: Site) -> None:
    match = started(site)
    before: dict[str, str] = {}
    for turn in range(6):
        (row,) = [
            row for row in outbox.claim(site.db, "a", NOW) if row.match and row.kind == "turn"
        ]
        with site.db.read() as conn:
            assert outbox.previous(conn, row) == before.get(row.address)
        send(site, row, "a")
        before[row.address] = row.message_id
        assert row.seat == look(site, match).mover
        move(site, match, turn)


def test_old_mails_are_forgotten(site: Site) -> None:
    for number in (1, 2):
        queue(site, number)
    first, second = outbox.claim(site.db, "a", NOW)
    send(site, first, "a")
    outbox.composed(site.db, "a", [(second.id, b"raw")])
    outbox.blank(site.db, NOW + 8 * 86_400)
    with site.db.read() as conn:
        assert list(conn.execute(sa.select(OUTBOX.c.raw).order_by(OUTBOX.c.id)).scalars()) == [
            None,
            b"raw",
        ]


@pytest.mark.parametrize("state", ["failed", "superseded", "expired", "sent"])
def test_what_is_settled_stays_so(site: Site, state: outbox.State) -> None:
    queue(site, 1)
    (row,) = outbox.claim(site.db, "a", NOW)
    send(site, row, "a", state)
    outbox.settle(site.db, "a", [Settled(row.id, "deferred")], NOW)
    assert states(site) == [state]
    assert outbox.claim(site.db, "b", NOW + 10**9) == []
