"""A mailbox at a provider: looked into from time to time, and what is ours taken out of it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from service import inbox, journal
from service.inbox import Arrival
from service.mail import door
from service.settings import Settings
from service.site import Site

SECONDS = 30
"""For an answer of the server."""
PROCESSED, IGNORED = "Processed", "Ignored"
"""Where mails go from the folder: those that were taken, and those that are none of ours."""
STUMBLES = 3
"""So many mails at which the server hangs up are gone round in one look."""
HOPELESS_SECONDS = 3_600
"""After so long a mail that the server does not give out holds up nobody's time-out any more."""

log = journal.log("worker")


class Unreachable(OSError):
    """The mailbox cannot be looked into now."""


@dataclass(frozen=True)
class Found:
    """A mail in the folder."""

    uid: int
    raw: bytes
    size: int
    arrived: int


@dataclass
class _Look:
    """A look into the mailbox: what it has brought, and by UID when mails arrived that the server
    did not give out."""

    site: Site
    now: int
    count: int = 0
    missed: dict[int, int] = field(default_factory=dict)

    def take(self) -> None:
        """Takes in all that is there. Raises Unreachable, maybe at a mail that is missed then."""
        settings = self.site.settings
        with opened(settings) as box:
            validity = _select(box, settings.imap_folder)
            name = f"imap:{settings.imap_host}:{settings.imap_folder}:{validity}"
            for found in _mails(box, self.missed):
                self._sort(box, found, f"{name}:{found.uid}")

    def _sort(self, box: IMAPClient, found: Found, key: str) -> None:
        if not door.ours(self.site.settings, found.raw):
            _move(box, found.uid, IGNORED)
            return
        arrived = min(found.arrived, self.now)  # by a clock that may be ahead of ours
        inbox.store(self.site.db, Arrival(key, found.raw, arrived, size=found.size))
        self.count += 1
        _move(box, found.uid, PROCESSED)


def poll(site: Site, now: int) -> int:
    """Takes in all that is there, and says how many mails. Raises Unreachable.

    A mail is kept before it is moved, and named by folder, UIDVALIDITY and UID: after a crash in
    between it is found again, and known. One that the server does not give out is tried again at
    the next look, and keeps no other waiting.
    """
    look = _Look(site, now)
    while True:
        before = len(look.missed)
        try:
            look.take()
            break
        except Unreachable:
            if not before < len(look.missed) <= STUMBLES:
                raise
    if all(arrived < now - HOPELESS_SECONDS for arrived in look.missed.values()):
        inbox.fetched(site.db, now)
    return look.count


@contextmanager
def opened(settings: Settings) -> Iterator[IMAPClient]:
    """The mailbox, signed in. Raises Unreachable."""
    assert settings.imap_host is not None
    secure = settings.imap_tls != "none"
    context = ssl.create_default_context() if secure else None
    try:
        with IMAPClient(
            settings.imap_host,
            port=settings.imap_port,
            ssl=settings.imap_tls == "implicit",
            ssl_context=context if settings.imap_tls == "implicit" else None,
            timeout=SECONDS,
        ) as box:
            if settings.imap_tls == "starttls":
                box.starttls(context)
            box.normalise_times = False
            password = settings.imap_password
            _login(box, settings.imap_user or "", password.get_secret_value() if password else "")
            yield box
    except (IMAPClientError, OSError, UnicodeError) as error:
        raise Unreachable(str(error)) from error


def _login(box: IMAPClient, user: str, password: str) -> None:
    """As `login` does, which knows no other than plain letters."""
    if (user + password).isascii():
        box.login(user, password)
    else:
        box.sasl_login("PLAIN", lambda _: f"\0{user}\0{password}".encode())


def _select(box: IMAPClient, folder: str) -> int:
    """Opens the folder, with the two others beside it, and returns its UIDVALIDITY."""
    for name in (PROCESSED, IGNORED):
        if not box.folder_exists(name):
            box.create_folder(name)
    return int(box.select_folder(folder)[b"UIDVALIDITY"])


def _mails(box: IMAPClient, missed: dict[int, int]) -> Iterator[Found]:
    """What lies in the folder, read by others or not, but for what is `missed`; that also gets what
    is not given out. What somebody else has taken away meanwhile is nothing to be missed."""
    for uid in [uid for uid in box.search("ALL") if uid not in missed]:
        missed[uid] = 0
        try:
            found = _found(box, uid, missed)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            log.warning("the mailbox does not give a mail out", uid=uid, why=str(error))
            continue
        del missed[uid]
        if found is not None:
            yield found


def _found(box: IMAPClient, uid: int, missed: dict[int, int]) -> Found | None:
    """A mail; None if it is not there any more."""
    about = box.fetch([uid], ["RFC822.SIZE", "INTERNALDATE"]).get(uid, {})
    size, arrived = about.get(b"RFC822.SIZE"), about.get(b"INTERNALDATE")
    if size is None or not isinstance(arrived, datetime):
        return None
    missed[uid] = int(arrived.timestamp())
    part = "BODY.PEEK[]" if size <= inbox.MOST else f"BODY.PEEK[]<0.{inbox.KEPT}>"
    answer = box.fetch([uid], [part]).get(uid, {})
    raw = next((value for key, value in answer.items() if key.startswith(b"BODY[")), None)
    return Found(uid, raw, size, missed[uid]) if raw else None


def _move(box: IMAPClient, uid: int, folder: str) -> None:
    """A mail that cannot be moved lies there at the next look, and is known."""
    try:
        _moved(box, uid, folder)
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        log.warning("a mail cannot be moved in the mailbox", uid=uid, to=folder, why=str(error))


def _moved(box: IMAPClient, uid: int, folder: str) -> None:
    if box.has_capability("MOVE"):
        box.move([uid], folder)
        return
    box.copy([uid], folder)
    box.delete_messages([uid], silent=True)
    box.expunge([uid] if box.has_capability("UIDPLUS") else None)
