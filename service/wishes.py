"""What players wish of their mail: at once or once a day, which kinds, at which hours."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from service.db import insert
from service.models import WISH

Delivery = Literal["instant", "digest", "off"]
DELIVERIES: tuple[Delivery, ...] = ("instant", "digest", "off")
MORNING = 8


@dataclass(frozen=True)
class Wishes:
    """Of one player. Hours are those of the player's zone.

    `digest` is the hour of the daily mail, `quiet_from` and `quiet_to` the hours between which no
    mail comes, `unwanted` the kinds that are not wanted. `once`: after a turn mail there is no
    other until the player was here again, last at `returned`. `crowded`: so many mails went out in
    a day that we chose the digest ourselves, and have not said so yet.

    Reminders of a turn come at `half` of its time, and `first` and `last` hours before its end, 0
    for never. `apart`: every turn is a thread of mails by itself, not the match.
    """

    delivery: Delivery = "instant"
    digest: int = MORNING
    quiet_from: int | None = None
    quiet_to: int | None = None
    unwanted: tuple[str, ...] = ()
    once: bool = False
    returned: int = 0
    crowded: bool = False
    half: bool = True
    first: int = 24
    last: int = 4
    apart: bool = False


USUAL = Wishes()
_FIND = sa.select(WISH).where(WISH.c.player == sa.bindparam("whose"))
_BACK = WISH.update().where(WISH.c.player == sa.bindparam("whose"), WISH.c.once)


def of(conn: sa.Connection, player: int) -> Wishes:
    """What a player wishes."""
    row = conn.execute(_FIND, {"whose": player}).mappings().first()
    if row is None:
        return USUAL
    given = {name: row[name] for name in Wishes.__dataclass_fields__}
    return Wishes(**{**given, "unwanted": tuple(row["unwanted"].split())})


def put(conn: sa.Connection, player: int, wishes: Wishes) -> None:
    """Keeps what a player wishes."""
    values = {**asdict(wishes), "unwanted": " ".join(wishes.unwanted)}
    row = insert(conn.dialect.name, WISH).values(player=player, **values)
    conn.execute(row.on_conflict_do_update(index_elements=["player"], set_=values))


def returned(conn: sa.Connection, player: int, now: int) -> None:
    """The player was here: of those who want one mail until then, the next one goes out."""
    conn.execute(_BACK, {"whose": player, "returned": now})


def digesters(conn: sa.Connection) -> list[int]:
    """The players who want one mail a day."""
    query = sa.select(WISH.c.player).where(WISH.c.delivery == "digest").order_by(WISH.c.player)
    return list(conn.execute(query).scalars())


def digest_time(wishes: Wishes, zone: str, now: int) -> int:
    """When the newest daily mail was due."""
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    due = local.replace(hour=wishes.digest, minute=0, second=0, microsecond=0)
    return int((due if due <= local else due - timedelta(days=1)).timestamp())


def quiet_until(wishes: Wishes, zone: str, now: int) -> int | None:
    """When the quiet hours are over in which this is; None if there are none now."""
    start, end = wishes.quiet_from, wishes.quiet_to
    if start is None or end is None or start == end:
        return None
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    hour = local.hour
    within = start <= hour < end if start < end else hour >= start or hour < end
    if not within:
        return None
    over = local.replace(hour=end, minute=0, second=0, microsecond=0)
    return int((over if over > local else over + timedelta(days=1)).timestamp())
