"""The counter of the post office: what the operator sees of the outbox, and does about it."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from service import outbox, reach
from service.models import MATCH, OUTBOX, REACH
from service.outbox import State
from service.site import Site

PAGE = 50
TROUBLED: tuple[State, ...] = ("failed", "uncertain", "expired", "suppressed")
STATES: tuple[State, ...] = (*TROUBLED, "deferred", "pending", "ready", "sending", "superseded")
AGAIN: tuple[State, ...] = ("failed", "expired", "uncertain", "deferred", "suppressed")
"""States out of which a mail can be tried once more."""
AGAIN_SECONDS = 86_400
"""For so long a mail is tried once more whose time was over."""
SKIPPED = "the operator skipped it"


@dataclass(frozen=True)
class Entry:
    """A mail in the list; `back` says that mails to its address have stopped."""

    id: int
    kind: str
    state: State
    address: str
    code: str
    attempts: int
    said: str
    created: int
    due: int
    back: bool

    @property
    def again(self) -> bool:
        return self.state in AGAIN

    @property
    def waits(self) -> bool:
        return self.state in outbox.WAITING


def counts(site: Site) -> dict[State, int]:
    """How many mails are in each state; what was sent is not counted."""
    query = sa.select(OUTBOX.c.state, sa.func.count()).group_by(OUTBOX.c.state)
    with site.db.read() as conn:
        found = {row[0]: row[1] for row in conn.execute(query.where(OUTBOX.c.state != "sent"))}
    return {state: found[state] for state in STATES if state in found}


def mails(site: Site, state: State, before: int | None = None) -> list[Entry]:
    """Mails of a state, the newest first; `before` is the last that was seen."""
    older = sa.true() if before is None else OUTBOX.c.id < before
    stopped = sa.and_(
        REACH.c.folded == sa.func.lower(OUTBOX.c.address), REACH.c.suppressed.is_not(None)
    )
    query = (
        sa.select(OUTBOX, MATCH.c.code, sa.exists().where(stopped).label("back"))
        .outerjoin(MATCH, MATCH.c.id == OUTBOX.c.match)
        .where(OUTBOX.c.state == state, older)
        .order_by(OUTBOX.c.id.desc())
        .limit(PAGE)
    )
    with site.db.read() as conn:
        return [_entry(row) for row in conn.execute(query)]


def again(site: Site, id: int, now: int) -> bool:
    """Tries a mail once more at once, with the bytes that it has; whether it could be."""
    over = sa.case((OUTBOX.c.expires <= now, now + AGAIN_SECONDS), else_=OUTBOX.c.expires)
    state = sa.case((OUTBOX.c.raw.is_(None), "pending"), else_="deferred")
    mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.state.in_(AGAIN))
    with site.db.write() as conn:
        tried = OUTBOX.update().where(mine).values(state=state, due=now, expires=over, owner=None)
        return conn.execute(tried).rowcount == 1


def skip(site: Site, id: int, now: int) -> bool:
    """Gives a mail up that waits; whether it did."""
    mine = sa.and_(OUTBOX.c.id == id, OUTBOX.c.state.in_(outbox.WAITING))
    values = {"state": "failed", "due": now, "last_text": SKIPPED, "owner": None}
    with site.db.write() as conn:
        return conn.execute(OUTBOX.update().where(mine).values(values)).rowcount == 1


def readmit(site: Site, id: int, now: int) -> bool:
    """Lets mail go to the address of this one again; whether it had stopped."""
    query = sa.select(OUTBOX.c.address).where(OUTBOX.c.id == id)
    with site.db.write() as conn:
        address = conn.execute(query).scalar()
        if address is None or not reach.suppressed(conn, address):
            return False
        reach.alive(conn, address, now)
        return True


def _entry(row: sa.Row[tuple[object, ...]]) -> Entry:
    fields = row._mapping
    return Entry(
        id=fields[OUTBOX.c.id],
        kind=fields[OUTBOX.c.kind],
        state=fields[OUTBOX.c.state],
        address=fields[OUTBOX.c.address],
        code=fields[MATCH.c.code] or "",
        attempts=fields[OUTBOX.c.attempts],
        said=fields[OUTBOX.c.last_text] or "",
        created=fields[OUTBOX.c.created],
        due=fields[OUTBOX.c.due],
        back=bool(fields["back"]),
    )
