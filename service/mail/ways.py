"""Where a mail leads: its link, its address for answers, and the way to have fewer of them."""

from __future__ import annotations

from typing import Literal

from service import links, matches, people
from service.kinds import KINDS, Kind
from service.links import Purpose
from service.mail.inbound import route
from service.mail.inbound.route import Route
from service.mail.story import Source
from service.matches import SeatRow

DOORS: dict[Kind, tuple[Purpose, str]] = {
    "confirm": ("a", "a"),
    "access": ("a", "a"),
    "invitation": ("i", "i"),
    "turn": ("w", "t"),
    "reminder": ("w", "t"),
    "answer": ("w", "t"),
    "hold": ("h", "h"),
    "change": ("o", "c"),
    "arrival": ("n", "c"),
    "deletion": ("o", "c"),
}
"""The purpose of the link that a kind of mail carries, and where it leads."""
ANSWERED: tuple[Kind, ...] = ("invitation", "turn", "reminder", "answer", "digest")
"""Mails that can be answered."""


def answers(source: Source) -> str:
    """The address for answers; "" if the mail cannot be answered."""
    row, pattern = source.row, source.site.settings.answers
    if not pattern or row.kind not in ANSWERED:
        return ""
    if row.match is None:
        return _way(source, "d", row.link) if row.link else ""
    if row.seat is None:
        return _way(source, "i", row.link) if row.link else ""
    if row.wait is None:
        return ""
    found = links.address(source.conn, row.match, row.seat, row.wait)
    return _way(source, "t", found.id) if found else ""


def _way(source: Source, purpose: Literal["t", "i", "d"], row: str) -> str:
    token = links.token(source.site.keys.link, purpose, row)
    return route.address(source.site.settings.answers, Route(purpose, token))


def link(source: Source) -> str:
    """Where its button leads; "" if it has none."""
    row = source.row
    if row.link is None or row.kind == "digest" or (row.kind == "answer" and row.match is None):
        return ""
    purpose, path = DOORS[row.kind]
    if row.kind == "answer" and row.seat is None:
        purpose, path = DOORS["invitation"]
    token = links.token(source.site.keys.link, purpose, row.link)
    return f"{source.site.settings.base_url}/{path}/{token}"


def leave(source: Source) -> str:
    """Where mails like this one are unsubscribed; "" if they cannot be, or nothing was prepared."""
    row, scope, found = source.row, KINDS[source.row.kind].scope, None
    if scope == "digest":
        player = people.find(source.conn, row.address)
        found = links.find_way_out(source.conn, player=player)
    elif scope is not None and (place := seat(source)) is not None:
        found = links.find_way_out(source.conn, place=place.id)
    if found is None:
        return ""
    token = links.token(source.site.keys.link, "u", found)
    return f"{source.site.settings.base_url}/u/{token}"


def seat(source: Source) -> SeatRow | None:
    """The place of whoever reads."""
    row = source.row
    if row.match is None:
        return None
    folded = people.folded(row.address)
    seats = matches.seats(source.conn, row.match)
    return next((seat for seat in seats if people.folded(seat.address) == folded), None)
