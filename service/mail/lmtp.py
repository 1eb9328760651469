"""The listener for our own mail server (LMTP, RFC 2033): one answer for each recipient."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from service import inbox, journal
from service.errors import NotReady, Unavailable
from service.mail import door
from service.settings import LOOPBACK
from service.site import Site

KEPT, UNKNOWN, BUSY = "250 2.0.0 kept", "550 5.1.1 nobody here", "451 4.3.0 try again later"
LINE = 1 << 20
"""Bytes of a line; a longer one would be refused for ever."""

log = journal.log("lmtp")


@contextmanager
def served(site: Site, port: int | None) -> Iterator[None]:
    """Listens on a port of this machine alone, if one is given. Raises NotReady if it is taken."""
    if port is None:
        yield
        return
    listener = _Listener(_Door(site), hostname=LOOPBACK[0], port=port)
    try:
        listener.start()
    except OSError as error:
        listener.loop.close()
        raise NotReady(
            "Mails cannot be taken in on port %(port)s: %(why)s. Set FERNPARTIE_LMTP_PORT to "
            "another one.",
            port=port,
            why=(error.strerror or str(error)).lower(),
        ) from error
    try:
        yield
    finally:
        listener.stop()


class _Server(LMTP):
    """aiosmtpd answers once for all recipients; a mail server waits for an answer for each, and
    sends what got none again."""

    line_length_limit = LINE

    async def push(self, status: Any) -> None:
        for one in status if isinstance(status, list) else [status]:
            await super().push(one)


class _Listener(Controller):
    def factory(self) -> _Server:
        return _Server(self.handler, data_size_limit=inbox.MOST * 2, hostname="fernpartie")


class _Door:
    """Keeps what it is given, and says so once it is kept. The database is asked in a thread."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def handle_RCPT(
        self, server: LMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        try:
            if not await asyncio.to_thread(door.known, self._site, address):
                return UNKNOWN
        except Unavailable:
            return BUSY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 yes"

    async def handle_DATA(self, server: LMTP, session: Session, envelope: Envelope) -> list[str]:
        return [await self._keep(envelope, recipient) for recipient in envelope.rcpt_tos]

    async def _keep(self, envelope: Envelope, recipient: str) -> str:
        content = envelope.original_content or b""
        sender = envelope.mail_from or ""
        try:
            await asyncio.to_thread(
                door.take_in, self._site, "lmtp", content, int(time.time()), recipient, sender
            )
        except Unavailable:
            return BUSY
        return KEPT
