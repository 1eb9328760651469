"""Whole matches in the service on a virtual clock, against the ledger of half hours: every control,
with and without weekends, with vacations, pauses, outages, and seats that run out of time."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

import pytest

from games.position import Phase, gone
from service import beat, clock, matches, play, records, vacation, worker
from service.clock import DAY, HOUR, NOTICE
from service.opening import Invited
from service.site import Site
from tests.mail.recorder import Recorder
from tests.service import table
from tests.service.conftest import ON_SQLITE
from tests.service.table import NOW, Look, look, three
from tests.service.test_clocks import CONTROLS, HALF, SEATS, Ledger, notation

MONTH = 30 * DAY
STEPS = 10
SEED = 1
KINDS = ("vacation", "pause", "vacation pause outage")


@dataclass
class Played:
    """A match of three in the service, and its ledger."""

    site: Site
    match: str
    ledger: Ledger
    now: int = NOW

    @property
    def seen(self) -> Look:
        return look(self.site, self.match)

    def until(self, time: int) -> None:
        """Lets time pass, and everybody run out of it who does so meanwhile."""
        while (due := self.seen.row.deadline) is not None and due < time:
            self.pass_to(max(due, self.now) + HALF)
            assert self.ledger.used >= self.ledger.allowed, "nobody runs out with time left"
            self.sweep()
            self.ledger.turn(self.seen.row.mover or self.ledger.mover)
            self.agrees()
        if time > self.now:
            self.pass_to(time)
        self.sweep()
        self.agrees()

    def pass_to(self, time: int) -> None:
        self.ledger.walk(self.now, time)
        self.now = time

    def sweep(self) -> None:
        worker.clocks(self.site, Recorder(), self.now)

    def agrees(self) -> None:
        """The service says what the ledger says: until when there is time, and what all banks
        hold."""
        row, ledger = self.seen.row, self.ledger
        if row.phase is not Phase.RUNNING:
            return
        assert row.mover == ledger.mover
        if ledger.used < ledger.allowed or not ledger.control.limited:
            assert row.deadline == ledger.deadline(self.now)
        with self.site.db.read() as conn:
            clocks = records.standing(self.site, conn, self.match).clocks
        if clocks.banks:
            assert list(clocks.banks) == ledger.banks
            for seat in {1, 2, 3} - {ledger.mover}:
                assert clock.left(clocks, seat, self.now) == ledger.banks[seat - 1]

    def staying(self) -> list[int]:
        return [seat for seat in range(1, SEATS + 1) if seat not in gone(self.seen.position)]

    def move(self, number: int) -> None:
        due = self.seen.row.deadline
        if due is None or self.now < due:
            table.move(self.site, self.match, number, self.now)
            self.ledger.turn(self.seen.row.mover or self.ledger.mover)

    def pause(self, number: int) -> None:
        if not self.ledger.control.limited or self.ledger.paused:
            return
        for seat in self.staying():
            self.act(seat, "pause")
        self.ledger.paused = True

    def resume(self, number: int) -> None:
        if self.ledger.paused:
            self.act(self.staying()[0], "resume")
            self.ledger.paused, self.ledger.rests = False, self.now + NOTICE

    def act(self, seat: int, kind: str) -> None:
        on = self.seen.row.n
        play.act(
            self.site,
            match=self.match,
            seat=seat,
            act=kind,
            on=on,
            via="web",
            now=self.now,  # type: ignore[arg-type]
        )

    def vacation(self, number: int) -> None:
        """A seat that is still in goes on vacation, or comes back early."""
        staying = self.staying()
        seat = staying[number % len(staying)]
        with self.site.db.read() as conn:
            player = matches.seats(conn, self.match)[seat - 1].player or 0
            planned = vacation.since(conn, player, self.now)
        if planned:
            assert vacation.end(self.site, player, planned[0].id, self.now)
            self.stands(seat, planned[0].begins, self.now)
        elif self.time_left():
            vacation.plan(self.site, player, None, number % 4 + 1, self.now)
            with self.site.db.read() as conn:
                (one,) = vacation.since(conn, player, self.now)
            self.stands(seat, one.begins, one.ends)

    def time_left(self) -> bool:
        due = self.seen.row.deadline
        return due is None or self.now < due

    def stands(self, seat: int, began: int, ended: int) -> None:
        if self.ledger.control.vacation:
            kept = [span for span in self.ledger.away[seat] if span[0] != began]
            self.ledger.away[seat] = [*kept, (began, ended)]

    def outage(self, number: int) -> None:
        """Nothing happens for hours, and nobody loses them."""
        began = self.now
        self.now += (number % 60 + 1) * HALF
        for seat in range(1, SEATS + 1):
            self.ledger.away[seat].append((began, self.now))
        beat.retire(self.site.db, "worker")
        beat.beat(self.site.db, "worker", began)
        beat.beat(self.site.db, "worker", self.now)
        self.sweep()


def begun(site: Site, text: str, start: int) -> Played:
    """A match of people of its own; the first turn begins with it."""
    invited = tuple(Invited(name, f"{name}-{start}@example.org") for name in ("Bo", "Cy"))
    match = three(
        site,
        start,
        nonce=str(start),
        clock=text,
        address=f"anna-{start}@example.org",
        invited=invited,
    )
    played = Played(site, match, Ledger(text), start)
    played.ledger.mover = played.seen.mover
    return played


def steps(kinds: str, chance: random.Random) -> list[str]:
    others = [kind for kind in ("vacation", "pause", "outage") if kind in kinds]
    others += ["resume"] if "pause" in kinds else []
    return chance.choices(["move", *others], [2 + len(others), *(1 for _ in others)], k=STEPS)


def played_through(site: Site, text: str, kinds: str, start: int) -> int:
    """Plays a match; when it was over."""
    played, chance = begun(site, text, start), random.Random(f"{SEED} {text} {kinds}")
    played.agrees()
    for step in steps(kinds, chance):
        played.until(played.now + chance.randint(1, 96) * HALF)
        if played.seen.row.phase is not Phase.RUNNING:
            return played.now
        getattr(played, step)(chance.randrange(1_000))
        played.agrees()
    played.resume(0)
    ends_by_itself(played)
    return played.now


def ends_by_itself(played: Played) -> None:
    """With a limit, a match in which nobody does anything any more is over in the end."""
    played.until(played.now + 3 * (played.ledger.control.cap + MONTH))
    over = played.seen.row.phase is Phase.CLOSED
    assert over == played.ledger.control.limited


@ON_SQLITE
@pytest.mark.parametrize("kinds", KINDS)
def test_every_control_through_whole_matches_is_what_the_ledger_says(
    site: Site, kinds: str
) -> None:
    controls = [notation(*pair) for pair in product(CONTROLS, ("Europe/Berlin", ""))]
    time = NOW + 70 * DAY  # in the week in which winter time ends in Berlin
    for text in (*dict.fromkeys(controls), "3d no vacation"):
        time = played_through(site, text, kinds, time + HOUR)
