"""The worker: a process of its own that sends mail, plays for the house, sees what is due."""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from functools import partial

from apscheduler.events import EVENT_SCHEDULER_STARTED
from apscheduler.schedulers.blocking import BlockingScheduler

from service import (
    beat,
    digest,
    house,
    inbox,
    journal,
    metrics,
    opening,
    outages,
    outbox,
    overdue,
    quota,
    reminders,
    respite,
    sessions,
    signing,
    stuck,
    vacation,
)
from service import site as sites
from service.errors import Fork, Refusal, Unavailable
from service.mail import gate, imap, letterbox, lmtp, pace
from service.mail.batch import Run
from service.mail.reply import take_up
from service.mail.transport import Transport, chosen
from service.settings import Settings
from service.site import Site

LOCK = "worker.lock"
"""Held on SQLite by the worker that works."""
STOP_SECONDS = 8
"""How long a job is waited for that is at work when the signal to end comes."""

log = journal.log("worker")


def post(site: Site, transport: Transport, now: int) -> bool:
    """Sends a batch of the mails that are due; whether there was one."""
    if transport.breaker.rests(now):
        return False
    room = pace.room(site, now)
    if room <= 0:
        return False
    run = Run(site, transport, now)
    rows = outbox.claim(site.db, run.owner, now, room)
    if not rows:
        return False
    try:
        run.send(run.compose(_admitted(run, rows, now)))
    finally:
        transport.close()
    return True


def _admitted(run: Run, rows: list[outbox.Row], now: int) -> list[outbox.Row]:
    """Those of a batch for which this is the time."""
    return pace.spread(run.site, run.owner, gate.admit(run.site, run.owner, rows, now), now)


def play(site: Site, transport: Transport, now: int) -> bool:
    """Plays a turn of the house; whether one was asked for."""
    return house.play_once(site, now)


def collect(site: Site, transport: Transport, now: int) -> bool:
    """Takes in what lies in the letter box of a service without a relay."""
    if site.settings.embedded:
        letterbox.empty(site)
        inbox.fetched(site.db, now)
    return False


def fetch(site: Site, transport: Transport, now: int) -> bool:
    """Takes in what lies in the mailbox at a provider, if there is one."""
    if site.settings.imap_host is not None:
        try:
            imap.poll(site, now)
        except imap.Unreachable as error:
            log.warning("the mailbox for answers cannot be looked into", why=str(error))
    return False


def receive(site: Site, transport: Transport, now: int) -> bool:
    """Takes up the mails that have come in; whether there was one."""
    return sum(_taken_up(site, row, now) for row in inbox.due(site.db, now)) > 0


def _taken_up(site: Site, row: inbox.Row, now: int) -> bool:
    try:
        return take_up(site, row, now)
    except Exception as error:
        log.exception("a mail could not be taken up", inbound=row.id)
        inbox.put_off(site.db, row, type(error).__name__, now)
        return True


def sign(site: Site, transport: Transport, now: int) -> bool:
    """Signs the heads that a crash left unsigned."""
    signing.sweep(site, signing.lately(site))
    return False


def sign_all(site: Site, transport: Transport, now: int) -> bool:
    """Signs what was left unsigned longer ago, as by a signer's store that was away for weeks."""
    signing.sweep(site)
    return False


def clocks(site: Site, transport: Transport, now: int) -> bool:
    """Makes up for outages, then ends what has run out of time; nothing while the hour is not to be
    believed."""
    if not _plausible(site, now):
        return False
    each = partial(_each, site, transport, now)
    if known := outages.unsettled(site):
        each(
            (match, partial(outages.shift, site, match, now)) for match in outages.find(site, known)
        )
        if outages.close(site, known, now):
            log.info("made up for outages", seconds=sum(one.seconds for one in known))
    for vacations in vacation.due(site, now):
        told = vacation.concerned(site, vacations)
        each((match, partial(vacation.tell, site, match, now)) for match in told)
        vacation.settle(site, vacations, now)
    each((due.id, partial(overdue.end, site, due, now)) for due in overdue.find(site, now))
    return False


def remind(site: Site, transport: Transport, now: int) -> bool:
    """Queues the reminders whose hour has come; whether there may be more."""
    return _plausible(site, now) and reminders.sweep(site, now)


def _plausible(site: Site, now: int) -> bool:
    """Whether the hour is to be believed."""
    with site.db.read() as conn:
        return not beat.behind(conn, now)


Step = tuple[str, Callable[[], bool]]
"""A match, and what is to be done there; whether there was something to do."""


def _each(site: Site, transport: Transport, now: int, steps: Iterable[Step]) -> None:
    """Takes a step for each of some matches; one that cannot be taken is no reason for another to
    wait, and is tried again later."""
    resting = stuck.resting(site, now)
    for match, step in steps:
        if transport.breaker.shut:  # the worker is about to end
            break
        if match in resting:
            continue
        try:
            if step():
                log.info("its time was seen to", match=match)
        except Exception as error:
            if isinstance(error, Unavailable) and not isinstance(error, Fork):
                raise  # all others would fail alike
            _put_off(site, match, error, now)


def _put_off(site: Site, match: str, error: Exception, now: int) -> None:
    """Says why once, and lets the match wait."""
    why = str(error) if isinstance(error, Refusal) else type(error).__name__
    if stuck.put_off(site, match, why, now):
        log.exception("a match cannot be seen to", match=match)
    else:
        log.error("a match still cannot be seen to", match=match, why=why)


def wait(site: Site, transport: Transport, now: int) -> bool:
    """Lets clocks stand of players whom no mail reaches."""
    found = respite.find(site, now)
    _each(
        site, transport, now, ((match, partial(respite.give, site, match, now)) for match in found)
    )
    return False


def stay(site: Site, transport: Transport, now: int) -> bool:
    """Nothing but the heartbeat of a listener for mail: every job begins with that of the worker,
    and this one is never busy."""
    if site.settings.listens:
        beat.beat(site.db, "inbound", now)
    return False


def daily(site: Site, transport: Transport, now: int) -> bool:
    """Queues the daily mails whose hour has come."""
    digest.queue(site, now)
    return False


def purge(site: Site, transport: Transport, now: int) -> bool:
    """Forgets mails that were settled, and forms that were not confirmed, a week ago; sessions
    that are over, and quotas that are free again."""
    outbox.blank(site.db, now)
    inbox.forget_words(site.db, now)
    inbox.forget(site.db, now)
    opening.forget(site, now)
    sessions.forget(site.db, now)
    quota.forget(site.db, now)
    return False


Job = Callable[[Site, Transport, int], bool]
"""Does a part of what is due at an hour and says whether there may be more."""
JOBS: tuple[tuple[Job, int], ...] = (
    (stay, beat.EVERY),
    (collect, 1),
    (fetch, 60),
    (receive, 1),
    (post, 1),
    (play, 1),
    (clocks, 10),
    (remind, 30),
    (sign, 600),
    (sign_all, 86_400),
    (daily, 300),
    (wait, 60),
    (purge, 3_600),
)
"""Each with the seconds between two looks."""


def run(settings: Settings, level: int = logging.INFO) -> None:
    """Works until a signal comes. Raises NotReady if the service cannot be opened."""
    journal.keep(level)
    site = sites.open_site(settings)
    try:
        with (
            _alone(site),
            metrics.served(site, settings.metrics_port),
            lmtp.served(site, settings.lmtp_port),
        ):
            retire_unused(site)
            _work(site, chosen(settings))
    finally:
        site.close()


def retire_unused(site: Site) -> None:
    """Mail that we do not take in any more is not missed, however long that has been so."""
    if not (site.settings.fetches or site.settings.listens):
        beat.retire(site.db, "inbound")


@dataclass
class _Shift:
    """A worker at work, until a signal comes; `away` while it waits for a database."""

    site: Site
    transport: Transport
    stopping: threading.Event = field(default_factory=threading.Event)
    away: bool = False
    behind: bool = False

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
        if job is stay:
            self._look_at_the_clock(now)
        more = job(self.site, self.transport, now)
        if self.away:
            log.info("the database is back")
        self.away = False
        return more

    def _look_at_the_clock(self, now: int) -> None:
        """Says once that it is not to be believed, and once that it is again."""
        behind = not _plausible(self.site, now)
        if behind and not self.behind:
            log.error("this machine's clock is behind what was written: nothing is timed out")
        if self.behind and not behind:
            log.info("this machine's clock is to be believed again")
        self.behind = behind


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
