"""Killed at any step, or two processes at once: a move is whole, mail and head, or is not."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing

import pytest
import sqlalchemy as sa

from service import links, records
from service.models import MATCH, OUTBOX
from service.opening import Invited
from service.settings import PREFIX, Settings
from service.site import Site, open_site
from tests.service.table import count, look, mails, move, started

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
