"""The lines of a match: read, replayed, and appended with what follows of itself."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from games import chance
from games.automatic import next_record
from games.chance import Chains
from games.log import file
from games.log.errors import BadLog
from games.log.record import Body, Deal, Open, Record
from games.log.schema import read
from games.log.writing import write
from games.position import Position
from games.replay import NOTHING, begin, follow
from service import clock, matches
from service.clock import Clocks, Standing
from service.errors import Fork, NoMatch, NotReady, Stale, Unavailable
from service.models import MATCH, RECORD
from service.signer import Head
from service.site import Site

_MINE = RECORD.c.match == sa.bindparam("match")
_SINCE = sa.select(RECORD.c.line).where(_MINE, RECORD.c.n > sa.bindparam("n")).order_by(RECORD.c.n)
_HEAD = sa.select(RECORD.c.hash).where(_MINE).order_by(RECORD.c.n.desc()).limit(1)
_STORE = RECORD.insert()


def lines(conn: sa.Connection, match: str) -> list[bytes]:
    """The lines of a match without their LF. Raises NoMatch."""
    found = list(conn.execute(_SINCE, {"match": match, "n": -1}).scalars())
    if not found:
        raise NoMatch
    return found


def load(conn: sa.Connection, match: str) -> list[Record]:
    """The records of a match. Raises NoMatch."""
    return [read(line) for line in lines(conn, match)]


def since(conn: sa.Connection, match: str, n: int) -> list[Record]:
    """The records after record `n`."""
    later = conn.execute(_SINCE, {"match": match, "n": n})
    return [read(line) for line in later.scalars()]


def position(site: Site, conn: sa.Connection, match: str) -> Position:
    """The position after the last record: from the cache, else replayed. Raises NoMatch."""
    return standing(site, conn, match).position


def standing(site: Site, conn: sa.Connection, match: str) -> Standing:
    """The same with its clocks."""
    head = conn.execute(_HEAD, {"match": match}).scalar()
    if head is None:
        raise NoMatch
    cached = site.positions.get(head)
    if cached is None:
        cached = _stood(walk(site, conn, match))
        site.positions.put(head, cached)
    return cached


def clocks(site: Site, conn: sa.Connection, at: Position) -> Clocks:
    """The clocks that go with a position, which need not be the last."""
    cached = site.positions.get(at.hash)
    return (cached or _stood(walk(site, conn, at.m, at.n))).clocks


def _stood(steps: Iterable[tuple[Record, Position]]) -> Standing:
    return deque(timed(steps), maxlen=1).pop()[1]


def timed(steps: Iterable[tuple[Record, Position]]) -> Iterator[tuple[Record, Standing]]:
    """The records of a match from the first on, each with the position and the clocks after it."""
    following = iter(steps)
    record, at = next(following)
    told = clock.begin(record, at)
    yield record, Standing(at, told)
    for record, at in following:
        told = clock.follow(told, record, at)
        yield record, Standing(at, told)


def walk(
    site: Site, conn: sa.Connection, match: str, count: int | None = None
) -> Iterator[tuple[Record, Position]]:
    """Each of the first `count` records with the position after it. Raises NoMatch.

    Hidden cards are dealt: show what `view` or `known` leave of a position, never the state.
    """
    records = load(conn, match)[:count]
    at = begin(records[0])
    yield records[0], at
    yield from _followed(site, conn, at, records[1:])


def onward(site: Site, conn: sa.Connection, at: Position) -> Iterator[tuple[Record, Position]]:
    """The same for the records after a position."""
    yield from _followed(site, conn, at, since(conn, at.m, at.n - 1))


def _followed(
    site: Site, conn: sa.Connection, at: Position, records: list[Record]
) -> Iterator[tuple[Record, Position]]:
    dealt = any(isinstance(record.body, Deal) for record in records)
    hidden = dict(enumerate(chains(site, conn, at.m).hid.elements)) if dealt else NOTHING
    for record in records:
        at = follow(at, record, hidden, signatures=False)
        yield record, at


def chains(site: Site, conn: sa.Connection, match: str) -> Chains:
    """The chains that decide all chance of a match: for `append` and `walk` alone."""
    cached = site.chains.get(match)
    if cached is not None:
        return cached
    sealed = conn.execute(sa.select(MATCH.c.secret).where(MATCH.c.id == match)).scalar_one()
    made = chance.make(site.keys.unseal(match, sealed), match)
    site.chains.put(match, made)
    return made


def first(match: str, opened: Open, now: int) -> tuple[bytes, Standing]:
    """The line of record 0, and the position it makes; `store` writes it once there is a row of
    `match`."""
    line = write(match, 0, now, b"", opened)
    record = read(line)
    position = begin(record)
    return line, Standing(position, clock.begin(record, position))


def store(conn: sa.Connection, match: str, lines: Iterable[tuple[int, bytes]]) -> None:
    """Writes numbered lines. Raises Stale if another line has a number already."""
    rows = [{"match": match, "n": n, "line": line, "hash": _hash(line)} for n, line in lines]
    try:
        conn.execute(_STORE, rows)
    except sa.exc.IntegrityError as error:
        raise Stale from error


class Appended(NamedTuple):
    """What was written: the position it led to, and the heads that the signer lacks now."""

    position: Position
    clocks: Clocks
    heads: tuple[Head, ...] | None
    """None if it may lack earlier ones too."""


def append(
    site: Site, conn: sa.Connection, before: Position, bodies: Iterable[Body], now: int
) -> Appended:
    """Writes records and all that follows of itself: the start, chance, reveals, the end.

    Brings the index along; the caller holds the lock of the match. Raises BadLog if the fold does
    not allow a record, Stale if the match is no longer at `before`, and Fork if the signer knows
    another history; nothing may be kept then.
    """
    all_signed = _signed(site, before)
    known = partial(chains, site, conn, before.m)
    at, told, time = before, clocks(site, conn, before), max(now, before.at)
    given = iter(bodies)
    written: list[tuple[int, bytes]] = []
    heads: list[Head] = []
    while body := next(given, None) or next_record(at, known):
        line = write(at.m, at.n, time, at.hash, body)
        written.append((at.n, line))
        hidden = {body.k: known().hid.elements[body.k]} if isinstance(body, Deal) else NOTHING
        record = Record(at.m, at.n, time, at.hash, _hash(line), body)
        at = follow(at, record, hidden)
        told = clock.follow(told, record, at)
        heads.append((at.n, at.hash))
    store(conn, at.m, written)
    matches.advance(conn, before, Standing(at, told))
    site.positions.put(at.hash, Standing(at, told))
    return Appended(at, told, tuple(heads) if all_signed else None)


def _signed(site: Site, position: Position) -> bool:
    """Whether the signer has every head up to a position. Raises Fork if it knows another history.

    A store that cannot be read is no reason to refuse a record: it signs later, or refuses then.
    """
    try:
        signed = site.signer.newest(position.m)
    except Unavailable:
        return False
    if signed[0] > position.n or (signed[0] == position.n and signed[1] != position.hash):
        raise Fork(match=position.m)
    return signed[0] == position.n


def export(site: Site, match: str) -> bytes:
    """The file of a match: its records as far as they are signed, with the head. Raises NoMatch."""
    matches.check_id(match)
    count = site.signer.last(match)
    if count == 0:
        raise NoMatch
    with site.db.read() as conn:
        signed = lines(conn, match)[:count]
    if len(signed) < count:
        raise Fork(match=match)
    return file.join(signed, site.signer.note(match, count))


def astray(site: Site, conn: sa.Connection, match: str) -> bool:
    """Whether the index of a match says something else than its records."""
    return not matches.indexed(conn, _replayed(site, conn, match))


def rebuild(site: Site, match: str) -> bool:
    """Makes the index of a match anew from its records, if it is astray; whether it was."""
    with site.db.write() as conn:
        matches.lock(conn, match)
        at = _replayed(site, conn, match)
        if matches.indexed(conn, at):
            return False
        matches.put_index(conn, at)
    return True


def _replayed(site: Site, conn: sa.Connection, match: str) -> Standing:
    """The position after all records, with its clocks. Raises NotReady for damaged ones."""
    try:
        return _stood(walk(site, conn, match))
    except BadLog as error:
        raise NotReady(
            "The records of match %(match)s do not hold: %(code)s. Bring back a copy of the "
            "database in which they do.",
            match=match,
            code=error.code,
        ) from error


def _hash(line: bytes) -> bytes:
    return hashlib.sha256(line + b"\n").digest()
