"""What a signature is about: the fields and the body of a mail, however mail servers set its blanks
(RFC 6376, section 3.4)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

Field = tuple[bytes, bytes]
"""A header field: its name, and all that follows it up to the end of its last line."""

SIGNATURE = b"DKIM-Signature"
_FIELD = re.compile(rb"(?m)^([!-9;-~]+)[ \t]*(:(?:[^\r]|\r\n[ \t])*\r\n)")
_OWN = re.compile(rb"((?:^:?|;)[ \t\r\n]*b[ \t\r\n]*=)[^;]*")
_BLANKS = re.compile(rb"[ \t]+")


def halves(raw: bytes) -> tuple[tuple[Field, ...], bytes]:
    """The fields of a mail, and its body."""
    text = re.sub(rb"\r\n|\r|\n", b"\r\n", raw)
    head, _, body = text.partition(b"\r\n\r\n")
    return tuple((match[1], match[2]) for match in _FIELD.finditer(head + b"\r\n")), body


def body_hash(body: bytes, *, relaxed: bool) -> bytes:
    """What a signature says of the body; `relaxed`: blanks count little."""
    if relaxed:
        lines = (_BLANKS.sub(b" ", line).rstrip(b" ") for line in body.split(b"\r\n"))
        body = b"\r\n".join(lines)
    bare = body.rstrip(b"\r\n")
    if bare or not relaxed:
        bare += b"\r\n"
    return hashlib.sha256(bare).digest()


def head(fields: Iterable[Field], names: Iterable[str], own: Field, *, relaxed: bool) -> bytes:
    """What is signed: the named fields, each name's last one first, and the signature without
    what it will be. A name beyond those that are there says that there are no more."""
    left: dict[bytes, list[Field]] = {}
    for field in fields:
        left.setdefault(field[0].lower(), []).append(field)
    chosen = []
    for wanted in names:
        if rest := left.get(wanted.lower().encode()):
            chosen.append(_line(rest.pop(), relaxed=relaxed))
    name, value = own
    bare = (name, _OWN.sub(rb"\1", value).rstrip(b"\r\n") + b"\r\n")
    return b"".join(chosen) + _line(bare, relaxed=relaxed).removesuffix(b"\r\n")


def _line(field: Field, *, relaxed: bool) -> bytes:
    name, value = field
    if not relaxed:
        return name + value
    text = _BLANKS.sub(b" ", value[1:].replace(b"\r\n", b"")).strip(b" ")
    return name.lower() + b":" + text + b"\r\n"
