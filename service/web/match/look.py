"""From where a replay is looked at: whose eyes, which side of the board, and the addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import url_for

from games.core.rules import BYSTANDER, OPEN, Viewer
from games.position import Phase
from games.registry import drawing
from service.web.match.loaded import Loaded
from service.web.request import _

ALL, EVERYBODY, TURNED = "all", "bystander", "yes"


@dataclass(frozen=True)
class Eyes:
    """Somebody whose view may be chosen: as in the address, in words, and as the games know it."""

    key: str
    words: str
    viewer: Viewer


@dataclass(frozen=True)
class Look:
    """How the positions of a match are looked at."""

    match: str
    eyes: Eyes
    usual: bool
    """Whether that is how this reader looks if they choose nothing."""
    turned: bool
    choosable: tuple[Eyes, ...]
    sided: bool

    def path(self, at: int, *, turn: bool = False) -> str:
        """The address of a position, looked at in the same way, or from the other side."""
        turned = self.turned != turn
        chosen: dict[str, Any] = {
            "as": None if self.usual else self.eyes.key,
            "turned": TURNED if turned else None,
        }
        return url_for("match.replay", match=self.match, at=at, **chosen, _anchor=str(at))


def eyes(found: Loaded) -> tuple[str, ...]:
    """All by whose eyes a match can be looked at, by somebody and at some time."""
    return (ALL, EVERYBODY, *(str(n) for n, _name in enumerate(found.names, start=1)))


def look(found: Loaded, own: Viewer, by: str, turned: str) -> Look:
    """As it is asked for, as far as the reader may; else as usual: all open after the end, before
    that what the reader sees anyway."""
    choosable = _choosable(found, own)
    eyes = next((one for one in choosable if one.key == by), choosable[0])
    sided = drawing(found.row.game).SIDED
    return Look(found.row.id, eyes, eyes is choosable[0], sided and bool(turned), choosable, sided)


def _choosable(found: Loaded, own: Viewer) -> tuple[Eyes, ...]:
    bystander = Eyes(EVERYBODY, _("a bystander"), BYSTANDER)
    seats = tuple(Eyes(str(n), name, n) for n, name in enumerate(found.names, start=1))
    if found.position.phase is Phase.CLOSED and found.row.started:
        return (Eyes(ALL, _("everybody, all open"), OPEN), *seats, bystander)
    return (*(seat for seat in seats if seat.viewer == own), bystander)
