"""Clocks through whole matches on a virtual clock: against a ledger that walks every half hour."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from games.core.rules import Chance, Dice, ToMove, complete
from games.log.record import Act, Body, Move, Open, Record, Start, Sys, Tip
from games.log.writing import by
from games.position import Phase, Result
from games.registry import newest
from games.replay import begin
from service import clock
from service.clock import DAY, HOUR, JOIN, NOTICE, Clocks, parse

M = "m_0123456789ABCDEF"
GAME = "black-monday"
HALF = 1_800
SEATS = 3
MONDAY = int(datetime(2027, 3, 22, tzinfo=ZoneInfo("UTC")).timestamp())
"""Of the week in which the clocks change in Berlin; in New York they did so a week before."""

CONTROLS = (
    "none",
    "2d",
    "3d",
    "3d free 12h",
    "12d in all",
    "4d in all free 24h",
    "5d+12h cap 6d",
    "2d+36h cap 2d free 24h",
)
WEEKENDS = ("", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")


def notation(time: str, zone: str) -> str:
    return f"{time} weekends off {zone}" if zone and time != "none" else time


class Match:
    """The records of a match of three, as far as clocks look at them."""

    def __init__(self, control: str, start: int = MONDAY) -> None:
        options = tuple(sorted(complete(newest(GAME), SEATS, {}).items()))
        tip = Tip(64, bytes(32))
        opened = Open(1, GAME, 1, options, SEATS, control, "F1", "", "", tip, tip)
        record = Record(M, 0, start, b"", bytes(32), opened)
        self.position = begin(record)
        self.clocks = clock.begin(record, self.position)
        self.time = start

    def say(self, body: Body, mover: int | None, **changes: object) -> Clocks:
        """One more record, after which a seat is to move."""
        turn = None if mover is None else ToMove(mover)
        after = {"phase": Phase.RUNNING, "turn": turn} | changes
        self.position = self.position._replace(n=self.position.n + 1, **after)  # type: ignore[arg-type]
        record = Record(M, self.position.n - 1, self.time, b"", bytes(32), body)
        self.clocks = clock.follow(self.clocks, record, self.position)
        return self.clocks

    def start(self, seat: int = 1) -> Clocks:
        return self.say(Start(("p_a", "p_b", "p_c")), seat)

    def move(self, seat: int, following: int) -> Clocks:
        return self.say(Move(seat, "x", by(0, "web", seat=seat, mv="x")), following)

    def act(self, seat: int, act: str, **changes: object) -> Clocks:
        said = by(0, "web", seat=seat, act=act)
        return self.say(Act(seat, act, said), self.clocks.mover, **changes)  # type: ignore[arg-type]

    def give(self, secs: int, seat: int | None = None) -> Clocks:
        return self.say(Sys("clock", "why", seat, secs=secs), self.clocks.mover)

    def time_out(self) -> Clocks:
        """The seat to move leaves; the next one still in is to move, if two or more are."""
        late = self.clocks.mover
        assert late is not None
        left = (*self.position.left, (late, "timeout"))
        still = [seat for seat in (1, 2, 3) if seat not in dict(left)]
        body = Sys("timeout", "why", late)
        if len(still) == 1:
            over = Result("timeout", (1, 2, 3))
            return self.say(body, None, left=left, phase=Phase.OVER, result=over)
        following = next((seat for seat in still if seat > late), still[0])
        return self.say(body, following, left=left)


@dataclass
class Ledger:
    """The same clocks, kept by walking through time half an hour after another."""

    text: str
    banks: list[int] = field(default_factory=list)
    owed: list[int] = field(default_factory=lambda: [0] * SEATS)
    mover: int = 1
    used: int = 0
    paused: bool = False
    rests: int = 0
    away: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    """When a seat's clock stands if it is to move: vacations that have begun, and outages."""

    def __post_init__(self) -> None:
        self.control = parse(self.text)
        self.banks = [self.control.bank] * SEATS

    def counts(self, slot: int) -> bool:
        """Whether a half hour counts."""
        if self.paused or slot < self.rests:
            return False
        if any(began <= slot < ended for began, ended in self.away[self.mover]):
            return False
        zone = self.control.weekends
        return not zone or datetime.fromtimestamp(slot, ZoneInfo(zone)).weekday() < 5

    def walk(self, start: int, end: int) -> None:
        self.used += HALF * sum(self.counts(slot) for slot in range(start, end, HALF))

    @property
    def allowed(self) -> int:
        time = self.control.turn or self.banks[self.mover - 1]
        return self.control.free + time

    def deadline(self, now: int) -> int | None:
        if not self.control.limited or self.paused:
            return None
        now, used = max(now, self.rests), self.used
        while used < self.allowed:
            used += HALF if self.counts(now) else 0
            now += HALF
        return now

    def turn(self, following: int) -> None:
        """The turn is paid for, and another seat's begins."""
        if following == self.mover:
            return
        paid, control = self.banks[self.mover - 1], self.control
        paid -= min(paid, max(0, self.used - control.free))
        self.banks[self.mover - 1] = min(control.cap, paid + control.increment)
        self.mover, self.used = following, -self.owed[following - 1]
        self.owed[following - 1] = 0

    def give(self, secs: int, seat: int | None) -> None:
        if seat in (None, self.mover):
            self.used -= secs
        else:
            self.owed[seat - 1] += secs  # type: ignore[operator]


def move(match: Match, ledger: Ledger, seat: int, _: int) -> None:
    mover = match.clocks.mover or 0
    following = seat if seat != mover else seat % SEATS + 1
    match.move(mover, following)
    ledger.turn(following)


def move_again(match: Match, ledger: Ledger, seat: int, _: int) -> None:
    mover = match.clocks.mover or 0
    match.move(mover, mover)


def give(match: Match, ledger: Ledger, seat: int, halves: int) -> None:
    to = None if halves % 2 else seat
    match.give(halves * HALF, to)
    ledger.give(halves * HALF, to)


def ask(match: Match, ledger: Ledger, seat: int, _: int) -> None:
    asked = {*match.clocks.asked, seat}
    match.act(seat, "pause")
    ledger.paused = ledger.paused or len(asked) == SEATS


def pause(match: Match, ledger: Ledger, seat: int, _: int) -> None:
    for one in range(1, SEATS + 1):
        match.act(one, "pause")
    ledger.paused = True


def resume(match: Match, ledger: Ledger, seat: int, _: int) -> None:
    match.act(seat, "resume")
    if ledger.paused:
        ledger.paused, ledger.rests = False, match.time + NOTICE


Step = tuple[int, Callable[[Match, Ledger, int, int], None], int, int]
"""After so many half hours a seat does something, with a number."""
steps = st.lists(
    st.tuples(
        st.integers(0, 5 * 48),
        st.sampled_from((move, move, move, move_again, give, ask, pause, resume)),
        st.integers(1, SEATS),
        st.integers(-20, 200),
    ),
    max_size=25,
)
controls = st.builds(notation, st.sampled_from(CONTROLS), st.sampled_from(WEEKENDS))


@hypothesis(max_examples=120)
@given(controls, steps)
@example("none", [(240, move, 2, 0)] * 9)
def test_clocks_are_what_a_walk_through_time_makes_of_them(text: str, steps: list[Step]) -> None:
    match, ledger = Match(text), Ledger(text)
    match.start()
    for wait, act, seat, number in steps:
        due, then = clock.deadline(match.clocks), match.time + wait * HALF
        if due is not None and then >= due:
            break
        ledger.walk(match.time, then)
        match.time = then
        act(match, ledger, seat, number)
        assert match.clocks.mover == ledger.mover
        assert match.clocks.paused == ledger.paused
        compare(match, ledger)
    ends_by_itself(match)


def compare(match: Match, ledger: Ledger) -> None:
    expected = ledger.deadline(match.time)
    found = clock.deadline(match.clocks)
    if expected is not None and ledger.used >= ledger.allowed:
        assert found is not None
        assert found <= max(match.time, ledger.rests)
    else:
        assert found == expected
    if match.clocks.banks:
        assert list(match.clocks.banks) == ledger.banks
        assert max(ledger.banks) <= ledger.control.cap
        for seat in range(1, SEATS + 1):
            left = clock.left(match.clocks, seat, match.time)
            bank = ledger.banks[seat - 1]
            spent = ledger.used - ledger.control.free if seat == ledger.mover else 0
            assert left == min(bank, max(0, bank - spent))


def ends_by_itself(match: Match) -> None:
    """With a limit and without a pause, a match in which nobody moves any more is over in the
    end."""
    if match.clocks.paused:
        assert clock.deadline(match.clocks) is None
        match.act(1, "resume")
    for _seat in range(SEATS - 1):
        due = clock.deadline(match.clocks)
        assert (due is None) == (not match.clocks.control.limited)
        if due is None:
            return
        match.time = max(match.time, due)
        match.time_out()
    assert match.clocks.mover is None
    assert clock.deadline(match.clocks) is None


def test_the_worked_example_of_the_module_holds() -> None:
    match = Match("10d+36h cap 10d free 24h")
    noon = match.time = MONDAY + 12 * HOUR
    match.start()
    assert clock.deadline(match.clocks) == noon + 11 * DAY
    match.time = noon + 78 * HOUR
    match.move(1, 2)
    assert clock.left(match.clocks, 1, match.time) == 9 * DAY + 6 * HOUR
    saturday = match.time = MONDAY + 5 * DAY + 9 * HOUR
    match.move(2, 1)
    assert clock.deadline(match.clocks) == saturday + 10 * DAY + 6 * HOUR


def test_three_cases_that_were_worked_out_by_hand_from_the_module_hold() -> None:
    friday = int(datetime(2027, 3, 26, 12, tzinfo=ZoneInfo("Europe/Berlin")).timestamp())
    weekend = Match("2d weekends off Europe/Berlin", friday)
    weekend.start()
    tuesday = int(datetime(2027, 3, 30, 12, tzinfo=ZoneInfo("Europe/Berlin")).timestamp())
    assert clock.deadline(weekend.clocks) == tuesday, "12 h of Friday, Monday, 12 h of Tuesday"
    weekend.give(3 * HOUR)
    assert clock.deadline(weekend.clocks) == tuesday + 3 * HOUR

    bank = Match("4d in all free 24h")
    bank.start()
    assert clock.deadline(bank.clocks) == MONDAY + 5 * DAY
    for hours, seat in ((60, 1), (10, 2), (2, 3)):
        bank.time += hours * HOUR
        bank.move(seat, seat % SEATS + 1)
    assert bank.clocks.banks == (60 * HOUR, 4 * DAY, 4 * DAY), "36 h of the 60 were not free"
    assert clock.deadline(bank.clocks) == MONDAY + 3 * DAY + 84 * HOUR

    paused = Match("3d")
    paused.start()
    paused.time += 30 * HOUR
    for seat in (1, 2, 3):
        paused.act(seat, "pause")
    paused.time = MONDAY + 4 * DAY + 9 * HOUR
    paused.act(2, "resume")
    assert clock.deadline(paused.clocks) == MONDAY + 5 * DAY + 9 * HOUR + 42 * HOUR


def test_chance_within_a_turn_and_a_second_line_renew_nothing() -> None:
    match = Match("3d free 12h")
    match.start()
    due = clock.deadline(match.clocks)
    match.time += DAY
    said = by(0, "web", seat=1, mv="x")
    match.say(Move(1, "x", said), None, turn=Chance("pub", Dice((6,))))
    assert match.say(Move(1, "x", said), 1).began == MONDAY
    assert clock.deadline(match.clocks) == due


def test_a_bank_is_charged_for_no_more_than_it_holds() -> None:
    """A move that arrived in time may be written later."""
    match = Match("2d+36h cap 2d")
    match.start()
    match.time += 3 * DAY
    assert match.move(1, 2).banks == (36 * HOUR, 2 * DAY, 2 * DAY)


def test_an_outage_that_is_made_up_for_moves_the_deadline_by_itself() -> None:
    match = Match("5d+12h cap 6d weekends off Europe/Berlin")
    match.start()
    due = clock.deadline(match.clocks) or 0
    match.time = due + HOUR
    match.give(3 * HOUR)
    assert clock.deadline(match.clocks) == due + 3 * HOUR
    assert match.move(1, 2).banks[0] == 12 * HOUR + 2 * HOUR


def test_seconds_for_a_seat_that_waits_are_for_its_next_turn() -> None:
    match = Match("3d")
    match.start()
    due = clock.deadline(match.clocks)
    match.give(DAY, 2)
    assert clock.deadline(match.clocks) == due
    match.move(1, 2)
    assert clock.deadline(match.clocks) == match.time + 4 * DAY
    match.move(2, 1)
    match.move(1, 2)
    assert clock.deadline(match.clocks) == match.time + 3 * DAY


def test_a_pause_needs_everybody_and_is_over_a_day_after_one_ends_it() -> None:
    match = Match("3d")
    match.start()
    match.time += DAY
    for seat in (2, 3):
        assert not match.act(seat, "pause").paused
    assert match.act(1, "pause").paused
    assert clock.deadline(match.clocks) is None
    match.time += 30 * DAY
    match.act(3, "resume")
    assert clock.deadline(match.clocks) == match.time + NOTICE + 2 * DAY
    match.time += HOUR
    match.move(1, 2)
    assert clock.deadline(match.clocks) == match.time - HOUR + NOTICE + 3 * DAY


def test_what_was_asked_before_a_move_or_a_leave_counts_no_more() -> None:
    match = Match("3d")
    match.start()
    match.act(2, "pause")
    match.move(1, 2)
    assert match.clocks.asked == ()
    match.act(2, "pause")
    match.move(2, 3)
    assert match.clocks.asked == (2,), "who asked may move"
    left = ((1, "resign"),)
    assert match.act(1, "resign", left=left).asked == ()
    assert not match.act(3, "pause").paused
    assert match.act(2, "pause").paused, "those who are still in agree"


def test_a_pause_outlasts_whoever_leaves() -> None:
    match = Match("3d")
    match.start()
    for seat in (1, 2, 3):
        match.act(seat, "pause")
    match.act(3, "resign", left=((3, "resign"),))
    assert match.clocks.paused


@pytest.mark.parametrize("text", ["none", "7d"])
def test_until_the_start_the_deadline_is_that_of_joining(text: str) -> None:
    match = Match(text)
    assert clock.deadline(match.clocks) == MONDAY + JOIN
    match.start()
    assert clock.deadline(match.clocks) == (None if text == "none" else MONDAY + 7 * DAY)
