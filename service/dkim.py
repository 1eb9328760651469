"""The key with which mails from here are signed, and what DNS has to say of it (DKIM)."""

from __future__ import annotations

import hashlib
import stat
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256

from service import keys
from service.errors import NotReady
from service.settings import Settings

Kind = Literal["rsa", "ed25519"]
Private = RSAPrivateKey | Ed25519PrivateKey
BITS = 2_048
"""Of an RSA key: receivers believe no shorter one for long, and DNS takes no much longer one."""
OPEN = stat.S_IRWXO | stat.S_IWGRP
"""Who else may do something with the file: a group may read it, such as that of the service."""


@dataclass(frozen=True)
class MailKey:
    """Signs for a domain; DNS has the other half of the key under the selector."""

    selector: str
    domain: str
    private: Private = field(repr=False)

    @property
    def kind(self) -> Kind:
        return "rsa" if isinstance(self.private, RSAPrivateKey) else "ed25519"

    @property
    def name(self) -> str:
        """Where the record stands in DNS."""
        return f"{self.selector}._domainkey.{self.domain}"

    @property
    def record(self) -> str:
        """What stands there, as TXT."""
        return f"v=DKIM1; k={self.kind}; p={b64encode(self._public).decode()}"

    @property
    def _public(self) -> bytes:
        """As RFC 6376 and RFC 8463 want it."""
        public = self.private.public_key()
        if isinstance(public, rsa.RSAPublicKey):
            return public.public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        return public.public_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        """The same signature for the same data, always."""
        if isinstance(self.private, Ed25519PrivateKey):
            return self.private.sign(hashlib.sha256(data).digest())
        return self.private.sign(data, PKCS1v15(), SHA256())


def new(kind: Kind) -> Private:
    return rsa.generate_private_key(65_537, BITS) if kind == "rsa" else Ed25519PrivateKey.generate()


def load(settings: Settings) -> MailKey | None:
    """The key, if mails are to be signed. Raises NotReady if it cannot be used."""
    if settings.dkim_selector is None:
        return None
    return key_of(settings, settings.dkim_selector)


def key_of(settings: Settings, selector: str) -> MailKey:
    """The key in its file. Raises NotReady."""
    path = settings.dkim_key
    text = keys.content(
        path, "The key %(path)s that mails are signed with is missing. Run: fernpartie dkim-key"
    )
    if path.stat().st_mode & OPEN:
        raise NotReady(
            "Others on this machine can use the key %(path)s. Run: chmod go= %(path)s",
            path=str(path),
        )
    return MailKey(selector, settings.signing_domain, _parsed(text, path))


def _parsed(text: bytes, path: Path) -> Private:
    try:
        key = serialization.load_pem_private_key(text, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if isinstance(key, Ed25519PrivateKey) or (
        isinstance(key, RSAPrivateKey) and key.key_size >= BITS
    ):
        return key
    raise NotReady(
        "The file %(path)s holds no key that can sign mails: of Ed25519, or of RSA with at least "
        "%(bits)s bits, in PEM and without a password.",
        path=str(path),
        bits=BITS,
    )


def make(settings: Settings, kind: Kind) -> bool:
    """Makes the key, unless there is one; whether it did. Raises NotReady."""
    path = settings.dkim_key
    if path.exists():
        return False
    text = new(kind).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        keys.write(path, text)
    except OSError as error:
        raise NotReady(
            "The key %(path)s cannot be written: %(why)s", path=str(path), why=str(error)
        ) from None
    return True
