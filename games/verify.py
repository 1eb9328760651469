"""A whole log file against a policy: the verdict (`games.log`, "Judging" and "The verdict")."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.chance.audit import Audit, audit
from games.log.canon import b64url, moment
from games.log.errors import BadLog
from games.log.evidence import (
    Earlier,
    Logged,
    SignedHead,
    check_earlier,
    check_head,
    check_logged,
    check_receipt,
    open_head,
)
from games.log.file import Sections, split
from games.log.note import Verifier
from games.log.policy import Policy
from games.log.record import Act, End, Ent, Join, Move, Open, Record, Start, Sys
from games.log.sequence import records
from games.log.words import sentence
from games.position import Position, pid_of
from games.replay import Hidden, begin, follow

_LAST_MOMENT = 253402300799
"""The end of the year 9999, beyond which no text for a time is agreed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check came to: all that was asked for holds, or the first fault that was found."""

    ok: bool
    code: str | None
    record: int | None
    """The record the fault was found at, if it was found at one."""
    lines: tuple[str, ...]
    """As `games.log` explains them under "The verdict"; none if there is a fault."""
    sentence: str

    @property
    def fault(self) -> str:
        """`E_CHAIN 5`, or `E_NOTE -` where no record is meant."""
        return f"{self.code} {'-' if self.record is None else self.record}"


class Log(NamedTuple):
    """The records of a file, each fitting the one before, and what vouches for them."""

    records: tuple[Record, ...]
    sections: Sections

    @property
    def opened(self) -> Open:
        body = self.records[0].body
        assert isinstance(body, Open)
        return body

    @property
    def end(self) -> End | None:
        body = self.records[-1].body
        return body if isinstance(body, End) else None


class Vouched(NamedTuple):
    """What stands behind the records."""

    head: SignedHead
    logged: Logged | None


class Played(NamedTuple):
    """What the records came to."""

    position: Position
    chains: Audit
    said: Mapping[str, int]
    """How many records are by a pid."""
    signed: Mapping[str, int]
    """How many of those are signed."""
    ruled: Mapping[int, str]
    """What the operator did to a seat, as its line says it."""


def verify(
    data: bytes,
    policy: Policy | None = None,
    receipts: Sequence[str | bytes] = (),
    earlier: Sequence[Earlier] = (),
) -> Verdict:
    """The verdict on a file, whatever its bytes are.

    `receipts` are head notes, `earlier` checkpoints of the service's log, kept from before.
    Without a policy the keys that record 0 names are taken: all is checked but trust.
    """
    try:
        log = read(data)
        vouched = vouch(log, policy, receipts, earlier)
        played = play(log)
    except BadLog as error:
        said = sentence(error.code, error.record, "en")
        return Verdict(False, error.code, error.record, (), said)
    lines = [*_vouched_lines(log, vouched, receipts), *_played_lines(log, played)]
    lines += [f"note: {note}" for note in _notes(log, vouched, policy, earlier)]
    return Verdict(True, None, None, tuple(lines), sentence(None, None, "en"))


def read(data: bytes) -> Log:
    """The records of a file (steps 1 and 2). Raises BadLog."""
    sections = split(data)
    return Log(tuple(records(sections.lines)), sections)


def vouch(
    log: Log,
    policy: Policy | None,
    receipts: Iterable[str | bytes] = (),
    earlier: Sequence[Earlier] = (),
) -> Vouched:
    """What stands behind the records (steps 3 to 5). Raises BadLog."""
    trust = _named(log.opened) if policy is None else policy
    m, hashes = log.records[0].m, [record.hash for record in log.records]
    head = open_head(log.sections.head, trust.heads, m)
    check_head(head.head, hashes)
    for receipt in receipts:
        check_receipt(open_head(receipt, trust.heads, m).head, hashes)
    proof = log.sections.proof
    if proof is None:
        if earlier or (policy is not None and policy.logs):
            raise BadLog("E_NOPROOF")
        return Vouched(head, None)
    logged = check_logged(proof, head.text, trust)
    for kept in earlier:
        check_earlier(kept, logged.checkpoint, trust)
    return Vouched(head, logged)


def play(log: Log) -> Played:
    """What the records come to (step 6). Raises BadLog."""
    begin(log.records[0])
    chains = audit(log.records)
    said, signed, ruled = Counter[str](), Counter[str](), defaultdict[int, str](str)
    for record, after in positions(log, chains.hidden):
        position = after
        match record.body:
            case Sys(sys="substitute", seat=int(seat)):
                ruled[seat] += f", substituted at {record.n}"
            case Sys(sys="rekey", seat=int(seat)):
                ruled[seat] += f", key recovered at {record.n}"
            case Join(by=by) | Ent(by=by) | Move(by=by) | Act(by=by):
                pid = _speaker(position, record.body)
                said[pid] += 1
                signed[pid] += by.sig is not None
    return Played(position, chains, said, signed, ruled)


def positions(
    log: Log, hidden: Hidden, *, signatures: bool = True
) -> Iterator[tuple[Record, Position]]:
    """Each record with the position after it. Raises BadLog."""
    position = begin(log.records[0])
    yield log.records[0], position
    for record in log.records[1:]:
        position = follow(position, record, hidden, signatures=signatures)
        yield record, position


def _speaker(position: Position, body: Join | Ent | Move | Act) -> str:
    return body.pid if isinstance(body, Join | Ent) else pid_of(position, body.seat)


def _named(opened: Open) -> Policy:
    """The policy that believes what record 0 says of itself."""
    return Policy(heads=(Verifier.parse(opened.heads),), logs=(Verifier.parse(opened.log),))


def _vouched_lines(log: Log, vouched: Vouched, receipts: Sequence[str | bytes]) -> Iterator[str]:
    yield f"INTACT {len(log.records)} records, {'complete' if log.end else 'unfinished'}"
    if vouched.logged is not None and vouched.logged.signed:
        times = "".join(f" {_time(time)}" for time in vouched.logged.times)
        yield f"LOGGED index {vouched.logged.index} of {vouched.logged.checkpoint.size}{times}"
    if receipts:
        yield f"CONSISTENT with {len(receipts)} receipts"


def _played_lines(log: Log, played: Played) -> Iterator[str]:
    opened, sealed = log.opened, played.chains.sealed
    if not sealed:
        yield f"PLAYED {opened.game}/{opened.version} {_result(log.end)}"
    unrevealed = f", {sealed} of {played.chains.deals} deals unrevealed" if sealed else ""
    yield f"FAIR {opened.level}{unrevealed}"
    if any(isinstance(record.body, Start) for record in log.records):
        yield from (_seat(played, seat) for seat in range(1, opened.seats + 1))


def _result(end: End | None) -> str:
    if end is None:
        return "unfinished"
    return end.why + "".join(f" {seat}={place}" for seat, place in end.res)


def _seat(played: Played, seat: int) -> str:
    pid, key = played.position.holders[seat - 1]
    word = "operator's word"
    if key is not None and (played.signed.get(pid) or not played.said.get(pid)):
        word = f"signed {played.signed.get(pid, 0)}/{played.said.get(pid, 0)} by key {b64url(key)}"
    return f"seat {seat}: {word}{played.ruled.get(seat, '')}"


def _notes(
    log: Log, vouched: Vouched, policy: Policy | None, earlier: Sequence[Earlier]
) -> Iterator[str]:
    if policy is None:
        yield "no policy was given; the keys are those that record 0 names, whoever they belong to"
    if vouched.head.by.vkey != log.opened.heads:
        yield f"the head is signed by {vouched.head.by.vkey}, record 0 names {log.opened.heads}"
    if vouched.logged is not None and not vouched.logged.signed:
        yield "the policy names no log; who signed the checkpoint was not checked"
    if earlier:
        yield f"consistent with {len(earlier)} earlier checkpoints"


def _time(time: int) -> str:
    return moment(time) if time <= _LAST_MOMENT else str(time)
