"""The keys of a service, in files of the data folder that nobody else may read."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from games.log.note import BadKey, Signer
from service.errors import NotReady

HEADS, LOG = "heads.key", "log.key"
LINK, COOKIE, SECRET = "link.key", "cookie.key", "secret.key"
_NONCE = 12

T = TypeVar("T")


@dataclass(frozen=True)
class Keys:
    """Everything that is secret and outside the database."""

    heads: Signer = field(repr=False)
    log: Signer = field(repr=False)
    link: bytes = field(repr=False)
    cookie: bytes = field(repr=False)
    secret: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """The service's name, as its notes carry it."""
        return self.heads.name.removesuffix("/heads")

    def seal(self, match: str, secret: bytes) -> bytes:
        """The secret of a match's chance as the database may keep it."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + AESGCM(self.secret).encrypt(nonce, secret, match.encode())

    def unseal(self, match: str, sealed: bytes) -> bytes:
        """The secret of a match's chance. Raises NotReady if it is another match's or damaged."""
        try:
            return AESGCM(self.secret).decrypt(sealed[:_NONCE], sealed[_NONCE:], match.encode())
        except (InvalidTag, ValueError):
            raise NotReady(
                "The secret of match %(match)s does not open with this secret key.", match=match
            ) from None


def make(folder: Path, name: str) -> None:
    """Makes the keys that are missing, and never replaces one. Raises NotReady for a name that
    no key can have."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        for file, role in ((HEADS, "heads"), (LOG, "log")):
            key = Signer.generate(f"{name}/{role}", secrets.token_bytes(32))
            write(folder / file, key.private.encode() + b"\n")
    except BadKey as error:
        raise NotReady("%(error)s", error=str(error)) from error
    for file in (LINK, COOKIE, SECRET):
        write(folder / file, _random())


def make_cookie(folder: Path) -> None:
    """Makes the one key that may be made anew in a service that exists: all have to sign in."""
    write(folder / COOKIE, _random())


def bring(folder: Path, kept: dict[str, bytes]) -> None:
    """Writes the keys of a backup into a folder that is made for them."""
    folder.mkdir(mode=0o700)
    for name in (HEADS, LOG, LINK, COOKIE, SECRET):
        if name in kept:
            write(folder / name, kept[name])


def load(folder: Path) -> Keys:
    """The keys. Raises NotReady for one that is missing or is no key."""
    return Keys(
        heads=_read(folder / HEADS, Signer.parse),
        log=_read(folder / LOG, Signer.parse),
        link=_read(folder / LINK, _key),
        cookie=_read(folder / COOKIE, _key),
        secret=_read(folder / SECRET, _key),
    )


def missing(folder: Path) -> tuple[str, ...]:
    """The names of the key files that are not there."""
    return tuple(
        name for name in (HEADS, LOG, LINK, COOKIE, SECRET) if not (folder / name).exists()
    )


def fingerprint(key: bytes) -> str:
    """Tells two keys apart and says nothing else about them."""
    return hashlib.sha256(b"fernpartie-key/1\n" + key).hexdigest()[:32]


def _random() -> bytes:
    return secrets.token_hex(32).encode() + b"\n"


def write(path: Path, text: bytes) -> None:
    """A new file for the owner alone, whole or not at all; one that exists stays as it is."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def content(path: Path, missing: str) -> bytes:
    """What a key file holds. Raises NotReady, with the sentence `missing` if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise NotReady(missing, path=str(path)) from None
    except OSError as error:
        raise NotReady(
            "The key %(path)s cannot be read: %(why)s", path=str(path), why=str(error)
        ) from None


def _read(path: Path, parse: Callable[[str], T]) -> T:
    text = content(
        path,
        "The key %(path)s is missing. Bring back the key folder that belongs to this database.",
    )
    try:
        return parse(text.decode().strip())
    except ValueError:
        raise NotReady("The file %(path)s holds no key.", path=str(path)) from None


def _key(text: str) -> bytes:
    key = bytes.fromhex(text)
    if len(key) != 32:
        raise ValueError("not 32 bytes")
    return key
