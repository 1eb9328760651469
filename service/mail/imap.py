"""A mailbox at a provider: looked into from time to time, and what is ours taken out of it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from service import inbox
from service.inbox import Arrival
from service.mail import door
from service.settings import Settings
from service.site import Site

SECONDS = 30
"""For an answer of the server."""
BATCH = 50
PROCESSED, IGNORED = "Processed", "Ignored"
"""Where mails go from the folder: those that were taken, and those that are none of ours."""


class Unreachable(OSError):
    """The mailbox cannot be looked into now."""


@dataclass(frozen=True)
class Found:
    """A mail in the folder."""

    uid: int
    raw: bytes
    size: int
    arrived: int


def poll(site: Site, now: int) -> int:
    """Takes in all that is there, and says how many mails. Raises Unreachable.

    A mail is kept before it is moved, and named by folder, UIDVALIDITY and UID: after a crash in
    between it is found again, and known.
    """
    settings = site.settings
    count = 0
    with opened(settings) as box:
        validity = _select(box, settings.imap_folder)
        name = f"imap:{settings.imap_host}:{settings.imap_folder}:{validity}"
        for found in _mails(box):
            if door.ours(settings, found.raw):
                arrived = min(found.arrived, now)  # by a clock that may be ahead of ours
                key = f"{name}:{found.uid}"
                inbox.store(site.db, Arrival(key, found.raw, arrived, size=found.size))
                _move(box, found.uid, PROCESSED)
                count += 1
            else:
                _move(box, found.uid, IGNORED)
    inbox.fetched(site.db, now)
    return count


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
            box.login(settings.imap_user or "", password.get_secret_value() if password else "")
            yield box
    except (IMAPClientError, OSError) as error:
        raise Unreachable(str(error)) from error


def _select(box: IMAPClient, folder: str) -> int:
    """Opens the folder, with the two others beside it, and returns its UIDVALIDITY."""
    for name in (PROCESSED, IGNORED):
        if not box.folder_exists(name):
            box.create_folder(name)
    return int(box.select_folder(folder)[b"UIDVALIDITY"])


def _mails(box: IMAPClient) -> Iterator[Found]:
    """What lies in the folder, read by others or not."""
    uids = box.search("ALL")
    for at in range(0, len(uids), BATCH):
        sizes = box.fetch(uids[at : at + BATCH], ["RFC822.SIZE", "INTERNALDATE"])
        for uid, about in sizes.items():
            size, arrived = int(about[b"RFC822.SIZE"]), about[b"INTERNALDATE"]
            part = "BODY.PEEK[]" if size <= inbox.MOST else f"BODY.PEEK[]<0.{inbox.KEPT}>"
            (answer,) = box.fetch([uid], [part]).values()
            raw = next(value for key, value in answer.items() if key.startswith(b"BODY["))
            assert isinstance(arrived, datetime)
            yield Found(uid, raw, size, int(arrived.timestamp()))


def _move(box: IMAPClient, uid: int, folder: str) -> None:
    if box.has_capability("MOVE"):
        box.move([uid], folder)
        return
    box.copy([uid], folder)
    box.delete_messages([uid], silent=True)
    box.expunge([uid] if box.has_capability("UIDPLUS") else None)
