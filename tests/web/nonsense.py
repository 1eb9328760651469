"""What careless people, broken programs and attackers send, from a lot that is always the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from urllib.parse import urlencode

from tests.web.forms import Form

Body = tuple[bytes, str]
"""What is sent, and what it claims to be."""

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
WORDS = (
    "",
    " ",
    "0",
    "-1",
    "1",
    "1e9",
    "NaN",
    "9" * 30,
    "٣",
    "yes",
    "x" * 300,
    "x" * 9_000,
    "a\x00b\r\n\tc",
    "Grüße 🙂 \u202e\u2028\ufffe",
    "\u0301" * 40,
    "<script>alert(1)</script>'\"&",
    "../../etc/passwd",
    "%(name)s {0} {{ 1 }}",
    "ada@example.org\nBcc: x@example.org",
    "2027-02-30",
    "a1-c1, a1-c1",
    "price R20",
)
"""For a field, a part of an address, or a number beyond its range."""
BROKEN: tuple[Body, ...] = (
    (b"", ""),
    (b"%ff%fe=%80&line=%c3", FORM),
    (b"line=" + b"x" * 70_000, FORM),
    (b"&".join(b"a%d=1" % n for n in range(400)), FORM),
    (
        b"--no\r\nContent-Disposition: form-data; name=line\r\n\r\nx",
        "multipart/form-data; boundary=b",
    ),
    (b"\xff\x00", "multipart/form-data"),
    (b"{", JSON),
)
"""Bodies that are no form at all."""


def filled(form: Form, lot: Random, times: int) -> Iterator[Body]:
    """A form sent back: with nothing in it, as it is, and filled in with anything."""
    kept = [(name, value) for name, value in form.hidden if name == "csrf_token"]
    yield urlencode(kept).encode(), FORM
    yield urlencode([*form.hidden, *form.offered]).encode(), FORM
    yield urlencode([("csrf_token", "IjEi.forged"), *form.offered]).encode(), FORM
    for _ in range(times):
        fields = [field for name in form.names for field in _field(name, form, lot)]
        yield urlencode([*kept, *fields]).encode("utf-8", "surrogatepass"), FORM


def _field(name: str, form: Form, lot: Random) -> list[tuple[str, str]]:
    """One field: left out, doubled, as it stands, as it is offered, or with anything."""
    own = [value for field, value in (*form.hidden, *form.offered) if field == name]
    values = lot.choices((*WORDS, *own * 4), k=lot.choice((0, 1, 1, 1, 1, 2)))
    return [(name, value) for value in values]
