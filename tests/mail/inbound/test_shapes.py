"""The shapes of answers that only a whole service can judge, by the numbers of the corpus."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service import matches, overdue, play, worker
from service.site import Site
from tests.mail.inbound.corpus import SHAPES
from tests.mail.inbound.players import Players
from tests.mail.play import NOON, Table, text_of

DAY = 86_400
HERE = {55, 56, 57, 58, 59, 63, 72, 75}


@pytest.fixture
def players(site: Site) -> Players:
    """A match with a day for every turn, every mail read."""
    found = Players(Table(site, clock="1d"))
    found.table.begin()
    found.post()
    return found


def deadline(players: Players) -> int:
    with players.table.site.db.read() as conn:
        found = matches.find(conn, players.table.match).deadline
    assert found is not None
    return found


def test_every_shape_has_its_test() -> None:
    assert {shape.number for shape in SHAPES} | HERE == set(range(1, 76))


def test_55_56_a_turn_played_on_the_page_first(players: Players) -> None:
    """The same move by mail is nothing new; another one changes nothing, and hears so once."""
    mover, (line, other, *_) = players.mover(), players.legal()
    mail = players.last(mover)
    players.table.move(line)
    players.post()
    players.bring(players.letter(line, mail, mover))
    assert players.outcome() == "ignore:again"
    assert "answer" not in players.kinds()
    players.bring(players.letter(other, mail, mover))
    assert players.outcome() == "answer:played"
    assert line in text_of(players.post()[-1])
    assert len(players.moves()) == 1


@pytest.mark.parametrize(("seconds", "outcome"), [(-60, "play"), (play.GRACE + 1, "answer:late")])
def test_57_when_a_mail_arrived_decides_however_late_it_is_read(
    players: Players, seconds: int, outcome: str
) -> None:
    table, over = players.table, deadline(players)
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    forged = letter.having(date="Mon, 1 Jan 2001 00:00:00 +0000")
    table.now = over + DAY
    key = "late"
    if outcome != "play":  # nothing waits, so the time runs out
        (due,) = overdue.find(table.site, table.now)
        assert overdue.end(table.site, due, table.now)
    players.bring(forged, key, now=over + seconds)
    worker.clocks(table.site, table.recorder, table.now)
    assert players.outcome().replace("over", "late") == outcome
    assert len(players.moves()) == (outcome == "play")


def test_58_the_same_mail_with_another_way_behind_it(players: Players) -> None:
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    for way, hop in (("imap:1", "by a.example"), ("imap:2", "by b.example"), ("lmtp:3", "")):
        players.bring(letter.having(received=hop or None), way)
    assert players.outcome() == "duplicate"
    assert (len(players.moves()), players.kinds().count("ack")) == (1, 1)


@pytest.fixture
def both(site: Site, players: Players) -> tuple[Players, Players]:
    """Two matches in which the same player is to move."""
    for hours in range(1, 21):  # the lot draws the seats
        other = Players(Table(site, nonce=str(hours), now=NOON + hours * 7_200))
        other.table.begin()
        other.post()
        if other.mover() == players.mover():
            players.table.now = other.table.now
            return players, other
    raise AssertionError("the lot never drew the same player twice")


def test_59_one_message_id_for_two_turns(both: tuple[Players, Players]) -> None:
    for players in both:
        letter = players.letter(players.legal()[0], players.last(players.mover()))
        players.bring(letter.having(message_id="<same@example.org>"), players.table.match)
        assert players.outcome() == "play"
    assert all(len(players.moves()) == 1 for players in both)


def test_63_a_machine_without_any_sign_gets_three_answers(players: Players) -> None:
    found = [players.answer("I am not here, and I answer every mail.") for _ in range(5)]
    assert found == ["answer:none"] * 3 + ["silent:none"] * 2
    assert players.kinds().count("answer") == 3


def test_72_a_mail_that_wants_no_more_mails(players: Players) -> None:
    """Once, and the seat stays."""
    mail, mover = players.last(players.mover()), players.mover()
    way = mail["List-Unsubscribe"].partition("mailto:")[2].strip("<> ")
    for attempt in ("1", "2"):
        letter = replace(players.letter("", mail), body=players.letter("x", mail).body)
        players.bring(letter.having(to=way, subject="unsubscribe"), attempt)
        assert players.outcome() == "unsubscribed"
    with players.table.site.db.read() as conn:
        muted = [bool(seat.muted) for seat in matches.seats(conn, players.table.match)]
    assert sum(muted) == 1
    assert players.mover() == mover
    assert "answer" not in players.kinds()


def test_75_one_mail_to_two_turns_is_judged_for_each(both: tuple[Players, Players]) -> None:
    """A line that can be played in both is; From decides for each, so nobody plays for others."""
    first, second = both
    asked = [players.last(players.mover())["Reply-To"] for players in both]
    line = first.legal()[0]
    expected = "play play" if line in second.legal() else "play answer:illegal"
    letter = first.letter(line, first.last(first.mover())).having(to=", ".join(map(str, asked)))
    first.bring(letter)
    assert first.outcome() == expected
    assert len(first.moves()) == 1
