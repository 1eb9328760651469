"""Whoever asks for mail too often is told how long to wait, and nothing else."""

from __future__ import annotations

from contextlib import closing

import pytest
from flask import request

from service import access, create_app, lobby
from service.quota import Quota
from service.settings import Settings
from service.site import init
from service.web import verify
from tests.web.people import ADA, BEN, House, begin

HOUR = lobby.CONFIRMS.seconds


@pytest.mark.parametrize(
    ("proxies", "hosts"), [(0, {"127.0.0.1"}), (1, {"192.0.2.1", "192.0.2.2"})]
)
def test_a_header_that_nobody_of_ours_wrote_makes_no_other_visitor(
    settings: Settings, proxies: int, hosts: set[str]
) -> None:
    """Each host has its own quota for checks; whatever is claimed before our own proxy's words."""
    given = settings.model_copy(update={"trusted_proxies": proxies})
    init(given)
    app = create_app(given)
    seen = set()
    with closing(app.extensions["fernpartie"]):
        app.add_url_rule("/whose", view_func=lambda: str(request.remote_addr))
        for claimed in ("198.51.100.1", "198.51.100.2"):
            for host in ("192.0.2.1", "192.0.2.2"):
                headers = {"X-Forwarded-For": f"{claimed}, {host}", "X-Forwarded-Host": "evil"}
                seen.add(app.test_client().get("/whose", headers=headers).text)
    assert seen == hosts


@pytest.mark.parametrize(("language", "words"), [("en", "too often"), ("de", "zu oft")])
def test_a_form_sent_too_often_is_told_when_to_come_again(
    house: House, language: str, words: str
) -> None:
    form = {"name": "Ada", "address": ADA, "invited-1-address": BEN}
    answers = [
        house.visitor(language).send("/start/malawi", **form)
        for _ in range(lobby.CONFIRMS.most + 1)
    ]
    assert [answer.status_code for answer in answers] == [303] * lobby.CONFIRMS.most + [429]
    assert words in answers[-1].text
    wait = int(answers[-1].headers["Retry-After"])
    assert HOUR - 300 < wait <= HOUR
    assert f"in {-(-wait // 60)} min" in answers[-1].text.lower()
    assert len(house.dump()["opening"]) == len(house.dump()["outbox"]) == lobby.CONFIRMS.most


def test_the_same_is_said_of_an_address_that_plays_and_one_that_does_not(house: House) -> None:
    path = f"/m/{begin(house).match}/link"
    for _ in range(access.MAILS.most + 1):
        known, unknown = (
            house.visitor().send(path, address=address) for address in (BEN, "nobody@example.org")
        )
        assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    assert known.status_code == 429


def test_checks_of_logs_are_counted_and_the_next_one_has_a_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "CHECKS", Quota("verify", 1, 90))
    visitor = house.visitor()
    assert visitor.send("/verify", text="pbem").status_code == 200
    refused = visitor.send("/verify", text="pbem")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 90
    assert 'href="/verify"' in refused.text
