"""Heads get signed after their records are committed: the new ones, or all that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

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

_LONGEST = (
    sa.select(RECORD.c.match, sa.func.max(RECORD.c.n).label("n"))
    .group_by(RECORD.c.match)
    .subquery()
)
_NEWEST = sa.select(RECORD.c.match, RECORD.c.n + 1, RECORD.c.hash).join(
    _LONGEST, sa.and_(RECORD.c.match == _LONGEST.c.match, RECORD.c.n == _LONGEST.c.n)
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


def sweep(site: Site) -> tuple[str, ...]:
    """Signs whatever is unsigned; logs and returns the matches whose signer knows another
    history."""
    signed = site.signer.lasts()
    with site.db.read() as conn:
        counts = conn.execute(sa.select(MATCH.c.id, MATCH.c.n + 1)).all()
    return tuple(
        match for match, count in counts if signed.get(match, 0) != count and _forked(site, match)
    )


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
    with site.db.read() as conn:
        known = {row[0]: (row[1], row[2]) for row in conn.execute(_NEWEST)}
        return [
            Conflict(match, signed, known.get(match, (0, b""))[0])
            for match, (signed, hash) in sorted(site.signer.heads().items())
            if known.get(match) != (signed, hash) and not _contains(conn, match, signed, hash)
        ]


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
