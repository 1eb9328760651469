"""A vacation is planned on a page of the account, with a sentence for what cannot be had."""

from __future__ import annotations

import re

import pytest

from tests.web.people import ADA, House, Pair, Visitor, begin


@pytest.fixture
def pair(house: House) -> Pair:
    return begin(house)


def plan(visitor: Visitor, **fields: str) -> tuple[int, str]:
    page = visitor.get("/account/vacation").text
    values = dict(re.findall(r'name="(csrf_token)" value="([^"]*)"', page))
    answer = visitor.submit("/account/vacation", values | fields)
    return answer.status_code, answer.text


def test_a_vacation_is_planned_and_ended(house: House, pair: Pair) -> None:
    ada = pair.players[ADA]
    assert plan(ada, begins="", days="3")[0] == 303
    page = ada.get("/account/vacation").text
    number = re.search(r'name="vacation" value="(\d+)"', page)
    assert number
    values = dict(re.findall(r'name="(csrf_token)" value="([^"]*)"', page))
    assert ada.submit("/account/vacation/end", values | {"vacation": number[1]}).status_code == 303
    assert 'name="vacation"' not in ada.get("/account/vacation").text


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
        assert 'aria-invalid="true"' in page


def test_vacations_are_for_those_who_have_signed_in(house: House, pair: Pair) -> None:
    assert "csrf_token" in house.visitor().get("/account/vacation").text
    assert 'name="days"' not in house.visitor().get("/account/vacation").text
