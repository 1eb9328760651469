"""Free places: in the lobby and by a link, taken once; and the rematch of a finished match."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from service import lobby
from tests.web.people import ADA, BEN, FIELD, GAME, House, Visitor, begin

FREE = {"invited-1-by": "free"}


def _opened(house: House, **values: str) -> tuple[Visitor, str]:
    """A match that Ada has opened with a place for whoever comes."""
    ada = house.visitor()
    assert ada.start("Ada", "", **FREE, **values).status_code == 303
    entered = ada.send(house.link(ADA, "a"), answer="yes")
    return ada, urlsplit(entered.headers["Location"]).path


def _take(house: House, path: str, name: str) -> Visitor:
    """Somebody asks for the place, confirms by the mail, and is in."""
    visitor = house.visitor()
    address = f"{name.lower()}@example.org"
    assert visitor.send(f"{path}/place", name=name, address=address).status_code == 200
    visitor.send(house.link(address, "a"), answer="yes")
    return visitor


def test_a_free_place_is_in_the_lobby_only_if_its_opener_wants_that(house: House) -> None:
    _ada, hidden = _opened(house)
    _ada, shown = _opened(house, public="1", nonce="another")
    page = house.visitor().get("/lobby").text
    assert shown in page
    assert hidden not in page
    assert shown in house.visitor().get("/lobby?page=9").text


def test_whoever_has_the_link_takes_the_place_and_the_match_begins(house: House) -> None:
    ada, path = _opened(house, public="1")
    assert f"{path}/place" in ada.get(path).text
    cleo = _take(house, path, "Cleo")
    assert "A place is free" not in ada.get(path).text
    assert "To move" in cleo.get(path).text
    assert "(you)" in cleo.get(path).text
    assert path not in house.visitor().get("/lobby").text
    late = house.visitor().get(f"{path}/place")
    assert late.status_code == 409
    assert "no free place" in late.text


def test_of_two_who_confirm_the_first_has_the_place(house: House) -> None:
    _ada, path = _opened(house)
    visitors = {name: house.visitor() for name in ("Cleo", "Dora")}
    for name, visitor in visitors.items():
        visitor.send(f"{path}/place", name=name, address=f"{name.lower()}@example.org")
    before = house.dump()["record"]
    first = visitors["Dora"].send(house.link("dora@example.org", "a"), answer="yes")
    assert first.status_code == 303
    second = visitors["Cleo"].send(house.link("cleo@example.org", "a"), answer="yes")
    assert second.status_code == 409
    assert "no free place in this match any more" in second.text
    assert '<a class="button second" href="/lobby">' in second.text
    assert len(house.dump()["record"]) > len(before)


def test_nobody_takes_a_place_twice(house: House) -> None:
    ada, path = _opened(house)
    assert ada.get(f"{path}/place").headers["Location"] == path
    form = dict(FIELD.findall(ada.get("/verify").text)) | {"name": "Ada"}
    assert ada.submit(f"{path}/place", form).status_code == 409
    again = house.visitor().send(f"{path}/place", name="Ada", address="other@example.org")
    assert again.status_code == 200
    other = house.visitor()
    other.send(house.link("other@example.org", "a"), answer="yes")
    assert "Ada 2" in other.get(path).text


def test_a_confirm_page_says_what_it_is_about(house: House) -> None:
    house.visitor().start("Ada", "", **FREE)
    page = house.visitor().get(house.link(ADA, "a")).text
    for words in ("Malawi", "Ada", "1 more"):
        assert words in page
    _ada, path = _opened(house, nonce="another")
    house.visitor().send(f"{path}/place", name="Cleo", address="cleo@example.org")
    letter = house.letters("cleo@example.org")[0]
    assert letter.entry.subject == "Please confirm your place in a match of Malawi"
    assert "Take this place?" in house.visitor().get(house.link("cleo@example.org", "a")).text


def test_a_rematch_is_one_click_and_one_match(house: House) -> None:
    pair = begin(house)
    assert "Rematch" not in pair.players[ADA].get(f"/m/{pair.match}").text
    pair.play(*GAME)
    path = f"/m/{pair.match}/rematch"
    assert "Rematch" in pair.players[ADA].get(f"/m/{pair.match}").text
    first, again = (_click(pair.players[ADA], pair.match) for _ in range(2))
    assert first == again
    assert first.startswith("/m/")
    led = _click(pair.players[BEN], pair.match)
    assert re.fullmatch(r"/i/[a-z2-7]{26}", led)
    assert house.visitor().send(path).status_code in (400, 403)
    assert pair.players[BEN].send(led, answer="yes", name="Ben").status_code == 303
    assert "To move" in pair.players[BEN].get(first).text


def _click(visitor: Visitor, match: str) -> str:
    token = re.search(r'name="csrf_token" value="([^"]*)"', visitor.get(f"/m/{match}").text)
    assert token
    answer = visitor.submit(f"/m/{match}/rematch", {"csrf_token": token[1]})
    assert answer.status_code == 303
    return urlsplit(answer.headers["Location"]).path


def test_who_starts_match_after_match_is_asked_to_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "STARTS", lobby.Quota("start", 1, 1_800))
    ada, _path = _opened(house)
    answer = ada.start("Ada", "", **FREE, nonce="another")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 1_800
