"""The chains of a whole log: every element shown in its order, and each the one published before.

It needs no rules: what came of the elements is another question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.chance.chain import element_before
from games.core.rules import Chain as Name
from games.log.errors import BadLog
from games.log.record import Deal, End, Open, Record, Reveal, Roll, Start, Tip

_FOREIGN: Mapping[Name, str] = {"pub": "E_PUB_ELEMENT", "hid": "E_HID_ELEMENT"}


@dataclass(frozen=True, slots=True)
class Audit:
    """How often hidden things were dealt, and the elements revealed since, by their number."""

    deals: int
    hidden: dict[int, bytes]

    @property
    def sealed(self) -> int:
        """Deals that nobody can check yet."""
        return self.deals - len(self.hidden)


def audit(records: Sequence[Record]) -> Audit:
    """The hidden elements that a log reveals, after all its elements have been checked.

    Raises BadLog: E_CHAIN_ORDER, E_PUB_ELEMENT, E_HID_ELEMENT, E_UNREVEALED.
    """
    opened = records[0].body
    assert isinstance(opened, Open)
    pub, hid = _Shown("pub", opened.pub), _Shown("hid", opened.hid)
    deals, hidden = 0, {}
    for record in records:
        match record.body:
            case Start(k=int(k), d=bytes(d)) | Roll(k=k, d=d):
                pub.show(record, k, d)
            case Deal(k=k):
                hid.check_next(record, deals, k)
                deals = k
            case Reveal(k=k, d=d):
                hid.show(record, k, d)
                hidden[k] = d
            case End() if deals > len(hidden):
                raise BadLog("E_UNREVEALED", record.n)
    return Audit(deals, hidden)


class _Shown:
    """A chain as far as it has been shown."""

    def __init__(self, name: Name, tip: Tip | None) -> None:
        self.name = name
        self.n, self.last = (tip.n, tip.tip) if tip else (0, b"")
        self.k = 0

    def check_next(self, record: Record, before: int, k: int) -> None:
        if k != before + 1 or k > self.n:
            raise BadLog("E_CHAIN_ORDER", record.n, f"{self.name} element {k} after {before}")

    def show(self, record: Record, k: int, d: bytes) -> None:
        self.check_next(record, self.k, k)
        if element_before(record.m, self.name, k, d) != self.last:
            raise BadLog(_FOREIGN[self.name], record.n)
        self.k, self.last = k, d
