"""Messages and notes: who reads them, what is left of a text, and when a mail goes out."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from service import drafts, messages, notes, people
from service.errors import BadForm, TooMany
from service.models import OUTBOX
from service.site import Site
from service.writing import tidy
from tests.service.table import ANNA, BO, NOW, at_once, dump, mails, started

SOON, PAUSE = messages.SOON, messages.PAUSE


class Room:
    """A match of two and what they write."""

    def __init__(self, site: Site) -> None:
        self.site, self.match = site, started(site)
        with site.db.read() as conn:
            anna, bo = people.find(conn, ANNA), people.find(conn, BO)
        assert anna is not None
        assert bo is not None
        self.anna, self.bo = anna, bo
        mails(site)

    def say(self, who: int, text: str, now: int = NOW) -> None:
        messages.send(self.site, match=self.match, player=who, text=text, now=now)

    def read(self, who: int) -> list[str]:
        with self.site.db.read() as conn:
            return [one.text for one in messages.some(conn, self.match, who, limit=100)]

    def mailed(self) -> list[tuple[str, int, str]]:
        """To whom mails about messages were queued, for when, and what became of them."""
        query = sa.select(OUTBOX.c.address, OUTBOX.c.due, OUTBOX.c.state)
        mine = query.where(OUTBOX.c.kind == "message").order_by(OUTBOX.c.id)
        with self.site.db.read() as conn:
            return [(to, due - NOW, state) for to, due, state in conn.execute(mine)]

    def brought(self, now: int) -> list[list[str]]:
        """What the mails that a worker finds due bring."""
        found = []
        for row in mails(self.site, "message", now):
            reader = {ANNA: self.anna, BO: self.bo}[row.address]
            with self.site.db.read() as conn:
                told = messages.since(conn, self.match, reader, row.about.message)
            found.append([one.text for one in told])
        return found


@pytest.fixture
def room(site: Site) -> Room:
    return Room(site)


def test_both_read_what_either_writes(room: Room) -> None:
    room.say(room.anna, "Hello Bo")
    room.say(room.bo, "Hello Anna")
    assert room.read(room.anna) == room.read(room.bo) == ["Hello Anna", "Hello Bo"]


def test_a_mail_brings_all_that_was_written_until_it_went(room: Room) -> None:
    room.say(room.anna, "one")
    room.say(room.anna, "two", NOW + 60)
    assert room.mailed() == [(BO, SOON, "pending")]
    assert room.brought(NOW + SOON) == [["one", "two"]]


def test_what_comes_after_a_mail_was_begun_has_the_next_one(room: Room) -> None:
    room.say(room.anna, "one")
    assert room.brought(NOW + SOON) == [["one"]]
    room.say(room.anna, "two", NOW + SOON + 1)
    room.say(room.anna, "three", NOW + SOON + 2)
    assert [mail[:2] for mail in room.mailed()] == [(BO, SOON + 120), (BO, PAUSE)]
    assert room.brought(NOW + PAUSE)[-1] == ["two", "three"]


def test_a_message_sent_twice_is_one(room: Room) -> None:
    def say() -> None:
        room.say(room.anna, "Hello")

    at_once([say] * 4)
    assert room.read(room.bo) == ["Hello"]
    assert len(room.mailed()) == 1
    room.say(room.anna, "Hello", NOW + messages.TWICE_SECONDS)
    assert room.read(room.bo) == ["Hello", "Hello"]


def test_who_is_muted_is_not_read_and_not_mailed_about(room: Room) -> None:
    room.say(room.anna, "before")
    messages.mute(room.site.db, room.bo, room.anna, quiet=True)
    messages.mute(room.site.db, room.bo, room.anna, quiet=True)
    assert room.brought(NOW + SOON) == [[]]
    room.say(room.anna, "after", NOW + 2 * PAUSE)
    assert room.read(room.bo) == []
    assert room.read(room.anna) == ["after", "before"]
    assert len(room.mailed()) == 1
    messages.mute(room.site.db, room.bo, room.anna, quiet=False)
    assert room.read(room.bo) == ["after", "before"]


def test_only_the_writer_takes_a_message_back_and_its_mail_with_it(room: Room) -> None:
    room.say(room.anna, "oops")
    with room.site.db.read() as conn:
        (one,) = messages.some(conn, room.match, room.bo, limit=1)
    messages.delete(room.site.db, room.match, room.bo, one.id)
    messages.delete(room.site.db, "m_0000000000000000", room.anna, one.id)
    assert room.read(room.bo) == ["oops"]
    messages.delete(room.site.db, room.match, room.anna, one.id)
    assert room.read(room.anna) == []
    assert room.mailed() == [(BO, SOON, "superseded")]
    assert "oops" not in repr(dump(room.site))


def test_a_mail_that_brings_something_else_still_goes(room: Room) -> None:
    room.say(room.anna, "oops")
    room.say(room.anna, "better", NOW + 1)
    with room.site.db.read() as conn:
        first = messages.some(conn, room.match, room.bo, limit=2)[1]
    messages.delete(room.site.db, room.match, room.anna, first.id)
    assert room.brought(NOW + SOON) == [["better"]]


def test_the_operator_sees_what_was_reported_and_takes_it_away(room: Room) -> None:
    room.say(room.anna, "rude")
    room.say(room.anna, "kind")
    with room.site.db.read() as conn:
        rude = messages.some(conn, room.match, room.bo, limit=2)[1]
    messages.report(room.site.db, room.match, rude.id, NOW)
    messages.report(room.site.db, "m_0000000000000000", rude.id + 1, NOW)
    assert [one.text for one in messages.reported(room.site.db)] == ["rude"]
    assert messages.remove(room.site.db, rude.id)
    assert not messages.remove(room.site.db, rude.id)
    assert messages.reported(room.site.db) == []
    assert room.read(room.bo) == ["kind"]


def test_nobody_writes_without_measure(room: Room) -> None:
    for number in range(messages.SENT.most):
        room.say(room.anna, f"message {number}")
    before = dump(room.site)
    with pytest.raises(TooMany):
        room.say(room.anna, "one more")
    assert dump(room.site) == before
    room.say(room.bo, "still here")


@pytest.mark.parametrize("text", ["", " \n\t ", "\u200b", "\u202e", "\u3164", "\0", "a" * 1001])
def test_a_message_has_something_to_read_and_an_end(room: Room, text: str) -> None:
    before = dump(room.site)
    with pytest.raises(BadForm):
        room.say(room.anna, text)
    assert dump(room.site) == before


def test_a_note_is_its_players_alone_and_goes_when_it_is_empty(room: Room) -> None:
    db = room.site.db
    for text in ("mind the top row", "mind the\nbottom row"):
        notes.keep(db, room.anna, room.match, text, NOW)
    with db.read() as conn:
        assert notes.read(conn, room.anna, room.match) == "mind the\nbottom row"
        assert notes.read(conn, room.bo, room.match) == ""
        assert notes.of_player(conn, room.anna) == [(room.match, "mind the\nbottom row")]
    with pytest.raises(BadForm):
        notes.keep(db, room.anna, room.match, "a" * (notes.LENGTH + 1), NOW)
    notes.keep(db, room.anna, room.match, " ", NOW)
    with db.read() as conn:
        assert notes.of_player(conn, room.anna) == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Hello \r\n\r\n\r\n\r\nyou\t!  ", "Hello\n\nyou !"),
        ("a\u202eb\u2066c\u200bd\ufeffe\u00adf", "abcdef"),
        ("e\u0301te\u0301", "été"),
        ("z\u0335\u0336\u0337\u0338\u0334\u0335\u0336", "z\u0335\u0336\u0337\u0338"),
        ("👩\u200d👩\u200d👧 नमस्ते שלום", "👩\u200d👩\u200d👧 नमस्ते שלום"),
        ("a\u2028b\x0bc", "a\nb\nc"),
        ("<b>&amp;", "<b>&amp;"),
        ("\U000e0041x\ufffe\ud800", "x"),
    ],
)
def test_a_text_is_tidied(given: str, kept: str) -> None:
    assert tidy(given, 100) == kept


@given(st.text(max_size=60))
def test_what_is_tidy_stays_as_it_is(text: str) -> None:
    once = tidy(text, 1000)
    assert tidy(once, 1000) == once
    assert not set(once) & set("\0\u200b\u202e\u2066\ufeff\r\x1b")
    once.encode()


def test_kinds_that_are_waiting_are_told_by_seat(room: Room) -> None:
    room.say(room.anna, "one")
    with room.site.db.write() as conn:
        ((_id, about),) = drafts.unclaimed(conn, room.match, "message").values()
        assert about.message > 0
        assert drafts.unclaimed(conn, room.match, "result") == {}
