"""Mails a second to a sink on this machine: the outbox, and the same bytes without one."""

from __future__ import annotations

from tests.bench.pair import Op
from tests.bench.suites import Group, Row

GROUPS = (
    Group(
        "mail",
        "mails/s",
        Row(Op("mails", "prebuilt"), "prebuilt bytes, one connection"),
        (
            Row(Op("mails", "ready"), "outbox, bytes composed before", "outbox / bytes", goal="M1"),
            Row(Op("mails", "outbox"), "outbox, composing included", "outbox / bytes"),
        ),
    ),
)
