"""The head of a match: the text of the note that signs its newest record (see `games.log`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.log.note import BadNote, b64, unb64

_FIRST = "/match-head/v1"
_ROLE = "/heads"
_COUNT = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch


@dataclass(frozen=True, slots=True)
class Head:
    """What a head says: which service, which match, how many records, and the hash of the last."""

    name: str
    m: str
    count: int
    hash: bytes


def head_text(name: str, m: str, count: int, hash: bytes) -> str:
    """The text to be signed; `name` is the service's."""
    return f"{name}{_FIRST}\n{m}\n{count}\n{b64(hash)}\n"


def parse_head(text: str) -> Head:
    """The head from its text. Raises BadNote."""
    lines = text.split("\n")
    if len(lines) != 5 or not lines[0].endswith(_FIRST) or not _COUNT(lines[2]):
        raise BadNote("the note is no head of a match")
    first, m, count, hash, _ = lines
    head = Head(first.removesuffix(_FIRST), m, int(count), unb64(hash))
    if len(head.hash) != 32:
        raise BadNote("the hash in the head has another length")
    return head


def service_name(key_name: str) -> str:
    """The service's name from that of its heads key; "" if the key is not named as one."""
    return key_name.removesuffix(_ROLE) if key_name.endswith(_ROLE) else ""
