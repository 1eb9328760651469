"""Mails to a sink on this machine: the worker's batches, and the same bytes without an outbox."""

from __future__ import annotations

import logging
import smtplib
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from service import journal, links, matches, news, outbox, records, worker
from service.mail.batch import Run
from service.mail.transport import chosen
from service.models import OUTBOX
from service.outbox import Mail, To
from service.settings import Settings
from tests.bench.sinks.smtp_light import sink
from tests.bench.workers.serve import Operation, Pass, serve, timed
from tests.bench.workers.service import Bench

READER = "reader@example.org"
BATCH = outbox.BATCH
LATER = 4_000_000_000
"""When everything is due: the pages that made the match went by the clock of the machine."""


class Mails:
    """A service whose relay is the sink, and a turn whose mail is queued again and again."""

    def __init__(self, settings: Settings) -> None:
        self.site = (bench := Bench(settings)).site
        self.transport = chosen(settings)
        self.match = bench.make(10).id
        self.queued = 0
        while worker.post(self.site, self.transport, LATER):
            pass

    def queue(self) -> None:
        """A batch of mails about the turn that waits."""
        with self.site.db.write() as conn:
            position = records.position(self.site, conn, self.match)
            seat = matches.mover(position) or 0
            link = links.of_turn(conn, self.match, seat, position.wait)
            for number in range(self.queued, self.queued + BATCH):
                mail = Mail(
                    "turn",
                    f"bench:{number}",
                    To(READER, "en", "UTC"),
                    replace(news.snapshot(conn, self.match), since=position.n - 3),
                    match=self.match,
                    seat=seat,
                    wait=position.wait,
                    record=position.n - 1,
                    link=link.id if link else None,
                )
                assert outbox.queue(conn, mail, LATER)
            self.queued += BATCH

    def outbox(self) -> Operation:
        """A batch from its rows: claimed, composed, committed, sent, settled."""
        send = timed(self._post)

        def run() -> Pass:
            self.queue()
            return send()

        return run

    def ready(self) -> Operation:
        """A batch whose bytes were committed before."""
        send = timed(self._post)

        def run() -> Pass:
            self.queue()
            self._compose()
            return send()

        return run

    def prebuilt(self, port: int) -> Callable[[], tuple[int, bytes]]:
        """As many copies of such a mail over one connection, by the standard library alone."""
        self.queue()
        self._post()
        raw = self._newest()

        def work() -> tuple[int, bytes]:
            with smtplib.SMTP("127.0.0.1", port) as server:
                for _ in range(BATCH):
                    server.sendmail("play@example.org", [READER], raw)
            return BATCH, b""

        return work

    def _post(self) -> tuple[int, bytes]:
        assert worker.post(self.site, self.transport, LATER)
        with self.site.db.read() as conn:
            unsent = OUTBOX.c.state.in_((*outbox.WAITING, "sending", "failed"))
            left = sa.select(sa.func.count()).where(unsent)
            assert conn.execute(left).scalar() == 0
        return BATCH, b""

    def _compose(self) -> None:
        run = Run(self.site, self.transport, LATER)
        rows = outbox.claim(self.site.db, run.owner, LATER)
        run.compose(rows)
        outbox.release(self.site.db, run.owner, [row.id for row in rows], LATER)

    def _newest(self) -> bytes:
        query = sa.select(OUTBOX.c.raw).where(OUTBOX.c.state == "sent")
        with self.site.db.read() as conn:
            raw: bytes = conn.execute(query.order_by(OUTBOX.c.id.desc()).limit(1)).scalar_one()
        return raw


def main() -> None:
    journal.keep(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder, sink() as port:
        mails = Mails(
            Settings(
                data=Path(folder) / "var",
                smtp_host="127.0.0.1",
                smtp_port=port,
                smtp_tls="none",
                mail_from="play@example.org",
            )
        )

        def prepare(name: str) -> Operation:
            if name == "prebuilt":
                return timed(mails.prebuilt(port))
            return mails.outbox() if name == "outbox" else mails.ready()

        with closing(mails.site):
            serve(f"smtplib, Python {sys.version.split()[0]}", prepare)


if __name__ == "__main__":
    main()
