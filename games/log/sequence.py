"""The lines of a log, one after the other: whether each belongs where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.log.canon import moment, seconds
from games.log.errors import BadLog
from games.log.record import End, Open, Record
from games.log.schema import Line, parse


def records(lines: Iterable[bytes]) -> Iterator[Record]:
    """The records of the lines, each checked against the one before.

    Raises BadLog at the first line that is wrong, with its place as the number of the record;
    E_SCHEMA if there is no line at all.
    """
    before: Record | None = None
    for n, raw in enumerate(lines):
        try:
            before = _next(before, n, parse(raw))
        except BadLog as error:
            raise BadLog(error.code, n, error.detail) from error
        yield before
    if before is None:
        raise BadLog("E_SCHEMA", detail="there is no record")


def _next(before: Record | None, n: int, line: Line) -> Record:
    if isinstance(line.body, Open) != (before is None):
        raise BadLog("E_SCHEMA", detail="open is the first record, and only the first")
    if before is not None and line.m != before.m:
        raise BadLog("E_MATCH", detail=line.m)
    if line.n != n:
        raise BadLog(_misplaced(line.n, n), detail=f"record {line.n}")
    if line.prev != (b"" if before is None else before.hash):
        raise BadLog("E_CHAIN")
    at = seconds(line.at)
    if before is not None and at < before.at:
        raise BadLog("E_TIME", detail=f"after {moment(before.at)}")
    if before is not None and isinstance(before.body, End):
        raise BadLog("E_AFTER_END")
    return Record(line.m, line.n, at, line.prev, line.hash, line.body)


def _misplaced(n: int, place: int) -> str:
    if n > place:
        return "E_GAP"
    return "E_DUP" if n == place - 1 else "E_ORDER"
