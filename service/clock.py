"""Time controls and clocks: what `clock` of a match means, and when a turn's time is over.

Everything here is a function of the records of a match and, where it says so, of the present. No
column of the database is asked. Times are Unix seconds.

The notation
    none                         no time limit
    7d                           7 days for every turn
    90d in all                   one bank of 90 days for all turns of a seat; nothing is added
    10d+36h cap 10d              each seat has a bank that begins with 10 days; at the end of each
                                 of its turns 36 hours are added, up to 10 days (the cap)
  To each of them but `none` may be added, in this order:
    free 24h                     the first 24 hours of every turn cost nothing
    weekends off Europe/Berlin   Saturdays and Sundays of that time zone do not count, from
                                 midnight to midnight
    no vacation                  the match goes on while a player is on vacation
  A span is whole minutes (`90m`), whole hours (`36h`), or from two days on whole days (`2d`), in
  the largest of these units that fits; it is at least one minute and at most 365 days. A day is 24
  hours, whatever daylight saving makes of it. So each control has exactly one spelling: `parse`
  takes that alone, `read` also what people type for it.

A turn
  begins with the record that makes its seat the one to move (its `at` is the first second that
  counts) and ends with the record after which another seat is to move, or none. What the lot does
  in between takes no time. A turn that goes on after a throw, or a seat that the rules let play
  again at once, is still the same turn: neither its time nor its free stretch begins anew.

Whose time runs
  The seat to move alone is charged, by the second, from `at` to `at`, weekends left out if they do
  not count, pauses always. A turn may take the free stretch and then the time per turn, or what
  was in the bank when it began. The deadline is the first second that is too late; `timeout` is
  written soon after it, once nothing that arrived before can be on its way. At the end of a
  turn the bank pays for what went beyond the free stretch, at most all it has (a move that arrived
  in time may have been written later), then the increment is added, up to the cap.

`sys` `clock` gives `secs` seconds (takes them, if below 0)
  to `seat`; without one, to the seat to move. If that seat is to move, its turn is judged as if it
  had taken so many seconds less, so the deadline is that much later; else its next turn will be.
  Nobody gains more than time to think: seconds that were given and not used are not kept.
  Vacations, outages and days without mail are such records; nothing else moves a deadline.
  Seconds count as on the clock: with weekends off, an hour given on Friday at 23:30 ends on Monday.

A pause
  `act` `pause` asks for one. When all seats still in the match have asked, no clock runs, whoever
  moves meanwhile. It is over 24 hours (NOTICE) after the first `resume`, by any of them, so that
  nobody's last minutes begin behind their back. As with other offers, what has been asked but not
  agreed to by all is void once a seat that has not asked moves, or a seat leaves; `resume` takes
  it back. A seat that leaves does not end a pause that holds.

A match that has not started has a deadline too, whatever its control: JOIN seconds after `open`,
and as much later as `sys` `clock` says before the start.

A worked example: `10d+36h cap 10d free 24h`. Ann's turn begins on Monday at 12:00: deadline
Friday of the next week, 12:00 (24 h and 10 days). She moves on Thursday at 18:00, after 78 hours;
her bank pays 54, holds 7 d 18 h, and gets 36 h: 9 d 6 h. Her next turn that begins on a Saturday at
9:00 is due 24 h + 9 d 6 h later, on Tuesday of the week after next at 15:00.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from games.core.rules import Chance
from games.log.record import Act, Move, Record, Sys
from games.position import Phase, Position, gone, mover
from service.errors import BadClock

MINUTE, HOUR, DAY = 60, 3_600, 86_400
NO_LIMIT = "none"
LONGEST = 365 * DAY
JOIN = 37 * DAY
"""How long a match waits for its players: an invitation's 30 days, and a week for a second one."""
NOTICE = DAY
"""From a `resume` to the end of the pause."""
SATURDAY = 5

_UNITS = {"d": DAY, "h": HOUR, "m": MINUTE}
_SPAN = r"(?:\d{1,6}[dhm])+"
_NOTATION = re.compile(
    rf"(?:(?P<turn>{_SPAN})|(?P<all>{_SPAN}) in all"
    rf"|(?P<bank>{_SPAN})\+(?P<increment>{_SPAN}) cap (?P<cap>{_SPAN}))"
    rf"(?: free (?P<free>{_SPAN}))?(?: weekends off (?P<weekends>[\w+/-]+))?"
    r"(?P<strict> no vacation)?",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True)
class Control:
    """A time control; spans in seconds, 0 for one that it has not."""

    turn: int = 0
    """For every turn; without it and without a bank there is no limit."""
    bank: int = 0
    increment: int = 0
    cap: int = 0
    free: int = 0
    weekends: str = ""
    """The zone whose Saturdays and Sundays do not count."""
    vacation: bool = True

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return bool(self.turn or self.bank)

    @property
    def text(self) -> str:
        """In the notation."""
        if not self.limited:
            return NO_LIMIT
        parts = [
            self._time(),
            f"free {_written(self.free)}" if self.free else "",
            f"weekends off {self.weekends}" if self.weekends else "",
            "" if self.vacation else "no vacation",
        ]
        return " ".join(part for part in parts if part)

    def _time(self) -> str:
        if self.turn:
            return _written(self.turn)
        if not self.increment:
            return f"{_written(self.bank)} in all"
        return f"{_written(self.bank)}+{_written(self.increment)} cap {_written(self.cap)}"

    def counted(self, start: int, end: int) -> int:
        """How many seconds from `start` to `end` count; 0 if `end` is not later."""
        if not self.weekends:
            return max(0, end - start)
        seconds = 0
        while start < end:
            off, on = _weekend(start, self.weekends)
            seconds += max(0, min(off, end) - start)
            start = on
        return seconds

    def later(self, start: int, seconds: int) -> int:
        """The first moment from `start` on at which so many seconds have counted."""
        if not self.weekends:
            return start + max(0, seconds)
        while seconds > 0:
            off, on = _weekend(start, self.weekends)
            if start + seconds <= off:
                return start + seconds
            seconds -= max(0, off - start)
            start = on
        return start


def parse(text: str) -> Control:
    """The control from its exact notation. Raises BadClock."""
    control = read(text)
    if control.text != text:
        raise BadClock
    return control


def read(typed: str) -> Control:
    """The control that somebody means: case and blanks are free, `1d12h` is `36h`. Raises
    BadClock."""
    text = re.sub(r" *\+ *", "+", " ".join(typed.split()))
    if text.lower() == NO_LIMIT:
        return Control()
    found = _NOTATION.fullmatch(text)
    if found is None:
        raise BadClock
    spans = {name: _span(found[name]) for name in ("turn", "bank", "increment", "cap", "free")}
    if found["all"]:
        spans["bank"] = spans["cap"] = _span(found["all"])
    if max(spans["bank"], spans["increment"]) > spans["cap"]:
        raise BadClock("Neither the bank nor what is added to it can be above the cap.")
    return Control(**spans, weekends=zone(found["weekends"] or ""), vacation=not found["strict"])


def _span(text: str | None) -> int:
    """Seconds; 0 for a span that is not there."""
    if text is None:
        return 0
    parts = re.findall(r"(\d+)([dhm])", text.lower())
    seconds = sum(int(number) * _UNITS[unit] for number, unit in parts)
    if seconds == 0:
        raise BadClock("A time control has no time of 0.")
    if seconds > LONGEST:
        raise BadClock("No time of a time control can be longer than a year (365d).")
    return seconds


def _written(seconds: int) -> str:
    if seconds % DAY == 0 and seconds > DAY:
        return f"{seconds // DAY}d"
    return f"{seconds // HOUR}h" if seconds % HOUR == 0 else f"{seconds // MINUTE}m"


def zone(typed: str) -> str:
    """The time zone that somebody means; "" is none. Raises BadClock."""
    if not typed:
        return ""
    if typed.lower() not in zones():
        raise BadClock("There is no time zone %(zone)s. One is Europe/Berlin.", zone=typed)
    return zones()[typed.lower()]


@cache
def zones() -> dict[str, str]:
    """All time zones by their name in small letters; `localtime` and its like are none."""
    return {name.lower(): name for name in available_timezones() if "/" in name or name == "UTC"}


def _weekend(time: int, zone: str) -> tuple[int, int]:
    """From when to when the weekend lasts that `time` is in, or else the next one."""
    day = datetime.fromtimestamp(time, ZoneInfo(zone)).date()
    saturday = day + timedelta(days=SATURDAY - day.weekday())
    return _midnight(saturday, zone), _midnight(saturday + timedelta(days=2), zone)


@lru_cache(4096)
def _midnight(day: date, zone: str) -> int:
    """When a day begins: where its midnight is skipped, with its first second; where there are two,
    with the first."""
    return int(datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).timestamp())


@dataclass(frozen=True)
class Clocks:
    """The clocks of a match after a record."""

    control: Control
    banks: tuple[int, ...]
    """What each seat had when its present turn began, or has for its next; () without banks."""
    given: tuple[int, ...]
    """What `sys` `clock` gave each seat for its next turn."""
    join_by: int | None
    """Until when one can join; None from the start on."""
    mover: int | None = None
    """Whose turn it is."""
    began: int = 0
    """When the turn began; before the first, the match."""
    used: int = 0
    """What of the turn has counted up to `since`, less what was given."""
    since: int = 0
    """From when on it counts, unless there is a pause."""
    asked: tuple[int, ...] = ()
    """The seats that want a pause, in the order in which they asked."""
    paused: bool = False
    rests: int = 0
    """Until then no clock runs, since a pause was over on notice."""


class Standing(NamedTuple):
    """A position with its clocks."""

    position: Position
    clocks: Clocks


def begin(record: Record, position: Position) -> Clocks:
    """The clocks after record 0. Raises BadClock."""
    control, seats = parse(position.opened.clock), position.opened.seats
    banks = (control.bank,) * seats if control.bank else ()
    return Clocks(control, banks, (0,) * seats, record.at + JOIN, began=record.at)


def follow(clocks: Clocks, record: Record, after: Position) -> Clocks:
    """The clocks after one more record, which led to the position `after`."""
    clocks = _told(clocks, record, after)
    if after.phase is not Phase.JOINING:
        clocks = replace(clocks, join_by=None)
    if after.phase is Phase.RUNNING and isinstance(after.turn, Chance):
        return clocks
    seat = mover(after)
    return clocks if seat == clocks.mover else _turned(clocks, seat, record.at)


def deadline(clocks: Clocks) -> int | None:
    """The first second that is too late for the turn, or for joining; None if none ever is as the
    clocks stand."""
    if clocks.join_by is not None:
        return clocks.join_by
    if clocks.mover is None or clocks.paused or not clocks.control.limited:
        return None
    return clocks.control.later(clocks.since, _allowed(clocks, clocks.mover) - clocks.used)


def left(clocks: Clocks, seat: int, now: int) -> int | None:
    """What the bank of a seat holds now; None without banks."""
    if not clocks.banks:
        return None
    bank = clocks.banks[seat - 1]
    if seat != clocks.mover:
        return bank
    return min(bank, max(0, _allowed(clocks, seat) - _counted(clocks, now).used))


def refund(clocks: Clocks, at: int, secs: int) -> int:
    """What more the bank of the seat to move would hold after a turn that ends now, if the turn had
    taken so many seconds less."""
    if clocks.mover is None or not clocks.banks:
        return 0
    taken = _counted(clocks, at)
    less = replace(taken, used=taken.used - secs)
    return _paid(less).banks[clocks.mover - 1] - _paid(taken).banks[clocks.mover - 1]


def _allowed(clocks: Clocks, seat: int) -> int:
    """What a turn of the seat may take, the free stretch with it."""
    control = clocks.control
    return control.free + (clocks.banks[seat - 1] if clocks.banks else control.turn)


def _counted(clocks: Clocks, at: int) -> Clocks:
    """The same clocks, with the turn counted up to a moment."""
    if clocks.mover is None or clocks.paused or at <= clocks.since:
        return clocks
    used = clocks.used + clocks.control.counted(clocks.since, at)
    return replace(clocks, used=used, since=at)


def _turned(clocks: Clocks, seat: int | None, at: int) -> Clocks:
    """The turn of the seat to move is over, and that of another seat begins, or none."""
    clocks = _paid(_counted(clocks, at))
    start = max(at, clocks.rests)
    if seat is None:
        return replace(clocks, mover=None, used=0, since=start)
    used, given = -clocks.given[seat - 1], _with(clocks.given, seat, 0)
    return replace(clocks, mover=seat, began=at, used=used, since=start, given=given)


def _paid(clocks: Clocks) -> Clocks:
    """The bank pays for the turn and gets the increment."""
    if clocks.mover is None or not clocks.banks:
        return clocks
    control, bank = clocks.control, clocks.banks[clocks.mover - 1]
    rest = max(0, bank - max(0, clocks.used - control.free))
    paid = min(control.cap, rest + control.increment)
    return replace(clocks, banks=_with(clocks.banks, clocks.mover, paid))


def _told(clocks: Clocks, record: Record, after: Position) -> Clocks:
    """What a record says to the clocks, whoever is to move then."""
    match record.body:
        case Sys(sys="clock", seat=seat, secs=int(secs)):
            return _given(clocks, clocks.mover if seat is None else seat, secs, record.at)
        case Act(act="pause", seat=seat):
            return _asked(clocks, seat, record.at, after)
        case Act(act="resume"):
            return _resumed(clocks, record.at)
        case Move(seat=seat) if seat in clocks.asked or clocks.paused:
            return clocks
        case Move() | Act(act="resign") | Sys(sys="timeout") if not clocks.paused:
            return replace(clocks, asked=())
        case _:
            return clocks


def _given(clocks: Clocks, seat: int | None, secs: int, at: int) -> Clocks:
    if clocks.join_by is not None:
        return replace(clocks, join_by=clocks.join_by + secs)
    if seat is None:
        return clocks
    if seat != clocks.mover:
        return replace(clocks, given=_with(clocks.given, seat, clocks.given[seat - 1] + secs))
    clocks = _counted(clocks, at)
    return replace(clocks, used=clocks.used - secs)


def _asked(clocks: Clocks, seat: int, at: int, after: Position) -> Clocks:
    if seat in clocks.asked:
        return clocks
    asked = (*clocks.asked, seat)
    still = set(range(1, after.opened.seats + 1)) - set(gone(after))
    if not still <= set(asked):
        return replace(clocks, asked=asked)
    return replace(_counted(clocks, at), asked=asked, paused=True)


def _resumed(clocks: Clocks, at: int) -> Clocks:
    if not clocks.paused:
        return replace(clocks, asked=())
    over = at + NOTICE
    return replace(clocks, asked=(), paused=False, since=over, rests=over)


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[: seat - 1], value, *values[seat:])
