"""A match looked at again: every position, by whose eyes, what chance did, and its course."""

from __future__ import annotations

import re

import pytest

from games import registry
from games.chance import Stream
from games.core.drawing import Reader
from games.core.rules import BYSTANDER
from games.log.schema import read
from games.position import Position
from service import matches, play, records
from service.web.match import turns
from tests.web.people import ADA, BEN, GAME, House, Pair, begin


def test_a_position_beyond_the_match_is_the_nearest(house: House) -> None:
    pair = begin(house)
    pair.play(*GAME)
    stranger = house.visitor()
    for asked, at in (("999", 9), ("0", 3), ("-4", 3), ("5", 5), ("1" * 50, 9)):
        page = stranger.get(f"/m/{pair.match}/replay?at={asked}").text
        assert f'data-at="{at}"' in page, asked


def test_who_looks_chooses_by_whose_eyes_as_far_as_they_may(house: House) -> None:
    pair = begin(house, game="black-monday")
    stranger, ada = house.visitor(), pair.players[ADA]
    path = f"/m/{pair.match}/replay"
    seat, other = (str(pair.seats.index(address) + 1) for address in (ADA, BEN))
    assert _eyes(stranger.get(path).text) == ()
    assert _eyes(ada.get(path).text) == (seat, "bystander")
    mine = _hand(ada.get(path).text)
    assert mine
    for eyes in ("bystander", other, "all"):
        seen = _hand(stranger.get(f"{path}?as={eyes}").text)
        assert seen == set(), eyes
    assert _hand(ada.get(f"{path}?as=bystander").text) == set()
    assert _hand(ada.get(f"{path}?as={other}").text) == mine
    assert _hand(ada.get(f"{path}?as=all").text) == mine


def test_after_the_end_everybody_sees_with_all_eyes(house: House) -> None:
    pair = begin(house, game="black-monday")
    assert _resign(pair) == 303
    stranger = house.visitor()
    path = f"/m/{pair.match}/replay?at=5"
    assert _eyes(stranger.get(path).text) == ("all", "1", "2", "bystander")
    one, two, none = (
        _hand(stranger.get(f"{path}&as={eyes}").text) for eyes in ("1", "2", "bystander")
    )
    assert one
    assert two
    assert one != two
    assert none == set()
    page = stranger.get(f"{path}&as=2").text
    assert f"/m/{pair.match}/replay?at=6&amp;as=2#6" in page


def _resign(pair: Pair) -> int:
    ada = pair.players[ADA]
    page = ada.get(f"/m/{pair.match}").text
    token = re.search(r'name="csrf_token" value="([^"]*)"', page)
    assert token
    values = {"csrf_token": token[1], "act": "resign", "on": _newest(page)}
    return ada.submit(f"/m/{pair.match}/act", values).status_code


def test_chance_is_proved_at_its_record(house: House) -> None:
    pair = begin(house, game="seasons")
    with house.site.db.read() as conn:
        lines = [read(line) for line in records.lines(conn, pair.match)]
    rolls = [record.n for record in lines if type(record.body).__name__ == "Roll"]
    page = house.visitor().get(f"/m/{pair.match}/replay?at={rolls[0]}").text
    for words in (
        "Fixed in record 0",
        "Added by Ada",
        "Added by Ben",
        "Element 2",
        "What came out",
    ):
        assert words in page
    assert f"python -m games verify {pair.match}.mlog" in page
    deal = begin(house, game="black-monday")
    page = house.visitor().get(f"/m/{deal.match}/replay?at=5").text
    assert "until then nobody but the service" in page
    assert "What came out" not in page


def test_the_board_can_be_turned_where_it_has_sides(house: House) -> None:
    pair = begin(house)
    stranger = house.visitor()
    page = stranger.get(f"/m/{pair.match}/replay?at=3").text
    turned = stranger.get(f"/m/{pair.match}/replay?at=3&turned=yes").text
    assert "turned=yes" in page
    assert _board(page) != _board(turned)
    assert _board(pair.players[pair.seats[1]].get(f"/m/{pair.match}/replay?at=3").text) == _board(
        turned
    )


@pytest.mark.parametrize("game", registry.games())
def test_the_course_of_a_match_is_a_chart_and_a_table(house: House, game: str) -> None:
    pair = begin(house, game=game)
    for _ in range(4):
        _move(house, pair)
    at = _position(house, pair)
    page = house.visitor("de").get(f"/m/{pair.match}/replay").text
    view, names = at.rules.view(at.state, BYSTANDER), ("Ada", "Ben")
    charted = bool(registry.drawing(game).figures(view, Reader("de", names, BYSTANDER)))
    assert ('class="chart"' in page) is charted
    assert ("In Zahlen" in page) is charted


def _position(house: House, pair: Pair) -> Position:
    with house.site.db.read() as conn:
        return records.position(house.site, conn, pair.match)


def _move(house: House, pair: Pair) -> None:
    """Whoever is to move plays as the house would; nobody does when the match is over."""
    position = _position(house, pair)
    seat = matches.mover(position)
    if seat is None:
        return
    known = position.rules.known(position.state, seat)
    line = registry.bot(position.rules.game).play(known, seat, Stream(bytes(32)))
    play.submit(
        house.site,
        match=pair.match,
        seat=seat,
        line=line,
        wait=position.wait,
        on=position.n - 1,
        via="web",
        now=position.at,
    )


def test_the_turn_list_of_a_long_match_has_pages(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "ROWS", 1)
    pair = begin(house)
    pair.play(*GAME)
    stranger = house.visitor()
    assert "Older turns" in stranger.get(f"/m/{pair.match}").text
    found = [
        set(re.findall(r"\?at=(\d+)#", stranger.get(f"/m/{pair.match}/turns?page={page}").text))
        for page in ("1", "2", "3", "99", "-1")
    ]
    assert found[0] | found[1] | found[2] == {"4", "5", "6", "7", "8"} | found[0]
    assert found[3] == found[2]
    assert found[4] == found[0]


def _eyes(page: str) -> tuple[str, ...]:
    select = page.partition('<select id="as"')[2].partition("</select>")[0]
    return tuple(re.findall(r'value="([^"]*)"', select))


def _hand(page: str) -> set[str]:
    """The cards with names in the hand of the picture."""
    return set(re.findall(r'<g id="([RBPY]\d+(?:-2)?)" role', page))


def _board(page: str) -> str:
    return page.partition("<svg xmlns")[2].partition("</svg>")[0]


def _newest(page: str) -> str:
    found = re.search(r'name="on" value="(\d+)"', page)
    return found[1] if found else "0"
