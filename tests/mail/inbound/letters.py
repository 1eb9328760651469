"""Mails written by hand, byte by byte, so that they can be as wrong as real ones are."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Part:
    """One part: its type with parameters, and its bytes before the transfer encoding."""

    type: str
    data: bytes
    encoding: str = "quoted-printable"
    headers: tuple[str, ...] = ()

    def lines(self) -> bytes:
        head = [f"Content-Type: {self.type}"] if self.type else []
        head += [f"Content-Transfer-Encoding: {self.encoding}"] if self.encoding else []
        return "\n".join((*head, *self.headers)).encode() + b"\n\n" + self._encoded()

    def _encoded(self) -> bytes:
        if self.encoding == "base64":
            return base64.encodebytes(self.data)
        if self.encoding == "quoted-printable":
            return quopri.encodestring(self.data)
        return self.data


def plain(
    text: str, charset: str = "utf-8", encoding: str = "quoted-printable", more: str = ""
) -> Part:
    return Part(f"text/plain; charset={charset}{more}", text.encode(charset, "replace"), encoding)


def html(markup: str, charset: str = "utf-8", encoding: str = "quoted-printable") -> Part:
    return Part(f"text/html; charset={charset}", markup.encode(charset, "replace"), encoding)


def several(kind: str, parts: Sequence[Part], more: str = "") -> Part:
    mark = f"=_b{len(parts)}{kind}"
    data = b"".join(b"--%s\n%s\n" % (mark.encode(), part.lines()) for part in parts)
    type = f'multipart/{kind}; boundary="{mark}"{more}'
    return Part(type, data + b"--%s--\n" % mark.encode(), "")


def alternative(*parts: Part) -> Part:
    return several("alternative", parts)


@dataclass(frozen=True)
class Letter:
    """A mail: its headers in their order, and its body."""

    body: Part
    headers: tuple[tuple[str, str], ...] = field(default=())
    end: bytes = b"\r\n"

    def having(self, **headers: str | None) -> Letter:
        """The same with other headers; None takes one away. `_` stands for `-` in a name."""
        named = {name.replace("_", "-").lower(): value for name, value in headers.items()}
        kept = [pair for pair in self.headers if pair[0].lower() not in named]
        more = [(name.title(), value) for name, value in named.items() if value is not None]
        return replace(self, headers=(*more, *kept))

    def bytes(self) -> bytes:
        head = "".join(f"{name}: {value}\n" for name, value in self.headers)
        raw = head.encode("utf-8", "surrogateescape") + self.body.lines()
        return raw.replace(b"\r\n", b"\n").replace(b"\n", self.end)


def quoted(text: str, sign: str = "> ") -> str:
    """The lines of a text behind a sign."""
    return "".join(f"{sign}{line}".rstrip() + "\n" for line in text.splitlines())


def marked(lines: Iterable[str]) -> str:
    """The lines as HTML."""
    return "".join(f"<p>{line}</p>" for line in lines)
