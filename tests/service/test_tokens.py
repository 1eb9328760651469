"""Tokens of programs and feeds: shown once, bounded, taken back, and never another's."""

from __future__ import annotations

import pytest

from service import people, tokens
from service.errors import BadLink, BadName, TooMany
from service.models import TOKEN
from service.people import Person
from service.site import Site
from tests.service.table import ANNA, BO, NOW, dump

DAY = tokens.DAY


@pytest.fixture
def anna(site: Site) -> int:
    return _player(site, "Anna", ANNA)


def _player(site: Site, name: str, address: str) -> int:
    with site.db.write() as conn:
        return people.enter(conn, Person(name, address, "de", "Europe/Berlin"), NOW)


@pytest.mark.parametrize("purpose", ["api", "feed"])
def test_a_token_stands_for_its_player(site: Site, anna: int, purpose: tokens.Purpose) -> None:
    token = tokens.make(site.db, anna, purpose, " My  bot ", now=NOW, plays=True)
    who = tokens.use(site.db, purpose, token, NOW + 5)
    assert (who.player, who.name, who.language, who.plays) == (anna, "Anna", "de", True)
    (kept,) = tokens.of_player(site.db, anna)
    assert (kept.name, kept.used) == ("My bot", NOW - NOW % DAY)
    assert token not in repr(dump(site))


def test_a_token_is_good_for_its_purpose_alone(site: Site, anna: int) -> None:
    token = tokens.make(site.db, anna, "feed", "calendar", now=NOW)
    with pytest.raises(BadLink):
        tokens.use(site.db, "api", token, NOW)


@pytest.mark.parametrize("token", ["", "x", "fp_" + "A" * 43, "a" * 26, "ü" * 26, "\0", "a" * 9999])
def test_what_is_no_token_is_refused(site: Site, anna: int, token: str) -> None:
    before = dump(site)
    for purpose in tokens.ASKED:
        with pytest.raises(BadLink):
            tokens.use(site.db, purpose, token, NOW)  # type: ignore[arg-type]
    assert dump(site) == before


def test_a_token_taken_back_is_worth_nothing(site: Site, anna: int) -> None:
    token = tokens.make(site.db, anna, "api", "bot", now=NOW)
    (kept,) = tokens.of_player(site.db, anna)
    tokens.revoke(site.db, _player(site, "Bo", BO), kept.id)
    assert tokens.use(site.db, "api", token, NOW)
    tokens.revoke(site.db, anna, kept.id)
    with pytest.raises(BadLink):
        tokens.use(site.db, "api", token, NOW)
    tokens.revoke(site.db, anna, kept.id)


def test_there_is_an_end_of_tokens(site: Site, anna: int) -> None:
    for number in range(tokens.MOST):
        tokens.make(site.db, anna, "api", f"bot {number}", now=NOW)
    with pytest.raises(BadName):
        tokens.make(site.db, anna, "api", "one more", now=NOW)
    tokens.make(site.db, anna, "feed", "calendar", now=NOW)


@pytest.mark.parametrize("name", ["", " ", "a" * 41, "a\u202eb", "\0"])
def test_a_token_has_a_name_that_can_be_shown(site: Site, anna: int, name: str) -> None:
    with pytest.raises(BadName):
        tokens.make(site.db, anna, "api", name, now=NOW)


def test_a_token_that_comes_too_often_has_to_wait(site: Site, anna: int) -> None:
    one, other = (tokens.make(site.db, anna, "feed", name, now=NOW) for name in ("a", "b"))
    most = tokens.ASKED["feed"]
    for _ in range(most.most):
        tokens.use(site.db, "feed", one, NOW)
    with pytest.raises(TooMany) as refused:
        tokens.use(site.db, "feed", one, NOW)
    assert refused.value.seconds == most.seconds
    tokens.use(site.db, "feed", other, NOW)
    tokens.use(site.db, "feed", one, NOW + most.seconds)


def test_the_day_of_the_last_use_is_written_once_a_day(site: Site, anna: int) -> None:
    token = tokens.make(site.db, anna, "api", "bot", now=NOW)
    midnight = NOW - NOW % DAY + DAY
    for now in (NOW, midnight - 1, midnight, midnight + 1):
        tokens.use(site.db, "api", token, now)
        with site.db.read() as conn:
            assert conn.execute(TOKEN.select()).one().used == now - now % DAY
