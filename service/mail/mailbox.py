"""The mailboxes on disk: one Maildir for each address, written by the worker, read by a page."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from hashlib import sha256
from pathlib import Path

KEY = re.compile(r"[0-9]+\.[0-9a-f]{32}\.fernpartie(:2,[A-Z]*)?")
ADDRESS = "address"
"""The file beside `new` and `cur` that says whose mailbox it is."""


@dataclass(frozen=True)
class Entry:
    """One line in the list of a mailbox."""

    key: str
    time: int
    sender: str
    subject: str
    thread: str
    """The mail that its thread hangs on; its own Message-ID if it begins one."""


@dataclass(frozen=True)
class Attachment:
    name: str
    type: str
    data: bytes


@dataclass(frozen=True)
class Letter:
    """A mail taken apart for reading. The HTML is as it was sent: show it in a sandbox only."""

    entry: Entry
    headers: tuple[tuple[str, str], ...]
    text: str
    html: str
    attachments: tuple[Attachment, ...]
    pictures: tuple[tuple[str, Attachment], ...]
    """What the HTML shows, each with its `cid:` address."""
    raw: bytes


def folder(data: Path) -> Path:
    """Where in the data folder the mailboxes are."""
    return data / "mail" / "outbox"


def put(root: Path, address: str, raw: bytes) -> str:
    """Delivers a mail and returns its key; a mail that is there already is left alone."""
    box = _made(root, address)
    key = _key(raw)
    if not _delivered(box, key):
        _write(box / "tmp" / key, raw)
        os.replace(box / "tmp" / key, box / "new" / key)
        _sync(box / "new")
    return key


def addresses(root: Path) -> tuple[str, ...]:
    """The addresses that have a mailbox, in alphabetical order."""
    return tuple(sorted(file.read_text("utf-8") for file in root.glob(f"*/{ADDRESS}")))


def entries(root: Path, address: str) -> tuple[Entry, ...]:
    """What is in the mailbox of an address, the newest first."""
    box = _box(root, address)
    files = [file for folder in ("new", "cur") for file in (box / folder).glob("*.fernpartie*")]
    files.sort(key=lambda file: file.stat().st_mtime_ns, reverse=True)
    found = (_entry(file.name, _headers(file.read_bytes())) for file in files)
    return tuple(sorted(found, key=lambda entry: -entry.time))


def read(root: Path, address: str, key: str) -> Letter:
    """One mail of a mailbox. Raises LookupError if it is not there."""
    raw = _find(_box(root, address), key).read_bytes()
    message = _parsed(raw)
    return Letter(
        entry=_entry(key, message),
        headers=tuple((name, str(value)) for name, value in message.items()),
        text=_body(message, "plain"),
        html=_body(message, "html"),
        attachments=tuple(_attachment(part) for part in message.iter_attachments()),
        pictures=tuple(
            ("cid:" + str(part["Content-ID"]).strip("<>"), _attachment(part))
            for part in message.walk()
            if part["Content-ID"] and part.get_content_maintype() == "image"
        ),
        raw=raw,
    )


def news(root: Path, address: str, key: str) -> str:
    """What a mail says first, after its greeting; "" if it is not there. All mails of a match have
    one subject. A list asks this of many, so the headers are left as they are."""
    try:
        message = message_from_bytes(_find(_box(root, address), key).read_bytes())
    except LookupError:
        return ""
    texts = (one for one in message.walk() if one.get_content_type() == "text/plain")
    part = next(texts, message)
    data = part.get_payload(decode=True)
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else ""
    blocks = map(str.strip, text.replace("\r\n", "\n").split("\n\n"))
    told = (block for block in blocks if block and not _opens(block))
    return " ".join(next(told, "").split())


def _opens(block: str) -> bool:
    """Whether it stands before what is said: the line to answer above, or a greeting."""
    return block.startswith("##") or block.endswith(",")


def thread(root: Path, address: str, entry: Entry) -> tuple[Entry, ...]:
    """The mails of a mailbox that hang together with this one, itself among them."""
    return tuple(one for one in entries(root, address) if one.thread == entry.thread)


def _box(root: Path, address: str) -> Path:
    return root / sha256(address.casefold().encode()).hexdigest()[:32]


def _made(root: Path, address: str) -> Path:
    """The mailbox with its three folders: a folder that exists may be an empty volume."""
    box = _box(root, address)
    for folder in (root, box, box / "tmp", box / "new", box / "cur"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (box / ADDRESS).exists():
        _write(box / "tmp" / ADDRESS, address.encode())
        os.replace(box / "tmp" / ADDRESS, box / ADDRESS)
    return box


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with open(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _key(raw: bytes) -> str:
    """The same for the same mail, so that a repeated delivery finds the first."""
    message = _parsed(raw)
    name = sha256(str(message["Message-ID"]).encode()).hexdigest()[:32]
    return f"{_time(message)}.{name}.fernpartie"


def _delivered(box: Path, key: str) -> bool:
    return (box / "new" / key).exists() or any((box / "cur").glob(key + "*"))


def _find(box: Path, key: str) -> Path:
    for folder in ("new", "cur"):
        path = box / folder / key
        if KEY.fullmatch(key) and path.is_file():
            return path
    raise LookupError(key)


def _parsed(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def _headers(raw: bytes) -> EmailMessage:
    """Without the body, whose pictures are most of a mail."""
    return BytesParser(policy=default).parsebytes(raw, headersonly=True)


def _time(message: EmailMessage) -> int:
    sent = message["Date"].datetime if message["Date"] else None
    return int(sent.timestamp()) if isinstance(sent, datetime) else 0


def _entry(key: str, message: EmailMessage) -> Entry:
    hangs_on = str(message["References"] or message["Message-ID"]).split()
    thread = hangs_on[0] if hangs_on else key
    return Entry(key, _time(message), str(message["From"]), str(message["Subject"]), thread)


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""


def _attachment(part: EmailMessage) -> Attachment:
    data = part.get_payload(decode=True)
    return Attachment(
        name=part.get_filename() or "",
        type=part.get_content_type(),
        data=data if isinstance(data, bytes) else b"",
    )
