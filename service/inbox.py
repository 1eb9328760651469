"""The mails that came in: kept as they are, acknowledged, and then taken up one by one.

Every way in stores a mail in a transaction of its own before it says that it has it; what a mail
is brought by twice is kept once. What it comes to is another matter, and stands in `verdict`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import sqlalchemy as sa

from service import beat
from service.db import ENGINES, Database, insert
from service.models import ALIAS, INBOUND, LINK, MATCH, OUTBOX, VERDICT
from service.settings import Settings

State = Literal[
    "new",
    "done",
    "broken",  # it could not be taken up, however often that was tried
]
MOST = 1_000_000
"""Bytes of a mail that is kept as a whole."""
KEPT = 65_536
"""Bytes that are kept of a larger one."""
BATCH = 50
LATE_SECONDS = 120
"""What a mailbox may take to show a mail that has arrived."""
LONGEST_WAIT = 86_400
RELEASED = "released"
"""The outcome of a mail until it is taken up that a person wrote, whatever its signs say."""
PAUSES = (60, 300, 1_800, 7_200)
"""Seconds after which a mail that could not be taken up is tried again."""
HOPELESS = 3
"""After so many tries, within minutes, a mail holds up nobody's time-out any more."""
ASKED = ("help", "board")
"""Answers that were asked for: they say nothing of what is wrong."""
RAW_SECONDS = 30 * 86_400
"""For so long a mail is kept; its hash stands in the record for ever."""


@dataclass(frozen=True)
class Arrival:
    """A mail as it was brought: `key` names it on the way that it came."""

    key: str
    raw: bytes = field(repr=False)
    arrived: int
    recipient: str = ""
    sender: str = ""
    size: int | None = None
    """Of the whole mail, if `raw` is its beginning."""


@dataclass(frozen=True)
class Row:
    """A mail that waits to be taken up."""

    id: int
    key: str
    recipient: str
    sender: str
    arrived: int
    size: int
    raw: bytes = field(repr=False)
    sha256: bytes
    attempts: int
    outcome: str | None = None

    @property
    def whole(self) -> bool:
        return self.size == len(self.raw)


@dataclass(frozen=True)
class Taken:
    """What a mail said to one turn or invitation, and what it came to."""

    route: bytes
    identity: bytes
    inbound: int
    link: str
    author: str
    action: str
    reason: str
    line: str = ""
    hold: str | None = None
    answered: bool = False


@dataclass(frozen=True)
class Sent:
    """A mail of ours that an answer may refer to."""

    message_id: str
    match: str | None
    seat: int | None
    wait: int | None
    link: str | None


@dataclass(frozen=True)
class Held:
    """A line that a stranger sent for a turn, and the mail it came in."""

    author: str
    line: str
    sha256: bytes
    arrived: int
    match: str
    seat: int
    wait: int


_ROW = [INBOUND.c[name] for name in Row.__dataclass_fields__]
_STORE = {
    name: insert(name, INBOUND)
    .on_conflict_do_nothing(index_elements=["key"])
    .returning(INBOUND.c.id)
    for name in ENGINES
}
_TAKE = {
    name: insert(name, VERDICT)
    .on_conflict_do_nothing(index_elements=["route", "identity"])
    .returning(VERDICT.c.id)
    for name in ENGINES
}


def store(db: Database, mail: Arrival) -> bool:
    """Keeps a mail; False if it was there. Once this returns the mail may be acknowledged."""
    values = {
        "key": mail.key,
        "recipient": mail.recipient[:400],
        "sender": mail.sender[:400],
        "arrived": mail.arrived,
        "size": len(mail.raw) if mail.size is None else mail.size,
        "raw": mail.raw if len(mail.raw) <= MOST else mail.raw[:KEPT],
        "sha256": hashlib.sha256(mail.raw).digest(),
        "state": "new",
        "due": mail.arrived,
        "attempts": 0,
    }
    with db.write() as conn:
        return conn.execute(_STORE[conn.dialect.name], values).first() is not None


def due(db: Database, now: int) -> list[Row]:
    """Mails to be taken up, in the order in which they came."""
    waiting = sa.and_(INBOUND.c.state == "new", INBOUND.c.due <= now, INBOUND.c.raw.is_not(None))
    query = sa.select(*_ROW).where(waiting).order_by(INBOUND.c.due, INBOUND.c.id).limit(BATCH)
    with db.read() as conn:
        return [Row(*row) for row in conn.execute(query)]


def seize(conn: sa.Connection, row: Row) -> bool:
    """Whether a mail still waits; no other worker takes it up until this transaction is over."""
    query = sa.select(INBOUND.c.id).where(INBOUND.c.id == row.id, INBOUND.c.state == "new")
    return conn.execute(query.with_for_update(skip_locked=True)).first() is not None


def take(conn: sa.Connection, taken: Taken, now: int) -> bool:
    """Notes what a mail came to; False if this mail has said it to this turn before."""
    values = {name: getattr(taken, name) for name in Taken.__dataclass_fields__}
    return conn.execute(_TAKE[conn.dialect.name], {**values, "created": now}).first() is not None


def known(conn: sa.Connection, route: bytes, identity: bytes, inbound: int) -> str:
    """What a mail came to that has been taken up on this route before; "" if it has not been. It is
    its own duplicate only if it came in twice, not if it is taken up once more after a crash."""
    same = sa.and_(VERDICT.c.route == route, VERDICT.c.identity == identity)
    query = sa.select(VERDICT.c.inbound, VERDICT.c.action, VERDICT.c.reason).where(same)
    row = conn.execute(query).first()
    if row is None:
        return ""
    return outcome(row.action, row.reason) if row.inbound == inbound else "duplicate"


def outcome(action: str, reason: str) -> str:
    """What a mail came to, in a word for the operator."""
    return f"{action}:{reason}" if reason else action


def answers(conn: sa.Connection, link: str) -> int:
    """How many mails have said what was wrong with answers to a turn or an invitation."""
    wrong = VERDICT.c.reason.not_in(ASKED)
    mine = sa.and_(VERDICT.c.link == link, VERDICT.c.answered, wrong)
    return conn.execute(sa.select(sa.func.count()).where(mine)).scalar_one()


def said(conn: sa.Connection, link: str, reason: str) -> bool:
    """Whether a mail has said this about answers to a turn."""
    same = sa.and_(VERDICT.c.link == link, VERDICT.c.reason == reason, VERDICT.c.answered)
    return conn.execute(sa.select(VERDICT.c.id).where(same).limit(1)).first() is not None


def holds(conn: sa.Connection, link: str) -> bool:
    """Whether a line for a turn waits for its player's word."""
    held = sa.and_(VERDICT.c.link == link, VERDICT.c.hold.is_not(None))
    return conn.execute(sa.select(VERDICT.c.id).where(held).limit(1)).first() is not None


def finish(conn: sa.Connection, id: int, outcome: str) -> None:
    """Settles a mail."""
    values = {"state": "done", "outcome": outcome}
    conn.execute(INBOUND.update().where(INBOUND.c.id == id).values(values))


def put_off(db: Database, row: Row, why: str, now: int) -> None:
    """Lets a mail wait that could not be taken up, in the end for good."""
    broken = row.attempts >= len(PAUSES)
    values = {
        "state": "broken" if broken else "new",
        "due": now if broken else now + PAUSES[row.attempts],
        "attempts": row.attempts + 1,
        "outcome": why,
    }
    waiting = sa.and_(INBOUND.c.id == row.id, INBOUND.c.state == "new")
    with db.write() as conn:
        conn.execute(INBOUND.update().where(waiting).values(values))


def settled(conn: sa.Connection, settings: Settings, deadline: int, now: int) -> bool:
    """Whether no mail that arrived before a deadline can still turn up.

    Mails that wait here may be anybody's move, unless they were tried in vain. Where we fetch them
    ourselves, they may also wait there until we have looked once after the deadline; but for a day
    at most. A letter box of our own into which nobody has looked yet is empty.
    """
    waits = sa.and_(INBOUND.c.state == "new", INBOUND.c.attempts < HOPELESS)
    early = sa.and_(waits, INBOUND.c.arrived < deadline)
    if conn.execute(sa.select(INBOUND.c.id).where(early).limit(1)).first() is not None:
        return False
    if not settings.fetches or now >= deadline + LONGEST_WAIT:
        return True
    looked = beat.last(conn).get("inbound")
    if looked is None:
        return settings.embedded
    return looked >= deadline + LATE_SECONDS


def fetched(db: Database, began: int) -> None:
    """Notes that all was fetched that was there when a look into the mailboxes began."""
    beat.beat(db, "inbound", began)


def aliases(conn: sa.Connection, player: int) -> frozenset[str]:
    """Other addresses from which a player may answer."""
    query = sa.select(ALIAS.c.folded).where(ALIAS.c.player == player)
    return frozenset(conn.execute(query).scalars())


def befriend(conn: sa.Connection, player: int, folded: str, now: int) -> None:
    """Lets a player answer from an address from now on."""
    row = insert(conn.dialect.name, ALIAS).values(player=player, folded=folded, created=now)
    conn.execute(row.on_conflict_do_nothing())


def sent_words(conn: sa.Connection, match: str | None, address: str) -> list[str]:
    """What the newest mails of a match to an address say, or those of none, to be told from an
    answer to them. Not what other players wrote: a move that stands in it could not be played."""
    mine = sa.and_(
        OUTBOX.c.match.is_not_distinct_from(match),
        OUTBOX.c.address == address,
        OUTBOX.c.kind != "message",
    )
    query = sa.select(OUTBOX.c.words).where(mine, OUTBOX.c.words.is_not(None))
    return list(conn.execute(query.order_by(OUTBOX.c.id.desc()).limit(20)).scalars())


def sent(conn: sa.Connection, names: Sequence[str]) -> list[Sent]:
    """The mails of ours that have these names, in the order of the names."""
    columns = [OUTBOX.c[name] for name in Sent.__dataclass_fields__]
    query = sa.select(*columns).where(OUTBOX.c.message_id.in_(names))
    rows = {row.message_id: Sent(*row) for row in conn.execute(query)}
    return [rows[name] for name in names if name in rows]


def held(conn: sa.Connection, hold: str) -> Held:
    """The line that a link lets play."""
    query = (
        sa.select(
            VERDICT.c.author,
            VERDICT.c.line,
            INBOUND.c.sha256,
            INBOUND.c.arrived,
            LINK.c.match,
            LINK.c.seat,
            LINK.c.wait,
        )
        .join(INBOUND, INBOUND.c.id == VERDICT.c.inbound)
        .join(LINK, LINK.c.id == VERDICT.c.link)
        .where(VERDICT.c.hold == hold)
    )
    return Held(*conn.execute(query).one())


def forget(db: Database, now: int) -> None:
    """Forgets the bytes of mails after their time."""
    old = sa.and_(INBOUND.c.arrived < now - RAW_SECONDS, INBOUND.c.raw.is_not(None))
    with db.write() as conn:
        conn.execute(INBOUND.update().where(old, INBOUND.c.state != "new").values(raw=None))


def forget_words(db: Database, now: int, seconds: int = 60 * 86_400) -> None:
    """Forgets what our own mails said about matches that ended long ago, and what was about none
    and is as old."""
    over = sa.and_(MATCH.c.phase == "closed", MATCH.c.changed < now - seconds)
    stale = sa.and_(OUTBOX.c.match.is_(None), OUTBOX.c.created < now - seconds)
    old = sa.or_(OUTBOX.c.match.in_(sa.select(MATCH.c.id).where(over)), stale)
    with db.write() as conn:
        forgotten = OUTBOX.update().where(old, OUTBOX.c.words.is_not(None))
        conn.execute(forgotten.values(words=None))
