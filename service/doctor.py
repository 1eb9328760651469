"""Looks whether a service is well, and says of everything that is not what to do."""

from __future__ import annotations

import fcntl
import os
import shutil
import smtplib
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from service import beat, dkim, matches, outbox, records, signing, site, worker
from service.errors import NotReady, Refusal
from service.mail import imap, mailbox
from service.mail.transport import Smtp, Unreachable, chosen
from service.models import MATCH, OUTBOX
from service.settings import LOOPBACK, Settings
from service.site import Site

LEAST_FREE = 500_000_000
SIGN_SECONDS = 60
"""After so long an unsigned head is no longer on its way."""
MAIL_SECONDS = 900
"""After so long a mail that is due has been forgotten, not just delayed."""
HOUSE_SECONDS = 300
"""The same of a turn of the house player."""
CLOCK_SECONDS = 5
ASK_SECONDS = 5


@dataclass(frozen=True)
class Finding:
    """What was looked at, whether it is in order, and a sentence for the operator."""

    about: str
    ok: bool
    sentence: str

    def __str__(self) -> str:
        return f"{'ok' if self.ok else 'PROBLEM':9}{self.about:10}{self.sentence}"


Check = Callable[[], str]
"""Says what is in order. Raises a Refusal that says what is not, and what to do."""


def examine(settings: Settings, now: int, *, running: bool) -> Iterator[Finding]:
    """All findings; `running`: should pages and worker answer?"""
    yield _finding("settings", lambda: _settings(settings))
    yield _finding("folder", lambda: _folder(settings))
    if not site.has_keys(settings):
        return
    yield _finding("disk", lambda: _disk(settings))
    yield from of_mail(settings, running=running)
    yield from _opened(settings, now, running)
    if running:
        yield _finding("pages", lambda: _pages(settings))


def of_mail(settings: Settings, *, running: bool) -> Iterator[Finding]:
    """What has to do with mail: the way out, and every way in."""
    yield _finding("mail", lambda: _mail(settings))
    if selector := settings.dkim_selector:
        yield _finding("signature", lambda: _signature(settings, selector))
    if not settings.answers:
        yield Finding("answers", True, "Mails cannot be answered: FERNPARTIE_REPLY_TO is not set.")
    if settings.imap_host:
        yield _finding("answers", lambda: _imap(settings))
    if settings.lmtp_port and running:
        yield _finding("answers", lambda: _lmtp(settings.lmtp_port or 0))
    if settings.hook_secret and running:
        yield _finding("answers", lambda: _hook(settings))


def _finding(about: str, check: Check) -> Finding:
    try:
        return Finding(about, True, check())
    except Refusal as error:
        return Finding(about, False, str(error))


def _opened(settings: Settings, now: int, running: bool) -> Iterator[Finding]:
    """What can only be looked at in a database that fits its keys."""
    opened: list[Site] = []

    def database() -> str:
        opened.append(site.look(settings))
        engine = "SQLite" if opened[0].db.lite else "PostgreSQL"
        return f"{engine}, newest revision, append-only, with the keys it was made with."

    yield _finding("database", database)
    if not opened:
        return
    here = opened[0]
    try:
        yield _finding("signer", lambda: _signer(here, now))
        yield _finding("index", lambda: _index(here))
        yield _finding("clock", lambda: _clock(here, now))
        if running:
            yield _finding("worker", lambda: _worker(here, now))
            yield _finding("house", lambda: _house(here, now))
    finally:
        here.close()


def _settings(settings: Settings) -> str:
    host = urlsplit(settings.base_url).hostname
    if not settings.secure and host not in LOOPBACK:
        raise NotReady(
            "%(url)s is open to everybody on the way. Put a proxy with TLS before the pages and "
            "set FERNPARTIE_BASE_URL to its https address.",
            url=settings.base_url,
        )
    return f"Players reach the pages at {settings.base_url}"


def _folder(settings: Settings) -> str:
    data = settings.data
    if not site.has_keys(settings):
        raise NotReady("There is no service in %(data)s yet. Run: fernpartie init", data=str(data))
    files = [data, site.key_folder(settings), *site.key_folder(settings).iterdir()]
    shown = [path for path in files if stat.S_IMODE(path.stat().st_mode) & 0o077]
    if shown:
        raise NotReady(
            "Others on this machine can read %(paths)s. Run: chmod go= %(paths)s",
            paths=" ".join(map(str, shown)),
        )
    foreign = [path for path in files if path.stat().st_uid != os.geteuid()]
    if foreign:
        raise NotReady(
            "%(path)s belongs to somebody else. Run this as the user that runs the service.",
            path=str(foreign[0]),
        )
    return f"{data} and its keys are the service's alone."


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.data).free
    if free < LEAST_FREE:
        raise NotReady(
            "%(free)s MB are free for %(data)s. Make room before moves are refused.",
            free=free // 1_000_000,
            data=str(settings.data),
        )
    return f"{free // 1_000_000_000} GB are free."


def _mail(settings: Settings) -> str:
    way = chosen(settings)
    if isinstance(way, Smtp):
        return _relay(way, settings)
    return _mailboxes(mailbox.folder(settings.data))


def _relay(way: Smtp, settings: Settings) -> str:
    """The dialogue of a mail up to its recipient: TLS, login, and whether we may be its sender."""
    where = f"{way.relay.host} port {way.relay.port}"
    ours = settings.mail_from
    try:
        refusal = way.ask(ours, settings.operator or ours)
    except Unreachable as error:
        raise NotReady(
            "The relay %(where)s cannot be used: %(why)s. Look at the FERNPARTIE_SMTP_ settings.",
            where=where,
            why=str(error).rstrip("."),
        ) from error
    if refusal is not None:
        raise NotReady(
            "The relay %(where)s refuses mail from %(ours)s: %(why)s",
            where=where,
            ours=ours,
            why=refusal.text,
        )
    return f"The relay {where} takes mail from {ours}."


def _imap(settings: Settings) -> str:
    """The dialogue of a look into the mailbox, which changes nothing there."""
    where = f"{settings.imap_user} at {settings.imap_host} port {settings.imap_port}"
    try:
        with imap.opened(settings) as box:
            if not box.folder_exists(settings.imap_folder):
                raise NotReady(
                    "The mailbox %(where)s has no folder %(folder)s. Set FERNPARTIE_IMAP_FOLDER.",
                    where=where,
                    folder=settings.imap_folder,
                )
            held = box.select_folder(settings.imap_folder, readonly=True)[b"EXISTS"]
    except imap.Unreachable as error:
        raise NotReady(
            "The mailbox %(where)s cannot be looked into: %(why)s. Look at the FERNPARTIE_IMAP_ "
            "settings.",
            where=where,
            why=str(error).rstrip("."),
        ) from error
    return f"The mailbox {where} lets us in; {held} mails lie in {settings.imap_folder}."


def _lmtp(port: int) -> str:
    try:
        with smtplib.LMTP(LOOPBACK[0], port, timeout=ASK_SECONDS) as listener:
            listener.ehlo_or_helo_if_needed()
    except OSError as error:
        raise NotReady(
            "Nobody takes mails in on port %(port)s: %(why)s. Start fernpartie worker, or see what "
            "it says.",
            port=port,
            why=str(error).rstrip("."),
        ) from error
    return f"The worker takes mails in on port {port} (LMTP)."


def _hook(settings: Settings) -> str:
    """A mail without a signature is refused, and nothing else."""
    if _asked(settings, "POST", "/mail") != 403:
        raise NotReady(
            "Mails posted to %(url)s/mail are not taken in. Start fernpartie web with the same "
            "settings, or see what it says.",
            url=settings.base_url,
        )
    return f"The pages take in mails that are posted to {settings.base_url}/mail with the secret."


def _signature(settings: Settings, selector: str) -> str:
    name = dkim.key_of(settings, selector).name
    return f"Mails are signed; DNS must have their key at {name} (fernpartie doctor --dns)."


def _mailboxes(folder: Path) -> str:
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        raise NotReady("Mails cannot be written to %(folder)s.", folder=str(folder))
    return "There is no relay: mails go to mailboxes here, which the operator reads."


def _signer(here: Site, now: int) -> str:
    conflicts = signing.conflicts(here)
    if conflicts:
        raise NotReady(
            "%(matches)s If an old copy of the database was put back, bring back the newest one; "
            "the signer will not sign another history.",
            matches=" ".join(map(str, conflicts)),
        )
    signed = here.signer.lasts()
    with here.db.read() as conn:
        rows = conn.execute(sa.select(MATCH.c.id, MATCH.c.n, MATCH.c.changed)).all()
    late = [row for row in rows if signed.get(row[0], 0) <= row[1] and row[2] < now - SIGN_SECONDS]
    if late:
        raise NotReady(
            "%(count)s matches have heads that were never signed. Start the worker, which signs "
            "them.",
            count=len(late),
        )
    return f"Every head is signed once. Matches: {len(signed)}."


def _index(here: Site) -> str:
    with here.db.read() as conn:
        every = matches.every(conn)
        astray = [match for match in every if records.astray(here, conn, match)]
    if astray:
        raise NotReady(
            "What the database lists of %(count)s matches is not what their records say, the first "
            "of them is %(match)s. Run: fernpartie reindex",
            count=len(astray),
            match=astray[0],
        )
    return f"All are listed as their records say. Matches: {len(every)}."


def _clock(here: Site, now: int) -> str:
    with here.db.read() as conn:
        newest = conn.execute(sa.select(sa.func.max(MATCH.c.changed))).scalar() or 0
        other = now if here.db.lite else int(conn.execute(_DATABASE_TIME).scalar_one())
    if now < newest:
        raise NotReady(
            "This machine's clock is %(seconds)s seconds behind the newest record. Set it, and "
            "keep it set by NTP.",
            seconds=newest - now,
        )
    if abs(now - other) > CLOCK_SECONDS:
        raise NotReady(
            "The clocks of this machine and of the database are %(seconds)s seconds apart. Keep "
            "both set by NTP.",
            seconds=abs(now - other),
        )
    return "Not behind the newest record."


def _worker(here: Site, now: int) -> str:
    if here.db.lite and not _held(here.settings.data / worker.LOCK):
        raise NotReady("No worker runs, so no mail goes out. Start: fernpartie worker")
    with here.db.read() as conn:
        heard = beat.last(conn).get("worker", 0)
    if now - heard > beat.LATE:
        raise NotReady(
            "No worker has been heard of for a minute, so no mail goes out. Start fernpartie "
            "worker, or see what it says."
        )
    query = sa.select(sa.func.count(), sa.func.min(OUTBOX.c.due)).where(
        outbox.unsettled(now), OUTBOX.c.due < now - MAIL_SECONDS
    )
    with here.db.read() as conn:
        count, since = conn.execute(query).one()
    if count:
        raise NotReady(
            "%(count)s mails should have gone out, the first %(minutes)s minutes ago. Start "
            "fernpartie worker, or see what it says.",
            count=count,
            minutes=(now - since) // 60,
        )
    return "No mail is waiting for longer than it should."


def _house(here: Site, now: int) -> str:
    query = sa.select(MATCH.c.id, MATCH.c.changed).where(
        MATCH.c.house_due.is_not(None), MATCH.c.changed < now - HOUSE_SECONDS
    )
    with here.db.read() as conn:
        waiting = conn.execute(query.order_by(MATCH.c.changed)).all()
    if waiting:
        raise NotReady(
            "The house player has not answered in %(count)s matches, first in %(match)s for "
            "%(minutes)s minutes. See what fernpartie worker says.",
            count=len(waiting),
            match=waiting[0].id,
            minutes=(now - waiting[0].changed) // 60,
        )
    return "The house player has answered everybody."


def _held(lock: Path) -> bool:
    """Whether a worker holds its lock."""
    try:
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _pages(settings: Settings) -> str:
    if _asked(settings, "GET", "/healthz") != 200:
        raise NotReady(
            "Nothing answers on %(host)s port %(port)s. Start fernpartie web, or see what it says. "
            "If it runs on another port, name that: FERNPARTIE_PORT=8001 fernpartie doctor",
            host=settings.host,
            port=settings.port,
        )
    return f"Answering on {settings.host} port {settings.port}."


def _asked(settings: Settings, method: str, path: str) -> int:
    """The status with which the pages answer; 0 if they do not."""
    connection = HTTPConnection(settings.host, settings.port, timeout=ASK_SECONDS)
    try:
        connection.request(method, path, headers={"Host": urlsplit(settings.base_url).netloc})
        return connection.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


_DATABASE_TIME = sa.text("SELECT extract(epoch FROM clock_timestamp())")
