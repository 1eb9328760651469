"""Hash chains: made from the end, published by their tip, used from the front."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

from games.chance.stream import hkdf
from games.core.rules import Chain as Name

LENGTH = 4096
"""Elements of each chain of a match: more than the longest plausible game uses four times."""


@dataclass(frozen=True)
class Chain:
    """All elements of a chain: who has it knows everything that it will decide."""

    name: Name
    elements: tuple[bytes, ...] = field(repr=False)
    """D[0], the tip, to D[N]."""

    @property
    def n(self) -> int:
        """How many events it serves."""
        return len(self.elements) - 1

    @property
    def tip(self) -> bytes:
        """D[0], which `open` publishes."""
        return self.elements[0]


class Chains(NamedTuple):
    """The two chains of a match."""

    pub: Chain
    hid: Chain


def element_before(m: str, name: Name, k: int, d: bytes) -> bytes:
    """Element k-1 from element k: shown d, anyone can see that it was fixed before."""
    return hashlib.sha256(f"pbem-chain/1\n{m}\n{name}\n{k}\n".encode("ascii") + d).digest()


def chain(m: str, name: Name, last: bytes, n: int) -> Chain:
    """The chain of `n` elements that ends in `last`."""
    elements = [last]
    for k in range(n, 0, -1):
        elements.append(element_before(m, name, k, elements[-1]))
    return Chain(name, tuple(reversed(elements)))


def make(secret: bytes, m: str, n: int = LENGTH) -> Chains:
    """Both chains of a match from its one 32-byte secret.

    How their ends follow from the secret is ours alone: HKDF-SHA256 without salt, info
    `fernpartie/chain-end/1 `, match id, blank, name. Nobody else can or need recompute it; the
    service must, for as long as a match runs, so it must not change.
    """
    if len(secret) != 32:
        raise ValueError("the secret of a match is 32 bytes")
    return Chains(_made(secret, m, "pub", n), _made(secret, m, "hid", n))


def _made(secret: bytes, m: str, name: Name, n: int) -> Chain:
    info = f"fernpartie/chain-end/1 {m} {name}".encode("ascii")
    return chain(m, name, hkdf(salt=b"", secret=secret, info=info), n)
