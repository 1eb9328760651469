"""Matches against the house: opened, played and read on the pages and in the mail."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, expect

from games import registry
from games.chance.stream import Stream
from games.new import random_line
from games.verify import verify
from service import matches, records
from service.models import MATCH, OUTBOX
from service.policy import policy_for
from tests.web.people import ADA, BEN, FIELD, House, Visitor
from tests.web.test_browser import PHONE, _can_be_used, listened

HOUSE = {"invited-1-by": "house", "invited-1-address": ""}


def opened(house: House, person: Visitor, game: str = "malawi", **values: str) -> str:
    """The path of a match that Ada has opened against the house."""
    assert person.start("Ada", "", game, **HOUSE | values).status_code == 303
    entered = person.send(house.link(ADA, "a"), answer="yes")
    assert entered.status_code == 303
    return urlsplit(entered.headers["Location"]).path


def turn_line(house: House, path: str, stream: Stream) -> str:
    """Something that Ada can play; "" when the match is over."""
    with house.site.db.read() as conn:
        at = records.position(house.site, conn, path.removeprefix("/m/"))
    seat = matches.mover(at)
    if seat is None:
        return ""
    return random_line(stream, at.rules, at.rules.known(at.state, seat), seat)


@pytest.mark.parametrize("game", registry.games())
def test_every_game_is_played_against_the_house_to_a_log_that_holds(
    house: House, game: str
) -> None:
    ada, stream = house.visitor(), Stream(game.encode())
    path = opened(house, ada, game)
    house.answer()
    while line := turn_line(house, path, stream):
        answer = ada.send(path, line=line)
        assert answer.status_code == 303
        house.answer()
    data = ada.client.get(f"{path}.mlog").data
    verdict = verify(data, policy_for(house.site, data))
    assert verdict.ok, verdict.sentence
    assert data.count(b'"via":"api"') > 1
    with house.site.db.read() as conn:
        assert set(conn.execute(sa.select(OUTBOX.c.address)).scalars()) == {ADA}
    for page in (path, f"{path}/replay"):
        assert "House is a house player" in ada.get(page).text
    assert "House (house player)" in house.visitor().get("/archive").text


@pytest.mark.parametrize(
    ("language", "mark"),
    [("en", "House is a house player"), ("de", "Haus ist ein Hausspieler")],
)
def test_every_mail_about_it_says_who_is_no_person(house: House, language: str, mark: str) -> None:
    ada, stream = house.visitor(language), Stream(b"mail")
    path = opened(house, ada)
    house.answer()
    house.post()
    ada.send(path, line=turn_line(house, path, stream))
    house.answer()
    house.post()
    token = dict(FIELD.findall(ada.get(path).text))
    ada.submit(f"{path}/act", token | {"act": "resign"})
    mails = house.letters(ADA)
    assert len(mails) >= 3
    for letter in mails:
        assert mark in letter.text.replace("\n", " ")
        assert mark in letter.html


def test_a_player_who_is_signed_in_starts_at_once(house: House) -> None:
    ada = house.visitor()
    opened(house, ada)
    again = ada.send("/start/seasons?house=1", **HOUSE)
    assert again.status_code == 303
    page = ada.get(urlsplit(again.headers["Location"]).path)
    assert "Seasons of the Sun against House" in page.text
    for name in ("House", "haus"):
        assert "Seasons of the Sun" in ada.get(f"/matches?name={name}").text.partition("<h1>")[2]


def test_the_form_asks_whether_a_person_or_the_house_is_to_play(house: House) -> None:
    ada = house.visitor()
    page = ada.get("/start/black-monday?seats=4&house=1").text
    assert page.count('value="house" checked') == 3
    assert "/start/black-monday?seats=5&amp;house=1" in page
    assert ada.get("/start/malawi").text.count('value="mail" checked') == 1
    assert "/start/malawi?house=1" in ada.get("/start?house=1").text
    wrong = ada.start("Ada", "", "black-monday", seats="3", **HOUSE)
    assert wrong.status_code == 422
    assert re.findall(r'id="(invited[^"]*)-problem"', wrong.text) == ["invited-2-address"]
    assert wrong.text.count('value="house" checked') == 1


def test_what_a_game_cannot_be_played_with_is_said_before_anything_is_mailed(house: House) -> None:
    ada, before = house.visitor(), house.dump()
    for values, said in (
        ({"seats": "9"}, "This game cannot be played with 9 seats."),
        ({"seats": "two"}, "This game cannot be played with two seats."),
        ({"option.team": "yes"}, "There are teams with four seats only."),
        ({"option.nothing": "1"}, "This game has no option “nothing”."),
        ({"option.pass": "x" * 999}, f"The option “pass” cannot be “{'x' * 40}”."),
    ):
        answer = ada.start("Ada", BEN, "monad", **values)
        assert answer.status_code == 422
        assert said in answer.text
    assert house.dump() == before


def test_a_mixed_match_tells_its_guest_who_else_plays(house: House) -> None:
    ada, ben = house.visitor(), house.visitor("de")
    path = opened(
        house, ada, "black-monday", seats="4", **{"invited-2-by": "house", "invited-3-address": BEN}
    )
    assert "House 1 (house player)" in ada.get(path).text
    invitation = house.link(BEN, "i")
    assert "Haus 1 und Haus 2 sind Hausspieler" in ben.get(invitation).text
    assert ben.send(invitation, answer="yes", name="Haus 1").status_code == 422
    assert ben.send(invitation, answer="yes", name="Ben", language="de").status_code == 303
    house.answer()
    page = ben.get(path).text
    assert "Haus 2 (Hausspieler)" in page
    assert "House" not in page


def test_the_page_says_that_the_house_is_at_it_and_when_it_is_late(house: House) -> None:
    ada, stream = house.visitor(), Stream(b"late")
    path = opened(house, ada)
    house.answer()
    ada.send(path, line=turn_line(house, path, stream))
    page = ada.get(path).text
    assert "The house answers within a minute." in page
    assert "data-follow" in page
    assert "declines every draw" in page
    assert "Write to the others" not in page
    assert "Your note" in page
    with house.site.db.write() as conn:
        conn.execute(MATCH.update().values(changed=MATCH.c.changed - 100))
    assert "The house could not answer yet." in ada.get(path).text


def test_nobody_plays_for_the_house(house: House) -> None:
    ada, stream = house.visitor(), Stream(b"other")
    path = opened(house, ada)
    house.answer()
    form = dict(FIELD.findall(ada.get(path).text))
    ada.send(path, line=turn_line(house, path, stream))
    count = len(house.dump()["record"])
    line = turn_line(house, path, stream)
    with house.site.db.read() as conn:
        row = matches.find(conn, path.removeprefix("/m/"))
    values = form | {"line": line, "wait": str(row.wait), "on": str(row.n)}
    assert ada.submit(path, values).status_code == 409
    assert len(house.dump()["record"]) == count


@pytest.mark.xdist_group("browser")
def test_a_match_against_the_house_from_start_to_end_on_a_phone(
    browser: Browser, served: House
) -> None:
    noises: list[str] = []
    context = browser.new_context(base_url=served.site.settings.base_url, viewport=PHONE)  # type: ignore[arg-type]
    page = listened(context.new_page(), noises)
    _open(page, served)
    served.answer()
    page.get_by_role("link", name="Look again").or_(page.locator("form.send")).first.wait_for()
    page.goto(page.url)
    while not page.get_by_text("Result", exact=True).count():
        while not page.locator("form.send strong").count():
            page.locator("svg.board a.can, svg.board a.target").first.click()
        page.get_by_role("button", name="Send this turn").click()
        expect(page.get_by_role("status").first).to_contain_text("was accepted as record")
        served.answer()
        waits = page.locator("[data-follow]")
        if waits.count():
            waits.wait_for(state="detached")
    _can_be_used(page)
    page.get_by_role("link", name="Replay from the beginning").click()
    expect(page.get_by_text("House is a house player").first).to_be_visible()
    context.close()
    assert noises == []


@pytest.mark.xdist_group("browser")
def test_the_page_shows_the_answer_by_itself_unless_something_is_typed(
    browser: Browser, served: House
) -> None:
    context = browser.new_context(base_url=served.site.settings.base_url)
    page = context.new_page()
    _open(page, served)
    served.answer()
    page.goto(page.url)
    page.locator("svg.board a.can, svg.board a.target").first.click()
    page.get_by_role("button", name="Send this turn").click()
    waits = page.locator("[data-follow]")
    if not waits.count():
        page.locator("svg.board a.can, svg.board a.target").first.click()
        page.get_by_role("button", name="Send this turn").click()
    expect(waits).to_be_visible()
    page.get_by_text("Write something down").click()
    note = page.get_by_label("What you want to keep in mind")
    note.fill("Twelve is left.")
    served.answer()
    with page.expect_response(re.compile(r"/m/m_\w+$")):
        pass
    expect(note).to_have_value("Twelve is left.")
    expect(waits).to_be_visible()
    note.fill("")
    expect(waits).to_be_hidden()
    context.close()


def _open(page: Page, house: House) -> None:
    page.goto("/")
    page.get_by_role("link", name="Play against the house").click()
    page.get_by_role("link", name="Seasons of the Sun").click()
    expect(page.get_by_label("Their mail address")).to_be_hidden()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your mail address").fill(ADA)
    _can_be_used(page)
    page.get_by_role("button", name="Send me the mail").click()
    page.goto(house.link(ADA, "a"))
    page.get_by_label("Yes, start the match").check()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Seasons of the Sun against House")).to_be_visible()
