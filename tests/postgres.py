"""A PostgreSQL server of our own for one test run: in a temporary folder, on a socket alone."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

OPTIONS = (
    "listen_addresses=''",
    "fsync=off",
    "full_page_writes=off",
    "max_connections=200",
)


def programs() -> Path | None:
    """The folder of the newest PostgreSQL on this machine."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(found, key=lambda path: int(path.parent.parent.name), default=None)
    return newest.parent if newest else None


class Server:
    """A server that makes databases; `control` gives it an order."""

    def __init__(self, folder: Path, control: Callable[..., None]) -> None:
        self._folder = folder
        self._control = control
        self._made = 0

    def start(self) -> None:
        self._control("-l", str(self._folder / "log"), "start")

    def stop(self) -> None:
        """At once, as if the power were cut."""
        self._control("-m", "immediate", "stop")

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self._folder}"

    def create(self, template: str = "template1") -> str:
        """The name of a new database, a copy of another."""
        self._made += 1
        name = f"test{self._made}"
        self._order(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        self._order(f"DROP DATABASE {name} WITH (FORCE)")

    def _order(self, statement: str) -> None:
        engine = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as conn:
            conn.exec_driver_sql(statement)
        engine.dispose()


@contextmanager
def serve(binaries: Path) -> Iterator[Server]:
    """A server from the first line to the last of a `with`. It does not run as root, so root
    lends it to the user `postgres`."""
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    as_whom: dict[str, Any] = {}
    if os.getuid() == 0:
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
        as_whom = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def run(program: str, *arguments: str) -> None:
        command = [str(binaries / program), *arguments]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, **as_whom)

    data = str(folder / "data")
    options = " ".join(f"-c {option}" for option in (*OPTIONS, f"unix_socket_directories={folder}"))
    server = Server(folder, partial(run, "pg_ctl", "-w", "-D", data, "-o", options))
    try:
        run(
            "initdb",
            *("-D", data, "-U", "postgres", "--auth=trust", "--no-sync"),
            *("-E", "UTF8", "--locale=C.UTF-8"),
        )
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
