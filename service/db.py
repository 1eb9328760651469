"""The database: transactions on both engines, append-only tables, migrations."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.pool import ConnectionPoolEntry

from service.errors import NotReady, Unavailable
from service.models import APPEND_ONLY

ENGINES = ("sqlite", "postgresql")
BUSY_SECONDS = 15
"""How long a locked database is waited for, unless somebody is in more of a hurry."""
IDLE_SECONDS = 30
"""A transaction in which nothing happens for so long is given up (PostgreSQL)."""
_IDLE = "25P03"
_MIGRATION_LOCK = 0x6665726E  # "fern"


class Queue:
    """A lock that lets threads in in the order in which they came."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Event] = deque()

    @property
    def waiting(self) -> int:
        """How many threads wait."""
        return len(self._waiting)

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """Waits for the lock. Raises TimeoutError."""
        self._acquire(seconds)
        try:
            yield
        finally:
            self._release()

    def _acquire(self, seconds: float) -> None:
        with self._mutex:
            if not self._held:
                self._held = True
                return
            called = threading.Event()
            self._waiting.append(called)
        if called.wait(seconds):
            return
        with self._mutex:
            if not called.is_set():
                self._waiting.remove(called)
                raise TimeoutError

    def _release(self) -> None:
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._held = False


class Database:
    """Transactions on SQLite or PostgreSQL; each either commits whole or not at all.

    SQLite has one writer at a time: the threads of this process queue for it, other processes are
    waited for. A busy, full or missing database raises Unavailable, and nothing was written.
    """

    def __init__(self, url: str, *, synchronous: str = "FULL", busy: float = BUSY_SECONDS) -> None:
        self.lite = sa.make_url(url).get_backend_name() == "sqlite"
        self._busy = busy
        if self.lite:
            kept = f"synchronous={synchronous}"
            self._writing = _sqlite(url, "BEGIN IMMEDIATE", busy, kept)
            self._relaxed = _sqlite(url, "BEGIN IMMEDIATE", busy, "synchronous=NORMAL")
            self._reading = _sqlite(url, "BEGIN", busy, kept, "query_only=ON")
        else:
            self._writing = self._relaxed = sa.create_engine(
                url, pool_pre_ping=True, connect_args={"connect_timeout": max(2, int(busy))}
            )
            sa.event.listen(self._writing, "connect", _impatient)
            self._reading = self._writing.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        self._queue = Queue()

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that commits at the end, or rolls back if anything is raised."""
        with _clear(), self._one_writer(), self._writing.begin() as connection:
            yield connection

    @contextmanager
    def relaxed(self) -> Iterator[sa.Connection]:
        """The same without waiting for the disk: it outlives the end of any process of ours, but
        not always that of the machine. Whatever `write` commits later takes it along."""
        with _clear(), self._one_writer(), self._relaxed.begin() as connection:
            if not self.lite:
                connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state of the database and cannot change it."""
        with _clear(), self._reading.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Closes the connections of the pools."""
        self._writing.dispose()
        self._relaxed.dispose()
        self._reading.dispose()

    @contextmanager
    def _one_writer(self) -> Iterator[None]:
        if not self.lite:
            yield
            return
        with self._queue.turn(self._busy):
            yield


def insert(engine: str, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT of the engine with its `on_conflict_do_nothing`."""
    return sqlite.insert(table) if engine == "sqlite" else postgresql.insert(table)


def guard(connection: sa.Connection, table: str) -> None:
    """Installs the triggers that make a table append-only. (A rebuild of the table drops them.)"""
    statements = _LITE if connection.dialect.name == "sqlite" else _POSTGRES
    for statement in statements:
        connection.exec_driver_sql(statement.format(table=table))


def guarded(connection: sa.Connection, table: str) -> bool:
    """Whether all triggers of an append-only table are there and on."""
    lite = connection.dialect.name == "sqlite"
    found = connection.execute(_FIND_LITE if lite else _FIND_POSTGRES, {"table": table})
    return set(found.scalars()) >= set(guards(table, lite=lite))


def guards(table: str, *, lite: bool) -> tuple[str, ...]:
    """The names of the triggers that make a table append-only."""
    return tuple(name.format(table=table) for name in _NAMES[lite])


def migrate(database: Database) -> None:
    """Brings the tables to the newest revision, with every trigger; safe when several hosts do it
    at once."""
    with database.write() as connection:
        if not database.lite:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        with alembic_config(connection) as config:
            try:
                command.upgrade(config, "head")
            except CommandError as error:
                raise NotReady(
                    "The database cannot be brought to this program's revision: %(why)s",
                    why=str(error),
                ) from error
        for table in APPEND_ONLY:
            if not guarded(connection, table):
                guard(connection, table)


def check(database: Database) -> None:
    """Raises NotReady unless the tables are at this program's revision and guarded."""
    with database.read() as connection:
        have = MigrationContext.configure(connection).get_current_heads()
        with alembic_config(connection) as config:
            want = tuple(ScriptDirectory.from_config(config).get_heads())
        if have != want:
            raise NotReady(
                "The database is at revision %(have)s, this program needs %(want)s. "
                "Run: fernpartie init",
                have=", ".join(have) or "none",
                want=", ".join(want),
            )
        for table in APPEND_ONLY:
            if not guarded(connection, table):
                raise NotReady(
                    "The triggers that make the table %(table)s append-only are missing. "
                    "Run: fernpartie init",
                    table=table,
                )


@contextmanager
def alembic_config(connection: sa.Connection) -> Iterator[Config]:
    """What the commands of Alembic work with: our migrations, over this connection."""
    with as_file(files("service") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        yield config


@contextmanager
def _clear() -> Iterator[None]:
    """Turns what an engine says when it is busy, full or away into Unavailable."""
    try:
        yield
    except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError, TimeoutError) as e:
        raise Unavailable from e
    except sa.exc.DatabaseError as e:
        damaged = type(e) is sa.exc.DatabaseError  # SQLite: not a database, or a damaged one
        if damaged or getattr(e.orig, "sqlstate", None) == _IDLE:
            raise Unavailable from e
        raise


def _sqlite(url: str, begin: str, busy: float, *pragmas: str) -> sa.Engine:
    engine = sa.create_engine(url)
    sa.event.listen(engine, "connect", _prepare(f"busy_timeout={int(busy * 1000)}", *pragmas))
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _impatient(driver: Any, _: ConnectionPoolEntry) -> None:
    """The server ends a transaction of a process that is stopped: others wait for its locks."""
    driver.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
    driver.commit()


def _prepare(timeout: str, *pragmas: str) -> Callable[[Any, ConnectionPoolEntry], None]:
    def connect(driver: Any, _: ConnectionPoolEntry) -> None:
        driver.isolation_level = None  # else the driver begins transactions of its own
        for pragma in (
            timeout,
            "journal_mode=WAL",
            "foreign_keys=ON",
            "recursive_triggers=ON",  # else INSERT OR REPLACE slips past the triggers
            *pragmas,
        ):
            driver.execute(f"PRAGMA {pragma}")

    return connect


_LITE = (
    """CREATE TRIGGER IF NOT EXISTS {table}_no_update BEFORE UPDATE ON {table}
    BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END""",
    """CREATE TRIGGER IF NOT EXISTS {table}_no_delete BEFORE DELETE ON {table}
    BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END""",
)
_POSTGRES = (
    """CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE integrity_constraint_violation
    USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$""",
    """CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION refuse_change()""",
    """CREATE OR REPLACE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()""",
)
_NAMES = {
    True: ("{table}_no_update", "{table}_no_delete"),
    False: ("{table}_no_change", "{table}_no_truncate"),
}
_FIND_LITE = sa.text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :table")
_FIND_POSTGRES = sa.text(
    "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(:table) AND tgenabled <> 'D'"
)
