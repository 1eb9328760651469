"""A table to play at in tests: matches opened, joined and played by what is in the mail."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import SQLModel

from games.log.record import Via
from games.position import Position
from service import links, lobby, matches, outbox, play, records
from service.joining import JoinForm
from service.lobby import Entered
from service.matches import MatchRow
from service.opening import Invited, Opening
from service.outbox import Row
from service.play import Receipt
from service.site import Site

NOW = 1_800_000_000
ANNA = "anna@example.org"
BO = "bo@example.org"


def form(**changes: object) -> Opening:
    """Anna invites Bo to a match of Malawi."""
    fields: dict[str, object] = {
        "nonce": "n1",
        "game": "malawi",
        "name": "Anna",
        "address": ANNA,
        "language": "de",
        "zone": "Europe/Berlin",
        "invited": (Invited("Bo", BO),),
    }
    return Opening(**(fields | changes))  # type: ignore[arg-type]


def mails(site: Site, kind: str | None = None, now: int = NOW + 100) -> list[Row]:
    """The mails that a worker would find due; claiming takes them."""
    found = outbox.claim(site.db, "table", now, 1000)
    return [row for row in found if kind in (None, row.kind)]


def token(site: Site, row: Row) -> str:
    """The token of the link in a mail."""
    assert row.link is not None
    purposes: dict[str, links.Purpose] = {
        "confirm": "a",
        "access": "a",
        "invitation": "i",
        "turn": "w",
    }
    return links.token(site.keys.link, purposes[row.kind], row.link)


def opened(site: Site, now: int = NOW, **changes: object) -> Entered:
    """A match that Anna has opened by her confirm link."""
    lobby.ask(site, form(**changes), now)
    (mail,) = mails(site, "confirm", now)
    return lobby.confirm(site, token(site, mail), now)


def invitation(site: Site, now: int = NOW) -> str:
    """The token of the invitation that is in the post."""
    (mail,) = mails(site, "invitation", now)
    return token(site, mail)


def started(site: Site, now: int = NOW, **changes: object) -> str:
    """A match that Bo has joined."""
    match = opened(site, now, **changes).match
    assert match is not None
    lobby.join(site, invitation(site, now), JoinForm("Bo", "en", "UTC"), now)
    return match


def three(site: Site, now: int = NOW, **changes: object) -> str:
    """A match of three that has started: Black Monday."""
    guests = (Invited("Bo", BO), Invited("Cy", "cy@example.org"))
    match = opened(site, now, **{"game": "black-monday", "invited": guests} | changes).match
    assert match is not None
    for guest, mail in zip(guests, mails(site, "invitation", now), strict=True):
        lobby.join(site, token(site, mail), JoinForm(guest.name, "en", "UTC"), now)
    return match


@dataclass(frozen=True)
class Look:
    """What a page about a match reads."""

    row: MatchRow
    position: Position

    @property
    def mover(self) -> int:
        assert self.row.mover is not None
        return self.row.mover

    @property
    def moves(self) -> list[str]:
        rules = self.position.rules
        return [rules.notate(move) for move in rules.legal_moves(self.position.state)]


def look(site: Site, match: str) -> Look:
    with site.db.read() as conn:
        return Look(matches.find(conn, match), records.position(site, conn, match))


def move(
    site: Site, match: str, choice: int = 0, now: int = NOW, line: str = "", via: Via = "web"
) -> Receipt:
    """Whoever is to move plays a line, or one of the legal moves."""
    seen = look(site, match)
    return play.submit(
        site,
        match=match,
        seat=seen.mover,
        line=line or seen.moves[choice % len(seen.moves)],
        wait=seen.row.wait,
        on=seen.row.n,
        via=via,
        now=now,
    )


def played_out(site: Site, now: int = NOW, **changes: object) -> str:
    """A whole match of legal moves."""
    match = started(site, now, **changes)
    for turn in range(1000):
        if move(site, match, turn * 7, now).over:
            return match
    raise AssertionError("the match does not end")


def count(site: Site, match: str) -> int:
    """How many records the match has."""
    with site.db.read() as conn:
        return len(records.lines(conn, match))


def dump(site: Site) -> list[object]:
    """All rows of all tables."""
    with site.db.read() as conn:
        return [conn.execute(sa.select(table)).all() for table in SQLModel.metadata.sorted_tables]


def at_once(jobs: list[Callable[[], object]]) -> list[object]:
    """What the jobs return or raise, all let go at one barrier."""
    barrier = threading.Barrier(len(jobs))
    results: list[object] = [None] * len(jobs)

    def run(place: int, job: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[place] = job()
        except (ValueError, LookupError) as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=item) for item in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
