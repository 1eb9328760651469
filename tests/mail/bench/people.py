"""A match between two people whose mails go through the post office, a service beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage

import sqlalchemy as sa
from pydantic import SecretStr

from games.log.record import Move
from service import matches, records, worker
from service.mail.transport import Delivery, Relay, Smtp
from service.models import INBOUND, OUTBOX
from service.settings import Settings
from service.site import Site
from tests.mail.bench import mutt
from tests.mail.bench.office import ANNA, BJOERN, PASSWORD, Office, until
from tests.mail.play import DOMAIN, Table, read

SERVICE = f"play@{DOMAIN}"


def posted(settings: Settings, office: Office, **more: object) -> Settings:
    """The settings of a service that sends by this office and has its mailbox there."""
    there: dict[str, object] = {
        "smtp_host": "127.0.0.1",
        "smtp_port": office.smtp,
        "smtp_tls": "none",
        "mail_envelope": "verp",
        "reply_to": f"play+{{}}@{DOMAIN}",
        "imap_host": "127.0.0.1",
        "imap_port": office.imap,
        "imap_tls": "none",
        "imap_user": SERVICE,
        "imap_password": SecretStr(PASSWORD),
    }
    return settings.model_copy(update=there | more)


class Wire(Smtp):
    """The way to the office; it keeps what went out, and may do something after each mail."""

    def __init__(self, relay: Relay, then: Callable[[int], None] = lambda count: None) -> None:
        super().__init__(relay)
        self.mails: list[tuple[str, str, bytes]] = []
        self.then = then

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        delivery = super().deliver(sender, recipient, raw)
        if delivery.state == "sent":
            self.mails.append((sender, recipient, raw))
        self.then(len(self.mails))
        return delivery


def wire(office: Office) -> Wire:
    return Wire(Relay("127.0.0.1", office.smtp, DOMAIN, tls="none"))


@dataclass
class Guests(Table):
    """Two people of this office at a match; its hour is that of the machine."""

    ADDRESSES = (ANNA, BJOERN)

    now: int = field(default_factory=lambda: int(time.time()))


@dataclass
class Correspondence:
    """A match by mail: what the service does and what people with mutt do."""

    site: Site
    office: Office
    addresses: tuple[str, str] = (ANNA, BJOERN)
    nonce: str = "1"
    clock: str = "none"

    def __post_init__(self) -> None:
        self.way = wire(self.office)
        self.table = Guests(self.site, nonce=self.nonce, clock=self.clock)
        self.table.ADDRESSES = self.addresses
        self.table.recorder = self.way  # type: ignore[assignment]

    def begin(self) -> None:
        self.table.begin()
        self.post()

    def post(self) -> None:
        """The worker sends what is due, and it arrives."""
        before = len(self.way.mails)
        self.table.post()
        for _, address, raw in self.way.mails[before:]:
            name = read(raw)["Message-ID"][1:33]
            until(lambda address=address, name=name: self.office.found(address, name))

    def work(self, now: int | None = None) -> None:
        """The worker looks into the mailbox and takes up what it finds."""
        hour = self.table.now = max(self.table.now, int(time.time())) if now is None else now
        worker.fetch(self.site, self.way, hour)
        while worker.receive(self.site, self.way, hour):
            pass

    @property
    def mover(self) -> str:
        """The address of whoever is to move."""
        with self.site.db.read() as conn:
            row = matches.find(conn, self.table.match)
            assert row.mover is not None
            return matches.seats(conn, self.table.match)[row.mover - 1].address

    def asked(self, address: str) -> EmailMessage:
        """The newest mail of the match to somebody that can be answered; mails may overtake each
        other on their way."""
        mine = sa.and_(OUTBOX.c.address == address, OUTBOX.c.match == self.table.match)
        query = sa.select(OUTBOX.c.message_id).where(mine).order_by(OUTBOX.c.id.desc())
        with self.site.db.read() as conn:
            sent = list(conn.execute(query).scalars())
        mails = (self.office.found(address, name) for name in sent)
        return next(mail for mail in mails if mail and mail["Reply-To"])

    def legal(self) -> list[str]:
        with self.site.db.read() as conn:
            at = records.position(self.site, conn, self.table.match)
        return [at.rules.notate(move) for move in at.rules.legal_moves(at.state)]

    def reply(self, typed: str, **how: object) -> None:
        """Whoever is to move answers with mutt."""
        address = self.mover
        mutt.answer(self.office, address, self.asked(address), typed, **how)  # type: ignore[arg-type]

    def come(self, count: int = 1) -> None:
        """Waits until mails lie in the mailbox of the service."""
        until(lambda: len(self.office.raws(SERVICE)) >= count)

    def moves(self) -> list[Move]:
        with self.site.db.read() as conn:
            found = records.load(conn, self.table.match)
        return [record.body for record in found if isinstance(record.body, Move)]

    def outcomes(self) -> list[str]:
        """What became of the mails that came in, in their order."""
        query = sa.select(INBOUND.c.outcome).order_by(INBOUND.c.id)
        with self.site.db.read() as conn:
            return list(conn.execute(query).scalars())

    def states(self, address: str) -> list[tuple[str, str]]:
        """Kind and state of all mails to somebody."""
        query = sa.select(OUTBOX.c.kind, OUTBOX.c.state).where(OUTBOX.c.address == address)
        with self.site.db.read() as conn:
            return [(row[0], row[1]) for row in conn.execute(query.order_by(OUTBOX.c.id))]
