"""An account is deleted: what is left of its player is what the logs say, which know no names."""

from __future__ import annotations

import sqlalchemy as sa

from games.position import Phase, in_match
from service import matches, people, play, records, unstarted
from service.errors import NotNow, Stale, TooLate
from service.language import N_
from service.matches import MatchRow
from service.models import (
    ALIAS,
    CHANGE,
    INBOUND,
    LINK,
    MATCH,
    MESSAGE,
    MUTE,
    NOTE,
    OPENING,
    OUTBOX,
    PLAYER,
    REACH,
    SEAT,
    SESSION,
    TOKEN,
    VACATION,
    VERDICT,
    WISH,
)
from service.people import GONE
from service.sessions import of_seats
from service.site import Site

JUST_OVER = N_(
    "The time of a turn in match %(code)s has just run out, and nobody has been told yet. Please "
    "try again in a minute."
)


def ties(site: Site, player: int) -> list[MatchRow]:
    """The matches that a player would leave: those that run, and those that have not started."""
    with site.db.read() as conn:
        return _ties(site, conn, player)


def delete(site: Site, player: int, now: int) -> None:
    """Resigns the player's matches, one by one, and then forgets them. Begun again after a crash
    it goes on where it was. Raises NotNow while a match cannot be left, and Unavailable."""
    while not _forgotten(site, player, now):
        for row in ties(site, player):
            _leave(site, player, row, now)


def _ties(site: Site, conn: sa.Connection, player: int) -> list[MatchRow]:
    mine = sa.exists().where(SEAT.c.match == MATCH.c.id, SEAT.c.player == player)
    still = MATCH.c.phase.in_((Phase.JOINING.value, Phase.RUNNING.value))
    query = sa.select(*matches.COLUMNS).where(mine, still).order_by(*matches.NEWEST)
    found = matches.listed(conn, query)
    return [row for row in found if not row.started or _plays(site, conn, player, row)]


def _plays(site: Site, conn: sa.Connection, player: int, row: MatchRow) -> bool:
    return in_match(records.position(site, conn, row.id), _seat(conn, player, row))


def _seat(conn: sa.Connection, player: int, row: MatchRow) -> int | None:
    mine = sa.and_(SEAT.c.match == row.id, SEAT.c.player == player)
    seat: int | None = conn.execute(sa.select(SEAT.c.number).where(mine)).scalar()
    return seat


def _leave(site: Site, player: int, row: MatchRow, now: int) -> None:
    """Leaves a match; if it has moved on meanwhile, the next look at it does."""
    if not row.started:
        unstarted.abandon(site, player, row.id, now)
        return
    with site.db.read() as conn:
        seat = _seat(conn, player, row)
    try:
        play.act(site, match=row.id, seat=seat or 0, act="resign", on=row.n, via="web", now=now)
    except Stale:
        return
    except TooLate:
        if not play.timeout(site, match=row.id, wait=row.wait, now=now):
            raise NotNow(JUST_OVER, code=row.code) from None


def _forgotten(site: Site, player: int, now: int) -> bool:
    """Forgets a player who plays nothing any more, in one transaction; False while they do."""
    with site.db.write() as conn:
        locked = sa.select(PLAYER.c.address).where(PLAYER.c.id == player).with_for_update()
        address = conn.execute(locked).scalar()
        if address is None:
            return True
        if _ties(site, conn, player):
            return False
        _forget_mail(conn, player, address)
        _forget_links(conn, player, now)
        _forget_person(conn, player)
    return True


def _forget_mail(conn: sa.Connection, player: int, address: str) -> None:
    """Mails to the player and from them; that an address wants no invitations is kept."""
    own = [people.folded(address)]
    own += conn.execute(sa.select(ALIAS.c.folded).where(ALIAS.c.player == player)).scalars()
    changes = sa.select(CHANGE.c.id).where(CHANGE.c.player == player)
    asked = sa.select(LINK.c.id).where(LINK.c.change.in_(changes))
    to = sa.or_(sa.func.lower(OUTBOX.c.address).in_(own), OUTBOX.c.link.in_(asked))
    forms = sa.select(LINK.c.opening).join(OUTBOX, OUTBOX.c.link == LINK.c.id).where(to)
    kept = list(conn.execute(forms.where(LINK.c.opening.is_not(None))).scalars())
    conn.execute(OPENING.update().where(OPENING.c.id.in_(kept)).values(form=""))
    conn.execute(LINK.update().where(LINK.c.opening.in_(kept)).values(expires=0))
    conn.execute(OUTBOX.delete().where(to))
    conn.execute(VERDICT.update().where(VERDICT.c.author.in_(own)).values(author=""))
    came = sa.and_(sa.func.lower(INBOUND.c.sender).in_(own), INBOUND.c.state != "new")
    conn.execute(INBOUND.update().where(came).values(sender="", raw=None))
    conn.execute(REACH.delete().where(REACH.c.folded.in_(own), REACH.c.uninvited.is_(None)))


def _forget_links(conn: sa.Connection, player: int, now: int) -> None:
    """What lets the player in, and what ends their mails, leads nowhere from now on."""
    places = sa.select(SEAT.c.id).where(SEAT.c.player == player)
    changes = sa.select(CHANGE.c.id).where(CHANGE.c.player == player)
    mine = sa.or_(LINK.c.player == player, LINK.c.place.in_(places))
    conn.execute(LINK.delete().where(mine, LINK.c.purpose == "u"))
    conn.execute(LINK.delete().where(LINK.c.change.in_(changes)))
    conn.execute(LINK.update().where(LINK.c.player == player).values(player=None, expires=now))
    conn.execute(SESSION.delete().where(sa.or_(SESSION.c.player == player, of_seats(player))))


def _forget_person(conn: sa.Connection, player: int) -> None:
    """The player, and all that is theirs alone; of their places the number and the pid stay."""
    for table in (TOKEN, MESSAGE, MUTE, NOTE, WISH, ALIAS, CHANGE, VACATION):
        conn.execute(table.delete().where(table.c.player == player))
    conn.execute(MUTE.delete().where(MUTE.c.muted == player))
    conn.execute(MATCH.update().where(MATCH.c.opener == player).values(opener=None))
    bare = {"player": None, "name": GONE, "address": "", "invited": None}
    conn.execute(SEAT.update().where(SEAT.c.player == player).values(bare))
    conn.execute(PLAYER.delete().where(PLAYER.c.id == player))
