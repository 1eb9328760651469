"""The API: the views and the door of the pages, for programs, as its description says."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import hypothesis
import pytest
from flask.testing import FlaskClient
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

from games.core.drawing import LANGUAGES
from games.registry import games
from service import tokens
from tests.web.people import ADA, BEN, FIELD, GAME, House, Pair, Visitor, at, begin

JSON, PROBLEM = "application/json", "application/problem+json"
SPEC = "urn:description"


@dataclass
class Program:
    """A program with a token; whatever it is answered must be as the description says."""

    client: FlaskClient
    token: str
    spec: dict[str, Any]

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: object) -> TestResponse:
        return self.ask("POST", path, json=body)

    def ask(self, method: str, path: str, **given: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"} | given.pop("headers", {})
        answer = self.client.open(path, method=method, headers=headers, **given)
        _as_described(self.spec, method, path, answer)
        return answer


def _as_described(spec: dict[str, Any], method: str, path: str, answer: TestResponse) -> None:
    told = _operation(spec, path).get(method.lower())
    if answer.status_code == 304:
        return
    if told is None:
        assert (answer.status_code, answer.mimetype) in ((404, PROBLEM), (405, PROBLEM))
        return
    content = told["responses"][str(answer.status_code)]["content"]
    shape = {"$ref": SPEC + content[answer.mimetype]["schema"]["$ref"]}
    resource = Resource(contents=spec, specification=DRAFT202012)
    found = Registry().with_resource(SPEC, resource)  # type: ignore[var-annotated]
    Draft202012Validator(shape, registry=found).validate(answer.json)
    assert isinstance(answer.json, dict)
    if answer.mimetype == PROBLEM:
        assert answer.json["status"] == answer.status_code
        assert (
            f"`{answer.json['code']}`" in told["responses"][str(answer.status_code)]["description"]
        )


def _operation(spec: dict[str, Any], path: str) -> dict[str, Any]:
    here = path.partition("?")[0]
    for template, operations in spec["paths"].items():
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), here):
            found: dict[str, Any] = operations
            return found
    return {}


def token(player: Visitor, *, purpose: str = "api", plays: bool = True) -> str:
    """Makes a token on the page."""
    chosen = {"plays": "yes"} if plays else {}
    page = player.send("/account/programs", purpose=purpose, name="Bot", **chosen)
    assert page.status_code == 200
    made = re.search(r"fp_[\w-]{43}|(?<=/feed/)[a-z2-7]{26}", page.text)
    assert made
    return made[0]


def program(house: House, player: Visitor, *, plays: bool = True) -> Program:
    client = house.app.test_client()
    return Program(client, token(player, plays=plays), client.get("/api/openapi.json").json)


@pytest.fixture
def pair(house: House) -> Pair:
    return begin(house)


@pytest.fixture
def seats(pair: Pair) -> tuple[Program, Program]:
    """Programs of seats 1 and 2."""
    one, two = (program(pair.house, pair.players[address]) for address in pair.seats)
    return one, two


def test_the_description_is_whole(house: House) -> None:
    answer = house.app.test_client().get("/api/openapi.json")
    spec = answer.json
    assert answer.mimetype == JSON
    assert spec["openapi"].startswith("3.1")
    for shape in spec["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(spec)))
    assert named == set(spec["components"]["schemas"])
    assert {f"View.{game}.1" for game in games()} <= named
    routes = {
        re.sub(r"<(\w+)>", r"{\1}", rule.rule)
        for rule in house.app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
    }
    assert routes == set(spec["paths"])


@pytest.mark.parametrize("game", games())
def test_every_game_is_played_by_programs(house: House, game: str) -> None:
    pair = begin(house, game=game)
    programs = [program(house, pair.players[address]) for address in pair.seats]
    path, played = f"/api/matches/{pair.match}", 0
    while played < 6 and (turn := programs[0].get(path).json["match"]["turn"]):
        played += 1
        assert [one.get(path).json["viewer"] for one in programs] == [1, 2]
        mover = programs[turn["seat"] - 1]
        choices = mover.get(f"{path}/choices").json
        while not choices["sends"]:
            ways = [
                (one["line"] != "pass", one["sends"], one["line"]) for one in choices["choices"]
            ]
            line = max(ways)[2]
            choices = mover.ask("GET", f"{path}/choices", query_string={"line": line}).json
        sent = {"line": choices["line"], "wait": turn["wait"], "on": choices["on"]}
        receipt = mover.post(f"{path}/turn", sent)
        assert receipt.status_code == 200
        assert receipt.json["line"] == choices["line"]
        assert f"\n{receipt.json['record'] + 1}\n" in receipt.json["note"]
    log = house.visitor().get(f"/m/{pair.match}.mlog").text
    assert log.count('"via":"api"') == played > 0


def test_a_turn_sent_twice_is_one_record_with_one_receipt(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    path, body = f"/api/matches/{pair.match}/turn", {"line": GAME[0], "wait": 3, "on": 3}
    first, again = (seats[0].post(path, body).json for _ in range(2))
    assert (first["again"], again["again"]) == (False, True)
    assert first | {"again": True} == again
    other = seats[0].post(path, body | {"line": "a2-c2"})
    assert (other.status_code, other.json["code"]) == (409, "stale")


def test_the_seat_that_waits_can_send_nothing(pair: Pair, seats: tuple[Program, Program]) -> None:
    path = f"/api/matches/{pair.match}"
    answer = seats[1].post(f"{path}/turn", {"line": "f1-d1", "wait": 3, "on": 3})
    assert (answer.status_code, answer.json["code"]) == (409, "not-your-turn")
    assert seats[1].get(f"{path}/choices").json["code"] == "not-your-turn"


def test_a_line_that_cannot_be_played_is_refused_in_words(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    for line, code in (
        ("", "malformed-move"),
        ("hello", "malformed-move"),
        ("\0", "malformed-move"),
        ("a1-f1", "illegal-move"),
    ):
        body = {"line": line, "wait": 3, "on": 3}
        answer = seats[0].post(f"/api/matches/{pair.match}/turn", body)
        assert (answer.status_code, answer.json["code"]) == (422, code)
        assert answer.json["detail"].endswith(".")
        assert answer.json["reason"]


def test_a_match_is_played_to_its_end_and_then_lies_open(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    path = f"/api/matches/{pair.match}"
    for number, line in enumerate(GAME):
        mover = seats[number % 2]
        match = mover.get(path).json["match"]
        sent = {"line": line, "wait": match["turn"]["wait"], "on": match["newest"]}
        over = mover.post(f"{path}/turn", sent).json["over"]
    assert over
    state = seats[0].get(path).json
    assert state["viewer"] == "open"
    assert state["match"]["turn"] is None
    assert state["acts"] == []
    assert sorted(seat["rank"] for seat in state["match"]["seats"]) == [1, 2]


def test_acts_are_those_that_the_page_offers(pair: Pair, seats: tuple[Program, Program]) -> None:
    path = f"/api/matches/{pair.match}"
    assert seats[0].get(path).json["acts"] == ["offer-draw", "offer-void", "resign"]
    offered = seats[0].post(f"{path}/act", {"act": "offer-draw", "on": 3}).json
    assert seats[0].post(f"{path}/act", {"act": "offer-draw", "on": 3}).json["again"]
    assert seats[1].get(path).json["offer"] == {"kind": "draw", "agreed": [1]}
    refused = seats[0].post(f"{path}/act", {"act": "accept-draw", "on": 4})
    assert (refused.status_code, refused.json["code"]) == (409, "not-now")
    assert seats[0].post(f"{path}/act", {"act": "rekey", "on": 4}).json["code"] == "not-now"
    agreed = seats[1].post(f"{path}/act", {"act": "accept-draw", "on": offered["record"]}).json
    assert agreed["over"]


def test_a_pause_is_asked_for_agreed_to_and_ended_by_programs(house: House) -> None:
    timed = begin(house, clock="5d")
    path = f"/api/matches/{timed.match}"
    one, two = (program(house, timed.players[address]) for address in timed.seats)
    assert "pause" in one.get(path).json["acts"]
    for on, (who, act) in enumerate(((one, "pause"), (two, "pause"), (two, "resume")), start=3):
        newest = who.get(path).json["match"]["newest"]
        assert newest >= on
        assert who.post(f"{path}/act", {"act": act, "on": newest}).status_code == 200
    assert "pause" in two.get(path).json["acts"]


def test_a_token_that_may_only_read_changes_nothing(pair: Pair) -> None:
    reader = program(pair.house, pair.players[pair.mover], plays=False)
    path = f"/api/matches/{pair.match}"
    assert reader.get(path).json["acts"] == []
    assert reader.get(f"{path}/choices").status_code == 200
    before = pair.house.dump()["record"]
    for what, body in (("turn", {"line": GAME[0], "wait": 3}), ("act", {"act": "resign"})):
        answer = reader.post(f"{path}/{what}", body | {"on": 3})
        assert (answer.status_code, answer.json["code"]) == (403, "read-only")
    assert pair.house.dump()["record"] == before


def test_without_a_good_token_there_is_nothing(pair: Pair) -> None:
    good = program(pair.house, pair.players[ADA])
    page = pair.players[ADA].get("/account/programs").text
    row = re.findall(r'name="token" value="(\d+)"', page)[0]
    feed = token(pair.players[ADA], purpose="feed")
    pair.players[ADA].submit("/account/programs/revoke", dict(FIELD.findall(page)) | {"token": row})
    for given in (good.token, "fp_" + "x" * 43, "", feed, "fp_ü"):
        answer = good.ask("GET", "/api/matches", headers={"Authorization": f"Bearer {given}"})
        assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    for header in ("Basic YTpi", "Bearer", "Digest x=y", ""):
        answer = good.ask("GET", "/api/matches", headers={"Authorization": header})
        assert answer.status_code == 401
    with_cookie = pair.players[ADA].client.get("/api/matches")
    assert with_cookie.status_code == 401


def test_others_see_what_bystanders_see_and_do_nothing(house: House) -> None:
    pair = begin(house, game="black-monday")
    eve = house.visitor()
    eve.start("Eve", "fay@example.org")
    eve.send(house.link("eve@example.org", "a"), answer="yes")
    other = program(house, eve)
    path = f"/api/matches/{pair.match}"
    state = other.get(path).json
    assert state["viewer"] == "bystander"
    assert state["acts"] == []
    assert {card for one in state["view"]["holders"] for card in one["hand"]} == {"?"}
    assert "@" not in json.dumps(state)
    listed = other.get("/api/matches").json["matches"]
    assert [match["seats"][0]["name"] for match in listed] == ["Eve"]
    body = {"line": "pass", "wait": 5, "on": 5}
    for answer in (
        other.get(f"{path}/choices"),
        other.post(f"{path}/turn", body),
        other.post(f"{path}/act", {"act": "resign", "on": 5}),
    ):
        assert (answer.status_code, answer.json["code"]) == (403, "not-a-player")
    waiting = f"/api/matches/{listed[0]['id']}/turn"
    assert other.post(waiting, body).json["code"] == "not-now"
    assert other.get(f"/api/matches/{listed[0]['id']}").json["view"] is None


def test_a_program_sees_the_hand_of_its_seat_alone(house: House) -> None:
    pair = begin(house, game="black-monday", guests=("Ben", "Carla"))
    for seat, address in enumerate(pair.seats, start=1):
        state = program(house, pair.players[address]).get(f"/api/matches/{pair.match}").json
        assert state["viewer"] == seat
        for holder in state["view"]["holders"]:
            assert ("?" not in holder["hand"]) is (holder["seat"] == seat)


def test_matches_come_in_pages_and_by_filters(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    for name in ("seasons", "malawi"):
        ada.send(f"/start/{name}", **{"invited-1-address": "guest@example.org"})
    mine = program(house, ada)
    whole = [match["id"] for match in mine.get("/api/matches").json["matches"]]
    assert len(whole) == 3
    found, before = [], ""
    while True:
        page = mine.get(f"/api/matches?limit=1{before}").json
        found += [match["id"] for match in page["matches"]]
        if page["next"] is None:
            break
        before = f"&before={page['next']}"
    assert found == whole

    def asked(query: str) -> list[str]:
        return [match["id"] for match in mine.get(f"/api/matches?{query}").json["matches"]]

    assert asked("phase=running") == [pair.match]
    assert asked("turn=mine") == ([pair.match] if pair.mover == ADA else [])
    assert len(asked("game=seasons")) == 1
    assert asked("game=nothing") == []
    assert asked("phase=closed") == []


WRONG = (
    *("limit=0", "limit=101", "limit=x", "limit=%F0%9F%98%80"),
    *("phase=done", "turn=theirs", "game=%00", "game=Ü", "player=1"),
    *("before=1", "before=x-m_0", "before=9999999999999-m_0000000000000000"),
)


def test_a_query_that_cannot_be_right_is_refused(pair: Pair) -> None:
    mine = program(pair.house, pair.players[ADA])
    for query in WRONG:
        answer = mine.get(f"/api/matches?{query}")
        assert (answer.status_code, answer.json["code"]) == (422, "invalid"), query


def test_what_is_sent_must_be_json_of_the_right_form(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    path, seat = f"/api/matches/{pair.match}/turn", seats[0]
    for body, kind, status, code in (
        (b'{"line": "a1-c1", "wait": 3, "on": 3}', "text/plain", 415, "not-json"),
        (b"line=a1-c1&wait=3&on=3", "application/x-www-form-urlencoded", 415, "not-json"),
        (b"", JSON, 400, "malformed"),
        (b"{", JSON, 400, "malformed"),
        (b"\xff", JSON, 400, "malformed"),
        (b"[" * 5000, JSON, 400, "malformed"),
        (b'{"line": "\\ud800", "wait": 3, "on": 3}', JSON, 400, "malformed"),
        (b"[]", JSON, 422, "invalid"),
        (b"null", JSON, 422, "invalid"),
        (b'{"line": "a1-c1", "wait": "3", "on": 3}', JSON, 422, "invalid"),
        (b'{"line": "a1-c1", "wait": 3, "on": 1e400}', JSON, 422, "invalid"),
        (b'{"line": "a1-c1", "wait": 3, "on": -1}', JSON, 422, "invalid"),
        (b'{"line": "a1-c1", "wait": 3, "on": 3, "seat": 2}', JSON, 422, "invalid"),
        (b'{"line": "' + b"a" * 901 + b'", "wait": 3, "on": 3}', JSON, 422, "invalid"),
        (b'"' + b"a" * 70_000 + b'"', JSON, 413, "too-large"),
    ):
        answer = seat.ask("POST", path, data=body, content_type=kind)
        assert (answer.status_code, answer.json["code"]) == (status, code), body[:40]
    assert len(pair.house.dump()["record"]) == 4


def test_addresses_that_lead_nowhere_answer_programs(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    for path in (
        "/api/",
        "/api/x",
        "/api/matches/x",
        "/api/matches/m_0000000000000000",
        "/api/matches/%00",
        f"/api/matches/{pair.match}/x",
    ):
        answer = seats[0].get(path)
        assert (answer.status_code, answer.json["code"]) == (404, "not-found"), path
    answer = seats[0].ask("DELETE", f"/api/matches/{pair.match}")
    assert (answer.status_code, answer.json["code"]) == (405, "method-not-allowed")
    assert "GET" in answer.headers["Allow"]


def test_a_match_that_has_not_changed_is_not_sent_again(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    path = f"/api/matches/{pair.match}"
    first = seats[0].get(path)
    assert first.headers["Cache-Control"] == "private, no-cache"
    tag = first.headers["ETag"]
    assert seats[0].get(path, **{"If-None-Match": tag}).status_code == 304
    assert seats[1].get(path, **{"If-None-Match": tag}).status_code == 200
    pair.turn(GAME[0])
    assert seats[0].get(path, **{"If-None-Match": tag}).status_code == 200


def test_a_token_that_asks_too_often_is_told_to_wait(
    pair: Pair, seats: tuple[Program, Program]
) -> None:
    eager, other = seats
    answers = [eager.get("/api/me") for _ in range(tokens.ASKED["api"].most)]
    while answers[-1].status_code == 200:
        answers.append(eager.get("/api/me"))
    assert answers[-1].json["code"] == "too-many"
    assert int(answers[-1].headers["Retry-After"]) == 1
    assert other.get("/api/me").status_code == 200


def test_sentences_are_in_the_language_of_the_player(house: House) -> None:
    pair = begin(house, ben_reads="de")
    german = program(house, pair.players[BEN])
    answer = german.post(f"/api/matches/{pair.match}/turn", {"line": "x", "wait": 3, "on": 99})
    assert answer.json["title"] in (
        "Die Partie ist inzwischen weiter.",
        "Ein anderer Platz ist am Zug.",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_are_told_how(house: House, language: str) -> None:
    page = house.visitor(language).get("/api")
    assert page.status_code == 200
    spec = house.app.test_client().get("/api/openapi.json").json
    for path in spec["paths"]:
        assert path in page.text
    for code in spec["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]:
        assert f'id="{code}"' in page.text


def test_the_example_of_the_page_is_played_as_it_stands(pair: Pair) -> None:
    page = pair.house.visitor().get("/api").text
    body = re.search(r"-d &#39;(.+?)&#39;|-d '(.+?)'", page)
    assert body
    seat = program(pair.house, pair.players[pair.mover])
    answer = seat.post(f"/api/matches/{pair.match}/turn", json.loads(body[1] or body[2]))
    assert answer.status_code == 200
    assert set(answer.json) == set(json.loads(re.findall(r'{"match":.+?}', page, re.DOTALL)[-1]))


def test_only_a_player_makes_tokens(pair: Pair) -> None:
    nobody = pair.house.visitor()
    assert nobody.get("/account/programs").status_code == 403
    by_link = pair.house.visitor()
    by_link.send(pair.link(), line=GAME[0])
    assert by_link.get("/account/programs").status_code == 403
    csrf = dict(FIELD.findall(nobody.get("/verify").text))["csrf_token"]
    before = pair.house.dump()
    for values in ({"purpose": "api", "name": "x"}, {"purpose": "feed", "name": "x"}):
        assert nobody.submit("/account/programs", values | {"csrf_token": csrf}).status_code == 403
    assert pair.house.dump() == before


def test_a_token_is_shown_once_and_taken_back_by_its_player_alone(pair: Pair) -> None:
    ada, ben = pair.players[ADA], pair.players[BEN]
    made = token(ada)
    page = ada.get("/account/programs").text
    assert made not in page
    assert made not in repr(pair.house.dump())
    row = re.findall(r'name="token" value="(\d+)"', page)[0]
    csrf = dict(FIELD.findall(ben.get("/account/programs").text))["csrf_token"]
    for given in (row, "-1", "x", "9" * 30):
        ben.submit("/account/programs/revoke", {"csrf_token": csrf, "token": given})
    assert f'value="{row}"' in ada.get("/account/programs").text


def test_a_form_without_a_name_is_shown_again(pair: Pair) -> None:
    page = pair.players[ADA].send("/account/programs", purpose="api", name=" ")
    assert page.status_code == 422
    assert "Please give a name." in page.text
    assert pair.players[ADA].send("/account/programs", purpose="x", name="a").status_code == 422


@pytest.fixture(scope="module")
def words() -> st.SearchStrategy[str]:
    return st.text(max_size=30) | st.sampled_from(("a1-c1", "resign", "m_0000000000000000", "pass"))


@hypothesis.settings(
    max_examples=20,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
    deadline=None,
)
@hypothesis.given(data=st.data())
def test_nonsense_is_never_our_fault(
    pair: Pair,
    seats: tuple[Program, Program],
    words: st.SearchStrategy[str],
    data: st.DataObject,
) -> None:
    path = f"/api/matches/{pair.match}"
    numbers = st.integers() | words | st.none() | st.floats() | st.just(3)
    fields = st.sampled_from(("line", "wait", "on", "act", "x"))
    body = data.draw(st.dictionaries(fields, words | numbers, max_size=4))
    for answer in (
        seats[0].post(f"{path}/{data.draw(st.sampled_from(('turn', 'act')))}", body),
        seats[0].ask("GET", f"{path}/choices", query_string={"line": data.draw(words)}),
        seats[0].ask("GET", "/api/matches", query_string=data.draw(st.dictionaries(words, words))),
        seats[0].ask("POST", f"{path}/turn", data=data.draw(st.binary()), content_type=JSON),
    ):
        assert answer.status_code < 500, answer.text


def test_an_address_of_somebody_is_in_no_answer(pair: Pair, seats: tuple[Program, Program]) -> None:
    for path in ("/api/me", "/api/matches", f"/api/matches/{pair.match}"):
        text = seats[0].get(path).text
        assert "@" not in text
        assert at("Ben") not in text
