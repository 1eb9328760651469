"""How many mails go out in a minute: no relay and no domain gets more than it may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from service import outbox, worker
from service.kinds import Kind
from service.mail import pace
from service.outbox import Mail, Snapshot, To
from service.settings import Settings
from service.site import Site
from tests.mail.play import NOON, service
from tests.mail.recorder import Recorder


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    """A service with a relay elsewhere."""
    with service(settings) as opened:
        relayed = opened.settings.model_copy(update={"smtp_host": "relay.example.org"})
        yield replace(opened, settings=relayed)


def queue(site: Site, count: int, domain: str, kind: Kind = "outage") -> None:
    with site.db.write() as conn:
        for n in range(count):
            to = To(f"p{n}@{domain}", "en", "UTC")
            outbox.queue(conn, Mail(kind, f"{kind}:{domain}:{n}", to, Snapshot()), NOON)


def sent(site: Site, since: int, seconds: int) -> list[str]:
    """To whom mails go in so many seconds, the worker looking every second."""
    recorder = Recorder()
    for now in range(since, since + seconds):
        while worker.post(site, recorder, now):
            pass
    return [address.rpartition("@")[2] for _, address, _ in recorder.mails]


def test_a_relay_gets_twenty_at_once_and_sixty_a_minute(site: Site) -> None:
    for n in range(10):
        queue(site, 10, f"d{n}.example")
    assert len(sent(site, NOON, 1)) == pace.BURST
    assert 35 <= len(sent(site, NOON + 1, 59)) <= 40


def test_a_domain_gets_twenty_a_minute_and_holds_up_nobody_else(site: Site) -> None:
    queue(site, 45, "big.example")
    queue(site, 3, "small.example")
    queue(site, 2, "big.example", "alert")
    first = sent(site, NOON, 59)
    assert (first.count("big.example"), first.count("small.example")) == (22, 3)
    assert sent(site, NOON + 61, 59).count("big.example") == 20
    assert len(sent(site, NOON + 122, 59)) == 5


def test_a_relay_on_this_machine_paces_itself_unless_it_is_told_to(settings: Settings) -> None:
    here = settings.model_copy(update={"smtp_host": "127.0.0.1"})
    assert here.mails_a_minute == 0
    assert here.model_copy(update={"smtp_rate": 5}).mails_a_minute == 5
    assert settings.model_copy(update={"smtp_rate": 5}).mails_a_minute == 0
