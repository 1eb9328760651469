"""Whose answer a mail is: the purposes and tokens in the addresses that it came to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from service.mail.inbound.raw import Incoming

Purpose = Literal["t", "i", "b", "u", "d", "x"]
"""A turn, an invitation, a mail of ours that comes back, an end to mails, a daily mail, and a
trial."""

HEADERS = (
    ("Delivered-To",),
    ("X-Original-To",),
    ("Envelope-To",),
    ("X-Envelope-To",),
    ("X-Delivered-To",),
    ("X-Gm-Original-To",),
    ("X-Forwarded-To",),
    ("To", "Cc"),
)
"""Where an address may have survived, the most telling first."""
HOLE = "{}"
"""Where purpose and token stand in the address for answers."""
_REFERENCE = re.compile(r"<([0-9a-f]{32})@([^<>@\s,]{1,255})>")


@dataclass(frozen=True)
class Route:
    """One way into the service: what for, and the token that says for whom."""

    purpose: Purpose
    token: str


def address(pattern: str, route: Route) -> str:
    """The address of a route: `play+t.token@games.example.org`."""
    return pattern.replace(HOLE, f"{route.purpose}.{route.token}")


def routes(mail: Incoming, pattern: str, recipient: str = "") -> tuple[Route, ...]:
    """All routes in the first place that names one: the recipient of the envelope, or a header.

    Letters may have any case: mail programs change it.
    """
    if HOLE not in pattern:
        return ()
    before, after = (re.escape(part.casefold()) for part in pattern.split(HOLE, 1))
    # a local part goes on with letters, digits and `.-_+`; so nothing may stand before ours
    found = re.compile(
        rf"(?<![a-z0-9.!#$%&'*+/=?^_`{{|}}~-]){before}([tibudx])\.([a-z2-7]{{26}}){after}(?![a-z0-9.-])"
    )
    places = (" ".join(text for name in names for text in mail.headers(name)) for names in HEADERS)
    for text in (recipient, *places):
        hits = found.findall(text.casefold())
        if hits:
            return tuple(dict.fromkeys(Route(purpose, token) for purpose, token in hits))
    return ()


def references(mail: Incoming, domain: str) -> tuple[str, ...]:
    """The names of our mails that the mail answers, the newest first."""
    text = f"{mail.header('References')} {mail.header('In-Reply-To')}"
    return tuple(dict.fromkeys(reversed(named(text, domain))))


def named(text: str, domain: str) -> tuple[str, ...]:
    """The names of mails of ours in a header: what stands before the @ in their Message-IDs."""
    found = _REFERENCE.findall(text.casefold())
    return tuple(id for id, at in found if at == domain.casefold())
