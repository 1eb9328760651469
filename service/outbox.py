"""The mails to be sent: queued with what they are about, claimed, settled.

A row says what a mail is to say. The worker claims it, composes it and commits its bytes, marks it
as being sent, sends it, and settles it; each step is a compare-and-set by its claim. What a crash
leaves is claimed again when the claim has run out, and sent with the same bytes.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from service.db import ENGINES, Database, insert
from service.kinds import OF_A_TURN, Kind
from service.models import MATCH, OUTBOX, PLAYER
from service.snapshot import Reply as Reply
from service.snapshot import Snapshot as Snapshot

State = Literal[
    "pending",  # to be composed
    "ready",  # composed
    "sending",  # handed to the network, the answer is not known yet
    "sent",
    "deferred",  # to be tried again
    "uncertain",  # perhaps sent: the answer was lost; once more with the same bytes
    "failed",
    "suppressed",  # the reader does not want it, or it cannot reach them
    "superseded",  # the turn was over before it was sent
    "expired",
]
UNSENT: tuple[State, ...] = ("pending", "ready", "deferred")
WAITING: tuple[State, ...] = (*UNSENT, "uncertain")
"""To be sent; an uncertain mail only until its time is over, and then it stays uncertain."""
LEASE = 120
BATCH = 50


@dataclass(frozen=True)
class To:
    """Whom a mail goes to, and how it speaks."""

    address: str
    language: str
    zone: str


@dataclass(frozen=True)
class Mail:
    """A mail to be queued: one for each key, ever.

    `wait` is the record that the turn it is about waits on, `record` the newest record it knows:
    it is composed once that head is signed. `link` is the row of its link.
    """

    kind: Kind
    key: str
    to: To
    about: Snapshot
    match: str | None = None
    seat: int | None = None
    wait: int | None = None
    record: int | None = None
    link: str | None = None
    not_before: int = 0
    expires: int | None = None


@dataclass(frozen=True)
class Row:
    """A mail that this worker has claimed."""

    id: int
    kind: Kind
    match: str | None
    seat: int | None
    wait: int | None
    record: int | None
    address: str
    language: str
    zone: str
    link: str | None
    snapshot: str
    message_id: str
    state: State
    expires: int | None
    attempts: int
    raw: bytes | None
    created: int

    @property
    def to(self) -> To:
        return To(self.address, self.language, self.zone)

    @property
    def about(self) -> Snapshot:
        return Snapshot.parse(self.snapshot)


@dataclass(frozen=True)
class Settled:
    """What became of an attempt; `due` is the time of the next one, if there is to be one.

    An attempt that failed before the other side looked at the mail does not count.
    """

    id: int
    state: State
    code: int | None = None
    text: str | None = None
    due: int | None = None
    counts: bool = True


_ROW = [OUTBOX.c[name] for name in Row.__dataclass_fields__]
_QUEUE = {
    name: insert(name, OUTBOX)
    .on_conflict_do_nothing(index_elements=["dedup_key"])
    .returning(OUTBOX.c.id)
    for name in ENGINES
}
_SUPERSEDE = OUTBOX.update().where(
    OUTBOX.c.match == sa.bindparam("of"),
    OUTBOX.c.kind.in_(sa.bindparam("kinds", expanding=True)),
    OUTBOX.c.state.in_(WAITING),
)
_PASSED = sa.and_(
    OUTBOX.c.kind.in_(OF_A_TURN),
    ~sa.exists().where(
        MATCH.c.id == OUTBOX.c.match, MATCH.c.wait == OUTBOX.c.wait, MATCH.c.mover == OUTBOX.c.seat
    ),
)
_OVERTAKEN = sa.select(OUTBOX.c.id).where(
    OUTBOX.c.id == sa.bindparam("mail"),
    sa.or_(OUTBOX.c.owner.is_distinct_from(sa.bindparam("mine")), _PASSED),
)


def queue(conn: sa.Connection, mail: Mail, now: int) -> bool:
    """Queues a mail; False if one with its key was queued before."""
    row = {
        "kind": mail.kind,
        "dedup_key": mail.key,
        "match": mail.match,
        "seat": mail.seat,
        "wait": mail.wait,
        "record": mail.record,
        "address": mail.to.address,
        "language": mail.to.language,
        "zone": mail.to.zone,
        "link": mail.link,
        "snapshot": mail.about.text(),
        "message_id": secrets.token_hex(16),
        "state": "pending",
        "due": max(now, mail.not_before),
        "expires": mail.expires,
        "attempts": 0,
        "created": now,
    }
    return conn.execute(_QUEUE[conn.dialect.name], row).first() is not None


def queued(conn: sa.Connection, key: str) -> bool:
    """Whether a mail with this key has been queued, whatever became of it."""
    query = sa.select(OUTBOX.c.id).where(OUTBOX.c.dedup_key == key)
    return conn.execute(query).first() is not None


def newest(conn: sa.Connection, match: str, kind: Kind) -> dict[int, int]:
    """By seat: when the newest mail of a kind in a match was queued."""
    mine = sa.and_(OUTBOX.c.match == match, OUTBOX.c.kind == kind)
    last = sa.func.max(OUTBOX.c.created).label("last")
    rows = conn.execute(sa.select(OUTBOX.c.seat, last).where(mine).group_by(OUTBOX.c.seat))
    return {row.seat: row.last for row in rows}


def shown(conn: sa.Connection, key: str) -> int | None:
    """The record that the mail with a key shows."""
    query = sa.select(OUTBOX.c.record).where(OUTBOX.c.dedup_key == key)
    record: int | None = conn.execute(query).scalar()
    return record


def supersede(conn: sa.Connection, match: str, kinds: Sequence[Kind] = OF_A_TURN) -> None:
    """Takes back the unsent mails of a match that have these kinds."""
    conn.execute(_SUPERSEDE, {"of": match, "kinds": kinds, "state": "superseded"})


def postpone(conn: sa.Connection, match: str, expires: int | None) -> None:
    """Moves the end of the unsent mails about a turn whose deadline has moved."""
    mine = sa.and_(OUTBOX.c.match == match, OUTBOX.c.state.in_(WAITING))
    turn = OUTBOX.update().where(mine, OUTBOX.c.kind.in_(OF_A_TURN))
    conn.execute(turn.values(expires=expires))


def claim(db: Database, owner: str, now: int, limit: int = BATCH) -> list[Row]:
    """Claims mails that are due, for LEASE seconds, in the order in which they became so: what was
    in the way of others stands behind them. `owner` names one run of one worker."""
    due = sa.and_(unsettled(now), OUTBOX.c.due <= now)
    with db.read() as conn:
        if conn.execute(sa.select(OUTBOX.c.id).where(due).limit(1)).first() is None:
            return []
    with db.relaxed() as conn:
        broken = sa.case((OUTBOX.c.state == "sending", "uncertain"), else_=OUTBOX.c.state)
        late = sa.case((OUTBOX.c.state.in_(UNSENT), "expired"), else_="uncertain")
        conn.execute(OUTBOX.update().where(due, OUTBOX.c.expires <= now).values(state=late))
        chosen = (
            sa.select(OUTBOX.c.id)
            .where(due)
            .order_by(OUTBOX.c.due, OUTBOX.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        ids = list(conn.execute(chosen).scalars())
        claimed = (
            OUTBOX.update()
            .where(OUTBOX.c.id.in_(ids))
            .values(owner=owner, due=now + LEASE, state=broken)
            .returning(*_ROW)
        )
        return sorted(
            (Row(*row) for row in conn.execute(claimed)), key=lambda row: ids.index(row.id)
        )


def composed(
    db: Database,
    owner: str,
    mails: Iterable[tuple[int, bytes]],
    words: Mapping[int, str] | None = None,
    bounces: Mapping[int, bytes] | None = None,
) -> None:
    """Commits the bytes of claimed mails, which every attempt sends; `words` is what they say, by
    which an answer is told from them, `bounces` are the hashes by which they are known if they come
    back."""
    with db.relaxed() as conn:  # what `sending` commits, before anything is sent, takes it along
        for id, raw in mails:
            values: dict[str, object] = {"raw": raw, "raw_sha256": hashlib.sha256(raw).digest()}
            values |= {"state": "ready", "words": (words or {}).get(id)}
            values |= {"bounce": (bounces or {}).get(id)}
            mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.owner == owner, OUTBOX.c.raw.is_(None))
            conn.execute(OUTBOX.update().where(mine, OUTBOX.c.state == "pending").values(values))


def sending(db: Database, owner: str, ids: Sequence[int], now: int) -> set[int]:
    """Commits that claimed, composed mails are being sent, and says which; a mail about a turn
    that has passed is superseded instead.

    If the worker dies then, all that it has not settled is uncertain.
    """
    mine = sa.and_(OUTBOX.c.id.in_(ids), OUTBOX.c.owner == owner)
    waiting = sa.and_(mine, OUTBOX.c.state.in_(WAITING), OUTBOX.c.raw.is_not(None))
    with db.write() as conn:
        conn.execute(OUTBOX.update().where(waiting, _PASSED).values(state="superseded"))
        sent = OUTBOX.update().where(waiting)
        values = {"state": "sending", "due": now + LEASE}
        return set(conn.execute(sent.values(values).returning(OUTBOX.c.id)).scalars())


def overtaken(db: Database, owner: str, id: int) -> bool:
    """Whether a mail that is about to be sent is about a turn that has passed meanwhile, or has
    been claimed by another worker."""
    with db.read() as conn:
        return conn.execute(_OVERTAKEN, {"mail": id, "mine": owner}).first() is not None


def settle(db: Database, owner: str, results: Iterable[Settled], now: int) -> None:
    """Commits what became of mails that were being sent, unless another worker has taken over."""
    with db.relaxed() as conn:
        for result in results:
            mine = sa.and_(OUTBOX.c.id == result.id, OUTBOX.c.owner == owner)
            sending = OUTBOX.update().where(mine, OUTBOX.c.state == "sending")
            conn.execute(sending.values(_settling(result, now)))


def _settling(result: Settled, now: int) -> dict[str, object]:
    values: dict[str, object] = {
        "state": result.state,
        "last_code": result.code,
        "last_text": result.text,
        "due": now if result.due is None else result.due,
        "attempts": OUTBOX.c.attempts + int(result.counts),
        "sent": now if result.state == "sent" else None,
    }
    over = result.state == "uncertain" and result.due is None
    return values | {"expires": now} if over else values


def put_back(db: Database, owner: str, rows: Iterable[Row], due: int, why: str = "") -> None:
    """Gives mails back that were going to be sent and were not; `why`, if the way out was to
    blame."""
    blamed = {"last_code": None, "last_text": why} if why else {}
    with db.relaxed() as conn:
        for row in rows:
            state = "ready" if row.state == "pending" else row.state
            mine = sa.and_(OUTBOX.c.id == row.id, OUTBOX.c.owner == owner)
            unsent = OUTBOX.update().where(mine, OUTBOX.c.state == "sending")
            conn.execute(unsent.values({"state": state, "due": due, "owner": None} | blamed))


def hold(conn: sa.Connection, owner: str, id: int, state: State, why: str, now: int) -> None:
    """Settles a claimed mail that is not sent, and says why."""
    mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.owner == owner, OUTBOX.c.state.in_(WAITING))
    conn.execute(OUTBOX.update().where(mine).values(state=state, due=now, last_text=why))


def later(conn: sa.Connection, owner: str, id: int, due: int) -> None:
    """Gives a claimed mail back, to be sent from a time on."""
    mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.owner == owner, OUTBOX.c.state.in_(WAITING))
    conn.execute(OUTBOX.update().where(mine).values(due=due, owner=None))


def revive(conn: sa.Connection, address: str, now: int) -> None:
    """Mails about turns that still wait go out after all, if they did not for their reader's sake
    and that has changed."""
    folded = address.casefold()
    mine = sa.select(PLAYER.c.address).where(PLAYER.c.folded == folded).scalar_subquery()
    held = sa.and_(OUTBOX.c.address == mine, OUTBOX.c.state == "suppressed", ~_PASSED)
    turns = OUTBOX.c.kind.in_(OF_A_TURN)
    until = sa.select(MATCH.c.deadline).where(MATCH.c.id == OUTBOX.c.match).scalar_subquery()
    values = {"state": "pending", "due": now, "raw": None, "last_text": None, "expires": until}
    conn.execute(OUTBOX.update().where(held, turns).values(values))


def readdress(conn: sa.Connection, old: str, new: str) -> None:
    """Mails that nobody has written yet go to another address of their reader."""
    mine = sa.and_(OUTBOX.c.address == old, OUTBOX.c.state == "pending")
    theirs = OUTBOX.c.kind.not_in(("change", "arrival", "deletion", "access", "confirm"))
    conn.execute(OUTBOX.update().where(mine, theirs).values(address=new))


def release(db: Database, owner: str, ids: Sequence[int], due: int) -> None:
    """Gives claimed mails back unsent, to be tried again from a time on."""
    with db.write() as conn:
        mine = sa.and_(OUTBOX.c.id.in_(ids), OUTBOX.c.owner == owner)
        conn.execute(
            OUTBOX.update().where(mine, OUTBOX.c.state.in_(WAITING)).values(due=due, owner=None)
        )


def abandon(db: Database, owner: str, ids: Sequence[int], why: str, now: int) -> None:
    """Gives up claimed mails that were never sent."""
    with db.write() as conn:
        mine = sa.and_(OUTBOX.c.id.in_(ids), OUTBOX.c.owner == owner)
        values = {"state": "failed", "due": now, "last_text": why}
        conn.execute(OUTBOX.update().where(mine, OUTBOX.c.state.in_(WAITING)).values(values))


def unsettled(now: int) -> sa.ColumnElement[bool]:
    """Whether something is still to become of a mail."""
    uncertain = sa.and_(
        OUTBOX.c.state == "uncertain", sa.or_(OUTBOX.c.expires.is_(None), OUTBOX.c.expires > now)
    )
    return sa.or_(OUTBOX.c.state.in_((*UNSENT, "sending")), uncertain)


def stalled(conn: sa.Connection, now: int, seconds: int) -> int:
    """How many mails wait while none has gone out for so long, though some should have, or the way
    out was tried for them in vain."""
    since = now - seconds
    gone = sa.select(OUTBOX.c.id).where(OUTBOX.c.state == "sent", OUTBOX.c.due > since)
    if conn.execute(gone.limit(1)).first() is not None:
        return 0
    vain = sa.and_(OUTBOX.c.last_text.is_not(None), OUTBOX.c.last_code.is_(None))
    old = sa.or_(OUTBOX.c.due <= since, sa.and_(vain, OUTBOX.c.created <= since))
    waiting = sa.and_(unsettled(now), sa.or_(OUTBOX.c.due <= now, vain))
    query = sa.select(sa.func.count(), sa.func.max(sa.case((old, 1), else_=0))).where(waiting)
    count, any_old = conn.execute(query).one()
    return count if any_old else 0


def previous(conn: sa.Connection, row: Row, *, same_turn: bool = False) -> str | None:
    """The `message_id` of the mail before this one in the same match to the same address, or even
    at the same record; access links stand apart."""
    before = sa.and_(
        OUTBOX.c.match == row.match, OUTBOX.c.address == row.address, OUTBOX.c.kind != "access"
    )
    if same_turn:
        before &= OUTBOX.c.record == row.record
    query = sa.select(OUTBOX.c.message_id).where(before, OUTBOX.c.id < row.id)
    sent = query.where(OUTBOX.c.state.in_(("sent", "sending", "uncertain")))
    return conn.execute(sent.order_by(OUTBOX.c.id.desc()).limit(1)).scalar()


def blank(db: Database, now: int, seconds: int = 7 * 86_400) -> None:
    """Forgets the bytes of mails settled long ago: they hold links that may still work."""
    with db.write() as conn:
        old = sa.and_(OUTBOX.c.due < now - seconds, OUTBOX.c.raw.is_not(None))
        conn.execute(OUTBOX.update().where(old, ~unsettled(now)).values(raw=None))
