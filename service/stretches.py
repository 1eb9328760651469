"""For how long whose clock ran: what an outage or a vacation may give back, and no second more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import sqlalchemy as sa

from games.log.record import Sys
from service import news, records
from service.clock import DAY, Clocks, Standing
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


Rests = defaultdict[int, list[tuple[int, int]]]
"""By seat, times that its clock does not lose: it has been given them."""


def respites(conn: sa.Connection, match: str) -> Rests:
    """The days that seats were given since no mail reached them."""
    days: Rests = defaultdict(list)
    for record in records.load(conn, match):
        body = record.body
        if isinstance(body, Sys) and body.why in (news.UNREACHED, news.STILL_UNREACHED):
            days[body.seat or 0].append((record.at, record.at + DAY))
    return days


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
