"""Messages and notes on the pages: for those who came in for a seat, and for nobody else."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from service.models import OUTBOX
from tests.web.people import ADA, BEN, FIELD, GAME, House, Pair, Visitor, begin

SAID = "Well played, <b>Ben</b> & friends!\nSee https://example.org"


@pytest.fixture
def pair(house: House) -> Pair:
    return begin(house)


def say(who: Visitor, pair: Pair, text: str, **values: str) -> int:
    return who.send(f"/m/{pair.match}/messages", text=text, **values).status_code


def test_players_write_to_each_other_below_the_board(pair: Pair) -> None:
    assert say(pair.players[ADA], pair, SAID) == 303
    for address in (ADA, BEN):
        page = pair.players[address].get(f"/m/{pair.match}").text
        assert "Well played, &lt;b&gt;Ben&lt;/b&gt; &amp; friends!\nSee https://example.org" in page
        assert 'href="https://example.org' not in page
    assert SAID.encode() not in pair.house.visitor().get(f"/m/{pair.match}.mlog").data


def test_nobody_else_reads_or_writes_anything(pair: Pair) -> None:
    say(pair.players[ADA], pair, "for Ben alone")
    nobody, eve = pair.house.visitor(), pair.house.visitor()
    eve.start("Eve", "fay@example.org")
    eve.send(pair.house.link("eve@example.org", "a"), answer="yes")
    before = pair.house.dump()
    for other in (nobody, eve):
        for path in ("", "/replay", "/messages", "?line=a1"):
            answer = other.get(f"/m/{pair.match}{path}")
            assert "for Ben alone" not in answer.text
            assert answer.status_code == (403 if path == "/messages" else 200)
        csrf = dict(FIELD.findall(other.get("/verify").text))["csrf_token"]
        for path in ("messages", "note", "messages/delete", "messages/report", "messages/mute"):
            values = {"csrf_token": csrf, "text": "x", "message": "1", "seat": "1"}
            assert other.submit(f"/m/{pair.match}/{path}", values).status_code == 403
    assert pair.house.dump() == before


def test_not_even_after_the_end(pair: Pair) -> None:
    say(pair.players[ADA], pair, "for Ben alone")
    pair.play(*GAME)
    assert "for Ben alone" not in pair.house.visitor().get(f"/m/{pair.match}").text
    assert say(pair.players[BEN], pair, "Thank you") == 303
    assert "Thank you" in pair.players[ADA].get(f"/m/{pair.match}").text


def test_who_sent_a_turn_by_a_link_may_write_and_the_link_alone_may_not(pair: Pair) -> None:
    say(pair.players[pair.mover], pair, "a message")
    link, guest = pair.link(), pair.house.visitor()
    assert "a message" not in guest.get(link).text
    assert guest.get(f"/m/{pair.match}/messages").status_code == 403
    guest.send(link, line=GAME[0])
    assert "a message" in guest.get(f"/m/{pair.match}").text
    assert say(guest, pair, "from the seat") == 303
    assert "from the seat" in pair.players[pair.mover].get(f"/m/{pair.match}").text


def test_a_player_who_is_signed_in_sees_messages_on_the_page_of_the_turn(pair: Pair) -> None:
    mover = pair.players[pair.mover]
    say(mover, pair, "a message")
    assert "a message" in mover.get(pair.link()).text
    assert "a message" not in pair.players[pair.waiting].get(pair.link()).text


def test_a_message_that_was_not_read_yet_is_marked_in_the_list(pair: Pair) -> None:
    reader, writer = pair.players[pair.mover], pair.players[pair.waiting]
    for text in ("one", "two"):
        say(writer, pair, text)
    assert "2 new messages" in reader.get("/matches").text
    assert "new message" not in writer.get("/matches").text
    match = f"/m/{pair.match}"
    assert '<a href="#messages">2 new messages</a>' in reader.get(match).text
    assert "new message" not in reader.get(match).text
    assert "new message" not in reader.get("/matches").text
    say(writer, pair, "three")
    assert "1 new message<" in reader.get("/matches").text


def test_a_message_keeps_the_draft_of_a_turn(pair: Pair) -> None:
    mover = pair.players[pair.mover]
    page = mover.get(f"/m/{pair.match}?line=a1-c1").text
    assert page.count('name="line" value="a1-c1"') >= 3
    sent = mover.send(f"/m/{pair.match}/messages", text="x", line="a1-c1")
    assert sent.headers["Location"] == f"/m/{pair.match}?line=a1-c1#messages"


def test_what_was_typed_is_kept_if_it_cannot_be_sent(pair: Pair) -> None:
    ada = pair.players[ADA]
    for text, status, words in (("", 422, "nothing in it"), ("a" * 1001, 422, "1001 characters")):
        page = ada.send(f"/m/{pair.match}/messages", text=text)
        assert page.status_code == status
        assert words in page.text
        assert text in page.text
    answers = [ada.send(f"/m/{pair.match}/messages", text=f"no. {n}") for n in range(12)]
    assert answers[0].status_code == 303
    assert answers[-1].status_code == 429
    assert "no. 11" in answers[-1].text
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_own_messages_are_deleted_others_are_reported(pair: Pair) -> None:
    ada, ben = pair.players[ADA], pair.players[BEN]
    say(ada, pair, "oops")
    path = f"/m/{pair.match}/messages"
    (row,) = re.findall(r'name="message" value="(\d+)"', ben.get(path).text)
    _act(ben, path, "delete", message=row)
    assert "oops" in ada.get(path).text
    _act(ben, path, "report", message=row)
    assert "Reported to the operator" in ben.get(path).text
    _act(ada, path, "delete", message=row)
    assert "oops" not in ada.get(path).text
    for nonsense in ("", "x", "-1", "9" * 12):
        _act(ada, path, "delete", message=nonsense)
        _act(ada, path, "report", message=nonsense)


def _act(who: Visitor, path: str, what: str, **values: str) -> int:
    csrf = dict(FIELD.findall(who.get(path).text))["csrf_token"]
    return who.submit(f"{path}/{what}", {"csrf_token": csrf, **values}).status_code


def test_who_is_muted_is_not_seen_until_read_again(pair: Pair) -> None:
    ada, ben = pair.players[ADA], pair.players[BEN]
    path, seat = f"/m/{pair.match}/messages", str(pair.seats.index(ADA) + 1)
    say(ada, pair, "noise")
    assert _act(ben, path, "mute", seat=seat, quiet="yes") == 303
    assert "noise" not in ben.get(f"/m/{pair.match}").text
    assert "Read Ada again" in ben.get(path).text
    assert _act(ben, path, "mute", seat=seat) == 303
    assert "noise" in ben.get(path).text
    own = str(pair.seats.index(BEN) + 1)
    for nonsense in (own, "0", "3", "x", ""):
        assert _act(ben, path, "mute", seat=nonsense, quiet="yes") == 422


def test_long_talks_come_in_pages(pair: Pair) -> None:
    with pair.house.site.db.write() as conn:
        player = conn.exec_driver_sql("SELECT id FROM player WHERE name = 'Ada'").scalar()
        for n in range(120):
            conn.exec_driver_sql(
                "INSERT INTO message (match, player, text, created) VALUES (?, ?, ?, ?)",
                (pair.match, player, f"message {n}.", 1_796_000_000 + n),
            )
    ben = pair.players[BEN]
    assert ben.get(f"/m/{pair.match}").text.count('class="text"') == 5
    seen, path = [], f"/m/{pair.match}/messages"
    while path:
        page = ben.get(path).text
        seen += re.findall(r"message \d+\.", page)
        found = re.search(r'href="([^"]+\?before=\d+)"', page)
        path = found[1] if found else ""
    assert sorted(set(seen)) == sorted(seen)
    assert len(seen) == 120
    for far in ("-1", "0", "9" * 30):
        assert ben.get(f"/m/{pair.match}/messages?before={far}").status_code == 200


def test_a_note_is_shown_to_its_player_alone(pair: Pair) -> None:
    ada, ben = pair.players[ADA], pair.players[BEN]
    page = ada.get(f"/m/{pair.match}").text
    csrf = dict(FIELD.findall(page))["csrf_token"]
    sent = ada.submit(
        f"/m/{pair.match}/note", {"csrf_token": csrf, "text": "\nbeware </textarea>\n"}
    )
    assert ada.submit(f"/m/{pair.match}/note", {"csrf_token": csrf}).status_code == 422
    assert sent.headers["Location"] == f"/m/{pair.match}#note"
    assert "beware &lt;/textarea&gt;" in ada.get(f"/m/{pair.match}").text
    assert "beware" not in ben.get(f"/m/{pair.match}").text
    assert "beware" not in pair.house.visitor().get(f"/m/{pair.match}").text
    long = ada.submit(f"/m/{pair.match}/note", {"csrf_token": csrf, "text": "a" * 10_001})
    assert long.status_code == 422
    assert "a" * 10_001 in long.text


def test_a_message_reaches_the_other_by_mail_and_nobody_else(pair: Pair) -> None:
    say(pair.players[ADA], pair, SAID)
    with pair.house.site.db.write() as conn:
        conn.execute(sa.update(OUTBOX).where(OUTBOX.c.kind == "message").values(due=0))
    (letter,) = (one for one in pair.house.letters(BEN) if "was written" in one.text)
    assert "] Malawi: " in letter.entry.subject
    assert "  | Well played, <b>Ben</b> & friends!\n  | See https://example.org" in letter.text
    assert "&lt;b&gt;Ben&lt;/b&gt;" in letter.html
    assert f"/m/{pair.match}" in letter.text
    assert not re.search(r"/[tia]/", letter.text)
    assert all("was written" not in one.text for one in pair.house.letters(ADA))


def test_before_the_start_there_is_nobody_to_write_to(house: House) -> None:
    ada = house.visitor()
    ada.start("Ada", BEN)
    confirmed = ada.send(house.link(ADA, "a"), answer="yes")
    match = confirmed.headers["Location"].rpartition("/")[2]
    assert 'id="messages"' not in ada.get(f"/m/{match}").text
    assert ada.get(f"/m/{match}/messages").status_code == 403
