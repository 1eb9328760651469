"""One event of chance: the words its element gives, and what they come to."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import TypeVar

from games.chance.entropy import transcript
from games.core.rules import Chain, Dice, Outcome, Request

T = TypeVar("T")

WORDS = 2**32
_WORD_BYTES = 4


class Stream:
    """The 32-bit words of HMAC-SHA256 in counter mode, and fair draws from them."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._blocks = 0
        self._left = b""

    def u32(self) -> int:
        """The next word."""
        if not self._left:
            self._left = hmac.digest(self._key, self._blocks.to_bytes(4, "big"), "sha256")
            self._blocks += 1
        word, self._left = self._left[:_WORD_BYTES], self._left[_WORD_BYTES:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely. Raises ValueError unless 1 <= n <= 2^32."""
        if not 1 <= n <= WORDS:
            raise ValueError(f"no draw below {n}")
        if n == 1:
            return 0
        fair = WORDS - WORDS % n
        while (word := self.u32()) >= fair:
            pass
        return word % n

    def dice(self, sides: Iterable[int]) -> tuple[int, ...]:
        """The eyes of dice with these numbers of sides."""
        return tuple(self.below(die) + 1 for die in sides)

    def shuffle(self, ids: Sequence[T]) -> tuple[T, ...]:
        """The ids in a random order (Fisher and Yates, from the last place down)."""
        pile = list(ids)
        for place in range(len(pile) - 1, 0, -1):
            other = self.below(place + 1)
            pile[place], pile[other] = pile[other], pile[place]
        return tuple(pile)


def stream_key(entropy: bytes, name: Chain, k: int, d: bytes) -> bytes:
    """The key of an event's stream: HKDF-SHA256 of element `d`, salted with the transcript."""
    return hkdf(salt=entropy, secret=d, info=f"pbem-rng/1 {name}/{k}".encode("ascii"))


def outcome(
    request: Request, m: str, ents: Iterable[bytes], name: Chain, k: int, d: bytes
) -> Outcome:
    """What a request comes to, by element `k` of a chain and the entropies of all players."""
    stream = Stream(stream_key(transcript(m, ents), name, k, d))
    return stream.dice(request.sides) if isinstance(request, Dice) else stream.shuffle(request.ids)


def hkdf(*, salt: bytes, secret: bytes, info: bytes) -> bytes:
    """HKDF-SHA256 (RFC 5869), 32 bytes long: one block of its expansion."""
    return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\x01", "sha256")
