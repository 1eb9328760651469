"""Heads get signed after their records are committed: the new ones, or all that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from service import journal
from service.errors import Fork
from service.models import MATCH, RECORD
from service.signer import Head

if TYPE_CHECKING:
    from service.site import Site

_HEADS = (
    sa.select(RECORD.c.n + 1, RECORD.c.hash)
    .where(RECORD.c.match == sa.bindparam("match"), RECORD.c.n + 1 >= sa.bindparam("signed"))
    .order_by(RECORD.c.n)
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
