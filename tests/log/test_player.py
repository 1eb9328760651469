"""A player's signature means one thing to everybody."""

from __future__ import annotations

from pathlib import Path

import nacl.exceptions
import nacl.signing
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from games.log import player
from games.log.canon import b64url
from games.log.record import Act, Join, Move
from games.log.schema import read
from games.log.writing import kind
from tests.log.strategies import HASHES

GOLDEN = Path(__file__).parents[1] / "golden"
P = 2**255 - 19
Y8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
IDENTITY = bytes([1]) + bytes(31)

# RFC 8032, section 7.1: secret, public key, message, signature.
RFC_8032 = {
    "empty": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "one byte": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "two bytes": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "SHA-512 of abc": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}


def encoded(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


@pytest.mark.parametrize(("secret", "key", "message", "sig"), RFC_8032.values(), ids=RFC_8032)
def test_signatures_are_those_of_rfc_8032(secret: str, key: str, message: str, sig: str) -> None:
    private, text = bytes.fromhex(secret), bytes.fromhex(message)
    assert player.public(private).hex() == key
    assert player.sign(private, text).hex() == sig
    assert player.verify(bytes.fromhex(key), bytes.fromhex(sig), text)


ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the group that keys are drawn from; a signature's second half is a number below it."""


@given(HASHES, st.binary(max_size=40))
def test_a_signature_has_one_spelling(secret: bytes, message: bytes) -> None:
    sig = player.sign(secret, message)
    beyond = int.from_bytes(sig[32:], "little") + ORDER
    assert not player.verify(player.public(secret), sig[:32] + encoded(beyond), message)


WEAK = [
    encoded(y, sign)
    for y in (
        0,
        1,
        P - 1,
        int.from_bytes(Y8, "little"),
        P - int.from_bytes(Y8, "little"),
        P,
        P + 1,
        P + 2,
        P + 18,
    )
    for sign in (0, 1)
]


@pytest.mark.parametrize("point", WEAK, ids=bytes.hex)
def test_a_point_of_small_order_or_of_two_spellings_is_weak(point: bytes) -> None:
    assert player.weak(point)


@pytest.mark.parametrize("point", WEAK, ids=bytes.hex)
def test_no_signature_holds_under_a_weak_key(point: bytes) -> None:
    assert not player.verify(point, IDENTITY + bytes(32), b"I resign")


def test_the_identity_key_would_sign_anything_for_the_library() -> None:
    key = Ed25519PublicKey.from_public_bytes(IDENTITY)
    key.verify(IDENTITY + bytes(32), b"I resign")
    key.verify(IDENTITY + bytes(32), b"I never resigned")


@pytest.mark.parametrize("point", [encoded(2), encoded(P - 2), encoded(4, 1), encoded(P - 3, 1)])
def test_any_other_spelling_is_not_weak(point: bytes) -> None:
    assert not player.weak(point)


@given(HASHES)
def test_no_key_that_a_player_makes_is_weak(secret: bytes) -> None:
    assert not player.weak(player.public(secret))


@given(HASHES, st.binary(max_size=100))
def test_what_is_signed_here_holds_in_libsodium(secret: bytes, message: bytes) -> None:
    sig = player.sign(secret, message)
    key = nacl.signing.VerifyKey(player.public(secret))
    assert key.verify(message, sig) == message


@given(HASHES, st.binary(max_size=40), st.integers(0, 511))
def test_a_signature_with_a_flipped_bit_holds_nowhere(
    secret: bytes, message: bytes, bit: int
) -> None:
    damaged = bytearray(player.sign(secret, message))
    damaged[bit // 8] ^= 1 << bit % 8
    key = player.public(secret)
    assert not player.verify(key, bytes(damaged), message)
    with pytest.raises(nacl.exceptions.BadSignatureError):
        nacl.signing.VerifyKey(key).verify(message, bytes(damaged))
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(key).verify(bytes(damaged), message)


@pytest.mark.parametrize(
    ("key", "sig"),
    [(b"", bytes(64)), (bytes([9]) * 31, bytes(64)), (bytes([9]) * 33, bytes(64))]
    + [(bytes([9]) * 32, bytes([9]) * size) for size in (0, 31, 32, 63, 65)],
)
def test_bytes_of_another_length_are_no_signature(key: bytes, sig: bytes) -> None:
    assert not player.verify(key, sig, b"")


def test_a_key_that_is_no_point_signs_nothing() -> None:
    off_the_curve = encoded(2)
    assert not player.weak(off_the_curve)
    assert not player.verify(off_the_curve, bytes([9]) * 64, b"")


def test_a_message_binds_match_type_history_and_text() -> None:
    message = player.message("m_4GM6B3BWH8RQDT73", "move", 4, bytes(32), b'{"mv":"pass","seat":1}')
    assert message == (
        b"pbem-player/1\nm_4GM6B3BWH8RQDT73\nmove\n4\n"
        b"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"
        b'{"mv":"pass","seat":1}\n'
    )


def test_the_signatures_of_an_example_log_hold() -> None:
    lines = (GOLDEN / "malawi.mlog").read_bytes().partition(b"\n\n")[0].split(b"\n")
    records = [read(raw) for raw in lines]
    joined = records[1].body
    assert isinstance(joined, Join)
    assert joined.key is not None
    signed = 0
    for record in records:
        if isinstance(record.body, Join | Move | Act) and record.body.by.sig is not None:
            by = record.body.by
            seen = records[by.on].hash
            message = player.message(record.m, kind(record.body), by.on, seen, by.text)
            assert player.verify(joined.key, by.sig, message), b64url(by.sig)
            signed += 1
    assert signed == 13
