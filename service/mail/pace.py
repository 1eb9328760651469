"""How many mails go out in a minute: to the relay, and to one domain of readers."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa

from service import outbox
from service.kinds import KINDS
from service.models import OUTBOX
from service.outbox import Row
from service.settings import Settings
from service.site import Site

MINUTE = 60
BURST = 20
"""So many at once at most; more wait for their share of a minute."""


def room(site: Site, now: int) -> int:
    """How many mails the relay may get now."""
    rate = site.settings.mails_a_minute
    if not rate:
        return outbox.BATCH
    burst = min(BURST, rate)
    span = -(-burst * MINUTE // rate)
    return min(outbox.BATCH, burst - len(_gone(site, now - span)))


def spread(site: Site, owner: str, rows: list[Row], now: int) -> list[Row]:
    """Those of a claimed batch that go out now; the others are put off to a minute in which their
    domain has room. A mail that somebody waits for is not."""
    most = _most(site.settings)
    if not most:
        return rows
    gone = Counter(map(_domain, _gone(site, now - MINUTE)))
    going, put_off = [], []
    for row in rows:
        domain = _domain(row.address)
        free = KINDS[row.kind].asked or gone[domain] < most
        going.append(row) if free else put_off.append((row, now + MINUTE * (gone[domain] // most)))
        gone[domain] += 1
    if put_off:
        with site.db.relaxed() as conn:
            for row, due in put_off:
                outbox.later(conn, owner, row.id, due)
    return going


def _most(settings: Settings) -> int:
    return settings.smtp_domain_rate if settings.mails_a_minute else 0


def _gone(site: Site, since: int) -> list[str]:
    """The addresses to which mails went since then, or are going now."""
    sent = sa.and_(OUTBOX.c.state == "sent", OUTBOX.c.due > since)
    query = sa.select(OUTBOX.c.address).where(sa.or_(sent, OUTBOX.c.state == "sending"))
    with site.db.read() as conn:
        return list(conn.execute(query).scalars())


def _domain(address: str) -> str:
    return address.rpartition("@")[2].casefold()
