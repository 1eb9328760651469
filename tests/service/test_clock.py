"""The notation of time controls, and seconds that count across weekends and daylight saving."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.clock import DAY, HOUR, LONGEST, MINUTE, NO_LIMIT, Control, parse, read
from service.errors import BadClock

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "UTC")

spans = st.one_of(
    st.integers(1, 365).map(lambda n: n * DAY),
    st.integers(1, 500).map(lambda n: n * HOUR),
    st.integers(1, 5000).map(lambda n: n * MINUTE),
)


@st.composite
def banks(draw: st.DrawFn) -> Control:
    bank, increment, more = draw(spans), draw(st.just(0) | spans), draw(st.just(0) | spans)
    cap = min(LONGEST, max(bank, increment) + more) if increment else bank
    return Control(bank=bank, increment=increment, cap=cap)


@st.composite
def controls(draw: st.DrawFn) -> Control:
    """Every kind of control with a limit."""
    return replace(
        draw(spans.map(lambda turn: Control(turn=turn)) | banks()),
        free=draw(st.just(0) | spans),
        weekends=draw(st.sampled_from(("", *ZONES))),
        vacation=draw(st.booleans()),
    )


def at(zone: str, *local: int) -> int:
    return int(datetime(*local, tzinfo=ZoneInfo(zone)).timestamp())  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "7d",
        "24h",
        "36h",
        "90m",
        "365d",
        "90d in all",
        "10d+36h cap 10d",
        "10d+36h cap 10d free 24h",
        "7d weekends off Europe/Berlin",
        "10d+36h cap 20d free 24h weekends off America/Argentina/Buenos_Aires no vacation",
        "3d no vacation",
        "3d weekends off Etc/GMT+5",
    ],
)
def test_a_control_is_written_as_it_was_read(text: str) -> None:
    assert parse(text).text == text


@given(controls())
def test_each_control_has_one_spelling(control: Control) -> None:
    assert parse(control.text) == control
    assert read(f"  {control.text.upper().replace(' ', '   ')} ") == control


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("1d", "24h"),
        ("1d12h", "36h"),
        ("48H", "2d"),
        ("60m", "1h"),
        ("1440m", "24h"),
        ("10d + 36h cap 10d", "10d+36h cap 10d"),
        ("7d Weekends off europe/berlin", "7d weekends off Europe/Berlin"),
        ("None", "none"),
    ],
)
def test_what_people_type_becomes_the_one_spelling(typed: str, stored: str) -> None:
    assert read(typed).text == stored
    with pytest.raises(BadClock):
        parse(typed)


@pytest.mark.parametrize(
    "texts",
    [
        ["", "keine", "0", "7", "d", "-7d", "7d free", "7w", "7d cap 9d", "7d+1d", "7d,", "٧d"],
        ["none free 24h", "none no vacation", "none weekends off UTC", "7d no vacation free 24h"],
        ["0d", "00m", "10d+0h cap 10d", "7d free 0h", "366d", "8761h", "999999d", "1000000m"],
        ["10d+36h cap 9d", "2d+10d cap 9d", "7d weekends off Nowhere/Town", "7d weekends off CET"],
        ["7d weekends off ../../etc/passwd", "7d weekends off", "7d weekends off localtime"],
    ],
)
def test_another_text_is_no_time_control(texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(BadClock) as error:
            read(text)
        assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    "text", ["07d", " 7d", "7d ", "7d  free 24h", "7D", "none ", "7d\n", "2d free 1d"]
)
def test_nothing_is_taken_that_would_not_be_written(text: str) -> None:
    with pytest.raises(BadClock):
        parse(text)


def test_without_a_limit_there_is_none() -> None:
    assert not parse(NO_LIMIT).limited


def test_a_weekend_does_not_count() -> None:
    control = parse("2d weekends off Europe/Berlin")
    friday = at("Europe/Berlin", 2027, 1, 8, 18)
    assert control.later(friday, 2 * DAY) == at("Europe/Berlin", 2027, 1, 12, 18)
    assert control.later(friday, 6 * HOUR) == at("Europe/Berlin", 2027, 1, 9)
    assert control.later(friday, 6 * HOUR + 1) == at("Europe/Berlin", 2027, 1, 11, 0, 0, 1)
    saturday = at("Europe/Berlin", 2027, 1, 9, 12)
    assert control.later(saturday, HOUR) == at("Europe/Berlin", 2027, 1, 11, 1)
    assert control.later(saturday, 0) == saturday


@pytest.mark.parametrize(
    ("zone", "friday", "monday", "weekend"),
    [  # the weekends in which the clocks change, with how long they last
        ("Europe/Berlin", (2027, 3, 26, 23), (2027, 3, 29, 1), 47 * HOUR),
        ("Europe/Berlin", (2027, 10, 29, 23), (2027, 11, 1, 1), 49 * HOUR),
        ("America/New_York", (2027, 3, 12, 23), (2027, 3, 15, 1), 47 * HOUR),
        ("America/New_York", (2027, 11, 5, 23), (2027, 11, 8, 1), 49 * HOUR),
        ("Australia/Lord_Howe", (2027, 10, 1, 23), (2027, 10, 4, 1), 47 * HOUR + 30 * MINUTE),
        ("Australia/Lord_Howe", (2027, 4, 2, 23), (2027, 4, 5, 1), 48 * HOUR + 30 * MINUTE),
    ],
)
def test_a_weekend_is_as_long_as_its_days_are(
    zone: str, friday: tuple[int, ...], monday: tuple[int, ...], weekend: int
) -> None:
    control = parse(f"7d weekends off {zone}")
    start, end = at(zone, *friday), at(zone, *monday)
    assert end - start == weekend + 2 * HOUR
    assert control.counted(start, end) == 2 * HOUR
    assert control.later(start, 2 * HOUR) == end


@given(
    st.integers(at("UTC", 2026, 1, 1), at("UTC", 2035, 1, 1)),
    st.integers(0, 40 * DAY),
    st.integers(0, 40 * DAY),
    st.sampled_from(ZONES),
)
@example(at("America/Havana", 2027, 3, 12), 3 * DAY, 3 * DAY, "America/Havana")
def test_seconds_add_up_and_later_is_the_first_moment(
    start: int, first: int, second: int, zone: str
) -> None:
    control = Control(turn=DAY, weekends=zone)
    middle, end = start + first, start + first + second
    counted = control.counted(start, end)
    assert counted == control.counted(start, middle) + control.counted(middle, end)
    then = control.later(start, counted)
    assert control.counted(start, then) == counted
    assert start <= then <= end
    assert counted == 0 or control.counted(start, then - 1) == counted - 1


@given(st.integers(at("UTC", 2026, 1, 1), at("UTC", 2035, 1, 1)), st.sampled_from(ZONES))
def test_a_quarter_of_an_hour_counts_or_does_not(time: int, zone: str) -> None:
    start = time - time % 900
    weekday = datetime.fromtimestamp(start, ZoneInfo(zone)).weekday()
    counted = Control(turn=DAY, weekends=zone).counted(start, start + 900)
    assert counted == (900 if weekday < 5 else 0)
