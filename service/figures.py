"""What the operator sees of the service in numbers: its matches, and when its parts were up."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from games.position import Phase
from service import beat
from service.models import MATCH, OUTAGE

NEWEST = 10


@dataclass(frozen=True)
class Past:
    """An outage as it is shown."""

    part: str
    began: int
    ended: int
    settled: int | None


@dataclass(frozen=True)
class Figures:
    """How many matches there are in each state, and how the parts of the service do."""

    joining: int
    running: int
    unrevealed: int
    """Decided, while reveals are still to be written."""
    ended: int
    lapsed: int
    """Over before they started."""
    beats: tuple[tuple[str, int], ...]
    outages: tuple[Past, ...]

    @property
    def started(self) -> int:
        return self.running + self.unrevealed + self.ended

    @property
    def opened(self) -> int:
        return self.joining + self.started + self.lapsed


def look(conn: sa.Connection) -> Figures:
    """The figures of this moment, from the index alone."""
    began = (MATCH.c.wait > 0).label("began")
    query = sa.select(MATCH.c.phase, began, sa.func.count()).group_by(MATCH.c.phase, began)
    count = {(Phase(phase), bool(began)): many for phase, began, many in conn.execute(query)}
    fields = [OUTAGE.c[name] for name in Past.__dataclass_fields__]
    past = conn.execute(sa.select(*fields).order_by(OUTAGE.c.ended.desc()).limit(NEWEST))
    return Figures(
        joining=count.get((Phase.JOINING, False), 0),
        running=count.get((Phase.RUNNING, True), 0),
        unrevealed=count.get((Phase.OVER, True), 0),
        ended=count.get((Phase.CLOSED, True), 0),
        lapsed=count.get((Phase.CLOSED, False), 0),
        beats=tuple(sorted(beat.last(conn).items())),
        outages=tuple(Past(*row) for row in past),
    )
