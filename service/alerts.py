"""What the operator is told by mail, each trouble once a day."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from service import outbox, people
from service.outbox import Mail, Snapshot, To
from service.site import Site

DAY = 86_400


def stuck(site: Site, conn: sa.Connection, code: str, why: str, now: int) -> None:
    """The worker cannot see to a match: the first of a day, since a restore may stop many."""
    _queue(site, conn, "stuck", Snapshot(code=code, said=why), now)


def refused(site: Site, conn: sa.Connection, answer: str, now: int) -> None:
    """A relay has refused a mail for a reason that only the operator can mend."""
    trouble = hashlib.sha256(answer[:20].encode()).hexdigest()[:16]
    _queue(site, conn, trouble, Snapshot(said=answer), now)


def _queue(site: Site, conn: sa.Connection, trouble: str, about: Snapshot, now: int) -> None:
    address = site.settings.operator
    if address is None:
        return
    player = people.find(conn, address)
    language = people.known(conn, player).language if player else "en"
    key, whom = f"alert:{trouble}:{now // DAY}", To(address, language, site.settings.zone)
    outbox.queue(conn, Mail("alert", key, whom, about, expires=now + DAY), now)
