"""What the verdict on a mail does to its match: the move, the mails that answer it, or nothing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parseaddr
from functools import cached_property
from hashlib import sha256

import sqlalchemy as sa

from games.core.rules import IllegalMove, MalformedMove, Say
from games.position import Phase, Position
from service import (
    access,
    answers,
    drafts,
    inbox,
    links,
    lobby,
    matches,
    news,
    outbox,
    people,
    play,
    quota,
    reach,
    records,
)
from service.errors import BadForm, NotNow, SpentLink, Stale, TooLate, TooMany
from service.inbox import Row, Taken
from service.joining import JoinForm
from service.kinds import Kind
from service.links import Invitation, TurnLink
from service.mail.inbound.cutter import Ours, ours
from service.mail.inbound.raw import Incoming
from service.mail.inbound.sender import folded
from service.mail.inbound.verdict import Asked, From, Invited, Verdict, judge, judge_invited
from service.matches import SeatRow
from service.outbox import Mail, Reply, Snapshot
from service.play import Speaker
from service.quota import Quota
from service.rounds import played
from service.site import Site

ERRORS = 3
"""So many mails at most say what is wrong with the answers to one turn or invitation."""
TO_ONE = Quota("answer", 5, 17_280)
"""To one address: never more than ten a day."""
TO_ALL = Quota("answers", 30, 120)
"""To everybody: never more than sixty an hour."""
TOGETHER = 60
"""Seconds within which what is played is said in one mail to an address."""
HOLD_SECONDS = 7 * 86_400


@dataclass(frozen=True)
class Letter:
    """A mail that a person wrote, the row it is kept in, and who wrote it."""

    row: Row
    mail: Incoming
    author: From

    @property
    def identity(self) -> bytes:
        return sha256(self.mail.identity.encode("utf-8", "surrogateescape")).digest()


@dataclass(frozen=True)
class Target:
    """What a mail answers, and the hash of what says so."""

    route: bytes
    link: TurnLink | Invitation


@dataclass(frozen=True)
class Case:
    """One mail and what it answers, in the transaction that decides it."""

    site: Site
    conn: sa.Connection
    letter: Letter
    target: Target
    now: int

    @property
    def match(self) -> str:
        return self.target.link.match

    def sent(self, address: str) -> Ours:
        """What our mails of the match have said to an address."""
        said = inbox.sent_words(self.conn, self.match, address)
        return ours(said, self.site.settings.mail_sender)

    def settled(self, action: str, reason: str = "", **more: object) -> Taken:
        """What is noted of it."""
        row, target = self.letter.row, self.target
        taken = Taken(
            target.route,
            self.letter.identity,
            row.id,
            target.link.id,
            self.letter.author.address,
            action,
            reason,
        )
        return replace(taken, **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Turn:
    """The turn that a mail answers, as it stands now."""

    case: Case
    link: TurnLink
    position: Position

    @property
    def open(self) -> bool:
        return matches.turn(self.position) == (self.link.seat, self.link.wait)

    @property
    def over(self) -> bool:
        return self.position.phase is Phase.CLOSED

    @cached_property
    def seat(self) -> SeatRow:
        return matches.seats(self.case.conn, self.link.match)[self.link.seat - 1]

    @cached_property
    def shown(self) -> int:
        """The record that the mail about the turn showed."""
        key = f"turn:{self.link.match}:{self.link.wait}:{self.link.seat}"
        return outbox.shown(self.case.conn, key) or self.link.wait


def turn(case: Case) -> Taken:
    """Does what an answer to a turn asks for."""
    link = case.target.link
    assert isinstance(link, TurnLink)
    at = Turn(case, link, records.position(case.site, case.conn, link.match))
    verdict = judge(case.letter.mail, case.letter.author, _asked(at))
    if verdict.action == "ignore":
        return case.settled("ignore", verdict.reason)
    if verdict.action == "hold":
        return _hold(at, verdict)
    reach.alive(case.conn, at.seat.address, case.now)  # the turn mail has come to its player
    if verdict.action == "command":
        return _command(at, verdict)
    if not at.open:
        return _closed(at, verdict)
    return _play(at, verdict) if verdict.action == "play" else _explain(at, verdict)


def invitation(case: Case) -> Taken:
    """Does what an answer to an invitation asks for."""
    link = case.target.link
    assert isinstance(link, Invitation)
    seats = matches.seats(case.conn, link.match)
    seat = next(seat for seat in seats if seat.id == link.place)
    asked = Invited(frozenset({folded(seat.address)}), case.sent(seat.address))
    verdict = judge_invited(case.letter.mail, case.letter.author, asked)
    if verdict.action == "ignore":
        return case.settled("ignore", verdict.reason)
    if verdict.action == "answer":
        why = "form" if verdict.reason == "stranger" else "consent"
        return _tell(case, seat, why, Reply("", why))
    try:
        return (
            _join(case, link, seat, verdict)
            if verdict.action == "join"
            else _decline(case, link, seat)
        )
    except (SpentLink, NotNow):
        return _tell(case, seat, "gone", Reply("", "gone"), closed=True)


def _asked(at: Turn) -> Asked:
    conn, link, position = at.case.conn, at.link, at.position
    known = position.rules.known(position.state, link.seat) if at.open else None
    more = inbox.aliases(conn, at.seat.player) if at.seat.player else frozenset()
    lines = records.load(conn, link.match)[: at.shown + 1]
    return Asked(
        position.rules,
        matches.find(conn, link.match).code,
        link.seat,
        more | {folded(at.seat.address)},
        known,
        played(record.body for record in lines).number(position.opened.seats, link.seat),
        at.case.sent(at.seat.address),
    )


def _play(at: Turn, verdict: Verdict) -> Taken:
    case, link = at.case, at.link
    row = case.letter.row
    who = Speaker(link.seat, at.shown, "mail", row.arrived, row.sha256)
    try:
        answer, new = play.enter(
            case.site, case.conn, link.match, who, verdict.line, link.wait, case.now
        )
    except (MalformedMove, IllegalMove) as error:
        return _explain(at, replace(verdict, reason="illegal", fault=error.say))
    except (Stale, NotNow, TooLate):
        return _closed(at, verdict)
    # A turn that goes on is mailed anyway; that mail does not say what was left out.
    unsaid = matches.mover(new.position) != link.seat or answer.rest or verdict.conditions
    if not answer.over and unsaid:
        reply = Reply("", "played", answer.line, answer.rest, conditions=verdict.conditions)
        _acknowledge(case, _mail(case, at.seat, "ack", reply, since=at.position.n))
    return case.settled("play", line=answer.line)


def _closed(at: Turn, verdict: Verdict) -> Taken:
    """What an answer comes to whose turn has passed; its own move once more comes to nothing."""
    case, link = at.case, at.link
    page = links.of_turn(case.conn, link.match, link.seat, link.wait)
    answer = None if page is None else answers.of(page)
    if answer and verdict.action == "play" and answer.same(at.position, verdict.line):
        return case.settled("ignore", "again", line=answer.line)
    if at.over:
        reason, reply = "over", Reply("", "over")
    elif answer is None:
        deadline = matches.find(case.conn, link.match).deadline if at.open else None
        reason, reply = "late", Reply("", "late", time=case.letter.row.arrived, deadline=deadline)
    else:
        reason = "played"
        reply = Reply("", reason, answer.line, time=page.used if page else None)
    if inbox.said(case.conn, link.id, reason):
        return case.settled("ignore", reason)
    return _tell(case, at.seat, reason, reply, closed=True)


def _explain(at: Turn, verdict: Verdict) -> Taken:
    fault = verdict.fault or Say("")
    reply = Reply(
        "",
        verdict.reason,
        verdict.line,
        fault=fault.key,
        values=fault.values,
        conditions=verdict.conditions,
    )
    return _tell(at.case, at.seat, verdict.reason, reply)


def _hold(at: Turn, verdict: Verdict) -> Taken:
    """Asks the player about a line that came from somebody else; once for a turn."""
    case, link = at.case, at.link
    if not at.open or inbox.holds(case.conn, link.id):
        return case.settled("ignore", "stranger", line=verdict.line)
    expires = case.now + HOLD_SECONDS
    hold = links.make(
        case.conn, case.site.keys.link, "h", now=case.now, expires=expires, match=link.match
    )
    reply = Reply("", "hold", verdict.line, sender=case.letter.author.address)
    _queue(case, at.seat, "hold", reply, link=hold)
    return case.settled("hold", line=verdict.line, hold=hold)


def _command(at: Turn, verdict: Verdict) -> Taken:
    """Shows the position or helps; what cannot be taken back is done on the page of the match, to
    which a link leads."""
    case, name = at.case, str(verdict.command)
    if name in ("help", "board"):
        return _tell(case, at.seat, name, Reply("", name), closed=not at.open)
    if at.seat.player is None or at.over:
        return case.settled("ignore", name)
    with suppress(TooMany):
        access.queue(case.site, case.conn, player=at.seat.player, match=case.match, now=case.now)
    return case.settled("command", name)


def _join(case: Case, link: Invitation, seat: SeatRow, verdict: Verdict) -> Taken:
    if seat.pid is not None:
        return case.settled("ignore", "again")
    display = parseaddr(case.letter.mail.header("From"))[0]
    zone = case.site.settings.zone
    for name in (seat.name, display, seat.address.partition("@")[0]):
        form = JoinForm(name, seat.language, zone, verdict.words)
        with suppress(BadForm):
            lobby.fill(case.site, case.conn, link, seat, form, case.now, ev=case.letter.row.sha256)
            _queue(case, seat, "ack", Reply("", "joined", words=verdict.words))
            return case.settled("join")
    return _tell(case, seat, "form", Reply("", "form"))


def _decline(case: Case, link: Invitation, seat: SeatRow) -> Taken:
    if seat.declined is not None:
        return case.settled("ignore", "again")
    lobby.turn_down(case.site, case.conn, link, seat, case.now)
    _queue(case, seat, "ack", Reply("", "declined"))
    return case.settled("decline")


def _tell(case: Case, seat: SeatRow, reason: str, reply: Reply, *, closed: bool = False) -> Taken:
    """Says why nothing was done, unless that has been said often enough; and how to do it, unless
    it is `closed`."""
    asked = reason in inbox.ASKED
    if not may_tell(case.conn, case.target.link.id, seat.address, case.now, asked=asked):
        return case.settled("silent", reason)
    mail = _mail(case, seat, "answer", reply, link=None if closed else _page(case))
    outbox.queue(case.conn, replace(mail, wait=None) if closed else mail, case.now)
    return case.settled("answer", reason, answered=True)


def _page(case: Case) -> str | None:
    """The link to where on the pages the same can be done."""
    link = case.target.link
    if not isinstance(link, TurnLink):
        return link.id
    found = links.of_turn(case.conn, link.match, link.seat, link.wait)
    return found.id if found and found.live(case.now) else None


def may_tell(
    conn: sa.Connection, link: str, address: str, now: int, *, asked: bool = False
) -> bool:
    """Whether one more mail may say what is wrong with answers that came by a link, or what was
    `asked` for."""
    if not asked and inbox.answers(conn, link) >= ERRORS:
        return False
    try:
        quota.take(conn, TO_ONE, people.folded(address), now)
        quota.take(conn, TO_ALL, "", now)
    except TooMany:
        return False
    return True


def _acknowledge(case: Case, mail: Mail) -> None:
    """Queues the mail that says what was played. Within a minute of another to the same address it
    waits for the end of that minute, and takes along what is played until then."""
    conn, now = case.conn, case.now
    before = drafts.recent(conn, "ack", mail.to.address, now - TOGETHER)
    if before is None:
        outbox.queue(conn, mail, now)
        return
    id, since, about = before
    joint = _joint(about, mail)
    if joint is None or not drafts.instead(conn, id, joint):
        outbox.queue(conn, replace(mail, not_before=since + TOGETHER), now)


def _joint(before: Snapshot, mail: Mail) -> Mail | None:
    """The mail with what the one before it says; None if that is about something else."""
    said, reply = before.reply, mail.about.reply
    if said is None or reply is None or said.reason != "played" or said.rest or said.conditions:
        return None
    also = (*said.also, (before.code, said.line))
    return replace(mail, about=replace(mail.about, reply=replace(reply, also=also)))


def _queue(case: Case, seat: SeatRow, kind: Kind, reply: Reply, *, link: str | None = None) -> None:
    """Queues a mail that answers this one."""
    outbox.queue(case.conn, _mail(case, seat, kind, reply, link=link), case.now)


def _mail(
    case: Case, seat: SeatRow, kind: Kind, reply: Reply, *, link: str | None = None, since: int = 0
) -> Mail:
    """A mail that answers this one."""
    target = case.target.link
    said = replace(reply, to=case.letter.mail.header("Message-ID"))
    about = replace(news.snapshot(case.conn, case.match), reply=said, since=since)
    about = replace(about, by=lobby.opener(case.conn, case.match).name)
    return Mail(
        kind,
        f"{kind}:{case.letter.row.id}:{target.id}",
        news.to(case.site, seat),
        about,
        match=case.match,
        seat=seat.number if isinstance(target, TurnLink) else None,
        wait=target.wait if isinstance(target, TurnLink) and target.live(case.now) else None,
        record=about.count - 1,
        link=link,
    )
