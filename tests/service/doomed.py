"""Does one thing and is killed while it does: `python -m tests.service.doomed ACTION LEDGER`.

Reads lines `MATCH NOW STEP MICROSECONDS`. For each it forks a child that opens the service, does
the action, and is gone without warning at its STEP-th statement or commit, or, if STEP is 0, after
so many microseconds. Answers `killed` or `done`.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import sqlalchemy as sa

from service import journal, matches, play, vacation, worker
from service.mail.transport import Breaker, Delivery
from service.settings import Settings, load
from service.site import Site, open_site
from tests.service.crash import fatal
from tests.service.table import look, move


@dataclass
class Ledger:
    """A way out that writes down what went out, and may be the last thing a process does."""

    file: Path
    step: Callable[[], None] = lambda: None
    breaker: Breaker = field(default_factory=Breaker)

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        self.step()
        entry = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(entry, sha256(raw).hexdigest().encode() + b"\n")
        os.close(entry)
        self.step()
        return Delivery("sent", 250)

    def close(self) -> None:
        pass


Action = Callable[[Site, str, int, Ledger], object]


def _move(site: Site, match: str, now: int, ledger: Ledger) -> object:
    return move(site, match, 0, now)


def _timeout(site: Site, match: str, now: int, ledger: Ledger) -> object:
    return play.timeout(site, match=match, wait=look(site, match).row.wait, now=now)


def _send(site: Site, match: str, now: int, ledger: Ledger) -> object:
    return worker.post(site, ledger, now)


def player_to_move(site: Site, match: str) -> int:
    with site.db.read() as conn:
        player = matches.seats(conn, match)[look(site, match).mover - 1].player
    assert player is not None
    return player


def leave(site: Site, match: str, now: int, ledger: Ledger) -> object:
    """The player to move goes on vacation."""
    return vacation.plan(site, player_to_move(site, match), None, 2, now)


def come_back(site: Site, match: str, now: int, ledger: Ledger) -> object:
    """And ends it early."""
    player = player_to_move(site, match)
    with site.db.read() as conn:
        (one,) = vacation.since(conn, player, 0)
    return vacation.end(site, player, one.id, now)


ACTIONS: dict[str, Action] = {
    "move": _move,
    "timeout": _timeout,
    "send": _send,
    "leave": leave,
    "come back": come_back,
}


def child(settings: Settings, action: str, ledger: Path, order: list[str]) -> None:
    match, now, steps, micros = order[0], *map(int, order[1:])
    site = open_site(settings)
    step = fatal(steps) if steps else lambda *_: None
    for event in ("before_cursor_execute", "commit"):
        sa.event.listen(sa.Engine, event, step)
    if not steps:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which is death
        signal.setitimer(signal.ITIMER_REAL, micros / 1_000_000)
    ACTIONS[action](site, match, now, Ledger(ledger, step))


def main(action: str, ledger: str) -> None:
    settings = load()
    journal.keep(logging.ERROR)  # on standard error: the answers are on the other
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            child(settings, action, Path(ledger), line.split())
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if not os.WIFSIGNALED(status) and status:
            sys.exit(f"the child ended with {status}")
        print("killed" if os.WIFSIGNALED(status) else "done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
