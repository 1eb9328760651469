"""The processes of the service: pages under granian, and pages and worker as two children."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue

from flask import Flask
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server import Server

from service import beat, create_app, journal
from service.errors import NotReady, Unavailable
from service.settings import Settings
from service.site import Site

THREADS = 4
"""Of each web process; on SQLite they queue for writing."""
START_SECONDS = 60
STOP_SECONDS = 10

Announce = Callable[[], None]
Ended = SimpleQueue[str | None]
"""The name of each child that ended, or None for a signal."""


def pages(settings: Settings) -> None:
    """Serves the pages until a signal comes: one process on SQLite, one for each core elsewhere."""
    check_port(settings)
    lite = settings.database_url.get_secret_value().startswith("sqlite")
    server = Server(
        "service:create_app",
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=1 if lite else os.cpu_count() or 1,
        blocking_threads=THREADS,
        http=HTTPModes.http1,
        websockets=False,
        log_level=LogLevels.warning,
        workers_kill_timeout=STOP_SECONDS,
    )
    server.serve(target_loader=partial(_app, settings), wrap_loader=False)


def _app(settings: Settings) -> Flask:
    """The pages in a process of granian's, which would outlive granian if that were killed."""
    granian = multiprocessing.parent_process()
    if granian is not None:
        _end_after(granian.join)
    journal.keep(logging.WARNING)
    app = create_app(settings)
    threading.Thread(target=_beat, args=(app.extensions["fernpartie"],), daemon=True).start()
    return app


def _beat(site: Site) -> None:
    """The heartbeat of the pages, for as long as the process runs."""
    while True:
        with suppress(Unavailable):
            beat.beat(site.db, "web", int(time.time()))
        time.sleep(beat.EVERY)


def check_port(settings: Settings) -> None:
    """Raises NotReady if nothing can listen there (granian would share a taken port)."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise NotReady(
                "Cannot listen on %(host)s port %(port)s: %(reason)s. Choose another port: "
                "PORT=8001 make run, or FERNPARTIE_PORT=8001.",
                host=settings.host,
                port=settings.port,
                reason=(error.strerror or str(error)).lower(),
            ) from error


def both(settings: Settings, given: Mapping[str, str], announce: Announce) -> int:
    """Runs pages and worker as children and ends both when one ends or a signal comes.

    `given` is added to their environment; `announce` is called once the pages answer.
    Returns 0 after a signal, 1 after a child that ended by itself.
    """
    check_port(settings)
    ended: Ended = SimpleQueue()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.put(None))
    with _children(("web", "worker"), os.environ | given, ended):
        if _answers(settings, ended):
            announce()
        first = ended.get()
    if first is None:
        return 0
    print(f"The {first} process ended by itself, so everything was stopped.", file=sys.stderr)
    return 1


def follow_parent() -> None:
    """Ends this process when `serve` is gone, however it went: its end of our input closes."""
    _end_after(lambda: os.read(sys.stdin.fileno(), 1))


def _end_after(wait: Callable[[], object]) -> None:
    def watch() -> None:
        wait()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _children(
    names: tuple[str, ...], environment: Mapping[str, str], ended: Ended
) -> Iterator[None]:
    """Children in process groups of their own, so that Ctrl-C reaches this process alone."""
    children = {}
    try:
        for name in names:
            children[name] = subprocess.Popen(
                [sys.executable, "-m", "service.cli", name, "--with-parent"],
                env=dict(environment),
                stdin=subprocess.PIPE,
                process_group=0,
            )
            threading.Thread(target=_wait, args=(name, children[name], ended), daemon=True).start()
        yield
    finally:
        for child in children.values():
            _stop(child)


def _wait(name: str, child: subprocess.Popen[bytes], ended: Ended) -> None:
    child.wait()
    ended.put(name)


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(STOP_SECONDS + 5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _answers(settings: Settings, ended: Ended) -> bool:
    """Waits until the pages can be reached; False if something ended before."""
    deadline = time.monotonic() + START_SECONDS
    while ended.empty() and time.monotonic() < deadline:
        try:
            socket.create_connection((settings.host, settings.port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return True
    return False
