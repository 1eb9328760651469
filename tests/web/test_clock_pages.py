"""Time on the pages: chosen when a match is started, shown while it runs, stopped by agreement."""

from __future__ import annotations

import re
from html import unescape

import pytest
import sqlalchemy as sa

from service.models import MATCH, OPENING, RECORD
from tests.web.people import ADA, BEN, House, Pair, begin


def words(page: str) -> str:
    """What stands on a page, without tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def opened_with(house: House, **values: str) -> str:
    """The control of the match that a form with these fields opens."""
    ada = house.visitor()
    assert ada.start("Ada", BEN, **values).status_code == 303
    assert ada.send(house.link(ADA, "a"), answer="yes").status_code == 303
    with house.site.db.read() as conn:
        line = conn.execute(sa.select(RECORD.c.line).where(RECORD.c.n == 0)).scalar_one()
    found = re.search(rb'"clock":"([^"]*)"', line)
    assert found is not None
    return found[1].decode()


@pytest.mark.parametrize(
    ("values", "control"),
    [
        ({}, "none"),
        ({"clock": "7d"}, "7d"),
        ({"clock": "none", "weekends": "1", "strict": "1"}, "none"),
        (
            {"clock": "10d+36h cap 10d", "weekends": "1"},
            "10d+36h cap 10d weekends off Europe/Berlin",
        ),
        (
            {"clock": "own", "own_clock": " 1d12h  Free 6h", "strict": "1"},
            "36h free 6h no vacation",
        ),
        ({"clock": "own", "own_clock": "3d weekends off utc", "weekends": "1"}, None),
    ],
)
def test_a_control_is_chosen_by_words_or_written(
    house: House, values: dict[str, str], control: str | None
) -> None:
    assert opened_with(house, **values) == (control or "3d weekends off UTC")


@pytest.mark.parametrize(
    ("typed", "language", "sentence"),
    [
        ("soon", "en", "This is no time control. Some are: 7d, 90d in all, 10d+36h cap 10d."),
        ("", "de", "Das ist keine Bedenkzeit."),
        ("0d", "en", "A time control has no time of 0."),
        ("400d in all", "de", "Keine Zeit in einer Bedenkzeit ist länger als ein Jahr (365d)."),
        ("9d+1d cap 8d", "en", "Neither the bank nor what is added to it can be above the cap."),
        ("7d weekends off Bonn", "de", "Eine Zeitzone Bonn gibt es nicht. Eine ist Europe/Berlin."),
    ],
)
def test_what_cannot_be_read_is_kept_beside_a_sentence(
    house: House, typed: str, language: str, sentence: str
) -> None:
    ada = house.visitor(language)
    answer = ada.start("Ada", BEN, clock="own", own_clock=typed, weekends="1")
    assert answer.status_code == 422
    assert sentence in words(answer.text)
    assert f'name="own_clock" value="{typed}"' in answer.text
    assert 'name="weekends" value="1" checked' in answer.text
    assert 'name="clock" value="own" checked' in answer.text
    with house.site.db.read() as conn:
        assert conn.execute(sa.select(sa.func.count()).select_from(OPENING)).scalar() == 0


def test_the_invitation_says_the_clock_in_words(house: House) -> None:
    ada = house.visitor()
    ada.start("Ada", BEN, clock="10d+36h cap 10d")
    ada.send(house.link(ADA, "a"), answer="yes")
    page = words(house.visitor("de").get(house.link(BEN, "i")).text)
    assert "Bedenkzeit 10 Tage zu Beginn, nach jedem Zug 36 Stunden dazu, nie mehr als" in page
    assert "Diese Einladung gilt bis" in page
    assert "in 29 Tagen" in page or "in 30 Tagen" in page
    assert "Die Zeit des ersten Zuges beginnt, wenn der Letzte beigetreten ist." in page


@pytest.fixture
def pair(house: House) -> Pair:
    """A match with banks."""
    return begin(house, clock="10d+36h cap 10d")


def test_the_page_says_until_when_and_what_is_left(pair: Pair) -> None:
    page = words(pair.house.visitor().get(f"/m/{pair.match}").text)
    assert re.search(r"Answer by \w+, \d+ \w+ \d{4}, \d\d:\d\d \(\w+\), in (9|10) days", page)
    assert len(re.findall("(9 days 23 hours|10 days) left", page)) == 2
    assert "Time to think: 10 days to begin with" in page


def act(pair: Pair, who: str, kind: str) -> int:
    path, player = f"/m/{pair.match}", pair.players[who]
    token = dict(re.findall(r'name="(csrf_token|on)" value="([^"]*)"', player.get(path).text))
    return player.submit(f"{path}/act", {**token, "act": kind}).status_code


def offered(pair: Pair, who: str) -> set[str]:
    page = pair.players[who].get(f"/m/{pair.match}").text
    return set(re.findall(r'name="act" value="([a-z-]*)"', page)) & {"pause", "resume"}


def test_a_pause_is_asked_for_agreed_to_and_ended_by_buttons(pair: Pair) -> None:
    path = f"/m/{pair.match}"
    assert offered(pair, ADA) == offered(pair, BEN) == {"pause"}
    assert act(pair, ADA, "pause") == 303
    assert act(pair, ADA, "pause") == 409
    assert (offered(pair, ADA), offered(pair, BEN)) == ({"resume"}, {"pause", "resume"})
    assert act(pair, BEN, "pause") == 303
    assert "no deadline: the match is paused" in words(pair.house.visitor().get(path).text)
    assert offered(pair, ADA) == offered(pair, BEN) == {"resume"}
    assert act(pair, ADA, "resume") == 303
    assert act(pair, BEN, "resume") == 409
    assert re.search("in 1[01] days", words(pair.house.visitor().get(path).text))


def test_without_a_clock_there_is_nothing_to_pause(house: House) -> None:
    pair = begin(house)
    assert offered(pair, ADA) == set()
    assert act(pair, ADA, "pause") == 409


def test_the_deadline_is_what_the_records_say(pair: Pair) -> None:
    with pair.house.site.db.write() as conn:
        conn.execute(MATCH.update().values(deadline=1))
    assert pair.turn("a1-c1").status_code == 303
