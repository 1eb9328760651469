"""What the operator's lists of mails share: which pile is shown, and what is done with a mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from flask import abort

from service.site import Site
from service.web import asked, cookies
from service.web.request import field, now, site

Pile = TypeVar("Pile", bound=str)
Act = Callable[[Site, int, int], bool]
"""Something that can be done with the mail of an id, at an hour; whether it was."""


def chosen(argument: str, piles: Sequence[Pile], counts: Mapping[Pile, int]) -> Pile:
    """The pile that the address names, else the first one with mails."""
    wanted = asked.one_of(argument, piles)
    return next((one for one in piles if one == wanted), next(iter(counts), piles[0]))


def before() -> int | None:
    """The last mail of the page before; None on the first page."""
    return asked.place("before", usual=0) or None


def act(acts: Mapping[str, Act], mail: int) -> None:
    """Does with a mail what the form says."""
    cookies.require_operator()
    doing = acts.get(field("act")) or abort(422)
    doing(site(), mail, now())
