"""The signer: every head once, in order, and never two histories of a match."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from games.log import note
from games.log.head import head_text, parse_head
from service import play, signing
from service.db import Database
from service.errors import Fork, NotReady, Unsigned
from service.models import RECORD
from service.settings import Settings
from service.signer import Signer
from service.signing import sign, sweep
from service.site import Site, open_site
from tests.service.conftest import ON_SQLITE
from tests.service.table import NOW, at_once, count, look, move, opened, started

KEY = note.Signer.generate("localhost/heads", bytes(range(32)))
M = "m_0000000000000000"
HASHES = [bytes([n]) * 32 for n in range(10)]


@pytest.fixture
def signer(settings: Settings) -> Iterator[Signer]:
    settings.data.mkdir()
    with closing(Signer(settings.signer_url.get_secret_value(), KEY, "localhost")) as made:
        made.create()
        yield made


def heads(first: int, last: int) -> list[tuple[int, bytes]]:
    return [(count, HASHES[count]) for count in range(first, last + 1)]


def at_the_store(settings: Settings, statement: str) -> None:
    """Does something to the signer's store that the signer would not."""
    with closing(Database(settings.signer_url.get_secret_value())) as store, store.write() as conn:
        conn.exec_driver_sql(statement)


def test_a_head_has_the_text_that_the_log_specifies(signer: Signer) -> None:
    signed = signer.sign(M, heads(1, 1))[1]
    text = note.open_note(signed, [KEY.verifier]).text
    assert text == head_text("localhost", M, 1, HASHES[1])
    assert parse_head(text).count == 1


def test_the_same_head_again_is_the_same_note(signer: Signer) -> None:
    first = signer.sign(M, heads(1, 3))
    assert signer.sign(M, heads(1, 3)) == first
    assert signer.sign(M, heads(2, 4)).items() >= {(2, first[2]), (3, first[3])}
    assert (signer.last(M), signer.note(M, 2)) == (4, first[2])
    assert signer.lasts() == {M: 4}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_another_history_is_refused(signer: Signer, count: int) -> None:
    signer.sign(M, heads(1, 3))
    with pytest.raises(Fork):
        signer.sign(M, [(count, HASHES[9])])
    assert signer.sign(M, heads(4, 4))


def test_a_gap_is_refused_and_nothing_signed(signer: Signer) -> None:
    with pytest.raises(Fork):
        signer.sign(M, heads(2, 2))
    with pytest.raises(Fork):
        signer.sign(M, [*heads(1, 2), (4, HASHES[4])])
    assert (signer.last(M), signer.note(M, 1)) == (0, None)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE head SET note = 'x'",
        "DELETE FROM head",
        """INSERT INTO head SELECT "match", "count", hash, 'x' FROM head""",
    ],
)
def test_the_store_only_grows(signer: Signer, settings: Settings, change: str) -> None:
    signer.sign(M, heads(1, 1))
    with pytest.raises(sa.exc.IntegrityError):
        at_the_store(settings, change)
    assert signer.last(M) == 1


def test_signers_at_once_agree(signer: Signer, settings: Settings) -> None:
    with closing(Signer(settings.signer_url.get_secret_value(), KEY, "localhost")) as other:
        notes = at_once(
            [lambda: signer.sign(M, heads(1, 9)), lambda: other.sign(M, heads(1, 9))] * 10
        )
    assert all(found == notes[0] for found in notes), notes
    assert signer.last(M) == 9


def test_signers_at_once_on_two_histories_keep_one(signer: Signer) -> None:
    other = [(count, HASHES[9]) for count in range(1, 9)]
    at_once([lambda: signer.sign(M, heads(1, 8)), lambda: signer.sign(M, other)] * 5)
    kept = {parse_head(note.parse(signer.note(M, n) or "").text).hash for n in range(1, 9)}
    assert kept in ({HASHES[9]}, set(HASHES[1:9]))


def test_a_match_that_was_signed_otherwise_is_not_played_on(site: Site) -> None:
    match = started(site)
    site.signer.sign(match, [(5, b"f" * 32)])
    with pytest.raises(Fork):
        move(site, match)
    with pytest.raises(Fork):
        sign(site, match)
    with capture_logs() as logged:
        assert sweep(site) == (match,)
    assert [(line["log_level"], line["match"]) for line in logged] == [("error", match)]
    assert count(site, match) == 4


@ON_SQLITE
def test_a_restored_backup_cannot_fork_a_match(site: Site) -> None:
    """The database goes back by a move; the signer's store, apart from it, does not."""
    match = started(site)
    live = sqlite3.connect(site.settings.data / "fernpartie.db")
    with closing(live), closing(sqlite3.connect(":memory:")) as backup:
        live.backup(backup)
        first = move(site, match, 0)
        backup.backup(live)
    assert count(site, match) == 4
    with pytest.raises(Fork):
        move(site, match, 1)
    assert sweep(site) == (match,)
    assert site.signer.note(match, 5) == first.note


def test_what_a_crash_left_unsigned_is_signed_at_the_start(site: Site) -> None:
    match = started(site)
    at_the_store(site.settings, "DROP TABLE head")
    with pytest.raises(NotReady, match="signer"):
        open_site(site.settings)
    site.signer.create()
    with closing(open_site(site.settings)) as again:
        assert again.signer.last(match) == 4
    move(site, match)
    with site.db.read() as conn:
        hashes = conn.execute(sa.select(RECORD.c.hash).order_by(RECORD.c.n)).scalars().all()
    assert [
        parse_head(note.parse(site.signer.note(match, n) or "").text).hash for n in range(1, 6)
    ] == hashes
    sweep(site)
    assert look(site, match).row.count == site.signer.last(match) == 5


@ON_SQLITE
def test_a_signer_that_is_away_costs_the_receipt_and_not_the_move(site: Site) -> None:
    match = started(site)
    store = sqlite3.connect(site.settings.data / "signer.db", isolation_level=None)
    with closing(open_site(site.settings, busy=0.05)) as hasty, closing(store):
        seen = look(hasty, match)
        submit = partial(
            play.submit,
            hasty,
            match=match,
            seat=seen.mover,
            line=seen.moves[0],
            wait=3,
            on=3,
            via="web",
            now=NOW,
        )
        store.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unsigned, match="saved"):
            submit()
        unjoined = opened(hasty, nonce="n2").match
        assert hasty.signer.last(unjoined or "") == 0
        store.execute("ROLLBACK")
        assert submit().again
        assert sweep(hasty) == ()
        assert hasty.signer.last(unjoined or "") == 2


@ON_SQLITE
@pytest.mark.parametrize("harm", ["missing", "damaged", "locked"])
def test_a_store_that_cannot_be_read_refuses_no_move(site: Site, harm: str) -> None:
    match = started(site)
    seen = look(site, match)
    site.close()
    with closing(open_site(site.settings, busy=0.05)) as hasty, out_of_order(hasty, harm):
        with pytest.raises(Unsigned):
            move(hasty, match)
        assert count(hasty, match) == 5
    with closing(open_site(site.settings)) as again:
        assert again.signer.last(match) == 5
        assert play.submit(
            again,
            match=match,
            seat=seen.mover,
            line=seen.moves[0],
            wait=3,
            on=3,
            via="web",
            now=NOW,
        ).again


@contextmanager
def out_of_order(site: Site, harm: str) -> Iterator[None]:
    """The signer's store as it should not be, and put right afterwards."""
    file = site.settings.data / "signer.db"
    site.close()
    if harm == "locked":
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("PRAGMA journal_mode=DELETE")
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")
        return
    kept = file.rename(file.with_suffix(".kept"))
    if harm == "damaged":
        file.write_bytes(b"no database " * 1000)
    yield
    kept.replace(file)
    for rest in ("signer.db-wal", "signer.db-shm"):
        (site.settings.data / rest).unlink(missing_ok=True)


def test_the_heads_of_many_matches_are_looked_at_a_few_at_a_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "CHUNK", 2)
    begun = {
        started(site, nonce=str(n), address=f"a{n}@example.org", now=NOW + n) for n in range(3)
    }
    found = list(site.signer.heads(2))
    assert [len(chunk) for chunk in found] == [2, 1]
    assert set().union(*found) == begun
    assert signing.conflicts(site) == []
    old, new = sorted(begun, key=lambda match: look(site, match).row.changed)[::2]
    for match in (old, new):
        site.signer.sign(match, [(5, b"\1" * 32)])
    assert signing.lately(site) == NOW + 2 - signing.WINDOW
    assert signing.sweep(site, NOW + 1) == (new,)
    assert set(signing.sweep(site)) == {old, new}
    assert {conflict.match for conflict in signing.conflicts(site)} == {old, new}
