"""One position of a match that is looked at again, and the ways to the others."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.rules import Viewer
from games.position import Phase
from service import tale
from service.language import moment
from service.web.match import board as boards
from service.web.match import view
from service.web.match.course import Course, course
from service.web.match.loaded import Loaded
from service.web.match.look import Look
from service.web.match.proof import Proof, proof
from service.web.match.view import Status
from service.web.request import _, language, site


@dataclass(frozen=True)
class Jump:
    """A button that leads to another position."""

    id: str
    words: str
    shape: str
    href: str


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
    proof: Proof | None
    course: Course | None
    jumps: tuple[Jump, ...]


def stop(found: Loaded, look: Look, wanted: int) -> Stop:
    """The position after a record, or the nearest there is."""
    first, last = _first(found), len(found.passed) - 1
    at = min(max(wanted, first), last)
    record, position = found.passed[at]
    viewer = look.eyes.viewer
    seat = viewer if isinstance(viewer, int) else None
    return Stop(
        at=at,
        first=first,
        last=last,
        board=boards.at_rest(found, position, viewer, turned=look.turned),
        status=view.status(found, position, seat),
        told=_told(found, viewer, at),
        when=moment(record.at, site().settings.zone, language()),
        proof=proof(found, at),
        course=course(found, at),
        jumps=_jumps(look, first, at, last),
    )


def _first(found: Loaded) -> int:
    """The first record with a position to show."""
    begun = (record.n for record, after in found.passed if after.phase is not Phase.JOINING)
    return next(begun, 0)


def _told(found: Loaded, viewer: Viewer, at: int) -> str:
    (_, before), (record, after) = found.passed[max(at - 1, 0)], found.passed[at]
    return tale.tell(record, before, after, boards.reader(found, after, viewer))


def _jumps(look: Look, first: int, at: int, last: int) -> tuple[Jump, ...]:
    """Play has a place in the middle: the page shows it to those who have scripts."""
    back, further = max(at - 1, first), min(at + 1, last)
    return (
        Jump("first", _("First position"), "M6 5V19M18 5L9 12L18 19Z", look.path(first)),
        Jump("prev", _("One back"), "M15 5L7 12L15 19Z", look.path(back)),
        Jump("next", _("One forward"), "M9 5L17 12L9 19Z", look.path(further)),
        Jump("last", _("Last position"), "M18 5V19M6 5L15 12L6 19Z", look.path(last)),
    )
