"""A mail goes out once, and always with the bytes that it was first given."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from aiosmtpd.smtp import SMTP, Envelope, Session

from service import dkim, outbox, people, worker
from service.dkim import MailKey
from service.mail import paper
from service.mail.compose import compose
from service.mail.transport import Delivery, Relay, Smtp
from service.models import OUTBOX
from service.outbox import Mail, Snapshot, To
from service.site import Site
from tests.conftest import ENGINES
from tests.mail.play import DOMAIN, NOON, Table, read, text_of
from tests.mail.relay import Desk, listening
from tests.service.test_crash import environment

HOUR = 3_600
MAILS, WORKERS = 500, 4


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@dataclass
class Slow(Desk):
    """A relay that takes its time, and kills one of the workers that talk to it: the one whose mail
    it has just got, before it has said so."""

    lot: random.Random = field(default_factory=lambda: random.Random(3))
    killed: list[int] = field(default_factory=list)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(self.lot.choice((0, 0, 0, 0.001, 0.01)))
        answer = await super().handle_DATA(server, session, envelope)
        if len(self.mails) == MAILS // 4:
            self.killed.append(int(str(session.host_name).partition(".")[0]))
            os.kill(self.killed[0], signal.SIGKILL)
        return answer


def test_of_five_hundred_mails_four_workers_send_each_once_though_one_is_killed(site: Site) -> None:
    """What the dead one had claimed is sent by the next one, an hour later. Only what it had begun
    to send is uncertain then, and only such a mail can be there twice."""
    wait(site)
    desk = Slow()
    with listening(desk) as port:
        command = [sys.executable, "-m", "tests.mail.crowd", str(port), str(NOON), str(WORKERS)]
        own = environment(site.settings)
        done = subprocess.run(command, env=own, capture_output=True, text=True, check=True)
        assert [int(line) for line in done.stdout.split()] == desk.killed
        left = dict(Counter(states(site).values()))
        assert left.keys() == {"sent", "sending"}
        uncertain = {name for name, state in states(site).items() if state == "sending"}
        way = Smtp(Relay("127.0.0.1", port, DOMAIN, tls="none"))
        while worker.post(site, way, NOON + HOUR):
            pass
    sent = Counter(raw for _, _, raw in desk.mails)
    names = Counter(str(read(raw)["Message-ID"])[1:33] for raw in sent)
    assert names.keys() == states(site).keys()
    assert set(names.values()) == {1}, "never with other bytes"
    twice = {str(read(raw)["Message-ID"])[1:33] for raw, count in sent.items() if count > 1}
    assert twice <= uncertain
    assert (len(twice), max(sent.values())) == (1, 2)
    assert set(states(site).values()) == {"sent"}


def wait(site: Site) -> None:
    """So many mails wait; most were written before, which saves time."""
    with site.db.write() as conn:
        for number in range(MAILS):
            to = To(f"reader-{number}@example.org", "en", "UTC")
            assert outbox.queue(conn, Mail("alert", f"{number}", to, Snapshot(said="x")), NOON)
    rows = outbox.claim(site.db, "writer", NOON, MAILS - 100)
    raw = "Message-ID: <{}@{}>\r\nSubject: alert\r\n\r\nx\r\n"
    written = [(row.id, raw.format(row.message_id, DOMAIN).encode()) for row in rows]
    outbox.composed(site.db, "writer", written)
    outbox.release(site.db, "writer", [row.id for row in rows], NOON)


def states(site: Site) -> dict[str, str]:
    """By the name of a mail."""
    with site.db.read() as conn:
        rows = conn.execute(sa.select(OUTBOX.c.message_id, OUTBOX.c.state)).all()
    return {row[0]: row[1] for row in rows}


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Lets mails about turns be written otherwise from then on."""

    def change() -> None:
        folder = shutil.copytree(paper.TEMPLATES / "mail", tmp_path / "templates" / "mail")
        body = folder / "turn" / "body.txt"
        body.write_text("Anders.\n" + body.read_text())
        monkeypatch.setattr(paper, "TEMPLATES", folder.parent)
        paper._environment.cache_clear()

    yield change
    paper._environment.cache_clear()


@pytest.mark.parametrize("played", [False, True])
def test_whatever_changes_after_a_first_attempt_the_second_sends_its_bytes_or_none(
    site: Site, played: bool, changed: Callable[[], None]
) -> None:
    """The templates, the reader's name and language, the name of the service, the key that signs,
    and the match."""
    first_key, other_key = (MailKey(name, DOMAIN, dkim.new("ed25519")) for name in ("s1", "s2"))
    table = Table(replace(site, dkim=first_key))
    table.begin()
    table.post()
    table.move("a1-c1")
    table.recorder.answers = [Delivery("deferred", 450, "RCPT: 450 4.2.0 greylisted")]
    assert table.post() == []
    first = table.row("turn")
    digest = hashlib.sha256(first.raw or b"").digest()

    changed()
    with site.db.write() as conn:
        people.alter(conn, table.mover, "Someone Else", "en", "Asia/Tokyo")
    other = site.settings.model_copy(update={"mail_name": "Other"})
    table.site = replace(site, settings=other, dkim=other_key)
    table.now += HOUR
    if played:
        table.move("f2-d2")
    fresh = compose(table.site, first, table.now)
    assert ("Anders." in text_of(read(fresh)), b"s=s2;" in fresh) == (True, True)
    table.post()

    again = [
        raw
        for _, _, raw in table.recorder.mails
        if read(raw)["Message-ID"][1:33] == first.message_id
    ]
    assert [hashlib.sha256(raw).digest() for raw in again] == ([] if played else [digest])
    assert states(site)[first.message_id] == ("superseded" if played else "sent")
