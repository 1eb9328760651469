"""`fernpartie doctor`: what is wrong is found, and the sentence says what to do."""

from __future__ import annotations

import fcntl
import os
import socketserver
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from games.log.record import Move
from games.log.writing import by
from service import beat, house, records
from service.doctor import Finding, examine
from service.models import MATCH
from service.opening import HOUSE
from service.settings import Settings
from service.site import Site, init
from service.site import look as look_at
from service.worker import LOCK
from tests.service import table
from tests.service.conftest import ON_POSTGRESQL
from tests.service.table import NOW


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "sqlite"))


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Those of a new service."""
    init(settings)
    return settings


def look(settings: Settings, *, now: int = NOW, running: bool = False) -> dict[str, Finding]:
    return {found.about: found for found in examine(settings, now, running=running)}


def problems(settings: Settings, *, now: int = NOW, running: bool = False) -> dict[str, str]:
    found = look(settings, now=now, running=running)
    return {about: at.sentence for about, at in found.items() if not at.ok}


def test_a_new_service_is_well(settings: Settings) -> None:
    assert problems(settings) == {}


@ON_POSTGRESQL
def test_a_service_on_postgresql_is_well(site: Site) -> None:
    hour = int(time.time())
    table.started(site, hour)
    found = look(site.settings, now=hour)
    assert all(at.ok for at in found.values())
    assert "PostgreSQL" in found["database"].sentence


def test_without_a_service_it_says_how_to_make_one(tmp_path: Path) -> None:
    found = problems(Settings(data=tmp_path / "none"))
    assert "Run: fernpartie init" in found["folder"]


def test_a_folder_open_to_others_is_found(settings: Settings) -> None:
    settings.data.chmod(0o755)
    assert "chmod go= " in problems(settings)["folder"]


def test_a_key_open_to_others_is_found(settings: Settings) -> None:
    (settings.data / "keys" / "heads.key").chmod(0o644)
    assert "heads.key" in problems(settings)["folder"]


def test_a_missing_key_is_found(settings: Settings) -> None:
    (settings.data / "keys" / "link.key").unlink()
    assert "link.key" in problems(settings)["database"]


def test_another_key_than_the_service_was_made_with_is_found(settings: Settings) -> None:
    (settings.data / "keys" / "link.key").write_text("00" * 32)
    assert "link key" in problems(settings)["database"]


def test_a_missing_trigger_is_found(settings: Settings) -> None:
    with closing(sqlite3.connect(settings.data / "fernpartie.db")) as other:
        other.execute("DROP TRIGGER record_no_update")
    assert "record" in problems(settings)["database"]


def test_a_database_of_another_revision_is_found(settings: Settings) -> None:
    with closing(sqlite3.connect(settings.data / "fernpartie.db")) as other, other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "9999" in problems(settings)["database"]


def test_an_old_copy_of_the_database_is_found(settings: Settings) -> None:
    with closing(look_at(settings)) as site:
        site.signer.sign("m_0000000000000000", [(1, bytes(32))])
    assert "old copy of the database" in problems(settings)["signer"]


def test_another_history_than_the_signed_one_is_found(site: Site) -> None:
    match = table.started(site)
    file = site.settings.data / "fernpartie.db"
    with closing(sqlite3.connect(file)) as live, closing(sqlite3.connect(":memory:")) as copy:
        live.backup(copy)
        n = table.move(site, match).record
        copy.backup(live)
        with live:
            live.execute("INSERT INTO record VALUES (?, ?, ?, ?)", (match, n, b"{}", bytes(32)))
            live.execute('UPDATE "match" SET n = ?', (n,))
    found = problems(site.settings)
    assert "another history" in found["signer"]
    assert "do not hold: E_SCHEMA" in found["index"]


def test_heads_that_stay_unsigned_are_found(site: Site) -> None:
    match = table.started(site)
    unsigned(site, match)
    assert "signer" not in problems(site.settings, now=NOW + 10)
    assert "Start the worker" in problems(site.settings, now=NOW + 3600)["signer"]


def unsigned(site: Site, match: str) -> None:
    """A move whose head is not signed, as after a crash."""
    seen = table.look(site, match)
    said = by(seen.row.n, "web", seat=seen.mover, mv=seen.moves[-1])
    with site.db.write() as conn:
        body = Move(seen.mover, seen.moves[-1], said)
        records.append(site, conn, seen.position, [body], NOW)


def test_an_index_that_is_astray_is_found(site: Site) -> None:
    match = table.started(site)
    with site.db.write() as conn:
        conn.execute(MATCH.update().values(mover=2))
    assert "Run: fernpartie reindex" in problems(site.settings)["index"]
    assert records.rebuild(site, match)
    assert "index" not in problems(site.settings)


def test_a_clock_behind_the_newest_record_is_found(site: Site) -> None:
    table.started(site)
    assert "behind the newest record" in problems(site.settings, now=NOW - 60)["clock"]


def test_a_worker_that_does_not_run_is_found(settings: Settings) -> None:
    assert "Start: fernpartie worker" in problems(settings, running=True)["worker"]


def test_mail_that_is_left_lying_is_found(site: Site) -> None:
    table.started(site)
    lock = os.open(site.settings.data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # as a worker holds it that does nothing
    try:
        assert "heard of" in problems(site.settings, now=NOW + 600, running=True)["worker"]
        beat.beat(site.db, "worker", NOW + 600)
        assert "worker" not in problems(site.settings, now=NOW + 600, running=True)
        beat.beat(site.db, "worker", NOW + 3600)
        found = problems(site.settings, now=NOW + 3600, running=True)["worker"]
    finally:
        os.close(lock)
    assert "mails should have gone out, the first 60 minutes ago" in found


def test_a_house_player_that_does_not_answer_is_found(site: Site) -> None:
    match = table.opened(site, invited=(HOUSE,)).match
    while house.play_once(site, NOW):
        pass
    assert "house" not in problems(site.settings, now=NOW + 3600, running=True)
    table.move(site, match)
    assert "house" not in problems(site.settings, now=NOW + 60, running=True)
    found = problems(site.settings, now=NOW + 3600, running=True)["house"]
    assert f"has not answered in 1 matches, first in {match} for 60 minutes" in found


def test_pages_that_do_not_answer_are_found(settings: Settings) -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as quiet:
        port = quiet.server_address[1]
    closed = Settings(data=settings.data, port=port)
    assert "Start fernpartie web" in problems(closed, running=True)["pages"]
    assert "FERNPARTIE_PORT" in problems(closed, running=True)["pages"]


def test_an_address_without_tls_is_found(settings: Settings) -> None:
    found = problems(Settings(data=settings.data, base_url="http://games.example.org"))
    assert "TLS" in found["settings"]


class Relay(socketserver.StreamRequestHandler):
    """A relay that greets and takes its leave."""

    def handle(self) -> None:
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline():
            self.wfile.write(b"221 bye\r\n" if line.startswith(b"QUIT") else b"250 ok\r\n")


@contextmanager
def relay() -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def relayed(settings: Settings, port: int) -> Settings:
    return Settings(
        data=settings.data,
        smtp_host="127.0.0.1",
        smtp_port=port,
        smtp_tls="none",
        mail_from="play@example.org",
    )


def test_a_relay_that_greets_is_well(settings: Settings) -> None:
    with relay() as port:
        assert problems(relayed(settings, port)) == {}


def test_a_relay_that_cannot_be_reached_is_found(settings: Settings) -> None:
    with relay() as port:
        pass
    assert "127.0.0.1" in problems(relayed(settings, port))["mail"]
