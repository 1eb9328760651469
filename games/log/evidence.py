"""What vouches for a log: its head, the heads its players hold, and its place in the service's log.

Steps 3 to 5 of "Judging" in `games.log`; every fault has its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.log import note
from games.log.errors import BadLog
from games.log.head import Head, parse_head, service_name
from games.log.note import BadNote, BadSignature, NoSignature, Signed, Verifier
from games.log.policy import Policy
from games.log.tlog import (
    BadProof,
    Checkpoint,
    consistent,
    leaf,
    parse_checkpoint,
    parse_proof,
    root_by_path,
)


class SignedHead(NamedTuple):
    """A head, the text that was signed, and the key that signed it."""

    head: Head
    text: str
    by: Verifier


@dataclass(frozen=True, slots=True)
class Logged:
    """That a head is in the service's log."""

    index: int
    checkpoint: Checkpoint
    signed: bool
    """Not if the policy names no log to sign the checkpoint."""
    times: tuple[int, ...]
    """When each of the policy's witnesses saw the checkpoint, ascending."""


class Earlier(NamedTuple):
    """A checkpoint kept from before, and the proof that the smaller log grew into the larger."""

    note: str | bytes
    proof: tuple[bytes, ...]


def open_head(signed: str | bytes | None, heads: Iterable[Verifier], m: str) -> SignedHead:
    """The head of the match, signed by a trusted key.

    Raises BadLog: E_NOTE, E_HEAD_SIG, E_HEAD_KEY, E_HEAD, E_HEAD_MATCH.
    """
    if signed is None:
        raise BadLog("E_NOTE", detail="there is no head")
    opened = _opened(signed, tuple(heads), "E_HEAD_SIG", "E_HEAD_KEY")
    try:
        head = parse_head(opened.text)
    except BadNote as error:
        raise BadLog("E_HEAD", detail=str(error)) from error
    by = [signer.by for signer in opened.by if service_name(signer.by.name) == head.name]
    if not by or not head.name:
        raise BadLog("E_HEAD", detail=f"a head of {head.name}")
    if head.m != m:
        raise BadLog("E_HEAD_MATCH", detail=head.m)
    return SignedHead(head, opened.text, by[0])


def check_head(head: Head, hashes: Sequence[bytes]) -> None:
    """Whether the head is that of a log with these record hashes.

    Raises BadLog: E_TRUNCATED, E_TAIL, E_HEAD_HASH.
    """
    if head.count != len(hashes):
        code = "E_TRUNCATED" if head.count > len(hashes) else "E_TAIL"
        raise BadLog(code, detail=f"{head.count} records by the head, {len(hashes)} in the file")
    if head.hash != hashes[-1]:
        raise BadLog("E_HEAD_HASH")


def check_receipt(head: Head, hashes: Sequence[bytes]) -> None:
    """Whether the log goes on from an earlier head. Raises BadLog: E_HEAD, E_ROLLBACK, E_FORK."""
    if head.count == 0:
        raise BadLog("E_HEAD", detail="a head of nothing")
    if head.count > len(hashes):
        raise BadLog("E_ROLLBACK", detail=f"there were {head.count} records before")
    if head.hash != hashes[head.count - 1]:
        raise BadLog("E_FORK", head.count - 1)


def check_logged(proof: str, head: str, policy: Policy) -> Logged:
    """Whether the text of a head is in a log of the policy, seen by a quorum of its witnesses.

    A policy without a log asks for no signature. Raises BadLog: E_INCLUSION, E_NOTE,
    E_CHECKPOINT_SIG, E_CHECKPOINT_KEY, E_QUORUM.
    """
    try:
        found = parse_proof(proof)
        checkpoint = _checkpoint(found.checkpoint)
        root = root_by_path(leaf(head.encode()), found.index, checkpoint.size, found.path)
    except BadProof as error:
        raise BadLog("E_INCLUSION", detail=str(error)) from error
    if root != checkpoint.root:
        raise BadLog("E_INCLUSION", detail="the path leads to another root")
    by = _signers(found.checkpoint, checkpoint, policy) if policy.logs else ()
    if policy.logs and not policy.satisfied([signer.by for signer in by]):
        raise BadLog("E_QUORUM")
    return Logged(found.index, checkpoint, bool(by), _times(by))


def check_earlier(earlier: Earlier, now: Checkpoint, policy: Policy) -> None:
    """Whether a log shows one history at both checkpoints.

    Raises BadLog: E_NOTE, E_CHECKPOINT_SIG, E_CHECKPOINT_KEY, E_FORK.
    """
    checkpoint = _checkpoint(earlier.note)
    _signers(earlier.note, checkpoint, policy)
    old, new = sorted((checkpoint, now), key=lambda either: either.size)
    if checkpoint.origin != now.origin or not consistent(
        old.size, old.root, new.size, new.root, earlier.proof
    ):
        raise BadLog("E_FORK", detail=f"a checkpoint of {checkpoint.origin}")


def _opened(
    signed: str | bytes, verifiers: Sequence[Verifier], bad: str, unknown: str
) -> note.Opened:
    try:
        return note.open_note(signed, verifiers)
    except BadSignature as error:
        raise BadLog(bad, detail=str(error)) from error
    except NoSignature as error:
        raise BadLog(unknown, detail=str(error)) from error
    except BadNote as error:
        raise BadLog("E_NOTE", detail=str(error)) from error


def _checkpoint(signed: str | bytes) -> Checkpoint:
    try:
        return parse_checkpoint(note.parse(signed).text)
    except BadNote as error:
        raise BadLog("E_NOTE", detail=str(error)) from error


def _signers(signed: str | bytes, checkpoint: Checkpoint, policy: Policy) -> tuple[Signed, ...]:
    known = (*policy.logs, *policy.cosigners())
    opened = _opened(signed, known, "E_CHECKPOINT_SIG", "E_CHECKPOINT_KEY")
    if not any(by in policy.logs and by.name == checkpoint.origin for by, _ in opened.by):
        raise BadLog("E_CHECKPOINT_KEY", detail=checkpoint.origin)
    return opened.by


def _times(by: Iterable[Signed]) -> tuple[int, ...]:
    """One time for each witness: its first, should it have signed twice."""
    first: dict[Verifier, int] = {}
    for verifier, time in by:
        if time is not None:
            first[verifier] = min(time, first.get(verifier, time))
    return tuple(sorted(first.values()))
