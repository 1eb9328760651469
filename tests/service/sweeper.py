"""A worker that sees to the clocks and is killed at its so many-th statement or commit:
`python -m tests.service.sweeper NOW STEPS`."""

from __future__ import annotations

import sys

import sqlalchemy as sa

from service import worker
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


if __name__ == "__main__":
    main(*sys.argv[1:])
