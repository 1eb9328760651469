"""What has run out of time: turns and matches that never started, found by index, ended singly."""

from __future__ import annotations

from collections.abc import Iterator

from games.position import Phase
from service import matches, play, unstarted
from service.matches import Due
from service.site import Site

BATCH = 50


def find(site: Site, now: int) -> Iterator[Due]:
    """The matches whose deadline has passed, a batch at a time; one that is let wait holds up none
    that comes after it."""
    batch: list[Due] = []
    while True:
        with site.db.read() as conn:
            batch = matches.due(conn, now, BATCH, batch[-1] if batch else None)
        yield from batch
        if len(batch) < BATCH:
            return


def end(site: Site, due: Due, now: int) -> bool:
    """Ends the turn whose time is over, or the match that nobody came to; whether it did."""
    if due.phase is Phase.JOINING:
        return unstarted.lapse(site, due.id, now)
    return play.timeout(site, match=due.id, wait=due.wait, now=now)
