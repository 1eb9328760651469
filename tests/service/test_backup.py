"""Backup, restore and migrate-to: nothing is lost on the way, and nothing is signed twice."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from service import backup, beat, create_app, matches, play, signing, worker
from service.doctor import examine
from service.errors import Fork, NotReady
from service.models import OUTBOX, RECORD, SERVICE
from service.settings import Settings
from service.site import Site, open_site
from tests import postgres
from tests.mail.recorder import Recorder
from tests.service.conftest import ON_SQLITE
from tests.service.table import NOW, count, dump, move, started

DAY = 86_400


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup.db"


@pytest.fixture
def empty(settings: Settings, engine: str, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """The same service with an empty database in the place of its own."""
    if engine == "sqlite":
        url = f"sqlite:///{settings.data}/other.db"
        yield settings.model_copy(update={"database_url": SecretStr(url)})
        return
    server: postgres.Server = request.getfixturevalue("server")
    name = server.create()
    yield settings.model_copy(update={"database_url": SecretStr(server.url(name))})
    server.drop(name)


def test_what_a_backup_holds_is_what_is_restored(site: Site, empty: Settings, file: Path) -> None:
    ended(site)
    match = started(site, nonce="2")
    before = rows(site)
    assert backup.back_up(site.settings, file, with_keys=False) == records(site)
    assert file.stat().st_mode & 0o777 == 0o600
    done = backup.restore(empty, file, NOW, replace=False)
    assert (done.conflicts, done.aside) == ((), None)
    with closing(open_site(empty)) as restored:
        assert rows(restored) == before
        move(restored, match)
        started(restored, nonce="3")


def test_a_backup_is_of_one_moment_while_moves_are_made(site: Site, file: Path) -> None:
    match = started(site)
    stop = threading.Event()

    def play() -> None:
        turn = 0
        while not stop.is_set() and not move(site, match, turn := turn + 7).over:
            pass

    player = threading.Thread(target=play)
    player.start()
    try:
        backup.back_up(site.settings, file, with_keys=False)
    finally:
        stop.set()
        player.join()
    with closing(sqlite3.connect(file)) as kept:
        ((n, lines),) = kept.execute('SELECT n, (SELECT count(*) FROM record) FROM "match"')
    assert n + 1 == lines
    assert {path.name for path in file.parent.iterdir()} == {"var", "backup.db"}


def test_a_backup_has_keys_only_if_asked(site: Site, tmp_path: Path) -> None:
    heads = (site.settings.data / "keys" / "heads.key").read_bytes().strip()
    for with_keys in (False, True):
        path = tmp_path / f"{with_keys}.db"
        backup.back_up(site.settings, path, with_keys=with_keys)
        assert (heads in path.read_bytes()) == with_keys
    with pytest.raises(NotReady, match="exists already"):
        backup.back_up(site.settings, path, with_keys=True)


@ON_SQLITE
def test_a_lost_machine_comes_back_from_backup_keys_and_signers_store(
    site: Site, file: Path, tmp_path: Path
) -> None:
    match = started(site)
    backup.back_up(site.settings, file, with_keys=True)
    fresh = Settings(data=tmp_path / "new")
    with pytest.raises(NotReady, match="signer's store is missing"):
        backup.restore(fresh, file, NOW, replace=False)
    site.signer.close()
    shutil.copyfile(site.settings.data / "signer.db", tmp_path / "new" / "signer.db")
    assert backup.restore(fresh, file, NOW, replace=False).conflicts == ()
    with closing(open_site(fresh)) as there:
        move(there, match)


def test_nothing_is_restored_over_a_service_that_runs_or_holds_something(
    site: Site, file: Path
) -> None:
    started(site)
    backup.back_up(site.settings, file, with_keys=False)
    with pytest.raises(NotReady, match="--replace"):
        backup.restore(site.settings, file, NOW, replace=False)
    beat.beat(site.db, "web", NOW)
    with pytest.raises(NotReady, match="running: web"):
        backup.restore(site.settings, file, NOW + 5, replace=True)


@pytest.mark.parametrize("what", [b"", b"no database at all" * 100])
def test_what_is_no_backup_is_not_restored(site: Site, file: Path, what: bytes) -> None:
    before = rows(site)
    with pytest.raises(NotReady, match="no file"):
        backup.restore(site.settings, file, NOW, replace=True)
    file.write_bytes(what)
    with pytest.raises(NotReady, match="no backup"):
        backup.restore(site.settings, file, NOW, replace=True)
    assert rows(site) == before


def test_a_backup_whose_records_do_not_hold_is_not_restored(site: Site, file: Path) -> None:
    started(site)
    before = rows(site)
    backup.back_up(site.settings, file, with_keys=False)
    with closing(sqlite3.connect(file)) as kept, kept:
        kept.execute("DROP TRIGGER record_no_update")
        kept.execute("UPDATE record SET line = CAST(replace(line, 'F1', 'F2') AS BLOB) WHERE n = 0")
    with pytest.raises(NotReady, match="not hold"):
        backup.restore(site.settings, file, NOW, replace=True)
    assert rows(site) == before


def test_yesterdays_backup_signs_no_second_history(site: Site, file: Path) -> None:
    """Today's moves and matches are lost; whoever made them is refused, the others go on."""
    lost, same = started(site), started(site, nonce="2")
    backup.back_up(site.settings, file, with_keys=False)
    receipt = move(site, lost)
    gone = started(site, nonce="3")
    signed = site.signer.lasts()
    site.close()

    done = backup.restore(site.settings, file, NOW + DAY, replace=True)
    assert done.aside is not None
    assert {(c.match, c.kept, c.signed) for c in done.conflicts} == {
        (lost, 4, 5),
        (gone, 0, signed[gone]),
    }
    with closing(open_site(site.settings)) as restored:
        with pytest.raises(Fork, match="has to wait for the operator"):
            move(restored, lost, 1)
        assert count(restored, lost) == 4
        assert restored.signer.note(lost, 5) == receipt.note
        move(restored, same)
        assert sent(restored, lost) == []
        started(restored, nonce="4")
        assert serials(restored) == (4, 3)
    found = {f.about: f for f in examine(site.settings, NOW + DAY, running=False)}["signer"]
    assert not found.ok
    assert f"Match {lost} has 4 records, and 5 were signed" in found.sentence
    assert f"Match {gone} is missing" in found.sentence


def sent(site: Site, match: str) -> list[str]:
    """The kinds of mail about a match that go out."""
    recorder = Recorder()
    while worker.post(site, recorder, NOW + DAY):
        pass
    with site.db.read() as conn:
        query = sa.select(OUTBOX.c.kind).where(OUTBOX.c.match == match, OUTBOX.c.sent == NOW + DAY)
        return list(conn.execute(query).scalars())


def serials(site: Site) -> tuple[int, int]:
    """The counter of matches, and how many there are."""
    with site.db.read() as conn:
        return conn.execute(sa.select(SERVICE.c.serial)).scalar_one(), len(matches.every(conn))


@ON_SQLITE
def test_the_operator_sees_which_matches_wait(site: Site, file: Path) -> None:
    match = started(site)
    backup.back_up(site.settings, file, with_keys=False)
    move(site, match)
    site.close()
    backup.restore(site.settings, file, NOW, replace=True)
    settings = site.settings.model_copy(update={"operator_token": SecretStr("word")})
    app = create_app(settings)
    with closing(app.extensions["fernpartie"]):
        client = app.test_client()
        assert client.get("/operator/state").status_code == 404
        token = client.get("/operator/word").text.partition('name="csrf_token" value="')[2]
        client.post("/operator/word", data={"csrf_token": token.partition('"')[0]})
        assert f"Match {match} has 4 records" in client.get("/operator/state").text


def test_a_service_moves_to_the_other_engine_and_back(
    site: Site, engine: str, server: postgres.Server, tmp_path: Path
) -> None:
    ended(site)
    match = started(site, nonce="2")
    before = rows(site)
    other = server.create(), server.create()
    urls = (
        [f"sqlite:///{tmp_path}/db", f"sqlite:///{tmp_path}/signer"]
        if engine == "postgresql"
        else [server.url(name) for name in other]
    )
    assert backup.move(site.settings, urls[0], urls[1], NOW) == records(site)
    assert rows(site) == before
    with pytest.raises(NotReady, match="empty database"):
        backup.move(site.settings, urls[0], None, NOW)
    there = site.settings.model_copy(
        update={"database_url": SecretStr(urls[0]), "signer_url": SecretStr(urls[1])}
    )
    with closing(open_site(there)) as moved:
        assert rows(moved) == before
        assert signing.conflicts(moved) == []
        move(moved, match)
        started(moved, nonce="5")
    for name in other:
        server.drop(name)


def test_a_service_that_runs_is_not_moved(site: Site, tmp_path: Path) -> None:
    beat.beat(site.db, "worker", NOW)
    with pytest.raises(NotReady, match="running: worker"):
        backup.move(site.settings, f"sqlite:///{tmp_path}/db", None, NOW)


def ended(site: Site) -> None:
    """A short match that is over."""
    match = started(site)
    n = [move(site, match, turn * 7).record for turn in range(6)][-1]
    play.act(site, match=match, seat=1, act="resign", on=n, via="web", now=NOW)


def rows(site: Site) -> list[list[str]]:
    """All rows of all tables, whatever order an engine gives them in."""
    return [sorted(map(repr, found)) for found in dump(site)]  # type: ignore[call-overload]


def records(site: Site) -> int:
    with site.db.read() as conn:
        return int(conn.execute(sa.select(sa.func.count()).select_from(RECORD)).scalar_one())
