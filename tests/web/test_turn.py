"""A turn over the link of its mail: shown, chosen, sent, sent again, refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from hashlib import sha256
from html import unescape
from threading import Barrier

import pytest
import sqlalchemy as sa

from games.log.head import Head, parse_head
from games.log.note import Verifier, open_note
from service.site import Site, open_site
from tests.service import table
from tests.web.people import ADA, BEN, FIELD, GAME, House, Pair, begin


@pytest.fixture
def pair(house: House) -> Pair:
    """A match in which seat 1 is to move."""
    return begin(house)


def test_the_link_shows_the_board_with_what_can_be_chosen(pair: Pair) -> None:
    page = pair.house.visitor().get(pair.link())
    assert page.status_code == 200
    assert page.text.count('class="can"') == 6
    assert 'href="?line=a1"' in page.text
    assert page.headers["Cache-Control"] == "no-store"


def test_a_piece_that_is_chosen_shows_where_it_may_go(pair: Pair) -> None:
    page = pair.house.visitor().get(pair.link() + "?line=a1")
    assert "?line=a1-c1" in page.text
    assert 'class="button second" data-wait' in page.text


def test_a_whole_turn_is_previewed_and_can_be_sent(pair: Pair) -> None:
    page = pair.house.visitor().get(pair.link() + "?line=a1-c1")
    assert "<strong>a1-c1</strong>" in page.text
    assert 'class="button" data-wait' in page.text
    assert '<a id="c1" href="?line=a1" class="chosen">' in page.text, "the piece has arrived"
    assert re.search(r'<a id="a1" href="\?line=" class="chosen"><title>a1: take', page.text)
    assert 'id="c1"' not in pair.house.visitor().get(f"/m/{pair.match}").text


def test_a_turn_has_one_number_in_its_mail_and_on_the_page(pair: Pair) -> None:
    for line, number in zip(GAME[:3], ("1", "1", "2"), strict=True):
        told = re.search(r"^Turn (\d+):", pair.house.letters(pair.mover)[0].text, re.M)
        assert told is not None
        pair.house.visitor().send(pair.link(), line=line)
        listed = re.search(
            r'<th scope="row">(\d+)</th>', pair.house.visitor().get(f"/m/{pair.match}").text
        )
        assert listed is not None
        assert told[1] == listed[1] == number


def test_a_sent_turn_leads_to_the_match_with_its_receipt(pair: Pair) -> None:
    browser = pair.house.visitor()
    sent = browser.send(pair.link(), line="a1-c1")
    assert sent.status_code == 303
    assert sent.headers["Location"] == f"/m/{pair.match}?sent=4"
    cookie = next(c for c in sent.headers.getlist("Set-Cookie") if c.startswith("seat="))
    assert f"Path=/m/{pair.match}" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    page = browser.get(sent.headers["Location"])
    assert "Your turn a1-c1 was accepted as record 4." in page.text
    shown = re.search(r"<pre[^>]*>(.*?)</pre>", page.text, re.DOTALL)
    assert shown is not None
    key = Verifier.parse(pair.house.site.keys.heads.vkey)
    newest = pair.house.visitor().get(f"/m/{pair.match}.mlog").data.split(b"\n")[4]
    head = Head("localhost", pair.match, 5, sha256(newest + b"\n").digest())
    assert parse_head(open_note(unescape(shown[1]), [key]).text) == head


def test_the_seat_is_shown_until_its_next_turn_begins(pair: Pair) -> None:
    browser = pair.house.visitor()
    browser.send(pair.link(), line=GAME[0])
    assert "(you)" in browser.get(f"/m/{pair.match}").text
    pair.turn(GAME[1])
    page = browser.get(f"/m/{pair.match}")
    assert "(you)" not in page.text
    assert 'class="send"' not in page.text


def test_whoever_came_for_a_turn_alone_is_let_in_by_one_click(pair: Pair) -> None:
    guest, house, mover = pair.house.visitor(), pair.house, pair.mover
    guest.send(pair.link(), line=GAME[0])
    page = guest.get(f"/m/{pair.match}").text
    assert "only until your next turn" in page
    assert "I play here" not in page
    assert "only until" not in house.visitor().get(f"/m/{pair.match}").text
    form = dict(FIELD.findall(page))
    assert guest.submit(f"/m/{pair.match}/link", form).status_code == 200
    assert guest.send(house.link(mover, "a"), answer="yes").status_code == 303
    assert "Sign out" in guest.get("/matches").text
    assert "only until" not in guest.get(f"/m/{pair.match}").text


def test_two_players_at_one_browser_each_get_the_receipt_of_their_own_turn(pair: Pair) -> None:
    browser = pair.players[pair.waiting]
    sent = browser.send(pair.link(), line=GAME[0])
    page = browser.get(sent.headers["Location"])
    assert f"Your turn {GAME[0]} was accepted as record 4." in page.text
    answered = browser.send(pair.link(), line=GAME[1])
    page = browser.get(answered.headers["Location"])
    assert f"Your turn {GAME[1]} was accepted as record 5." in page.text


def test_the_same_turn_sent_twice_gets_the_same_receipt(pair: Pair) -> None:
    link, browser = pair.link(), pair.house.visitor()
    form = dict(FIELD.findall(browser.get(link).text)) | {"line": "a1-c1"}
    first, second = browser.submit(link, form), browser.submit(link, form)
    assert first.headers["Location"] == second.headers["Location"]
    assert second.status_code == 303
    assert _records(pair) == 5


@pytest.mark.parametrize("lines", [("a1-c1",), tuple(f"a{n}-c{n}" for n in range(1, 7))])
def test_turns_sent_at_once_give_one_record(pair: Pair, lines: tuple[str, ...]) -> None:
    link, start = pair.link(), Barrier(12)

    def send(number: int) -> int:
        browser = pair.house.visitor()
        form = dict(FIELD.findall(browser.get(link).text))
        start.wait()
        return browser.submit(link, form | {"line": lines[number % len(lines)]}).status_code

    with ThreadPoolExecutor(12) as people:
        answers = Counter(people.map(send, range(12)))
    assert answers == ({303: 12} if len(lines) == 1 else {303: 2, 409: 10})
    assert _records(pair) == 5


def test_another_turn_over_the_same_link_gets_the_position(pair: Pair) -> None:
    link, browser = pair.link(), pair.house.visitor()
    form = dict(FIELD.findall(browser.get(link).text))
    browser.submit(link, form | {"line": "a1-c1"})
    late = browser.submit(link, form | {"line": "a2-c2"})
    assert late.status_code == 409
    assert "The match has moved on" in late.text
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in late.text
    assert _records(pair) == 5


def test_a_turn_sent_again_after_the_next_began_shows_no_seat(pair: Pair) -> None:
    link = pair.link()
    form = dict(FIELD.findall(pair.house.visitor().get(link).text))
    pair.play(*GAME[:2])
    late = pair.house.visitor()
    form["csrf_token"] = dict(FIELD.findall(late.get(pair.link()).text))["csrf_token"]
    again = late.submit(link, form | {"line": GAME[0]})
    assert again.status_code == 303
    assert not any(c.startswith("seat=") for c in again.headers.getlist("Set-Cookie"))
    assert "(you)" not in late.get(f"/m/{pair.match}").text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a1-f1", "The piece on a1 has strength 2"),
        ("f1-d1", "The piece on f1 is not yours."),
        ("<script>alert(1)</script>", "is not a move"),
        ("\x00", "The move is missing."),
        ("", "The move is missing."),
        ("a1:a9", "is not a move"),
        ("x" * 5_000, "is not a move"),
        ("١", "is not a move"),
    ],
)
def test_a_turn_that_cannot_be_is_explained_and_kept_as_a_draft(
    pair: Pair, line: str, words: str
) -> None:
    link = pair.link()
    before = pair.house.dump()
    answer = pair.house.visitor().send(link, line=line)
    assert answer.status_code == 422
    assert words in answer.text
    assert "<script>alert" not in answer.text
    if line == "a1-f1":
        assert 'name="line" value="a1-f1"' in answer.text
    assert pair.house.dump() == before


def test_a_turn_typed_loosely_is_understood(pair: Pair) -> None:
    page = pair.house.visitor().get(pair.link() + "?line=A1 – C1")
    assert "<strong>a1-c1</strong>" in page.text
    assert pair.turn(" A1 - C1 ").status_code == 303


def test_what_goes_beyond_the_turn_is_handed_back(pair: Pair) -> None:
    browser = pair.house.visitor()
    sent = browser.send(pair.link(), line="a1-c1; a2-c2")
    page = browser.get(sent.headers["Location"]).text
    assert "Your turn a1-c1 was accepted as record 4." in page
    assert "Not played, because your turn ended before it: a2-c2" in page


def test_to_show_a_typed_turn_sends_nothing(pair: Pair) -> None:
    link = pair.link()
    before = pair.house.dump()
    shown = pair.house.visitor().send(link, line="a1-c1", look="1")
    assert (shown.status_code, shown.headers["Location"]) == (303, f"{link}?line=a1-c1")
    assert pair.house.dump() == before


def test_a_form_without_its_record_is_overtaken_not_broken(pair: Pair) -> None:
    for wrong in ("", "-1", "99", "x", "9" * 50):
        assert pair.house.visitor().send(pair.link(), line="a1-c1", on=wrong).status_code == 409


def test_an_old_link_shows_the_match_to_anybody_and_offers_a_new_one(pair: Pair) -> None:
    old, mover = pair.link(), pair.mover
    pair.play(*GAME[:3])
    page = pair.house.visitor().get(old)
    assert page.status_code == 200
    assert "is over" in page.text
    assert 'class="can"' not in page.text
    assert f'<a href="/m/{pair.match}">If you sent it from this browser' in page.text
    assert page.headers["X-Robots-Tag"] == "noindex"
    asked = pair.house.visitor().send(old)
    assert asked.status_code == 409
    token = old.removeprefix("/t/")
    form = dict(FIELD.findall(pair.house.visitor().get(old).text))
    browser = pair.house.visitor()
    form["csrf_token"] = dict(FIELD.findall(browser.get(old).text))["csrf_token"]
    answer = browser.submit(f"/m/{pair.match}/link", form | {"token": token, "answer": "yes"})
    assert answer.status_code == 200
    access = pair.house.link(mover, "a")
    assert browser.send(access, answer="yes").headers["Location"] == f"/m/{pair.match}"
    assert "(you)" in browser.get(f"/m/{pair.match}").text


def test_whoever_was_forwarded_a_mail_can_play_its_turn_and_do_nothing_else(pair: Pair) -> None:
    """Neither with the link alone nor after that turn: not resign, nor take another turn, nor have
    the account."""
    old = pair.link()
    pair.play(*GAME[:2])
    friend = pair.house.visitor()
    link, before = pair.link(), pair.house.dump()
    for _ in range(2):
        form = dict(FIELD.findall(friend.get(link).text))
        forged = {"csrf_token": form["csrf_token"], "wait": "5", "on": "5"}
        for path, values in (
            (f"/m/{pair.match}/act", {"act": "resign"}),
            (f"/m/{pair.match}/act", {"act": "offer-draw"}),
            (f"/m/{pair.match}", {"line": GAME[2]}),
            ("/account/person", {"name": "Eve", "language": "en", "zone": "UTC"}),
            ("/account/address", {"address": "eve@example.org"}),
            ("/account/delete", {}),
        ):
            assert friend.submit(path, forged | values).status_code in (401, 403), path
        assert friend.submit(old, forged | {"line": GAME[2]}).status_code == 409
        assert pair.house.dump() == before
        assert friend.submit(link, form | {"line": GAME[2]}).status_code == 303
        before = pair.house.dump()


def test_a_token_in_capitals_works_and_a_cut_one_leads_nowhere(pair: Pair) -> None:
    link = pair.link()
    token = link.removeprefix("/t/")
    nobody = pair.house.visitor()
    assert nobody.get(f"/t/{token.upper()}").status_code == 200
    answers = [
        nobody.get(f"/t/{wrong}")
        for wrong in (token[:-1], token + "a", "a" * 26, "%00", "ä" * 26, token[::-1], "x" * 900)
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({re.sub(r'href="[^"]*\?lang=', "", answer.text) for answer in answers}) == 1
    assert nobody.get(f"/a/{token}").status_code == 404
    assert nobody.get(f"/i/{token}").status_code == 404


def test_an_answer_that_comes_at_once_leaves_no_view_of_the_next_turn(pair: Pair) -> None:
    """The other side moves between the commit of a turn and what its browser gets."""
    browser = pair.house.visitor()
    with meanwhile(pair, lambda site: table.move(site, pair.match)):
        sent = browser.send(pair.link(), line="a1-c1")
    assert _records(pair) == 6
    page = browser.get(sent.headers["Location"]).text
    assert "(you)" not in page
    assert 'class="send"' not in page


@contextmanager
def meanwhile(pair: Pair, act: Callable[[Site], object]) -> Iterator[None]:
    """Acts once, as another process would, as soon as there is one more record."""
    with closing(open_site(pair.house.site.settings)) as elsewhere:
        before, done = table.count(elsewhere, pair.match), list[bool]()

        def look(*_: object) -> None:
            if not done:
                done.append(False)
                if table.count(elsewhere, pair.match) > before:
                    act(elsewhere)
                else:
                    done.clear()

        sa.event.listen(sa.Pool, "checkin", look)
        try:
            yield
        finally:
            sa.event.remove(sa.Pool, "checkin", look)
    assert done


def test_a_database_that_cannot_be_written_keeps_the_draft(pair: Pair) -> None:
    link = pair.link()
    engine = pair.house.site.db._writing
    engine.dispose()
    sa.event.listen(engine, "connect", lambda dbapi, _: dbapi.execute("PRAGMA query_only=ON"))
    answer = pair.house.visitor().send(link, line="a1-c1")
    assert answer.status_code == 503
    assert f'href="{link}?line=a1-c1"' in answer.text
    assert answer.headers["Retry-After"]
    assert _records(pair) == 4


def test_both_players_reach_the_end_and_its_page(pair: Pair) -> None:
    for answer in pair.play(*GAME):
        assert answer.status_code == 303
    page = pair.house.visitor().get(f"/m/{pair.match}").text
    winner = {ADA: "Ada", BEN: "Ben"}[pair.seats[0]]
    assert f"{winner} won: a piece is at its goal." in page
    assert 'class="send"' not in page
    assert "finished matches" not in page
    for address, counts in zip(pair.seats, ("1 won, 0 lost", "0 won, 1 lost"), strict=True):
        name = "Ben" if address == ADA else "Ada"
        told = f"Your finished matches against {name}: {counts}, 0 drawn."
        assert told in pair.players[address].get(f"/m/{pair.match}").text


def _records(pair: Pair) -> int:
    return len([row for row in pair.house.dump()["record"] if row[0] == pair.match])
