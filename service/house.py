"""The house player at work: the matches that wait for it, and what it answers in them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from games import registry
from games.log.record import ActKind
from games.position import Position
from service import journal, matches, play, records
from service.errors import Fork, NotNow, NotYourTurn, Stale, Unavailable
from service.models import MATCH
from service.site import Site

LEASE = 30
"""So long a match is left to the worker that tries it; if that died, the next one tries then."""
LEAST, MOST = 60, 6 * 3_600
"""After a failure it waits as long again as the match has been waiting, within these seconds."""
ANSWERS: dict[str, ActKind] = {"draw": "decline-draw", "void": "accept-void", "pause": "pause"}
"""It plays on as long as there is something to win, and keeps nobody who is tired of a match."""

log = journal.log("house")


class Luck:
    """The lot of a bot. Nobody foresees it, and nothing is kept: what was played is in the log, and
    a turn that has to be thought about once more may come out otherwise."""

    def below(self, n: int) -> int:
        return secrets.randbelow(n)


@dataclass(frozen=True)
class Asked:
    """A match that waits for the house: its head, since when, and when the next try is due."""

    match: str
    head: bytes
    changed: int
    due: int


_WAITING = (
    sa.select(MATCH.c.id, MATCH.c.head, MATCH.c.changed, MATCH.c.house_due)
    .where(MATCH.c.house_due <= sa.bindparam("now"))
    .order_by(MATCH.c.house_due, MATCH.c.changed)
    .limit(1)
)


def play_once(site: Site, now: int) -> bool:
    """Plays or answers once where the house has been asked for longest; whether it was asked.

    What fails in one match is put off there, and the others go on.
    """
    asked = _longest(site, now)
    if asked is None:
        return False
    if not _put_off(site, asked, asked.due, now + LEASE):
        return True
    try:
        _answer(site, asked.match, now)
    except (Stale, NotYourTurn, NotNow):
        log.info("the match went on without the house", match=asked.match)
    except Exception as error:
        if isinstance(error, Unavailable) and not isinstance(error, Fork):
            log.warning("the house waits for a database", match=asked.match)
        else:
            _failed(site, asked, error, now)
    return True


def _longest(site: Site, now: int) -> Asked | None:
    with site.db.read() as conn:
        row = conn.execute(_WAITING, {"now": now}).first()
    return Asked(*row) if row else None


def _put_off(site: Site, asked: Asked, due: int, until: int) -> bool:
    """Leaves the match alone until a time; False if another worker or a record was faster."""
    same = sa.and_(MATCH.c.id == asked.match, MATCH.c.head == asked.head, MATCH.c.house_due == due)
    with site.db.write() as conn:
        return conn.execute(MATCH.update().where(same).values(house_due=until)).rowcount == 1


def _failed(site: Site, asked: Asked, error: Exception, now: int) -> None:
    """Says why once, and puts the match off: the longer, the longer it has been waiting."""
    until = now + min(max(now - asked.changed, LEAST), MOST)
    said = {"match": asked.match, "until": until}
    if asked.due == 0:
        log.exception("the house cannot play", **said)
    else:
        log.error("the house still cannot play", why=repr(error), **said)
    _put_off(site, asked, now + LEASE, until)


def _answer(site: Site, match: str, now: int) -> None:
    with site.db.read() as conn:
        at = records.standing(site, conn, match)
    asked, position = matches.asked_of_house(at), at.position
    if asked is None:
        raise Stale
    seat, on, wait = asked.seat, position.n - 1, position.wait
    act = ANSWERS.get(asked.about)
    if act is not None:
        play.act(site, match=match, seat=seat, act=act, on=on, via="api", now=now)
        return
    line = _line(position, seat)
    play.submit(site, match=match, seat=seat, line=line, wait=wait, on=on, via="api", now=now)


def _line(position: Position, seat: int) -> str:
    """What the bot plays: it is given what its seat knows, and never the state."""
    known = position.rules.known(position.state, seat)
    return registry.bot(position.rules.game).play(known, seat, Luck())
