"""Several workers at one database: python -m tests.mail.crowd PORT NOW COUNT.

They greet the relay on that port with their process ids, and say on standard output who was killed.
"""

from __future__ import annotations

import logging
import os
import sys

from service import journal, settings, worker
from service import site as sites
from service.mail.transport import Relay, Smtp
from service.settings import Settings
from tests.mail.play import DOMAIN


def work(chosen: Settings, port: int, now: int) -> None:
    """Sends until nothing is due that no other has."""
    site = sites.open_site(chosen)
    way = Smtp(Relay("127.0.0.1", port, f"{os.getpid()}.{DOMAIN}", tls="none"))
    while worker.post(site, way, now):
        pass


def main(port: str, now: str, count: str) -> None:
    own = {"base_url": f"https://{DOMAIN}", "mail_from": f"play@{DOMAIN}"}
    journal.keep(logging.ERROR)  # on standard error
    chosen = settings.load().model_copy(update=own)
    crowd = []
    for _ in range(int(count)):
        process = os.fork()
        if process == 0:
            work(chosen, int(port), int(now))
            os._exit(0)
        crowd.append(process)
    for process in crowd:
        _, status = os.waitpid(process, 0)
        assert os.WIFSIGNALED(status) or not os.waitstatus_to_exitcode(status)
        if os.WIFSIGNALED(status):
            print(process)


if __name__ == "__main__":
    main(*sys.argv[1:])
