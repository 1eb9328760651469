"""Mail tried out for the operator: whether the relay takes our mail, what has to stand in DNS, and
whether a mail and its answer arrive."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cache

import sqlalchemy as sa

from games import registry
from games.core.drawing import Language, Reader
from games.core.rules import complete
from games.registry import AnyState
from service import dkim, links
from service.db import Database
from service.language import gettext
from service.mail.compose import words, written
from service.mail.inbound import raw, route, sender
from service.mail.inbound.cutter import ours
from service.mail.inbound.nature import Nature, nature
from service.mail.inbound.raw import Incoming
from service.mail.inbound.route import Route
from service.mail.inbound.sender import Proof
from service.mail.inbound.verdict import Asked, From, Verdict, judge
from service.mail.signature import signed
from service.mail.story import Values
from service.mail.transport import Delivery, Transport
from service.models import INBOUND
from service.outbox import Row, Snapshot
from service.settings import Settings
from service.site import Site

GAME, CODE, SEAT, NAMES = "malawi", "TEST", 1, ("Ada", "Ben")
RULES = registry.newest(GAME)


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
    """A turn that was sent to be tried out. Its answer has the first of its `marks` in its address,
    or the second in its references."""

    delivery: Delivery
    address: str
    marks: tuple[str, str]
    example: str
    """A move that can be played."""
    words: str


@dataclass(frozen=True)
class Answer:
    """What came in: how, from whom and whether that is proved, and what would be done with it."""

    way: str
    author: str
    proof: Proof
    nature: Nature
    verdict: Verdict


def dns(settings: Settings) -> tuple[Record, ...]:
    """What has to stand in DNS. Nobody is asked whether it does."""
    domain, relay = settings.mail_domain, settings.smtp_host or ""
    records = [
        Record(
            domain, "TXT", f"v=spf1 a:{relay} ~all", "SPF: who may send; some relays say another"
        ),
        _signature(settings),
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


def _signature(settings: Settings) -> Record:
    """The key of our own signature, or whose it is. Raises NotReady if ours cannot be used."""
    key = dkim.load(settings)
    if key is None:
        name = f"SELECTOR._domainkey.{settings.mail_domain}"
        why = "DKIM: the relay signs, and says selector and key; or sign here: fernpartie dkim-key"
        return Record(name, "TXT", "v=DKIM1; k=rsa; p=…", why)
    return Record(key.name, "TXT", key.record, "DKIM: with it mails from here are signed")


def send(site: Site, way: Transport, address: str, language: Language, now: int) -> Trial:
    """Sends a turn of a match that there is not, past the outbox. Raises Unreachable."""
    settings = site.settings
    token = links.token(secrets.token_bytes(32), "x", secrets.token_hex(16))
    answers = settings.answers and route.address(settings.answers, Route("x", token))
    example = RULES.notate(next(iter(RULES.legal_moves(_known()))))
    facts = _facts(settings, language) | {"answers": answers, "example": example}
    row = _row(address, language, now)
    mail = signed(written(settings, row, facts, now).as_bytes(), site.dkim, now)
    try:
        delivery = way.deliver(settings.mail_from, address, mail)
    finally:
        way.close()
    return Trial(delivery, address, (token, row.message_id), example, words(mail))


def answer(settings: Settings, db: Database, tried: Trial, since: int) -> Answer | None:
    """The answer to the turn, if it has come in since an hour."""
    query = sa.select(INBOUND).where(INBOUND.c.arrived >= since, INBOUND.c.raw.is_not(None))
    with db.read() as conn:
        found = conn.execute(query.order_by(INBOUND.c.id.desc()).limit(200)).all()
    for row in found:
        said = row.recipient.lower().encode() + row.raw.lower()
        if any(mark.encode() in said for mark in tried.marks):
            return _judged(settings, tried, row.key, raw.take(row.raw))
    return None


def _judged(settings: Settings, tried: Trial, key: str, mail: Incoming) -> Answer:
    """What the worker would make of it."""
    author = sender.author(mail)
    proof = sender.proof(mail, settings.authserv_id, author)
    mine = frozenset({sender.folded(tried.address)})
    asked = Asked(RULES, CODE, SEAT, mine, _known(), 1, ours([tried.words], settings.mail_sender))
    verdict = judge(mail, From(author, proof, settings.strict_senders), asked)
    ways = route.routes(mail, settings.answers)
    found = nature(mail, settings.mail_from, ways)
    return Answer(key.partition(":")[0], author, proof, found, verdict)


@cache
def _known() -> AnyState:
    """What the seat knows that is to move."""
    state = RULES.setup(len(NAMES), complete(RULES, len(NAMES), {}))
    return RULES.known(state, SEAT)


def _row(address: str, language: Language, now: int) -> Row:
    """As the outbox has a turn."""
    return Row(
        id=0,
        kind="turn",
        match=f"m_{CODE}",
        seat=SEAT,
        wait=0,
        record=0,
        address=address,
        language=language,
        zone="UTC",
        link=None,
        snapshot=Snapshot().text(),
        message_id=secrets.token_hex(16),
        state="pending",
        expires=None,
        attempts=0,
        raw=None,
        created=now,
    )


def _facts(settings: Settings, language: Language) -> Values:
    drawn, reader = registry.drawing(GAME), Reader(language, NAMES, SEAT)
    seen = RULES.view(_known(), SEAT)
    home = f"{settings.base_url}/"
    return {
        "service": settings.mail_name,
        "home": home,
        "reader": NAMES[SEAT - 1],
        "game": registry.vocabulary(GAME).NAME[language],
        "code": CODE,
        "names": " – ".join(NAMES),
        "apart": False,
        "several": False,
        "house": "",
        "link": home,
        "leave": "",
        "match_url": home,
        "record": 0,
        "attached": "",
        "turn": 1,
        "told": (gettext("This is a test of the operator’s: there is no such match.", language),),
        "answer_by": gettext("no deadline", language),
        "board": drawn.text(seen, reader),
        "svg": drawn.svg(seen, reader),
    }
