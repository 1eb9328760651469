"""The archive: searched, paged, and its logs taken home in one file."""

from __future__ import annotations

import io
from zipfile import ZipFile

import pytest

from games.verify import verify
from service.models import MATCH
from service.policy import policy_for
from service.web import archive
from tests.web.people import GAME, House, Pair, begin


def test_finished_matches_are_found(house: House) -> None:
    pair = _played(house)
    stranger = house.visitor()
    for query, found in (
        ("", True),
        ("game=malawi", True),
        ("game=seasons", False),
        ("name=ad", True),
        ("name=zoe", False),
        ("ending=played", True),
        ("ending=resigned", False),
        ("ending=drawn", False),
        ("since=2020-01-01", True),
        ("since=2999-01-01", False),
        ("until=2020-01-01", False),
        ("until=9999-12-31&since=", True),
        ("since=0001-01-01", True),
        ("name=%00%25_", False),
    ):
        page = stranger.get(f"/archive?{query}").text
        assert (pair.match in page) is found, query


def test_a_search_goes_on_over_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "PAGE", 1)
    pairs = [_played(house), _played(house)]
    stranger = house.visitor()
    first = stranger.get("/archive?game=malawi").text
    assert "before=" in first
    further = first.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert "game=malawi" in further
    second = stranger.get(further).text
    links = [f"/m/{pair.match}/replay" for pair in pairs]
    seen = [{link for link in links if link in page} for page in (first, second)]
    assert len(seen[0]) == len(seen[1]) == 1
    assert seen[0] != seen[1]
    assert stranger.get("/archive?before=nonsense").status_code == 404


def test_many_logs_come_in_one_file_and_verify(house: House) -> None:
    listed, hidden = _played(house), _played(house)
    with house.site.db.write() as conn:
        conn.execute(MATCH.update().where(MATCH.c.id == hidden.match).values(listed=False))
    answer = house.visitor().get("/archive/logs.zip?game=malawi")
    assert answer.mimetype == "application/zip"
    with ZipFile(io.BytesIO(answer.data)) as found:
        assert found.testzip() is None
        assert found.namelist() == [f"{listed.match}.mlog"]
        data = found.read(f"{listed.match}.mlog")
    assert verify(data, policy_for(house.site, data)).ok
    assert hidden.match not in house.visitor().get("/archive").text
    empty = house.visitor().get("/archive/logs.zip?game=monad")
    assert ZipFile(io.BytesIO(empty.data)).namelist() == []


def test_the_winner_is_looked_for_by_name(house: House) -> None:
    pair = _played(house)
    winner, loser = (address.partition("@")[0] for address in pair.seats)
    stranger = house.visitor()
    assert pair.match in stranger.get(f"/archive?winner={winner}").text
    assert pair.match not in stranger.get(f"/archive?winner={loser}").text


def test_single_logs_are_ticked(house: House) -> None:
    first, second, hidden = _played(house), _played(house), _played(house)
    with house.site.db.write() as conn:
        conn.execute(MATCH.update().where(MATCH.c.id == hidden.match).values(listed=False))
    stranger = house.visitor()
    assert f'name="match" value="{first.match}"' in stranger.get("/archive").text
    path = f"/archive/logs.zip?match={first.match}&match={hidden.match}&match=%00"
    with ZipFile(io.BytesIO(stranger.get(path).data)) as found:
        assert found.namelist() == [f"{first.match}.mlog"]
    assert second.match in stranger.get("/archive").text


def _played(house: House) -> Pair:
    pair = begin(house)
    pair.play(*GAME)
    return pair
