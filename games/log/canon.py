"""The canonical line: the one spelling of an object, of bytes and of a moment."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NoReturn, TypeAlias

from games.log.errors import BadLog

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Fields: TypeAlias = dict[str, Json]

LONGEST = 990
"""Bytes of a line without its LF; below the 998 that a mail allows."""
DEEPEST = 6
"""Nested objects and lists, the record itself counted."""
LARGEST = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly."""

_EPOCH = datetime(1970, 1, 1)
_SECOND = timedelta(seconds=1)
_STANDARD = bytes.maketrans(b"-_+/", b"+/??")
_PLAIN = re.compile(rb"[\x20-\x7e]*")
_STRING = re.compile(rb'"[^"]*"?')
_KEY = r"[a-z0-9][a-z0-9_-]{0,31}"
_KEYS = re.compile(rf"{_KEY}(\n{_KEY})*")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z")


def decode(raw: bytes) -> Fields:
    """The object of a line (without LF), if this is the line that `encode` makes of it.

    Raises BadLog: E_LINELEN, E_CRLF, E_ASCII, E_ESCAPE; E_JSON, E_DUPKEY, E_NUMBER, E_DEPTH,
    E_KEY; E_NONCANON.
    """
    _check_bytes(raw)
    if _too_deep(raw):  # Before the decoder, whose own limit differs from Python to Python.
        raise BadLog("E_DEPTH")
    try:
        fields = _DECODER.decode(raw.decode("ascii"))
    except json.JSONDecodeError as error:
        raise BadLog("E_JSON", detail=str(error)) from None
    if type(fields) is not dict:
        raise BadLog("E_JSON", detail="no object")
    if encode(fields) != raw:
        raise BadLog("E_NONCANON")
    return fields


def encode(fields: Mapping[str, object]) -> bytes:
    """The line of an object, without LF. Raises BadLog E_ASCII for other letters."""
    text = _ENCODER.encode(fields)
    if not text.isascii():
        raise BadLog("E_ASCII")
    return text.encode("ascii")


def b64url(data: bytes) -> str:
    """base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unb64url(text: str) -> bytes:
    """The bytes of which `b64url` makes this text. Raises BadLog E_B64 if there are none."""
    try:
        standard = text.encode("ascii").translate(_STANDARD)
        data = a2b_base64(standard + b"=" * (-len(standard) % 4))
    except ValueError:
        raise BadLog("E_B64", detail=text) from None
    # The decoder drops foreign characters and stray bits in silence.
    if b2a_base64(data, newline=False).rstrip(b"=") != standard:
        raise BadLog("E_B64", detail=text)
    return data


def moment(time: int) -> str:
    """Unix seconds as text: `2026-11-02T09:00:00Z`."""
    return (_EPOCH + time * _SECOND).isoformat() + "Z"


def seconds(text: str) -> int:
    """Unix seconds of a text as `moment` writes it. Raises BadLog E_TIME."""
    if not _MOMENT.fullmatch(text):
        raise BadLog("E_TIME", detail=text)
    try:
        time = datetime.fromisoformat(text[:-1])
    except ValueError:
        raise BadLog("E_TIME", detail=text) from None
    return (time - _EPOCH) // _SECOND


def _check_bytes(raw: bytes) -> None:
    if len(raw) > LONGEST:
        raise BadLog("E_LINELEN", detail=f"{len(raw)} bytes")
    if raw.endswith(b"\r"):
        raise BadLog("E_CRLF")
    if not _PLAIN.fullmatch(raw):
        raise BadLog("E_ASCII")
    if b"\\" in raw:
        raise BadLog("E_ESCAPE")


def _too_deep(raw: bytes) -> bool:
    if raw.count(b"{") + raw.count(b"[") <= DEEPEST:
        return False
    depth = 0
    for byte in _STRING.sub(b"", raw):
        if byte in b"{[":
            depth += 1
            if depth > DEEPEST:
                return True
        elif byte in b"}]":
            depth -= 1
    return False


def _object(pairs: list[tuple[str, Json]]) -> Fields:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadLog("E_DUPKEY")
    if fields and not _KEYS.fullmatch("\n".join(fields)):  # No key of a plain line holds an LF.
        raise BadLog("E_KEY")
    return fields


def _integer(digits: str) -> int:
    # The length first: Python refuses to convert thousands of digits, and says so differently.
    if len(digits) > len(str(-LARGEST)) or digits == "-0" or abs(int(digits)) > LARGEST:
        _no_number(digits)
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise BadLog("E_NUMBER", detail=text[:20])


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_no_number,
    parse_constant=_no_number,
)
_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)
