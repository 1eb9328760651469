"""The command `fernpartie`: what cannot be done is a sentence and status 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.models import MATCH
from service.site import Site
from tests.service import table

GOLDEN = Path(__file__).parent.parent / "golden"


def fernpartie(data: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs the command with a data folder and settings of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FERNPARTIE_")}
    own = {f"FERNPARTIE_{name.upper()}": value for name, value in settings.items()}
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *words],
        env=kept | {"FERNPARTIE_DATA": str(data)} | own,
        capture_output=True,
        text=True,
        check=False,
    )


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a command that could not do what it was asked."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("fernpartie: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "var"
    assert fernpartie(folder, "init").returncode == 0
    return folder


def test_init_again_changes_no_key(data: Path) -> None:
    before = {path.name: path.read_bytes() for path in (data / "keys").iterdir()}
    assert fernpartie(data, "init").returncode == 0
    assert {path.name: path.read_bytes() for path in (data / "keys").iterdir()} == before


def test_a_key_to_sign_mails_is_made_and_its_record_shown(data: Path) -> None:
    made = fernpartie(data, "dkim-key", mail_from="play@games.example.org")
    said, record, more = made.stdout.splitlines()
    assert said == f"Made {data / 'keys' / 'dkim.key'}"
    assert record.startswith("fernpartie._domainkey.games.example.org  TXT  v=DKIM1; k=rsa; p=")
    assert "FERNPARTIE_DKIM_SELECTOR=fernpartie and start" in more
    path, own = data / "keys" / "dkim-2.key", {"mail_from": "play@games.example.org"}
    wanted = ("--selector", "s2", "--file", str(path))
    other = fernpartie(data, "dkim-key", *wanted, dkim_selector="fernpartie", **own)
    _, second, more = other.stdout.splitlines()
    assert second.startswith("s2._domainkey.games.example.org  TXT  ")
    assert second.partition("p=")[2] != record.partition("p=")[2]
    assert f"FERNPARTIE_DKIM_SELECTOR=s2 and FERNPARTIE_DKIM_KEY={path} and" in more


def test_init_keeps_the_folder_to_itself(data: Path) -> None:
    assert data.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (data / "keys").iterdir()} == {0o600}


def test_a_name_is_given_once(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    assert fernpartie(folder, "init", "--name", "games.example.org").returncode == 0
    assert fernpartie(folder, "init", "--name", "games.example.org").returncode == 0
    assert "games.example.org" in refused(fernpartie(folder, "init", "--name", "other.example.org"))


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"datta": "x"}, "FERNPARTIE_DATTA"),
        ({"port": "eight"}, "FERNPARTIE_PORT"),
        ({"port": "70000"}, "FERNPARTIE_PORT"),
        ({"base_url": "games.example.org"}, "FERNPARTIE_BASE_URL"),
        ({"zone": "Berlin"}, "FERNPARTIE_ZONE"),
        ({"smtp_host": "smtp.example.org"}, "FERNPARTIE_MAIL_FROM"),
        ({"smtp_user": "me"}, "FERNPARTIE_SMTP_PASSWORD"),
    ],
)
def test_a_wrong_setting_is_named_at_the_start(
    tmp_path: Path, settings: dict[str, str], named: str
) -> None:
    assert named in refused(fernpartie(tmp_path, "serve", **settings))


@pytest.mark.parametrize("command", ["init", "web", "worker", "doctor"])
def test_no_command_starts_with_a_wrong_setting(tmp_path: Path, command: str) -> None:
    assert "FERNPARTIE_PORT" in refused(fernpartie(tmp_path, command, port="eight"))


@pytest.mark.parametrize("command", ["serve", "web", "worker"])
def test_nothing_starts_before_init(tmp_path: Path, command: str) -> None:
    assert "Run: fernpartie init" in refused(fernpartie(tmp_path / "var", command))


def test_a_database_that_is_away_is_said_in_a_sentence(data: Path) -> None:
    refused(fernpartie(data, "web", database_url="postgresql+psycopg://x@127.0.0.1:1/x"))


def test_an_unknown_match_cannot_be_exported(data: Path) -> None:
    assert "no such match" in refused(fernpartie(data, "export", "m_0000000000000000"))


def test_an_index_is_put_right_from_the_records(site: Site) -> None:
    table.started(site)
    with site.db.write() as conn:
        conn.execute(MATCH.update().values(mover=2))
    for wrong in (1, 0):
        done = fernpartie(site.settings.data, "reindex")
        assert (done.returncode, done.stdout) == (0, f"Matches: 1. Put right: {wrong}.\n")


def test_a_log_of_this_service_is_held_against_its_own_keys(site: Site, tmp_path: Path) -> None:
    match, file = table.played_out(site), tmp_path / "match.mlog"
    assert fernpartie(site.settings.data, "export", match, "--out", str(file)).returncode == 0
    here = fernpartie(site.settings.data, "verify", str(file))
    assert here.returncode == 0
    assert here.stdout.splitlines()[0].endswith("records, complete")
    assert "note:" not in here.stdout
    elsewhere = fernpartie(tmp_path / "none", "verify", str(file))
    assert elsewhere.returncode == 0
    assert "note: no policy was given" in elsewhere.stdout


def test_a_running_match_can_be_exported(site: Site) -> None:
    match = table.started(site)
    file = site.settings.data / "running.mlog"
    file.write_text(fernpartie(site.settings.data, "export", match).stdout)
    done = fernpartie(site.settings.data, "verify", str(file))
    assert done.returncode == 0
    assert "unfinished" in done.stdout.splitlines()[0]


def test_a_damaged_log_has_its_code_and_status_1(tmp_path: Path) -> None:
    (tmp_path / "bad.mlog").write_bytes((GOLDEN / "malawi.mlog").read_bytes()[1:])
    done = fernpartie(tmp_path / "none", "verify", str(tmp_path / "bad.mlog"))
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "E_JSON 0"


def test_a_log_that_is_not_there_has_status_2(tmp_path: Path) -> None:
    assert "cannot be read" in refused(fernpartie(tmp_path, "verify", "nothing.mlog"))
    said = fernpartie(tmp_path, "verify", "nothing.mlog", "--json")
    assert said.returncode == 2
    assert json.loads(said.stdout)["ok"] is False


def test_the_doctor_speaks_to_machines_too(data: Path) -> None:
    done = fernpartie(data, "doctor", "--stopped", "--json")
    assert done.returncode == 0
    assert all(finding["ok"] for finding in json.loads(done.stdout))
