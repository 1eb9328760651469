"""Every line belongs where it stands, or the first that does not gets its code and place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.log.errors import BadLog
from games.log.record import Body, By, Deal, End, Move, Record
from games.log.schema import read
from games.log.sequence import records
from games.log.writing import write

GOLDEN = Path(__file__).parents[1] / "golden"
LINES = (GOLDEN / "malawi.mlog").read_bytes().partition(b"\n\n")[0].split(b"\n")
LAST = len(LINES) - 1
OTHER = (GOLDEN / "seasons.mlog").read_bytes().partition(b"\n\n")[0].split(b"\n")

Lines = list[bytes]


def swapped(lines: Lines) -> Lines:
    return [*lines[:5], lines[6], lines[5], *lines[7:]]


def unlinked(lines: Lines) -> Lines:
    record = read(lines[5])
    return [*lines[:5], write(record.m, 5, record.at, b"", record.body), *lines[6:]]


def replaced(place: int, old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    def replace(lines: Lines) -> Lines:
        return [*lines[:place], lines[place].replace(old, new), *lines[place + 1 :]]

    return replace


DAMAGE: dict[str, tuple[Callable[[Lines], Lines], str, int]] = {
    "a changed move": (replaced(4, b"a5-c5", b"a5-c4"), "E_CHAIN", 5),
    "a changed link": (replaced(5, b'"prev":"k7', b'"prev":"k8'), "E_CHAIN", 5),
    "a link in the first line": (
        replaced(0, b'"prev":""', b'"prev":"' + b"A" * 43 + b'"'),
        "E_CHAIN",
        0,
    ),
    "a later line without a link": (unlinked, "E_CHAIN", 5),
    "another match id": (replaced(5, b"m_4GM6B", b"m_5GM6B"), "E_MATCH", 5),
    "a match id out of its form": (replaced(5, b"m_4GM6B", b"m_4gM6B"), "E_MATCH", 5),
    "a line of another match": (lambda lines: [*lines[:5], OTHER[5], *lines[6:]], "E_MATCH", 5),
    "two lines swapped": (swapped, "E_GAP", 5),
    "a line dropped": (lambda lines: lines[:5] + lines[6:], "E_GAP", 5),
    "a line twice": (lambda lines: [*lines[:6], lines[5], *lines[6:]], "E_DUP", 6),
    "an older line again": (lambda lines: [*lines[:6], lines[3], *lines[6:]], "E_ORDER", 6),
    "the first line dropped": (lambda lines: lines[1:], "E_SCHEMA", 0),
    "the first line twice": (lambda lines: [lines[0], *lines], "E_SCHEMA", 1),
    "no open at first": (lambda lines: [lines[1].replace(b'"n":1', b'"n":0')], "E_SCHEMA", 0),
    "an open that counts from 1": (replaced(0, b'"n":0', b'"n":1'), "E_GAP", 0),
    "a time that goes back": (replaced(5, b"T11:50:46Z", b"T10:05:36Z"), "E_TIME", 5),
    "a day that never was": (replaced(5, b"2026-11-02", b"2026-11-31"), "E_TIME", 5),
    "a day that never was, of another match": (
        lambda lines: [*lines[:5], OTHER[5].replace(b"2026-11-02", b"2026-11-31")],
        "E_MATCH",
        5,
    ),
    "a day that never was, on a broken chain": (
        lambda lines: replaced(5, b"2026-11-02", b"2026-11-31")(
            replaced(4, b"a5-c5", b"a5-c4")(lines)
        ),
        "E_CHAIN",
        5,
    ),
    "a line after the end": (
        lambda lines: [*lines, following(read(lines[-1]), Deal(1))],
        "E_AFTER_END",
        LAST + 1,
    ),
    "a line outside the profile": (replaced(7, b'{"at"', b'{ "at"'), "E_NONCANON", 7),
    "an unknown field": (replaced(7, b'"via"', b'"vie"'), "E_SCHEMA", 7),
    "a bad spelling of bytes": (replaced(7, b"qZk", b"qZl"), "E_B64", 7),
    "an unknown format": (replaced(0, b"pbem/1", b"pbem/2"), "E_VERSION", 0),
    "an empty line": (lambda lines: [*lines[:5], b""], "E_JSON", 5),
}


def following(before: Record, body: Body) -> bytes:
    return write(before.m, before.n + 1, before.at, before.hash, body)


def test_the_lines_of_a_log_are_read_in_order() -> None:
    read_all = list(records(LINES))
    assert [record.n for record in read_all] == list(range(29))
    assert isinstance(read_all[-1].body, End)


@pytest.mark.parametrize(("damage", "code", "place"), DAMAGE.values(), ids=DAMAGE)
def test_the_first_wrong_line_is_named(
    damage: Callable[[Lines], Lines], code: str, place: int
) -> None:
    damaged = damage(LINES)
    assert damaged != LINES
    with pytest.raises(BadLog) as error:
        list(records(damaged))
    assert (error.value.code, error.value.record) == (code, place)


def test_two_records_may_have_the_same_time() -> None:
    first = read(LINES[0])
    again = following(first, Move(1, "pass", By(0, "web", b'{"mv":"pass","seat":1}')))
    assert [record.at for record in records([LINES[0], again])] == [first.at, first.at]


def test_a_log_without_lines_is_none() -> None:
    with pytest.raises(BadLog) as error:
        list(records([]))
    assert (error.value.code, error.value.record) == ("E_SCHEMA", None)


def test_nothing_behind_a_wrong_line_is_read() -> None:
    def lines() -> Iterator[bytes]:
        yield LINES[0]
        yield b"{}"
        raise AssertionError("read on")

    with pytest.raises(BadLog, match="E_SCHEMA 1"):
        list(records(lines()))


@given(st.integers(0, LAST), st.data())
def test_any_bit_that_flips_is_noticed_by_the_chain_or_before(n: int, data: st.DataObject) -> None:
    bit = data.draw(st.integers(0, 8 * len(LINES[n]) - 1))
    flipped = bytearray(LINES[n])
    flipped[bit // 8] ^= 1 << bit % 8
    damaged = [*LINES[:n], bytes(flipped), *LINES[n + 1 :]]
    try:
        last = list(records(damaged))[-1]
    except BadLog:
        return
    assert n == LAST
    assert last.hash != read(LINES[-1]).hash
