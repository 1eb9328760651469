"""`fernpartie serve`: pages and worker start together, answer, and end together."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from service import lobby, matches, people
from service.opening import HOUSE
from service.people import Person
from service.settings import Settings
from service.site import Site, open_site
from tests.service import table

SECONDS = 60
BELATED = "[WARNING] Killing worker-1 after it refused to gracefully stop\n"
"""What granian says, now and then, of a process that has ended: another thread of it was told so
first, and it gives that one a thousandth of a second to pass it on."""


def free_port(host: str = "127.0.0.1") -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def environment(data: Path, port: int, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FERNPARTIE_")}
    own = {"DATA": str(data), "PORT": str(port), **more}
    return kept | {f"FERNPARTIE_{name.upper()}": value for name, value in own.items()}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "service.cli", *words]


@contextmanager
def serving(data: Path, port: int, **more: str) -> Iterator[subprocess.Popen[str]]:
    """A service that is starting; ended afterwards, whatever happened."""
    env = environment(data, port, **more)
    subprocess.run(command("init"), env=env, check=True, capture_output=True)
    process = subprocess.Popen(
        command("serve"), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def announced(process: subprocess.Popen[str]) -> list[str]:
    """The lines it prints once the pages answer."""
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(3)]


def children(process: subprocess.Popen[str]) -> list[int]:
    """The processes it has started, in that order."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == process.pid:
                found.append(int(path.parent.name))
    return sorted(found)


def gone(pid: int) -> bool:
    """Waits until a process that is not ours has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with open(handle) as ended:
        return bool(select.select([ended], [], [], SECONDS)[0])


def status(port: int, path: str, host: str = "127.0.0.1") -> int:
    connection = HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_answers_and_ends_quietly(
    tmp_path: Path, number: signal.Signals
) -> None:
    port = free_port()
    with serving(tmp_path / "var", port) as process:
        address, operator, _ = announced(process)
        assert address.endswith(f"http://127.0.0.1:{port}")
        assert status(port, "/") == 200
        assert status(port, operator[operator.index("/operator/") :]) == 200
        assert status(port, "/operator/not-the-link") == 404
        pids = children(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert (out.replace(BELATED, ""), err) == ("", "")
    assert len(pids) == 2
    assert all(gone(pid) for pid in pids)


def test_it_listens_on_an_address_of_ipv6(tmp_path: Path) -> None:
    port = free_port("::1")
    with serving(tmp_path / "var", port, host="::1") as process:
        address, operator, _ = announced(process)
        assert address.endswith(f"http://[::1]:{port}")
        assert status(port, operator[operator.index("/operator/") :], "::1") == 200
        env = environment(tmp_path / "var", port, host="::1")
        done = subprocess.run(command("doctor"), env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("which", [0, 1])
def test_both_end_when_one_dies(tmp_path: Path, which: int) -> None:
    with serving(tmp_path / "var", free_port()) as process:
        announced(process)
        pids = children(process)
        os.kill(pids[which], signal.SIGKILL)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert "ended by itself" in err
    assert gone(pids[1 - which])


def test_the_children_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "var", free_port()) as process:
        announced(process)
        pids = children(process)
        process.kill()
        assert all(gone(pid) for pid in pids)


def test_a_move_against_the_house_is_answered_by_itself(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "var", port) as process:
        announced(process)
        with closing(open_site(Settings(data=tmp_path / "var", port=port))) as site:
            match = against_the_house(site, int(time.time()))
            moved = to_move(site, match)
            table.move(site, match, now=int(time.time()))
            assert to_move(site, match) > moved


def against_the_house(site: Site, now: int) -> str:
    """A match of somebody who is signed in."""
    with site.db.write() as conn:
        player = people.enter(conn, Person("Anna", table.ANNA, "en", "UTC"), now)
    return lobby.open_match(site, player, table.form(invited=(HOUSE,)), now)


def to_move(site: Site, match: str) -> int:
    """Waits until Anna is to move, and says how many records there are."""
    own = matches.house_seats(table.look(site, match).position)
    until = time.monotonic() + SECONDS
    while (seen := table.look(site, match)).mover in own and time.monotonic() < until:
        pass
    assert seen.mover not in own
    return seen.row.n


def test_a_taken_port_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        env = environment(tmp_path / "var", port)
        subprocess.run(command("init"), env=env, check=True, capture_output=True)
        done = subprocess.run(command("serve"), env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"port {port}" in done.stderr
