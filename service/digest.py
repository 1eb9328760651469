"""The daily mail of players who want one: which turns wait for them."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from service import links, matches, outbox, people, wishes
from service.outbox import Mail, Snapshot, To
from service.site import Site

DAY = 86_400
OPEN = 3 * DAY
"""For so long a mail can be answered: its address stands for all turns of its player."""


def queue(site: Site, now: int) -> None:
    """Queues the mails whose hour has come; none for players for whom nothing waits."""
    with site.db.read() as conn:
        players = wishes.digesters(conn)
        due = [(mail, player) for player in players if (mail := _due(conn, player, now))]
    if due:
        with site.db.write() as conn:
            for mail, player in due:
                if not outbox.queued(conn, mail.key):
                    link = _answers(site, conn, player, now)
                    outbox.queue(conn, replace(mail, link=link), now)


def _answers(site: Site, conn: sa.Connection, player: int, now: int) -> str | None:
    """The row of the address for answers to a mail, where they come in."""
    if "{}" not in site.settings.answers:
        return None
    return links.make(conn, site.keys.link, "d", now=now, expires=now + OPEN, player=player)


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
