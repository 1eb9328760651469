"""A transparency log: RFC 6962 hashing and proofs, C2SP checkpoints and tlog-proofs.

A tree of n leaves splits at the largest power of two below n. Paths and proofs list hashes from
the leaves towards the root.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.log.file import PROOF
from games.log.note import BadNote, b64, unb64

EMPTY = hashlib.sha256(b"").digest()
"""The root of the tree without leaves."""

_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch
_LONGEST = 63


class BadProof(ValueError):
    """A text or a list of hashes that proves nothing."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of a log: whose, how large, and the root of its tree."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{b64(self.root)}\n"


@dataclass(frozen=True, slots=True)
class Proof:
    """That a leaf is in a log: its index, the path to the root, and the signed checkpoint."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: str
    """A whole note."""


def leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over the hashes of leaves."""
    level = list(leaves)
    if not level:
        return EMPTY
    while len(level) > 1:
        odd = level[len(level) & ~1 :]
        level = [node(*pair) for pair in zip(level[::2], level[1::2], strict=False)] + odd
    return level[0]


def path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The inclusion path of the leaf at `index`."""
    if not 0 <= index < len(leaves):
        raise ValueError(f"there is no leaf {index}")
    if len(leaves) == 1:
        return ()
    half = _split(len(leaves))
    if index < half:
        return (*path(leaves[:half], index), root(leaves[half:]))
    return (*path(leaves[half:], index - half), root(leaves[:half]))


def root_by_path(hash: bytes, index: int, size: int, hashes: Sequence[bytes]) -> bytes:
    """The root that a path leads to from the hash of a leaf. Raises BadProof for a path of the
    wrong length."""
    if not 0 <= index < size:
        raise BadProof("the index lies outside of the tree")
    at, last, found = index, size - 1, hash
    for sibling in hashes:
        if last == 0:
            raise BadProof("the path is too long")
        if at % 2 or at == last:
            found = node(sibling, found)
            at, last = _climb(at, last)
        else:
            found = node(found, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise BadProof("the path is too short")
    return found


def consistency(leaves: Sequence[bytes], old: int) -> tuple[bytes, ...]:
    """The proof that the tree over the first `old` leaves, at least one, grew into this one."""
    if not 0 < old <= len(leaves):
        raise ValueError(f"there is no tree of {old} leaves in this one")
    return _consistency(leaves, old, True)


def consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, hashes: Sequence[bytes]
) -> bool:
    """Whether the proof shows that the old tree grew into the new one; from a tree to itself it is
    empty. The tree without leaves binds nothing, so there is no proof from it.
    """
    if not 0 < old <= new:
        return False
    if old == new:
        return not hashes and old_root == new_root
    known = () if old & (old - 1) else (old_root,)
    try:
        return _both_roots(old, new, (*known, *hashes)) == (old_root, new_root)
    except BadProof:
        return False


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint from the text of its note; lines below the third are ignored.

    Raises BadNote.
    """
    lines = text.split("\n")[:-1]
    if len(lines) < 3 or "" in lines or not _NUMBER(lines[1]):
        raise BadNote("the note is no checkpoint")
    hash = unb64(lines[2])
    if len(hash) != 32:
        raise BadNote("the root in the checkpoint has another length")
    return Checkpoint(lines[0], int(lines[1]), hash)


def proof_text(proof: Proof) -> str:
    """The proof as section 3 of a file has it."""
    hashes = "".join(b64(hash) + "\n" for hash in proof.path)
    return f"{PROOF}\nindex {proof.index}\n{hashes}\n{proof.checkpoint}"


def parse_proof(text: str) -> Proof:
    """The proof from its text; the note in it is not looked at. Raises BadProof."""
    above, _, checkpoint = text.partition("\n\n")
    magic, _, rest = above.removesuffix("\n").partition("\n")
    index, *hashes = rest.split("\n", _LONGEST + 1)
    word, _, number = index.partition(" ")
    if magic != PROOF or word != "index" or not _NUMBER(number) or len(hashes) > _LONGEST:
        raise BadProof("the proof has no index, or too long a path")
    return Proof(int(number), tuple(_hash(line) for line in hashes), checkpoint)


def _split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1


def _climb(at: int, last: int) -> tuple[int, int]:
    """Up to where the path goes on, past levels at which the last node stands alone."""
    while at and at % 2 == 0:
        at, last = at >> 1, last >> 1
    return at, last


def _both_roots(old: int, new: int, hashes: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The two roots that a consistency proof leads to, from a node that both trees have."""
    if not hashes:
        raise BadProof("the proof is empty")
    at, last = old - 1, new - 1
    while at % 2:
        at, last = at >> 1, last >> 1
    old_root = new_root = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            raise BadProof("the proof is too long")
        if at % 2 or at == last:
            old_root, new_root = node(sibling, old_root), node(sibling, new_root)
            at, last = _climb(at, last)
        else:
            new_root = node(new_root, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise BadProof("the proof is too short")
    return old_root, new_root


def _consistency(leaves: Sequence[bytes], old: int, whole: bool) -> tuple[bytes, ...]:
    """RFC 6962, 2.1.2; `whole`: the old tree is all of what the verifier already knows."""
    if old == len(leaves):
        return () if whole else (root(leaves),)
    half = _split(len(leaves))
    if old <= half:
        return (*_consistency(leaves[:half], old, whole), root(leaves[half:]))
    return (*_consistency(leaves[half:], old - half, False), root(leaves[:half]))


def _hash(line: str) -> bytes:
    try:
        hash = unb64(line)
    except BadNote as error:
        raise BadProof(str(error)) from error
    if len(hash) != 32:
        raise BadProof("a hash in the path has another length")
    return hash
