"""The operator's list of mails that came in: what each came to, and what can be done."""

from __future__ import annotations

import re
import time

import pytest

from service import inbox, worker
from service.inbox import Arrival
from service.mail.inbound.route import Route, address
from service.site import Site
from tests.mail.recorder import Recorder
from tests.web.people import OPERATOR, House, Visitor

PAGE = "/operator/inbox"
STRANGE = "b" * 26


@pytest.fixture
def operator(house: House) -> Visitor:
    visitor = house.visitor()
    visitor.send(f"/operator/{OPERATOR}")
    return visitor


def bring(site: Site, *headers: str, token: str = STRANGE, body: str = "Hallo!") -> None:
    """A mail comes in, for nobody if no token is named."""
    to = address(site.settings.answers, Route("t", token))
    head = "\n".join((f"To: {to}", "Message-ID: <1@example.org>", *headers))
    arrived = int(time.time()) - 5
    inbox.store(site.db, Arrival(f"test:{headers}", f"{head}\n\n{body}\n".encode(), arrived))


def work(site: Site) -> None:
    while worker.receive(site, Recorder(), int(time.time())):
        pass


def act(operator: Visitor, heap: str, act: str) -> str:
    """Presses the first button of a kind; the page after it."""
    page = operator.get(f"{PAGE}?heap={heap}").text
    form = rf'action="({PAGE}/[0-9]+)">.*?name="csrf_token" value="([^"]*)".*?value="{act}"'
    found = re.search(form, page)
    assert found
    values = {"csrf_token": found[2], "act": act, "heap": heap}
    assert operator.submit(found[1], values).status_code == 303
    return operator.get(PAGE).text


def test_what_came_in_says_from_whom_and_what_it_came_to_but_no_token(
    house: House, operator: Visitor
) -> None:
    bring(house.site, "From: Cy <cy@example.net>", "Subject: Re: [7F3K] <b>")
    work(house.site)
    page = operator.get(PAGE).text
    assert "cy@example.net" in page
    assert "no token or mail of ours is named" in page
    assert "&lt;b&gt;" in page
    assert "Hallo!" not in page
    assert STRANGE not in page
    assert "Inbox</a>" in operator.get("/").text


def test_a_mail_that_passed_for_a_machines_is_taken_up_as_a_persons(
    house: House, operator: Visitor
) -> None:
    bring(house.site, "From: cy@example.net", "Subject: Abwesenheitsnotiz")
    work(house.site)
    assert "From machines" in operator.get(PAGE).text
    assert "To be taken up" in act(operator, "machine", "release")
    work(house.site)
    assert "For nobody here" in operator.get(PAGE).text


def test_a_mail_that_waits_can_be_skipped_and_one_for_nobody_tried_again(
    house: House, operator: Visitor
) -> None:
    bring(house.site, "From: cy@example.net")
    assert "the operator skipped it" in act(operator, "new", "skip")
    bring(house.site, "From: dy@example.net")
    work(house.site)
    assert "To be taken up" in act(operator, "nobody", "again")


def test_a_mail_that_broke_says_so_and_is_tried_again(house: House, operator: Visitor) -> None:
    bring(house.site, "From: cy@example.net")
    (row,) = inbox.due(house.site.db, int(time.time()))
    for attempts in range(5):
        tried = inbox.Row(**{**row.__dict__, "attempts": attempts})
        inbox.put_off(house.site.db, tried, "KeyError", int(time.time()))
    assert "KeyError" in operator.get(f"{PAGE}?heap=broken").text
    assert "To be taken up" in act(operator, "broken", "again")
    work(house.site)
    assert "For nobody here" in operator.get(PAGE).text


def test_others_find_nothing_there(house: House) -> None:
    assert house.visitor().get(PAGE).status_code == 404
