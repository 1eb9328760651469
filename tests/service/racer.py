"""A process that plays ten lines at once when told to: `python -m tests.service.racer MATCH …`.

It says `ready`, waits for a line on its input, and prints what became of each line.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial

from service import play
from service.settings import load
from service.site import open_site
from tests.service.table import NOW, at_once


def main(match: str, seat: str, *lines: str) -> None:
    site = open_site(load())
    submit = partial(
        play.submit, site, match=match, seat=int(seat), wait=3, on=3, via="web", now=NOW
    )
    print("ready", flush=True)
    sys.stdin.readline()
    answers = at_once([partial(submit, line=line) for line in lines])
    found = Counter(type(answer).__name__ for answer in answers)
    print(found["Receipt"], found["Stale"], len(answers), flush=True)
    site.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
