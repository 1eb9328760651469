"""Whatever a relay says, and wherever it says it: what becomes of the mail, and of its address.

A refusal counts against an address only if it says that no mail can be put into that mailbox; what
it says of us, of the relay or of the mail costs no player anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import sqlalchemy as sa

from service import worker
from service.mail.transport import Relay, Smtp
from service.models import OUTBOX, REACH
from service.settings import Settings
from service.site import Site
from tests.mail.play import DOMAIN, NOON, Table, service
from tests.mail.scripted import DROP, Scripted, scripted

DAY = 86_400
KEPT, LATER, LOST, GIVEN_UP = "ready", "deferred", "uncertain", "failed"
"""It waits for the relay, and no attempt counts; it is tried again later; it goes out once more; it
is not."""
HARD, SOFT, NONE = 3.0, 0.5, 0.0
"""What it counts against the address; with 3 no more mail goes there."""

REPLIES = [
    # the relay is not to be had, or does not know us: nothing is said of any mail
    ("CONNECT", DROP, KEPT, NONE, ""),
    ("CONNECT", "421 4.3.2 too many connections", KEPT, NONE, ""),
    ("CONNECT", "554 5.7.1 no mail from your network", KEPT, NONE, ""),
    ("EHLO", DROP, KEPT, NONE, ""),
    ("EHLO", "421 4.3.2 going down", KEPT, NONE, ""),
    ("AUTH", DROP, KEPT, NONE, ""),
    ("AUTH", "421 4.7.0 try later", KEPT, NONE, ""),
    ("AUTH", "454 4.7.0 temporary failure", KEPT, NONE, ""),
    ("AUTH", "530 5.7.0 starttls first", KEPT, NONE, "ours"),
    ("AUTH", "534 5.7.9 another mechanism", KEPT, NONE, "ours"),
    ("AUTH", "535 5.7.8 wrong password", KEPT, NONE, "ours"),
    # who we are, and how large the mail is
    ("MAIL", DROP, KEPT, NONE, ""),
    ("MAIL", "421 4.3.2 going down", KEPT, NONE, ""),
    ("MAIL", "450 4.1.8 no such sender yet", LATER, NONE, ""),
    ("MAIL", "451 4.3.0 later", LATER, NONE, ""),
    ("MAIL", "452 4.3.1 no room on the disk", LATER, NONE, ""),
    ("MAIL", "530 5.7.0 sign in first", KEPT, NONE, "ours"),
    ("MAIL", "535 5.7.8 your session is over", KEPT, NONE, "ours"),
    ("MAIL", "550 5.1.8 no such sender", GIVEN_UP, NONE, "ours"),
    ("MAIL", "552 5.3.4 too big", GIVEN_UP, NONE, "ours"),
    ("MAIL", "552 5.2.2 too big", GIVEN_UP, NONE, "ours"),
    ("MAIL", "553 5.7.1 not your address", GIVEN_UP, NONE, "ours"),
    # the address
    ("RCPT", DROP, KEPT, NONE, ""),
    ("RCPT", "421 4.7.0 too many mails", KEPT, NONE, ""),
    ("RCPT", "450 4.2.0 greylisted", LATER, NONE, ""),
    ("RCPT", "450 4.1.1 unknown user", LATER, NONE, ""),
    ("RCPT", "451 4.7.1 try again", LATER, NONE, ""),
    ("RCPT", "452 4.2.2 full for now", LATER, NONE, ""),
    ("RCPT", "535 5.7.8 your session is over", KEPT, NONE, "ours"),
    ("RCPT", "550 5.1.1 unknown user", GIVEN_UP, HARD, ""),
    ("RCPT", "550 5.1.2 no such host", GIVEN_UP, HARD, ""),
    ("RCPT", "553 5.1.3 bad address", GIVEN_UP, HARD, ""),
    ("RCPT", "551 5.1.6 moved", GIVEN_UP, HARD, ""),
    ("RCPT", "556 5.1.10 takes no mail", GIVEN_UP, HARD, ""),
    ("RCPT", "550 5.2.1 disabled", GIVEN_UP, HARD, ""),
    ("RCPT", "552 5.2.2 mailbox full", LATER, SOFT, ""),
    ("RCPT", "550 5.4.1 no way there", LATER, SOFT, ""),
    ("RCPT", "550 5.0.0 no", GIVEN_UP, SOFT, ""),
    ("RCPT", "550 no such user here", GIVEN_UP, SOFT, ""),
    ("RCPT", "550 5.1.1 blocked as spam", GIVEN_UP, NONE, "ours"),
    ("RCPT", "550 5.7.1 relaying denied", GIVEN_UP, NONE, "ours"),
    ("RCPT", "554 5.7.26 unauthenticated", GIVEN_UP, NONE, "ours"),
    # the mail
    ("DATA", DROP, KEPT, NONE, ""),
    ("DATA", "421 4.3.2 going down", KEPT, NONE, ""),
    ("DATA", "451 4.3.0 later", LATER, NONE, ""),
    ("DATA", "552 5.2.2 mailbox full", LATER, SOFT, ""),
    ("DATA", "554 5.5.1 no valid recipients", GIVEN_UP, NONE, "ours"),
    ("DOT", "250 2.0.0 kept", "sent", NONE, ""),
    ("DOT", DROP, LOST, NONE, ""),
    ("DOT", "421 4.3.2 going down", LATER, NONE, ""),
    ("DOT", "451 4.7.1 try again", LATER, NONE, ""),
    ("DOT", "452 4.2.2 full for now", LATER, NONE, ""),
    ("DOT", "550 5.1.1 unknown user", GIVEN_UP, NONE, "ours"),
    ("DOT", "550 5.7.1 policy", GIVEN_UP, NONE, "ours"),
    ("DOT", "552 5.2.2 mailbox full", LATER, SOFT, ""),
    ("DOT", "552 5.3.4 too big", GIVEN_UP, NONE, "ours"),
    ("DOT", "554 5.6.0 content", GIVEN_UP, NONE, "ours"),
]


@dataclass
class Desk:
    """A service with a relay that can be told what to say."""

    site: Site
    relay: Scripted
    port: int
    day: int = 0

    def ask(self, count: int = 1) -> tuple[Table, ...]:
        """People who want to start a match each, of whom nothing was heard before."""
        self.day += 1
        tables = tuple(Table(self.site, now=NOON + self.day * DAY) for _ in range(count))
        for number, table in enumerate(tables):
            table.nonce = f"{self.day}:{number}"
            table.ADDRESSES = (f"a{self.day}-{number}@example.org", "b@example.org")
            table.ask()
        return tables

    def post(self, now: int) -> None:
        """One look of a worker."""
        way = Relay("127.0.0.1", self.port, DOMAIN, tls="none", user="play", password="x")
        worker.post(self.site, Smtp(way), now)

    def rows(self, *columns: sa.ColumnElement[object]) -> list[tuple[object, ...]]:
        with self.site.db.read() as conn:
            return [tuple(row) for row in conn.execute(sa.select(*columns))]

    def cleared(self) -> None:
        """No mail waits, and nothing is known of any address."""
        self.relay.answers.clear()
        with self.site.db.write() as conn:
            conn.execute(OUTBOX.delete())
            conn.execute(REACH.delete())


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    given = Settings(data=tmp_path_factory.mktemp("refusals") / "var")
    with service(given) as site, scripted() as (relay, port):
        yield Desk(site, relay, port)


@pytest.fixture
def desk(opened: Desk) -> Iterator[Desk]:
    yield opened
    opened.cleared()


@pytest.mark.parametrize(("step", "answer", "state", "score", "whose"), REPLIES)
def test_a_reply_says_what_becomes_of_the_mail_and_of_its_address(
    desk: Desk, step: str, answer: str, state: str, score: float, whose: str
) -> None:
    desk.relay.answers[step] = answer
    (table,) = desk.ask()
    desk.post(table.now)

    mails = dict(desk.rows(OUTBOX.c.kind, OUTBOX.c.state))  # type: ignore[arg-type]
    assert mails.pop("confirm") == state
    assert list(mails) == (["alert"] if whose == "ours" else [])
    attempts = dict(desk.rows(OUTBOX.c.kind, OUTBOX.c.attempts))  # type: ignore[arg-type]
    assert attempts["confirm"] == (0 if state == KEPT else 1)
    scores = dict(desk.rows(REACH.c.folded, REACH.c.score))  # type: ignore[arg-type]
    assert scores == ({table.ADDRESSES[0]: score} if score else {})
    stopped = [reach for (reach,) in desk.rows(REACH.c.suppressed) if reach is not None]
    assert len(stopped) == (score == HARD)


def test_a_relay_that_refuses_a_mail_and_hangs_up_has_refused_it(desk: Desk) -> None:
    desk.relay.answers |= {"RCPT": "550 5.1.1 unknown user", "RSET": DROP}
    tables = desk.ask(2)
    desk.post(tables[0].now)
    assert set(desk.rows(OUTBOX.c.state, OUTBOX.c.attempts)) == {(GIVEN_UP, 1)}


@pytest.mark.parametrize("code", ["530 5.7.0 no", "534 5.7.9 no", "535 5.7.8 wrong password"])
def test_a_wrong_password_stops_nobodys_mail(desk: Desk, code: str) -> None:
    """However many mails wait and however long it takes: the operator is told, once a day, and all
    goes out as soon as it is right again."""
    desk.relay.answers["AUTH"] = code
    (first, *_) = tables = desk.ask(5)
    before = len(desk.relay.mails)
    for hour in range(12):
        desk.post(first.now + hour * 3_600)
    assert desk.rows(REACH.c.folded) == []
    assert len(desk.relay.mails) == before
    kinds = [kind for (kind,) in desk.rows(OUTBOX.c.kind)]
    assert sorted(kinds) == ["alert", *["confirm"] * len(tables)]

    desk.relay.answers.clear()
    for hour in (12, 13):
        desk.post(first.now + hour * 3_600)
    assert set(desk.rows(OUTBOX.c.state)) == {("sent",)}
