"""Whether the domain of its author signed a mail (DKIM, RFC 6376 and 8463).

The keys stand in DNS; whoever asks for them is given, so that nothing here reaches the network.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from service.mail.inbound import canonical
from service.mail.inbound.canonical import Field
from service.mail.inbound.raw import KEPT
from service.mail.inbound.sender import Proof, aligned

Lookup = Callable[[str], str]
"""The text that stands in DNS under a name, "" if none does. Raises LookupError if nobody says."""

MOST = 5
"""Signatures of a mail that are looked at."""
LEAST_BITS = 1_024
_HEAD_ENDS = re.compile(rb"\r\n?\r\n?|\n\r?\n")
_TAG = re.compile(r"\s*([a-z][a-z0-9_]*)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Signed:
    """A mail in its two halves, and one signature of it."""

    fields: tuple[Field, ...]
    body: bytes
    own: Field
    tags: Mapping[str, str]

    @property
    def ways(self) -> tuple[bool, bool]:
        """Whether blanks count little: in the header, in the body."""
        head, _, body = self.tags.get("c", "simple").partition("/")
        return head == "relaxed", body == "relaxed"


def proof(raw: bytes, author: str, now: int, lookup: Lookup) -> Proof:
    """`pass` if a domain signed that may speak for the author, `fail` if its signature does not
    hold; `none` if there is none, or nobody knows."""
    found: Proof = "none"
    for signed in _signatures(raw):
        if not aligned(signed.tags.get("d", ""), author.rpartition("@")[2]):
            continue
        judged = _judged(signed, now, lookup)
        if judged == "pass":
            return "pass"
        found = "fail" if judged == "fail" else found
    return found


def _signatures(raw: bytes) -> Iterator[Signed]:
    if not _HEAD_ENDS.search(raw[:KEPT]):  # nobody looks at a longer one
        return
    fields, body = canonical.halves(raw)
    own = [field for field in fields if field[0].lower() == canonical.SIGNATURE.lower()]
    for field in own[:MOST]:
        yield Signed(fields, body, field, _tags(field[1][1:].decode("ascii", "replace")))


def _tags(text: str) -> dict[str, str]:
    """The tags of a signature or a key; of one that stands there twice the last counts."""
    found = (_TAG.fullmatch(part) for part in text.split(";"))
    return {tag[1]: "".join(tag[2].split()) for tag in found if tag}


def _judged(signed: Signed, now: int, lookup: Lookup) -> Proof:
    tags = signed.tags
    over = tags.get("x", "")
    if not _usable(tags) or (over.isdigit() and int(over) < now):
        return "none"
    try:
        key = _tags(lookup(f"{tags['s']}._domainkey.{tags['d']}"))
        if not key.get("p") or "y" in key.get("t", "").split(":"):
            return "none"
        holds = _body_holds(signed) and _head_holds(signed, key)
    except LookupError:
        return "none"
    except (ValueError, binascii.Error):
        return "fail"
    return "pass" if holds else "fail"


def _usable(tags: Mapping[str, str]) -> bool:
    """Whether we can judge it: one that leaves a part of the body out says too little."""
    names = tags.get("h", "").lower().split(":")
    known = tags.get("a") in ("rsa-sha256", "ed25519-sha256") and tags.get("v") == "1"
    whole = all(tags.get(name) for name in ("b", "bh", "d", "s")) and "l" not in tags
    return known and whole and "from" in names


def _body_holds(signed: Signed) -> bool:
    found = canonical.body_hash(signed.body, relaxed=signed.ways[1])
    return found == base64.b64decode(signed.tags["bh"])


def _head_holds(signed: Signed, key: Mapping[str, str]) -> bool:
    signature, names = base64.b64decode(signed.tags["b"]), signed.tags["h"].split(":")
    data = canonical.head(signed.fields, names, signed.own, relaxed=signed.ways[0])
    given = base64.b64decode(key["p"])
    try:
        if signed.tags["a"] == "ed25519-sha256":
            digest = hashlib.sha256(data).digest()
            Ed25519PublicKey.from_public_bytes(given).verify(signature, digest)
            return True
        public = load_der_public_key(given)
        if not isinstance(public, RSAPublicKey) or public.key_size < LEAST_BITS:
            return False
        public.verify(signature, data, PKCS1v15(), SHA256())
    except InvalidSignature:
        return False
    return True
