"""A player's own signature: what is signed, by which keys, and how it is checked."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from games.log.canon import b64url

_P = 2**255 - 19
_Y8 = int.from_bytes(
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"
)
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})
"""The y of the eight points whose order divides 8."""


def message(m: str, t: str, on: int, on_hash: bytes, text: bytes) -> bytes:
    """What a player signs: `text`, the canonical `p`, bound to match, type and history.

    `on_hash` is the hash of record `on`, the one that was in view.
    """
    return f"pbem-player/1\n{m}\n{t}\n{on}\n{b64url(on_hash)}\n".encode("ascii") + text + b"\n"


def weak(point: bytes) -> bool:
    """Whether an encoded point (a key, or the R of a signature) is not canonical or of small order.

    Such a point is valid to some libraries and invalid to others, and under the identity as key
    one signature fits every message.
    """
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return y >= _P or y in _SMALL_ORDER


def verify(key: bytes, sig: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature holds under our one rule: RFC 8032, and no weak point."""
    if len(key) != 32 or weak(key) or weak(sig[:32]):
        return False
    try:
        _public(key).verify(sig, message)
    except InvalidSignature:
        return False
    return True


def sign(secret: bytes, message: bytes) -> bytes:
    """The Ed25519 signature by a 32-byte secret; the same bytes every time."""
    return _private(secret).sign(message)


def public(secret: bytes) -> bytes:
    """The public key of a 32-byte secret."""
    return _private(secret).public_key().public_bytes_raw()


def _private(secret: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(secret)


@lru_cache(maxsize=128)
def _public(key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(key)
