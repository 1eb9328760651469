"""One spelling for a line, for bytes and for a moment, and a code for everything else."""

from __future__ import annotations

import sys

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from games.log.canon import LARGEST, Fields, b64url, decode, encode, moment, seconds, unb64url
from games.log.errors import BadLog
from tests.log.strategies import KEYS, TEXTS

NUMBERS = st.integers(-LARGEST, LARGEST)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def nested(levels: int) -> bytes:
    return b'{"a":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


LINES = {
    "the longest line": b'{"a":"' + b"x" * 982 + b'"}',
    "the largest numbers": b'{"a":9007199254740991,"b":-9007199254740991}',
    "six levels": nested(6),
    "brackets in a text are no levels": b'{"a":"[[[[[[[[{{{{"}',
    "the longest key": b'{"' + b"k" * 32 + b'":0}',
    "keys that begin with a digit": b'{"1":1,"2nd_-":2}',
    "all other values": b'{"a":[],"b":{},"c":false,"d":true,"e":null}',
    "no field": b"{}",
}

BAD_LINES = {
    "991 bytes": (b'{"a":"' + b"x" * 983 + b'"}', "E_LINELEN"),
    "a carriage return at the end": (b"{}\r", "E_CRLF"),
    "a carriage return inside": (b'{"a":\r1}', "E_ASCII"),
    "a Cyrillic letter": ('{"a":"\u0430"}'.encode(), "E_ASCII"),
    "a right-to-left override": ('{"a":"\u202ea"}'.encode(), "E_ASCII"),
    "a combining accent": ('{"a":"e\u0301"}'.encode(), "E_ASCII"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "E_ASCII"),
    "invalid UTF-8": (b'{"a":"\xff"}', "E_ASCII"),
    "a NUL": (b'{"a":"\x00"}', "E_ASCII"),
    "a DEL": (b'{"a":"\x7f"}', "E_ASCII"),
    "a tab": (b'{"a":\t1}', "E_ASCII"),
    "an escaped letter": (rb'{"a":"\u0070"}', "E_ESCAPE"),
    "an escaped slash": (rb'{"a":"\/"}', "E_ESCAPE"),
    "an escaped line feed": (rb'{"a":"\n"}', "E_ESCAPE"),
    "an escaped quotation mark": (rb'{"a":"\""}', "E_ESCAPE"),
    "a lone surrogate": (rb'{"a":"\ud800"}', "E_ESCAPE"),
    "nothing": (b"", "E_JSON"),
    "a list": (b"[1]", "E_JSON"),
    "a number": (b"1", "E_JSON"),
    "a text": (b'"a"', "E_JSON"),
    "two objects": (b"{}{}", "E_JSON"),
    "a comma too many": (b'{"a":1,}', "E_JSON"),
    "single quotation marks": (b"{'a':1}", "E_JSON"),
    "a quoted mail": (b'> {"a":1}', "E_JSON"),
    "a line wrapped by mail": (b'{"a":"b', "E_JSON"),
    "a text without an end": (b'{"a":"[[[[[[[[', "E_JSON"),
    "a leading zero": (b'{"a":07}', "E_JSON"),
    "a leading plus": (b'{"a":+7}', "E_JSON"),
    "a naked fraction": (b'{"a":.7}', "E_JSON"),
    "a closing bracket too many": (b'{"a":1}}', "E_JSON"),
    "a key twice": (b'{"a":1,"a":1}', "E_DUPKEY"),
    "a key twice inside": (b'{"a":{"b":1,"b":2}}', "E_DUPKEY"),
    "2^53": (b'{"a":9007199254740992}', "E_NUMBER"),
    "-2^53": (b'{"a":-9007199254740992}', "E_NUMBER"),
    "600 digits": (b'{"a":' + b"9" * 600 + b"}", "E_NUMBER"),
    "a fraction": (b'{"a":7.0}', "E_NUMBER"),
    "an exponent": (b'{"a":7e0}', "E_NUMBER"),
    "a huge exponent": (b'{"a":1e999}', "E_NUMBER"),
    "minus zero": (b'{"a":-0}', "E_NUMBER"),
    "minus zero as a fraction": (b'{"a":-0.0}', "E_NUMBER"),
    "NaN": (b'{"a":NaN}', "E_NUMBER"),
    "infinity": (b'{"a":-Infinity}', "E_NUMBER"),
    "seven levels": (nested(7), "E_DEPTH"),
    "200 levels": (nested(200), "E_DEPTH"),
    "490 levels": (nested(490), "E_DEPTH"),
    "seven levels of objects": (b'{"a":' * 7 + b"1" + b"}" * 7, "E_DEPTH"),
    "an empty key": (b'{"":1}', "E_KEY"),
    "a capital letter in a key": (b'{"A":1}', "E_KEY"),
    "a key of 33 letters": (b'{"' + b"k" * 33 + b'":1}', "E_KEY"),
    "a key that begins with a dash": (b'{"a":1,"-b":1}', "E_KEY"),
    "a dot in a key inside": (b'{"a":{"b.c":1}}', "E_KEY"),
    "a blank": (b'{"a": 1}', "E_NONCANON"),
    "a blank in front": (b' {"a":1}', "E_NONCANON"),
    "a blank behind": (b'{"a":1} ', "E_NONCANON"),
    "keys out of order": (b'{"b":1,"a":1}', "E_NONCANON"),
    "keys out of order inside": (b'{"a":{"2":1,"10":1}}', "E_NONCANON"),
}


@pytest.mark.parametrize("raw", LINES.values(), ids=LINES)
def test_a_line_within_the_profile_is_read_and_written_as_it_is(raw: bytes) -> None:
    assert encode(decode(raw)) == raw


@pytest.mark.parametrize(("raw", "code"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_outside_the_profile_gets_its_code(raw: bytes, code: str) -> None:
    with pytest.raises(BadLog) as error:
        decode(raw)
    assert error.value.code == code


def test_a_deep_line_is_too_deep_even_where_the_stack_is_nearly_full() -> None:
    def after(frames: int) -> str:
        if frames:
            return after(frames - 1)
        with pytest.raises(BadLog) as error:
            decode(nested(400))
        return error.value.code

    assert after(sys.getrecursionlimit() - 300) == "E_DEPTH"


@given(OBJECTS)
def test_objects_are_written_as_rfc_8785_says(fields: Fields) -> None:
    assert encode(fields) == rfc8785.dumps(fields)


@given(OBJECTS)
def test_what_is_written_reads_back(fields: Fields) -> None:
    raw = encode(fields)
    if len(raw) <= 990 and depth(fields) <= 6:
        assert decode(raw) == fields


@given(st.binary(max_size=60) | TEXTS.map(str.encode))
def test_any_bytes_are_read_as_they_would_be_written_or_get_a_code(raw: bytes) -> None:
    try:
        fields = decode(raw)
    except BadLog:
        return
    assert encode(fields) == raw


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('[1,{"a":2}]', "E_JSON"),
        ('{"Zug":"a3","Züge":"b4"}', "E_ASCII"),
        ('{"":{"a":"b\\\\c"},"1":{"f":{"F":5}}}', "E_ESCAPE"),
        ('{"a":[1e30,4.5,0.002]}', "E_NUMBER"),
        ('{"a":"€$\\u000f"}', "E_ASCII"),
        ('{"\\n":"LF","1":"one"}', "E_ESCAPE"),
    ],
)
def test_canonical_json_of_other_kinds_lies_outside_the_profile(text: str, code: str) -> None:
    with pytest.raises(BadLog) as error:
        decode(text.encode())
    assert error.value.code == code


def test_letters_beyond_ascii_are_not_written() -> None:
    with pytest.raises(BadLog, match="E_ASCII"):
        encode({"why": "Täuschung"})


@given(st.binary(max_size=100))
def test_bytes_survive_their_text(data: bytes) -> None:
    assert unb64url(b64url(data)) == data


@pytest.mark.parametrize(
    "text",
    ["A", "AA==", "AAA=", "AB", "AAB", "AA+A", "AA/A", "AA A", " AAA", "AAAA\n", "AAAAA", "Ä", "="],
)
def test_another_spelling_of_bytes_is_refused(text: str) -> None:
    with pytest.raises(BadLog, match="E_B64"):
        unb64url(text)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-02T09:00:00Z", 1793610000),
        ("2024-02-29T23:59:59Z", 1709251199),
        ("0001-01-01T00:00:00Z", -62135596800),
        ("9999-12-31T23:59:59Z", 253402300799),
    ],
)
def test_a_moment_has_one_text(text: str, time: int) -> None:
    assert (seconds(text), moment(time)) == (time, text)


@given(st.integers(-62135596800, 253402300799))
def test_moments_survive_their_text(time: int) -> None:
    assert seconds(moment(time)) == time


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-02",
        "2026-11-02T09:00:00",
        "2026-11-02 09:00:00Z",
        "2026-11-02t09:00:00z",
        "2026-11-02T09:00:00+00:00",
        "2026-11-02T09:00:00.0Z",
        "2026-11-02T09:00Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-11-02T24:00:00Z",
        "2026-11-02T23:60:00Z",
        "2026-12-31T23:59:60Z",
        "0000-01-01T00:00:00Z",
        "20261102T090000Z",
        "2026-W45-1T09:00:00Z",
        "+2026-11-02T09:00:00Z",
        "2026-11-02T09:00:00Z\n",
        "٢٠٢٦-11-02T09:00:00Z",
    ],
)
def test_a_text_that_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(BadLog, match="E_TIME"):
        seconds(text)
