"""Which mails of a batch go out now, which later and which not at all, for their readers' sake."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sqlalchemy as sa

from service import links, lobby, matches, outbox, people, reach, wishes
from service.kinds import KINDS, OF_A_TURN
from service.matches import SeatRow
from service.models import LINK, OUTBOX, VERDICT
from service.outbox import Row, State
from service.site import Site
from service.wishes import Wishes

NEAR_SECONDS = 12 * 3_600
"""A deadline that near is worth waking somebody."""
CROWD = 30
"""So many mails about turns in a day are more than anybody reads."""
DAY = 86_400


@dataclass(frozen=True)
class Held:
    """A mail that does not go out now: since `state` forever, or until it is due."""

    state: State | None
    why: str = ""
    due: int = 0


@dataclass(frozen=True)
class Reader:
    """Whom a mail is for, as far as they are known here."""

    player: int | None
    wishes: Wishes
    seat: SeatRow | None


def admit(site: Site, owner: str, rows: list[Row], now: int) -> list[Row]:
    """Those of a claimed batch that go out now; the others are settled or put off.

    A mail that was handed over before goes its way: its reader may have it.
    """
    fresh = [row for row in rows if row.state == "pending"]
    if not fresh:
        return rows
    with site.db.relaxed() as conn:
        held = {row.id: why for row in fresh if (why := _held(site, conn, row, now)) is not None}
        for id, why in held.items():
            if why.state is None:
                outbox.later(conn, owner, id, why.due)
            else:
                outbox.hold(conn, owner, id, why.state, why.why, now)
    return [row for row in rows if row.id not in held]


def _held(site: Site, conn: sa.Connection, row: Row, now: int) -> Held | None:
    if KINDS[row.kind].asked:
        return _spared(conn, row)
    if reach.suppressed(conn, row.address):
        lobby.unfound(site, conn, row.match, row.address, now)
        return Held("suppressed", "mails to this address come back")
    if row.kind == "invitation" and reach.uninvited(conn, row.address):
        return Held("suppressed", "no invitations are wanted")
    reader = _reader(conn, row)
    unwanted = _unwanted(conn, row, reader)
    if unwanted:
        return Held("suppressed", unwanted)
    held = _quiet(row, reader, now) or _crowded(conn, row, reader, now)
    if held is None:
        _way_out(site, conn, row, reader, now)
    return held


def _spared(conn: sa.Connection, row: Row) -> Held | None:
    """Whoever needs no word that a move was played gets none, unless there is more to say."""
    reply, player = row.about.reply, people.find(conn, row.address)
    if row.kind != "ack" or reply is None or player is None or reply.reason != "played":
        return None
    if reply.rest or reply.conditions or "ack" not in wishes.of(conn, player).unwanted:
        return None
    return Held("suppressed", "mails of this kind are not wanted")


def _way_out(site: Site, conn: sa.Connection, row: Row, reader: Reader, now: int) -> None:
    """Makes the link by which mails like this one are unsubscribed, unless it is there."""
    if KINDS[row.kind].scope == "digest":
        links.way_out(conn, site.keys.link, now, player=reader.player)
    elif reader.seat is not None:
        links.way_out(conn, site.keys.link, now, place=reader.seat.id)


def _reader(conn: sa.Connection, row: Row) -> Reader:
    player = people.find(conn, row.address)
    seat = None
    if row.match is not None:
        folded = people.folded(row.address)
        seats = matches.seats(conn, row.match)
        seat = next((one for one in seats if people.folded(one.address) == folded), None)
    return Reader(player, wishes.of(conn, player) if player else wishes.USUAL, seat)


def _unwanted(conn: sa.Connection, row: Row, reader: Reader) -> str:
    """Why the reader does not want a mail; "" if they do."""
    wished = reader.wishes
    if wished.delivery == "off":
        return "no mails are wanted"
    if reader.seat and reader.seat.muted and KINDS[row.kind].scope == "match":
        return "no mails about this match are wanted"
    if row.kind in wished.unwanted:
        return "mails of this kind are not wanted"
    if row.kind == "turn" and wished.delivery == "digest":
        return "it stands in the daily mail"
    if row.kind in OF_A_TURN and wished.once and _told(conn, row, wished.returned):
        return "one mail is enough until the player comes back"
    return ""


def _told(conn: sa.Connection, row: Row, since: int) -> int:
    """How many mails about turns have gone to this address since then; one that was answered with a
    move was read, and does not count."""
    answered = sa.exists().where(
        LINK.c.match == OUTBOX.c.match,
        LINK.c.seat == OUTBOX.c.seat,
        LINK.c.wait == OUTBOX.c.wait,
        VERDICT.c.link == LINK.c.id,
        VERDICT.c.action == "play",
    )
    told = sa.and_(
        OUTBOX.c.address == row.address,
        OUTBOX.c.created >= since,
        OUTBOX.c.kind.in_(OF_A_TURN),
        OUTBOX.c.state.in_(("sent", "sending", "uncertain", "ready", "deferred")),
        ~answered,
    )
    return conn.execute(sa.select(sa.func.count()).where(told)).scalar_one()


def _crowded(conn: sa.Connection, row: Row, reader: Reader, now: int) -> Held | None:
    """Whoever gets more mails about turns than anybody reads gets one a day from now on."""
    if row.kind not in OF_A_TURN or reader.player is None:
        return None
    if _told(conn, row, now - DAY) < CROWD:
        return None
    daily = replace(reader.wishes, delivery="digest", crowded=True)
    wishes.put(conn, reader.player, daily)
    return Held("suppressed", "it stands in the daily mail")


def _quiet(row: Row, reader: Reader, now: int) -> Held | None:
    if not KINDS[row.kind].waits:
        return None
    until = wishes.quiet_until(reader.wishes, row.zone, now)
    if until is None:
        return None
    deadline = row.about.deadline
    near = deadline is not None and deadline - now < NEAR_SECONDS
    return None if near else Held(None, due=until)
