"""Heads get signed after their records are committed: the new ones, or all that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from games.position import Phase
from service import journal
from service.errors import Fork
from service.language import N_
from service.models import MATCH, RECORD
from service.signer import Head

if TYPE_CHECKING:
    from service.site import Site

_HEADS = (
    sa.select(RECORD.c.n + 1, RECORD.c.hash)
    .where(RECORD.c.match == sa.bindparam("match"), RECORD.c.n + 1 >= sa.bindparam("signed"))
    .order_by(RECORD.c.n)
)

CHUNK = 2_000
"""Matches that are held against the signer's store at once: there may be a million."""
WINDOW = 7 * 86_400
"""What was not signed for so long is left to a sweep over all matches, once a day."""

_COUNTS = (
    sa.select(MATCH.c.id, MATCH.c.n + 1)
    .where(MATCH.c.id > sa.bindparam("after"))
    .order_by(MATCH.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer()))
)
_PHASES = tuple(phase.value for phase in Phase)
_LATELY = sa.and_(MATCH.c.phase.in_(_PHASES), MATCH.c.changed >= sa.bindparam("since"))
_LAST_CHANGE = sa.select(sa.func.max(MATCH.c.changed)).where(MATCH.c.phase.in_(_PHASES))
_NEWEST = sa.select(MATCH.c.id, MATCH.c.n + 1, MATCH.c.head).where(
    MATCH.c.id.in_(sa.bindparam("matches", expanding=True))
)

_MISSING = N_("Match %(match)s is missing: %(signed)s of its records were signed.")
_SHORTER = N_(
    "Match %(match)s has %(kept)s records, and %(signed)s were signed: its players cannot go on."
)
_ANOTHER = N_(
    "Match %(match)s has another history than the one of which %(signed)s records were signed: its "
    "players cannot go on."
)

log = journal.log("signing")


def sign(site: Site, match: str, new: Sequence[Head] | None = None) -> dict[int, str]:
    """Signs the new heads of a match, in order; the notes by their counts.

    Without `new` those are signed that the signer does not have yet. Raises Fork if the signer
    knows another history.
    """
    return site.signer.sign(match, _unsigned(site, match) if new is None else new)


def sweep(site: Site, since: int | None = None) -> tuple[str, ...]:
    """Signs whatever is unsigned of the matches that have changed since a time, or of all; logs and
    returns the matches whose signer knows another history."""
    forked = []
    for counts in _counted(site, since):
        signed = site.signer.newest_of(list(counts))
        unsigned = [match for match, n in counts.items() if signed.get(match, (0, b""))[0] != n]
        forked += [match for match in unsigned if _forked(site, match)]
    return tuple(forked)


def lately(site: Site) -> int:
    """Since when matches may have changed that a crash left unsigned."""
    with site.db.read() as conn:
        newest = conn.execute(_LAST_CHANGE).scalar()
    return (newest or 0) - WINDOW


def _counted(site: Site, since: int | None) -> Iterator[dict[str, int]]:
    """How many records matches have, a chunk at a time."""
    query = _COUNTS if since is None else _COUNTS.where(_LATELY).params(since=since)
    after = ""
    while True:
        with site.db.read() as conn:
            counts = {
                row[0]: row[1] for row in conn.execute(query, {"after": after, "most": CHUNK})
            }
        if not counts:
            return
        yield counts
        after = max(counts)


def behind(site: Site, match: str, count: int) -> bool:
    """Whether the signer knows more records of a match than there are, so that it cannot go on."""
    return site.signer.last(match) > count


@dataclass(frozen=True)
class Conflict:
    """A match whose records are not those that were signed: nothing more is signed of it."""

    match: str
    signed: int
    kept: int

    @property
    def sentence(self) -> str:
        """For the operator, with `values`."""
        if self.kept == 0:
            return _MISSING
        return _SHORTER if self.kept < self.signed else _ANOTHER

    @property
    def values(self) -> dict[str, str | int]:
        return {"match": self.match, "signed": self.signed, "kept": self.kept}

    def __str__(self) -> str:
        return self.sentence % self.values


def conflicts(site: Site) -> list[Conflict]:
    """Every match of which the signer knows more than the database, or something else."""
    found: list[Conflict] = []
    for heads in site.signer.heads(CHUNK):
        with site.db.read() as conn:
            rows = conn.execute(_NEWEST, {"matches": list(heads)})
            known = {row[0]: (row[1], row[2]) for row in rows}
            found += [
                Conflict(match, signed, known.get(match, (0, b""))[0])
                for match, (signed, hash) in sorted(heads.items())
                if known.get(match) != (signed, hash) and not _contains(conn, match, signed, hash)
            ]
    return found


def _contains(conn: sa.Connection, match: str, signed: int, hash: bytes) -> bool:
    query = sa.select(RECORD.c.hash).where(RECORD.c.match == match, RECORD.c.n == signed - 1)
    return bool(conn.execute(query).scalar() == hash)


def _unsigned(site: Site, match: str) -> list[Head]:
    signed, hash = site.signer.newest(match)
    with site.db.read() as conn:
        rows = conn.execute(_HEADS, {"match": match, "signed": signed}).all()
    heads = [(row[0], row[1]) for row in rows]
    if signed and heads[:1] != [(signed, hash)]:
        raise Fork(match=match)
    return heads[1:] if signed else heads


def _forked(site: Site, match: str) -> bool:
    try:
        sign(site, match)
    except Fork as error:
        log.error("two histories", match=match, why=str(error))
        return True
    return False
