"""One position of a match that is looked at again, and the ways to the others."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.rules import Viewer
from games.log.record import Deal, Record, Roll, Start
from games.position import Phase
from service import tale
from service.language import moment
from service.web.match import board as boards
from service.web.match import view
from service.web.match.loaded import Loaded
from service.web.match.view import Status
from service.web.request import _, language, site


@dataclass(frozen=True)
class Jump:
    """A button that leads to another position."""

    id: str
    at: int
    words: str
    path: str


@dataclass(frozen=True)
class Stop:
    """A position as the replay shows it, after the record `at`."""

    at: int
    first: int
    last: int
    board: str
    status: Status
    told: str
    when: str
    proof: str
    jumps: tuple[Jump, ...]


def stop(found: Loaded, viewer: Viewer, asked: str) -> Stop:
    """The position asked for; the nearest there is, and the last for anything but a number."""
    first, last = _first(found), len(found.passed) - 1
    wanted = int(asked) if asked.isdecimal() and len(asked) < 10 else last
    at = min(max(wanted, first), last)
    record, position = found.passed[at]
    seat = viewer if isinstance(viewer, int) else None
    return Stop(
        at=at,
        first=first,
        last=last,
        board=boards.at_rest(found, position, viewer),
        status=view.status(found, position, seat),
        told=_told(found, viewer, at),
        when=moment(record.at, site().settings.zone, language()),
        proof=_proof(record),
        jumps=_jumps(first, at, last),
    )


def _first(found: Loaded) -> int:
    """The first record with a position to show."""
    begun = (record.n for record, after in found.passed if after.phase is not Phase.JOINING)
    return next(begun, 0)


def _told(found: Loaded, viewer: Viewer, at: int) -> str:
    (_, before), (record, after) = found.passed[max(at - 1, 0)], found.passed[at]
    return tale.tell(record, before, after, boards.reader(found, after, viewer))


def _proof(record: Record) -> str:
    match record.body:
        case Start(k=None):
            return _("The service gave the seats without a lot.")
        case Start() | Roll():
            return _("Both halves of this lot were fixed before it was drawn: the log proves it.")
        case Deal():
            return _("This deal was fixed before the match. The log proves it after the end.")
        case _:
            return ""


def _jumps(first: int, at: int, last: int) -> tuple[Jump, ...]:
    return (
        Jump("first", first, _("First position"), "M6 5V19M18 5L9 12L18 19Z"),
        Jump("prev", max(at - 1, first), _("One back"), "M15 5L7 12L15 19Z"),
        Jump("next", min(at + 1, last), _("One forward"), "M9 5L17 12L9 19Z"),
        Jump("last", last, _("Last position"), "M18 5V19M6 5L15 12L6 19Z"),
    )
