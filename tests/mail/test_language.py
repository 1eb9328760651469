"""Two languages: no sentence is missing in German, and moments are the same instant everywhere."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog, Message

from games.core.drawing import Language
from service.language import day, gettext, listed, moment, ngettext, within
from tests.mail.messages import catalogue, german

DAY = 86_400

PLACES = re.compile(r"%\((\w+)\)(.)")


@pytest.fixture(scope="module", name="german")
def _german() -> Catalog:
    return german()


def test_every_sentence_has_a_german_one(german: Catalog) -> None:
    missing = [(m.locations[0], m.id) for m in messages(catalogue()) if not complete(german, m)]
    assert missing == []


def test_no_german_sentence_is_left_over(german: Catalog) -> None:
    wanted = {m.id for m in messages(catalogue())}
    assert [m.id for m in messages(german) if m.id not in wanted] == []
    assert not german.obsolete


def test_none_is_a_guess(german: Catalog) -> None:
    assert [m.id for m in german if m.id and m.fuzzy] == []


def test_both_languages_name_the_same_values(german: Catalog) -> None:
    for message in messages(german):
        english = [message.id] if isinstance(message.id, str) else list(message.id)
        wanted = {place for text in english for place in PLACES.findall(text)}
        for text in [message.string] if isinstance(message.string, str) else message.string:
            found = set(PLACES.findall(text))
            assert found == wanted or (len(english) > 1 and found <= wanted), text
            assert {kind for _, kind in found} <= {"s"}
            assert "%" not in PLACES.sub("", text).replace("%%", "")


def test_german_is_written_as_german_is(german: Catalog) -> None:
    for message in messages(german):
        for text in [message.string] if isinstance(message.string, str) else message.string:
            assert not re.search(r"\b(Ihnen|Ihre[mn]?)\b(?<!^Ihre)", text), text
            assert not re.search(r"\b(fuer|ueber|koennen|naechste|zurueck|waehl)", text), text
            assert '"' not in text, text


def messages(found: Catalog) -> list[Message]:
    return [message for message in found if message.id]


def complete(german: Catalog, message: Message) -> bool:
    known = german.get(message.id)
    if known is None:
        return False
    return bool(known.string) if isinstance(known.string, str) else all(known.string)


def test_a_sentence_takes_its_values() -> None:
    assert gettext("Hello %(name)s,", "de", name="Björn") == "Hallo Björn,"
    assert gettext("Hello %(name)s,", "en", name="Björn") == "Hello Björn,"
    assert gettext("never heard of", "de") == "never heard of"


@pytest.mark.parametrize(
    ("language", "num", "said"),
    [
        ("de", 1, "eine weitere Person"),
        ("de", 2, "2 weitere"),
        ("en", 1, "one more"),
        ("en", 2, "2 more"),
    ],
)
def test_numbers_have_their_form(language: Language, num: int, said: str) -> None:
    assert ngettext("one more", "%(num)s more", num, language) == said


def test_names_are_listed_as_people_list_them() -> None:
    names = ["Anna", "Ben", "Carla"]
    assert listed(names, "de") == "Anna, Ben und Carla"
    assert listed(names, "en") == "Anna, Ben and Carla"
    assert listed(names[:1], "de") == "Anna"


@pytest.mark.parametrize(
    ("time", "zone", "german", "english"),
    [
        (
            1_796_583_600,
            "Europe/Berlin",
            "Sonntag, 6. Dezember 2026, 20:00 Uhr (MEZ)",
            "Sunday, 6 December 2026, 20:00 (CET)",
        ),
        (
            1_792_889_999,  # the second before the clocks go back
            "Europe/Berlin",
            "Sonntag, 25. Oktober 2026, 02:59 Uhr (MESZ)",
            "Sunday, 25 October 2026, 02:59 (CEST)",
        ),
        (
            1_792_890_000,
            "Europe/Berlin",
            "Sonntag, 25. Oktober 2026, 02:00 Uhr (MEZ)",
            "Sunday, 25 October 2026, 02:00 (CET)",
        ),
        (
            1_793_512_800,  # the second in which New York goes back
            "America/New_York",
            "Sonntag, 1. November 2026, 01:00 Uhr (GMT-05:00)",
            "Sunday, 1 November 2026, 01:00 (Eastern Standard Time)",
        ),
        (
            1_775_314_800,  # Lord Howe goes back by half an hour
            "Australia/Lord_Howe",
            "Sonntag, 5. April 2026, 01:30 Uhr (GMT+10:30)",
            "Sunday, 5 April 2026, 01:30 (GMT+10:30)",
        ),
    ],
)
def test_a_moment_names_its_zone(time: int, zone: str, german: str, english: str) -> None:
    assert moment(time, zone, "de") == german
    assert moment(time, zone, "en") == english


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5 * DAY, "in 5 days"),
        (5 * DAY - 3_600, "in 5 days"),
        (5 * DAY - 3_601, "in 4 days"),
        (2 * DAY - 3_600, "in 2 days"),
        (2 * DAY - 3_601, "in 47 hours"),
        (3_600 - 1, "in 1 hour"),
        (3_600 - 200, "in 56 minutes"),
        (90, "in 1 minute"),
        (57, "in 57 seconds"),
        (0, "the time is over"),
    ],
)
def test_what_lacks_little_counts_as_whole(seconds: int, said: str) -> None:
    assert within(seconds, "en") == said


def test_a_day_is_that_of_the_zone() -> None:
    assert day(1_796_583_600, "Europe/Berlin", "de") == "6. Dezember 2026"
    assert day(1_796_598_000, "Europe/Berlin", "en") == "7 December 2026"
