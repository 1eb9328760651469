"""Two people who have nothing but their mail programs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from email.message import EmailMessage

import sqlalchemy as sa

from games.log.record import Move
from service import inbox, matches, records, worker
from service.inbox import Arrival
from service.models import INBOUND
from tests.mail.inbound import clients
from tests.mail.inbound.letters import Letter
from tests.mail.inbound.original import Original, original
from tests.mail.play import Table


@dataclass
class Players:
    """A table, and what lies in the mailboxes of those at it."""

    table: Table
    count: int = 0
    boxes: dict[str, list[EmailMessage]] = field(default_factory=dict)

    def post(self) -> list[EmailMessage]:
        sent = self.table.post()
        for mail in sent:
            self.boxes.setdefault(mail["To"].addresses[0].addr_spec, []).append(mail)
        return sent

    def last(self, who: int) -> EmailMessage:
        return self.boxes[Table.ADDRESSES[who]][-1]

    def mover(self) -> int:
        """Which of the two is to move."""
        with self.table.site.db.read() as conn:
            row = matches.find(conn, self.table.match)
            seats = matches.seats(conn, self.table.match)
        assert row.mover is not None
        return Table.ADDRESSES.index(seats[row.mover - 1].address)

    def legal(self) -> list[str]:
        with self.table.site.db.read() as conn:
            at = records.position(self.table.site, conn, self.table.match)
        return [at.rules.notate(move) for move in at.rules.legal_moves(at.state)]

    def letter(self, typed: str, to: EmailMessage, who: int | None = None) -> Letter:
        """An answer as a mail program writes it."""
        self.count += 1
        author = Table.ADDRESSES[self.mover() if who is None else who]
        body = clients.gmail(_quoting(to), typed)
        return (
            original()
            .reply(
                body,
                to=str(to["Reply-To"]),
                subject=f"Re: {to['Subject']}".encode("ascii", "replace").decode(),
            )
            .having(**{"from": author}, message_id=f"<{self.count}@mail.example.org>")
        )

    def bring(self, letter: Letter, way: str = "", now: int | None = None) -> None:
        """The mail arrives, and the worker takes it up."""
        table = self.table
        table.now += 60
        key = way or f"test:{self.count}"
        inbox.store(table.site.db, Arrival(key, letter.bytes(), now or table.now))
        while worker.receive(table.site, table.recorder, table.now):
            pass

    def answer(self, typed: str) -> str:
        """Whoever is to move answers their newest mail; what came of it."""
        box = self.boxes[Table.ADDRESSES[self.mover()]]
        asked = next(mail for mail in reversed(box) if mail["Reply-To"])
        self.bring(self.letter(typed, asked))
        self.post()
        return self.outcome()

    def outcome(self) -> str:
        with self.table.site.db.read() as conn:
            query = sa.select(INBOUND.c.outcome).order_by(INBOUND.c.id.desc()).limit(1)
            return str(conn.execute(query).scalar_one())

    def moves(self) -> list[Move]:
        with self.table.site.db.read() as conn:
            found = records.load(conn, self.table.match)
        return [record.body for record in found if isinstance(record.body, Move)]

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.table.rows()]


def _quoting(mail: EmailMessage) -> Original:
    return replace(original(), mail=mail)
