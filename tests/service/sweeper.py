"""A worker that sees to the clocks and is killed at its so many-th statement or commit:
`python -m tests.service.sweeper NOW STEPS`. Without arguments it reads hours from its input and
sees to the clocks at each, after a heartbeat as the worker does."""

from __future__ import annotations

import logging
import sys

import sqlalchemy as sa

from service import journal, worker
from service.settings import load
from service.site import open_site
from tests.mail.recorder import Recorder
from tests.service.crash import fatal


def main(now: str, steps: str) -> None:
    site = open_site(load())
    step = fatal(int(steps))
    for event in ("before_cursor_execute", "commit"):
        sa.event.listen(sa.Engine, event, step)
    worker.clocks(site, Recorder(), int(now))
    site.close()


def by_hours() -> None:
    journal.keep(logging.ERROR)  # on standard error: the answers are on the other
    site = open_site(load())
    shift = worker._Shift(site, Recorder())
    for line in sys.stdin:
        shift._round(worker.clocks, int(line))
        print("done", flush=True)
    site.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        main(*sys.argv[1:])
    else:
        by_hours()
