"""The service with up to a million open matches: what is due, a move, and the clock of a turn."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler

from games.log.record import Move, Record
from games.log.writing import by
from service import clock, matches, play, records
from service.models import MATCH
from service.settings import Settings
from tests.bench.workers.serve import Operation, Pass, serve, timed
from tests.bench.workers.service import NOW, TURNS, Bench, Running

CONTROL = "10d+36h cap 10d free 24h weekends off Europe/Berlin"
DUE = 50
"""So many of the open matches are due."""
JOBS = 1_000


class Crowd:
    """A service with so many open matches, one of which is played."""

    def __init__(self, folder: Path, count: int) -> None:
        self.bench = Bench(Settings(data=folder / str(count)), CONTROL)
        self.match = self.bench.make(10)
        fill(folder / str(count) / "fernpartie.db", count)

    @property
    def running(self) -> Running:
        """The match that is played; a grown one makes room for a new one."""
        if self.bench.row(self.match).count > 30:
            self.match = self.bench.make(10)
        return self.match

    def move(self) -> Pass:
        """One move at the door."""
        match = self.running
        row = self.bench.row(match)
        line = TURNS[(row.count - match.first) % 4]
        start = perf_counter()
        play.submit(
            self.bench.site,
            match=match.id,
            seat=row.mover or 0,
            line=line,
            wait=row.wait,
            on=row.n,
            via="web",
            now=NOW,
        )
        return Pass(1, perf_counter() - start, b"")

    def scan(self) -> tuple[int, bytes]:
        """The sweep's question: which matches are due?"""
        with self.bench.site.db.read() as conn:
            found = matches.due(conn, NOW - 1, DUE, None)
        assert len(found) == DUE
        return 1, b"".join(due.id.encode() for due in found)

    def view(self) -> tuple[int, bytes]:
        """The same question where time left is computed for each match, as a view would."""
        with self.bench.site.db.read() as conn:
            query = (
                "SELECT id FROM match WHERE phase = 'running' AND began + (deadline - began) < ?"
                " ORDER BY began + (deadline - began), id LIMIT 50"
            )
            found = conn.exec_driver_sql(query, (NOW,)).scalars().all()
        assert len(found) == DUE
        return 1, b"".join(id.encode() for id in found)


def fill(path: Path, count: int) -> None:
    """Writes the rows of open matches: 50 are due, the rest in the next ten days."""
    names = [column.name for column in MATCH.c]
    marks = ", ".join("?" * len(names))
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.executemany(f"INSERT INTO match ({', '.join(names)}) VALUES ({marks})", _rows(count))


def _rows(count: int) -> Iterator[tuple[object, ...]]:
    for n in range(count):
        late = n < DUE
        row: dict[str, object] = {
            "id": f"m_{n:016d}",
            "code": f"{n:016d}",
            "opener": 1,
            "listed": True,
            "public": False,
            "secret": b"",
            "created": NOW,
            "game": "malawi",
            "version": 1,
            "head": b"",
            "n": 10,
            "phase": "running",
            "mover": 1,
            "wait": 10,
            "began": NOW - 20,
            "deadline": NOW - 10 if late else NOW + 1_000 + n * 864_000 // count,
            "changed": NOW,
        }
        yield tuple(row.get(column.name) for column in MATCH.c)


def turn(bench: Bench) -> Operation:
    """What a clock costs a move: the fold over its record, and the deadline that follows."""
    match = bench.make(10)
    with bench.site.db.read() as conn:
        position, clocks = records.standing(bench.site, conn, match.id)
    body = Move(1, "a3-c3", by(9, "web", seat=1, mv="a3-c3"))
    record = Record(position.m, position.n, NOW + 3_600, b"", b"", body)
    before = position._replace(turn=type(position.turn)(3 - (clocks.mover or 1)))  # type: ignore[call-arg, misc]

    def work() -> tuple[int, bytes]:
        for _ in range(100):
            found = clock.deadline(clock.follow(clocks, record, before))
        return 100, str(found).encode()

    return timed(work)


def reschedule(folder: Path) -> Operation:
    """One job of a scheduler for each match, moved at each turn."""
    store = SQLAlchemyJobStore(url=f"sqlite:///{folder / 'jobs.db'}")
    scheduler = BackgroundScheduler(timezone=UTC, jobstores={"default": store})
    scheduler.start(paused=True)
    for n in range(JOBS):
        scheduler.add_job(print, "date", run_date=datetime.fromtimestamp(2 * NOW, UTC), id=str(n))
    numbers = iter(range(10**9))

    def work() -> tuple[int, bytes]:
        n = next(numbers)
        when = datetime.fromtimestamp(2 * NOW + n, UTC)
        scheduler.reschedule_job(str(n % JOBS), trigger="date", run_date=when)
        return 1, b""

    return timed(work)


def main() -> None:
    with tempfile.TemporaryDirectory() as name, ExitStack() as opened:
        folder, crowds = Path(name), dict[int, Crowd]()

        def crowd(count: int) -> Crowd:
            if count not in crowds:
                crowds[count] = Crowd(folder, count)
                opened.enter_context(closing(crowds[count].bench.site))
            return crowds[count]

        def prepare(name: str) -> Operation:
            kind, _, count = name.partition(":")
            if kind == "reschedule":
                return reschedule(folder)
            at = crowd(int(count))
            plain = {"turn": lambda: turn(at.bench), "move": lambda: at.move}
            if kind in plain:
                return plain[kind]()
            return timed(at.scan if kind == "scan" else at.view)

        serve(f"SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}", prepare)


if __name__ == "__main__":
    main()
