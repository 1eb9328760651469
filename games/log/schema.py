"""The types of records: exactly the fields and formats of each, and a line read by them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn, TypeVar, get_args

from games.core.rules import Dice, Outcome, Request, Shuffle
from games.log import note
from games.log.canon import Fields, Json, decode, encode, seconds, unb64url
from games.log.errors import BadLog
from games.log.record import (
    Act,
    ActKind,
    Body,
    By,
    Deal,
    End,
    Ent,
    Join,
    Level,
    Move,
    Open,
    Record,
    Reveal,
    Roll,
    Start,
    Sys,
    SysKind,
    Tip,
    Via,
)

FORMAT = "pbem/1"
RNG = "pbem-rng/1"
MOST_SIDES = 2**32

Value = TypeVar("Value")


class Line(NamedTuple):
    """A record whose time has not been read yet: the one fault that is looked for last."""

    m: str
    n: int
    at: str
    prev: bytes
    hash: bytes
    body: Body


class Shape(NamedTuple):
    """The names of the fields that an object must have, and of all that it may have."""

    needed: frozenset[str]
    known: frozenset[str]


def parse(raw: bytes) -> Line:
    """The record of a line (without LF), by everything that one line can be checked for but time.

    The form of the match id is checked in `open`: a later line is compared with that one.
    Raises BadLog: the codes of `canon.decode`, E_VERSION, E_SCHEMA and E_B64.
    """
    fields = decode(raw)
    t = fields.get("t")
    fmt = fields.get("fmt")
    if t == "open" and type(fmt) is str and fmt != FORMAT:
        raise BadLog("E_VERSION", detail=fmt)
    body = _among(t, _READERS)(fields)
    prev = _text(fields["prev"])
    return Line(
        m=_text(fields["m"]),
        n=_number(fields["n"], least=0),
        at=_text(fields["at"]),
        prev=_binary(prev) if prev else b"",
        hash=hashlib.sha256(raw + b"\n").digest(),
        body=body,
    )


def read(raw: bytes) -> Record:
    """The record of a line (without LF). Raises BadLog as `parse` does, and E_TIME."""
    line = parse(raw)
    return Record(line.m, line.n, seconds(line.at), line.prev, line.hash, line.body)


def _shape(needed: str, optional: str = "") -> Shape:
    names = frozenset(needed.split())
    return Shape(names, names | frozenset(optional.split()))


_COMMON = "t m n prev at "
_SPOKEN = _COMMON + "on p via"
_OPEN = _shape(_COMMON + "fmt serial rules opts seats clock level keys", "rng")
_RULES = _shape("id ver")
_KEYS = _shape("heads log")
_CHANCE = _shape("alg chains")
_CHAINS = _shape("hid pub")
_TIP = _shape("n tip")
_BY = _shape(_SPOKEN, "sig ev")
_JOIN_P = _shape("pid", "ent entc key")
_ENT_P = _shape("pid ent")
_MOVE = _shape(_SPOKEN, "sig ev src")
_MOVE_P = _shape("seat mv")
_ACT_P = _shape("seat act", "key")
_START = _shape(_COMMON + "seats", "k d")
_DEAL = _shape(_COMMON + "k")
_ROLL = _shape(_COMMON + "k d of out")
_SHUFFLE = _shape("shuffle")
_REVEAL = _shape(_COMMON + "k d")
_END = _shape(_COMMON + "res why state")
_SYS: Mapping[str, Shape] = {
    "timeout": _shape(_COMMON + "sys why seat"),
    "substitute": _shape(_COMMON + "sys why seat pid", "key"),
    "adjudicate": _shape(_COMMON + "sys why"),
    "clock": _shape(_COMMON + "sys why secs", "seat"),
    "void": _shape(_COMMON + "sys why"),
    "rekey": _shape(_COMMON + "sys why seat key"),
}

_LEVELS: Mapping[str, Level] = {word: word for word in get_args(Level)}
_VIAS: Mapping[str, Via] = {word: word for word in get_args(Via)}
_ACTS: Mapping[str, ActKind] = {word: word for word in get_args(ActKind)}
_OPERATOR_ACTS: Mapping[str, SysKind] = {word: word for word in get_args(SysKind)}

IDS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of a match's id: no letter that is easily taken for another or a digit."""
_MATCH = re.compile(rf"m_[{IDS}]{{16}}")
_PID = re.compile(r"p_[0-9A-Za-z]{1,20}")
_SEAT = re.compile(r"[1-9]")


def _bad(detail: str) -> NoReturn:
    raise BadLog("E_SCHEMA", detail=detail)


def _fits(value: Json, shape: Shape) -> Fields:
    if type(value) is not dict or not shape.needed <= value.keys() <= shape.known:
        _bad(f"not exactly {', '.join(sorted(shape.needed))}")
    return value


def _text(value: Json, form: re.Pattern[str] | None = None) -> str:
    if type(value) is not str or not (form is None or form.fullmatch(value)):
        _bad(f"{value!r} is not the text it should be")
    return value


def _number(value: Json, least: int | None = None) -> int:
    if type(value) is not int or not (least is None or value >= least):
        _bad(f"{value!r} is not the number it should be")
    return value


def _binary(value: Json, size: int = 32) -> bytes:
    data = unb64url(_text(value))
    if len(data) != size:
        raise BadLog("E_B64", detail=f"{len(data)} bytes, not {size}")
    return data


def _maybe(fields: Fields, name: str, size: int = 32) -> bytes | None:
    return _binary(fields[name], size) if name in fields else None


def _list(value: Json) -> list[Json]:
    if type(value) is not list:
        _bad(f"{value!r} is no list")
    return value


def _among(value: Json, words: Mapping[str, Value]) -> Value:
    word = _text(value)
    if word not in words:
        _bad(f"{word} is none of the words known here")
    return words[word]


def _open(fields: Fields) -> Open:
    _fits(fields, _OPEN)
    _text(fields["fmt"])
    _text(fields["m"], _MATCH)
    rules = _fits(fields["rules"], _RULES)
    keys = _fits(fields["keys"], _KEYS)
    level = _among(fields["level"], _LEVELS)
    if ("rng" in fields) == (level == "F0"):
        _bad("chains are named at F1 and F2, and only there")
    pub, hid = _chains(fields["rng"]) if "rng" in fields else (None, None)
    return Open(
        serial=_number(fields["serial"], least=1),
        game=_text(rules["id"]),
        version=_number(rules["ver"], least=1),
        options=_options(fields["opts"]),
        seats=_number(fields["seats"]),
        clock=_text(fields["clock"]),
        level=level,
        heads=_vkey(keys["heads"]),
        log=_vkey(keys["log"]),
        pub=pub,
        hid=hid,
    )


def _vkey(value: Json) -> str:
    text = _text(value)
    try:
        kind = note.Verifier.parse(text).kind
    except note.BadKey as error:
        _bad(str(error))
    if kind != note.ED25519:
        _bad("a key that signs no notes")
    return text


def _options(value: Json) -> tuple[tuple[str, str], ...]:
    if type(value) is not dict:
        _bad("the options are no object")
    return tuple((name, _text(setting)) for name, setting in value.items())


def _chains(value: Json) -> tuple[Tip, Tip]:
    rng = _fits(value, _CHANCE)
    if rng["alg"] != RNG:
        _bad("another sampler")
    chains = _fits(rng["chains"], _CHAINS)
    return _tip(chains["pub"]), _tip(chains["hid"])


def _tip(value: Json) -> Tip:
    fields = _fits(value, _TIP)
    return Tip(_number(fields["n"], least=1), _binary(fields["tip"]))


def _by(fields: Fields, p: Fields) -> By:
    via = _among(fields["via"], _VIAS)
    if ("sig" in fields) != (via == "key"):
        _bad("sig comes exactly with via key")
    if ("ev" in fields) != (via == "mail"):
        _bad("ev comes exactly with via mail")
    if via == "cond" and fields["t"] != "move":
        _bad("a condition makes moves only")
    return By(
        on=_number(fields["on"], least=0),
        via=via,
        text=encode(p),
        sig=_maybe(fields, "sig", 64),
        ev=_maybe(fields, "ev"),
    )


def _join(fields: Fields) -> Join:
    p = _fits(_fits(fields, _BY)["p"], _JOIN_P)
    if "ent" in p and "entc" in p:
        _bad("an entropy and its commitment at once")
    return Join(
        pid=_text(p["pid"], _PID),
        by=_by(fields, p),
        ent=_maybe(p, "ent"),
        entc=_maybe(p, "entc"),
        key=_maybe(p, "key"),
    )


def _ent(fields: Fields) -> Ent:
    p = _fits(_fits(fields, _BY)["p"], _ENT_P)
    return Ent(_text(p["pid"], _PID), _binary(p["ent"]), _by(fields, p))


def _move(fields: Fields) -> Move:
    p = _fits(_fits(fields, _MOVE)["p"], _MOVE_P)
    move = Move(_number(p["seat"]), _text(p["mv"]), _by(fields, p), _maybe(fields, "src"))
    if (move.src is not None) != (move.by.via == "cond"):
        _bad("src comes exactly with via cond")
    return move


def _act(fields: Fields) -> Act:
    p = _fits(_fits(fields, _BY)["p"], _ACT_P)
    act = _among(p["act"], _ACTS)
    if ("key" in p) != (act == "rekey"):
        _bad("key comes exactly with rekey")
    return Act(_number(p["seat"]), act, _by(fields, p), _maybe(p, "key"))


def _start(fields: Fields) -> Start:
    _fits(fields, _START)
    if ("k" in fields) != ("d" in fields):
        _bad("an element without its number, or the other way round")
    seats = fields["seats"]
    if type(seats) is not dict or list(seats) != [str(seat + 1) for seat in range(len(seats))]:
        _bad("seats are 1, 2, …")
    return Start(
        seats=tuple(_text(pid, _PID) for pid in seats.values()),
        k=_number(fields["k"], least=1) if "k" in fields else None,
        d=_maybe(fields, "d"),
    )


def _deal(fields: Fields) -> Deal:
    return Deal(_number(_fits(fields, _DEAL)["k"], least=1))


def _roll(fields: Fields) -> Roll:
    _fits(fields, _ROLL)
    request = _request(fields["of"])
    return Roll(
        k=_number(fields["k"], least=1),
        d=_binary(fields["d"]),
        of=request,
        out=_outcome(request, fields["out"]),
    )


def _request(value: Json) -> Request:
    if type(value) is dict:
        return Shuffle(tuple(_text(card) for card in _list(_fits(value, _SHUFFLE)["shuffle"])))
    sides = tuple(_number(die, least=1) for die in _list(value))
    if any(die > MOST_SIDES for die in sides):
        _bad("a die with too many sides")
    return Dice(sides)


def _outcome(request: Request, value: Json) -> Outcome:
    if isinstance(request, Dice):
        return tuple(_number(eyes) for eyes in _list(value))
    return tuple(_text(card) for card in _list(value))


def _sys(fields: Fields) -> Sys:
    sys = _among(fields.get("sys"), _OPERATOR_ACTS)
    _fits(fields, _SYS[sys])
    return Sys(
        sys=sys,
        why=_text(fields["why"]),
        seat=_number(fields["seat"]) if "seat" in fields else None,
        pid=_text(fields["pid"], _PID) if "pid" in fields else None,
        key=_maybe(fields, "key"),
        secs=_number(fields["secs"]) if "secs" in fields else None,
    )


def _reveal(fields: Fields) -> Reveal:
    _fits(fields, _REVEAL)
    return Reveal(_number(fields["k"], least=1), _binary(fields["d"]))


def _end(fields: Fields) -> End:
    res = _fits(fields, _END)["res"]
    if type(res) is not dict:
        _bad("the places are no object")
    return End(
        res=tuple(
            (int(_text(seat, _SEAT)), _number(place, least=1)) for seat, place in res.items()
        ),
        why=_text(fields["why"]),
        state=_binary(fields["state"]),
    )


_READERS: Mapping[str, Callable[[Fields], Body]] = {
    "open": _open,
    "join": _join,
    "ent": _ent,
    "start": _start,
    "deal": _deal,
    "roll": _roll,
    "move": _move,
    "act": _act,
    "sys": _sys,
    "reveal": _reveal,
    "end": _end,
}
