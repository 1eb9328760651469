"""A vacation is planned on a page of the account, with a sentence for what cannot be had."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from tests.web.people import ADA, BEN, House, Pair, Visitor, begin


@pytest.fixture
def pair(house: House) -> Pair:
    return begin(house, clock="7d")


def plan(visitor: Visitor, **fields: str) -> tuple[int, str]:
    page = visitor.get("/account/vacation").text
    values = dict(re.findall(r'name="(csrf_token)" value="([^"]*)"', page))
    answer = visitor.submit("/account/vacation", values | fields)
    return answer.status_code, answer.text


def test_a_vacation_is_planned_and_ended(house: House, pair: Pair) -> None:
    ada = pair.players[ADA]
    begins = date.today() + timedelta(days=40)
    assert plan(ada, begins=begins.isoformat(), days="2")[0] == 303
    seen = pair.players[BEN].get(f"/m/{pair.match}").text
    assert "Ada will be on vacation from" in seen
    assert "on vacation until" not in seen
    assert plan(ada, begins="", days="3")[0] == 303
    assert "Ada is on vacation until" in pair.players[BEN].get(f"/m/{pair.match}").text
    page = ada.get("/account/vacation").text
    number = re.search(r'name="vacation" value="(\d+)"', page)
    assert number
    values = dict(re.findall(r'name="(csrf_token)" value="([^"]*)"', page))
    assert ada.submit("/account/vacation/end", values | {"vacation": number[1]}).status_code == 303
    assert ada.get("/account/vacation").text.count('name="vacation"') == 1, "the one ahead"


def test_what_cannot_be_had_is_said_beside_the_field(house: House, pair: Pair) -> None:
    for fields in (
        {"begins": "2001-01-01", "days": "3"},
        {"begins": "soon", "days": "3"},
        {"begins": "", "days": "0"},
        {"begins": "", "days": "99"},
        {"begins": "", "days": "many"},
    ):
        status, page = plan(pair.players[ADA], **fields)
        assert status == 422
        (field,) = re.findall(r'name="(\w+)"[^>]*aria-invalid="true"', page)
        assert field == ("begins" if fields["begins"] else "days")


def test_vacations_are_for_those_who_have_signed_in(house: House, pair: Pair) -> None:
    assert "csrf_token" in house.visitor().get("/account/vacation").text
    assert 'name="days"' not in house.visitor().get("/account/vacation").text
