"""`fernpartie doctor`: what is wrong is found, and the sentence says what to do."""

from __future__ import annotations

import socketserver
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service import site
from service.doctor import Finding, examine
from service.settings import Settings

NOW = 1_800_000_000


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = Settings(data=tmp_path / "var")
    site.init(found)
    return found


def look(settings: Settings, *, now: int = NOW, running: bool = False) -> dict[str, Finding]:
    return {found.about: found for found in examine(settings, now, running=running)}


def problems(settings: Settings, *, now: int = NOW, running: bool = False) -> dict[str, str]:
    found = look(settings, now=now, running=running)
    return {about: at.sentence for about, at in found.items() if not at.ok}


def test_a_new_service_is_well(settings: Settings) -> None:
    assert problems(settings) == {}


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
    with sqlite3.connect(settings.data / "fernpartie.db") as other:
        other.execute("DROP TRIGGER record_no_update")
    other.close()
    assert "record" in problems(settings)["database"]


def test_a_database_of_another_revision_is_found(settings: Settings) -> None:
    with sqlite3.connect(settings.data / "fernpartie.db") as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.close()
    assert "9999" in problems(settings)["database"]


def test_an_old_copy_of_the_database_is_found(settings: Settings) -> None:
    here = site.look(settings)
    here.signer.sign("m_0000000000000000", [(1, bytes(32))])
    here.close()
    assert "old copy of the database" in problems(settings)["signer"]


def test_pages_that_do_not_answer_are_found(settings: Settings) -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as quiet:
        port = quiet.server_address[1]
    closed = Settings(data=settings.data, port=port)
    assert "Start fernpartie web" in problems(closed, running=True)["pages"]


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
