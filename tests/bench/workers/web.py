"""The pages over HTTP: eight connections at once, each with a match of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

from service.settings import Settings
from tests.bench.workers.serve import Operation, Pass, serve
from tests.bench.workers.service import TURNS, Bench, Running
from tests.service.test_serve import command, environment, free_port

CONNECTIONS = 8
SECONDS = 60
"""How long the server may take to start, and an answer to come."""


class Client:
    """One connection: it looks at the form of its turn, and sends it."""

    def __init__(self, bench: Bench, port: int) -> None:
        self.bench, self.match = bench, bench.make(10)
        self.http = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        answer, page = self._ask("GET", "/verify")
        found = re.search(rb'name="csrf_token" value="([^"]+)"', page)
        assert found is not None
        self.csrf, self.cookie = found[1].decode(), answer.partition(";")[0]

    def ping(self) -> Callable[[], None]:
        """Asks whether the server is there."""
        return partial(self._ask, "GET", "/healthz")  # type: ignore[return-value]

    def move(self) -> Callable[[], None]:
        """The next move of the match, ready to be sent."""
        match: Running = self.match
        row = self.bench.row(match)
        form = {
            "csrf_token": self.csrf,
            "line": TURNS[(row.count - match.first) % 4],
            "on": str(row.n),
            "wait": str(row.wait),
        }
        path = self.bench.path(match, row)
        return partial(self._post, path, urlencode(form))

    def _post(self, path: str, body: str) -> None:
        self._ask("POST", path, body)

    def _ask(self, method: str, path: str, body: str = "") -> tuple[str, bytes]:
        kind = "application/x-www-form-urlencoded"
        headers = {"Cookie": self.cookie, "Content-Type": kind} if body else {}
        try:
            self.http.request(method, path, body or None, headers)
            answer = self.http.getresponse()
        except RemoteDisconnected:  # a connection that nobody used for long; a move counts once
            self.http.close()
            self.http.request(method, path, body or None, headers)
            answer = self.http.getresponse()
        text = answer.read()
        assert answer.status == (303 if body else 200), (answer.status, text)
        return answer.getheader("Set-Cookie", ""), text


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """The pages of the service in a folder, on a free port."""
    port = free_port()
    process = subprocess.Popen(
        command("web"), env=environment(folder, port), stdout=subprocess.DEVNULL
    )
    try:
        yield port
    finally:
        process.terminate()
        process.wait(SECONDS)


def answers(port: int) -> None:
    """Waits for the server."""
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        try:
            with closing(HTTPConnection("127.0.0.1", port, timeout=1)) as http:
                http.request("GET", "/healthz")
                http.getresponse()
                return
        except OSError:
            continue
    raise TimeoutError


def main() -> None:
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(CONNECTIONS) as pool:
        folder = Path(name) / "var"
        bench = Bench(Settings(data=folder))
        with closing(bench.site), server(folder) as port:
            answers(port)
            clients = [Client(bench, port) for _ in range(CONNECTIONS)]

            def prepare(kind: str) -> Operation:
                def work() -> Pass:
                    jobs = [getattr(client, kind)() for client in clients]
                    start = perf_counter()
                    list(pool.map(lambda job: job(), jobs))
                    return Pass(len(jobs), perf_counter() - start, b"")

                return work

            serve(f"{CONNECTIONS} connections, Python {sys.version.split()[0]}", prepare)


if __name__ == "__main__":
    main()
