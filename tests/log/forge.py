"""A forging kit: files as an operator who holds every key of a service could write them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from games.core.rules import ToMove
from games.log import policy, tlog
from games.log.canon import Fields, b64url, decode, encode, unb64url
from games.log.file import join, split
from games.log.head import head_text
from games.log.note import COSIGNATURE, Signer, sign
from games.log.policy import Policy
from games.position import Phase
from games.verify import Verdict, verify
from tests.games.script import Script, admit_toys

GOLDEN = Path(__file__).parent.parent / "golden"
EXAMPLE = (GOLDEN / "malawi.mlog").read_bytes()
EXAMPLE_POLICY = (GOLDEN / "policy.txt").read_text()
STRICT_POLICY = EXAMPLE_POLICY.replace("witnesses any", "witnesses all")
"""Needs both cosignatures: one that nobody needs may be damaged into one by an unknown key."""

NAME = "forger.example"
HEADS = Signer.generate(f"{NAME}/heads", bytes([1] * 32))
LOG = Signer.generate(f"{NAME}/log", bytes([2] * 32))
WITNESSES = [Signer.generate(f"w{n}.example", bytes([n] * 32), COSIGNATURE) for n in range(3, 5)]
STRANGER = Signer.generate(f"{NAME}/heads", bytes([9] * 32))
POLICY_TEXT = (
    f"heads {HEADS.vkey}\nlog {LOG.vkey}\n"
    f"witness w1 {WITNESSES[0].vkey}\nwitness w2 {WITNESSES[1].vkey}\n"
    "group both all w1 w2\nquorum both\n"
)
POLICY = policy.parse(POLICY_TEXT)
M = "m_0123456789ABCDEF"
TIME = 1_800_010_000

Lines = Sequence[bytes]


def parts(data: bytes) -> tuple[Lines, str, str]:
    """The sections of a file that has all three."""
    sections = split(data)
    assert sections.head is not None
    assert sections.proof is not None
    return sections.lines, sections.head, sections.proof


def hashes(lines: Iterable[bytes]) -> list[bytes]:
    return [hashlib.sha256(line + b"\n").digest() for line in lines]


def head(lines: Lines, *, count: int | None = None, m: str = M) -> str:
    """The text of the head that these lines have."""
    return head_text(NAME, m, len(lines) if count is None else count, hashes(lines)[-1])


def logged(
    text: str,
    *,
    leaf: str | None = None,
    log: Sequence[Signer] = (LOG,),
    witnesses: Sequence[Signer] = tuple(WITNESSES),
    origin: str = LOG.name,
) -> str:
    """Section 3 for the text of a head, in a log of five leaves."""
    leaves = [tlog.leaf(bytes([n])) for n in range(5)]
    leaves[2] = tlog.leaf((text if leaf is None else leaf).encode())
    checkpoint = tlog.Checkpoint(origin, 5, tlog.root(leaves)).text
    signed = sign(checkpoint, *log) + "".join(
        witness.cosign(checkpoint, TIME - n) for n, witness in enumerate(witnesses)
    )
    return tlog.proof_text(tlog.Proof(2, tlog.path(leaves, 2), signed))


def file(lines: Lines, text: str | None = None, *signers: Signer) -> bytes:
    """The whole file of these lines, signed, logged and cosigned."""
    text = head(lines) if text is None else text
    return join(lines, sign(text, *(signers or (HEADS,))), logged(text))


def rechained(lines: Lines) -> Lines:
    """The lines with every `prev` right again."""
    fixed: list[bytes] = []
    for line in lines:
        fields = decode(line)
        fields["prev"] = b64url(hashes(fixed[-1:])[0]) if fixed else ""
        fixed.append(encode(fields))
    return fixed


def numbered(lines: Lines) -> Lines:
    """The lines with every `n` and every `prev` right again, and no time before an earlier one."""
    fixed, at = [], ""
    for n, line in enumerate(lines):
        fields = decode(line)
        at = max(at, str(fields["at"]))
        fixed.append(encode(fields | {"n": n, "at": at}))
    return rechained(fixed)


def edited(lines: Lines, n: int, change: Callable[[Fields], object]) -> Lines:
    """The lines with one record changed and all later ones chained to it."""
    fields = decode(lines[n])
    change(fields)
    return rechained([*lines[:n], encode(fields), *lines[n + 1 :]])


def with_fields(**changes: object) -> Callable[[Fields], object]:
    """A change that sets fields; `p__mv="…"` sets one within `p`."""

    def change(fields: Fields) -> None:
        for name, value in changes.items():
            *outer, last = name.split("__")
            place = fields
            for step in outer:
                within = place[step]
                assert isinstance(within, dict)
                place = within
            place[last] = value  # type: ignore[assignment]

    return change


def without(name: str) -> Callable[[Fields], object]:
    """A change that takes a field away."""
    return lambda fields: fields.pop(name)


def flipped(text: str) -> str:
    """base64url of the same bytes with one bit flipped."""
    data = unb64url(text)
    return b64url(bytes([data[0] ^ 1]) + data[1:])


def where(lines: Lines, t: str, nth: int = 0) -> int:
    """The number of the nth record of a type."""
    return [n for n, line in enumerate(lines) if decode(line)["t"] == t][nth]


@cache
def duel(level: str = "F1") -> tuple[bytes, ...]:
    """A short match of Malawi that `p_a`, who has a key, resigns."""
    script = Script("malawi", 2, level, keyed=(1,))
    script.start()
    for _ in range(4):
        _first_move(script)
    script.act(seat_of(script, "p_a"), "resign")
    script.close()
    return tuple(script.lines)


@cache
def cards(seats: int = 3) -> tuple[bytes, ...]:
    """A match of hidden cards and dice to its end; `p_b` has a key."""
    script = Script("highest", seats, keyed=(2,))
    script.start()
    while script.position.phase is Phase.RUNNING:
        _first_move(script)
    script.close()
    return tuple(script.lines)


def seat_of(script: Script, pid: str) -> int:
    return [holder.pid for holder in script.position.holders].index(pid) + 1


def _first_move(script: Script) -> None:
    rules, turn = script.position.rules, script.position.turn
    assert isinstance(turn, ToMove)
    script.move(turn.seat, rules.notate(next(iter(rules.legal_moves(script.position.state)))))


def judged(data: bytes, trust: Policy = POLICY) -> Verdict:
    admit_toys()
    return verify(data, trust)


def fault(data: bytes, trust: Policy = POLICY) -> str:
    """`E_CHAIN 5`, or "" if all holds."""
    verdict = judged(data, trust)
    return "" if verdict.ok else verdict.fault
