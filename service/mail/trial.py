"""Mail tried out for the operator: whether the relay takes our mail, what has to stand in DNS, and
whether a mail and its answer arrive."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage

import sqlalchemy as sa

from games.core.drawing import Language
from service import links
from service.db import Database
from service.mail import paper
from service.mail.inbound import route
from service.mail.inbound.route import Route
from service.mail.transport import Delivery, Transport
from service.mail.wire import WIRE
from service.models import INBOUND
from service.settings import Settings


@dataclass(frozen=True)
class Record:
    """An entry of DNS that mail from here needs, and why."""

    name: str
    type: str
    value: str
    why: str

    def __str__(self) -> str:
        return f"{self.name}  {self.type}  {self.value}   ({self.why})"


@dataclass(frozen=True)
class Trial:
    """A mail that was sent to be tried out; its answer has `token` in its address."""

    delivery: Delivery
    token: str


def dns(settings: Settings) -> tuple[Record, ...]:
    """What has to stand in DNS. Nobody is asked whether it does."""
    domain, relay = settings.mail_domain, settings.smtp_host or ""
    records = [
        Record(
            domain, "TXT", f"v=spf1 a:{relay} ~all", "SPF: who may send; some relays say another"
        ),
        Record(
            f"SELECTOR._domainkey.{domain}",
            "TXT",
            "v=DKIM1; k=rsa; p=…",
            "DKIM: the relay signs, and says selector and key",
        ),
        Record(
            f"_dmarc.{domain}",
            "TXT",
            "v=DMARC1; p=none",
            "DMARC: what receivers do with forged mail",
        ),
    ]
    if settings.answers:
        home = settings.answers.rpartition("@")[2]
        records.append(Record(home, "MX", "10 MAILSERVER", "where answers come in"))
    return tuple(records)


def send(settings: Settings, way: Transport, address: str, language: Language, now: int) -> Trial:
    """Sends a small mail past the outbox. Raises Unreachable."""
    token = links.token(secrets.token_bytes(32), "t", secrets.token_hex(16))
    answers = settings.answers and route.address(settings.answers, Route("t", token))
    message = EmailMessage(policy=WIRE)
    values = {
        "service": settings.mail_name,
        "home": f"{settings.base_url}/",
        "leave": "",
        "house": "",
    }
    page = paper.write("trial", language, {**values, "answers": answers})
    message["From"] = Address(settings.mail_name, addr_spec=settings.mail_from)
    message["To"] = Address(addr_spec=address)
    message["Subject"] = page.subject
    message["Date"] = datetime.fromtimestamp(now, UTC)
    message["Message-ID"] = f"<{secrets.token_hex(16)}@{settings.mail_domain}>"
    message["Auto-Submitted"] = "auto-generated"
    if answers:
        message["Reply-To"] = Address(settings.mail_name, addr_spec=answers)
    message.set_content(page.text, cte="quoted-printable")
    message.add_alternative(page.html, subtype="html", cte="quoted-printable")
    try:
        return Trial(way.deliver(settings.mail_from, address, message.as_bytes()), token)
    finally:
        way.close()


def answered(db: Database, token: str, since: int) -> bool:
    """Whether an answer to the mail has come in since an hour."""
    query = sa.select(INBOUND.c.recipient, INBOUND.c.raw).where(INBOUND.c.arrived >= since)
    with db.read() as conn:
        found = conn.execute(query.order_by(INBOUND.c.id.desc()).limit(200)).all()
    wanted = token.encode()
    return any(
        token in row.recipient.lower() or wanted in (row.raw or b"").lower() for row in found
    )
