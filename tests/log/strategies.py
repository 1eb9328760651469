"""Random records and lines for properties."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from games.core.rules import Dice, Shuffle
from games.log.note import ED25519, Verifier
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
    Reveal,
    Roll,
    Start,
    Sys,
    SysKind,
    Tip,
    Via,
)
from games.log.writing import by

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\')

TEXTS = st.text(PLAIN, max_size=20)
KEYS = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,31}", fullmatch=True)
MATCHES = st.text(ALPHABET, min_size=16, max_size=16).map("m_".__add__)
PIDS = st.from_regex(r"p_[0-9A-Za-z]{1,20}", fullmatch=True)
HASHES = st.binary(min_size=32, max_size=32)
COUNTS = st.integers(1, 2**53 - 1)
NUMBERS = st.integers(0, 2**53 - 1)
SEATS = st.integers(1, 9)
TIMES = st.integers(0, 253402300799)
TIPS = st.builds(Tip, COUNTS, HASHES)
NAMES = st.from_regex(r"[a-z.]{1,20}/[a-z]{1,9}", fullmatch=True)
VKEYS = st.builds(Verifier, NAMES, st.just(ED25519), HASHES).map(lambda key: key.vkey)


@st.composite
def opens(draw: st.DrawFn) -> Open:
    level = draw(st.sampled_from(get_args(Level)))
    chances = TIPS if level != "F0" else st.none()
    options = draw(st.dictionaries(KEYS, TEXTS, max_size=4))
    return Open(
        serial=draw(COUNTS),
        game=draw(TEXTS),
        version=draw(COUNTS),
        options=tuple(sorted(options.items())),
        seats=draw(SEATS),
        clock=draw(TEXTS),
        level=level,
        heads=draw(VKEYS),
        log=draw(VKEYS),
        pub=draw(chances),
        hid=draw(chances),
    )


def saying(draw: st.DrawFn, *, move: bool = False, **p: str | int | bytes | None) -> By:
    """How a record with these values in its `p` may have come."""
    via = draw(st.sampled_from([word for word in get_args(Via) if move or word != "cond"]))
    return by(
        draw(NUMBERS),
        via,
        sig=draw(st.binary(min_size=64, max_size=64)) if via == "key" else None,
        ev=draw(HASHES) if via == "mail" else None,
        **p,
    )


@st.composite
def joins(draw: st.DrawFn) -> Join:
    pid = draw(PIDS)
    ent, entc = draw(st.sampled_from([(True, False), (False, True), (False, False)]))
    p = {
        "ent": draw(HASHES) if ent else None,
        "entc": draw(HASHES) if entc else None,
        "key": draw(st.none() | HASHES),
    }
    return Join(pid, saying(draw, pid=pid, **p), **p)


@st.composite
def ents(draw: st.DrawFn) -> Ent:
    pid, ent = draw(PIDS), draw(HASHES)
    return Ent(pid, ent, saying(draw, pid=pid, ent=ent))


@st.composite
def starts(draw: st.DrawFn) -> Start:
    seats = tuple(draw(st.lists(PIDS, max_size=9)))
    return draw(st.just(Start(seats)) | st.builds(Start, st.just(seats), COUNTS, HASHES))


@st.composite
def rolls(draw: st.DrawFn) -> Roll:
    if draw(st.booleans()):
        sides = draw(st.lists(st.integers(1, 2**32), max_size=6))
        eyes = tuple(draw(st.integers(1, side)) for side in sides)
        return Roll(draw(COUNTS), draw(HASHES), Dice(tuple(sides)), eyes)
    cards = draw(st.lists(TEXTS, max_size=6))
    shuffled = tuple(draw(st.permutations(cards)))
    return Roll(draw(COUNTS), draw(HASHES), Shuffle(tuple(cards)), shuffled)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    seat, mv = draw(SEATS), draw(TEXTS)
    said = saying(draw, move=True, seat=seat, mv=mv)
    return Move(seat, mv, said, draw(HASHES) if said.via == "cond" else None)


@st.composite
def acts(draw: st.DrawFn) -> Act:
    seat, act = draw(SEATS), draw(st.sampled_from(get_args(ActKind)))
    key = draw(HASHES) if act == "rekey" else None
    return Act(seat, act, saying(draw, seat=seat, act=act, key=key), key)


@st.composite
def operator_acts(draw: st.DrawFn) -> Sys:
    sys: SysKind = draw(st.sampled_from(get_args(SysKind)))
    seated = sys in ("timeout", "substitute", "rekey") or (sys == "clock" and draw(st.booleans()))
    keyed = sys == "rekey" or (sys == "substitute" and draw(st.booleans()))
    return Sys(
        sys,
        draw(TEXTS),
        seat=draw(SEATS) if seated else None,
        pid=draw(PIDS) if sys == "substitute" else None,
        key=draw(HASHES) if keyed else None,
        secs=draw(st.integers(-(10**9), 10**9)) if sys == "clock" else None,
    )


@st.composite
def ends(draw: st.DrawFn) -> End:
    places = draw(st.dictionaries(SEATS, SEATS))
    return End(tuple(sorted(places.items())), draw(TEXTS), draw(HASHES))


BODIES: st.SearchStrategy[Body] = st.one_of(
    opens(),
    joins(),
    ents(),
    starts(),
    st.builds(Deal, COUNTS),
    rolls(),
    moves(),
    acts(),
    operator_acts(),
    st.builds(Reveal, COUNTS, HASHES),
    ends(),
)
