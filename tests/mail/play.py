"""A service in a folder of its own, with people who play on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import sqlalchemy as sa

from service import links, lobby, matches, outbox, play, site, worker
from service.joining import JoinForm
from service.models import LINK, OUTBOX
from service.opening import Invited, Opening
from service.settings import Settings
from service.site import Site
from tests.furnished import furnish
from tests.mail.recorder import Recorder

NOON = 1_795_953_600
"""Sunday, 29 November 2026, 12:00 UTC."""


DOMAIN = "games.example.org"


@contextmanager
def service(settings: Settings) -> Iterator[Site]:
    """A service that has just been set up, under our domain."""
    mine = {"base_url": f"https://{DOMAIN}", "mail_from": f"play@{DOMAIN}"}
    mine["operator"] = f"operator@{DOMAIN}"
    chosen = settings.model_copy(update=mine)
    furnish(chosen, DOMAIN)
    with closing(site.open_site(chosen)) as opened:
        yield opened


@dataclass
class Table:
    """People at a match, of Malawi if no other is named, and every mail that has gone out."""

    site: Site
    language: str = "de"
    names: tuple[str, ...] = ("Anna", "Björn")
    options: dict[str, str] = field(default_factory=dict)
    now: int = NOON
    recorder: Recorder = field(default_factory=Recorder)
    match: str = ""
    nonce: str = "1"
    clock: str = "none"
    game: str = "malawi"

    ADDRESSES = ("anna@example.org", "bjoern@example.org", "carla@example.org")

    def ask(self) -> None:
        guests = zip(self.names[1:], self.ADDRESSES[1:], strict=False)
        invited = tuple(Invited(name, address) for name, address in guests)
        form = Opening(
            nonce=self.nonce,
            game=self.game,
            name=self.names[0],
            address=self.ADDRESSES[0],
            language=self.language,
            zone="Europe/Berlin",
            invited=invited,
            options=self.options,
            clock=self.clock,
        )
        lobby.ask(self.site, form, self.now)

    def confirm(self) -> None:
        entered = lobby.confirm(self.site, self.token("a"), self.now)
        assert entered.match is not None
        self.match = entered.match

    def join(self) -> None:
        guests = self.names[1:]
        for name, token in zip(guests[::-1], self.tokens("i"), strict=False):
            lobby.join(self.site, token, JoinForm(name, self.language, "Europe/Berlin"), self.now)

    def begin(self) -> None:
        """From the form to the first turn mail."""
        self.ask()
        self.confirm()
        self.join()

    @property
    def mover(self) -> int:
        """The player to move."""
        with self.site.db.read() as conn:
            row = matches.find(conn, self.match)
            player = matches.seats(conn, self.match)[(row.mover or 1) - 1].player
        assert player is not None
        return player

    def move(self, line: str) -> None:
        self.now += 3600
        with self.site.db.read() as conn:
            row = matches.find(conn, self.match)
        assert row.mover is not None
        play.submit(
            self.site,
            match=self.match,
            seat=row.mover,
            line=line,
            wait=row.wait,
            on=row.n,
            via="web",
            now=self.now,
        )

    def post(self) -> list[EmailMessage]:
        """Lets the worker send what is due; gives the new mails."""
        before = len(self.recorder.mails)
        while worker.post(self.site, self.recorder, self.now):
            pass
        return [read(raw) for _, _, raw in self.recorder.mails[before:]]

    def token(self, purpose: links.Purpose) -> str:
        """The newest link of a purpose."""
        return self.tokens(purpose)[0]

    def tokens(self, purpose: links.Purpose) -> list[str]:
        """All links of a purpose, the newest first."""
        mailed = OUTBOX.join(LINK, OUTBOX.c.link == LINK.c.id)
        query = sa.select(LINK.c.id).select_from(mailed).where(LINK.c.purpose == purpose)
        with self.site.db.read() as conn:
            rows = list(conn.execute(query.order_by(OUTBOX.c.id.desc())).scalars())
        return [links.token(self.site.keys.link, purpose, row) for row in rows]

    def rows(self) -> list[tuple[str, str]]:
        """Kind and state of every mail, in the order in which they were queued."""
        query = sa.select(OUTBOX.c.kind, OUTBOX.c.state).order_by(OUTBOX.c.id)
        with self.site.db.read() as conn:
            return [(row[0], row[1]) for row in conn.execute(query)]

    def row(self, kind: str) -> outbox.Row:
        """The newest mail of a kind, as a worker would claim it."""
        return self._row(OUTBOX.c.kind == kind)

    def row_of(self, message_id: str) -> outbox.Row:
        """The row that a mail was made from."""
        return self._row(OUTBOX.c.message_id == message_id)

    def _row(self, which: sa.ColumnElement[bool]) -> outbox.Row:
        fields = [OUTBOX.c[name] for name in outbox.Row.__dataclass_fields__]
        query = sa.select(*fields).where(which).order_by(OUTBOX.c.id.desc())
        with self.site.db.read() as conn:
            return outbox.Row(*conn.execute(query).first() or ())


def read(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")
