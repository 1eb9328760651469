"""My matches: sorted by what waits for whom, found, paged, and let in by a mail."""

from __future__ import annotations

import re

import pytest

from service.people import folded
from service.web import mine
from tests.web.people import ADA, BEN, GAME, House, Pair, begin


def test_matches_are_sorted_by_what_they_wait_for(house: House) -> None:
    pair = begin(house)
    mover, waiting = pair.players[pair.mover], pair.players[pair.waiting]
    assert _titles(mover.get("/matches").text) == {"It is your turn": 1}
    assert "Others are to move" in _titles(waiting.get("/matches").text)
    pair.play(*GAME)
    for player in pair.players.values():
        assert _titles(player.get("/matches").text)["Finished"] == 1


def test_an_invitation_waits_among_the_matches_until_it_is_answered(house: House) -> None:
    pair = begin(house)
    ben = pair.players[BEN]
    ada = pair.players[ADA]
    assert ada.start("Ada", BEN.upper()).status_code == 303
    page = ben.get("/matches").text
    assert _titles(page)["Not started yet"] == 1
    found = re.search(r'href="(/i/[a-z2-7]{26})"', page)
    assert found
    assert ben.send(found[1], answer="no").status_code == 200
    assert "Not started yet" not in _titles(ben.get("/matches").text)
    assert _titles(ada.get("/matches").text)["Not started yet"] == 1


def test_a_small_board_shows_its_reader_no_more_than_their_seat(house: House) -> None:
    pair = begin(house, game="black-monday", guests=("Ben",))
    path = f"/m/{pair.match}/small.svg"
    seen = {address: pair.players[address].get(path) for address in pair.seats}
    stranger = house.visitor().get(path)
    for answer in (*seen.values(), stranger):
        assert answer.status_code == 200
        assert answer.mimetype == "image/svg+xml"
        assert "no-cache" in answer.headers["Cache-Control"]
    again = pair.players[ADA].get(path, **{"If-None-Match": seen[ADA].headers["ETag"]})
    assert again.status_code == 304
    assert house.visitor().get("/m/m_0000000000000000/small.svg").status_code == 404


def test_matches_are_found_by_game_and_by_name(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    for query, found in (
        ("?game=malawi", True),
        ("?game=monad", False),
        ("?name=BE", True),
        ("?name=%25", False),
        ("?name=ada", False),
        ("?name=%00%5C", False),
    ):
        shown = _titles(ada.get(f"/matches{query}").text)
        assert bool(sum(shown.values())) is found, query


def test_a_page_beyond_the_last_is_the_last(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mine, "PAGE", 1)
    monkeypatch.setattr(mine, "FIRST", 1)
    ada = begin(house).players[ADA]
    for number in range(2):
        ada.start("Ada", f"guest{number}@example.org")
    assert "All 2" in ada.get("/matches").text
    for page, words in (("1", "Page 1 of 2"), ("9" * 30, "Page 2 of 2"), ("-1", "Page 1 of 2")):
        assert words in ada.get(f"/matches/invited?page={page}").text
    assert ada.get("/matches/nothing").status_code == 404


def test_who_is_not_known_here_asks_for_a_link(house: House) -> None:
    begin(house)
    stranger = house.visitor()
    assert "no password" in stranger.get("/matches").text
    assert stranger.get("/matches/finished").headers["Location"] == "/matches"
    known, unknown = (
        stranger.send("/matches", address=address) for address in (BEN, "nobody@example.org")
    )
    assert known.text == unknown.text
    assert house.letters("nobody@example.org") == []
    assert house.letters(folded(BEN))[0].entry.subject == "Your link to sign in"
    link = house.link(BEN, "a")
    entered = stranger.send(link, answer="yes")
    assert entered.headers["Location"] == stranger.get(link).headers["Location"] == "/matches"
    elsewhere = house.visitor().get(link)
    assert elsewhere.status_code == 410
    assert "Somebody has come in by this link already" in elsewhere.text
    assert "My matches" in stranger.get("/matches").text
    assert house.visitor().send("/matches", address="no address").status_code == 422


def test_from_a_match_that_waits_for_others_a_link_leads_to_the_next(house: House) -> None:
    first, second = begin(house), begin(house, game="seasons")
    moved = first.mover
    player = first.players[moved]
    player.send(f"/m/{first.match}", line=GAME[0])
    page = player.get(f"/m/{first.match}").text
    told = f'href="/m/{second.match}">1 match waits for you' in page
    assert told == (second.mover == moved)
    count = page.count("1 match waits for you")
    assert player.get("/").text.count("1 match waits for you") == count
    assert "Sign in" in house.visitor().get("/").text


def _titles(page: str) -> dict[str, int]:
    """The groups on the page with their counts."""
    found = re.findall(r'<h2>([^<]*?) <span class="quiet">(\d+)</span></h2>', page)
    return {title: int(count) for title, count in found}


def test_every_pair_of_players_is_told_apart(house: House) -> None:
    """Whose turn it is in a match says nothing of another match of the same two."""
    pairs = [begin(house), begin(house)]
    waiting = dict.fromkeys(pairs[0].seats, 0)
    for pair in pairs:
        waiting[_mover(pair)] += 1
    for address, player in pairs[1].players.items():
        shown = _titles(player.get("/matches").text)
        assert shown.get("It is your turn", 0) == waiting[address]


def _mover(pair: Pair) -> str:
    return pair.mover
