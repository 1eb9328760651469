"""A match from its first mail to its end: two people with mutt, and a worker that keeps dying."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from hashlib import sha256

import sqlalchemy as sa
from pydantic import SecretStr

from games import registry
from games.log.record import Move
from games.position import Position
from games.verify import verify
from service import lobby, matches, records
from service.mail.deeds import TOGETHER
from service.matches import MatchRow
from service.models import INBOUND, OUTBOX
from service.opening import Invited, Opening
from service.policy import policy_for
from service.settings import PREFIX, Settings
from service.site import Site
from tests.mail.bench import mutt, worker
from tests.mail.bench.office import ANNA, BJOERN, Office, until
from tests.mail.bench.people import posted
from tests.mail.play import DOMAIN, service, text_of


@dataclass
class Figures:
    """What came of it."""

    turns: int = 0
    killed: int = 0
    mails: int = 0
    doubled: int = 0
    seconds: float = 0
    verdict: tuple[str, ...] = ()


def environment(settings: Settings) -> dict[str, str]:
    """The settings as a process gets them."""
    values = {name: getattr(settings, name) for name in settings.model_fields_set}
    plain = {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in values.items()
    }
    own = {PREFIX + name.upper(): str(value) for name, value in plain.items() if value is not None}
    return os.environ | own


@contextmanager
def working(settings: Settings) -> Iterator[None]:
    """A worker, and another one whenever it has died."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.mail.bench.worker"],
        env=environment(settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
        assert process.poll() is None, "the worker did not start"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def served(settings: Settings, office: Office, way: str) -> Settings:
    """Mails come in by a mailbox at a provider, or straight from Postfix."""
    if way == "imap":
        return posted(settings, office)
    mine = {"reply_to": f"app+{{}}@{DOMAIN}", "lmtp_port": office.ports["app"]}
    return posted(settings, office, **mine, imap_host=None, imap_user=None, imap_password=None)


@dataclass
class Play:
    """A match at work."""

    site: Site
    office: Office
    game: str
    chance: random.Random
    match: str = ""
    figures: Figures = field(default_factory=Figures)

    def below(self, n: int) -> int:
        """The lot of the bots that decide what people type."""
        return self.chance.randrange(n)

    def begin(self) -> None:
        """The form, its confirm mail, and an invitation that is answered."""
        guest = Invited("Björn", BJOERN)
        form = Opening("1", self.game, "Anna", ANNA, "de", "Europe/Berlin", (guest,))
        lobby.ask(self.site, form, int(time.time()))
        confirm = text_of(self._mail(ANNA, "confirm"))
        (token,) = re.findall(r"/a/([a-z2-7]{26})", confirm)
        entered = lobby.confirm(self.site, token, int(time.time()))
        assert entered.match is not None
        self.match = entered.match
        mutt.answer(
            self.office, BJOERN, self._mail(BJOERN, "invitation"), "JA zwei blaue Elefanten"
        )
        until(lambda: self.row().mover)

    def turn(self, death: str = "") -> None:
        """Whoever is to move answers the mail about it; what follows from it arrives."""
        before = self.row()
        assert before.mover is not None
        with self.site.db.read() as conn:
            seat = matches.seats(conn, self.match)[before.mover - 1]
        mail = self._mail(seat.address, "turn", before.wait)
        if death:
            worker.order(self.site.settings.data).write_text(death)
        below = bool(self.figures.turns % 2)
        mutt.answer(self.office, seat.address, mail, self.line(before.mover), below=below)
        until(lambda: self.row().n > before.n)
        self.figures.turns += 1

    def line(self, seat: int) -> str:
        at = self.position()
        return registry.bot(self.game).play(at.rules.known(at.state, seat), seat, self)

    def row(self) -> MatchRow:
        with self.site.db.read() as conn:
            return matches.find(conn, self.match)

    def position(self) -> Position:
        with self.site.db.read() as conn:
            return records.position(self.site, conn, self.match)

    def _mail(self, address: str, kind: str, wait: int | None = None) -> EmailMessage:
        """The newest mail of a kind, once it lies in somebody's mailbox."""
        mine = sa.and_(OUTBOX.c.address == address, OUTBOX.c.kind == kind, OUTBOX.c.wait == wait)
        query = sa.select(OUTBOX.c.message_id).where(mine).order_by(OUTBOX.c.id.desc()).limit(1)

        def arrived() -> EmailMessage | None:
            with self.site.db.read() as conn:
                name = conn.execute(query).scalar()
            return self.office.found(address, name) if name else None

        return until(arrived)

    def settled(self, wait: int) -> bool:
        """Whether nothing is on its way any more that is due within so many seconds."""
        open = OUTBOX.c.state.not_in(("sent", "superseded"))
        open = sa.and_(open, OUTBOX.c.due <= time.time() + wait)
        new = INBOUND.c.state == "new"
        with self.site.db.read() as conn:
            waiting = [
                conn.execute(sa.select(table.c.id).where(what).limit(1)).first()
                for table, what in ((OUTBOX, open), (INBOUND, new))
            ]
        if waiting != [None, None] or self.office.waiting():
            return False
        mails = self.mails()
        return all(self.office.found(to, name) for to, name, _, state in mails if state == "sent")

    def mails(self) -> list[tuple[str, str, bytes, str]]:
        """Reader, name, hash and state of every mail that has been written."""
        columns = (OUTBOX.c.address, OUTBOX.c.message_id, OUTBOX.c.raw_sha256, OUTBOX.c.state)
        with self.site.db.read() as conn:
            rows = conn.execute(sa.select(*columns).where(OUTBOX.c.raw_sha256.is_not(None))).all()
        return [(row[0], row[1], row[2], row[3]) for row in rows]


def play(
    settings: Settings, office: Office, game: str, way: str, deaths: Sequence[str], turns: int = 0
) -> Figures:
    """Plays a match, or its first turns; `deaths` says for each turn how the worker dies in it, if
    it does."""
    began = time.monotonic()
    chosen = served(settings, office, way)
    with service(chosen) as site, working(site.settings):
        match = Play(site, office, game, random.Random(game))
        match.begin()
        orders = iter(deaths)
        while match.row().mover and (not turns or match.figures.turns < turns):
            match.turn(next(orders, ""))
        wait = 0 if turns else 10 * TOGETHER
        until(lambda: match.settled(wait), 2 * TOGETHER)
        match.figures.killed = worker.deaths(chosen.data)
        assert match.figures.killed == sum(map(bool, deaths))
        played(match, whole=not turns)
        match.figures.seconds = time.monotonic() - began
        return match.figures


def played(match: Play, *, whole: bool) -> None:
    """Every answer is one record, every mail arrived, and the log holds."""
    site, figures = match.site, match.figures
    with site.db.read() as conn:
        found = records.load(conn, match.match)
        outcomes = Counter(conn.execute(sa.select(INBOUND.c.outcome)).scalars())
    moves = [record.body for record in found if isinstance(record.body, Move)]
    assert len(moves) == len({move.by.ev for move in moves}) == figures.turns
    assert outcomes == {"join": 1, "play": figures.turns}
    assert site.signer.last(match.match) == len(found)
    data = records.export(site, match.match)
    verdict = verify(data, policy_for(site, data))
    assert verdict.ok
    figures.verdict = verdict.lines
    assert (match.row().mover is None) == whole
    posted_once(match)


def posted_once(match: Play) -> None:
    """Every mail that is called sent lies in its mailbox; if twice, then with the same bytes.

    One whose worker died while it was on its way may have been answered before the next worker
    asked for it, and is called superseded then.
    """
    figures = match.figures
    boxes = {address: match.office.raws(address) for address in (ANNA, BJOERN)}
    for address, name, digest, state in match.mails():
        mark = f"\nMessage-ID: <{name}@".encode()
        copies = [raw for raw in boxes[address] if mark in raw]
        assert copies or state != "sent"
        assert {bytes_of(raw) for raw in copies} <= {digest}
        figures.mails += len(copies)
        figures.doubled += max(0, len(copies) - 1)
    assert figures.mails == sum(map(len, boxes.values()))


def bytes_of(raw: bytes) -> bytes:
    """The hash of a mail as it was sent: without what mail servers have put before it."""
    ours = b"From: " + raw.partition(b"\nFrom: ")[2]
    return sha256(ours.replace(b"\n", b"\r\n")).digest()
