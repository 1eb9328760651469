"""A worker that is killed at a chosen step:
python -m tests.mail.dying_worker PORT NOW N SIGNAL.

N counts the commits that change something; the process gets the signal before the commit N. With
N=hand it gets it when its first mail has been handed over.
"""

from __future__ import annotations

import os
import signal
import sys

import sqlalchemy as sa

from service import site as sites
from service import worker
from service.mail.transport import Delivery, Relay, Smtp, Transport
from service.settings import load


class Reaper(Smtp):
    """A relay after whose first mail this process gets a signal."""

    def __init__(self, relay: Relay, number: signal.Signals) -> None:
        super().__init__(relay)
        self._left = [number]

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        delivery = super().deliver(sender, recipient, raw)
        if self._left:
            os.kill(os.getpid(), self._left.pop())
        return delivery


def die_before(commit: int, number: signal.Signals) -> None:
    writing: set[int] = set()
    seen = 0

    @sa.event.listens_for(sa.Engine, "before_cursor_execute")
    def noted(connection: sa.Connection, cursor: object, statement: str, *_: object) -> None:
        if statement.startswith(("UPDATE", "INSERT", "DELETE")):
            writing.add(id(connection.connection.dbapi_connection))

    @sa.event.listens_for(sa.Engine, "commit")
    def counted(connection: sa.Connection) -> None:
        nonlocal seen
        key = id(connection.connection.dbapi_connection)
        seen += key in writing
        writing.discard(key)
        if seen == commit:
            seen += 1
            os.kill(os.getpid(), number)


def main(port: str, now: str, step: str, name: str) -> None:
    number = signal.Signals[name]
    domain = "games.example.org"
    own = {"base_url": f"https://{domain}", "mail_from": f"play@{domain}"}
    site = sites.open_site(load().model_copy(update=own))
    relay = Relay("127.0.0.1", int(port), domain, tls="none")
    transport: Transport = Reaper(relay, number) if step == "hand" else Smtp(relay)
    if step != "hand":
        die_before(int(step), number)
    while worker.post(site, transport, int(now)):
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
