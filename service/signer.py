"""Signs heads, keeps every one in a store of its own, and refuses a second history of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from games.log import note
from games.log.head import head_text
from service import db
from service.errors import Fork, NotReady

Head = tuple[int, bytes]
"""A count of records, and the hash of the last of them."""

_HEADS = sa.MetaData()
HEAD = sa.Table(
    "head",
    _HEADS,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("count", sa.Integer, primary_key=True),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("note", sa.String, nullable=False),
)

_MINE = HEAD.c.match == sa.bindparam("match")
_FROM = (
    sa.select(HEAD.c.count, HEAD.c.hash, HEAD.c.note)
    .where(_MINE, HEAD.c.count >= sa.bindparam("count"))
    .order_by(HEAD.c.count)
)
_LAST = sa.select(HEAD.c.count, HEAD.c.hash).where(_MINE).order_by(HEAD.c.count.desc()).limit(1)
_LAST_OF = (
    sa.select(HEAD.c.match, sa.func.max(HEAD.c.count).label("count"))
    .where(HEAD.c.match.in_(sa.bindparam("matches", expanding=True)))
    .group_by(HEAD.c.match)
    .subquery()
)
_NEWEST_OF = sa.select(HEAD.c.match, HEAD.c.count, HEAD.c.hash).join(
    _LAST_OF, sa.and_(HEAD.c.match == _LAST_OF.c.match, HEAD.c.count == _LAST_OF.c.count)
)
_FOLLOWING = (
    sa.select(HEAD.c.match)
    .where(HEAD.c.match > sa.bindparam("after"))
    .distinct()
    .order_by(HEAD.c.match)
    .limit(sa.bindparam("most", type_=sa.Integer()))
)
_KEEP = {name: db.insert(name, HEAD).on_conflict_do_nothing() for name in db.ENGINES}


class Signer:
    """The head key with its store, which outlives a restored backup of the database.

    `name` is the service's name in the notes. In SQLite a power cut may take the newest heads;
    they are signed again with the same bytes, so `synchronous=NORMAL` is enough.
    """

    def __init__(
        self, store: str, key: note.Signer, name: str, busy: float = db.BUSY_SECONDS
    ) -> None:
        self._db = db.Database(store, synchronous="NORMAL", busy=busy)
        self._key = key
        self._name = name

    def create(self) -> None:
        """Makes the store, if it is not there."""
        with self._db.write() as conn:
            _HEADS.create_all(conn)
            if not db.guarded(conn, HEAD.name):
                db.guard(conn, HEAD.name)

    def there(self) -> bool:
        """Whether there is a store."""
        with self._db.read() as conn:
            return sa.inspect(conn).has_table(HEAD.name)

    def begun(self) -> bool:
        """Whether a head was ever signed."""
        with self._db.read() as conn:
            there = sa.inspect(conn).has_table(HEAD.name)
            return there and conn.execute(sa.select(HEAD.c.count).limit(1)).first() is not None

    def check(self) -> None:
        """Raises NotReady unless the store is there and append-only."""
        with self._db.read() as conn:
            there = sa.inspect(conn).has_table(HEAD.name)
            guarded = db.guarded(conn, HEAD.name)
        if not there:
            raise NotReady("The signer's store is missing. Run: fernpartie init")
        if not guarded:
            raise NotReady(
                "The triggers that make the signer's store append-only are missing. "
                "Run: fernpartie init"
            )

    def sign(self, match: str, heads: Sequence[Head]) -> dict[int, str]:
        """The notes of heads, given by rising count, by count.

        One that was signed before gets the same note. Raises Fork for another hash under a count,
        or for a count that leaves a gap; nothing is signed then.
        """
        if not heads:
            return {}
        with self._db.write() as conn:
            before = {"match": match, "count": heads[0][0] - 1}
            kept = {row[0]: (row[1], row[2]) for row in conn.execute(_FROM, before)}
            for count, hash in heads:
                if count not in kept and count == max(kept, default=0) + 1:
                    kept[count] = self._sign(conn, match, count, hash)
                if count not in kept or kept[count][0] != hash:
                    raise Fork(match=match)
            return {count: kept[count][1] for count, _ in heads}

    def note(self, match: str, count: int) -> str | None:
        """The note that signs the first `count` records of a match."""
        query = sa.select(HEAD.c.note).where(HEAD.c.match == match, HEAD.c.count == count)
        with self._db.read() as conn:
            return conn.execute(query).scalar()

    def last(self, match: str) -> int:
        """How many records of the match are signed."""
        return self.newest(match)[0]

    def newest(self, match: str) -> Head:
        """How many records of the match are signed, and the hash of the last; (0, b"") if none."""
        with self._db.read() as conn:
            row = conn.execute(_LAST, {"match": match}).first()
        return (row[0], row[1]) if row else (0, b"")

    def newest_of(self, matches: Sequence[str]) -> dict[str, Head]:
        """The same of several matches, those that have a head."""
        with self._db.read() as conn:
            rows = conn.execute(_NEWEST_OF, {"matches": matches})
            return {row[0]: (row[1], row[2]) for row in rows}

    def heads(self, most: int) -> Iterator[dict[str, Head]]:
        """The newest head of every match, so many matches at a time."""
        after = ""
        while True:
            with self._db.read() as conn:
                following = conn.execute(_FOLLOWING, {"after": after, "most": most})
                matches = list(following.scalars())
            if not matches:
                return
            yield self.newest_of(matches)
            after = max(matches)

    def copy(self, other: Signer) -> int:
        """Brings every head into an empty store, and counts them. Raises NotReady."""
        with self._db.read() as old, other._db.write() as new:
            if new.execute(sa.select(HEAD.c.count).limit(1)).first():
                raise NotReady("There are heads in the target already. Name an empty database.")
            found = old.execute(sa.select(HEAD), execution_options={"yield_per": 1_000})
            for rows in found.mappings().partitions():
                new.execute(HEAD.insert(), [dict(row) for row in rows])
            return int(new.execute(sa.select(sa.func.count()).select_from(HEAD)).scalar_one())

    def lasts(self) -> dict[str, int]:
        """The same for every match."""
        query = sa.select(HEAD.c.match, sa.func.max(HEAD.c.count)).group_by(HEAD.c.match)
        with self._db.read() as conn:
            return {row[0]: row[1] for row in conn.execute(query)}

    def close(self) -> None:
        """Closes the store."""
        self._db.close()

    def _sign(self, conn: sa.Connection, match: str, count: int, hash: bytes) -> tuple[bytes, str]:
        """Hash and note as they are kept: ours, or those of a process that was faster."""
        text = note.sign(head_text(self._name, match, count, hash), self._key)
        values = {"match": match, "count": count, "hash": hash, "note": text}
        if conn.execute(_KEEP[conn.dialect.name], values).rowcount == 1:
            return hash, text
        kept = conn.execute(_FROM, {"match": match, "count": count}).first()
        assert kept is not None
        return kept[1], kept[2]
