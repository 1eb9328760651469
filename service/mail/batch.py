"""A batch of mails on its way out: composed, sent one by one, each settled."""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import dataclass, field
from enum import Enum

from service import alerts, journal, links, lobby, outbox, reach, signing
from service.errors import Fork, Unavailable
from service.kinds import KINDS
from service.mail.compose import compose, words
from service.mail.inbound import route
from service.mail.inbound.route import Route
from service.mail.transport import Delivery, Transport, Unreachable
from service.outbox import Row, Settled
from service.site import Site

BATCH_SECONDS = 60
"""A batch ends after that long; the claims on its mails hold for longer."""
BACKOFF = (60, 300, 900, 3_600, 14_400, 21_600)
"""Seconds from one attempt to the next, the last for all that follow; a fifth more or less."""
UNCERTAIN_SECONDS = 900
BROKEN_SECONDS = 900
"""When a mail that could not be composed is tried again."""
BUSY_SECONDS = 5
"""The same of a mail for which a database was busy."""
KEEP_SECONDS = 5 * 86_400
"""How long a mail is tried that never expires or cannot be composed."""

log = journal.log("worker")


class Trouble(Enum):
    """Why a mail has no bytes yet."""

    BUSY = "a database was busy or away"
    BROKEN = "it cannot be composed"


@dataclass(frozen=True)
class Run:
    """One batch on its way: its claim, and how late it is."""

    site: Site
    transport: Transport
    now: int
    owner: str = field(default_factory=lambda: secrets.token_hex(16))
    began: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> int:
        return int(time.monotonic() - self.began)

    @property
    def hour(self) -> int:
        return self.now + self.elapsed

    def compose(self, rows: list[Row]) -> list[tuple[Row, bytes]]:
        """Commits the bytes of mails that have none yet; gives every mail with its bytes."""
        fresh = [(row, self._composed(row)) for row in rows if row.raw is None]
        made = [(row, raw) for row, raw in fresh if isinstance(raw, bytes)]
        bounces = {row.id: self._bounce(row)[1] for row, _ in made if self._returning}
        said = {row.id: words(raw) for row, raw in made}
        mails = [(row.id, raw) for row, raw in made]
        outbox.composed(self.site.db, self.owner, mails, said, bounces)
        self._put_off([row for row, raw in fresh if raw is Trouble.BROKEN])
        self._release([row for row, raw in fresh if raw is Trouble.BUSY], self.hour + BUSY_SECONDS)
        return [*((row, row.raw) for row in rows if row.raw is not None), *made]

    def _put_off(self, broken: list[Row]) -> None:
        """Tries mails later that could not be composed, and gives up old ones."""
        hour = self.hour
        old = [row.id for row in broken if row.created + KEEP_SECONDS <= hour]
        if old:
            outbox.abandon(self.site.db, self.owner, old, "it could not be composed", hour)
        self._release([row for row in broken if row.id not in old], hour + BROKEN_SECONDS)

    def _composed(self, row: Row) -> bytes | Trouble:
        """The mail, its head signed first if a crash has left it unsigned."""
        try:
            if row.match is not None and row.record is not None:
                signing.sign(self.site, row.match)
            return compose(self.site, row, self.hour)
        except Exception as error:
            if isinstance(error, Unavailable) and not isinstance(error, Fork):
                log.warning("a mail waits for a database", mail=row.id, why=str(error.__cause__))
                return Trouble.BUSY
            log.exception("a mail could not be composed", mail=row.id, kind=row.kind)
            return Trouble.BROKEN

    def send(self, mails: list[tuple[Row, bytes]]) -> None:
        """Commits that they are being sent, and sends and settles one by one, as long as the way
        out can be used."""
        db, left = self.site.db, []
        going = outbox.sending(db, self.owner, [row.id for row, _ in mails], self.hour)
        for place, (row, raw) in enumerate(mails):
            if row.id not in going:
                continue
            if self.elapsed >= BATCH_SECONDS or self.transport.breaker.rests(self.hour):
                left.append(row)
                continue
            if place and outbox.overtaken(db, self.owner, row.id):
                settled = Settled(row.id, "superseded", counts=False)
            else:
                settled = self._attempt(row, raw)
            outbox.settle(db, self.owner, [settled], self.hour)
            log.info("mail", mail=row.id, kind=row.kind, state=settled.state, said=settled.code)
        if left:
            breaker = self.transport.breaker
            outbox.put_back(db, self.owner, left, max(self.hour, breaker.until), breaker.why)

    @property
    def _returning(self) -> bool:
        """Whether every mail has an address of its own to which it comes back."""
        return self.site.settings.mail_envelope == "verp"

    def _bounce(self, row: Row) -> tuple[str, bytes]:
        return links.bounce(self.site.keys.link, row.message_id)

    def _sender(self, row: Row) -> str:
        """The envelope sender: nobody for what answers a mail, so that no machine answers it."""
        nobody = KINDS[row.kind].reply and self.site.settings.null_sender == "auto"
        return "" if nobody else self._returned_to(row)

    def _returned_to(self, row: Row) -> str:
        settings = self.site.settings
        if not self._returning:
            return settings.mail_from
        return route.address(settings.answers, Route("b", self._bounce(row)[0]))

    def _release(self, rows: list[Row], due: int) -> None:
        if rows:
            outbox.release(self.site.db, self.owner, [row.id for row in rows], due)

    def _attempt(self, row: Row, raw: bytes) -> Settled:
        try:
            delivery = self._handed_over(row, raw)
        except Unreachable as error:
            breaker = self.transport.breaker
            breaker.trip(self.hour, str(error))
            log.error("the way out cannot be used", why=str(error), until=breaker.until)
            if error.ours:
                with self.site.db.relaxed() as conn:
                    alerts.refused(self.site, conn, str(error), self.hour)
            waiting = "ready" if row.state == "pending" else row.state
            due = breaker.until + (self._setback(row) if error.begun else 0)
            return Settled(row.id, waiting, text=str(error), due=due, counts=False)
        self._note(delivery)
        if delivery.bounce or delivery.ours:
            self._heed(row, delivery)
        return settled(row, delivery, self.hour)

    def _note(self, delivery: Delivery) -> None:
        """A way out that loses answers may lose mails: it gets no more of them for a while."""
        breaker = self.transport.breaker
        if delivery.state != "uncertain":
            breaker.reset()
            return
        breaker.trip(self.hour, delivery.text)
        log.error("the way out lost an answer", why=delivery.text, until=breaker.until)

    def _setback(self, row: Row) -> int:
        """How much longer than the others a mail waits at which the relay hung up: it may have been
        the reason, and would hold them up again and again."""
        return 1 + min((self.hour - row.created) // 4, BACKOFF[-1])

    def _handed_over(self, row: Row, raw: bytes) -> Delivery:
        """Some relays take no mail from nobody, and many of them say so only at the recipient: then
        it is from us, and still says that a machine need not answer it."""
        sender = self._sender(row)
        delivery = self.transport.deliver(sender, row.address, raw)
        refused = delivery.state == "failed" and delivery.bounce != "hard"
        if sender or not (refused and delivery.text.startswith(("MAIL", "RCPT"))):
            return delivery
        return self.transport.deliver(self._returned_to(row), row.address, raw)

    def _heed(self, row: Row, delivery: Delivery) -> None:
        """A refusal says something about the address, or about us."""
        with self.site.db.relaxed() as conn:
            if reach.bounced(conn, row.address, delivery.bounce, self.hour):
                log.warning("mails to an address stop, for they come back", mail=row.id)
                lobby.unfound(self.site, conn, row.match, row.address, self.hour)
            if delivery.ours:
                alerts.refused(self.site, conn, delivery.text, self.hour)


def settled(row: Row, delivery: Delivery, now: int) -> Settled:
    """What an attempt makes of a mail, and when the next one is.

    A mail whose answer was lost goes out once more with the same bytes; lost twice it stays
    uncertain.
    """
    code, text = delivery.code or None, delivery.text
    doubtful = row.state == "uncertain"
    if delivery.state == "deferred":
        due = now + _pause(row)
        if due < (row.expires or row.created + KEEP_SECONDS):
            return Settled(row.id, "uncertain" if doubtful else "deferred", code, text, due)
        return Settled(row.id, "uncertain" if doubtful else "expired", code, text)
    if delivery.state == "uncertain":
        again = None if doubtful else now + UNCERTAIN_SECONDS
        return Settled(row.id, "uncertain", code, text, again)
    return Settled(row.id, delivery.state, code, text)


def _pause(row: Row) -> int:
    """The back-off after this attempt, each mail's own, so that not all come back at once."""
    shift = random.Random(f"{row.message_id}:{row.attempts}").uniform(0.8, 1.2)
    return int(BACKOFF[min(row.attempts, len(BACKOFF) - 1)] * shift)
