"""Who wrote a mail, and whether that is proved: From, and what a mail server we trust found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import getaddresses
from typing import Literal, NamedTuple

from service.mail.inbound.raw import Incoming

Proof = Literal["pass", "fail", "none"]

_TOKEN = re.compile(r"[^\s;=()\"]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SPEC = re.compile(r"[^\s@<>,;:\"()\[\]\\\x00-\x1f\x7f]+@[^\s@<>,;:\"()\[\]\\\x00-\x1f\x7f]+")


def author(mail: Incoming) -> str:
    """The one address in From, as it is compared; "" if there is not exactly one."""
    froms = mail.message.get_all("From", [])
    if len(froms) != 1:
        return ""
    text = str(froms[0])[:2_000]
    if text.rstrip().endswith(";"):
        return ""
    found = [address for _, address in named(text) if address]
    if len(found) != 1 or not _SPEC.fullmatch(found[0]):
        return ""
    return folded(found[0])


def named(text: str) -> list[tuple[str, str]]:
    """The names and addresses in a header; none of one that the standard library could take long
    for, or get lost in: it looks into comments within comments."""
    if text.count("@") > 20 or text.count("(") > 20:
        return []
    return getaddresses([text])


def folded(address: str) -> str:
    """An address as it is compared: Gmail has one mailbox under many spellings."""
    local, _, domain = address.strip().casefold().rpartition("@")
    try:
        domain = domain.encode("idna").decode("ascii") if not domain.isascii() else domain
    except ValueError:
        return ""
    if domain in ("gmail.com", "googlemail.com"):
        return f"{local.partition('+')[0].replace('.', '')}@gmail.com"
    return f"{local}@{domain}"


def proof(mail: Incoming, trusted: str, sender: str) -> Proof:
    """What the trusted mail server says of the sender; `trusted` is the name by which it signs its
    findings, "" if there is none. Whatever else stands in such headers anybody can write."""
    if not trusted:
        return "none"
    for text in mail.message.get_all("Authentication-Results", [])[:50]:
        name, findings = _results(str(text)[:8_000])
        if name == trusted.casefold():
            return _weighed(findings, sender.rpartition("@")[2])
    return "none"


def aligned(signer: str, domain: str) -> bool:
    """Whether the domain that signs is that of the author, or one above it."""
    signer = signer.casefold().strip(".")
    return "." in signer and (domain == signer or domain.endswith("." + signer))


class Finding(NamedTuple):
    method: str
    result: str
    domain: str
    """Of the signature."""


def _weighed(findings: list[Finding], domain: str) -> Proof:
    dmarc = {one.result for one in findings if one.method == "dmarc"}
    if "fail" in dmarc:
        return "fail"
    if "pass" in dmarc:
        return "pass"
    dkim = [one for one in findings if one.method == "dkim"]
    if any(one.result == "pass" and aligned(one.domain, domain) for one in dkim):
        return "pass"
    return "fail" if any(one.result == "fail" for one in dkim) else "none"


def _results(text: str) -> tuple[str, list[Finding]]:
    """The name of whoever found it, and the findings (RFC 8601). A header that is not well formed
    names nobody."""
    try:
        pieces = list(_pieces(text))
    except ValueError:
        return "", []
    clauses: list[list[str]] = [[]]
    for piece in pieces:
        if piece == ";":
            clauses.append([])
        else:
            clauses[-1].append(piece)
    name, *rest = clauses
    if not 1 <= len(name) <= 2:  # a version may follow
        return "", []
    return name[0].casefold(), [found for clause in rest if (found := _finding(clause))]


def _finding(clause: list[str]) -> Finding | None:
    """`dkim = pass header.d = example.org`; one that names two domains speaks for none."""
    if len(clause) < 3 or clause[1] != "=":
        return None
    method = clause[0].casefold().partition("/")[0]
    pairs = zip(clause[3:], clause[4:], clause[5:], strict=False)
    values = (value for name, sign, value in pairs if (name.casefold(), sign) == ("header.d", "="))
    domains = {value.casefold() for value in values}
    domain = domains.pop() if len(domains) == 1 else ""
    return Finding(method, clause[2].casefold(), domain)


def _pieces(text: str) -> Iterator[str]:
    """Tokens, quoted strings without their quotes, `;` and `=`; comments are left out.

    A quoted string is never taken for a sign. Raises ValueError for what is none of these.
    """
    at = 0
    while at < len(text):
        letter = text[at]
        if letter.isspace():
            at += 1
        elif letter == "(":
            at = _past_comment(text, at)
        elif letter in ";=":
            yield letter
            at += 1
        else:
            found = (_QUOTED if letter == '"' else _TOKEN).match(text, at)
            if found is None:
                raise ValueError(text)
            yield f'"{found[1]}"' if letter == '"' else found[0]
            at = found.end()


def _past_comment(text: str, at: int) -> int:
    """Raises ValueError if a comment does not end."""
    depth = 0
    while at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 2 if text[at] == "\\" else 1
        if depth == 0:
            return at
    raise ValueError(text)
