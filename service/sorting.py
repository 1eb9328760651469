"""The sorting table of the post office: what the operator sees of the inbox, and does about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

import sqlalchemy as sa

from service import inbox
from service.models import INBOUND, LINK, MATCH, VERDICT
from service.site import Site

Heap = Literal[
    "broken",  # it could not be taken up, however often that was tried
    "new",
    "silent",  # what was wrong has been said often enough
    "hold",
    "ignore",
    "nobody",
    "machine",
    "back",
    "answer",
    "done",
]
HEAPS: tuple[Heap, ...] = get_args(Heap)
PAGE = 50
HEAD = 16_384
"""Bytes of a mail that its headers are looked for in."""
SKIPPED = "skipped"
_SHOWN = [column for column in INBOUND.c if column.name not in ("key", "raw", "sha256")]
_HEAPS: Mapping[str, Heap] = {
    "silent": "silent",
    "hold": "hold",
    "ignore": "ignore",
    "duplicate": "ignore",
    "nobody's": "nobody",
    "automatic": "machine",
    "reaction": "machine",
    "receipt": "machine",
    "loop": "machine",
    "bounce": "back",
    "complaint": "back",
    "answer": "answer",
}


@dataclass(frozen=True)
class Entry:
    """A mail in the list, and what it came to: for each turn that it answered a word, and after a
    colon why."""

    id: int
    heap: Heap
    codes: tuple[str, ...]
    """Of the matches that it was for."""
    outcomes: tuple[str, ...]
    recipient: str
    sender: str
    arrived: int
    due: int
    attempts: int
    size: int
    head: bytes = field(repr=False)

    @property
    def again(self) -> bool:
        return bool(self.head) and self.heap in ("broken", "new", "nobody")

    @property
    def human(self) -> bool:
        """Whether a person may have written it after all."""
        return bool(self.head) and self.outcomes[:1] in (("automatic",), ("reaction",))

    @property
    def waits(self) -> bool:
        return self.heap == "new"


def counts(site: Site) -> dict[Heap, int]:
    """How many mails lie on each heap."""
    query = sa.select(INBOUND.c.state, INBOUND.c.outcome, sa.func.count())
    found: Counter[Heap] = Counter()
    with site.db.read() as conn:
        for state, outcome, count in conn.execute(
            query.group_by(INBOUND.c.state, INBOUND.c.outcome)
        ):
            found[_heap(state, outcome)] += count
    return {heap: found[heap] for heap in HEAPS if heap in found}


def mails(site: Site, heap: Heap, before: int | None = None) -> list[Entry]:
    """Mails of a heap, the newest first; `before` is the last that was seen."""
    older = sa.true() if before is None else INBOUND.c.id < before
    head = sa.func.substr(INBOUND.c.raw, 1, HEAD).label("head")
    with site.db.read() as conn:
        query = sa.select(*_SHOWN, head).where(_on(conn, heap), older)
        newest = query.order_by(INBOUND.c.id.desc()).limit(PAGE)
        rows = conn.execute(newest).mappings().all()
        codes = _codes(conn, [row["id"] for row in rows])
    return [_entry(row, codes.get(row["id"], ())) for row in rows]


def again(site: Site, id: int, now: int) -> bool:
    """Takes a mail up once more at once; whether it can be."""
    may = sa.or_(INBOUND.c.state.in_(("broken", "new")), INBOUND.c.outcome == "nobody's")
    return _put(site, id, may, {"state": "new", "due": now, "attempts": 0})


def release(site: Site, id: int, now: int) -> bool:
    """Takes a mail up as a person's that passed for a machine's; whether it can be."""
    may = INBOUND.c.outcome.in_(("automatic", "reaction"))
    values = {"state": "new", "due": now, "attempts": 0, "outcome": inbox.RELEASED}
    return _put(site, id, may, values)


def skip(site: Site, id: int, now: int) -> bool:
    """Gives a mail up that waits, so that no clock waits for it; whether it did."""
    return _put(site, id, INBOUND.c.state == "new", {"state": "done", "outcome": SKIPPED})


def _put(site: Site, id: int, may: sa.ColumnElement[bool], values: Mapping[str, object]) -> bool:
    mine = sa.and_(INBOUND.c.id == id, INBOUND.c.raw.is_not(None), may)
    with site.db.write() as conn:
        return conn.execute(INBOUND.update().where(mine).values(values)).rowcount == 1


def _heap(state: str, outcome: str | None) -> Heap:
    if state == "broken":
        return "broken"
    if state == "new":
        return "new"
    return _HEAPS.get((outcome or "").partition(" ")[0].partition(":")[0], "done")


def _on(conn: sa.Connection, heap: Heap) -> sa.ColumnElement[bool]:
    """Whether a mail lies on a heap: there are few outcomes, whatever the number of mails."""
    every = conn.execute(sa.select(INBOUND.c.state, INBOUND.c.outcome).distinct()).all()
    mine = [outcome for state, outcome in every if _heap(state, outcome) == heap]
    if heap in ("broken", "new"):
        return INBOUND.c.state == heap
    return sa.and_(INBOUND.c.state == "done", INBOUND.c.outcome.in_(mine))


def _codes(conn: sa.Connection, ids: list[int]) -> dict[int, tuple[str, ...]]:
    """By mail: the matches that it was for."""
    joined = VERDICT.join(LINK, LINK.c.id == VERDICT.c.link).join(MATCH, MATCH.c.id == LINK.c.match)
    query = sa.select(VERDICT.c.inbound, MATCH.c.code).select_from(joined)
    found: dict[int, tuple[str, ...]] = {}
    for id, code in conn.execute(query.where(VERDICT.c.inbound.in_(ids)).order_by(VERDICT.c.id)):
        found[id] = (*found.get(id, ()), code)
    return found


def _entry(row: sa.RowMapping, codes: tuple[str, ...]) -> Entry:
    return Entry(
        id=row["id"],
        heap=_heap(row["state"], row["outcome"]),
        codes=codes,
        outcomes=tuple((row["outcome"] or "").split(" ")),
        recipient=row["recipient"],
        sender=row["sender"],
        arrived=row["arrived"],
        due=row["due"],
        attempts=row["attempts"],
        size=row["size"],
        head=row["head"] or b"",
    )
