"""The worker: a process of its own that sends mail, plays for the house, sees what is due."""

from __future__ import annotations

import fcntl
import logging
import os
import random
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from enum import Enum

from apscheduler.events import EVENT_SCHEDULER_STARTED
from apscheduler.schedulers.blocking import BlockingScheduler

from service import (
    alerts,
    beat,
    digest,
    house,
    journal,
    links,
    metrics,
    opening,
    outbox,
    overdue,
    quota,
    reach,
    sessions,
    signing,
)
from service import site as sites
from service.errors import Fork, Unavailable
from service.mail import gate
from service.mail.compose import compose
from service.mail.transport import Delivery, Transport, Unreachable, chosen
from service.outbox import Row, Settled
from service.settings import Settings
from service.site import Site

LOCK = "worker.lock"
"""Held on SQLite by the worker that works."""
BATCH_SECONDS = 60
"""A batch ends after that long; the claims on its mails hold for longer."""
BACKOFF = (60, 300, 900, 3_600, 14_400, 21_600)
"""Seconds from one attempt to the next, the last for all that follow; a fifth more or less."""
UNCERTAIN_SECONDS = 900
BROKEN_SECONDS = 900
"""When a mail that could not be composed is tried again."""
STOP_SECONDS = 8
"""How long a job is waited for that is at work when the signal to end comes."""
BUSY_SECONDS = 5
"""The same of a mail for which a database was busy."""
KEEP_SECONDS = 5 * 86_400
"""How long a mail is tried that never expires or cannot be composed."""

log = journal.log("worker")


def post(site: Site, transport: Transport, now: int) -> bool:
    """Sends a batch of the mails that are due; whether there was one."""
    if transport.breaker.rests(now):
        return False
    run = Run(site, transport, now)
    rows = outbox.claim(site.db, run.owner, now)
    if not rows:
        return False
    try:
        run.send(run.compose(gate.admit(site, run.owner, rows, now)))
    finally:
        transport.close()
    return True


def play(site: Site, transport: Transport, now: int) -> bool:
    """Plays a turn of the house; whether one was asked for."""
    return house.play_once(site, now)


def sign(site: Site, transport: Transport, now: int) -> bool:
    """Signs the heads that a crash left unsigned."""
    signing.sweep(site)
    return False


def clocks(site: Site, transport: Transport, now: int) -> bool:
    """Ends what has run out of time; a match that cannot be ended now is no reason for another to
    wait."""
    for due in overdue.find(site, now):
        if transport.breaker.shut:  # the worker is about to end
            break
        try:
            if overdue.end(site, due, now):
                log.info("out of time", match=due.id)
        except Exception:
            log.exception("a match could not be ended", match=due.id)
    return False


def stay(site: Site, transport: Transport, now: int) -> bool:
    """Nothing: every job begins with a heartbeat, and this one is never busy."""
    return False


def daily(site: Site, transport: Transport, now: int) -> bool:
    """Queues the daily mails whose hour has come."""
    digest.queue(site, now)
    return False


def purge(site: Site, transport: Transport, now: int) -> bool:
    """Forgets mails that were settled, and forms that were not confirmed, a week ago; sessions
    that are over, and quotas that are free again."""
    outbox.blank(site.db, now)
    opening.forget(site, now)
    sessions.forget(site.db, now)
    quota.forget(site.db, now)
    return False


Job = Callable[[Site, Transport, int], bool]
"""Does a part of what is due at an hour and says whether there may be more."""
JOBS: tuple[tuple[Job, int], ...] = (
    (stay, beat.EVERY),
    (post, 1),
    (play, 1),
    (clocks, 10),
    (sign, 600),
    (daily, 300),
    (purge, 3_600),
)
"""Each with the seconds between two looks."""


class Trouble(Enum):
    """Why a mail has no bytes yet."""

    BUSY = "a database was busy or away"
    BROKEN = "it cannot be composed"


@dataclass(frozen=True)
class Run:
    """One batch on its way: its claim, and how late it is."""

    site: Site
    transport: Transport
    now: int
    owner: str = field(default_factory=lambda: secrets.token_hex(16))
    began: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> int:
        return int(time.monotonic() - self.began)

    @property
    def hour(self) -> int:
        return self.now + self.elapsed

    def compose(self, rows: list[Row]) -> list[tuple[Row, bytes]]:
        """Commits the bytes of mails that have none yet; gives every mail with its bytes."""
        fresh = [(row, self._composed(row)) for row in rows if row.raw is None]
        made = [(row, raw) for row, raw in fresh if isinstance(raw, bytes)]
        bounces = {row.id: self._bounce(row)[1] for row, _ in made if self._returning}
        outbox.composed(self.site.db, self.owner, [(row.id, raw) for row, raw in made], bounces)
        self._put_off([row for row, raw in fresh if raw is Trouble.BROKEN])
        self._release([row for row, raw in fresh if raw is Trouble.BUSY], self.hour + BUSY_SECONDS)
        return [*((row, row.raw) for row in rows if row.raw is not None), *made]

    def _put_off(self, broken: list[Row]) -> None:
        """Tries mails later that could not be composed, and gives up old ones."""
        hour = self.hour
        old = [row.id for row in broken if row.created + KEEP_SECONDS <= hour]
        if old:
            outbox.abandon(self.site.db, self.owner, old, "it could not be composed", hour)
        self._release([row for row in broken if row.id not in old], hour + BROKEN_SECONDS)

    def _composed(self, row: Row) -> bytes | Trouble:
        """The mail, its head signed first if a crash has left it unsigned."""
        try:
            if row.match is not None and row.record is not None:
                signing.sign(self.site, row.match)
            return compose(self.site, row, self.hour)
        except Exception as error:
            if isinstance(error, Unavailable) and not isinstance(error, Fork):
                log.warning("a mail waits for a database", mail=row.id, why=str(error.__cause__))
                return Trouble.BUSY
            log.exception("a mail could not be composed", mail=row.id, kind=row.kind)
            return Trouble.BROKEN

    def send(self, mails: list[tuple[Row, bytes]]) -> None:
        """Commits that they are being sent, and sends and settles one by one, as long as the way
        out can be used."""
        db, left = self.site.db, []
        going = outbox.sending(db, self.owner, [row.id for row, _ in mails], self.hour)
        looked = self.hour
        for row, raw in mails:
            if row.id not in going:
                continue
            if self.elapsed >= BATCH_SECONDS or self.transport.breaker.rests(self.hour):
                left.append(row)
                continue
            if self.hour > looked and outbox.overtaken(db, self.owner, row.id):
                settled = Settled(row.id, "superseded", counts=False)
            else:
                settled = self._attempt(row, raw)
            outbox.settle(db, self.owner, [settled], self.hour)
            log.info("mail", mail=row.id, kind=row.kind, state=settled.state, said=settled.code)
        if left:
            outbox.put_back(db, self.owner, left, self.hour)

    @property
    def _returning(self) -> bool:
        """Whether every mail has an address of its own to which it comes back."""
        return self.site.settings.mail_envelope == "verp"

    def _bounce(self, row: Row) -> tuple[str, bytes]:
        return links.bounce(self.site.keys.link, row.message_id)

    def _sender(self, row: Row) -> str:
        ours = self.site.settings.mail_from
        if not self._returning:
            return ours
        name, _, domain = ours.rpartition("@")
        return f"{name}+b.{self._bounce(row)[0]}@{domain}"

    def _release(self, rows: list[Row], due: int) -> None:
        if rows:
            outbox.release(self.site.db, self.owner, [row.id for row in rows], due)

    def _attempt(self, row: Row, raw: bytes) -> Settled:
        try:
            delivery = self.transport.deliver(self._sender(row), row.address, raw)
        except Unreachable as error:
            breaker = self.transport.breaker
            breaker.trip(self.hour)
            log.error("the way out cannot be used", why=str(error), until=breaker.until)
            waiting = "ready" if row.state == "pending" else row.state
            return Settled(row.id, waiting, text=str(error), due=breaker.until, counts=False)
        self.transport.breaker.reset()
        if delivery.bounce or delivery.ours:
            self._heed(row, delivery)
        return settled(row, delivery, self.hour)

    def _heed(self, row: Row, delivery: Delivery) -> None:
        """A refusal says something about the address, or about us."""
        with self.site.db.relaxed() as conn:
            if reach.bounced(conn, row.address, delivery.bounce, self.hour):
                log.warning("mails to an address stop, for they come back", mail=row.id)
            if delivery.ours:
                alerts.refused(self.site, conn, delivery.text, self.hour)


def settled(row: Row, delivery: Delivery, now: int) -> Settled:
    """What an attempt makes of a mail, and when the next one is.

    A mail whose answer was lost goes out once more with the same bytes; lost twice it stays
    uncertain.
    """
    code, text = delivery.code or None, delivery.text
    doubtful = row.state == "uncertain"
    if delivery.state == "deferred":
        due = now + _pause(row)
        if due < (row.expires or row.created + KEEP_SECONDS):
            return Settled(row.id, "uncertain" if doubtful else "deferred", code, text, due)
        return Settled(row.id, "uncertain" if doubtful else "expired", code, text)
    if delivery.state == "uncertain":
        again = None if doubtful else now + UNCERTAIN_SECONDS
        return Settled(row.id, "uncertain", code, text, again)
    return Settled(row.id, delivery.state, code, text)


def _pause(row: Row) -> int:
    """The back-off after this attempt, each mail's own, so that not all come back at once."""
    shift = random.Random(f"{row.message_id}:{row.attempts}").uniform(0.8, 1.2)
    return int(BACKOFF[min(row.attempts, len(BACKOFF) - 1)] * shift)


def run(settings: Settings, level: int = logging.INFO) -> None:
    """Works until a signal comes. Raises NotReady if the service cannot be opened."""
    journal.keep(level)
    site = sites.open_site(settings)
    try:
        with _alone(site), metrics.served(site, settings.metrics_port):
            _work(site, chosen(settings))
    finally:
        site.close()


@dataclass
class _Shift:
    """A worker at work, until a signal comes; `away` while it waits for a database."""

    site: Site
    transport: Transport
    stopping: threading.Event = field(default_factory=threading.Event)
    away: bool = False

    def do(self, job: Job) -> None:
        """A job, for as long as it finds something to do.

        Each round begins with a heartbeat: an outage is known before anything is done that is due.
        """
        try:
            while not self.stopping.is_set() and self._round(job, int(time.time())):
                pass
        except Unavailable as error:
            if not self.away:
                log.warning("waiting for a database", why=str(error.__cause__))
            self.away = True
        except Exception:
            log.exception("a job failed", job=job.__name__)

    def _round(self, job: Job, now: int) -> bool:
        beat.beat(self.site.db, "worker", now)
        more = job(self.site, self.transport, now)
        if self.away:
            log.info("the database is back")
        self.away = False
        return more


def _work(site: Site, transport: Transport) -> None:
    shift = _Shift(site, transport)
    scheduler = BlockingScheduler(
        timezone=UTC,
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    )
    for job, seconds in JOBS:
        scheduler.add_job(shift.do, "interval", args=(job,), seconds=seconds)
    with _until_signal(scheduler, shift):
        log.info("worker started", embedded=site.settings.embedded)
        shift.do(stay)
        scheduler.start()
    log.info("worker stopped")


@contextmanager
def _until_signal(scheduler: BlockingScheduler, shift: _Shift) -> Iterator[None]:
    """Ends the scheduler when a signal comes: the mail on its way is settled, the others wait.

    The handler runs between any two steps of the scheduler, which may hold a lock, or may not have
    begun; so a thread of its own waits for the beginning and for the jobs. One that still waits for
    a relay or a database after that is left as a crash would leave it.
    """
    started = threading.Event()
    scheduler.add_listener(lambda _: started.set(), EVENT_SCHEDULER_STARTED)

    def leave() -> None:
        log.warning("worker stopped, what it was waiting for is left to the next")
        os._exit(0)

    def end() -> None:
        patience = threading.Timer(STOP_SECONDS, leave)
        patience.start()
        started.wait()
        scheduler.shutdown()
        patience.cancel()

    stopper = threading.Thread(target=end)

    def stop(*_: object) -> None:
        if not shift.stopping.is_set():
            shift.stopping.set()
            shift.transport.breaker.shut = True
            stopper.start()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    yield
    if shift.stopping.is_set():
        stopper.join()


@contextmanager
def _alone(site: Site) -> Iterator[None]:
    """On SQLite one worker runs, others wait for its end; the kernel frees the lock of a dead one.

    On PostgreSQL any number run: they share the mails by their claims.
    """
    if not site.db.lite:
        yield
        return
    path = site.settings.data / LOCK
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log.warning("another worker runs here: waiting for its end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
