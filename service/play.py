"""The one door of a match: turn lines, acts and time-outs, each one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest

import sqlalchemy as sa

from games.core import line as turn_line
from games.log import canon
from games.log.errors import BadLog
from games.log.record import Act, ActKind, Body, Deal, End, Move, Reveal, Roll, Sys, Via
from games.log.writing import by, write
from games.position import Phase, Position
from service import (
    answers,
    beat,
    clock,
    correspondence,
    inbox,
    links,
    matches,
    news,
    outages,
    outbox,
    records,
    sessions,
    vacation,
)
from service.answers import Answer
from service.clock import Clocks, Standing
from service.errors import NotNow, NotYourTurn, Stale, TooLate, Unavailable, Unsigned
from service.language import N_
from service.records import Appended
from service.signer import Head
from service.signing import sign
from service.site import Site

NUMBERS_GROW = 12
"""What the numbers of later parts of a long line may take more than those of the first."""
DOUBLE_SECONDS = 60
"""For so long a line sent twice, by a double click say, is taken for the same sender's."""
GRACE = 30
"""For so long a move that came in time may be on its way to its transaction: another one may hold
the database for 15 seconds."""
AGAIN_SECONDS = 600
"""A turn that goes on after chance is mailed that much later: most play on at once."""
HOUSE_SECONDS = 240
"""A turn of the house is mailed that much later to whoever plays it on the pages: it answers within
seconds, and most play on at once."""
TIME_OVER = N_("the time of this turn was over")
OFFERED = N_("You have offered a draw in this turn already. After the next turn you may again.")


@dataclass(frozen=True)
class Receipt:
    """What became of a turn line or an act, with the signed head that proves it.

    `record` is the last record that it wrote, `line` what was played, `rest` what is handed back,
    `note` the head over all records up to `record`. `again` says that it was there before, `over`
    that it ended the match. `session` is the cookie of a new seat session, if one was asked for and
    the seat's next turn has not begun.
    """

    match: str
    record: int
    line: str
    rest: str
    note: str
    again: bool
    over: bool
    session: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Speaker:
    """Who sends a turn line, what was in view, and how it came."""

    seat: int
    on: int
    via: Via
    arrived: int
    """When it reached us: what counts against a deadline."""
    ev: bytes | None


def submit(
    site: Site,
    *,
    match: str,
    seat: int,
    line: str,
    wait: int,
    on: int,
    via: Via,
    now: int,
    arrived: int | None = None,
    ev: bytes | None = None,
    session: bool = False,
) -> Receipt:
    """Plays a turn line as a person typed it, for the turn that waits on record `wait`.

    `on` is the record the player had in view, `ev` the hash of the mail if it came by mail, and
    `arrived` when it reached us, if not `now`: a deadline that has passed since does not count
    against it. `session` asks for a seat session. The line of a turn once more gets the receipt of
    the first time. Raises MalformedMove, IllegalMove, NotYourTurn, Stale, TooLate, NoMatch or
    Unavailable, and nothing is written then.
    """
    who = Speaker(seat, on, via, now if arrived is None else arrived, ev)
    with site.db.write() as conn:
        answer, new = enter(site, conn, match, who, line, wait, now)
        cookie = _let_in(conn, new.position, seat, wait, answer, now) if session else None
    return _receipt(site, match, answer, new.heads, cookie)


def enter(
    site: Site, conn: sa.Connection, match: str, who: Speaker, line: str, wait: int, now: int
) -> tuple[Answer, Appended]:
    """Plays a line as `submit` does, in the caller's transaction, who signs after it."""
    position = outages.make_up(site, conn, matches.lock(conn, match), now)
    if matches.turn(position) != (who.seat, wait):
        answer = _answered(conn, position, who.seat, wait, line)
        return answer, Appended(position, records.clocks(site, conn, position), None)
    _in_time(site, conn, position, who.arrived)
    position = vacation.take_back(site, conn, position, now)
    played = _play(site, conn, position, who, line, now)
    correspondence.here(conn, match, who.seat, who.via, now)
    return played


def act(
    site: Site,
    *,
    match: str,
    seat: int,
    act: ActKind,
    on: int,
    via: Via,
    now: int,
    arrived: int | None = None,
    ev: bytes | None = None,
) -> Receipt:
    """Resigns, offers, accepts, declines, pauses or goes on. The same act on the same record is
    done once.

    Raises NotNow if the match does not allow it, Stale if the position has changed since record
    `on`, TooLate once the time of the turn is over, whosever it is, NoMatch or Unavailable.
    """
    with site.db.write() as conn:
        position = outages.make_up(site, conn, matches.lock(conn, match), now)
        done = _done(conn, position, seat, act, on)
        if done is None:
            _in_view(position, on)
            _in_time(site, conn, position, now if arrived is None else arrived)
            _clock_allows(records.clocks(site, conn, position), seat, act)
            _not_again(conn, position, seat, act)
            said = by(on, via, ev=ev, seat=seat, act=act)
            after = extend(site, conn, position, [Act(seat, act, said)], now).position
            done = Answer(position.n, act, "", after.phase is Phase.CLOSED)
    return _receipt(site, match, done)


def timeout(site: Site, *, match: str, wait: int, now: int) -> bool:
    """Ends the turn that waits on `wait` if its time is over and all that arrived before is played;
    whether it did. A match that is being written to, or that is owed time after an outage, is left
    alone: it will be asked about again, as is one that a vacation gives time."""
    with site.db.write() as conn:
        row = matches.seize(conn, match)
        if row is None or row.wait != wait or outages.owed(conn, row):
            return False
        at = records.standing(site, conn, match)
        time, mover = clock.deadline(at.clocks), at.clocks.mover
        if time is None or mover is None or not settled(site, conn, time, now):
            return False
        over = vacation.adjust(site, conn, at, now) is None
        if over:
            extend(site, conn, at.position, [Sys("timeout", TIME_OVER, mover)], now)
    sign(site, match)
    return over


def settled(site: Site, conn: sa.Connection, deadline: int, now: int) -> bool:
    """Whether all that reached us before a deadline has been played, so that its time may be called
    over: a move may be on its way to its transaction, or wait in a mail."""
    if now < deadline + GRACE:
        return False
    return not site.settings.answers or inbox.settled(conn, site.settings, deadline, now)


def extend(
    site: Site, conn: sa.Connection, before: Position, bodies: Sequence[Body], now: int
) -> Appended:
    """Appends records and does what a new turn or the end asks for: links, sessions, mails.

    Raises NotNow or Stale for records that the match does not allow.
    """
    try:
        new = records.append(site, conn, before, bodies, now)
    except BadLog as error:
        raise (Stale if error.code == "E_STALE" else NotNow) from error
    new = vacation.adjust(site, conn, Standing(new.position, new.clocks), now) or new
    after = new.position
    if matches.turn(after) == matches.turn(before):
        outbox.postpone(conn, after.m, clock.deadline(new.clocks))
    else:
        outbox.supersede(conn, after.m)
        if after.phase is Phase.CLOSED:
            news.result(site, conn, after, now)
        else:
            _begin_turn(site, conn, before, after, now, by_mail=_by_mail(bodies))
    news.beside(site, conn, before, new, bodies, now)
    return new


def _play(
    site: Site, conn: sa.Connection, position: Position, who: Speaker, typed: str, now: int
) -> tuple[Answer, Appended]:
    rules, seat = position.rules, who.seat
    _in_view(position, who.on)
    line = turn_line.read(rules, typed)
    turn_line.play(rules, rules.known(position.state, seat), seat, line)
    played = turn_line.play(rules, position.state, seat, line)
    moves = _moves(position, who, played.line)
    new = extend(site, conn, position, moves, now)
    over = new.position.phase is Phase.CLOSED
    answer = Answer(position.n + len(moves) - 1, played.line, played.rest, over)
    links.answered(conn, position.m, seat, position.wait, answer.text(), now)
    return answer, new


def _clock_allows(clocks: Clocks, seat: int, act: ActKind) -> None:
    """Raises NotNow for a pause without a clock, one asked for twice, and an end of none."""
    if act == "pause" and (seat in clocks.asked or not clocks.control.limited):
        raise NotNow
    if act == "resume" and not clocks.asked:
        raise NotNow


def _not_again(conn: sa.Connection, position: Position, seat: int, act: ActKind) -> None:
    """Raises NotNow for a draw offered twice in a turn: it was declined, and nothing changed."""
    if act != "offer-draw":
        return
    bodies = (record.body for record in records.since(conn, position.m, position.wait))
    if any(isinstance(body, Act) and (body.seat, body.act) == (seat, act) for body in bodies):
        raise NotNow(OFFERED)


def _in_time(site: Site, conn: sa.Connection, position: Position, arrived: int) -> None:
    """Raises TooLate for what arrived when the time of the turn was over; not if it ran out in an
    outage that nobody has come back from to make it up."""
    time = clock.deadline(records.clocks(site, conn, position))
    if time is not None and arrived >= time and not beat.silent(conn, time, arrived):
        raise TooLate


def _in_view(position: Position, on: int) -> None:
    """Raises Stale for a record that is older than the turn, or not there yet."""
    if not position.wait <= on < position.n:
        raise Stale


def _moves(position: Position, who: Speaker, line: str) -> list[Move]:
    """The records of a line: one, or several if it is too long for one."""
    first, *further = turn_line.split(line)
    bare = write(position.m, position.n, position.at, position.hash, _move(who, first[:1], who.on))
    room = canon.LONGEST - len(bare) - NUMBERS_GROW
    parts = [first]
    for move in further:
        longer = parts[-1] + turn_line.JOINT + move
        parts[-1:] = [longer] if len(longer) <= room else [parts[-1], move]
    in_view = [who.on, *range(position.n, position.n + len(parts) - 1)]
    return [_move(who, part, on) for part, on in zip(parts, in_view, strict=True)]


def _move(who: Speaker, line: str, on: int) -> Move:
    return Move(who.seat, line, by(on, who.via, ev=who.ev, seat=who.seat, mv=line))


def _answered(conn: sa.Connection, position: Position, seat: int, wait: int, typed: str) -> Answer:
    """The answer that this line of a turn that has passed got. Raises NotYourTurn or Stale."""
    link = links.of_turn(conn, position.m, seat, wait)
    answer = None if link is None else answers.of(link)
    if answer is not None and answer.same(position, typed):
        return replace(answer, again=True)
    if position.wait == wait and matches.mover(position) is not None:
        raise NotYourTurn
    raise Stale


def _let_in(
    conn: sa.Connection, at: Position, seat: int, wait: int, answer: Answer, now: int
) -> str | None:
    """A session of the seat that sent the line of turn `wait`, unless its next turn has begun,
    which has a link of its own. A turn that goes on after chance is still the same."""
    goes_on = matches.mover(at) == seat
    if answer.again and not _still_theirs(conn, at, seat, wait, answer, now):
        return None
    return sessions.start_seat(conn, at.m, seat, at.wait if goes_on else wait, now)


def _still_theirs(
    conn: sa.Connection, at: Position, seat: int, wait: int, answer: Answer, now: int
) -> bool:
    """Whether a line sent again was the seat's last. While its turn goes on, a link that was used
    gives the seat for a moment only: it may be in other hands by then."""
    if answers.latest(conn, at.m, seat) != replace(answer, again=False):
        return False
    if matches.mover(at) != seat:
        return True
    link = links.of_turn(conn, at.m, seat, wait)
    at_once = link is not None and link.used is not None and now < link.used + DOUBLE_SECONDS
    following = records.since(conn, at.m, answer.record)
    return at_once and all(isinstance(record.body, Roll | Deal) for record in following)


def _done(
    conn: sa.Connection, position: Position, seat: int, act: ActKind, on: int
) -> Answer | None:
    """The answer to an act that was done before."""
    following = records.since(conn, position.m, on)
    for record, after in zip_longest(following, following[1:]):
        body = record.body
        if isinstance(body, Act) and (body.seat, body.act, body.by.on) == (seat, act, on):
            over = after is not None and isinstance(after.body, Reveal | End)
            return Answer(record.n, act, "", over, again=True)
    return None


def _receipt(
    site: Site,
    match: str,
    answer: Answer,
    heads: Sequence[Head] | None = None,
    session: str | None = None,
) -> Receipt:
    """Signs what is new. Raises Unsigned: what was committed stays so."""
    try:
        new = sign(site, match, heads)
        note = new.get(answer.record + 1) or site.signer.note(match, answer.record + 1)
    except Unavailable as error:
        raise Unsigned from error
    if note is None:
        raise Unsigned
    return Receipt(match, note=note, session=session, **asdict(answer))


def _by_mail(bodies: Sequence[Body]) -> bool:
    """Whether a turn was sent by mail: whoever did that waits for the next mail, not for a page."""
    return any(isinstance(body, Move) and body.by.via == "mail" for body in bodies)


def _begin_turn(
    site: Site, conn: sa.Connection, before: Position, after: Position, now: int, *, by_mail: bool
) -> None:
    seat, wait = matches.turn(after)
    if seat is None or seat in matches.house_seats(after):
        return
    goes_on = matches.mover(before) == seat
    sessions.advance(conn, after.m, seat, wait, same=goes_on)
    key, m = site.keys.link, after.m
    link = links.make(conn, key, "w", now=now, match=m, seat=seat, wait=wait)
    if site.settings.answers:
        links.make(conn, key, "t", now=now, match=m, seat=seat, wait=wait)
    if goes_on and not by_mail:
        later = AGAIN_SECONDS
    else:
        later = HOUSE_SECONDS if _house_answers(conn, before, seat) else 0
    news.turn(site, conn, after, link, now + later, now)


def _house_answers(conn: sa.Connection, before: Position, seat: int) -> bool:
    """Whether the house was to move, and the seat sent its last turn from a page that shows it the
    next one: a seat session ends with the turn, and who has no more than that needs the mail."""
    sent = answers.latest(conn, before.m, seat)
    if sent is None or matches.mover(before) not in matches.house_seats(before):
        return False
    (record, *_) = records.since(conn, before.m, sent.record - 1)
    return isinstance(record.body, Move) and record.body.by.via == "web"
