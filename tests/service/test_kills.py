"""A process is killed at any point of a move, a time-out or a mail: nothing is lost or doubled.

`pytest tests/service/test_kills.py --kills 100` kills 100 times for each action and engine, about a
thousand in all; without the option a few times each.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from games.verify import verify
from service import play, records, signing, vacation, worker
from service.models import OUTBOX
from service.opening import Invited
from service.policy import policy_for
from service.site import Site
from tests.service.doomed import ACTIONS, Ledger, come_back, leave, player_to_move
from tests.service.table import NOW, count, look, move, started
from tests.service.test_crash import environment

LENGTHS = {
    "move": (28, 100_000),
    "timeout": (33, 100_000),
    "send": (47, 1_000_000),
    "leave": (40, 100_000),
    "come back": (40, 100_000),
}
"""How many steps an action has, and how many microseconds it takes, about."""
HOUR = 3_600
LATE = NOW + 30 * HOUR
HOURS = {"timeout": LATE, "come back": NOW + HOUR}


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--kills"))


@dataclass
class Nursery:
    """Where children are made that are killed."""

    process: subprocess.Popen[str]
    length: tuple[int, int]
    chance: random.Random

    def child(self, match: str, now: int) -> bool:
        """Whether it was killed before it was done: at a step, or at any moment."""
        steps, micros = (self.chance.randint(1, longest) for longest in self.length)
        step = self.chance.choice((0, steps))
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{match} {now} {step} {micros}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        assert answer in ("killed", "done")
        return answer == "killed"


@contextmanager
def nursery(site: Site, action: str, ledger: Path) -> Iterator[Nursery]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.service.doomed", action, str(ledger)],
        env=environment(site.settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Nursery(process, LENGTHS[action], random.Random(f"{action} {site.db.lite}"))


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("action", ACTIONS)
def test_whatever_is_killed_is_whole_afterwards(
    site: Site, action: str, kills: int, tmp_path: Path
) -> None:
    ledger = tmp_path / "ledger"
    done, killed, effective = 0, 0, 0
    with nursery(site, action, ledger) as nurse:
        while killed < kills:
            done += 1
            match = begun(site, done)
            if action == "come back":
                leave(site, match, NOW, Ledger(ledger))
            before = count(site, match)
            if nurse.child(match, HOURS.get(action, NOW)):
                killed += 1
                effective += count(site, match) > before
            signing.sweep(site)
            AFTERWARDS[action](site, match, before, ledger)
            whole(site, match)
    engine = "SQLite" if site.db.lite else "PostgreSQL"
    said = f"{killed} killed of {done}, {effective} after the commit"
    print(f"\n{action} on {engine}: {said}; {doubled(ledger)} mails went out twice")


def begun(site: Site, number: int) -> str:
    """A match of two people of its own."""
    return started(
        site,
        nonce=str(number),
        clock="2h",
        address=f"anna-{number}@example.org",
        invited=(Invited("Bo", f"bo-{number}@example.org"),),
    )


def whole(site: Site, match: str) -> None:
    """Records, index and heads agree, and the log verifies."""
    with site.db.read() as conn:
        assert not records.astray(site, conn, match)
    assert site.signer.last(match) == count(site, match)
    data = records.export(site, match)
    assert verify(data, policy_for(site, data)).ok


def moved(site: Site, match: str, before: int, ledger: Path) -> None:
    """The move is there, or can be made: its mail is there once, and so is what comes after it."""
    if count(site, match) == before:
        move(site, match)
    assert count(site, match) == before + 1
    assert kinds(site, match)["turn"] == 2
    move(site, match)
    assert count(site, match) == before + 2


def ended(site: Site, match: str, before: int, ledger: Path) -> None:
    """The match is over or can be ended, once, and both players are told once."""
    over, wait = count(site, match) > before, look(site, match).row.wait
    assert play.timeout(site, match=match, wait=wait, now=LATE) != over
    assert not play.timeout(site, match=match, wait=wait, now=LATE)
    assert look(site, match).row.why == "timeout"
    with site.db.read() as conn:
        names = [type(record.body).__name__ for record in records.load(conn, match)]
    assert (names.count("Sys"), names.count("End")) == (1, 1)
    assert kinds(site, match)["result"] == 2


def sent(site: Site, match: str, before: int, ledger: Path) -> None:
    """Every mail goes out, and if it does so twice, then with the same bytes."""
    while worker.post(site, Ledger(ledger), NOW + 1_000):
        pass
    query = sa.select(OUTBOX.c.raw_sha256).where(OUTBOX.c.state == "sent")
    with site.db.read() as conn:
        assert conn.execute(sa.select(OUTBOX.c.id).where(OUTBOX.c.state == "sending")).all() == []
        known = {digest.hex() for digest in conn.execute(query).scalars()}
    assert known == set(ledger.read_text().split())
    assert kinds(site, match)["turn"] == 1


def stands(site: Site, match: str, before: int, ledger: Path) -> None:
    """The clock of whoever is on vacation stands for two days, whether they or the worker wrote
    that; or they can go."""
    worker.clocks(site, Ledger(ledger), NOW + 10)
    with site.db.read() as conn:
        planned = vacation.since(conn, player_to_move(site, match), 0)
    if not planned:
        assert count(site, match) == before
        leave(site, match, NOW, Ledger(ledger))
    worker.clocks(site, Ledger(ledger), NOW + 100)
    assert count(site, match) == before + 1
    assert look(site, match).row.deadline == NOW + 50 * HOUR


def runs(site: Site, match: str, before: int, ledger: Path) -> None:
    """It runs again from the hour on at which they came back, or they can come back."""
    worker.clocks(site, Ledger(ledger), NOW + HOUR + 10)
    if count(site, match) == before:
        assert come_back(site, match, NOW + HOUR, Ledger(ledger))
    worker.clocks(site, Ledger(ledger), NOW + HOUR + 100)
    assert count(site, match) == before + 1
    assert look(site, match).row.deadline == NOW + 3 * HOUR


AFTERWARDS = {
    "move": moved,
    "timeout": ended,
    "send": sent,
    "leave": stands,
    "come back": runs,
}


def kinds(site: Site, match: str) -> Counter[str]:
    """How many mails of each kind are about a match."""
    with site.db.read() as conn:
        return Counter(
            conn.execute(sa.select(OUTBOX.c.kind).where(OUTBOX.c.match == match)).scalars()
        )


def doubled(ledger: Path) -> int:
    entries = ledger.read_text().split() if ledger.exists() else []
    return len(entries) - len(set(entries))
