"""For how long whose clock ran: what an outage or a vacation may give back, and no second more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import sqlalchemy as sa

from service import records
from service.clock import Clocks, Standing
from service.site import Site


class Stretch(NamedTuple):
    """The time from one record to the next; `ended` is None for the present one."""

    clocks: Clocks
    began: int
    ended: int | None = None

    def of_turn(self, clocks: Clocks) -> bool:
        """Whether it belongs to the turn that is on under these clocks."""
        return (self.clocks.mover, self.clocks.began) == (clocks.mover, clocks.began)

    def counted(self, began: int, ended: int) -> int:
        """How many seconds from `began` to `ended` count in it, if the present one goes on."""
        clocks = self.clocks
        if clocks.mover is None or clocks.paused or not clocks.control.limited:
            return 0
        start = max(began, self.began, clocks.since)
        return clocks.control.counted(
            start, ended if self.ended is None else min(ended, self.ended)
        )


def since(site: Site, conn: sa.Connection, at: Standing, time: int) -> list[Stretch]:
    """The stretches of a match that were not over at a moment."""
    if at.position.at <= time:
        return [Stretch(at.clocks, at.position.at)]
    return [one for one in _all(site, conn, at) if one.ended is None or one.ended > time]


def _all(site: Site, conn: sa.Connection, at: Standing) -> Iterator[Stretch]:
    steps = records.timed(records.walk(site, conn, at.position.m, at.position.n))
    for (record, standing), (following, _) in pairwise(steps):
        yield Stretch(standing.clocks, record.at, following.at)
    yield Stretch(at.clocks, at.position.at)
