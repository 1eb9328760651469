"""A process at the deadline: `python -m tests.service.finisher sweep|move NOW MATCH …`.

It says `ready`, waits for a line on its input, and sweeps what is overdue, or plays a line that had
arrived in time in each match, four at once. It prints how often it was the one who did it.
"""

from __future__ import annotations

import sys
from functools import partial

from service import overdue, play
from service.settings import load
from service.site import Site, open_site
from tests.service.table import at_once, look

LANES = 4


def swept(site: Site, now: int) -> int:
    """How many matches a sweep ended."""
    return sum(overdue.end(site, due, now) for due in list(overdue.find(site, now)))


def played(site: Site, now: int, turns: list[tuple[str, int, str]]) -> int:
    """How many of these turns were played; the others had timed out."""
    done = 0
    for match, seat, line in turns:
        submit = partial(play.submit, site, match=match, seat=seat, wait=3, on=3, via="mail")
        (answer,) = at_once([partial(submit, line=line, now=now, arrived=0, ev=bytes(32))])
        done += isinstance(answer, play.Receipt)
        assert isinstance(answer, play.Receipt | play.Stale), answer
    return done


def main(role: str, hour: str, *matches: str) -> None:
    site, now = open_site(load()), int(hour)
    seen = [(match, look(site, match)) for match in matches]
    turns = [(match, at.mover, at.moves[0]) for match, at in seen]
    jobs = {
        "sweep": [partial(swept, site, now)] * LANES,
        "move": [partial(played, site, now, turns[lane::LANES]) for lane in range(LANES)],
    }[role]
    print("ready", flush=True)
    sys.stdin.readline()
    done = at_once(list(jobs))
    assert all(isinstance(one, int) for one in done), done
    print(sum(one for one in done if isinstance(one, int)), flush=True)
    site.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
