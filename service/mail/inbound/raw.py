"""A raw mail taken apart, within bounds that no mail can break."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.policy import compat32
from hashlib import sha256
from itertools import islice

MOST = 1_000_000
"""Bytes of a mail that is looked at as a whole."""
KEPT = 65_536
"""Bytes that are kept of a larger one, and that a header may have."""
LINES = 40_000
PARTS = 50
DEPTH = 10
HEADERS = 500
"""A part may have so many."""
HEADER = 2_000
"""Characters that are looked at of one header."""

_BOUNDARIES = 2_000
_NESTING = re.compile(rb"(?i)multipart/|message/")
_LONG = re.compile(rb"(?im)^content-[a-z-]{1,40}:(?:[^\n]|\n[ \t]){2000,}")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Incoming:
    """A mail: its headers, and its parts if it was not too large or too tangled to be read."""

    message: Message
    whole: bool

    def header(self, name: str) -> str:
        """The first header of a name on one line, its encoded words read; "" if there is none."""
        return next(iter(self.headers(name)), "")

    def headers(self, name: str) -> list[str]:
        """All headers of a name, the topmost first."""
        sought = name.lower()
        found = (value for key, value in self.message.raw_items() if key.lower() == sought)
        return [_read(value) for value in islice(found, PARTS)]

    def names(self) -> list[str]:
        """The names of all headers."""
        return self.message.keys()

    def parts(self) -> Iterator[Message]:
        """The parts that hold something themselves, in their order; a mail inside the mail is one
        part, and nobody looks into it."""
        return islice(_leaves(self.message, DEPTH), PARTS if self.whole else 0)

    @property
    def identity(self) -> str:
        """What tells it from other mails: its Message-ID, else a hash of what a copy has too."""
        given = _BLANKS.sub("", self.header("Message-ID"))
        if given:
            return given[:HEADER]
        seen = [self.header(name) for name in ("From", "Date", "Subject")]
        body = self.message.get_payload()
        text = body if isinstance(body, str) else "".join(map(_payload, self.parts()))
        return sha256("\n".join((*seen, text)).encode("utf-8", "surrogateescape")).hexdigest()


def take(raw: bytes, *, whole: bool = True) -> Incoming:
    """The mail of some bytes, whatever they are; `whole` says whether these are all of them."""
    plain = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    head = plain.partition(b"\n\n")[0] if not plain.startswith(b"\n") else b""
    if not whole or len(raw) > MOST or len(head) > KEPT or _tangled(plain):
        return Incoming(_parsed(_LONG.sub(b"", head[:KEPT]) + b"\n\n"), whole=False)
    return Incoming(_parsed(plain), whole=True)


def type_of(part: Message) -> str:
    """`text/plain`, in lower case."""
    return part.get_content_type()


def data_of(part: Message) -> bytes:
    """The bytes of a part without their transfer encoding."""
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        return _payload(part).encode("ascii", "surrogateescape")
    return data if isinstance(data, bytes) else b""


def parameter(part: Message, name: str, header: str = "content-type") -> str:
    """A parameter of a header of a part, in lower case; "" if it has none that can be read."""
    try:
        value = part.get_param(name, "", header)
    except (ValueError, LookupError):
        return ""
    return str(value[2] if isinstance(value, tuple) else value).lower()


def disposition(part: Message) -> str:
    """`inline`, `attachment`, `reaction`, or ""."""
    return str(part.get("content-disposition", ""))[:HEADER].partition(";")[0].strip().lower()


def _tangled(plain: bytes) -> bool:
    """Whether the standard library could take long to parse it: parts within parts, very many
    parts, or a header that describes a part at great length."""
    if plain.count(b"\n") > LINES or plain.count(b"\n--") > _BOUNDARIES:
        return True
    if b"delivery-status" in plain.lower() and plain.count(b"\n\n") > _BOUNDARIES:
        return True
    nested = sum(1 for _ in _NESTING.finditer(plain))
    return nested > PARTS or (
        plain.lower().count(b"content-") <= _BOUNDARIES and bool(_LONG.search(plain))
    )


def _parsed(plain: bytes) -> Message:
    return message_from_bytes(plain, policy=compat32)


def _leaves(part: Message, depth: int) -> Iterator[Message]:
    inside = part.get_payload()
    if isinstance(inside, list) and part.get_content_maintype() == "multipart":
        for further in inside[:PARTS] if depth else ():
            if isinstance(further, Message) and len(further) <= HEADERS:
                yield from _leaves(further, depth - 1)
    else:
        yield part


def _payload(part: Message) -> str:
    text = part.get_payload()
    return text if isinstance(text, str) else ""


def _decoded(text: str) -> str:
    """The text of a header in which somebody has put letters as they are."""
    if text.isascii():
        return text
    data = text.encode("utf-8", "surrogateescape")
    try:
        return data.decode()
    except ValueError:
        return data.decode("cp1252", "replace")


def _read(value: object) -> str:
    text = _BLANKS.sub(" ", _decoded(str(value)[:HEADER])).strip()
    if "=?" not in text:
        return text
    try:
        return "".join(
            chunk if isinstance(chunk, str) else chunk.decode(charset or "ascii", "replace")
            for chunk, charset in decode_header(text)
        )
    except (ValueError, LookupError):
        return text
