"""Backups, restoring them, and moving to another database; every log is checked on the way."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from dataclasses import replace as but
from pathlib import Path

import sqlalchemy as sa

from games.verify import verify
from service import db, keys, matches, outbox, records, signing
from service import site as sites
from service.cache import Cache
from service.db import Database
from service.errors import NotReady
from service.models import OUTBOX, SERVICE
from service.policy import policy_for
from service.settings import Settings
from service.signer import Signer
from service.signing import Conflict
from service.site import Site
from service.transfer import check_still, filled, transfer

_KEYS = "CREATE TABLE kept_key (name TEXT PRIMARY KEY, text BLOB NOT NULL)"


@dataclass(frozen=True)
class Restored:
    """What was put back, where the database is now that was there before, and what will not go
    on."""

    records: int
    conflicts: tuple[Conflict, ...]
    aside: str | None


def back_up(settings: Settings, path: Path, *, with_keys: bool) -> int:
    """Writes the database, as it stands at one moment, into a new file; counts its records.

    The file is an SQLite database with the same tables, for the owner alone. It has no keys unless
    asked for, and never the signer's store, which must not be turned back. The service may run.
    """
    if path.exists():
        raise NotReady("%(path)s exists already.", path=str(path))
    with closing(sites.look(settings)) as site, _draft(path) as draft:
        with closing(_lite(draft)) as copy:
            db.migrate(copy)
            count = transfer(site.db, copy)
        _finish(draft, sites.key_folder(settings) if with_keys else None)
        path.hardlink_to(draft)
    _sync(path.parent)
    return count


def restore(settings: Settings, path: Path, now: int, *, replace: bool) -> Restored:
    """Puts a backup in the place of the database; with `replace` also of one that holds something,
    which is set aside. Raises NotReady, and nothing has changed then.

    The signer's store stays as it is. Of a match of which it knows more than the backup nothing
    can be signed again: such matches are named, and wait.
    """
    if not path.is_file():
        raise NotReady("There is no file %(path)s.", path=str(path))
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _draft(settings.data / "restored.db") as draft:
        shutil.copyfile(path, draft)
        found = _taken_out(draft, path)
        with closing(_lite(draft)) as copy, closing(_target(settings)) as target:
            db.migrate(copy)
            check_still(target, now)
            _check_free(target, replace)
            _bring_keys(sites.key_folder(settings), found)
            with closing(_signer(settings)) as signer:
                conflicts = _checked(settings, copy, signer)
                _put_on(copy, conflicts, len(signer.lasts()))
            aside = _set_aside(settings, target, now)
            db.migrate(target)
            return Restored(transfer(copy, target), tuple(conflicts), aside)


def move(settings: Settings, url: str, signer_url: str | None, now: int) -> int:
    """Copies the database to an empty one, and the signer's store if that is to move too; counts
    the records. The source stays as it is. Raises NotReady."""
    with closing(sites.look(settings)) as site, closing(Database(url)) as target:
        check_still(site.db, now)
        db.migrate(target)
        count = transfer(site.db, target)
        check_logs(but(site, db=target))
        if signer_url:
            with closing(Signer(signer_url, site.keys.heads, site.name)) as other:
                other.create()
                site.signer.copy(other)
                check_logs(but(site, db=target, signer=other))
    return count


def check_logs(site: Site) -> list[Conflict]:
    """Verifies every log as a player would; of what can no longer be signed, that its records
    follow from one another. Raises NotReady for the first that does not hold."""
    conflicts = signing.conflicts(site)
    stuck = {conflict.match for conflict in conflicts}
    with site.db.read() as conn:
        every = matches.every(conn)
        for match in every:
            records.astray(site, conn, match)
    for match in every:
        if match not in stuck and site.signer.last(match):
            data = records.export(site, match)
            verdict = verify(data, policy_for(site, data))
            if not verdict.ok:
                raise NotReady(
                    "The log of match %(match)s does not hold: %(fault)s",
                    match=match,
                    fault=verdict.fault,
                )
    return conflicts


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """An empty file beside another, for the owner alone; gone afterwards, with what SQLite put
    beside it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise NotReady(
            "%(path)s cannot be written: %(why)s", path=str(path), why=error.strerror or str(error)
        ) from error
    try:
        yield draft
    finally:
        for file in draft.parent.glob(f"{draft.name}*"):
            file.unlink()


def _lite(path: Path) -> Database:
    return Database(f"sqlite:///{path}")


def _finish(draft: Path, key_folder: Path | None) -> None:
    """Makes one file of the draft that needs no other beside it, and brings it to the disk."""
    with closing(sqlite3.connect(draft)) as conn:
        if key_folder is not None:
            conn.execute(_KEYS)
            kept = [(file.name, file.read_bytes()) for file in sorted(key_folder.iterdir())]
            with conn:
                conn.executemany("INSERT INTO kept_key VALUES (?, ?)", kept)
        conn.execute("PRAGMA journal_mode=DELETE")
    _sync(draft)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _taken_out(draft: Path, path: Path) -> dict[str, bytes]:
    """The keys in a backup, which are taken out of the draft. Raises NotReady if it is none."""
    try:
        with closing(sqlite3.connect(draft)) as conn, conn:
            conn.execute("SELECT id FROM service").fetchone()
            there = conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'kept_key'").fetchone()
            if not there:
                return {}
            found = dict(conn.execute("SELECT name, text FROM kept_key").fetchall())
            conn.execute("DROP TABLE kept_key")
            return found
    except sqlite3.DatabaseError as error:
        raise NotReady("%(path)s is no backup of Fernpartie.", path=str(path)) from error


def _target(settings: Settings) -> Database:
    return Database(settings.database_url.get_secret_value())


def _check_free(target: Database, replace: bool) -> None:
    with target.read() as conn:
        if not replace and filled(conn):
            raise NotReady(
                "There is a service in the database already. With --replace it is set aside."
            )


def _bring_keys(folder: Path, found: dict[str, bytes]) -> None:
    """Writes the keys of a backup where there are none; never replaces one."""
    if found and not folder.exists():
        keys.bring(folder, found)
    if not folder.is_dir():
        raise NotReady("There are no keys in %(folder)s. Bring them back.", folder=str(folder))


def _signer(settings: Settings) -> Signer:
    held = keys.load(sites.key_folder(settings))
    return Signer(settings.signer_url.get_secret_value(), held.heads, held.name)


def _checked(settings: Settings, copy: Database, signer: Signer) -> list[Conflict]:
    """Raises NotReady unless keys, signer's store and backup belong together and all logs hold."""
    held = keys.load(sites.key_folder(settings))
    sites.fit(copy, held)
    if not signer.there():
        sites.belong(copy, signer)
        signer.create()
    site = Site(settings, copy, held, signer, Cache(sites.POSITIONS), Cache(sites.CHAINS))
    return check_logs(site)


def _put_on(copy: Database, conflicts: list[Conflict], opened: int) -> None:
    """The counter goes on after every match ever opened; matches that wait mail nothing."""
    stuck = [conflict.match for conflict in conflicts]
    with copy.write() as conn:
        behind = SERVICE.c.serial < opened
        conn.execute(SERVICE.update().where(behind).values(serial=opened))
        unsent = OUTBOX.c.match.in_(stuck) & OUTBOX.c.state.in_((*outbox.WAITING, "sending"))
        conn.execute(OUTBOX.update().where(unsent).values(state="superseded"))


def _set_aside(settings: Settings, target: Database, now: int) -> str | None:
    """Puts what is in a database where it is in nobody's way, and says where."""
    name = f"before_restore_{now}"
    with target.write() as conn:
        if not filled(conn):
            return None
        if not target.lite:
            conn.exec_driver_sql(f"ALTER SCHEMA public RENAME TO {name}")
            conn.exec_driver_sql("CREATE SCHEMA public")
            return f"the schema {name}"
    target.close()  # which brings what SQLite keeps beside the file into it
    file = Path(sa.make_url(settings.database_url.get_secret_value()).database or "")
    aside = file.with_name(f"{file.name}.{name}")
    file.rename(aside)
    return str(aside)
