"""How a mail looks on the wire: 7 bits, and headers folded so that every reader can read them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from email.headerregistry import Address, BaseHeader
from email.policy import EmailPolicy
from typing import Any

TOKENS = frozenset(
    {
        "auto-submitted",
        "feedback-id",
        "in-reply-to",
        "list-help",
        "list-id",
        "list-unsubscribe",
        "list-unsubscribe-post",
        "message-id",
        "references",
        "x-auto-response-suppress",
    }
)
"""Headers made of ASCII tokens: they may be folded between tokens, and never encoded."""

FOLD = 76
"""What a line with encoded words may hold (RFC 2047, section 2)."""
LINE = 998
WORD = 39
"""Bytes in one encoded word: with its frame it fits on a line after `Subject:`."""

PLAIN = re.compile(r"[!-~]+( [!-~]+)*")
ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/?^_`{|}~-]+( [A-Za-z0-9!#$%&'*+/?^_`{|}~-]+)*")


class WirePolicy(EmailPolicy):
    """EmailPolicy, except that headers of tokens, addresses and the subject are folded here.

    The standard library encodes long ids and addresses of pages, which then work nowhere, and
    loses blanks next to encoded words. It also decodes what it is given; a subject that only looks
    like encoded words is encoded before, so that it stays what it is.
    """

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        if name.lower() == "subject" and "=?" in value and len(value.splitlines()) == 1:
            value = " ".join(_encoded(value))
        return super().header_store_parse(name, value)

    def fold(self, name: str, value: Any) -> str:
        return self._ours(name, value) or str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        ours = self._ours(name, value)
        return ours.encode("ascii") if ours else bytes(super().fold_binary(name, value))

    def _ours(self, name: str, value: Any) -> str:
        if name.lower() in TOKENS:
            return folded(name, _tokens(str(value)))
        if name.lower() == "subject":
            return folded(name, _text(str(value)))
        if isinstance(value, BaseHeader) and hasattr(value, "addresses"):
            return folded(name, _mailboxes(value.addresses))
        return ""


WIRE = WirePolicy(linesep="\r\n", cte_type="7bit")


def folded(name: str, tokens: Iterable[str]) -> str:
    """The header, its tokens filled into lines of at most 76 characters where they can be.

    Raises ValueError for a token that fits on no line.
    """
    lines = [name + ":"]
    for token in tokens:
        if len(lines[-1]) + 1 + len(token) > FOLD and lines[-1] != name + ":":
            lines.append("")
        lines[-1] += " " + token
    if max(map(len, lines)) > LINE:
        raise ValueError(f"a line of the header {name} is too long")
    return "\r\n".join(lines) + "\r\n"


def _tokens(value: str) -> list[str]:
    if not value.isascii() or not value.isprintable():
        raise ValueError("a header of tokens holds other characters")
    return value.split()


def _text(value: str) -> Iterator[str]:
    plain = PLAIN.fullmatch(value) and "=?" not in value
    return iter(value.split(" ")) if plain else _encoded(value)


def _mailboxes(addresses: Iterable[Address]) -> Iterator[str]:
    boxes = list(addresses)
    for box in boxes:
        yield from _phrase(box.display_name)
        spec = f"<{box.addr_spec}>" if box.display_name else box.addr_spec
        yield spec if box is boxes[-1] else spec + ","


def _phrase(name: str) -> Iterator[str]:
    if not name:
        return iter(())
    if ATOMS.fullmatch(name) and "=?" not in name:
        return iter(name.split(" "))
    if PLAIN.fullmatch(name) and "=?" not in name and len(name) <= WORD:
        return iter(('"' + re.sub(r'(["\\])', r"\\\1", name) + '"',))
    return _encoded(name)


def _encoded(text: str) -> Iterator[str]:
    """The text as encoded words (RFC 2047), cut between characters."""
    chunk = b""
    for character in text:
        more = character.encode()
        if len(chunk) + len(more) > WORD:
            yield _word(chunk)
            chunk = b""
        chunk += more
    yield _word(chunk)


def _word(chunk: bytes) -> str:
    return f"=?utf-8?b?{b64encode(chunk).decode()}?="
