"""The worker: each mail goes out once, with the same bytes, whatever happens on the way."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from games.log.record import Move
from games.log.writing import by
from service import matches, play, records, worker
from service.mail import letterbox
from service.mail.batch import BACKOFF
from service.mail.compose import compose
from service.mail.transport import Delivery, Relay, Smtp, Unreachable
from service.models import OUTBOX
from service.settings import PREFIX, Settings
from service.site import Site, look
from tests.conftest import ENGINES
from tests.mail.play import NOON, Table, read, service
from tests.mail.recorder import Recorder
from tests.mail.relay import Desk, listening

HOUR, DAY = 3_600, 86_400
LATER = Delivery("deferred", 450, "RCPT: 450 4.2.0 greylisted")
LOST = Delivery("uncertain", text="final dot: timed out")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Each test that uses `site` runs on each engine."""
    name: str = request.param
    return name


@pytest.fixture
def table(site: Site) -> Table:
    """A match whose first turn mail is waiting."""
    table = Table(site)
    table.begin()
    table.post()
    table.move("a1-c1")
    return table


def sent(table: Table, answers: list[Delivery | Unreachable], *, after: int = 0) -> int:
    """How many mails go out when the way out answers like that."""
    table.recorder.answers = answers
    table.now += after
    return len(table.post())


def state(table: Table) -> str:
    return table.rows()[-1][1]


def test_a_mail_goes_out_once(table: Table) -> None:
    assert [mail["To"].addresses[0].addr_spec for mail in table.post()] == [
        table.row("turn").address
    ]
    assert table.post() == []
    assert state(table) == "sent"


def test_nothing_due_is_no_batch(site: Site) -> None:
    assert not worker.post(site, Recorder(), NOON)


def test_a_deferred_mail_comes_back_later_each_time(table: Table) -> None:
    due = []
    for _ in range(4):
        assert sent(table, [LATER]) == 0
        due.append(_due(table) - table.now)
        table.now = _due(table)

    for seconds, planned in zip(due, BACKOFF, strict=False):
        assert 0.8 * planned <= seconds <= 1.2 * planned
    assert sent(table, []) == 1


def test_a_retry_sends_the_committed_bytes(table: Table) -> None:
    sent(table, [LATER])
    composed = table.row("turn").raw
    table.now = _due(table)

    assert sent(table, []) == 1
    assert table.recorder.mails[-1][2] == composed
    assert read(composed or b"")["Date"].datetime.timestamp() < table.now


def test_a_mail_is_given_up_after_five_days(table: Table) -> None:
    while state(table) != "expired":
        sent(table, [LATER])
        table.now = max(_due(table), table.now + 1)

    assert 4 * DAY < table.now - table.row("turn").created < 6 * DAY


def test_a_refused_mail_is_not_tried_again(table: Table) -> None:
    sent(table, [Delivery("failed", 550, "RCPT: 550 5.1.1 unknown")])

    assert state(table) == "failed"
    assert sent(table, [], after=DAY) == 0
    assert _column(table, "last_code") == 550
    assert "5.1.1" in _column(table, "last_text")


def test_a_lost_answer_is_followed_by_the_same_bytes_once(table: Table) -> None:
    assert sent(table, [LOST]) == 1
    assert state(table) == "uncertain"
    assert sent(table, [], after=60) == 0
    assert sent(table, [LOST], after=900) == 1
    assert state(table) == "uncertain"
    assert sent(table, [], after=DAY) == 0

    first, second = table.recorder.mails[-2:]
    assert first == second


def test_a_second_copy_that_is_put_off_is_still_the_second(table: Table) -> None:
    sent(table, [LOST])
    assert sent(table, [LATER], after=900) == 0
    assert state(table) == "uncertain"
    table.now = _due(table)
    assert sent(table, [LOST]) == 1
    assert sent(table, [], after=DAY) == 0
    assert state(table) == "uncertain"


def test_a_result_is_given_up_after_three_days(table: Table) -> None:
    table.post()
    with table.site.db.read() as conn:
        row = matches.find(conn, table.match)
    play.act(
        table.site, match=table.match, seat=1, act="resign", on=row.n, via="web", now=table.now
    )
    began = table.now
    while state(table) != "expired":
        sent(table, [LATER] * 2)
        table.now = max(_due(table), table.now + 1)
    assert 2 * DAY < table.now - began <= 3 * DAY + 8 * HOUR


def test_a_mail_that_can_never_be_composed_is_given_up_after_five_days(table: Table) -> None:
    with table.site.db.write() as conn:
        conn.execute(OUTBOX.update().where(OUTBOX.c.state == "pending").values(snapshot="{}{"))
    began = table.now
    for _ in range(100):
        assert sent(table, []) == 0
        if state(table) == "failed":
            break
        assert table.now < _due(table) <= table.now + HOUR
        table.now += 6 * HOUR
    assert table.now - began == 5 * DAY
    assert _column(table, "last_text") == "it could not be composed"
    assert sent(table, [], after=DAY) == 0


def test_a_relay_that_is_away_costs_no_mail_and_is_not_stormed(table: Table) -> None:
    away = [Unreachable("connection refused")]
    assert sent(table, [*away]) == 0
    assert (state(table), _column(table, "attempts")) == ("ready", 0)
    assert table.recorder.breaker.rests(table.now + 29)
    assert sent(table, [*away], after=29) == 0
    assert len(table.recorder.answers) == 1
    assert sent(table, [*away], after=1) == 0
    assert table.recorder.breaker.rests(table.now + 59)
    assert sent(table, [], after=60) == 1
    assert not table.recorder.breaker.rests(table.now)


def test_the_rest_of_a_batch_waits_for_the_relay(site: Site) -> None:
    tables = [Table(site, names=("Anna", f"Ben {n}")) for n in range(3)]
    for number, each in enumerate(tables):
        each.nonce = str(number)
        each.ask()
    recorder = Recorder(answers=[Delivery("sent", 250), Unreachable("away")])

    worker.post(site, recorder, NOON)

    assert sorted(state for _, state in tables[0].rows()) == ["ready", "ready", "sent"]
    query = sa.select(OUTBOX.c.last_text, OUTBOX.c.due).where(OUTBOX.c.state == "ready")
    with site.db.read() as conn:
        assert {tuple(row) for row in conn.execute(query)} == {("away", NOON + 30)}
    while worker.post(site, recorder, NOON + 300):
        pass
    assert len({raw for _, _, raw in recorder.mails}) == len(recorder.mails) == 3


def test_a_relay_that_loses_answers_gets_a_mail_at_a_time(site: Site) -> None:
    """What it has lost for good goes out once more only; so it may not lose all that wait."""
    for number in range(3):
        Table(site, names=("Anna", f"Ben {number}"), nonce=str(number)).ask()
    recorder = Recorder(answers=[LOST] * 3)
    given = []
    for seconds in (0, 29, 30, 89, 90):
        worker.post(site, recorder, NOON + seconds)
        given.append(len(recorder.mails))
    assert given == [1, 1, 2, 2, 3]

    for seconds in (0, 60):
        worker.post(site, recorder, NOON + HOUR + seconds)
    with site.db.read() as conn:
        assert set(conn.execute(sa.select(OUTBOX.c.state)).scalars()) == {"sent"}
    assert len({raw for _, _, raw in recorder.mails}) == 3


def test_a_mail_over_which_the_relay_takes_its_leave_holds_up_no_other(site: Site) -> None:
    for number in range(3):
        Table(site, names=("Anna", f"Ben {number}"), nonce=str(number)).ask()
    leave = Unreachable("421 4.7.0 not that one", begun=True)
    recorder = Recorder(answers=[leave])
    worker.post(site, recorder, NOON)
    assert recorder.mails == []

    fine = Delivery("sent", 250)
    recorder.answers = [fine, fine, leave]
    worker.post(site, recorder, NOON + HOUR)
    query = sa.select(OUTBOX.c.state, OUTBOX.c.due).order_by(OUTBOX.c.id)
    with site.db.read() as conn:
        (first, due), *others = [tuple(row) for row in conn.execute(query)]
    assert [state for state, _ in others] == ["sent", "sent"]
    assert first == "ready"
    assert due > NOON + HOUR + 900  # the longer, the longer it has been waiting


def test_a_move_supersedes_the_mail_of_its_turn(table: Table) -> None:
    table.move("f2-d2")

    assert len(table.post()) == 1
    assert table.rows()[-2:] == [("turn", "superseded"), ("turn", "sent")]


def test_a_turn_that_passed_after_composing_is_not_mailed(table: Table) -> None:
    sent(table, [LATER])
    assert table.row("turn").raw is not None
    late = table.row("turn").id
    table.now = _due(table)
    table.move("f2-d2")
    table.post()

    assert table.rows()[late - 1] == ("turn", "superseded")


def test_what_a_crash_left_unsigned_is_signed_before_its_mail(table: Table) -> None:
    site, match, count = table.site, table.match, unsigned(table)
    assert site.signer.last(match) == count

    (mail,) = table.post()

    assert site.signer.last(match) == count + 1
    (head,) = mail.iter_attachments()
    assert head.get_filename() == f"{match}-{count + 1}.head"


def unsigned(table: Table) -> int:
    """How many records were signed when a crash came between a move and its signature."""
    site, match = table.site, table.match
    with site.db.write() as conn:
        row = matches.find(conn, match)
        position = records.position(site, conn, match)
        move = Move(2, "f2-d2", by(row.n, "web", seat=2, mv="f2-d2"))
        play.extend(site, conn, position, [move], table.now)
    return row.count


def test_a_mail_that_cannot_be_composed_holds_up_no_other(table: Table) -> None:
    broken = table.row("turn").id
    with table.site.db.write() as conn:
        conn.execute(OUTBOX.update().where(OUTBOX.c.id == broken).values(snapshot='{"names": 1}'))
    other = Table(table.site, now=table.now, recorder=table.recorder, nonce="2")
    other.ask()

    assert [mail["To"].addresses[0].addr_spec for mail in other.post()] == ["anna@example.org"]
    assert table.rows()[broken - 1] == ("turn", "pending")


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_mail_waits_seconds_for_a_signer_that_is_busy(table: Table) -> None:
    unsigned(table)
    store = sqlite3.connect(table.site.settings.data / "signer.db", isolation_level=None)
    with closing(look(table.site.settings, busy=0.05)) as hasty, closing(store):
        store.execute("BEGIN IMMEDIATE")
        worker.post(hasty, table.recorder, table.now)
    assert state(table) == "pending"
    assert table.now < _due(table) <= table.now + 10
    assert sent(table, [], after=10) == 1


def test_bytes_are_forgotten_after_a_week(table: Table) -> None:
    table.post()
    row = table.row("turn")
    worker.purge(table.site, table.recorder, table.now + 7 * DAY - 1)
    assert table.row("turn").raw is not None
    worker.purge(table.site, table.recorder, table.now + 7 * DAY + 1)

    assert table.row("turn").raw is None
    assert _column(table, "raw_sha256") == hashlib.sha256(row.raw or b"").digest()


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("step", [*range(1, 9), "hand"])
def test_a_killed_worker_loses_nothing_and_changes_nothing(site: Site, step: int | str) -> None:
    """Three mails wait: a batch commits its claim, its readers' links, its bytes, that it is being
    sent, and then what became of each mail.

    Wherever the worker dies, each mail goes out; twice only one that was handed over while its
    settling (commits 5 to 7) was lost, and then with the same bytes.
    """
    desk = Desk()
    with listening(desk) as port:
        table = Table(site)
        table.begin()
        with dying(site, port, step, "SIGKILL") as worker:
            assert worker.wait(60) == (0 if step == 8 else -signal.SIGKILL)
        assert delivered(table, desk, port) == (4 if step in (5, 6, 7, "hand") else 3)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("step", [1, 2, 3, 4, "hand"])
def test_a_worker_that_slept_for_an_hour_doubles_nothing(site: Site, step: int | str) -> None:
    """Another one has taken over. What the sleeper had on its way goes out a second time, with the
    same bytes; it starts nothing that is not its own any more."""
    desk = Desk()
    with listening(desk) as port:
        table = Table(site)
        table.begin()
        with dying(site, port, step, "SIGSTOP") as sleeper:
            assert os.WIFSTOPPED(os.waitpid(sleeper.pid, os.WUNTRACED)[1])
            take_over(table, port)
            sleeper.send_signal(signal.SIGCONT)
            assert sleeper.wait(60) == 0
        assert delivered(table, desk, port) == (4 if step == "hand" else 3)


def dying(site: Site, port: int, step: int | str, number: str) -> subprocess.Popen[bytes]:
    """A worker that gets a signal at a step."""
    urls = {"DATABASE_URL": site.settings.database_url, "SIGNER_URL": site.settings.signer_url}
    own = {PREFIX + name: url.get_secret_value() for name, url in urls.items()}
    own[PREFIX + "DATA"] = str(site.settings.data)
    words = map(str, (port, NOON, step, number))
    command = [sys.executable, "-m", "tests.mail.dying_worker", *words]
    return subprocess.Popen(command, env=os.environ | own, stdout=subprocess.DEVNULL)


def delivered(table: Table, desk: Desk, port: int) -> int:
    """How many mails went out once another worker had sent the rest an hour later: each at least
    once, and never with other bytes."""
    take_over(table, port)
    mails = Counter(raw for _, _, raw in desk.mails)
    assert [state for _, state in table.rows()] == ["sent"] * 3
    assert len({read(raw)["Message-ID"] for raw in mails}) == len(mails) == 3
    return mails.total()


def take_over(table: Table, port: int) -> None:
    """Another worker, an hour later."""
    way = Smtp(Relay("127.0.0.1", port, "games.example.org", tls="none"))
    while worker.post(table.site, way, NOON + HOUR):
        pass


def test_the_process_sends_and_ends_on_sigterm_and_writes_down_no_address_or_token(
    tmp_path: Path,
) -> None:
    with service(Settings(data=tmp_path / "var")) as site:
        table = Table(site, now=int(time.time()))
        table.ask()
        answers = site.settings.answers.replace("{}", "t." + "a" * 26)
        stray = f"From: a@example.org\nTo: {answers}\n\n{table.token('a')}\n".encode()
        letterbox.put(site.settings.data, stray)
        with _worker(tmp_path / "var") as process:
            said = _lines(process, '"worker started"', '"state": "sent"', '"nobody\'s"')
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            said += _rest(process)
    assert '"worker stopped"' in said
    assert not re.search(r"@|(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])", said)
    assert len(list((tmp_path / "var" / "mail" / "outbox").glob("*/new/*"))) == 1


def test_a_relay_that_does_not_answer_holds_up_no_end(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        service(Settings(data=tmp_path / "var")) as site,
    ):
        Table(site, now=int(time.time())).ask()
        way = {"smtp_host": "127.0.0.1", "smtp_port": str(silent.getsockname()[1])}
        way |= {"mail_from": "play@games.example.org", "smtp_tls": "none"}
        with _worker(tmp_path / "var", "worker.STOP_SECONDS = 1; ", **way) as process:
            with silent.accept()[0]:
                process.send_signal(signal.SIGTERM)
                assert process.wait(15) == 0
            assert "is left to the next" in _rest(process)


def test_a_second_worker_waits_for_the_end_of_the_first(tmp_path: Path) -> None:
    with service(Settings(data=tmp_path / "var")):
        lock = os.open(tmp_path / "var" / "worker.lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        with _worker(tmp_path / "var") as process:
            assert _line(process, "another worker runs here")
            os.close(lock)
            assert _line(process, '"worker started"')
            process.terminate()
            assert process.wait(20) == 0


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_relay_that_first_asks_to_wait_and_then_hangs_up_gets_the_same_bytes(site: Site) -> None:
    """Greylisting, and a server that takes a mail and is gone before it has said so."""
    desk = Desk(answers={"RCPT": ["450 4.2.0 greylisted"], "DATA": ["lost"]})
    with listening(desk) as port:
        way = Smtp(Relay("127.0.0.1", port, "games.example.org", tls="none"))
        table = Table(site, recorder=way)  # type: ignore[arg-type]
        table.ask()
        found = []
        for seconds in (0, 120, 60, 900, 900):
            table.now += seconds
            worker.post(site, way, table.now)
            found.append((state(table), len(desk.mails)))
    assert found == [("deferred", 0), ("uncertain", 1), ("uncertain", 1), ("sent", 2), ("sent", 2)]
    assert desk.mails[0] == desk.mails[1]


@contextmanager
def _worker(folder: Path, first: str = "", **more: str) -> Iterator[subprocess.Popen[str]]:
    code = f"from service import settings, worker; {first}worker.run(settings.load())"
    own = {PREFIX + name.upper(): value for name, value in more.items()}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "FERNPARTIE_DATA": str(folder), **own},
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _lines(process: subprocess.Popen[str], *awaited: str) -> str:
    """What it says until it has said all of this."""
    assert process.stderr is not None
    said = ""
    for line in iter(process.stderr.readline, ""):
        said += line
        if all(words in said for words in awaited):
            return said
    raise AssertionError(said)


def _line(process: subprocess.Popen[str], words: str) -> bool:
    assert process.stderr is not None
    return any(words in line for line in iter(process.stderr.readline, ""))


def _rest(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.read()


def _due(table: Table) -> int:
    return int(_column(table, "due"))


def _column(table: Table, name: str) -> object:
    newest = sa.select(OUTBOX.c[name]).order_by(OUTBOX.c.id.desc()).limit(1)
    with table.site.db.read() as conn:
        return conn.execute(newest).scalar()


def test_composing_asks_for_no_lock(table: Table) -> None:
    """The worker must not hold up moves while it draws boards."""
    with table.site.db.write():
        assert compose(table.site, table.row("turn"), table.now)
