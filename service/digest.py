"""The daily mail of players who want one: which turns wait for them."""

from __future__ import annotations

import sqlalchemy as sa

from service import matches, outbox, people, wishes
from service.outbox import Mail, Snapshot, To
from service.site import Site

DAY = 86_400


def queue(site: Site, now: int) -> None:
    """Queues the mails whose hour has come; none for players for whom nothing waits."""
    with site.db.read() as conn:
        due = [mail for player in wishes.digesters(conn) if (mail := _due(conn, player, now))]
    if due:
        with site.db.write() as conn:
            for mail in due:
                outbox.queue(conn, mail, now)


def _due(conn: sa.Connection, player: int, now: int) -> Mail | None:
    """What waited when the player's hour came stands in the mail; what came later has a day."""
    person = people.known(conn, player)
    hour = wishes.digest_time(wishes.of(conn, player), person.zone, now)
    key = f"digest:{player}:{hour}"
    if outbox.queued(conn, key) or not matches.waiting(conn, player, before=hour):
        return None
    return Mail(
        "digest",
        key,
        To(person.address, person.language, person.zone),
        Snapshot(by=person.name),
        expires=hour + DAY,
    )
