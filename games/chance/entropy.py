"""What the players bring to chance: committed to, opened, and put together."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from games.log.canon import b64url

NO_BEACON = "-"


def commitment(m: str, pid: str, entropy: bytes) -> bytes:
    """The `entc` of a sealed start: tells nothing of the entropy, and fits no other."""
    return hashlib.sha256(f"pbem-ent/1\n{m}\n{pid}\n".encode("ascii") + entropy).digest()


def transcript(m: str, ents: Iterable[bytes], beacon: str = NO_BEACON) -> bytes:
    """All entropies of a match as one value. Sorted, so that no order of joining is a choice."""
    lines = ("pbem-entropy/1", m, *sorted(b64url(entropy) for entropy in ents), beacon)
    return hashlib.sha256("".join(line + "\n" for line in lines).encode("ascii")).digest()


def typed_words(text: str) -> bytes:
    """The entropy that words make, as typed, so that who typed them can make it again."""
    return hashlib.sha256(b"pbem-words/1\n" + text.encode()).digest()
