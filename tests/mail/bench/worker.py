"""A worker that looks every moment, and that can be told to die: python -m tests.mail.bench.worker.

It is the service's own, with shorter pauses. When the file `death` in its data folder names one of
DEATHS, the worker gets SIGKILL the next time that it comes there, a line is added to `deaths`, and
another worker takes its place.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from service import inbox, outbox, play, settings, worker
from service.mail import reply
from service.mail.transport import Smtp
from service.settings import Settings

PAUSE = 0.2
LEASE = 3
"""Seconds after which the next worker takes up what a dead one had claimed, instead of 120."""
AFTER: dict[str, tuple[object, str]] = {
    "kept, not acknowledged": (inbox, "store"),
    "seized": (inbox, "seize"),
    "played, not committed": (play, "enter"),
    "answered, not committed": (inbox, "take"),
    "settled, not committed": (inbox, "finish"),
    "claimed": (outbox, "claim"),
    "composed": (outbox, "composed"),
    "being sent": (outbox, "sending"),
    "handed over": (Smtp, "deliver"),
    "sent": (outbox, "settle"),
}
UNSIGNED = "committed, not signed"
DEATHS = (*AFTER, UNSIGNED)


def order(data: Path) -> Path:
    return data / "death"


def deaths(data: Path) -> int:
    """How often a worker has died."""
    book = data / "deaths"
    return len(book.read_text().splitlines()) if book.exists() else 0


def main() -> None:
    """One worker after the other."""
    chosen = settings.load()
    while True:
        process = os.fork()
        if process == 0:
            work(chosen)
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if not os.WIFSIGNALED(status):
            return
        with (chosen.data / "deaths").open("a") as book:
            book.write(f"{os.WTERMSIG(status)}\n")


def work(chosen: Settings) -> None:
    ordered = order(chosen.data)

    def die(name: str) -> None:
        if ordered.exists() and ordered.read_text() == name:
            ordered.unlink()
            os.kill(os.getpid(), signal.SIGKILL)

    for name, (place, step) in AFTER.items():
        setattr(place, step, after(getattr(place, step), die, name))
    signing = reply.sign
    reply.sign = lambda *given: die(UNSIGNED) or signing(*given)
    outbox.LEASE = LEASE
    swift = (worker.fetch, worker.receive, worker.post)
    worker.JOBS = tuple((job, PAUSE if job in swift else pause) for job, pause in worker.JOBS)
    worker.run(chosen)


def after(step: Callable[..., object], die: Callable[[str], None], name: str) -> object:
    """The step, which may be the last thing that its process does, if it did something."""

    def taken(*given: object, **named: object) -> object:
        done = step(*given, **named)
        if done is None or done:
            die(name)
        return done

    return taken


if __name__ == "__main__":
    main()
