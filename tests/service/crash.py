"""A process killed on its way through a move: `python -m tests.service.crash move|house N MATCH …`.

For each match in turn it forks a child that plays a move, or lets the house play, and kills
itself, without warning, at every N-th statement or commit, always a later one. It prints
how many children were killed and ends with the first that was not.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import sqlalchemy as sa

from service import house
from service.settings import Settings, load
from service.site import open_site
from tests.service.table import NOW, move


def fatal(steps: int) -> Callable[..., None]:
    """Kills this process at its so many-th step."""
    left = iter(range(steps - 1))

    def step(*_: object) -> None:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def child(settings: Settings, who: str, match: str, steps: int) -> None:
    site = open_site(settings)
    step = fatal(steps)
    for event in ("before_cursor_execute", "commit"):
        sa.event.listen(sa.Engine, event, step)
    if who == "house":
        house.play_once(site, NOW)
    else:
        move(site, match)


def main(who: str, every: str, *matches: str) -> None:
    settings = load()
    for killed, match in enumerate(matches):
        steps = 1 + killed * int(every)
        process = os.fork()
        if process == 0:
            child(settings, who, match, steps)
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if not os.WIFSIGNALED(status):
            print(killed)
            sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
