"""Whether a running service can do its work: what a monitor asks for every few seconds."""

from __future__ import annotations

from collections.abc import Callable

from service import beat, db, outbox
from service import site as sites
from service.errors import Refusal
from service.site import Site

MAIL_MINUTES = 15
"""Without a mail for so long, while some wait, the way out is looked at."""

Check = Callable[[Site, int], str | None]
"""A sentence for the operator if something is not well; may also raise a Refusal."""


def reasons(site: Site, now: int) -> list[str]:
    """Why the service is not ready, a sentence for each reason; none if it is. No secrets."""
    return [why for check in CHECKS if (why := _why(check, site, now))]


def _why(check: Check, site: Site, now: int) -> str | None:
    try:
        return check(site, now)
    except Refusal as error:
        return str(error)


def _database(site: Site, now: int) -> None:
    """Reachable, at this program's revision, append-only, and made with these keys."""
    db.check(site.db)
    sites.fit(site.db, site.keys)


def _signer(site: Site, now: int) -> None:
    site.signer.check()


def _worker(site: Site, now: int) -> str | None:
    with site.db.read() as conn:
        at = beat.last(conn).get("worker")
    if at is None:
        return "No worker has run yet. Start: fernpartie worker"
    if now - at < beat.LATE:
        return None
    return (
        f"No worker has been heard of for {now - at} seconds. Start: fernpartie worker. If one is "
        "there, it is stopped or hangs: end it, since on SQLite no other one works beside it."
    )


def _mails(site: Site, now: int) -> str | None:
    with site.db.read() as conn:
        waiting = outbox.stalled(conn, now, MAIL_MINUTES * 60)
    if not waiting:
        return None
    return (
        f"Mails wait ({waiting} of them), and none has gone out for {MAIL_MINUTES} minutes. "
        "Run: fernpartie doctor"
    )


def _clock(site: Site, now: int) -> str | None:
    with site.db.read() as conn:
        late = beat.behind(conn, now)
    if not late:
        return None
    return (
        f"This machine's clock is {late} seconds behind what was written already, so nothing is "
        "timed out. Set it, and keep it set by NTP."
    )


CHECKS: tuple[Check, ...] = (_database, _signer, _worker, _mails, _clock)
