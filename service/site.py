"""A service that is set up and open: its settings, database, keys, signer and caches, joined."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile

import sqlalchemy as sa

from games.chance import Chains
from service import db, dkim, keys, signing
from service.cache import Cache
from service.clock import Standing
from service.db import Database, insert
from service.dkim import MailKey
from service.errors import NotReady, Unavailable
from service.keys import Keys
from service.models import RECORD, SERVICE
from service.settings import Settings
from service.signer import Signer

DEFAULT_NAME = "localhost"
POSITIONS = 2_000
CHAINS = 32  # of 4,096 elements each, about half a megabyte


@dataclass(frozen=True)
class Site:
    """What every part of the service works on."""

    settings: Settings
    db: Database
    keys: Keys
    signer: Signer
    positions: Cache[bytes, Standing]
    """By head hash."""
    chains: Cache[str, Chains]
    """By match."""
    dkim: MailKey | None = None
    """Signs mails, if the operator wants that."""

    @property
    def name(self) -> str:
        """The service's name, as its notes carry it."""
        return self.keys.name

    def close(self) -> None:
        """Closes the databases."""
        self.db.close()
        self.signer.close()


def init(settings: Settings, name: str | None = None) -> None:
    """Sets up what is missing: folder, tables, triggers, keys, the signer's store. Never replaces
    a key, nor a database or store that was there.

    `name` is the service's for ever. Raises NotReady if the service has another name already, or
    if something is missing that it was made with.
    """
    with _writable(settings.data):
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        _probe(settings.data)
    with _usable(settings), closing(_database(settings)) as database:
        db.migrate(database)
        with _writable(settings.data):
            held = _keys(settings, database, name)
        with closing(_signer(settings, held)) as signer:
            belong(database, signer)
            _enter(database, held)
            fit(database, held)
            if name not in (None, held.name):
                raise NotReady("This service is called %(name)s for ever.", name=held.name)
            signer.create()


def _keys(settings: Settings, database: Database, name: str | None) -> Keys:
    """The keys; those of a new service are made, of an old one only that of cookies."""
    folder = key_folder(settings)
    if _made(database) is None:
        keys.make(folder, name or DEFAULT_NAME)
    elif has_keys(settings):
        keys.make_cookie(folder)
    return keys.load(folder)


def belong(database: Database, signer: Signer) -> None:
    """Raises NotReady if the database or the signer's store was lost and the other one was not:
    a new one would begin a second history."""
    if _made(database) is None and signer.begun():
        raise NotReady(
            "The signer's store is that of a service whose database is missing. Bring back the "
            "database; a new one would begin a second history under the same keys."
        )
    if not signer.there():
        with database.read() as conn:
            if conn.execute(sa.select(RECORD.c.n).limit(1)).first():
                raise NotReady(_LOST_STORE)


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NotReady(
            "The folder %(folder)s cannot be used: %(why)s. Set FERNPARTIE_DATA to one that this "
            "user may write to.",
            folder=str(folder),
            why=(error.strerror or str(error)).lower(),
        ) from error


def _probe(folder: Path) -> None:
    """Raises OSError if nothing can be written there."""
    with TemporaryFile(dir=folder):
        pass


def open_site(settings: Settings, busy: float = db.BUSY_SECONDS) -> Site:
    """The service, ready to use, with every head signed that a crash left unsigned.

    `busy` is how many seconds a locked database is waited for. Raises NotReady, with a sentence
    for the operator, if something is missing or does not fit.
    """
    mail_key = dkim.load(settings)
    site = replace(look(settings, busy), dkim=mail_key)
    signing.sweep(site, signing.lately(site))
    return site


def look(settings: Settings, busy: float = db.BUSY_SECONDS) -> Site:
    """The service as it is: nothing is signed or changed. Raises NotReady as `open_site` does."""
    folder = key_folder(settings)
    if not has_keys(settings):
        raise NotReady(
            "There is no service in %(data)s yet. Run: fernpartie init", data=str(settings.data)
        )
    with _usable(settings), ExitStack() as opened:
        database = opened.enter_context(closing(_database(settings, busy)))
        db.check(database)
        if _made(database) is None:
            raise NotReady("The service is not set up yet. Run: fernpartie init")
        held = keys.load(folder)
        fit(database, held)
        signer = opened.enter_context(closing(_signer(settings, held, busy)))
        if not signer.there():
            belong(database, signer)
        signer.check()
        opened.pop_all()
    return Site(settings, database, held, signer, Cache(POSITIONS), Cache(CHAINS))


def key_folder(settings: Settings) -> Path:
    return settings.data / "keys"


def has_keys(settings: Settings) -> bool:
    """Whether there is a key folder. Raises NotReady if this user may not look."""
    with _writable(settings.data):
        return key_folder(settings).is_dir()


@contextmanager
def _usable(settings: Settings) -> Iterator[None]:
    """Says at a start which databases are meant, and what is wrong with them."""
    try:
        yield
    except Unavailable as error:
        urls = (settings.database_url, settings.signer_url)
        raise NotReady(
            "The databases %(urls)s cannot be used: %(why)s",
            urls=" and ".join(repr(sa.make_url(url.get_secret_value())) for url in urls),
            why=" ".join(str(getattr(error.__cause__, "orig", error.__cause__)).split()),
        ) from error


def _database(settings: Settings, busy: float = db.BUSY_SECONDS) -> Database:
    return Database(settings.database_url.get_secret_value(), busy=busy)


def _signer(settings: Settings, held: Keys, busy: float = db.BUSY_SECONDS) -> Signer:
    return Signer(settings.signer_url.get_secret_value(), held.heads, held.name, busy)


def _made(database: Database) -> dict[str, str] | None:
    """What the service was made with: its name, vkeys and fingerprints."""
    names = ("name", "heads", "log", "link_key", "secret_key")
    with database.read() as conn:
        row = conn.execute(sa.select(*(SERVICE.c[name] for name in names))).first()
    return dict(zip(names, row, strict=True)) if row else None


def _marks(held: Keys) -> dict[str, str]:
    return {
        "name": held.name,
        "heads": held.heads.vkey,
        "log": held.log.vkey,
        "link_key": keys.fingerprint(held.link),
        "secret_key": keys.fingerprint(held.secret),
    }


def _enter(database: Database, held: Keys) -> None:
    with database.write() as conn:
        row = insert(conn.dialect.name, SERVICE).values(id=1, serial=0, **_marks(held))
        conn.execute(row.on_conflict_do_nothing())


def fit(database: Database, held: Keys) -> None:
    """Raises NotReady unless the database was made with these keys."""
    made = _made(database) or {}
    for name, mark in _marks(held).items():
        if made.get(name) != mark:
            raise NotReady(
                "The %(which)s is not the one this service was made with. Bring back the key "
                "folder that belongs to this database.",
                which=_WHICH[name],
            )


_LOST_STORE = (
    "The signer's store is missing or empty, and there are matches. Bring it back from its newest "
    "copy: it knows what was signed, and a new one would sign a second history."
)
_WHICH = {
    "name": "name in the head key",
    "heads": "head key",
    "log": "log key",
    "link_key": "link key",
    "secret_key": "secret key",
}
