"""How chance at one record can be checked: what was fixed, what was added, what came out."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from dataclasses import dataclass

from games.log.record import Deal, Join, Reveal, Roll, Start, Tip
from games.position import Position
from service.web.match.loaded import Loaded
from service.web.request import _


@dataclass(frozen=True)
class Fact:
    """A value as the log has it, with what it is."""

    label: str
    value: str


@dataclass(frozen=True)
class Proof:
    """What a record proves of chance, in words and in figures."""

    words: str
    facts: tuple[Fact, ...] = ()


def proof(found: Loaded, at: int) -> Proof | None:
    """Of the lot, the roll or the deal at a record."""
    record, position = found.passed[at]
    match record.body:
        case Start(k=None):
            return Proof(_("The service gave the seats without a lot."))
        case Start(seats=seats, k=int(k), d=bytes(d)):
            return _drawn(found, position, k, d, ", ".join(seats))
        case Roll(k=k, d=d, out=out):
            return _drawn(found, position, k, d, ", ".join(map(str, out)))
        case Deal(k=k):
            return _dealt(found, position, k)
        case Reveal(k=k, d=d):
            words = _(
                "Element %(k)s of the hidden chain, shown after the end: with it everybody can "
                "deal these cards again.",
                k=k,
            )
            return Proof(words, (*_fixed(position.opened.hid), Fact(_element(k), _text(d))))
        case _:
            return None


def _drawn(found: Loaded, position: Position, k: int, d: bytes, out: str) -> Proof:
    words = _(
        "Both halves of this lot were fixed before it was drawn. Element %(k)s leads back to the "
        "tip that record 0 published: hashed %(k)s-fold it is that tip. Together with what the "
        "players added it gives this result and no other.",
        k=k,
    )
    facts = (
        *_fixed(position.opened.pub),
        *_added(found, position),
        Fact(_element(k), _text(d)),
        Fact(_("What came out"), out),
    )
    return Proof(words, facts)


def _dealt(found: Loaded, position: Position, k: int) -> Proof:
    fixed, added = _fixed(position.opened.hid), _added(found, position)
    shown = (record.body for record, _after in reversed(found.passed))
    d = next((body.d for body in shown if isinstance(body, Reveal) and body.k == k), None)
    if d is None:
        words = _(
            "This deal was fixed before the match, by element %(k)s of the hidden chain. The "
            "element is shown after the end; until then nobody but the service can look at the "
            "cards.",
            k=k,
        )
        return Proof(words, (*fixed, *added))
    words = _(
        "This deal was fixed before the match. Element %(k)s, shown after the end, leads back to "
        "the tip that record 0 published: hashed %(k)s-fold it is that tip. Together with what the "
        "players added it deals these cards and no others.",
        k=k,
    )
    return Proof(words, (*fixed, *added, Fact(_element(k), _text(d))))


def _fixed(tip: Tip | None) -> tuple[Fact, ...]:
    if tip is None:
        return ()
    return (Fact(_("Fixed in record 0: the tip of the chain"), _text(tip.tip)),)


def _added(found: Loaded, position: Position) -> tuple[Fact, ...]:
    """The entropy of each player, with the record in which it stands."""
    names = dict(zip((seat.pid for seat in found.people), found.names, strict=True))
    numbers = {
        record.body.pid: record.n
        for record, _after in found.passed[: position.wait + 1]
        if isinstance(record.body, Join)
    }
    return tuple(
        Fact(
            _("Added by %(name)s in record %(n)s", name=names.get(pid) or pid, n=numbers[pid]),
            _text(ent),
        )
        for pid, ent in position.opened_ents
        if pid in numbers
    )


def _element(k: int) -> str:
    return _("Element %(k)s of the chain", k=k)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
