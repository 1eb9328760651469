"""C2SP signed notes (v1.0.0): keys as text, notes signed and opened."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from games.log import player

ED25519 = 1
"""A signature over the text of the note."""
COSIGNATURE = 4
"""A witness's signature over a time and the text of a checkpoint (tlog-cosignature, v1)."""

MOST_SIGNATURES = 100
_DASH = "— "
_PRIVATE = "PRIVATE+KEY+"
_LAST_TIME = 2**63 - 1
_NAME = re.compile(r"[^\s+\x00-\x1f\ud800-\udfff]+").fullmatch
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]").search


class BadKey(ValueError):
    """A text that is no key of a kind we use."""


class BadNote(ValueError):
    """A text that is no signed note."""


class BadSignature(BadNote):
    """A signature under a known name and key id that does not fit."""


class NoSignature(BadNote):
    """A note that no known key has signed."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key with its name and what it signs."""

    name: str
    kind: int
    key: bytes

    @classmethod
    def parse(cls, vkey: str) -> Verifier:
        """The key from its text, `name+id+base64(kind, key)`. Raises BadKey."""
        verifier = cls(*_parts(vkey))
        if verifier.vkey != vkey:
            raise BadKey("the key id does not fit the name and the key")
        return verifier

    @property
    def id(self) -> bytes:
        """The four bytes that name the key in a signature."""
        named = self.name.encode() + b"\n" + bytes([self.kind]) + self.key
        return hashlib.sha256(named).digest()[:4]

    @property
    def vkey(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64(bytes([self.kind]) + self.key)}"

    def verify(self, text: bytes, signature: bytes) -> bool:
        """Whether the signature, without its key id, is this key's over the text."""
        if self.kind == ED25519:
            return len(signature) == 64 and player.verify(self.key, signature, text)
        time, signed = signature[:8], signature[8:]
        return (
            len(signed) == 64
            and int.from_bytes(time, "big") <= _LAST_TIME
            and player.verify(self.key, signed, cosigned(int.from_bytes(time, "big"), text))
        )


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key: 32 bytes, with its name and what it signs."""

    name: str
    kind: int
    seed: bytes = field(repr=False)

    @classmethod
    def parse(cls, private: str) -> Signer:
        """The key from its text. Raises BadKey."""
        if not private.startswith(_PRIVATE):
            raise BadKey("this is no private key")
        signer = cls(*_parts(private.removeprefix(_PRIVATE)))
        if signer.private != private:
            raise BadKey("the key id does not fit the name and the key")
        return signer

    @classmethod
    def generate(cls, name: str, entropy: bytes, kind: int = ED25519) -> Signer:
        """A key from 32 random bytes. Raises BadKey for a name that no key may have."""
        if not _NAME(name):
            raise BadKey(f"no key can have the name {name!r}")
        if len(entropy) != 32:
            raise BadKey("a key is made of 32 bytes")
        return cls(name, kind, entropy)

    @property
    def verifier(self) -> Verifier:
        return Verifier(self.name, self.kind, player.public(self.seed))

    @property
    def vkey(self) -> str:
        return self.verifier.vkey

    @property
    def private(self) -> str:
        """The key as text, to be kept secret."""
        held = b64(bytes([self.kind]) + self.seed)
        return f"{_PRIVATE}{self.name}+{self.verifier.id.hex()}+{held}"

    def line(self, text: str) -> str:
        """The line that signs the text of a note."""
        return _line(self.verifier, player.sign(self.seed, text.encode()))

    def cosign(self, checkpoint: str, time: int) -> str:
        """The line by which a witness signs the text of a checkpoint at a time."""
        signed = player.sign(self.seed, cosigned(time, checkpoint.encode()))
        return _line(self.verifier, time.to_bytes(8, "big") + signed)


class Signature(NamedTuple):
    """One signature line, not checked: the name, the key id and what was signed with it."""

    name: str
    id: bytes
    signature: bytes


class Note(NamedTuple):
    """A note as it reads, its signatures not checked."""

    text: str
    signatures: tuple[Signature, ...]


class Signed(NamedTuple):
    """A signature that fits; with its time if a witness made it."""

    by: Verifier
    time: int | None


class Opened(NamedTuple):
    """The text of a note and who is known to have signed it, in the order of the lines."""

    text: str
    by: tuple[Signed, ...]


def sign(text: str, *signers: Signer) -> str:
    """The whole note. Raises BadNote for a text that cannot be one."""
    if not signers or not _decoded(text).endswith("\n"):
        raise BadNote("a note is a text of whole lines, signed by somebody")
    return text + "\n" + "".join(signer.line(text) for signer in signers)


def parse(note: str | bytes) -> Note:
    """The note by its form alone. Raises BadNote."""
    whole = _decoded(note)
    text, found, lines = whole.rpartition("\n\n")
    if not found or not lines.endswith("\n"):
        raise BadNote("a note ends with an empty line and its signatures")
    signatures = lines[:-1].split("\n", MOST_SIGNATURES)
    if len(signatures) > MOST_SIGNATURES:
        raise BadNote("the note has too many signatures")
    return Note(text + "\n", tuple(_signature(line) for line in signatures))


def open_note(note: str | bytes, verifiers: Iterable[Verifier]) -> Opened:
    """The text and those of the verifiers who signed it; other signatures are ignored.

    Raises BadNote, BadSignature for a bad signature by one of them, NoSignature if there is none.
    """
    read = parse(note)
    known = {(verifier.name, verifier.id): verifier for verifier in verifiers}
    by = []
    for name, key, signature in read.signatures:
        verifier = known.get((name, key))
        if verifier is None:
            continue
        if not verifier.verify(read.text.encode(), signature):
            raise BadSignature(f"the signature by {name} does not fit")
        cosigned_at = int.from_bytes(signature[:8], "big")
        by.append(Signed(verifier, cosigned_at if verifier.kind == COSIGNATURE else None))
    if not by:
        raise NoSignature("nobody known has signed the note")
    return Opened(read.text, tuple(by))


def cosigned(time: int, checkpoint: bytes) -> bytes:
    """What a witness signs."""
    return b"cosignature/v1\ntime %d\n" % time + checkpoint


def b64(data: bytes) -> str:
    """Standard base64, as notes write it."""
    return base64.b64encode(data).decode("ascii")


def unb64(text: str) -> bytes:
    """The bytes of canonical standard base64. Raises BadNote."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise BadNote("this is no base64") from error
    if b64(data) != text:
        raise BadNote("this base64 has a shorter or other spelling")
    return data


def _decoded(note: str | bytes) -> str:
    try:
        whole = note.decode() if isinstance(note, bytes) else note.encode().decode()
    except UnicodeError as error:
        raise BadNote("a note is written in UTF-8") from error
    if _CONTROL(whole):
        raise BadNote("a note has no control characters")
    return whole


def _signature(line: str) -> Signature:
    name, _, signed = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not _NAME(name):
        raise BadNote("a signature line is a dash, a name and a signature")
    data = unb64(signed)
    if len(data) < 5:
        raise BadNote("a signature is longer than its key id")
    return Signature(name, data[:4], data[4:])


def _line(by: Verifier, signature: bytes) -> str:
    return f"{_DASH}{by.name} {b64(by.id + signature)}\n"


def _parts(text: str) -> tuple[str, int, bytes]:
    """Name, kind and 32 bytes from a key's text; the caller checks the key id."""
    name, _, rest = text.partition("+")
    _, _, held = rest.partition("+")
    if not _NAME(name):
        raise BadKey("a key is a name, an id and base64, with + between")
    try:
        data = unb64(held)
    except BadNote as error:
        raise BadKey(str(error)) from error
    if len(data) != 33 or data[0] not in (ED25519, COSIGNATURE):
        raise BadKey("this kind of key is not known")
    return name, data[0], data[1:]
