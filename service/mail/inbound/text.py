"""The words of a mail as lines, whatever charset, encoding and line ends they came in."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message

from service.mail.inbound.markup import lines_of
from service.mail.inbound.raw import Incoming, data_of, disposition, parameter, type_of

LETTERS = 200_000
LINES = 2_000
LENGTH = 300
"""Characters of a line; a longer one is cut, and is no move."""

_UNSEEN = dict.fromkeys(
    (0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070))
)
_SPELLINGS = _UNSEEN | {ord(dash): "-" for dash in "‐‑‒–—―−﹣"} | {ord("×"): "x"}
_CHARSETS = re.compile(
    r"utf-(7|8|16|32)(-[bl]e)?|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|big5\w*|gb\w+|hz|"
    r"euc_\w+|iso2022_\w+|shift_\w+|tis-620|johab"
)
"""Those of text, by Python's names; some codecs that are none take very long."""
_SECRET = re.compile(r"application/(x-)?(pkcs7-mime|pgp-encrypted|ms-tnef)|multipart/encrypted")
_SEALS = (
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "application/pgp-signature",
)
_ARMOUR = "-----BEGIN PGP MESSAGE-----"


@dataclass(frozen=True)
class Words:
    """What a mail says: its lines, quotes among them, and whether there is more that we cannot
    read."""

    lines: tuple[str, ...]
    more: bool


def words(mail: Incoming) -> Words:
    """The first text of the mail that is no attachment, the plain one before the HTML."""
    sealed = bool(_SECRET.fullmatch(type_of(mail.message)))
    plain: list[str] = []
    marked: list[str] = []
    more = sealed or not mail.whole
    for part in mail.parts():
        kind = type_of(part)
        if sealed or disposition(part) not in ("", "inline") or not kind.startswith("text/"):
            more = more or (kind not in _SEALS and bool(data_of(part).strip()))
        elif kind == "text/html":
            marked = marked or tidy(lines_of(_text(part)))
        elif kind == "text/plain":
            plain = plain or tidy(_plain(part))
    lines = plain or marked
    if any(line.startswith(_ARMOUR) for line in lines):
        return Words((), True)
    return Words(tuple(lines), more)


def tidy(lines: Iterable[str]) -> list[str]:
    """The lines with one sort of blank, dash and cross, as far as they are looked at; none if
    nothing is seen of them."""
    found: list[str] = []
    for line in lines:
        if len(found) == LINES:
            break
        found.append(normal(line))
    return found if any(found) else []


def normal(line: str) -> str:
    """A line as it is compared and read: without what cannot be seen, and with plain signs."""
    short = line[: LENGTH + 1].translate(_SPELLINGS)
    plain = unicodedata.normalize("NFKC", short).translate(_SPELLINGS)
    return " ".join(plain.split())[: LENGTH + 1]


def _plain(part: Message) -> Iterator[str]:
    lines = _text(part).splitlines()[: LINES * 2]
    if parameter(part, "format") == "flowed":
        return _unfolded(lines, parameter(part, "delsp") == "yes")
    return iter(lines)


def _text(part: Message) -> str:
    data = data_of(part)[:LETTERS]
    for charset in (*_declared(part), "utf-8", "cp1252"):
        try:
            return data.decode(charset)[:LETTERS]
        except (ValueError, LookupError):
            continue
    return data.decode("cp1252", "replace")


def _declared(part: Message) -> tuple[str, ...]:
    """The charset that a part says it has, if it is one of text. What calls itself Latin-1 or
    ASCII is neither as soon as that matters."""
    try:
        name = codecs.lookup(parameter(part, "charset")).name
    except (LookupError, ValueError):
        return ()
    if name in ("ascii", "iso8859-1"):
        return ("utf-8", "cp1252") if name == "ascii" else ("cp1252",)
    return (name,) if _CHARSETS.fullmatch(name) else ()


def _unfolded(lines: list[str], delete: bool) -> Iterator[str]:
    """The paragraphs of flowed text (RFC 3676), each behind the signs of its quote."""
    before, held = 0, ""
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:].removeprefix(" ")
        if held and depth != before:
            yield _quoted(before, held)
            held = ""
        before = depth
        held = (held + text)[: 2 * LENGTH]
        if text.endswith(" ") and text != "-- ":
            held = held[:-1] if delete else held
        else:
            yield _quoted(depth, held)
            held = ""
    if held:
        yield _quoted(before, held)


def _quoted(depth: int, text: str) -> str:
    return f"{'>' * depth} {text}" if depth else text
