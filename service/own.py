"""All that is kept of a player, for them to take home."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime

import sqlalchemy as sa

from service import inbox, messages, notes, people, records, sessions, tokens, vacation, wishes
from service.errors import NoMatch
from service.models import MATCH, OUTBOX, PLAYER, SEAT
from service.site import Site

KEPT = "account.json"


def files(site: Site, player: int, now: int) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each file: what is kept of the player, and the logs of their matches."""
    told = _told(site, player, now)
    yield KEPT, json.dumps(told, ensure_ascii=False, indent=1).encode() + b"\n"
    for match in _matches(site, player):
        with suppress(NoMatch):
            yield f"logs/{match['match']}.mlog", records.export(site, str(match["match"]))


def _told(site: Site, player: int, now: int) -> dict[str, object]:
    given = tokens.of_player(site.db, player)
    with site.db.read() as conn:
        person = people.known(conn, player)
        created = conn.execute(sa.select(PLAYER.c.created).where(PLAYER.c.id == player)).scalar()
        return {
            "player": {**asdict(person), "since": _time(created)},
            "other_addresses": sorted(inbox.aliases(conn, player)),
            "mail": asdict(wishes.of(conn, player)),
            "vacations": [
                {"begins": _time(one.begins), "ends": _time(one.ends)}
                for one in vacation.since(conn, player, 0)
            ],
            "mails": _mails(conn, person.address),
            "devices": [
                {"name": one.name, "since": _time(one.created), "last_day": _time(one.used)}
                for one in sessions.devices(conn, player, None, now)
            ],
            "tokens": [
                {"for": one.purpose, "name": one.name, "made": _time(one.created)} for one in given
            ],
            "matches": _matches(site, player),
            "messages": [
                {"match": one.match, "written": _time(one.created), "text": one.text}
                for one in messages.of_player(conn, player)
            ],
            "notes": [
                {"match": match, "text": text} for match, text in notes.of_player(conn, player)
            ],
        }


def _matches(site: Site, player: int) -> list[dict[str, object]]:
    fields = (MATCH.c.id, MATCH.c.code, MATCH.c.game, SEAT.c.number, SEAT.c.name, SEAT.c.pid)
    query = sa.select(*fields, SEAT.c.rank).join(SEAT, SEAT.c.match == MATCH.c.id)
    mine = query.where(SEAT.c.player == player).order_by(MATCH.c.created, MATCH.c.id)
    names = ("match", "code", "game", "seat", "name", "pid", "place")
    with site.db.read() as conn:
        return [dict(zip(names, row, strict=True)) for row in conn.execute(mine)]


def _mails(conn: sa.Connection, address: str) -> list[dict[str, object]]:
    fields = (OUTBOX.c.kind, OUTBOX.c.match, OUTBOX.c.state, OUTBOX.c.created, OUTBOX.c.sent)
    query = sa.select(*fields).where(OUTBOX.c.address == address).order_by(OUTBOX.c.id)
    return [
        {
            "kind": row.kind,
            "match": row.match,
            "state": row.state,
            "queued": _time(row.created),
            "sent": _time(row.sent),
        }
        for row in conn.execute(query)
    ]


def _time(time: int | None) -> str | None:
    return None if time is None else datetime.fromtimestamp(time, UTC).isoformat()
