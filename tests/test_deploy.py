"""What is in deploy/: units, container, proxies and roles do what they say."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from service.cli import commands
from service.settings import PREFIX, Settings
from service.site import init, open_site
from tests import postgres
from tests.absent import absent
from tests.service import table
from tests.service.test_serve import command, environment, free_port

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
NGINX = next(filter(None, [shutil.which("nginx"), shutil.which("nginx", path="/usr/sbin")]), None)
SECONDS = 60
TOKEN = "abcdefghijklmnopqrstuvwxyz"
WORD = "opensesame"


def needs(program: str | None, name: str) -> str:
    if program is None:
        absent(f"{name} is not installed.")
    return program


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_sound_and_shut_in(unit: Path, tmp_path: Path) -> None:
    analyze = needs(shutil.which("systemd-analyze"), "systemd")
    here = tmp_path / unit.name.replace("@", "")
    here.write_text(re.sub(r"=/opt/\S+/fernpartie", "=/bin/true", unit.read_text()))
    said = subprocess.run(
        [analyze, "verify", "--man=no", here], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout + said.stderr) == (0, "")
    score = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", here],
        capture_output=True,
        text=True,
        check=False,
    )
    assert score.returncode == 0, score.stdout


def test_the_container_file_has_no_fault_that_a_linter_finds() -> None:
    linter = Path(sys.executable).parent / "hadolint"
    needs(str(linter) if linter.exists() else None, "hadolint")
    done = subprocess.run(
        [linter, DEPLOY / "Containerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_container_runs_as_nobody_and_holds_what_is_locked() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    last = text.rpartition("FROM ")[2]
    assert re.findall(r"^USER (.*)$", last, re.M) == ["10001:10001"]
    assert re.findall(r"^FROM (\S+)", text, re.M) == ["python:3.13-slim-bookworm"] * 2
    assert "--require-hashes" in text
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.M)
    assert all((ROOT / name).exists() for line in copied for name in line.split())


def test_the_lock_of_the_container_is_a_part_of_the_other() -> None:
    def pins(path: Path) -> set[str]:
        return set(re.findall(r"^([a-z0-9-]+==[^ \\]+)", path.read_text(), re.M))

    container, all_ = pins(DEPLOY / "requirements.lock"), pins(ROOT / "requirements.lock")
    assert container < all_
    assert not any(pin.startswith(("pytest", "mypy", "playwright")) for pin in container)


def test_every_container_is_shut_in_and_starts_a_command_that_exists() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    for line in ("read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]'):
        assert line in text
    started = re.findall(r"^    command: \[(\w+)", text, re.M)
    assert set(started) == {"init", "web", "worker"} <= set(commands.commands)
    images = re.findall(r"image: (\S+)", text)
    assert images == ["fernpartie", "postgres:17-bookworm"]
    assert re.findall(r"ports: \[\"(.*?):", text) == ["127.0.0.1"]
    named = set(re.findall(rf"\b{PREFIX}(\w+)", text))
    assert {name.lower() for name in named} <= set(Settings.model_fields)


@dataclass
class Proxy:
    """nginx with our configuration, on a free port, before two ports of which one may be down."""

    folder: Path
    port: int
    behind: tuple[int, int]
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def write(self, down: int | None = None) -> None:
        """The configuration as it is shipped, but for ports, names, paths and certificate."""
        text = (DEPLOY / "nginx.conf").read_text()
        text = (
            text.partition("server {\n    listen 80;")[0]
            + "server {\n    listen 443"
            + (text.partition("server {\n    listen 443")[2])
        )
        text = re.sub(r"^    (listen \[|ssl_).*\n", "", text, flags=re.M)
        text = text.replace("listen 443 ssl http2", f"listen 127.0.0.1:{self.port}")
        text = text.replace("games.example.org", "localhost").replace("rate=10r/s", "rate=9999r/s")
        text = text.replace("/var/log/nginx", str(self.folder))
        for old, new in zip((8000, 8001), self.behind, strict=True):
            mark = " down" if new == down else ""
            text = re.sub(rf"127.0.0.1:{old} (.*);", rf"127.0.0.1:{new} \1{mark};", text)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in kinds)
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\npid {self.folder}/pid;\nworker_processes 1;\n"
            f"error_log {self.folder}/start.log emerg;\nevents {{}}\n"
            f"http {{\n{temporary}{text}\n}}\n"
        )

    def reload(self) -> None:
        """Takes up the new configuration, and waits until nobody works by the old one."""
        assert self.process is not None
        old = self._workers()
        self.process.send_signal(signal.SIGHUP)
        while self._workers() & old:
            status(self.port, "/healthz")

    def _workers(self) -> set[int]:
        assert self.process is not None
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return set(map(int, path.read_text().split()))

    def logs(self) -> str:
        return "".join(path.read_text() for path in self.folder.glob("*.log"))


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    program = needs(NGINX, "nginx")
    folder = tmp_path / "nginx"
    folder.mkdir()
    folder.chmod(0o755)
    made = Proxy(folder, free_port(), (free_port(), free_port()))
    made.write()
    arguments = [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    subprocess.run([*arguments, "-t", "-q", "-e", folder / "test.log"], check=True)
    with subprocess.Popen([*arguments, "-e", str(folder / "start.log")]) as made.process:
        until(made.port, 502)
        try:
            yield made
        finally:
            made.process.terminate()


def status(port: int, path: str, **headers: str) -> int:
    """The status of an answer; 0 if nobody answers."""
    with closing(HTTPConnection("localhost", port, timeout=SECONDS)) as connection:
        try:
            connection.request("GET", path, headers=headers)
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0


def until(port: int, wanted: int) -> None:
    while status(port, "/healthz") != wanted:
        pass


@contextmanager
def web(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Pages on a port; they are reached as localhost through the proxy."""
    env = environment(data, port, operator_token=WORD, base_url="http://localhost")
    with subprocess.Popen(command("web"), env=env) as process:
        until(port, 200)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(SECONDS)


def test_no_log_of_the_proxy_holds_a_token(proxy: Proxy, tmp_path: Path) -> None:
    data = tmp_path / "var"
    subprocess.run(command("init"), env=environment(data, 1), check=True, capture_output=True)
    paths = (f"/t/{TOKEN}", f"/i/{TOKEN}?x={TOKEN}", f"/a/{TOKEN}", f"/feed/{TOKEN}/turns.atom")
    seen = {status(proxy.port, path, Referer=f"http://localhost/t/{TOKEN}") for path in paths}
    with web(data, proxy.behind[0]):
        until(proxy.port, 200)
        seen |= {status(proxy.port, path, Referer=f"/t/{TOKEN}") for path in paths}
        assert status(proxy.port, "/readyz") == 503
    assert seen == {404, 502}
    assert " GET /t 404 " in proxy.logs()
    assert TOKEN not in proxy.logs()


def test_visitors_who_never_finish_a_form_hold_up_nobody(proxy: Proxy, tmp_path: Path) -> None:
    data = tmp_path / "var"
    subprocess.run(command("init"), env=environment(data, 1), check=True, capture_output=True)
    with web(data, proxy.behind[0]):
        until(proxy.port, 200)
        slow = [socket.create_connection(("localhost", proxy.port)) for _ in range(12)]
        for each in slow:
            each.sendall(
                b"POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nlog="
            )
        assert status(proxy.port, "/archive") == 200
        for each in slow:
            each.close()


class Client(threading.Thread):
    """Signs in as the operator over and over again: each time a form and a cookie."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.stop = threading.Event()
        self.answers: list[int] = []
        self.answered = threading.Semaphore(0)

    def run(self) -> None:
        page = form(self.port)
        while not self.stop.is_set():
            self.answers.append(posted(self.port, *page))
            self.answered.release()

    def more(self, number: int) -> None:
        """Waits for so many further answers."""
        for _ in range(number):
            assert self.answered.acquire(timeout=SECONDS)


def form(port: int) -> tuple[str, str]:
    """The nonce of a form, and the cookie that belongs to it."""
    with closing(HTTPConnection("localhost", port, timeout=SECONDS)) as connection:
        connection.request("GET", f"/operator/{WORD}")
        answer = connection.getresponse()
        nonce = re.search(rb'name="csrf_token" value="([^"]+)"', answer.read())
        assert nonce is not None
        return nonce[1].decode(), str(answer.headers["Set-Cookie"]).partition(";")[0]


def posted(port: int, nonce: str, cookie: str) -> int:
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    with closing(HTTPConnection("localhost", port, timeout=SECONDS)) as connection:
        try:
            connection.request("POST", f"/operator/{WORD}", f"csrf_token={nonce}", headers)
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0


def test_an_upgrade_loses_no_request(proxy: Proxy, tmp_path: Path) -> None:
    """As the runbook says: the new pages start, the old ones are taken out, and then they stop."""
    data, (old, new) = tmp_path / "var", proxy.behind
    subprocess.run(command("init"), env=environment(data, 1), check=True, capture_output=True)
    with web(data, old) as before:
        until(proxy.port, 200)
        client = Client(proxy.port)
        client.start()
        client.more(10)
        with web(data, new):
            client.more(10)
            proxy.write(down=old)
            proxy.reload()
            before.terminate()
            assert before.wait(SECONDS) == 0
            client.more(10)
            client.stop.set()
            client.join(SECONDS)
    assert set(client.answers) == {303}


def test_the_pages_run_under_a_role_that_cannot_change_a_record(
    server: postgres.Server, tmp_path: Path
) -> None:
    names = server.create(), server.create()
    owner = settings(server, names, tmp_path / "var", "postgres")
    init(owner)
    for name in names:
        with psycopg.connect(plain(server.url(name)), autocommit=True) as conn:
            for _ in range(2):
                conn.execute((DEPLOY / "roles.sql").read_text().encode())
    lesser = settings(server, names, tmp_path / "var", "fernpartie")
    init(lesser)
    with closing(open_site(lesser)) as site:
        match = table.started(site)
        table.move(site, match)
        assert site.signer.last(match) == table.count(site, match)
        assert table.mails(site)
    for name, kept in zip(names, ("record", "head"), strict=True):
        for order in (f"UPDATE {kept} SET hash = ''", f"DELETE FROM {kept}", f"TRUNCATE {kept}"):
            assert forbidden(plain(server.url(name), "fernpartie"), order)
    for name in names:
        server.drop(name)


def settings(server: postgres.Server, names: tuple[str, str], folder: Path, role: str) -> Settings:
    urls = [server.url(name).replace("postgres@", f"{role}@") for name in names]
    return Settings(data=folder, database_url=SecretStr(urls[0]), signer_url=SecretStr(urls[1]))


def plain(url: str, role: str = "postgres") -> str:
    """The address as PostgreSQL's own library takes it."""
    return url.replace("+psycopg", "").replace("postgres@", f"{role}@")


def forbidden(url: str, order: str) -> bool:
    """Whether a role may not even try."""
    with psycopg.connect(url) as conn:
        try:
            conn.execute(order.encode())
        except psycopg.errors.InsufficientPrivilege:
            return True
    return False
