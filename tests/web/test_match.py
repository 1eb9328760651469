"""A match at its own address: its page, its replay, its log, and what a player does there."""

from __future__ import annotations

import re

import pytest

from games.verify import verify
from tests.web.people import ADA, BEN, FIELD, GAME, House, Pair, begin


@pytest.fixture
def pair(house: House) -> Pair:
    """A match after two turns."""
    pair = begin(house)
    pair.play(*GAME[:2])
    return pair


@pytest.fixture
def over(pair: Pair) -> Pair:
    """The match when it is over."""
    pair.play(*GAME[2:])
    return pair


def test_a_bystander_sees_the_match_and_can_do_nothing(pair: Pair) -> None:
    page = pair.house.visitor().get(f"/m/{pair.match}")
    assert page.status_code == 200
    assert "Set-Cookie" not in page.headers
    assert "<form" not in page.text
    assert "@" not in page.text
    again = pair.house.visitor().get(f"/m/{pair.match}", **{"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304
    pair.turn(GAME[2])
    assert pair.house.visitor().get(f"/m/{pair.match}").headers["ETag"] != page.headers["ETag"]


def test_a_bystander_can_send_nothing(pair: Pair) -> None:
    nobody = pair.house.visitor()
    token = dict(FIELD.findall(nobody.get("/verify").text))["csrf_token"]
    before = pair.house.dump()
    for path, values in (
        ("", {"line": GAME[2], "on": "5", "wait": "5"}),
        ("/act", {"act": "resign", "on": "5"}),
        ("/cancel", {"answer": "yes"}),
    ):
        answer = nobody.submit(f"/m/{pair.match}{path}", {"csrf_token": token, **values})
        assert answer.status_code == 403
    assert pair.house.dump() == before


def test_a_player_of_another_match_is_a_bystander(pair: Pair, house: House) -> None:
    other = house.visitor()
    other.start("Eve", "fay@example.org")
    other.send(house.link("eve@example.org", "a"), answer="yes")
    assert "(you)" not in other.get(f"/m/{pair.match}").text
    token = dict(FIELD.findall(other.get("/verify").text))["csrf_token"]
    values = {"csrf_token": token, "act": "resign", "on": "5"}
    assert other.submit(f"/m/{pair.match}/act", values).status_code == 403


def test_a_player_sends_turns_from_the_match(pair: Pair) -> None:
    player = pair.players[pair.mover]
    page = player.get(f"/m/{pair.match}?line={GAME[2]}")
    assert page.headers["Cache-Control"] == "no-store"
    assert f"<strong>{GAME[2]}</strong>" in page.text
    sent = player.send(f"/m/{pair.match}", line=GAME[2])
    assert sent.headers["Location"] == f"/m/{pair.match}?sent=6"


def test_out_of_turn_the_position_is_shown(pair: Pair) -> None:
    player = pair.players[pair.waiting]
    token = dict(FIELD.findall(player.get(f"/m/{pair.match}").text))["csrf_token"]
    values = {"csrf_token": token, "line": "a1-c1", "on": "5", "wait": "5"}
    answer = player.submit(f"/m/{pair.match}", values)
    assert answer.status_code == 409
    assert "It is not your turn." in answer.text


@pytest.mark.parametrize("act", ["", "rekey", "undo", "win"])
def test_an_act_must_be_chosen(pair: Pair, act: str) -> None:
    before = pair.house.dump()["record"]
    answer = _act(pair, pair.mover, act)
    assert answer == 422
    assert pair.house.dump()["record"] == before


def test_resigning_asks_again_and_ends_the_match(pair: Pair) -> None:
    page = pair.players[pair.mover].get(f"/m/{pair.match}").text
    assert 'value="resign" required' in page
    assert "checked" not in page
    assert _act(pair, pair.mover, "resign") == 303
    other = {ADA: "Ben", BEN: "Ada"}[pair.seats[0]]
    for path in (f"/m/{pair.match}", f"/m/{pair.match}/replay"):
        page = pair.house.visitor().get(path).text
        assert f"{other} won: resignation." in page
        assert "to move" not in page


def test_a_draw_is_offered_and_agreed(pair: Pair) -> None:
    assert _act(pair, ADA, "offer-draw") == 303
    assert _act(pair, ADA, "accept-draw") == 409
    assert "You offer a draw." in pair.players[ADA].get(f"/m/{pair.match}").text
    page = pair.players[BEN].get(f"/m/{pair.match}").text
    assert "Ada offers a draw." in page
    assert 'value="accept-draw"' in page
    assert 'value="offer-draw"' not in page
    assert _act(pair, BEN, "accept-draw") == 303
    assert "Draw: as agreed." in pair.house.visitor().get(f"/m/{pair.match}").text
    assert "How it ended" in pair.players[BEN].get(f"/m/{pair.match}").text


@pytest.fixture
def three(house: House) -> Pair:
    """A match of three with cards in their hands."""
    return begin(house, game="black-monday", guests=("Ben", "Carla"))


def test_whoever_ended_a_match_reads_how(over: Pair) -> None:
    page = over.players[over.seats[0]].get(f"/m/{over.match}").text
    how = page.partition("How it ended")[2].partition("</section>")[0]
    assert "won: a piece is at its goal." in how
    assert "Nothing yet." not in how


def test_a_hand_is_shown_to_its_player_alone(three: Pair) -> None:
    hands = []
    for address in three.seats:
        page = three.players[address].get(f"/m/{three.match}").text
        hands.append(re.findall(r'id="([RBPY]\d+(?:-2)?)"', page))
    assert [len(hand) for hand in hands] == [8, 8, 8]
    watched = three.house.visitor().get(f"/m/{three.match}").text
    assert not re.search(r'id="[RBPY]\d', watched)
    assert "Black Monday: " in watched


def test_turns_of_more_than_two_are_listed_one_below_the_other(three: Pair) -> None:
    names = [address.split("@")[0].title() for address in three.seats]
    for _turn in names:
        three.turn("pass")
    page = three.house.visitor().get(f"/m/{three.match}").text
    rows = re.findall(r'<tr><th scope="row">(\d)</th><td>(\w+)</td><td>(.*?)</td></tr>', page)
    assert [(number, who) for number, who, _line in rows] == list(
        zip("321", reversed(names), strict=True)
    )
    assert all(">pass</a>" in line for *_, line in rows)


def test_a_turn_with_chance_in_it_is_one_turn(house: House) -> None:
    pair = begin(house, game="seasons")
    browser = house.visitor()
    for path, line in ((pair.link(), "reroll 1"), (f"/m/{pair.match}", "max15")):
        assert browser.send(path, line=line).status_code == 303
    page = house.visitor().get(f"/m/{pair.match}").text
    lately = page[page.index("Last turn") : page.index('class="seats"')]
    assert re.findall(r">record (\d+)<", lately) == ["5", "6", "7", "8"]
    row = re.search(r'<th scope="row">1</th><td>(.*?)</td><td></td></tr>', page)
    assert row is not None
    assert re.findall(r">([a-z0-9 ]+)</a>", row[1]) == ["reroll 1", "max15"]
    assert "Last turn: reroll 1; max15." in page


def test_a_double_click_on_a_turn_with_chance_in_it_still_plays_on(house: House) -> None:
    pair = begin(house, game="seasons")
    link, browser = pair.link(), house.visitor()
    browser.get(link)
    form = dict(FIELD.findall(browser.get(link).text))
    house.visitor().submit(link, form | {"line": "reroll 1"})  # the answer that is never read
    form["csrf_token"] = dict(FIELD.findall(browser.get(link).text))["csrf_token"]
    assert browser.submit(link, form | {"line": "reroll 1"}).status_code == 303
    assert browser.send(f"/m/{pair.match}", line="max15").status_code == 303
    late = house.visitor()
    form["csrf_token"] = dict(FIELD.findall(late.get(pair.link()).text))["csrf_token"]
    late.submit(link, form | {"line": "reroll 1"})
    assert "(you)" not in late.get(f"/m/{pair.match}").text


def test_the_replay_shows_every_position_at_its_own_address(over: Pair) -> None:
    nobody = over.house.visitor()
    pages = [nobody.get(f"/m/{over.match}/replay?at={n}") for n in range(3, 10)]
    assert {page.status_code for page in pages} == {200}
    assert len({page.text for page in pages}) == 7
    middle = pages[2].text
    assert 'data-at="5"' in middle
    assert f'href="/m/{over.match}/replay?at=6#6" data-step="next"' in middle
    assert f'href="/m/{over.match}/replay?at=4#4" data-step="prev"' in middle
    assert "f1-d1" in middle
    assert pages[2].headers["ETag"]


@pytest.mark.parametrize(("at", "shown"), [("", 9), ("0", 3), ("99", 9), ("-1", 3)])
def test_a_position_that_is_not_there_is_the_nearest(over: Pair, at: str, shown: int) -> None:
    page = over.house.visitor().get(f"/m/{over.match}/replay?at={at}")
    assert f'data-at="{shown}"' in page.text


def test_a_match_that_never_began_has_a_page_and_a_replay(house: House) -> None:
    ada = house.visitor()
    ada.start("Ada", BEN)
    match = ada.send(house.link(ADA, "a"), answer="yes").headers["Location"]
    assert "Waiting for" in house.visitor().get(match).text
    assert "had not begun" in house.visitor().get(f"{match}/replay").text
    assert house.visitor().get(f"{match}.mlog").status_code == 200


def test_the_log_is_downloaded_and_verifies(over: Pair) -> None:
    answer = over.house.visitor().get(f"/m/{over.match}.mlog")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f"attachment; filename={over.match}.mlog"
    verdict = verify(answer.data)
    assert verdict.ok
    assert verdict.lines[0] == "INTACT 10 records, complete"
    assert over.house.visitor().get(f"/m/{over.match.lower()}.mlog").status_code == 404


def test_a_finished_match_stands_in_the_archive(over: Pair) -> None:
    first, second = ({ADA: "Ada", BEN: "Ben"}[address] for address in over.seats)
    page = over.house.visitor().get("/archive").text
    assert f'href="/m/{over.match}/replay"' in page
    assert f"{first} – {second}" in page
    assert f"{first} won: a piece is at its goal." in page
    assert f'href="/m/{over.match}/replay"' in over.house.visitor().get("/").text


def test_an_unlisted_or_running_match_does_not(pair: Pair, house: House) -> None:
    assert pair.match not in house.visitor().get("/archive").text
    ada, ben = house.visitor(), house.visitor()
    ada.start("C", "d@example.org", unlisted="1")
    ada.send(house.link("c@example.org", "a"), answer="yes")
    match = ben.send(house.link("d@example.org", "i"), answer="yes", name="D").headers["Location"]
    token = dict(FIELD.findall(ben.get(match).text))["csrf_token"]
    ben.submit(f"{match}/act", {"csrf_token": token, "act": "resign", "on": "3"})
    assert "C won: resignation." in house.visitor().get(match).text
    assert match not in house.visitor().get("/archive").text


@pytest.mark.parametrize("before", ["x", "1-m_", "9999999999999-m_0000000000000000", "-1"])
def test_a_page_of_the_archive_that_is_not_there(house: House, before: str) -> None:
    assert house.visitor().get(f"/archive?before={before}").status_code == 404


def _act(pair: Pair, address: str, act: str) -> int:
    """The status of an act that is chosen and sent on the page of the match."""
    player = pair.players[address]
    page = player.get(f"/m/{pair.match}").text
    values = dict(FIELD.findall(page)) | {"act": act}
    return player.submit(f"/m/{pair.match}/act", values).status_code
