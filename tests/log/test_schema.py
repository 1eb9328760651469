"""Each type of record has exactly its fields, and every record survives its line."""

from __future__ import annotations

import copy
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given

from games.core.rules import Dice, Shuffle
from games.log.canon import Fields, Json, b64url, encode
from games.log.errors import BadLog
from games.log.note import COSIGNATURE, Verifier
from games.log.record import Body, By, End, Join, Move, Roll, Start, Sys
from games.log.schema import read
from games.log.writing import by, kind, player_text, write
from tests.log.strategies import BODIES, HASHES, MATCHES, NUMBERS, TIMES

GOLDEN = Path(__file__).parents[1] / "golden"
LOGS = sorted(GOLDEN.rglob("*.mlog"))

ONES, TWOS, SIG = b64url(b"\x01" * 32), b64url(b"\x02" * 32), b64url(b"\x03" * 64)
MATCH = "m_4GM6B3BWH8RQDT73"
VKEY = "pbem.example/heads+0975fb0e+AZUS+hdQPrMG4vfRM7kPyOcAp7mCF6HMLEQCw1KlbnZ0"
GONE = "this field is taken away"
"""In place of a value: the field is missing."""


def line(t: str, **fields: Json) -> Fields:
    return {"t": t, "m": MATCH, "n": 7, "prev": TWOS, "at": "2026-11-02T09:00:00Z", **fields}


def said(t: str, p: Fields, **fields: Json) -> Fields:
    return line(t, **{"on": 6, "via": "web", "p": p, **fields})


CHAINS: Fields = {"pub": {"n": 4096, "tip": ONES}, "hid": {"n": 4096, "tip": TWOS}}
GOOD: dict[str, Fields] = {
    "open": line(
        "open",
        fmt="pbem/1",
        serial=1,
        rules={"id": "malawi", "ver": 1},
        opts={"goal": "survives"},
        seats=2,
        clock="none",
        level="F1",
        keys={"heads": VKEY, "log": VKEY},
        rng={"alg": "pbem-rng/1", "chains": CHAINS},
    ),
    "join": said("join", {"pid": "p_alice", "ent": ONES}),
    "join sealed": said("join", {"pid": "p_alice", "entc": ONES}),
    "join at F0": said("join", {"pid": "p_0"}),
    "join with a key": said("join", {"pid": "p_a", "ent": ONES, "key": TWOS}, via="key", sig=SIG),
    "ent": said("ent", {"pid": "p_" + "x" * 20, "ent": ONES}),
    "start": line("start", k=1, d=ONES, seats={"1": "p_bob", "2": "p_alice"}),
    "start at F0": line("start", seats={"1": "p_bob", "2": "p_alice"}),
    "deal": line("deal", k=1),
    "roll": line("roll", k=1, d=ONES, of=[6, 2**32], out=[3, 1]),
    "roll shuffle": line("roll", k=1, d=ONES, of={"shuffle": ["A", "B"]}, out=["B", "A"]),
    "move": said("move", {"seat": 1, "mv": "a3-c3"}),
    "move by mail": said("move", {"seat": 1, "mv": "a3-c3"}, via="mail", ev=ONES),
    "move by key": said("move", {"seat": 1, "mv": "a3-c3"}, via="key", sig=SIG),
    "move by cond": said("move", {"seat": 1, "mv": "a3-c3"}, via="cond", src=ONES),
    "act": said("act", {"seat": 1, "act": "resign"}),
    "act rekey": said("act", {"seat": 1, "act": "rekey", "key": ONES}, via="key", sig=SIG),
    "sys timeout": line("sys", sys="timeout", why="seven days", seat=2),
    "sys substitute": line("sys", sys="substitute", why="ill", seat=2, pid="p_carol"),
    "sys substitute with a key": line(
        "sys", sys="substitute", why="ill", seat=2, pid="p_carol", key=ONES
    ),
    "sys adjudicate": line("sys", sys="adjudicate", why="agreed by mail"),
    "sys clock": line("sys", sys="clock", why="mail was down", secs=-3600),
    "sys clock of a seat": line("sys", sys="clock", why="a holiday", secs=3600, seat=1),
    "sys void": line("sys", sys="void", why=""),
    "sys rekey": line("sys", sys="rekey", why="lost", seat=1, key=ONES),
    "reveal": line("reveal", k=1, d=ONES),
    "end": line("end", res={"1": 1, "2": 2}, why="goal", state=ONES),
    "end of nothing": line("end", res={}, why="void", state=ONES),
}


def changed(name: str, path: str, value: Json) -> bytes:
    """The line of a good record with one field set, added or taken away."""
    fields = copy.deepcopy(GOOD[name])
    *outer, last = path.split(".")
    inner = fields
    for step in outer:
        inner = cast(Fields, inner[step])
    if value == GONE:
        del inner[last]
    else:
        inner[last] = value
    return encode(fields)


# The record, the field, what it becomes, and the code.
BAD: list[tuple[str, str, Json, str]] = [
    ("move", "t", "undo", "E_SCHEMA"),
    ("move", "t", 1, "E_SCHEMA"),
    ("move", "t", ["move"], "E_SCHEMA"),
    ("move", "t", GONE, "E_SCHEMA"),
    ("move", "m", GONE, "E_SCHEMA"),
    ("move", "m", 1, "E_SCHEMA"),
    ("move", "n", GONE, "E_SCHEMA"),
    ("move", "n", "7", "E_SCHEMA"),
    ("move", "n", True, "E_SCHEMA"),
    ("move", "n", -1, "E_SCHEMA"),
    ("move", "n", None, "E_SCHEMA"),
    ("move", "prev", GONE, "E_SCHEMA"),
    ("move", "prev", 1, "E_SCHEMA"),
    ("move", "prev", ONES + "=", "E_B64"),
    ("move", "prev", ONES[:-1] + "B", "E_B64"),
    ("move", "prev", ONES[:-1] + "+", "E_B64"),
    ("move", "prev", SIG, "E_B64"),
    ("move", "at", GONE, "E_SCHEMA"),
    ("move", "at", 1793610000, "E_SCHEMA"),
    ("move", "at", "2026-02-30T09:00:00Z", "E_TIME"),
    ("move", "x", 1, "E_SCHEMA"),
    ("move", "fmt", "pbem/1", "E_SCHEMA"),
    ("open", "fmt", "pbem/2", "E_VERSION"),
    ("open", "fmt", "", "E_VERSION"),
    ("open", "fmt", 1, "E_SCHEMA"),
    ("open", "fmt", GONE, "E_SCHEMA"),
    ("open", "m", "m_4GM6B3BWH8RQDT7", "E_SCHEMA"),
    ("open", "m", "m_4GM6B3BWH8RQDT7I", "E_SCHEMA"),
    ("open", "m", "m_4gm6b3bwh8rqdt73", "E_SCHEMA"),
    ("open", "m", "x_4GM6B3BWH8RQDT73", "E_SCHEMA"),
    ("open", "serial", 0, "E_SCHEMA"),
    ("open", "serial", "1", "E_SCHEMA"),
    ("open", "rules", "malawi/1", "E_SCHEMA"),
    ("open", "rules.id", 1, "E_SCHEMA"),
    ("open", "rules.ver", "1", "E_SCHEMA"),
    ("open", "rules.ver", 0, "E_SCHEMA"),
    ("open", "rules.name", "Malawi", "E_SCHEMA"),
    ("open", "opts", [], "E_SCHEMA"),
    ("open", "opts", GONE, "E_SCHEMA"),
    ("open", "opts.goal", 6, "E_SCHEMA"),
    ("open", "seats", "2", "E_SCHEMA"),
    ("open", "seats", True, "E_SCHEMA"),
    ("open", "clock", None, "E_SCHEMA"),
    ("open", "clock", 7, "E_SCHEMA"),
    ("open", "level", "F3", "E_SCHEMA"),
    ("open", "level", 1, "E_SCHEMA"),
    ("open", "level", "F0", "E_SCHEMA"),
    ("open", "keys.log", GONE, "E_SCHEMA"),
    ("open", "keys.root", VKEY, "E_SCHEMA"),
    ("open", "keys.heads", "", "E_SCHEMA"),
    ("open", "keys.heads", VKEY[:-1], "E_SCHEMA"),
    ("open", "keys.heads", VKEY.replace("0975fb0e", "0975fb0f"), "E_SCHEMA"),
    ("open", "keys.log", Verifier("w", COSIGNATURE, bytes(range(32))).vkey, "E_SCHEMA"),
    ("open", "keys.heads", VKEY.replace("+0975fb0e", ""), "E_SCHEMA"),
    ("open", "keys.heads", VKEY.replace("fb0e", "FB0E"), "E_SCHEMA"),
    ("open", "keys.heads", "two words" + VKEY, "E_SCHEMA"),
    ("open", "rng", GONE, "E_SCHEMA"),
    ("open", "rng", None, "E_SCHEMA"),
    ("open", "rng.alg", "pbem-rng/2", "E_SCHEMA"),
    ("open", "rng.chains.hid", GONE, "E_SCHEMA"),
    ("open", "rng.chains.alice", {"n": 1, "tip": ONES}, "E_SCHEMA"),
    ("open", "rng.chains.pub.n", 0, "E_SCHEMA"),
    ("open", "rng.chains.pub.n", "9", "E_SCHEMA"),
    ("open", "rng.chains.pub.tip", 1, "E_SCHEMA"),
    ("open", "rng.chains.pub.tip", ONES[:-2], "E_B64"),
    ("join", "p", "p_alice", "E_SCHEMA"),
    ("join", "p", [], "E_SCHEMA"),
    ("join", "p", GONE, "E_SCHEMA"),
    ("join", "p.pid", "alice", "E_SCHEMA"),
    ("join", "p.pid", "p_", "E_SCHEMA"),
    ("join", "p.pid", "p_" + "x" * 21, "E_SCHEMA"),
    ("join", "p.pid", "p_al-ice", "E_SCHEMA"),
    ("join", "p.pid", GONE, "E_SCHEMA"),
    ("join", "p.entc", TWOS, "E_SCHEMA"),
    ("join", "p.ent", None, "E_SCHEMA"),
    ("join", "p.ent", "", "E_B64"),
    ("join", "p.seat", 1, "E_SCHEMA"),
    ("join with a key", "p.key", [], "E_SCHEMA"),
    ("join with a key", "p.key", ONES[:-1], "E_B64"),
    ("join", "on", GONE, "E_SCHEMA"),
    ("join", "on", "0", "E_SCHEMA"),
    ("join", "on", -1, "E_SCHEMA"),
    ("join", "via", GONE, "E_SCHEMA"),
    ("join", "via", "fax", "E_SCHEMA"),
    ("join", "via", {}, "E_SCHEMA"),
    ("join", "via", "key", "E_SCHEMA"),
    ("join", "via", "mail", "E_SCHEMA"),
    ("join", "via", "cond", "E_SCHEMA"),
    ("join", "sig", SIG, "E_SCHEMA"),
    ("join", "ev", ONES, "E_SCHEMA"),
    ("join", "src", ONES, "E_SCHEMA"),
    ("ent", "p.ent", GONE, "E_SCHEMA"),
    ("ent", "p.entc", ONES, "E_SCHEMA"),
    ("ent", "p.key", ONES, "E_SCHEMA"),
    ("ent", "p.pid", GONE, "E_SCHEMA"),
    ("start", "k", GONE, "E_SCHEMA"),
    ("start", "d", GONE, "E_SCHEMA"),
    ("start", "k", 0, "E_SCHEMA"),
    ("start", "d", SIG, "E_B64"),
    ("start", "beacon", "-", "E_SCHEMA"),
    ("start", "seats", ["p_bob", "p_alice"], "E_SCHEMA"),
    ("start", "seats.1", GONE, "E_SCHEMA"),
    ("start", "seats.2", "alice", "E_SCHEMA"),
    ("start", "seats.4", "p_carol", "E_SCHEMA"),
    ("start", "seats.0", "p_carol", "E_SCHEMA"),
    ("start", "on", 6, "E_SCHEMA"),
    ("deal", "k", 0, "E_SCHEMA"),
    ("deal", "k", GONE, "E_SCHEMA"),
    ("deal", "d", ONES, "E_SCHEMA"),
    ("roll", "d", GONE, "E_SCHEMA"),
    ("roll", "of", 6, "E_SCHEMA"),
    ("roll", "of", [6, "6"], "E_SCHEMA"),
    ("roll", "of", [0], "E_SCHEMA"),
    ("roll", "of", [2**32 + 1], "E_SCHEMA"),
    ("roll", "of", [True], "E_SCHEMA"),
    ("roll", "out", [3, "1"], "E_SCHEMA"),
    ("roll", "out", ["A", "B"], "E_SCHEMA"),
    ("roll", "out", {"1": 3}, "E_SCHEMA"),
    ("roll", "out", GONE, "E_SCHEMA"),
    ("roll shuffle", "of.shuffle", "AB", "E_SCHEMA"),
    ("roll shuffle", "of.shuffle", [1, 2], "E_SCHEMA"),
    ("roll shuffle", "of.dice", [6], "E_SCHEMA"),
    ("roll shuffle", "of", {}, "E_SCHEMA"),
    ("roll shuffle", "out", [2, 1], "E_SCHEMA"),
    ("move", "p.seat", "1", "E_SCHEMA"),
    ("move", "p.seat", True, "E_SCHEMA"),
    ("move", "p.mv", 1, "E_SCHEMA"),
    ("move", "p.mv", GONE, "E_SCHEMA"),
    ("move", "p.pid", "p_alice", "E_SCHEMA"),
    ("move", "src", ONES, "E_SCHEMA"),
    ("move by cond", "src", GONE, "E_SCHEMA"),
    ("move by cond", "src", 1, "E_SCHEMA"),
    ("move by cond", "src", ONES + "A", "E_B64"),
    ("move by cond", "via", "web", "E_SCHEMA"),
    ("move by key", "sig", GONE, "E_SCHEMA"),
    ("move by key", "sig", ONES, "E_B64"),
    ("move by key", "sig", SIG + "==", "E_B64"),
    ("move by key", "sig", 1, "E_SCHEMA"),
    ("move by key", "via", "link", "E_SCHEMA"),
    ("move by mail", "ev", GONE, "E_SCHEMA"),
    ("move by mail", "ev", "!" + ONES[1:], "E_B64"),
    ("move by mail", "via", "api", "E_SCHEMA"),
    ("act", "p.act", "undo", "E_SCHEMA"),
    ("act", "p.act", "rekey", "E_SCHEMA"),
    ("act", "p.act", GONE, "E_SCHEMA"),
    ("act", "p.key", ONES, "E_SCHEMA"),
    ("act", "via", "cond", "E_SCHEMA"),
    ("act", "src", ONES, "E_SCHEMA"),
    ("act rekey", "p.act", "pause", "E_SCHEMA"),
    ("sys void", "sys", "undo", "E_SCHEMA"),
    ("sys void", "sys", GONE, "E_SCHEMA"),
    ("sys void", "sys", ["void"], "E_SCHEMA"),
    ("sys void", "why", GONE, "E_SCHEMA"),
    ("sys void", "why", None, "E_SCHEMA"),
    ("sys void", "seat", 1, "E_SCHEMA"),
    ("sys adjudicate", "seat", 1, "E_SCHEMA"),
    ("sys adjudicate", "res", {"1": 1}, "E_SCHEMA"),
    ("sys timeout", "seat", GONE, "E_SCHEMA"),
    ("sys timeout", "seat", "2", "E_SCHEMA"),
    ("sys timeout", "secs", 1, "E_SCHEMA"),
    ("sys substitute", "pid", GONE, "E_SCHEMA"),
    ("sys substitute", "pid", "carol", "E_SCHEMA"),
    ("sys substitute", "seat", GONE, "E_SCHEMA"),
    ("sys substitute with a key", "key", SIG, "E_B64"),
    ("sys clock", "secs", GONE, "E_SCHEMA"),
    ("sys clock", "secs", "60", "E_SCHEMA"),
    ("sys clock", "pid", "p_carol", "E_SCHEMA"),
    ("sys rekey", "key", GONE, "E_SCHEMA"),
    ("sys rekey", "seat", GONE, "E_SCHEMA"),
    ("sys rekey", "pid", "p_carol", "E_SCHEMA"),
    ("sys void", "on", 6, "E_SCHEMA"),
    ("reveal", "k", 0, "E_SCHEMA"),
    ("reveal", "d", GONE, "E_SCHEMA"),
    ("reveal", "out", [1], "E_SCHEMA"),
    ("end", "res", [1, 2], "E_SCHEMA"),
    ("end", "res.1", 0, "E_SCHEMA"),
    ("end", "res.1", "1", "E_SCHEMA"),
    ("end", "res.0", 1, "E_SCHEMA"),
    ("end", "res.10", 1, "E_SCHEMA"),
    ("end", "res.01", 1, "E_SCHEMA"),
    ("end", "res.p_alice", 1, "E_SCHEMA"),
    ("end", "why", 1, "E_SCHEMA"),
    ("end", "state", GONE, "E_SCHEMA"),
    ("end", "state", b64url(b"short"), "E_B64"),
    ("end", "k", 1, "E_SCHEMA"),
]


@pytest.mark.parametrize("name", GOOD)
def test_a_good_record_is_read_and_written_as_it_is(name: str) -> None:
    raw = encode(GOOD[name])
    record = read(raw)
    assert write(record.m, record.n, record.at, record.prev, record.body) == raw


@pytest.mark.parametrize(
    ("name", "path", "value", "code"), BAD, ids=[f"{bad[0]}, {bad[1]}={bad[2]}" for bad in BAD]
)
def test_a_bad_record_gets_its_code(name: str, path: str, value: Json, code: str) -> None:
    raw = changed(name, path, value)
    assert raw != encode(GOOD[name])
    with pytest.raises(BadLog) as error:
        read(raw)
    assert error.value.code == code


def test_an_unknown_format_is_said_before_its_unknown_fields() -> None:
    with pytest.raises(BadLog, match="E_VERSION"):
        read(encode({"t": "open", "fmt": "pbem/2", "seed": 7}))


def test_the_match_id_of_a_later_line_is_left_to_the_comparison_with_the_first() -> None:
    assert read(changed("move", "m", "m_other")).m == "m_other"


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_lines_of_the_example_logs_are_written_as_they_are_read(path: Path) -> None:
    for raw in path.read_bytes().partition(b"\n\n")[0].split(b"\n"):
        record = read(raw)
        assert write(record.m, record.n, record.at, record.prev, record.body) == raw


@given(m=MATCHES, n=NUMBERS, at=TIMES, prev=HASHES, body=BODIES)
def test_every_record_survives_its_line(m: str, n: int, at: int, prev: bytes, body: Body) -> None:
    raw = write(m, n, at, prev, body)
    assert read(raw) == (m, n, at, prev, hashlib.sha256(raw + b"\n").digest(), body)


def test_record_0_has_no_line_before() -> None:
    raw = write(MATCH, 0, 0, b"", Move(1, "pass", by(0, "web", seat=1, mv="pass")))
    assert (b'"prev":""' in raw, read(raw).prev) == (True, b"")


def test_a_hash_covers_the_line_feed() -> None:
    raw = encode(GOOD["move"])
    assert read(raw).hash == hashlib.sha256(raw + b"\n").digest()


def test_the_text_of_a_player_is_what_stands_in_the_line() -> None:
    body = read(encode(GOOD["move"])).body
    assert isinstance(body, Move)
    assert body.by.text == b'{"mv":"a3-c3","seat":1}' == player_text(seat=1, mv="a3-c3")


def test_a_text_with_bytes_has_them_in_base64url() -> None:
    assert player_text(pid="p_a", ent=b"\xfb" * 3, key=None) == b'{"ent":"-_v7","pid":"p_a"}'


MOVE = Move(1, "a3-c3", By(6, "web", player_text(seat=1, mv="a3-c3")))


@pytest.mark.parametrize(
    "body",
    [
        replace(MOVE, mv="a3-c4"),
        replace(MOVE, src=b"\x01" * 32),
        replace(MOVE, by=replace(MOVE.by, via="key")),
        replace(MOVE, by=replace(MOVE.by, text=b"{}")),
        Move(1, 'say "x"', by(6, "web", seat=1, mv='say "x"')),
        Move(1, "Züge", By(6, "web", b"")),
        Move(1, "x" * 990, by(6, "web", seat=1, mv="x" * 990)),
        Join("p_a", by(0, "web", pid="p_a"), ent=b"\x01" * 32),
        Join("p_a", by(0, "web", pid="p_a", ent=b"short"), ent=b"short"),
        Start(("p_a",), k=1),
        Roll(1, b"\x01" * 32, Dice((6,)), ("A",)),
        Roll(1, b"\x01" * 32, Shuffle(("A",)), (1,)),
        Sys("timeout", "late"),
        End(((2, 1), (1, 2)), "goal", b"\x01" * 32),
        End(((1, 0),), "goal", b"\x01" * 32),
    ],
    ids=repr,
)
def test_a_record_that_would_not_read_back_is_not_written(body: Body) -> None:
    with pytest.raises(BadLog):
        write(MATCH, 7, 0, b"\x02" * 32, body)


@pytest.mark.parametrize("at", [-(10**12), 10**12])
def test_a_time_without_a_text_is_not_written(at: int) -> None:
    with pytest.raises((OverflowError, ValueError)):
        write(MATCH, 7, at, b"\x02" * 32, MOVE)


def test_a_record_is_called_as_its_type_is_spelled_in_the_line() -> None:
    kinds = {name.split()[0] for name in GOOD}
    assert kinds == {kind(read(encode(fields)).body) for fields in GOOD.values()}
