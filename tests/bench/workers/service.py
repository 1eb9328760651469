"""The service: moves through WSGI with their commit, and pages, in matches of many lengths."""

from __future__ import annotations

import re
import sqlite3
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from games.log.record import Move
from games.log.writing import by
from service import create_app, links, lobby, matches, opening, people, play, records, site
from service.joining import JoinForm
from service.models import LINK
from service.settings import Settings
from service.site import Site
from tests.bench import corpora
from tests.bench.workers.serve import Operation, Pass, serve, timed

NOW = 1_790_000_000
CHUNK = 500
MATCHES = {10: 8, 100: 4, 1_000: 1, 10_000: 1}
"""How many matches of a length take turns; all of them together fit the caches."""
TURNS = ("a3-c3", "f3-d3", "c3-a3", "d3-f3")


class Running(NamedTuple):
    """A running match, where a move can be sent at once."""

    id: str
    first: int
    """The number of the first move's record."""


class Bench:
    """A service in a folder of its own with matches of the lengths that are asked for."""

    def __init__(self, settings: Settings, clock: str = "none") -> None:
        site.init(settings)
        self.clock = clock
        self.app: Flask = create_app(settings)
        self.site: Site = self.app.extensions["fernpartie"]
        self.client: FlaskClient = self.app.test_client()
        self.csrf = ""
        self.made = 0
        self.running: dict[int, deque[Running]] = {}

    def next(self, length: int) -> Running:
        """The next of the matches that have about so many records; one that has grown to twice
        its length makes room for a new one."""
        if length not in self.running:
            self.running[length] = deque(
                self.warm(self.make(length)) for _ in range(MATCHES[length])
            )
        ring = self.running[length]
        match = ring.popleft()
        grown = self.row(match).count >= 2 * length
        ring.append(self.warm(self.make(length)) if grown else match)
        return ring[-1]

    def row(self, match: Running) -> matches.MatchRow:
        """The match as the database lists it."""
        with self.site.db.read() as conn:
            return matches.find(conn, match.id)

    def submit(self, match: Running) -> float:
        """Sends the next move of a match as its mail's link would; the seconds it took."""
        row = self.row(match)
        url = self.path(match, row)
        self.csrf = self.csrf or self._nonce()
        form = {
            "csrf_token": self.csrf,
            "line": TURNS[(row.count - match.first) % 4],
            "on": str(row.n),
            "wait": str(row.wait),
        }
        start = perf_counter()
        answer = self.client.post(url, data=form)
        seconds = perf_counter() - start
        assert answer.status_code == 303, answer.text
        return seconds

    def path(self, match: Running, row: matches.MatchRow) -> str:
        """Where the link of the turn leads."""
        with self.site.db.read() as conn:
            link = links.of_turn(conn, match.id, row.mover or 0, row.wait)
        assert link is not None
        return f"/t/{links.token(self.site.keys.link, 'w', link.id)}"

    def page(self, match: Running) -> float:
        """Asks for the page of a match; the seconds it took."""
        start = perf_counter()
        answer = self.client.get(f"/m/{match.id}")
        seconds = perf_counter() - start
        assert answer.status_code == 200
        return seconds

    def _nonce(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/verify").text)
        assert found is not None
        return found[1]

    def make(self, length: int) -> Running:
        """A running match of so many records."""
        self.made += 1
        match = self._started(str(self.made))
        with self.site.db.read() as conn:
            position = records.position(self.site, conn, match)
        first = position.n
        lines = enumerate(islice(cycle(TURNS), length - first - 2))
        while chunk := list(islice(lines, CHUNK)):
            with self.site.db.write() as conn:
                bodies = (_move(first + at, at % 2 + 1, line) for at, line in chunk)
                position = records.append(self.site, conn, position, bodies, NOW).position
        self._last(position.m, position.n, position.wait, first)
        return Running(match, first)

    def warm(self, match: Running) -> Running:
        """The match, after a move and a look at its page."""
        self.submit(match)
        self.page(match)
        return match

    def _last(self, match: str, n: int, wait: int, first: int) -> None:
        """The last move goes through the door, so that a link waits for the next."""
        play.submit(
            self.site,
            match=match,
            seat=(n - first) % 2 + 1,
            line=TURNS[(n - first) % 4],
            wait=wait,
            on=n - 1,
            via="web",
            now=NOW,
        )

    def _started(self, label: str) -> str:
        opener = people.Person("Ada", f"ada-{label}@example.org", "en", "UTC")
        with self.site.db.write() as conn:
            player = people.enter(conn, opener, NOW)
        form = opening.Opening(
            nonce=label,
            game="malawi",
            name=opener.name,
            address=opener.address,
            language=opener.language,
            zone=opener.zone,
            invited=(opening.Invited("Ben", f"ben-{label}@example.org"),),
            options=dict(corpora.ENDLESS),
            clock=self.clock,
        )
        match = lobby.open_match(self.site, player, form, NOW)
        lobby.join(self.site, self._invitation(match), JoinForm("Ben", "en", "UTC"), NOW)
        return match

    def _invitation(self, match: str) -> str:
        with self.site.db.read() as conn:
            query = sa.select(LINK.c.id).where(LINK.c.match == match, LINK.c.purpose == "i")
            return links.token(self.site.keys.link, "i", conn.execute(query).scalar_one())


def _move(n: int, seat: int, line: str) -> Move:
    return Move(seat, line, by(n - 1, "web", seat=seat, mv=line))


def over(bench: Bench, length: int, work: Callable[[Running], float]) -> Operation:
    """One pass: the work done once for the next match."""
    return lambda: Pass(1, work(bench.next(length)), b"")


def transaction(folder: Path) -> Operation:
    """A bare transaction as a move needs at least: insert, update, insert, commit."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE record(match, n, line, PRIMARY KEY (match, n));"
        "CREATE TABLE match(id PRIMARY KEY, n); INSERT INTO match VALUES (1, 0);"
        "CREATE TABLE outbox(id INTEGER PRIMARY KEY, snapshot)"
    )
    numbers = iter(range(10**9))

    def work() -> tuple[int, bytes]:
        n = next(numbers)
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO record VALUES (1, ?, ?)", (n, "x" * 280))
        bare.execute("UPDATE match SET n = ? WHERE id = 1", (n,))
        bare.execute("INSERT INTO outbox(snapshot) VALUES (?)", ("x" * 400,))
        bare.execute("COMMIT")
        return 1, b""

    return timed(work)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Settings(data=Path(folder) / "var"))

        def prepare(name: str) -> Operation:
            kind, _, length = name.partition(":")
            if kind == "transaction":
                return transaction(Path(folder))
            work = bench.submit if kind == "submit" else bench.page
            return over(bench, int(length), work)

        with closing(bench.site):
            serve(f"SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}", prepare)


if __name__ == "__main__":
    main()
