"""A worker that is killed at a chosen step: python -m tests.mail.dying_worker FOLDER PORT NOW N.

N counts the commits that change something; the process dies before the commit N. With N=hand it
dies when a mail has been handed over.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import sqlalchemy as sa

from service import site as sites
from service import worker
from service.mail.transport import Delivery, Relay, Smtp, Transport
from service.settings import Settings


class Reaper(Smtp):
    """A relay after whose first mail this process is gone."""

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        super().deliver(sender, recipient, raw)
        die()
        raise AssertionError("unreachable")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_before(commit: int) -> None:
    changes: dict[int, int] = {}
    seen = 0

    @sa.event.listens_for(sa.Engine, "commit")
    def counted(connection: sa.Connection) -> None:
        nonlocal seen
        raw = connection.connection.dbapi_connection
        before, changes[id(raw)] = changes.get(id(raw), 0), raw.total_changes  # type: ignore[union-attr]
        seen += changes[id(raw)] > before
        if seen == commit:
            die()


def main(folder: str, port: str, now: str, step: str) -> None:
    domain = "games.example.org"
    settings = Settings(data=Path(folder), base_url=f"https://{domain}", mail_from=f"play@{domain}")
    site = sites.open_site(settings)
    relay = Relay("127.0.0.1", int(port), domain, tls="none")
    transport: Transport = Reaper(relay) if step == "hand" else Smtp(relay)
    if step != "hand":
        die_before(int(step))
    while worker.post(site, transport, int(now)):
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
