"""The letter box in the data folder: mails put there as files come in like any other."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path

from service import inbox
from service.inbox import Arrival
from service.mail.mailbox import Letter
from service.mail.wire import WIRE
from service.site import Site


def folder(data: Path) -> Path:
    """A Maildir: what lies in its `new` comes in."""
    return data / "mail" / "inbox"


def empty(site: Site) -> bool:
    """Takes in what lies in the box; whether there was something. Each is kept before its file
    goes."""
    files = sorted((folder(site.settings.data) / "new").glob("*"))
    for file in files:
        arrival = Arrival(f"box:{file.name}", file.read_bytes(), int(file.stat().st_mtime))
        inbox.store(site.db, arrival)
        file.unlink(missing_ok=True)
    return bool(files)


def put(data: Path, raw: bytes) -> None:
    """Puts a mail into the box."""
    box, name = folder(data), f"{secrets.token_hex(16)}.fernpartie"
    for path in (box, box / "tmp", box / "new", box / "cur"):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(box / "tmp" / name, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    os.replace(box / "tmp" / name, box / "new" / name)


def answer(letter: Letter, address: str, typed: str, attribution: str, now: int) -> bytes:
    """The answer to a mail as a mail program makes it: what was typed, above the quote.

    Raises LookupError for a mail that cannot be answered.
    """
    headers = {name.lower(): value for name, value in letter.headers}
    message = EmailMessage(policy=WIRE)
    message["From"] = Address(addr_spec=address)
    message["To"] = headers["reply-to"]
    message["Subject"] = f"Re: {letter.entry.subject}"
    message["Date"] = datetime.fromtimestamp(now, UTC)
    message["Message-ID"] = f"<{secrets.token_hex(12)}@{address.partition('@')[2]}>"
    message["In-Reply-To"] = headers["message-id"]
    message["References"] = f"{headers.get('references', '')} {headers['message-id']}".strip()
    quote = "".join(f"> {line}".rstrip() + "\n" for line in letter.text.splitlines())
    text = "\n".join(typed.splitlines())
    message.set_content(f"{text}\n\n{attribution}\n{quote}", cte="quoted-printable")
    return message.as_bytes()
