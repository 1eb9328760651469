"""A database that goes away, a full disk, several hosts: nothing is lost and nothing doubled."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from games.log import note
from games.log.head import parse_head
from service import db, matches, outbox
from service.errors import Unavailable
from service.models import OUTBOX
from service.outbox import Mail, Snapshot, To
from service.play import Receipt
from service.settings import PREFIX, Settings
from service.site import Site, init, open_site
from tests import postgres
from tests.absent import absent
from tests.mail.play import read
from tests.mail.relay import Desk, listening
from tests.service import table
from tests.service.conftest import ON_POSTGRESQL, ON_SQLITE
from tests.service.table import count, started
from tests.service.test_crash import environment
from tests.service.test_serve import free_port

SECONDS = 60
PLAYERS = 4


@pytest.fixture
def own_server() -> Iterator[postgres.Server]:
    """A server that a test may stop."""
    binaries = postgres.programs()
    if binaries is None:
        absent("PostgreSQL is not installed.")
    with postgres.serve(binaries) as running:
        yield running


def on(server: postgres.Server, folder: Path, **more: object) -> Settings:
    """Settings of a service with its databases on a server."""
    names = server.create(), server.create()
    return Settings(
        data=folder,
        database_url=SecretStr(server.url(names[0])),
        signer_url=SecretStr(server.url(names[1])),
        **more,  # type: ignore[arg-type]
    )


@contextmanager
def process(name: str, settings: Settings, **more: str) -> Iterator[subprocess.Popen[str]]:
    """A command of the service in a process group of its own; gone afterwards with all of it."""
    own = {PREFIX + name.upper(): value for name, value in more.items()}
    child = subprocess.Popen(
        [sys.executable, "-m", "service.cli", name],
        env=environment(settings) | own,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    try:
        yield child
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate(timeout=SECONDS)


def says(child: subprocess.Popen[str], words: str) -> bool:
    """Waits until a process has logged some words."""
    assert child.stderr is not None
    return any(words in line for line in iter(child.stderr.readline, ""))


def asked(port: int) -> tuple[int, str | None]:
    """What the archive answers: its status, and after how many seconds to ask again."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        try:
            connection.request("GET", "/archive")
            answer = connection.getresponse()
        except ConnectionRefusedError:
            return 0, None
        return answer.status, answer.headers["Retry-After"]


def until(port: int, status: int) -> str | None:
    """Asks until the pages answer with a status."""
    while (answer := asked(port))[0] != status:
        pass
    return answer[1]


class Player(threading.Thread):
    """Plays a match, and tries again what could not be saved."""

    def __init__(self, site: Site, match: str, stop: threading.Event) -> None:
        super().__init__()
        self.site, self.match, self.stop = site, match, stop
        self.receipts: list[Receipt] = []
        self.refused = 0
        self.moved = threading.Semaphore(0)

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                receipt = table.move(self.site, self.match, len(self.receipts) * 7)
            except Unavailable:
                self.refused += 1
                continue
            self.receipts.append(receipt)
            self.moved.release()
            if receipt.over:
                return


@pytest.mark.timeout(240)
def test_postgresql_may_stop_under_load_and_come_back(
    own_server: postgres.Server, tmp_path: Path
) -> None:
    settings = on(own_server, tmp_path / "var", port=free_port())
    init(settings)
    stop = threading.Event()
    with closing(open_site(settings)) as site, process("worker", settings) as worker:
        assert says(worker, "worker started")
        matches = [started(site, nonce=str(n)) for n in range(PLAYERS)]
        players = [Player(site, match, stop) for match in matches]
        with process("web", settings, port=str(settings.port)):
            until(settings.port, 200)
            for player in players:
                player.start()
            for player in players:
                player.moved.acquire(timeout=SECONDS)
            own_server.stop()
            assert until(settings.port, 503) == "5"
            assert says(worker, "waiting for a database")
            own_server.start()
            for player in players:
                for _ in range(len(player.receipts) + 2):
                    player.moved.acquire(timeout=SECONDS)
            stop.set()
            for player in players:
                player.join(SECONDS)
            until(settings.port, 200)
        assert says(worker, "the database is back")
        for player in players:
            assert player.refused
            held(site, player)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(SECONDS) == 0


def held(site: Site, player: Player) -> None:
    """Every receipt is of a record that is there and signed."""
    records = [receipt.record for receipt in player.receipts]
    assert records == sorted(set(records))
    assert site.signer.last(player.match) == count(site, player.match)
    for receipt in player.receipts:
        head = parse_head(note.parse(receipt.note).text)
        kept = site.signer.note(player.match, head.count)
        assert kept == receipt.note


@ON_POSTGRESQL
def test_a_process_that_is_stopped_in_a_transaction_holds_up_nobody_for_long(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = started(site)
    monkeypatch.setattr(db, "IDLE_SECONDS", 1)
    with closing(open_site(site.settings)) as stopped, pytest.raises(Unavailable):
        stop_within(stopped, match, partial(table.move, site, match))
    assert count(site, match) == 5


def stop_within(site: Site, match: str, meanwhile: Callable[[], object]) -> None:
    """A transaction on a match in which nothing happens while somebody else writes to it."""
    with site.db.write() as conn:
        matches.lock(conn, match)
        meanwhile()
        matches.lock(conn, match)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """No file of this process grows beyond the largest one in a folder."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(path.stat().st_size for path in folder.glob("*.db*"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@ON_SQLITE
def test_a_full_disk_refuses_a_move_and_takes_it_later(site: Site) -> None:
    match = started(site)
    with full(site.settings.data):
        moved = sum(1 for _ in iter(partial(moves, site, match), False))
        with pytest.raises(Unavailable, match="Nothing was saved"):
            table.move(site, match)
        assert count(site, match) == 4 + moved
    assert table.move(site, match).record == 4 + moved
    assert site.signer.last(match) == count(site, match) == 5 + moved


def moves(site: Site, match: str) -> bool:
    """Whether a move could be saved."""
    try:
        return not table.move(site, match).over
    except Unavailable:
        return False


def letters(site: Site, number: int) -> None:
    """So many mails that are due."""
    to = [To(f"somebody-{n}@example.org", "de", "Europe/Berlin") for n in range(number)]
    with site.db.write() as conn:
        for each in to:
            about = Snapshot(game="malawi", code="abcd", names=("Anna", "Bo"), by="Bo")
            outbox.queue(conn, Mail("declined", f"declined:{each.address}", each, about), 1)


@pytest.mark.timeout(240)
def test_two_hosts_share_the_mail_and_one_takes_over_from_the_other(
    server: postgres.Server, tmp_path: Path
) -> None:
    settings = on(server, tmp_path / "one")
    init(settings)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    other = settings.model_copy(update={"data": tmp_path / "two"})
    desk = Desk()
    with closing(open_site(settings)) as site, listening(desk) as port:
        way = {"smtp_host": "127.0.0.1", "smtp_port": str(port), "smtp_tls": "none"}
        way |= {"mail_from": "play@games.example.org", "base_url": "https://games.example.org"}
        with process("worker", settings, **way) as one, process("worker", other, **way) as two:
            assert says(one, "worker started")
            assert says(two, "worker started")
            letters(site, 2 * outbox.BATCH)
            assert says(one, '"state": "sent"')
            assert says(two, '"state": "sent"')
            os.killpg(one.pid, signal.SIGKILL)
            take_over(site)
            while waiting(site):
                assert says(two, '"event": "mail"')
    mails = Counter(raw for _, _, raw in desk.mails)
    assert len({read(raw)["Message-ID"] for raw in mails}) == len(mails) == 2 * outbox.BATCH
    assert mails.total() <= 2 * outbox.BATCH + 1


def take_over(site: Site) -> None:
    """Lets the claims run out, as they do after two minutes."""
    claimed = OUTBOX.c.state.in_(("pending", "ready", "sending")) & (OUTBOX.c.due > 1)
    with site.db.write() as conn:
        later = OUTBOX.update().where(claimed)
        conn.execute(later.values(due=OUTBOX.c.due - outbox.LEASE))


def waiting(site: Site) -> int:
    """How many mails are not sent yet."""
    with site.db.read() as conn:
        query = sa.select(sa.func.count()).where(OUTBOX.c.state != "sent")
        return int(conn.execute(query).scalar_one())
