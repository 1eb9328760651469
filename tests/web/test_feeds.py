"""Feeds behind a secret address: deadlines and turns, no more, and nothing new that is not."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa
from icalendar import Calendar

from service.models import MATCH
from tests.web.people import ADA, BEN, FIELD, House, Pair, Visitor, begin

ATOM = "{http://www.w3.org/2005/Atom}"
DEADLINE = 1_796_583_600
KINDS = ("deadlines.ics", "turns.atom")


@pytest.fixture
def pair(house: House) -> Pair:
    return begin(house, game="black-monday", ben_reads="de")


def feed(player: Visitor) -> str:
    """Makes a feed on the page: the path of its folder."""
    page = player.send("/account/programs", purpose="feed", name="Calendar")
    found = re.search(r"/feed/[a-z2-7]{26}/", page.text)
    assert found
    return found[0]


def limit(pair: Pair, deadline: int | None = DEADLINE) -> None:
    """Gives the turn a time limit."""
    with pair.house.site.db.write() as conn:
        conn.execute(sa.update(MATCH).values(deadline=deadline))


def entries(text: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(text).findall(f"{ATOM}entry")


def test_a_calendar_shows_the_deadline_of_the_own_turn(pair: Pair) -> None:
    limit(pair)
    mover, other = (feed(pair.players[one]) for one in (pair.mover, pair.waiting))
    answer = pair.house.visitor().get(f"{mover}deadlines.ics")
    assert answer.mimetype == "text/calendar"
    (event,) = Calendar.from_ical(answer.data).walk("VEVENT")
    assert event["DTSTART"].dt.timestamp() == DEADLINE
    assert event["URL"].endswith(f"/m/{pair.match}")
    assert "Black Monday" in event["SUMMARY"]
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    assert (
        Calendar.from_ical(pair.house.visitor().get(f"{other}deadlines.ics").data).walk("VEVENT")
        == []
    )
    uid = event["UID"]
    pair.turn("pass")
    assert (
        Calendar.from_ical(pair.house.visitor().get(f"{mover}deadlines.ics").data).walk("VEVENT")
        == []
    )
    limit(pair)
    (event,) = Calendar.from_ical(pair.house.visitor().get(f"{other}deadlines.ics").data).walk(
        "VEVENT"
    )
    assert event["UID"] != uid


def test_without_a_time_limit_a_calendar_is_empty(pair: Pair) -> None:
    answer = pair.house.visitor().get(f"{feed(pair.players[pair.mover])}deadlines.ics")
    calendar = Calendar.from_ical(answer.data)
    assert calendar.walk("VEVENT") == []
    assert calendar.subcomponents, "RFC 5545 wants a calendar to hold something"


def test_a_reader_of_feeds_shows_own_turns(pair: Pair) -> None:
    mover, other = (feed(pair.players[one]) for one in (pair.mover, pair.waiting))
    answer = pair.house.visitor().get(f"{mover}turns.atom")
    assert answer.mimetype == "application/atom+xml"
    (entry,) = entries(answer.text)
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href", "").endswith(f"/m/{pair.match}")
    for needed in ("id", "title", "updated"):
        assert entry.findtext(f"{ATOM}{needed}")
    assert entries(pair.house.visitor().get(f"{other}turns.atom").text) == []


def test_a_feed_speaks_the_language_of_its_player(pair: Pair) -> None:
    limit(pair)
    if pair.mover != BEN:
        pair.turn("pass")
        limit(pair)
    path = feed(pair.players[BEN])
    for kind in KINDS:
        text = pair.house.visitor("en").get(f"{path}{kind}").text
        assert "Du bist am Zug: Black Monday gegen Ada" in text
    assert "Sonntag\\, 6. Dezember" not in text
    assert "Zug bis: Sonntag, 6. Dezember 2026" in text


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_seems_new_that_is_not(pair: Pair, kind: str) -> None:
    limit(pair)
    path, nobody = f"{feed(pair.players[pair.mover])}{kind}", pair.house.visitor()
    first = nobody.get(path)
    assert nobody.get(path).data == first.data
    assert nobody.get(path, **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert first.headers["Cache-Control"] == "private, no-cache"
    _age(pair, 60)
    old = nobody.get(path)
    since = {"If-Modified-Since": old.headers["Last-Modified"]}
    assert nobody.get(path, **since).status_code == 304
    pair.turn("pass")
    assert nobody.get(path, **since).status_code == 200


def _age(pair: Pair, seconds: int) -> None:
    """All that happened was so long ago."""
    with pair.house.site.db.write() as conn:
        conn.exec_driver_sql(f"UPDATE match SET changed = changed - {seconds}")
        conn.exec_driver_sql(f"UPDATE token SET created = created - {seconds}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_feed_tells_nothing_that_lies_hidden(pair: Pair, kind: str) -> None:
    limit(pair)
    text = pair.house.visitor().get(f"{feed(pair.players[pair.mover])}{kind}").text
    text = text.replace("\r\n ", "")
    hand = re.findall(
        r'id="([RBPY]\d+(?:-2)?)"', pair.players[pair.mover].get(f"/m/{pair.match}").text
    )
    assert hand
    assert not re.search(r"\b[RBPY]\d", text.replace(pair.match, "").replace(pair.match[2:6], ""))
    assert not re.search(r"/[tia]/", text)
    assert "@example" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_feed_that_was_taken_back_leads_nowhere(pair: Pair, kind: str) -> None:
    path = feed(pair.players[ADA])
    page = pair.players[ADA].get("/account/programs").text
    assert path.split("/")[2] not in page
    row = re.findall(r'name="token" value="(\d+)"', page)[0]
    nobody = pair.house.visitor()
    assert nobody.get(f"{path}{kind}").status_code == 200
    pair.players[ADA].submit("/account/programs/revoke", dict(FIELD.findall(page)) | {"token": row})
    assert nobody.get(f"{path}{kind}").status_code == 404
    for wrong in ("x", "a" * 26, "%00", "%F0%9F%98%80", "A" * 26):
        assert nobody.get(f"/feed/{wrong}/{kind}").status_code == 404


def test_names_cannot_break_a_feed(house: House) -> None:
    ada = house.visitor()
    ada.start('A "<b>;,\\', BEN, address=ADA)
    ada.send(house.link(ADA, "a"), answer="yes")
    ben = house.visitor()
    ben.send(house.link(BEN, "i"), answer="yes", name="]]>&amp;'", language="en")
    match = house.dump()["match"][0][0]
    pair = Pair(house, str(match), (), {})
    limit(pair)
    texts = []
    for player in (ada, ben):
        path = feed(player)
        for entry in entries(house.visitor().get(f"{path}turns.atom").text):
            texts.append(entry.findtext(f"{ATOM}title"))
        for event in Calendar.from_ical(house.visitor().get(f"{path}deadlines.ics").data).walk(
            "VEVENT"
        ):
            texts.append(str(event["SUMMARY"]))
    assert len(texts) == 2
    assert all("]]>&amp;'" in str(text) or 'A "<b>;,\\' in str(text) for text in texts)


def test_a_feed_is_asked_for_with_measure(pair: Pair) -> None:
    path, nobody = feed(pair.players[ADA]), pair.house.visitor()
    answers = [nobody.get(f"{path}turns.atom") for _ in range(32)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
