"""The shapes of answers that only a whole service can judge, by the numbers of the corpus."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service import inbox, links, matches, overdue, play, worker
from service.inbox import Arrival
from service.site import Site
from tests.mail.inbound.corpus import REGISTRAR, SHAPES, Shape
from tests.mail.inbound.original import LEGAL, PLAYER, TOKEN, original
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


def brought(players: Players, shape: Shape) -> bytes:
    """A mail of this shape to the turn that is open, with a move that could be played."""
    asked = str(players.last(players.mover())["Reply-To"].addresses[0].addr_spec)
    purpose, _, token = asked.partition("+")[2].partition("@")[0].partition(".")
    assert purpose == "t"
    bounce, _ = links.bounce(players.table.site.keys.link, players.table.row("turn").message_id)
    raw = shape.make(original()).replace(f"b.{TOKEN}".encode(), f"b.{bounce}".encode())
    for old, new in (
        (TOKEN, token),
        (PLAYER, Table.ADDRESSES[players.mover()]),
        (LEGAL, players.legal()[0]),
    ):
        raw = raw.replace(old.encode(), new.encode())
    return raw


def taken_up(players: Players, raw: bytes) -> str:
    """What a mail comes to that is no copy of another."""
    table = players.table
    table.now += 60
    raw = raw.replace(b"Message-ID: <answer-1@", f"Message-ID: <{table.now}@".encode())
    inbox.store(table.site.db, Arrival(f"shape:{table.now}", raw, table.now))
    while worker.receive(table.site, table.recorder, table.now):
        pass
    return players.outcome()


def test_60_to_71_no_machine_plays_or_is_answered(players: Players) -> None:
    """Though each brings a move that could be played, to the address of the turn."""
    machines = [shape for shape in SHAPES if 60 <= shape.number <= 71]
    assert {shape.number for shape in machines} | {63} == set(range(60, 72))
    before = players.kinds()
    for shape in machines:
        outcome = taken_up(players, brought(players, shape))
        assert outcome.partition(":")[0] in ("automatic", "bounce", "complaint"), shape.name
    assert (players.moves(), players.kinds()) == ([], before)


def test_43_to_47_what_a_forwarded_mail_brings_is_held_and_only_its_player_is_asked(
    players: Players,
) -> None:
    """Nothing is played, no stranger gets a mail, and none resigns or asks for anything either."""
    trusting = {"authserv_id": REGISTRAR, "strict_senders": True}
    site, owner = players.table.site, Table.ADDRESSES[players.mover()]
    players.table.site = replace(site, settings=site.settings.model_copy(update=trusting))
    with site.db.read() as conn:
        code = matches.find(conn, players.table.match).code
    before = len(players.table.rows())
    for shape in (shape for shape in SHAPES if 43 <= shape.number <= 47):
        raw = brought(players, shape)
        assert taken_up(players, raw) in ("hold", "ignore:stranger"), shape.name
        said = players.legal()[0].encode()
        for words in (f"AUFGEBEN {code}", f"REMIS {code}", "HILFE"):
            wanted = raw.replace(said, words.encode())
            assert taken_up(players, wanted) == "ignore:stranger", (shape.name, words)
    assert players.moves() == []
    (mail,) = players.post()
    assert mail["To"].addresses[0].addr_spec == owner
    assert [kind for kind, _ in players.table.rows()[before:]] == ["hold"]


def test_while_nothing_can_come_in_no_time_is_called_over(players: Players) -> None:
    """For a day at most; an answer that had arrived by then counts as if all had been well."""
    table, over = players.table, deadline(players)
    away = {"smtp_host": "mx.example.org", "imap_host": "mx.example.org", "imap_user": "play"}
    site = table.site
    there = site.settings.model_copy(update=away | {"reply_to": site.settings.answers})
    table.site = replace(site, settings=there)
    inbox.fetched(site.db, over - 60)
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    for late in (play.GRACE + 1, 3_600, inbox.LONGEST_WAIT - 1):
        worker.clocks(table.site, table.recorder, over + late)
        assert deadline(players) == over
    table.now = over + inbox.LONGEST_WAIT - 60
    inbox.fetched(site.db, table.now)
    players.bring(letter.having(date="Mon, 1 Jan 2035 00:00:00 +0000"), "late", now=over - 1)
    worker.clocks(table.site, table.recorder, table.now)
    assert (players.outcome(), len(players.moves())) == ("play", 1)

    over = deadline(players)
    worker.clocks(table.site, table.recorder, over + inbox.LONGEST_WAIT + 1)
    with site.db.read() as conn:
        assert matches.find(conn, table.match).mover is None


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
