"""What the players of a match write to each other: kept beside its log, never in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from service import drafts, matches, news, outbox, quota
from service.db import Database, insert
from service.errors import BadForm, Fault
from service.matches import SeatRow
from service.models import MESSAGE, MUTE, PLAYER, SEAT
from service.outbox import Mail
from service.quota import Quota
from service.site import Site
from service.writing import tidy

LENGTH = 1_000
SENT = Quota("message", 10, 60)
"""By one player, in all matches together."""
TWICE_SECONDS = 600
"""The same words again within so long are the same message, sent by a double click or a reload."""
SOON = 300
"""A mail waits that long for what else is written."""
PAUSE = 3_600
"""Between two mails about messages of one match to one player."""
MAIL_SECONDS = 3 * 86_400


@dataclass(frozen=True)
class Message:
    """A message with who wrote it, by the name they have in the match."""

    id: int
    match: str
    player: int
    name: str
    text: str
    created: int
    reported: int | None


_FIELDS = (
    MESSAGE.c.id,
    MESSAGE.c.match,
    MESSAGE.c.player,
    sa.func.coalesce(SEAT.c.name, PLAYER.c.name),
    MESSAGE.c.text,
    MESSAGE.c.created,
    MESSAGE.c.reported,
)
_WRITER = sa.and_(SEAT.c.match == MESSAGE.c.match, SEAT.c.player == MESSAGE.c.player)
_ALL = (
    sa.select(*_FIELDS)
    .join(PLAYER, PLAYER.c.id == MESSAGE.c.player)
    .outerjoin(SEAT, _WRITER)
    .order_by(MESSAGE.c.id.desc())
)


def send(site: Site, *, match: str, player: int, text: str, now: int) -> None:
    """Writes to the others of a match, and queues mail to those who have not been written to
    lately. Raises BadForm for a text that cannot be sent, TooMany."""
    said = tidy(text, LENGTH)
    if not said:
        raise BadForm(Fault("text", "There is nothing in it yet."))
    with site.db.write() as conn:
        matches.lock(conn, match)
        if _just_said(conn, match, player, said, now):
            return
        quota.take(conn, SENT, player, now)
        row = {"match": match, "player": player, "text": said, "created": now}
        new = conn.execute(MESSAGE.insert().values(row).returning(MESSAGE.c.id)).scalar_one()
        _mail(site, conn, match, player, new, now)


def some(
    conn: sa.Connection, match: str, reader: int, *, limit: int, before: int | None = None
) -> list[Message]:
    """Messages of a match for one of its players, the newest first, `before` a message; without
    those of whom the reader has muted."""
    query = _ALL.where(MESSAGE.c.match == match, MESSAGE.c.player.not_in(_muted_by(reader)))
    if before is not None:
        query = query.where(MESSAGE.c.id < before)
    return [Message(*row) for row in conn.execute(query.limit(limit))]


def since(conn: sa.Connection, match: str, reader: int, first: int) -> list[Message]:
    """What others wrote from a message on, the oldest first, for a mail to the reader."""
    theirs = sa.and_(MESSAGE.c.match == match, MESSAGE.c.player != reader, MESSAGE.c.id >= first)
    query = _ALL.where(theirs, MESSAGE.c.player.not_in(_muted_by(reader)))
    return [Message(*row) for row in conn.execute(query)][::-1]


def heard(db: Database, match: str, player: int, newest: int) -> None:
    """Notes that a player has been shown the messages of a match up to the newest."""
    mine = sa.and_(SEAT.c.match == match, SEAT.c.player == player, SEAT.c.heard < newest)
    with db.read() as conn:
        if conn.execute(sa.select(SEAT.c.id).where(mine)).first() is None:
            return
    with db.write() as conn:
        conn.execute(SEAT.update().where(mine).values(heard=newest))


def unheard(conn: sa.Connection, player: int, found: Sequence[str]) -> dict[str, int]:
    """How many messages in each of these matches a player has not been shown yet."""
    mine = sa.and_(SEAT.c.match == MESSAGE.c.match, SEAT.c.player == player)
    query = (
        sa.select(MESSAGE.c.match, sa.func.count())
        .join(SEAT, mine)
        .where(MESSAGE.c.match.in_(found), MESSAGE.c.id > SEAT.c.heard)
        .where(MESSAGE.c.player != player, MESSAGE.c.player.not_in(_muted_by(player)))
        .group_by(MESSAGE.c.match)
    )
    return {row[0]: row[1] for row in conn.execute(query)}


def delete(db: Database, match: str, player: int, message: int) -> None:
    """Takes an own message back, and a mail that was to bring nothing else."""
    mine = sa.and_(MESSAGE.c.id == message, MESSAGE.c.match == match, MESSAGE.c.player == player)
    with db.write() as conn:
        if conn.execute(MESSAGE.delete().where(mine)).rowcount:
            _take_back_mail(conn, match)


def remove(db: Database, message: int) -> bool:
    """Takes away any message, as the operator may; whether it was there."""
    with db.write() as conn:
        gone = MESSAGE.delete().where(MESSAGE.c.id == message).returning(MESSAGE.c.match)
        match = conn.execute(gone).scalar()
        if match is not None:
            _take_back_mail(conn, match)
    return match is not None


def report(db: Database, match: str, message: int, now: int) -> None:
    """Shows a message of a match to the operator."""
    it = sa.and_(MESSAGE.c.id == message, MESSAGE.c.match == match, MESSAGE.c.reported.is_(None))
    with db.write() as conn:
        conn.execute(MESSAGE.update().where(it).values(reported=now))


def reported(db: Database) -> list[Message]:
    """Those that the operator is to look at, the newest first."""
    with db.read() as conn:
        return [Message(*row) for row in conn.execute(_ALL.where(MESSAGE.c.reported.is_not(None)))]


def dismiss(db: Database, message: int) -> None:
    """Leaves a reported message where it is: the operator has looked at it."""
    with db.write() as conn:
        it = MESSAGE.update().where(MESSAGE.c.id == message)
        conn.execute(it.values(reported=None))


def mute(db: Database, player: int, other: int, *, quiet: bool) -> None:
    """From now on a player reads nothing of another one, in any match; or does again."""
    with db.write() as conn:
        if quiet:
            row = insert(conn.dialect.name, MUTE).values(player=player, muted=other)
            conn.execute(row.on_conflict_do_nothing())
        else:
            conn.execute(MUTE.delete().where(MUTE.c.player == player, MUTE.c.muted == other))


def muted(conn: sa.Connection, player: int) -> frozenset[int]:
    """Whom a player does not want to read."""
    return frozenset(conn.execute(_muted_by(player)).scalars())


def of_player(conn: sa.Connection, player: int) -> list[Message]:
    """All that a player has written, the newest first: part of their own data."""
    return [Message(*row) for row in conn.execute(_ALL.where(MESSAGE.c.player == player))]


def _muted_by(player: int) -> sa.Select[int]:
    return sa.select(MUTE.c.muted).where(MUTE.c.player == player)


def _just_said(conn: sa.Connection, match: str, player: int, text: str, now: int) -> bool:
    mine = sa.and_(MESSAGE.c.match == match, MESSAGE.c.player == player)
    query = sa.select(MESSAGE.c.text, MESSAGE.c.created).where(mine).order_by(MESSAGE.c.id.desc())
    last = conn.execute(query.limit(1)).first()
    return last is not None and last.text == text and now < last.created + TWICE_SECONDS


def _mail(site: Site, conn: sa.Connection, match: str, author: int, new: int, now: int) -> None:
    """A mail to each of the others, unless one is about to go that will bring this along."""
    about = replace(news.snapshot(conn, match), message=new)
    waiting, newest = (
        drafts.unclaimed(conn, match, "message"),
        outbox.newest(conn, match, "message"),
    )
    for seat in _readers(conn, match, author):
        assert seat.number is not None
        if seat.number in waiting:
            continue
        mail = Mail(
            "message",
            f"message:{new}:{seat.number}",
            news.to(site, seat),
            about,
            match=match,
            seat=seat.number,
            not_before=max(now + SOON, newest.get(seat.number, 0) + PAUSE),
            expires=now + MAIL_SECONDS,
        )
        outbox.queue(conn, mail, now)


def _readers(conn: sa.Connection, match: str, author: int) -> Sequence[SeatRow]:
    """The other players, without those who have muted the author."""
    query = sa.select(MUTE.c.player).where(MUTE.c.muted == author)
    deaf = {author, *conn.execute(query).scalars()}
    seats = matches.seats(conn, match)
    return [seat for seat in seats if seat.player is not None and seat.player not in deaf]


def _take_back_mail(conn: sa.Connection, match: str) -> None:
    seats = {seat.number: seat.player for seat in matches.seats(conn, match)}
    for number, (mail, about) in drafts.unclaimed(conn, match, "message").items():
        reader = seats.get(number)
        if reader is None or not since(conn, match, reader, about.message):
            drafts.take_back(conn, mail)
