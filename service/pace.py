"""Time controls in words: what is offered at the start of a match, and how a clock stands."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.drawing import Language
from service import clock
from service.clock import Clocks, Control, parse
from service.language import N_, gettext, span, until

LIKE: dict[str, str] = {
    "none": "",
    "3d": "",
    "7d": "",
    "14d": "",
    "10d+36h cap 10d": N_("as at Little Golem"),
    "30d+4d cap 50d free 24h": N_("much as in correspondence chess"),
}
"""The time controls that a form offers, with what some of them are like."""


def offered(language: Language) -> tuple[tuple[str, str], ...]:
    """The controls of a form with their words."""
    return tuple((text, _offer(text, like, language)) for text, like in LIKE.items())


def _offer(text: str, like: str, language: Language) -> str:
    words = told(parse(text), language)
    return f"{words} ({gettext(like, language)})" if like else words


def told(control: Control, language: Language) -> str:
    """What a time control means."""
    return "; ".join(_told(control, language))


def _told(control: Control, language: Language) -> Iterator[str]:
    yield _time(control, language)
    if control.free:
        free = span(control.free, language)
        yield gettext("the first %(span)s of every turn cost nothing", language, span=free)
    if control.weekends:
        zone = control.weekends
        yield gettext("Saturdays and Sundays do not count (%(zone)s)", language, zone=zone)
    if not control.vacation:
        yield gettext("no vacation", language)


def _time(control: Control, language: Language) -> str:
    if not control.limited:
        return gettext("no time limit", language)
    if control.turn:
        return gettext("%(span)s for every turn", language, span=span(control.turn, language))
    bank = span(control.bank, language)
    if not control.increment:
        return gettext("%(span)s for all turns of a player", language, span=bank)
    return gettext(
        "%(bank)s to begin with, %(more)s more after every turn, never above %(cap)s",
        language,
        bank=bank,
        more=span(control.increment, language),
        cap=span(control.cap, language),
    )


def answer_by(notation: str, deadline: int | None, now: int, zone: str, language: Language) -> str:
    """Until when there is time for a turn: the moment and how long that is, or why there is
    none."""
    if deadline is not None:
        return until(deadline, now, zone, language)
    if parse(notation).limited:
        return gettext("no deadline: the match is paused", language)
    return gettext("no time limit", language)


def left(clocks: Clocks, seat: int, now: int, language: Language) -> str:
    """What a seat has in its bank; "" without banks."""
    seconds = clock.left(clocks, seat, now)
    if seconds is None:
        return ""
    return gettext("%(span)s left", language, span=span(seconds, language))
