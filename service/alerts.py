"""What the operator is told by mail, each trouble once a day."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from service import outbox
from service.outbox import Mail, Snapshot, To
from service.site import Site

DAY = 86_400


def refused(site: Site, conn: sa.Connection, answer: str, now: int) -> None:
    """A relay has refused a mail for a reason that only the operator can mend."""
    address = site.settings.operator
    if address is None:
        return
    trouble = hashlib.sha256(answer[:20].encode()).hexdigest()[:16]
    mail = Mail(
        "alert",
        f"alert:{trouble}:{now // DAY}",
        To(address, "en", site.settings.zone),
        Snapshot(said=answer),
        expires=now + DAY,
    )
    outbox.queue(conn, mail, now)
