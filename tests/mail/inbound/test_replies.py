"""What answers do: to the match, to the outbox, once, and within their limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from games.registry import games, newest
from service import inbox, matches, messages, people, play, reach, worker
from service.inbox import Arrival
from service.mail.inbound import grammar
from service.models import INBOUND
from service.site import Site
from tests.mail.inbound.letters import plain
from tests.mail.inbound.players import Players
from tests.mail.play import Table, text_of


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "sqlite")


BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@BOTH
def test_an_answer_plays_and_says_so_and_the_record_holds_the_hash_of_the_mail(
    players: Players,
) -> None:
    mover, line = players.mover(), players.legal()[0]
    mail = players.letter(line, players.last(mover))
    players.bring(mail)
    assert players.outcome() == "play"
    (move,) = players.moves()
    assert (move.mv, move.by.via) == (line, "mail")
    with players.table.site.db.read() as conn:
        assert conn.execute(sa.select(INBOUND.c.sha256)).scalar_one() == move.by.ev
    sent = players.post()
    ack = next(one for one in sent if one["Auto-Submitted"] == "auto-replied")
    assert ack["To"].addresses[0].addr_spec == Table.ADDRESSES[mover]
    assert ack["In-Reply-To"] == "<1@mail.example.org>"
    assert ack["Reply-To"] is None
    assert line in text_of(ack)
    envelopes = [(sender, to) for sender, to, _ in players.table.recorder.mails]
    assert ("", Table.ADDRESSES[mover]) in envelopes


@pytest.mark.parametrize("game", games())
def test_a_match_is_played_by_answers_alone(site: Site, game: str) -> None:
    """Also with a line that begins like one of ours, such as a row of a board."""
    players = Players(Table(site, game=game))
    players.table.begin()
    players.post()
    for turn in range(5):
        lines = players.legal()
        assert players.answer(lines[-turn % min(3, len(lines))]) == "play"
    assert len(players.moves()) == 5


@pytest.mark.parametrize(
    ("game", "line", "why"),
    [("seasons", "reroll 1", "Der Zufall kam"), ("malawi", "a1-c1", "Dein Zug war davor")],
)
def test_what_of_a_line_was_not_played_is_said_and_why(
    site: Site, game: str, line: str, why: str
) -> None:
    players = Players(Table(site, game=game))
    players.table.begin()
    players.post()
    mover = players.mover()
    assert players.answer(f"{line}; {line}") == "play"
    acks = [one for one in players.boxes[Table.ADDRESSES[mover]] if "„" + line in text_of(one)]
    assert f"„{line}“ wurde nicht gespielt: {why}" in " ".join(text_of(acks[-1]).split())


def test_whoever_answers_every_mail_gets_every_mail(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many that are in a day."""
    monkeypatch.setattr("service.mail.gate.CROWD", 1)
    for _ in range(6):
        assert players.answer(players.legal()[0]) == "play"


@BOTH
def test_the_same_mail_over_two_ways_plays_once_and_is_answered_once(players: Players) -> None:
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    players.bring(letter, "imap:a:1:1")
    players.bring(letter.having(received="by mx.example.org"), "lmtp:b")
    players.bring(letter, "imap:a:2:1")
    assert players.outcome() == "duplicate"
    assert len(players.moves()) == 1
    assert players.kinds().count("ack") == 1


def test_a_mail_taken_up_again_after_a_crash_came_to_what_it_came_to(players: Players) -> None:
    players.answer(players.legal()[0])
    table = players.table
    with table.site.db.write() as conn:
        conn.execute(INBOUND.update().values(state="new"))
    while worker.receive(table.site, table.recorder, table.now):
        pass
    assert players.outcome() == "play"
    assert len(players.moves()) == 1


@pytest.mark.parametrize(
    "name", ["<ä@ö.example>", "=?utf-8?q?=C3=A4=0D=0AX:_y?=", "x" * 1_900, "<>"]
)
def test_a_mail_may_have_any_name_and_counts_once_under_it(players: Players, name: str) -> None:
    mover, mail = players.mover(), players.last(players.mover())
    letter = players.letter("HILFE", mail).having(message_id=name)
    for way in ("1", "2"):
        players.bring(letter, way)
    assert players.outcome() == "duplicate"
    players.post()
    answer = players.last(mover)
    assert answer["Auto-Submitted"] == "auto-replied"
    assert answer["X"] is None


def test_the_same_mail_on_the_same_way_is_kept_once(players: Players) -> None:
    letter = players.letter(players.legal()[0], players.last(players.mover())).bytes()
    db = players.table.site.db
    assert inbox.store(db, Arrival("imap:1", letter, 1))
    assert not inbox.store(db, Arrival("imap:1", letter, 1))


def test_the_same_move_in_another_mail_comes_to_nothing(players: Players) -> None:
    mover, line = players.mover(), players.legal()[0]
    mail = players.last(mover)
    players.answer(line)
    before = players.kinds()
    players.bring(players.letter(line, mail, mover))
    assert players.outcome() == "ignore:again"
    assert players.kinds() == before


def test_another_move_for_a_turn_that_was_played_is_answered_once(players: Players) -> None:
    mover, (line, other, *_) = players.mover(), players.legal()
    mail = players.last(mover)
    players.answer(line)
    players.bring(players.letter(other, mail, mover))
    assert players.outcome() == "answer:played"
    answer = players.post()[-1]
    assert line in text_of(answer)
    assert answer["Reply-To"] is None
    players.bring(players.letter(other, mail, mover))
    assert players.outcome() == "ignore:played"
    assert len(players.moves()) == 1


def test_an_answer_to_a_match_that_is_over_is_told_so_and_asked_for_nothing(
    players: Players,
) -> None:
    table, mover, line = players.table, players.mover(), players.legal()[0]
    mail = players.last(mover)
    with table.site.db.read() as conn:
        row = matches.find(conn, table.match)
    play.act(table.site, match=row.id, seat=1, act="resign", on=row.n, via="web", now=table.now)
    players.post()
    players.bring(players.letter(line, mail, mover))
    assert players.outcome() == "answer:over"
    answer = players.post()[-1]
    assert answer["Reply-To"] is None
    assert "/t/" not in text_of(answer)
    assert "Du bist am Zug" not in text_of(answer)


def test_what_is_wrong_is_said_with_the_board_and_at_most_three_times(players: Players) -> None:
    mover = players.mover()
    assert players.answer("a1-b2") == "answer:illegal"
    answer = players.last(mover)
    assert "a1-b2" in text_of(answer)
    assert players.legal()[0] in text_of(answer)
    assert answer["Reply-To"] is not None
    assert players.answer("Hallo!") == "answer:none"
    first, second = players.legal()[:2]
    assert players.answer(f"{first}\n{second}") == "answer:ambiguous"
    assert f"„{first} / {second}“" in " ".join(text_of(players.last(mover)).split())
    assert players.answer("HILFE") == "answer:help"  # that is no mistake
    assert players.answer("Hallo?") == "silent:none"
    assert players.answer(players.legal()[0]) == "play"


def test_no_mail_that_answers_can_be_taken_for_a_move_or_answered(players: Players) -> None:
    for typed in ("a1-b2", "HILFE", "BRETT"):
        mover = players.mover()
        players.answer(typed)
        answer = players.last(mover)
        echo = players.letter("", answer)
        assert players.bring(replace(echo, body=plain(text_of(answer)))) is None
        assert players.outcome() in ("answer:none", "silent:none")
    assert players.moves() == []


def test_the_only_move_there_is_stands_on_no_line_of_ours_and_can_be_played(site: Site) -> None:
    players = Players(Table(site, game="monad"))
    players.table.begin()
    players.post()
    while len(players.legal()) > 1:
        players.table.move(players.legal()[0])
    players.table.now += 900  # whoever has just played is told of the next turn later
    players.post()
    (only,) = players.legal()
    assert players.answer("Hallo!") == "answer:none"
    answer = text_of(players.last(players.mover()))
    assert f"„{only}“" in answer
    assert only not in map(str.strip, answer.split("\n"))
    assert players.answer(only) == "play"


def test_what_an_opponent_writes_is_no_move_and_takes_none_away(players: Players) -> None:
    """A message may say what its reader is going to answer."""
    table, mover, moves = players.table, players.mover(), players.legal()
    asked = players.last(mover)
    with table.site.db.read() as conn:
        opponent = people.find(conn, Table.ADDRESSES[1 - mover])
    assert opponent is not None
    text = "\n".join(("Viele Grüße", *moves, "BRETT", "ende", "x" * 80))
    messages.send(table.site, match=table.match, player=opponent, text=text, now=table.now)
    table.now += messages.SOON
    said = text_of(players.post()[-1])
    assert moves[0] in said
    rules = newest("malawi")
    for line in said.split("\n"):
        assert grammar.turn(rules, line) is None
        assert grammar.command(line, "") is None
    players.bring(players.letter(moves[0], asked))
    assert players.outcome() == "play"


def test_whoever_answers_gets_mail_again(players: Players) -> None:
    site, mover = players.table.site, players.mover()
    for name, stays in (("x@example.net", True), (Table.ADDRESSES[mover], False)):
        with site.db.write() as conn:
            reach.bounced(conn, Table.ADDRESSES[mover], "hard", players.table.now)
        letter = players.letter("Hallo!", players.last(mover)).having(**{"from": name})
        players.bring(letter, name)
        with site.db.read() as conn:
            assert reach.suppressed(conn, Table.ADDRESSES[mover]) == stays


def test_a_rude_machine_gets_three_answers_and_then_silence(players: Players) -> None:
    for _ in range(9):
        players.answer("I read every mail and answer it at once.")
    assert players.kinds().count("answer") == 3


def test_nobody_unknown_gets_an_answer(players: Players) -> None:
    before = players.kinds()
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    unknown = letter.having(to="play+t." + "b" * 26 + "@games.example.org")
    players.bring(unknown)
    assert players.outcome() == "nobody's"
    players.bring(letter.having(to="play@games.example.org"), "2")
    assert players.outcome() == "nobody's"
    assert players.kinds() == before


def test_a_machine_gets_nothing(players: Players) -> None:
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    before = players.kinds()
    players.bring(letter.having(auto_submitted="auto-replied (vacation)"))
    assert players.outcome() == "automatic"
    assert (players.kinds(), players.moves()) == (before, [])


def test_resigning_by_mail_brings_a_link_and_resigns_nothing(players: Players) -> None:
    with players.table.site.db.read() as conn:
        code = matches.find(conn, players.table.match).code
    assert players.answer(f"AUFGEBEN {code}") == "command:resign"
    assert players.kinds()[-1] == "access"
    with players.table.site.db.read() as conn:
        assert matches.find(conn, players.table.match).mover is not None
