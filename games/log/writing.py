"""Records written as lines, and the text a player signs."""

from __future__ import annotations

from games.core.rules import Dice, Request
from games.log.canon import Fields, Json, b64url, encode, moment
from games.log.errors import BadLog
from games.log.record import (
    Act,
    Body,
    By,
    Deal,
    End,
    Ent,
    Join,
    Move,
    Open,
    Reveal,
    Roll,
    Start,
    Sys,
    Via,
)
from games.log.schema import FORMAT, RNG, read


def kind(body: Body) -> str:
    """The field `t`: what a record is called, `move` for a Move."""
    return type(body).__name__.lower()


def write(m: str, n: int, at: int, prev: bytes, body: Body) -> bytes:
    """The line (without LF) of record `n`; `prev` is the hash of the line before, b"" for none.

    Raises BadLog if `read` would not give this record back.
    """
    common = _plain(t=kind(body), m=m, n=n, at=moment(at), prev=prev)
    raw = encode(common | _body_fields(body))
    back = read(raw)
    if (back.m, back.n, back.at, back.prev, back.body) != (m, n, at, prev, body):
        raise BadLog("E_SCHEMA", n, "the record would not read back")
    return raw


def player_text(**p: str | int | bytes | None) -> bytes:
    """The canonical `p`, the part a player signs: `player_text(seat=1, mv="a3-c3")`."""
    return encode(_plain(**p))


def by(
    on: int,
    via: Via,
    *,
    sig: bytes | None = None,
    ev: bytes | None = None,
    **p: str | int | bytes | None,
) -> By:
    """The `By` of a record whose `p` has these values: `by(3, "web", seat=1, mv="a3-c3")`."""
    return By(on, via, player_text(**p), sig, ev)


def _plain(**values: str | int | bytes | None) -> Fields:
    """The values that are there, bytes as text."""
    return {
        name: b64url(value) if isinstance(value, bytes) else value
        for name, value in values.items()
        if value is not None
    }


def _body_fields(body: Body) -> Fields:
    if isinstance(body, Open):
        return _open_fields(body)
    if isinstance(body, Join | Ent | Move | Act):
        by = body.by
        said = _plain(on=by.on, via=by.via, sig=by.sig, ev=by.ev)
        if isinstance(body, Move):
            said |= _plain(src=body.src)
        return said | {"p": _p(body)}
    return _server_fields(body)


def _open_fields(body: Open) -> Fields:
    fields = _plain(
        fmt=FORMAT, serial=body.serial, seats=body.seats, clock=body.clock, level=body.level
    )
    fields["rules"] = _plain(id=body.game, ver=body.version)
    fields["opts"] = dict(body.options)
    fields["keys"] = _plain(heads=body.heads, log=body.log)
    if body.pub is not None and body.hid is not None:
        chains: Fields = {
            "pub": _plain(n=body.pub.n, tip=body.pub.tip),
            "hid": _plain(n=body.hid.n, tip=body.hid.tip),
        }
        fields["rng"] = {"alg": RNG, "chains": chains}
    return fields


def _p(body: Join | Ent | Move | Act) -> Fields:
    match body:
        case Join():
            return _plain(pid=body.pid, ent=body.ent, entc=body.entc, key=body.key)
        case Ent():
            return _plain(pid=body.pid, ent=body.ent)
        case Move():
            return _plain(seat=body.seat, mv=body.mv)
        case Act():
            return _plain(seat=body.seat, act=body.act, key=body.key)


def _server_fields(body: Start | Deal | Roll | Sys | Reveal | End) -> Fields:
    match body:
        case Start():
            seats: Fields = {str(seat): pid for seat, pid in enumerate(body.seats, start=1)}
            return _plain(k=body.k, d=body.d) | {"seats": seats}
        case Deal():
            return _plain(k=body.k)
        case Roll():
            drawn: Fields = {"of": _of(body.of), "out": [*body.out]}
            return _plain(k=body.k, d=body.d) | drawn
        case Sys():
            return _plain(
                sys=body.sys,
                why=body.why,
                seat=body.seat,
                pid=body.pid,
                key=body.key,
                secs=body.secs,
            )
        case Reveal():
            return _plain(k=body.k, d=body.d)
        case End():
            places: Fields = {str(seat): place for seat, place in body.res}
            return _plain(why=body.why, state=body.state) | {"res": places}


def _of(request: Request) -> Json:
    if isinstance(request, Dice):
        return list(request.sides)
    return {"shuffle": list(request.ids)}
