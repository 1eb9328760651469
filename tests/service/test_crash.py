"""Killed at any step, or two processes at once: a move is whole, mail and head, or is not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import pytest
import sqlalchemy as sa

from games.log.record import Move
from service import inbox, links, matches, play, records
from service.inbox import Arrival
from service.mail.inbound import route
from service.mail.inbound.route import Route
from service.mail.reply import take_up
from service.models import MATCH, OUTBOX, VERDICT
from service.opening import Invited
from service.settings import PREFIX, Settings
from service.site import Site, open_site
from tests.service.table import NOW, count, look, mails, move, started

STEPS = 45


def environment(settings: Settings) -> dict[str, str]:
    secret = {
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "SIGNER_URL": settings.signer_url.get_secret_value(),
        "DATA": str(settings.data),
    }
    return os.environ | {PREFIX + name: value for name, value in secret.items()}


@pytest.mark.timeout(300)
def test_a_kill_at_any_step_leaves_a_whole_move_or_none(site: Site) -> None:
    matches = [
        started(
            site,
            nonce=str(n),
            address=f"anna-{n}@example.org",
            invited=(Invited("Bo", f"bo-{n}@example.org"),),
        )
        for n in range(STEPS)
    ]
    mails(site)
    command = [sys.executable, "-m", "tests.service.crash", "move", "1", *matches]
    done = subprocess.run(
        command, env=environment(site.settings), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    killed = int(done.stdout)
    assert 10 < killed < STEPS
    moved = [count(site, match) == 5 for match in matches[:killed]]
    assert moved == sorted(moved), "once a step is past the commit, so are all later ones"
    assert {False, True} == set(moved)
    for match, played in zip(matches, moved, strict=False):
        whole(site, match, played)
    with closing(open_site(site.settings)) as restarted:
        posted = [mail.match for mail in mails(restarted, "turn")]
        assert sorted(filter(None, posted)) == sorted(
            match for match in matches if count(site, match) == 5
        )
        for match in matches[:killed]:
            assert restarted.signer.last(match) == count(restarted, match)
            move(restarted, match, 1)


def whole(site: Site, match: str, played: bool) -> None:
    """Records, index, link and mail agree about whether there was a move."""
    seen = look(site, match)
    with site.db.read() as conn:
        lines = records.load(conn, match)
        first = seen.mover if not played else 3 - seen.mover
        link = links.of_turn(conn, match, first, 3)
        turns = sa.select(OUTBOX.c.wait).where(OUTBOX.c.match == match, OUTBOX.c.kind == "turn")
        waits = sorted(conn.execute(turns).scalars())
    assert (seen.row.n, seen.row.head) == (lines[-1].n, lines[-1].hash)
    assert link is not None
    assert (link.used is not None) == played
    assert waits == ([3, 4] if played else [3])


class Fault(Exception):
    """A database or disk gives up."""


def test_a_fault_at_any_statement_or_commit_leaves_a_move_with_its_mail_or_neither(
    site: Site,
) -> None:
    """A move that comes by mail has one that says so, too. The process goes on, and what was asked
    for can still be done, once."""
    match, steps = started(site), []
    for round, way in enumerate((by_page, by_mail) * 2):
        number = count(site, match)
        act, step = way(site, match, NOW + round * 600), 0
        while count(site, match) == number:
            step += 1
            with suppress(Fault), faulty(step):
                act()
            written(site, match)
        act()
        assert count(site, match) == number + 1
        written(site, match)
        steps.append(step)
    assert min(steps) > 10


@contextmanager
def faulty(step: int) -> Iterator[None]:
    """Raises at the so many-th statement or commit."""
    left = iter(range(step - 1))

    def fault(*_: object) -> None:
        if next(left, None) is None:
            raise Fault

    events = ("before_cursor_execute", "commit")
    for event in events:
        sa.event.listen(sa.Engine, event, fault)
    try:
        yield
    finally:
        for event in events:
            sa.event.remove(sa.Engine, event, fault)


def by_page(site: Site, match: str, now: int) -> Callable[[], object]:
    """A move from the page, sent again and again."""
    seen = look(site, match)

    def act() -> object:
        return play.submit(
            site,
            match=match,
            seat=seen.mover,
            line=seen.moves[0],
            wait=seen.row.wait,
            on=seen.row.n,
            via="web",
            now=now,
        )

    return act


def by_mail(site: Site, match: str, now: int) -> Callable[[], object]:
    """A move in a mail that has been kept, taken up again and again."""
    seen = look(site, match)
    with site.db.read() as conn:
        link = links.address(conn, match, seen.mover, seen.row.wait)
        author = matches.seats(conn, match)[seen.mover - 1].address
    assert link is not None
    to = route.address(site.settings.answers, Route("t", links.token(site.keys.link, "t", link.id)))
    raw = f"From: {author}\nTo: {to}\nMessage-ID: <{seen.row.n}@x.example>\n\n{seen.moves[0]}\n"
    inbox.store(site.db, Arrival(to, raw.encode(), now))
    (row,) = inbox.due(site.db, now)
    return lambda: take_up(site, row, now)


def written(site: Site, match: str) -> None:
    """There is a mail about every turn, and one for every move that came by mail, and no other."""
    with site.db.read() as conn:
        moves = [body for body in bodies(conn, match) if isinstance(body, Move)]
        verdicts = conn.execute(sa.select(VERDICT.c.action)).scalars().all()
        kinds = sa.select(OUTBOX.c.kind).where(OUTBOX.c.match == match)
        mails = Counter(conn.execute(kinds).scalars())
    mailed = [move for move in moves if move.by.via == "mail"]
    assert mails["turn"] == 1 + len(moves)
    assert mails["ack"] == len(mailed) == len(verdicts)


def bodies(conn: sa.Connection, match: str) -> list[object]:
    return [record.body for record in records.load(conn, match)]


def test_two_processes_of_ten_threads_write_one_record(site: Site) -> None:
    match = started(site)
    seen = look(site, match)
    lines = list(dict.fromkeys(seen.moves))[:20]
    assert len(lines) == 20
    racers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.service.racer", match, str(seen.mover), *share],
            env=environment(site.settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for share in (lines[:10], lines[10:])
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    answers = [racer.communicate("go\n")[0].split() for racer in racers]
    assert sum(int(won) for won, _, _ in answers) == 1
    assert sum(int(stale) for _, stale, _ in answers) == 19
    assert count(site, match) == 5
    with site.db.read() as conn:
        assert conn.execute(sa.select(MATCH.c.n)).scalar() == 4
