"""Damage to the lines of a file: each sort of it, and the code it gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.log import policy
from games.log.file import join
from tests.log.forge import EXAMPLE, STRICT_POLICY, fault, numbered, parts

LINES, HEAD, PROOF = parts(EXAMPLE)
TRUST = policy.parse(STRICT_POLICY)
LAST = len(LINES) - 1


def answer(data: bytes) -> str:
    assert data != EXAMPLE
    return fault(data, TRUST)


def with_lines(lines: Sequence[bytes]) -> bytes:
    return join(lines, HEAD, PROOF)


def changed(n: int, old: bytes, new: bytes) -> bytes:
    """The file with one piece of record `n` exchanged."""
    assert LINES[n].count(old) >= 1
    return with_lines([*LINES[:n], LINES[n].replace(old, new, 1), *LINES[n + 1 :]])


def replaced(n: int, line: bytes) -> bytes:
    return with_lines([*LINES[:n], line, *LINES[n + 1 :]])


def test_the_file_that_is_damaged_here_is_whole() -> None:
    assert fault(EXAMPLE, TRUST) == ""
    assert with_lines(LINES) == EXAMPLE


FIELDS = {
    "a move": (4, b"a5-c5", b"a5-c4", "E_CHAIN 5"),
    "a signed move": (5, b"f5-d5", b"f5-d4", "E_CHAIN 6"),
    "a signature": (5, b'"sig":"W', b'"sig":"X', "E_CHAIN 6"),
    "who came how": (4, b'"api"', b'"web"', "E_CHAIN 5"),
    "what was in view": (10, b'"on":9', b'"on":8', "E_CHAIN 11"),
    "an entropy": (2, b"ppZg", b"ppZh", "E_CHAIN 3"),
    "a key": (1, b"s51W", b"s51X", "E_CHAIN 2"),
    "a tip": (0, b"ibpg", b"ibph", "E_CHAIN 1"),
    "an element": (3, b"Dcug", b"Dcuh", "E_CHAIN 4"),
    "an option": (0, b"survives", b"anything", "E_CHAIN 1"),
    "the serial": (0, b'"serial":1', b'"serial":2', "E_CHAIN 1"),
    "the result": (LAST, b'{"1":1,"2":2}', b'{"1":2,"2":1}', "E_HEAD_HASH -"),
    "the reason": (LAST, b'"goal"', b'"gaol"', "E_HEAD_HASH -"),
    "the final state": (LAST, b"sSyM", b"sSyN", "E_HEAD_HASH -"),
    "prev": (7, b'"prev":"q', b'"prev":"r', "E_CHAIN 7"),
    "prev of the first": (0, b'"prev":""', b'"prev":"' + b"A" * 43 + b'"', "E_CHAIN 0"),
    "prev emptied": (7, LINES[7][LINES[7].index(b'"prev"') :][:52], b'"prev":""', "E_CHAIN 7"),
    "the match": (7, b"m_4GM6", b"m_4GM7", "E_MATCH 7"),
    "the match of the first": (0, b"m_4GM6", b"m_4GM7", "E_MATCH 1"),
    "an earlier time": (7, b"T16:24", b"T15:12", "E_TIME 7"),
    "a later time": (7, b"T16:24", b"T16:25", "E_CHAIN 8"),
    "a time past the next": (7, b"T16:24", b"T23:24", "E_CHAIN 8"),
    "no such day": (7, b"11-02", b"11-31", "E_TIME 7"),
    "no such hour": (7, b"T16", b"T24", "E_TIME 7"),
    "no such second": (7, b":38Z", b":60Z", "E_TIME 7"),
    "another form of time": (7, b"38Z", b"38z", "E_TIME 7"),
    "the year in five digits": (7, b"2026", b"02026", "E_TIME 7"),
    "a number too large": (7, b'"n":7', b'"n":8', "E_GAP 7"),
    "a number one too small": (7, b'"n":7', b'"n":6', "E_DUP 7"),
    "a smaller number": (7, b'"n":7', b'"n":5', "E_ORDER 7"),
    "the first number": (0, b'"n":0', b'"n":1', "E_GAP 0"),
    "an unknown type": (7, b'"act","via"', b'"axt","via"', "E_SCHEMA 7"),
    "another type": (7, b'"t":"act"', b'"t":"end"', "E_SCHEMA 7"),
    "an unknown act": (7, b'"offer-draw"', b'"offer-drew"', "E_SCHEMA 7"),
    "a field renamed": (7, b'"via":', b'"vib":', "E_SCHEMA 7"),
    "a field within p renamed": (4, b'"mv":', b'"mw":', "E_SCHEMA 4"),
    "a field more": (4, b'"via":"api"', b'"via":"api","x":1', "E_SCHEMA 4"),
    "a field more within p": (4, b'"seat":1}', b'"seat":1,"x":1}', "E_SCHEMA 4"),
    "a field less": (4, b',"via":"api"', b"", "E_SCHEMA 4"),
    "a key without a signature": (4, b'"api"', b'"key"', "E_SCHEMA 4"),
    "a mail without evidence": (4, b'"api"', b'"mail"', "E_SCHEMA 4"),
    "no way to come": (4, b'"api"', b'"fax"', "E_SCHEMA 4"),
    "another format": (0, b"pbem/1", b"pbem/2", "E_VERSION 0"),
    "another format with other fields": (0, b'pbem/1","keys"', b'pbem/9","kind"', "E_VERSION 0"),
    "another sampler": (0, b"pbem-rng/1", b"pbem-rng/2", "E_SCHEMA 0"),
    "another level": (0, b'"F1"', b'"F9"', "E_SCHEMA 0"),
    "a level without chains": (0, b'"F1"', b'"F0"', "E_SCHEMA 0"),
    "no head key": (0, b"heads+0975fb0e+", b"heads+0975fb0e-", "E_SCHEMA 0"),
    "text for a number": (4, b'"seat":1', b'"seat":"1"', "E_SCHEMA 4"),
    "truth for a number": (4, b'"seat":1', b'"seat":true', "E_SCHEMA 4"),
    "nothing for a number": (4, b'"seat":1', b'"seat":null', "E_SCHEMA 4"),
    "a list for a text": (4, b'"a5-c5"', b'["a5-c5"]', "E_SCHEMA 4"),
    "padded base64": (2, b'UYw"', b'UYw="', "E_B64 2"),
    "stray bits": (2, b'UYw"', b'UYx"', "E_B64 2"),
    "foreign letters in base64": (2, b"ppZg", b"pp+g", "E_B64 2"),
    "a letter of base64 less": (2, b'UYw"', b'UY"', "E_B64 2"),
}


@pytest.mark.parametrize(("n", "old", "new", "code"), FIELDS.values(), ids=FIELDS.keys())
def test_a_field_is_changed(n: int, old: bytes, new: bytes, code: str) -> None:
    assert answer(changed(n, old, new)) == code


FORM = {
    "a blank": (4, b'"n":4', b'"n": 4', "E_NONCANON 4"),
    "unsorted keys": (4, b'"mv":"a5-c5","seat":1', b'"seat":1,"mv":"a5-c5"', "E_NONCANON 4"),
    "a trailing comma": (4, b'"api"}', b'"api",}', "E_JSON 4"),
    "a lost brace": (4, b'"api"}', b'"api"', "E_JSON 4"),
    "a line cut in half": (4, LINES[4], LINES[4][:100], "E_JSON 4"),
    "two objects": (4, b'"api"}', b'"api"}{}', "E_JSON 4"),
    "an array": (4, LINES[4], b"[" + LINES[4] + b"]", "E_JSON 4"),
    "a text": (4, LINES[4], b'"move"', "E_JSON 4"),
    "nothing": (4, LINES[4], b"null", "E_JSON 4"),
    "quoted by mail": (4, LINES[4], b"> " + LINES[4], "E_JSON 4"),
    "two hundred levels": (4, b"1}", b"[" * 200 + b"1" + b"]" * 200 + b"}", "E_DEPTH 4"),
    "seven levels": (4, b'"seat":1', b'"seat":[[[[[1]]]]]', "E_DEPTH 4"),
    "six levels": (4, b'"seat":1', b'"seat":[[[[1]]]]', "E_SCHEMA 4"),
    "991 bytes": (4, b"a5-c5", b"a" * (991 - len(LINES[4]) + 5), "E_LINELEN 4"),
    "990 bytes": (4, b"a5-c5", b"a" * (990 - len(LINES[4]) + 5), "E_CHAIN 5"),
    "a million bytes": (4, b"a5-c5", b"a" * 1_000_000, "E_LINELEN 4"),
    "a key with a capital": (4, b'"via"', b'"Via"', "E_KEY 4"),
    "an empty key": (4, b'"via"', b'""', "E_KEY 4"),
    "a key too long": (4, b'"via"', b'"v' + b"a" * 32 + b'"', "E_KEY 4"),
    "the same key twice": (4, b'"n":4', b'"n":4,"n":4', "E_DUPKEY 4"),
    "the same key twice within": (4, b'"seat":1', b'"seat":2,"seat":1', "E_DUPKEY 4"),
    "2^53": (4, b'"n":4', b'"n":9007199254740992', "E_NUMBER 4"),
    "-2^53": (4, b'"n":4', b'"n":-9007199254740992', "E_NUMBER 4"),
    "600 digits": (4, b'"n":4', b'"n":' + b"7" * 600, "E_NUMBER 4"),
    "a fraction": (4, b'"n":4', b'"n":4.0', "E_NUMBER 4"),
    "an exponent": (4, b'"n":4', b'"n":4e0', "E_NUMBER 4"),
    "minus zero": (4, b'"n":4', b'"n":-0', "E_NUMBER 4"),
    "not a number": (4, b'"n":4', b'"n":NaN', "E_NUMBER 4"),
    "infinity": (4, b'"n":4', b'"n":Infinity', "E_NUMBER 4"),
    "a leading zero": (4, b'"n":4', b'"n":04', "E_JSON 4"),
    "a plus sign": (4, b'"n":4', b'"n":+4', "E_JSON 4"),
    "a negative number": (4, b'"n":4', b'"n":-4', "E_SCHEMA 4"),
}


@pytest.mark.parametrize(("n", "old", "new", "code"), FORM.values(), ids=FORM.keys())
def test_a_line_has_another_form(n: int, old: bytes, new: bytes, code: str) -> None:
    assert answer(changed(n, old, new)) == code


UNICODE = {
    "a Cyrillic letter": ("а5-c5".encode(), "E_ASCII 4"),
    "a mark that turns the direction": ("a5-\u202ec5".encode(), "E_ASCII 4"),
    "no UTF-8": (b"a5-\xffc5", "E_ASCII 4"),
    "NUL": (b"a5-\x00c5", "E_ASCII 4"),
    "a tab": (b"a5\t-c5", "E_ASCII 4"),
    "delete": (b"a5-c5\x7f", "E_ASCII 4"),
    "a carriage return": (b"a5-\rc5", "E_ASCII 4"),
    "a vertical tab": (b"a5-\x0bc5", "E_ASCII 4"),
    "a line separator": ("a5-\u2028c5".encode(), "E_ASCII 4"),
    "an escaped letter": (rb"\u00615-c5", "E_ESCAPE 4"),
    "an escaped slash": (rb"a5\/c5", "E_ESCAPE 4"),
    "an escaped line feed": (rb"a5-c5\n", "E_ESCAPE 4"),
    "a combining accent": (rb"a\u03015-c5", "E_ESCAPE 4"),
    "a lone surrogate": (rb"a5\ud800", "E_ESCAPE 4"),
}


@pytest.mark.parametrize(("text", "code"), UNICODE.values(), ids=UNICODE.keys())
def test_a_text_plays_tricks_with_unicode(text: bytes, code: str) -> None:
    assert answer(changed(4, b"a5-c5", text)) == code


ORDER: dict[str, tuple[Callable[[], Sequence[bytes]], str]] = {
    "two neighbours swapped": (lambda: [*LINES[:6], LINES[7], LINES[6], *LINES[8:]], "E_GAP 6"),
    "one dropped": (lambda: [*LINES[:6], *LINES[7:]], "E_GAP 6"),
    "the first dropped": (lambda: LINES[1:], "E_SCHEMA 0"),
    "one twice": (lambda: [*LINES[:7], LINES[6], *LINES[7:]], "E_DUP 7"),
    "the first twice": (lambda: [LINES[0], *LINES], "E_SCHEMA 1"),
    "an older one again": (lambda: [*LINES[:9], LINES[4], *LINES[9:]], "E_ORDER 9"),
    "the last dropped": (lambda: LINES[:-1], "E_TRUNCATED -"),
    "all but the first dropped": (lambda: LINES[:1], "E_TRUNCATED -"),
    "none left": (list, "E_SCHEMA -"),
    "the last twice": (lambda: [*LINES, LINES[-1]], "E_DUP 29"),
    "one more after the end": (
        lambda: numbered([*LINES, LINES[4].replace(b"11-02T10:05", b"11-05T23:05")]),
        "E_AFTER_END 29",
    ),
    "a second end": (lambda: numbered([*LINES, LINES[-1]]), "E_AFTER_END 29"),
}


@pytest.mark.parametrize(("lines", "code"), ORDER.values(), ids=ORDER.keys())
def test_lines_are_moved(lines: Callable[[], Sequence[bytes]], code: str) -> None:
    assert answer(with_lines(lines())) == code


MAIL: dict[str, tuple[Callable[[], bytes], str]] = {
    "a byte order mark": (lambda: b"\xef\xbb\xbf" + EXAMPLE, "E_BOM -"),
    "a mark of UTF-16": (lambda: b"\xff\xfe" + EXAMPLE, "E_ASCII 0"),
    "CR LF": (lambda: EXAMPLE.replace(b"\n", b"\r\n"), "E_CRLF -"),
    "CR LF once, at the end": (lambda: EXAMPLE[:-1] + b"\r\n", "E_CRLF -"),
    "CR alone at a line's end": (lambda: replaced(4, LINES[4] + b"\r" + b" "), "E_ASCII 4"),
    "the last LF lost": (lambda: EXAMPLE[:-1], "E_EOF -"),
    "nothing left": (lambda: b"", "E_EOF -"),
    "an empty line": (lambda: b"\n", "E_SCHEMA -"),
    "an empty line before": (lambda: b"\n" + EXAMPLE, "E_SCHEMA -"),
    "an empty line between": (
        lambda: join([*LINES[:5], b"", *LINES[5:]], HEAD, PROOF),
        "E_HEAD_SIG -",
    ),
    "quoting": (lambda: b"> " + EXAMPLE.replace(b"\n", b"\n> ")[:-2], "E_JSON 0"),
    "soft wraps": (
        lambda: with_lines([LINES[0][:72] + b"=\n" + LINES[0][72:], *LINES[1:]]),
        "E_JSON 0",
    ),
    "a signature block": (lambda: EXAMPLE + b"-- \nsent from afar\n", "E_NOTE -"),
    "records alone": (lambda: join(LINES), "E_NOTE -"),
    "another file": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(1000) + b"\n", "E_CRLF -"),
}


@pytest.mark.parametrize(("data", "code"), MAIL.values(), ids=MAIL.keys())
def test_mail_damages_a_file(data: Callable[[], bytes], code: str) -> None:
    assert answer(data()) == code


def test_a_fault_in_an_earlier_record_comes_first() -> None:
    lines = list(LINES)
    lines[20] = b"no record"
    lines[7] = lines[7].replace(b'"n":7', b'"n":8')
    assert answer(with_lines(lines)) == "E_GAP 7"


def test_a_broken_chain_comes_before_a_broken_time() -> None:
    lines = list(LINES)
    lines[7] = lines[7].replace(b'"prev":"q', b'"prev":"r').replace(b"T16", b"T99")
    assert answer(with_lines(lines)) == "E_CHAIN 7"
