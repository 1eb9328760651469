"""What an address asks for behind its question mark, and what becomes of it if it is not there.

One rule for all pages: a number beyond its range leads to the nearest there is; a name of nothing,
or what is no number at all, is 404. Nobody is shown something else as if they had asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import date

from flask import request
from werkzeug.exceptions import NotFound

from service.web.request import field

MOST = 2**53
EARLIEST, LATEST = date(2000, 1, 1), date(2999, 12, 31)
_whole = re.compile(r"-?[0-9]+", re.ASCII).fullmatch


class NotThere(NotFound):
    """An address that asks for what the page does not have."""

    def __init__(self, name: str, value: str, *, day: bool = False) -> None:
        super().__init__()
        self.asked, self.value, self.day = name, value, day


def place(name: str, last: int = MOST, *, first: int = 1, usual: int = 1) -> int:
    """A page or a position: the one asked for, or the nearest; `usual` if none is."""
    text = field(name, request.args).strip()
    if not text:
        return usual
    if not _whole(text):
        raise NotThere(name, text)
    wanted = int(text) if len(text) < len(str(MOST)) else -MOST if text[0] == "-" else MOST
    return min(max(wanted, first), last)


def one_of(name: str, known: Collection[str]) -> str:
    """One of the names that there are; "" if none is asked for."""
    text = field(name, request.args).strip()
    if text and text not in known:
        raise NotThere(name, text)
    return text


def day(name: str) -> date | None:
    """A day of the calendar, none before or after all that can have been here."""
    text = field(name, request.args).strip()
    if not text:
        return None
    with suppress(ValueError):
        return min(max(date.fromisoformat(text), EARLIEST), LATEST)
    raise NotThere(name, text, day=True)
