"""No address and no token of a player is ever written down in a log."""

from __future__ import annotations

import io
import json
import logging
import sys

import pytest
import structlog

from service import journal

TOKEN = "mtdzxotatoznzj5xeu2ihjucvi"
COOKIE = "q3Zk8sJf0V_2m-3HdKx7T9wYbLr5NcE1aGiPuRoXv4s"
SECRETS = [
    f"550 5.1.1 <anna.weiss@example.org>: unknown, see https://games.example.org/t/{TOKEN}",
    f"GET /a/{TOKEN.upper()}?x=1",
    f"play+t.{TOKEN}@games.example.org",
    "GET /operator/Zm9vYmFyYmF6cXV4eg/mail",
    f"GET /feed/{TOKEN}/deadlines.ics",
    f"Authorization: Bearer fp_{COOKIE}",
    f"session={COOKIE};",
    f"UPDATE outbox SET raw=? [parameters: ('anna@example.org', '{TOKEN}', b'Hello')]",
]


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_taken_out_of_every_text(text: str) -> None:
    for event in ({"event": text}, {"why": {"deep": [text]}}, {"error": ValueError(text)}):
        clean = str(journal.redact(None, "info", dict(event)))
        for secret in ("anna", TOKEN, TOKEN.upper(), COOKIE, "Zm9vYmFy", "Hello"):
            assert secret not in clean


def test_what_helps_the_operator_stays() -> None:
    event = {
        "event": "mail",
        "mail": 17,
        "kind": "turn",
        "said": 250,
        "match": "m_4GM6B3BWH8RQDT73",
    }
    assert journal.redact(None, "info", dict(event)) == event
    answer = str(journal.redact(None, "info", {"why": SECRETS[0]}))
    assert "550 5.1.1" in answer
    assert "unknown" in answer


def test_a_traceback_is_clean_too(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", root.handlers)
    monkeypatch.setattr(root, "level", root.level)
    try:
        journal.keep()
        try:
            raise ValueError(f"cannot reach anna@example.org by /i/{TOKEN}")
        except ValueError:
            journal.log("worker").exception("a job failed", job="post")
        logging.getLogger("elsewhere").warning("mail to %s", "anna@example.org")
    finally:
        structlog.reset_defaults()

    ours, theirs = map(json.loads, written.getvalue().splitlines())
    assert ours["event"] == "a job failed"
    assert "Traceback" in ours["exception"]
    assert theirs["event"] == "mail to [address]"
    assert "anna" not in written.getvalue()
    assert TOKEN not in written.getvalue()
