"""Signs heads, keeps every one in a store of its own, and refuses a second history of a match."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from games.log import note
from games.log.head import head_text
from service import db
from service.errors import Fork, NotReady

_HEADS = sa.MetaData()
HEAD = sa.Table(
    "head",
    _HEADS,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("count", sa.Integer, primary_key=True),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("note", sa.String, nullable=False),
)


class Signer:
    """The head key with its store, which outlives a restored backup of the database.

    `name` is the service's name in the notes. In SQLite a power cut may take the newest heads;
    they are signed again with the same bytes, so `synchronous=NORMAL` is enough.
    """

    def __init__(self, store: str, key: note.Signer, name: str) -> None:
        self._db = db.Database(store, synchronous="NORMAL")
        self._key = key
        self._name = name

    def create(self) -> None:
        """Makes the store, if it is not there."""
        with self._db.write() as conn:
            _HEADS.create_all(conn)
            db.guard(conn, HEAD.name)

    def check(self) -> None:
        """Raises NotReady unless the store is there and append-only."""
        with self._db.read() as conn:
            there = sa.inspect(conn).has_table(HEAD.name) and db.guarded(conn, HEAD.name)
        if not there:
            raise NotReady("The signer's store is missing. Run: fernpartie init")

    def sign(self, match: str, heads: Iterable[tuple[int, bytes]]) -> list[str]:
        """The notes for heads (count, hash of the last record), in the order of their counts.

        One that was signed before gets the same note. Raises Fork for another hash under a count,
        or for a count that leaves a gap; nothing is signed then.
        """
        with self._db.write() as conn:
            return [self._sign(conn, match, count, hash) for count, hash in heads]

    def note(self, match: str, count: int) -> str | None:
        """The note that signs the first `count` records of a match."""
        query = sa.select(HEAD.c.note).where(HEAD.c.match == match, HEAD.c.count == count)
        with self._db.read() as conn:
            return conn.execute(query).scalar()

    def last(self, match: str) -> int:
        """How many records of the match are signed."""
        with self._db.read() as conn:
            return _last(conn, match)

    def agrees(self, match: str, count: int, hash: bytes) -> bool:
        """Whether a match with so many records, the last of this hash, is as it was signed."""
        query = sa.select(HEAD.c.count, HEAD.c.hash).where(HEAD.c.match == match)
        with self._db.read() as conn:
            last = conn.execute(query.order_by(HEAD.c.count.desc()).limit(1)).first()
        return last is None or last[0] < count or tuple(last) == (count, hash)

    def lasts(self) -> dict[str, int]:
        """The same for every match."""
        query = sa.select(HEAD.c.match, sa.func.max(HEAD.c.count)).group_by(HEAD.c.match)
        with self._db.read() as conn:
            return {row[0]: row[1] for row in conn.execute(query)}

    def close(self) -> None:
        """Closes the store."""
        self._db.close()

    def _sign(self, conn: sa.Connection, match: str, count: int, hash: bytes) -> str:
        kept = _kept(conn, match, count)
        if kept is None and count == _last(conn, match) + 1:
            text = note.sign(head_text(self._name, match, count, hash), self._key)
            values = {"match": match, "count": count, "hash": hash, "note": text}
            conn.execute(db.insert(conn, HEAD).values(values).on_conflict_do_nothing())
            kept = _kept(conn, match, count)
        if kept is None or kept[0] != hash:
            raise Fork(match=match)
        return kept[1]


def _kept(conn: sa.Connection, match: str, count: int) -> tuple[bytes, str] | None:
    query = sa.select(HEAD.c.hash, HEAD.c.note).where(HEAD.c.match == match, HEAD.c.count == count)
    row = conn.execute(query).first()
    return (row[0], row[1]) if row else None


def _last(conn: sa.Connection, match: str) -> int:
    query = sa.select(sa.func.max(HEAD.c.count)).where(HEAD.c.match == match)
    return conn.execute(query).scalar() or 0
