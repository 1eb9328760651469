"""Every page: clean HTML, the right headers, both languages, nothing that changes by looking."""

from __future__ import annotations

import re
from contextlib import closing
from urllib.robotparser import RobotFileParser

import pytest
from flask import abort

from service import create_app
from service.settings import Settings
from service.site import init
from service.web.limits import UPLOAD_BYTES
from service.web.response import POLICY
from tests.web.people import ADA, BEN, GAME, OPERATOR, House, begin

PUBLIC = ("/", "/start", "/lobby", "/archive", "/rules", "/rules/malawi", "/api")
FORMS = ("/start/malawi", "/start/sent", "/verify", "/matches")
FONTS = 49_000
"""Bytes of the two that every page uses."""
ADDRESSES = (
    *PUBLIC,
    *FORMS,
    "/rules/malawi.svg",
    "/policy.txt",
    "/api/openapi.json",
    "/healthz",
    f"/operator/{OPERATOR}",
)


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_page_is_clean_and_guarded(house: House, path: str, language: str) -> None:
    answer = house.visitor(language).get(path)
    assert answer.status_code == 200
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "'unsafe" not in answer.headers["Content-Security-Policy"] or path.endswith(".svg")
    if answer.mimetype == "text/html":
        assert f'<html lang="{language}">' in answer.text
        assert " style=" not in answer.text


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_page_may_be_asked_about(house: House, path: str) -> None:
    visitor = house.visitor()
    first = visitor.get(path)
    assert "Set-Cookie" not in first.headers
    assert {"Accept-Language", "Cookie"} <= set(first.vary)
    again = visitor.get(path, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert house.visitor("de").get(path).headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize("path", [*FORMS, f"/operator/{OPERATOR}", "/nothing"])
def test_other_pages_are_kept_by_nobody(house: House, path: str) -> None:
    answer = house.visitor().get(path)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize(
    "path", ["/nothing", "/m/m_0000000000000000", "/t/x", "/rules/go", "/start/go", "/m/"]
)
@pytest.mark.parametrize(
    ("language", "words"), [("de", "Hier ist nichts"), ("en", "Nothing is here")]
)
def test_what_is_not_there_is_said_in_a_sentence(
    house: House, path: str, language: str, words: str
) -> None:
    answer = house.visitor(language).get(path)
    assert answer.status_code == 404
    assert words in answer.text


def test_the_first_language_of_the_browser_that_we_speak_is_taken(house: House) -> None:
    assert '<html lang="de">' in house.visitor("fr, de-AT;q=0.9, en;q=0.5").get("/").text
    assert '<html lang="en">' in house.visitor("fr").get("/").text


def test_a_language_is_chosen_without_an_account_and_kept_by_the_browser_alone(
    house: House,
) -> None:
    pair, visitor = begin(house), house.visitor("en")
    switch = re.search(r'href="([^"]+)" lang="de"', visitor.get("/lobby?page=1").text)
    assert switch
    assert switch[1] == "/lobby?page=1&amp;lang=de"
    assert 'href="/example.org/%3F%00?lang=de"' in visitor.get("/%2Fexample.org/%3F%00").text
    link, before = pair.link(), house.dump()
    assert '<html lang="de">' in visitor.get("/lobby?page=1&lang=de").text
    for path in ("/", "/nothing", link, "/start/malawi"):
        assert '<html lang="de">' in visitor.get(path).text, path
    assert 'href="/start/malawi?lang=en"' in visitor.send("/start/malawi", name="").text
    assert house.dump() == before
    assert '<html lang="en">' in visitor.get("/?lang=en").text
    assert '<html lang="en">' in visitor.get("/").text
    assert '<html lang="en">' in house.visitor("en").get("/").text
    reader = pair.players[ADA]
    reader.client.set_cookie("language", "de")
    page = reader.get("/matches?lang=de").text
    assert '<html lang="en">' in page
    assert "lang=de" not in page


def test_search_engines_read_about_games_and_not_about_people(house: House) -> None:
    robots = RobotFileParser()
    robots.parse(house.visitor().get("/robots.txt").text.splitlines())
    pages = [rule for rule in house.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    read = {
        rule.endpoint for rule in pages if robots.can_fetch("*", re.sub("<.*?>", "x", rule.rule))
    }
    about = {rule.endpoint for rule in pages if rule.endpoint.startswith(("home.", "start."))}
    further = {"static", "places.lobby", "verify.verify", "programs.manual"}
    assert read == (about | further) - {"start.sent"}


def test_another_method_is_refused_with_those_that_work(house: House) -> None:
    client = house.visitor().client
    for method, path, allowed in (
        ("PUT", "/verify", {"GET", "HEAD", "OPTIONS", "POST"}),
        ("DELETE", "/", {"GET", "HEAD", "OPTIONS"}),
    ):
        answer = client.open(path, method=method)
        assert answer.status_code == 405
        assert answer.allow.as_set() == {name.lower() for name in allowed}


def test_behind_tls_every_cookie_is_secure(settings: Settings) -> None:
    given = settings.model_copy(update={"base_url": "https://games.example.org"})
    init(given)
    app = create_app(given)
    with closing(app.extensions["fernpartie"]):
        answer = app.test_client().get("/verify", headers={"Host": "games.example.org"})
        cookie = answer.headers["Set-Cookie"]
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))


def test_a_foreign_host_gets_no_page(house: House) -> None:
    for path in ("/", "/?lang=fr", "/lobby?page=x"):
        answer = house.visitor().client.get(path, headers={"Host": "elsewhere.example"})
        assert answer.status_code == 400
        assert "<html" not in answer.text


def test_a_form_from_elsewhere_is_refused_with_a_way_on(house: House) -> None:
    link = begin(house).link()
    before = house.dump()
    answer = house.visitor().submit(link, {"line": "a1-c1", "on": "3"})
    assert answer.status_code == 400
    assert f'href="{link}?line=a1-c1"' in answer.text
    assert house.dump() == before


def test_a_fault_of_ours_shows_no_trace(house: House) -> None:
    house.app.add_url_rule("/broken", view_func=lambda: str(1 // 0))
    answer = house.visitor().get("/broken")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "ZeroDivisionError" not in answer.text


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_error_says_a_sentence_and_a_way_on(house: House, language: str) -> None:
    """Whatever stops a page: what it means, in the reader's language, and a link that leads on."""
    house.app.add_url_rule("/error/<int:code>", view_func=lambda code: abort(code))
    seen = set()
    for code in (400, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503):
        answer = house.visitor(language).get(f"/error/{code}")
        assert answer.status_code == code
        assert f'<html lang="{language}">' in answer.text
        title = re.findall("<h1>(.+)</h1>", answer.text)[0]
        assert re.search(r'<main.*<a class="button second" href="/"', answer.text, re.DOTALL), code
        seen.add(title)
    assert len(seen) == 11, "400 and 422 are the same to a reader"


def test_a_page_weighs_little_and_fetches_from_us_alone(house: House) -> None:
    """With all that it loads at once; and no page of a player's is allowed more."""
    pair = begin(house, game="monad")
    mover, match = pair.players[pair.mover], f"/m/{pair.match}"
    own = (f"{match}/messages", "/account", "/account/vacation", "/account/programs")
    for path in ("/", "/rules/monad", "/matches", "/lobby", match, f"{match}/replay", *own):
        page = mover.get(path)
        assert page.headers["Content-Security-Policy"] == POLICY
        loaded = set(re.findall(r'(?:src|href)="(/static/[^"]*|[^"]*\.svg[^"]*)"', page.text))
        assert not re.search(r'(?:src|action)="https?:', page.text)
        weight = len(page.data) + FONTS
        for one in loaded:
            with mover.get(one.replace("&amp;", "&")) as part:
                weight += len(part.data)
        assert weight < 150_000, path


def test_what_is_only_for_players_asks_who_is_there(house: House) -> None:
    answer = house.visitor().get("/account/programs")
    assert answer.status_code == 403
    assert "The address with which you play" in answer.text


def test_a_form_that_is_too_large_is_not_read(house: House) -> None:
    answer = house.visitor().submit("/start/malawi", {"name": "x" * 100_000})
    assert answer.status_code == 413
    assert "64 kilobytes" in answer.text


def test_a_log_that_is_too_large_is_not_read(house: House) -> None:
    answer = house.visitor().upload(b"x" * (UPLOAD_BYTES + 1))
    assert answer.status_code == 413
    assert "python -m games verify" in answer.text


def test_looking_changes_nothing_and_gives_nobody_rights(house: House) -> None:
    pair = begin(house)
    pair.play(*GAME[:2])
    fresh = house.visitor()
    fresh.start("C", "d@example.org")
    confirm = house.link("c@example.org", "a")
    fresh.start("E", "f@example.org")
    fresh.send(house.link("e@example.org", "a"), answer="yes")
    match = f"/m/{pair.match}"
    paths = {
        *house.links(),
        confirm,
        house.link("f@example.org", "i"),
        *ADDRESSES,
        *(match, match + "/replay", match + "/replay?at=4", match + ".mlog", match + "/link"),
        *(pair.link(), pair.link() + "?line=a1-c1", pair.link() + "?line=nonsense"),
    }
    assert {path.split("/")[1] for path in paths} >= {"t", "i", "a", "m"}
    before = house.dump()
    for path in sorted(paths):
        for method in ("head", "get") * 5:
            answer = house.visitor().client.open(path, method=method.upper())
            assert answer.status_code in (200, 302), path
            cookies = answer.headers.getlist("Set-Cookie")
            assert all(cookie.startswith("form=") for cookie in cookies), path
    assert house.dump() == before
    assert pair.turn(GAME[2]).status_code == 303


def test_everybody_is_spoken_to_in_their_own_language(house: House) -> None:
    pair = begin(house, ben_reads="de")
    for address, language in ((ADA, "en"), (BEN, "de")):
        player = pair.players[address]
        player.language = "en" if language == "de" else "de"
        assert f'<html lang="{language}">' in player.get(f"/m/{pair.match}").text
    mover = "en" if pair.mover == ADA else "de"
    assert f'<html lang="{mover}">' in house.visitor("fr").get(pair.link()).text
