"""The signature of our own mails, put before their finished bytes (DKIM, RFC 6376)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence

from service.dkim import MailKey
from service.mail.inbound import canonical
from service.mail.inbound.canonical import Field
from service.mail.wire import folded

NAMES = (
    "from",
    "to",
    "reply-to",
    "subject",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "auto-submitted",
    "list-unsubscribe",
    "list-unsubscribe-post",
)
"""What is signed: all that readers are shown or act upon. Each is named once more than it is there,
so that none can be added either."""
WIDTH = 72


def signed(raw: bytes, key: MailKey | None, now: int) -> bytes:
    """The mail with its signature, if there is a key: the same bytes for the same mail and hour."""
    if key is None:
        return raw
    fields, body = canonical.halves(raw)
    names = list(_named(fields))
    tags = list(_tags(key, names, canonical.body_hash(body, relaxed=True), now))
    data = canonical.head(fields, names, _field([*tags, "b="]), relaxed=True)
    signature = b64encode(key.sign(data)).decode()
    chunks = [signature[at : at + WIDTH] for at in range(0, len(signature), WIDTH)]
    name, value = _field([*tags, "b=", *chunks])
    return name + value + raw


def _field(tokens: Sequence[str]) -> Field:
    name = canonical.SIGNATURE.decode()
    return canonical.SIGNATURE, folded(name, tokens).removeprefix(name).encode()


def _named(fields: Sequence[Field]) -> Iterator[str]:
    there = [name.lower().decode() for name, _ in fields]
    for name in NAMES:
        yield from [name] * (there.count(name) + 1)


def _tags(key: MailKey, names: Sequence[str], body: bytes, now: int) -> Iterator[str]:
    """What it says of itself, in pieces between which its lines may be broken."""
    yield from ("v=1;", f"a={key.kind}-sha256;", "c=relaxed/relaxed;")
    yield from (f"d={key.domain};", f"s={key.selector};", f"t={now};")
    first, *more, last = names
    yield from (f"h={first}:", *(f"{name}:" for name in more), f"{last};")
    yield f"bh={b64encode(body).decode()};"
