"""Ways into a match: the form, confirming it, invitations, and links that sign a player in."""

from __future__ import annotations

import re

import pytest

from service.lobby import CONFIRMS
from service.models import LINK
from tests.web.people import ADA, BEN, FIELD, House, Visitor, begin

FORM = {
    "name": "Ada",
    "address": ADA,
    "invited-1-name": "Ben",
    "invited-1-address": BEN,
}


@pytest.fixture
def ada(house: House) -> Visitor:
    """Somebody who has asked for a match."""
    visitor = house.visitor()
    asked = visitor.send("/start/malawi", **FORM)
    assert (asked.status_code, asked.headers["Location"]) == (303, "/start/sent")
    return visitor


@pytest.fixture
def invited(house: House, ada: Visitor) -> str:
    """The path of the invitation that Ben got when Ada had confirmed."""
    assert ada.send(house.link(ADA, "a"), answer="yes").status_code == 303
    return house.link(BEN, "i")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "", "Please give a name."),
        ("name", "x" * 41, "at most 40"),
        ("address", "nonsense", "This is no mail address"),
        ("invited-1-address", "", "This is no mail address"),
        ("invited-1-address", ADA, "twice"),
        ("option.goal", "never", "The option “goal” cannot be “never”."),
        ("words", "x" * 201, "At most 200 characters"),
    ],
)
def test_a_form_that_cannot_be_is_shown_again_with_what_is_wrong(
    house: House, field: str, value: str, words: str
) -> None:
    answer = house.visitor().send("/start/malawi", **(FORM | {field: value}))
    assert answer.status_code == 422
    assert words in answer.text
    assert 'value="Ben"' in answer.text
    assert not house.dump()["opening"]


def test_what_is_wrong_with_an_option_stands_beside_it(house: House) -> None:
    answer = house.visitor().send("/start/malawi", **FORM, **{"option.goal": "never"})
    beside = re.search(r'<select id="option.goal"[^>]*>', answer.text)
    assert beside is not None
    assert 'aria-invalid="true" aria-describedby="option.goal-problem"' in beside[0]
    assert '<p class="urgent" id="option.goal-problem">The option “goal”' in answer.text


@pytest.mark.parametrize(("asked", "seats"), [("", 2), ("?seats=6", 6)])
def test_as_many_can_be_invited_as_shall_play(house: House, asked: str, seats: int) -> None:
    page = house.visitor().get(f"/start/black-monday{asked}").text
    assert f'name="seats" value="{seats}"' in page
    assert page.count('type="email"') == seats
    assert page.count("<legend>Player") == (seats - 1 if seats > 2 else 0)
    assert f'aria-current="true">{seats}</a>' in page


def test_every_invitation_needs_an_address(house: House) -> None:
    form = FORM | {"seats": "4", "invited-2-address": "carla@example.org"}
    answer = house.visitor().send("/start/black-monday", **form)
    assert answer.status_code == 422
    assert re.findall(r'id="(invited[^"]*)-problem"', answer.text) == ["invited-3-address"]


def test_a_form_sent_twice_asks_once(house: House) -> None:
    visitor = house.visitor()
    form = dict(FIELD.findall(visitor.get("/start/malawi").text)) | FORM
    visitor.submit("/start/malawi", form)
    visitor.submit("/start/malawi", form)
    assert len(house.dump()["opening"]) == 1


def test_whoever_asks_too_often_is_told_when_to_ask_again(house: House) -> None:
    visitor = house.visitor()
    answers = [visitor.start("Ada", BEN) for _ in range(CONFIRMS.most + 1)]
    assert {answer.status_code for answer in answers[:-1]} == {303}
    last = answers[-1]
    assert last.status_code == 429
    assert 0 < int(last.headers["Retry-After"]) <= 3_600
    assert "This was asked for too often. Please try again in" in last.text
    assert 'href="/start/malawi"' in last.text


def test_nothing_is_opened_before_the_address_is_confirmed(house: House, ada: Visitor) -> None:
    assert not house.dump()["match"]
    page = ada.get(house.link(ADA, "a"))
    assert "Start this match?" in page.text
    assert "checked" not in page.text


@pytest.mark.parametrize(("answer", "status"), [("", 422), ("maybe", 422), ("no", 200)])
def test_only_yes_confirms(house: House, ada: Visitor, answer: str, status: int) -> None:
    link = house.link(ADA, "a")
    assert ada.send(link, answer=answer).status_code == status
    assert not house.dump()["match"]
    assert ada.send(link, answer="yes").status_code == 303


def test_confirming_signs_in_and_invites(house: House, ada: Visitor) -> None:
    link = house.link(ADA, "a")
    answer = ada.send(link, answer="yes")
    assert any(c.startswith("player=") for c in answer.headers.getlist("Set-Cookie"))
    page = ada.get(answer.headers["Location"])
    assert "Waiting for" in page.text
    assert house.link(BEN, "i")
    again = house.visitor().get(link)
    assert again.headers["Location"] == answer.headers["Location"]
    other = house.visitor().send(link, answer="yes")
    assert not any(c.startswith("player=") for c in other.headers.getlist("Set-Cookie"))


def test_the_invitation_says_who_what_and_how(house: House) -> None:
    ada = house.visitor()
    ada.send("/start/malawi", **FORM, **{"option.goal": "reach"})
    ada.send(house.link(ADA, "a"), answer="yes")
    page = house.visitor().get(house.link(BEN, "i")).text
    assert "Ada invites you to Malawi" in page
    assert "who arrives wins at once" in page
    assert "Highest strength" not in page


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "Ben"}, "Please choose one of the two."),
        ({"answer": "yes", "name": ""}, "Please give a name."),
        ({"answer": "yes", "name": "ada"}, "Somebody in this match has this name."),
        ({"answer": "yes", "name": "Ben", "words": "x" * 201}, "At most 200"),
    ],
)
def test_an_answer_that_cannot_be_is_asked_for_again(
    house: House, invited: str, values: dict[str, str], words: str
) -> None:
    answer = house.visitor().send(invited, **values)
    assert answer.status_code == 422
    assert words in answer.text
    assert "start" not in {row[1] for row in house.dump()["record"]}


def test_joining_starts_the_match(house: House, invited: str) -> None:
    ben = house.visitor()
    answer = ben.send(invited, answer="yes", name="Ben", language="en")
    assert answer.status_code == 303
    page = ben.get(answer.headers["Location"]).text
    assert "The lot decided who sits where" in page
    assert "(you)" in page
    assert house.visitor().get(invited).headers["Location"] == answer.headers["Location"]
    late = house.visitor()
    token = dict(FIELD.findall(late.get("/verify").text))["csrf_token"]
    other = late.submit(invited, {"csrf_token": token, "answer": "yes", "name": "Eve"})
    assert other.status_code == 409
    assert "This seat has been taken already." in other.text


def test_an_invitation_speaks_the_language_that_its_opener_chose(house: House) -> None:
    house.visitor().send("/start/malawi", **{**FORM, "invited-1-language": "de"})
    house.visitor().send(house.link(ADA, "a"), answer="yes")
    assert "lädt dich" in house.letters(BEN)[0].entry.subject


def test_declining_ends_the_invitation(house: House, invited: str) -> None:
    assert house.visitor().send(invited, answer="no").status_code == 200
    assert house.visitor().get(invited).status_code == 404
    assert "declined" in house.letters(ADA)[0].entry.subject


def test_a_cancelled_invitation_says_so(house: House, ada: Visitor, invited: str) -> None:
    match = _match(house)
    assert "Cancel this match" in ada.get(match).text
    token = dict(FIELD.findall(ada.get(match).text))["csrf_token"]
    assert ada.submit(match + "/cancel", {"csrf_token": token}).status_code == 422
    done = ada.submit(match + "/cancel", {"csrf_token": token, "answer": "yes"})
    assert done.status_code == 303
    assert "No result: declared void." in ada.get(match).text
    guest = house.visitor()
    csrf = dict(FIELD.findall(guest.get("/verify").text))["csrf_token"]
    joining = {"csrf_token": csrf, "answer": "yes", "name": "Ben"}
    for page in (guest.get(invited), guest.submit(invited, joining)):
        assert page.status_code == 410
        assert "called off before it began" in page.text


def test_an_invitation_that_has_run_out_can_be_renewed(house: House, invited: str) -> None:
    _expire(house, "i")
    nobody = house.visitor()
    page = nobody.get(invited)
    assert "has run out" in page.text
    token = dict(FIELD.findall(page.text))["csrf_token"]
    assert nobody.submit(f"{invited}/renew", {"csrf_token": token}).status_code == 200
    new = house.link(BEN, "i")
    assert new != invited
    assert house.visitor().send(new, answer="yes", name="Ben").status_code == 303


@pytest.mark.parametrize("answered", [False, True])
def test_a_link_that_has_run_out_says_so_and_leads_to_another(
    house: House, ada: Visitor, answered: bool
) -> None:
    confirm = house.link(ADA, "a")
    pair = begin(house)
    house.visitor().send(f"/m/{pair.match}/link", address=BEN)
    access = house.link(BEN, "a")
    _expire(house, "a")
    for link, way in ((confirm, "/start"), (access, f"/m/{pair.match}/link")):
        visitor = house.visitor()
        page = visitor.get(link)
        if answered:
            token = dict(FIELD.findall(visitor.get("/verify").text))["csrf_token"]
            page = visitor.submit(link, {"csrf_token": token, "answer": "yes"})
        assert page.status_code == 404
        assert "This link is no longer valid." in page.text
        assert f'href="{way}"' in page.text


def test_signing_out_ends_the_session_everywhere(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    cookie = ada.client.get_cookie("player")
    assert cookie is not None
    assert "Sign out: Ada" in ada.get("/").text
    out = ada.send("/out")
    assert (out.status_code, out.headers["Location"]) == (303, "/")
    assert ada.client.get_cookie("player") is None
    stolen = house.visitor()
    stolen.client.set_cookie("player", cookie.value)
    for visitor in (ada, stolen):
        assert "(you)" not in visitor.get(f"/m/{pair.match}").text
        assert "Sign out" not in visitor.get("/").text
        assert visitor.get("/out").status_code == 302


def test_whoever_is_signed_in_starts_at_once(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    assert "You play as Ada." in ada.get("/start/malawi").text
    started = ada.start("", "carla@example.org")
    assert re.fullmatch(r"/m/m_[0-9A-Z]{16}", started.headers["Location"])
    assert house.link("carla@example.org", "i")


def test_a_link_can_be_asked_for_and_nothing_tells_who_plays(house: House) -> None:
    pair = begin(house)
    path = f"/m/{pair.match}/link"
    answers = [
        house.visitor().send(path, address=address) for address in (BEN, "nobody@example.org")
    ]
    assert answers[0].text == answers[1].text
    assert house.visitor().send(path, address="nonsense").status_code == 422
    browser = house.visitor()
    page = browser.get(house.link(BEN, "a"))
    assert "Is it you?" in page.text
    browser.send(house.link(BEN, "a"), answer="yes")
    assert "(you)" in browser.get(f"/m/{pair.match}").text
    assert not [a for a in house.dump()["outbox"] if "nobody@example.org" in a]


def _expire(house: House, purpose: str) -> None:
    """All links of a purpose have run out long ago."""
    with house.site.db.write() as conn:
        conn.execute(LINK.update().where(LINK.c.purpose == purpose).values(expires=LINK.c.created))


def _match(house: House) -> str:
    return f"/m/{house.dump()['match'][0][0]}"
