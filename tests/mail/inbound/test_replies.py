"""What answers do: to the match, to the outbox, once, and within their limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from games.log.record import Join
from games.registry import games, newest
from service import held as held_lines
from service import inbox, matches, messages, people, play, reach, records, worker
from service.errors import SpentLink
from service.inbox import Arrival
from service.mail.inbound import grammar
from service.models import ALIAS, INBOUND, OUTBOX, VERDICT
from service.settings import Settings
from service.site import Site
from tests.mail.inbound.letters import html, plain
from tests.mail.inbound.players import Players
from tests.mail.play import Table, service, text_of
from tests.service.table import at_once


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "sqlite")


@pytest.fixture
def site(settings: Settings):  # type: ignore[no-untyped-def]
    with service(settings) as opened:
        yield opened


BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def players(site: Site) -> Players:
    """A match that has just begun, every mail read."""
    found = Players(Table(site))
    found.table.begin()
    found.post()
    return found


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


def held(players: Players) -> tuple[str, str]:
    """A friend answers for the player; the line, and the token in the mail that asks about it."""
    mover, line = players.mover(), players.legal()[0]
    letter = players.letter(line, players.last(mover)).having(**{"from": "Friend <f@example.net>"})
    players.bring(letter)
    assert players.outcome() == "hold"
    mail = players.post()[-1]
    assert mail["To"].addresses[0].addr_spec == Table.ADDRESSES[mover]
    assert "f@example.net" in text_of(mail)
    return line, text_of(mail).partition("/h/")[2].split()[0]


def test_a_stranger_is_held_and_only_the_player_asked_once(players: Players) -> None:
    mail = players.last(players.mover())
    held(players)
    again = players.letter(players.legal()[1], mail).having(**{"from": "g@example.net"})
    players.bring(again)
    assert players.outcome() == "ignore:stranger"
    assert players.moves() == []
    assert players.kinds().count("hold") == 1


def test_the_players_word_plays_what_was_held_and_knows_the_address(players: Players) -> None:
    line, token = held(players)
    site, mover = players.table.site, players.mover()
    assert held_lines.accept(site, token, players.table.now) == players.table.match
    assert [move.mv for move in players.moves()] == [line]
    with site.db.read() as conn:
        assert conn.execute(sa.select(ALIAS.c.folded)).scalar_one() == "f@example.net"
    players.post()
    players.answer(players.legal()[0])
    assert players.mover() == mover
    letter = players.letter(players.legal()[0], players.last(mover))
    players.bring(letter.having(**{"from": "f@example.net"}))
    assert players.outcome() == "play"


def test_a_line_that_its_player_refuses_is_never_played(players: Players) -> None:
    _, token = held(players)
    site, now = players.table.site, players.table.now
    held_lines.refuse(site, token, now)
    for late in (held_lines.refuse, held_lines.accept):
        with pytest.raises(SpentLink):
            late(site, token, now)
    assert players.moves() == []


def test_a_forged_sender_that_a_trusted_server_disproves_is_held(players: Players) -> None:
    table = players.table
    trusting = table.site.settings.model_copy(update={"authserv_id": "mx.example.org"})
    table.site = replace(table.site, settings=trusting)
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    players.bring(letter.having(authentication_results="mx.example.org; dmarc=fail"))
    assert players.outcome() == "hold"


def test_resigning_by_mail_brings_a_link_and_resigns_nothing(players: Players) -> None:
    with players.table.site.db.read() as conn:
        code = matches.find(conn, players.table.match).code
    assert players.answer(f"AUFGEBEN {code}") == "command:resign"
    assert players.kinds()[-1] == "access"
    with players.table.site.db.read() as conn:
        assert matches.find(conn, players.table.match).mover is not None


def invited(site: Site) -> Players:
    """A match whose second player has an invitation."""
    players = Players(Table(site))
    players.table.ask()
    players.table.confirm()
    players.post()
    return players


def test_joining_by_answer_takes_words_for_the_lot(site: Site) -> None:
    players = invited(site)
    players.bring(players.letter("JA drei blaue Elefanten", players.last(1), 1))
    assert players.outcome() == "join"
    with site.db.read() as conn:
        found = [record.body for record in records.load(conn, players.table.match)]
    join = [body for body in found if isinstance(body, Join)][-1]
    assert join.by.via == "mail"
    assert join.by.ev
    sent = players.post()
    assert any("drei blaue Elefanten" in text_of(mail) for mail in sent)
    assert players.answer(players.legal()[0]) == "play"


def test_what_says_neither_yes_nor_no_is_answered_without_saying_it(site: Site) -> None:
    players = invited(site)
    players.bring(players.letter("Vielleicht!", players.last(1), 1))
    assert players.outcome() == "answer:consent"
    said = text_of(players.post()[-1])
    assert "JA" in said
    assert not any(map(grammar.consent, said.split("\n")))


def test_at_a_provider_with_one_address_answers_are_known_by_the_mail_they_refer_to(
    settings: Settings,
) -> None:
    """To an invitation and to a turn; and only those whose sender is proved."""
    one = {"reply_to": "play@games.example.org", "authserv_id": "mx.example.org"}
    with service(settings.model_copy(update=one)) as opened:
        players = invited(opened)
        for who, typed, doubtful, proved in (
            (1, "JA", "answer:form", "join"),
            (None, None, "hold", "play"),
        ):
            mover = players.mover() if who is None else who
            box = players.boxes[Table.ADDRESSES[mover]]
            asked = next(mail for mail in reversed(box) if mail["Reply-To"])
            assert asked["Reply-To"].addresses[0].addr_spec == "play@games.example.org"
            letter = players.letter(typed or players.legal()[0], asked, mover)
            letter = letter.having(in_reply_to=str(asked["Message-ID"]), references=None)
            players.bring(letter)
            assert players.outcome() == doubtful
            found = "mx.example.org; dmarc=pass header.from=example.org"
            sure = letter.having(authentication_results=found, message_id=f"<{typed}@x.example>")
            players.bring(sure, f"sure {typed}")
            assert players.outcome() == proved
            players.post()


def test_declining_by_answer_tells_whoever_invited(site: Site) -> None:
    players = invited(site)
    players.bring(players.letter("Nein", players.last(1), 1))
    assert players.outcome() == "decline"
    assert players.kinds()[-2:] == ["declined", "ack"]
    players.bring(players.letter("JA", players.last(1), 1))
    assert players.outcome() == "answer:gone"


def test_several_workers_take_a_mail_up_once(players: Players) -> None:
    table = players.table
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    inbox.store(table.site.db, Arrival("one", letter.bytes(), table.now))
    at_once([lambda: worker.receive(table.site, table.recorder, table.now)] * 4)
    assert len(players.moves()) == 1
    assert players.kinds().count("ack") == 1


def test_a_mail_that_cannot_be_taken_up_waits_and_blocks_no_other(players: Players) -> None:
    table = players.table
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    with table.site.db.write() as conn:
        conn.execute(sa.text("ALTER TABLE verdict RENAME TO elsewhere"))
    players.bring(letter)
    with table.site.db.write() as conn:
        conn.execute(sa.text("ALTER TABLE elsewhere RENAME TO verdict"))
    assert players.moves() == []
    table.now += 60
    while worker.receive(table.site, table.recorder, table.now):
        pass
    assert players.outcome() == "play"


@pytest.mark.parametrize(("seconds", "outcome"), [(-1, "play"), (0, "answer:late")])
def test_when_a_mail_arrived_decides_and_neither_its_date_nor_when_it_is_read(
    site: Site, seconds: int, outcome: str
) -> None:
    players = Players(Table(site, clock="2h"))
    players.table.begin()
    players.post()
    with site.db.read() as conn:
        deadline = matches.find(conn, players.table.match).deadline
    assert deadline is not None
    letter = players.letter(players.legal()[0], players.last(players.mover()))
    dated = letter.having(date="Mon, 30 Nov 2020 12:00:00 +0000")
    players.table.now = deadline + 3_600
    players.bring(dated, now=deadline + seconds)
    assert players.outcome() == outcome


def test_a_mail_that_waits_keeps_its_turn_from_running_out(players: Players) -> None:
    site, now = players.table.site, players.table.now
    with site.db.read() as conn:
        assert inbox.settled(conn, site.settings, now, now)
    inbox.store(site.db, Arrival("late", b"x", now - 1))
    with site.db.read() as conn:
        assert not inbox.settled(conn, site.settings, now, now)
        assert inbox.settled(conn, site.settings, now - 1, now)
    for tried in range(inbox.HOPELESS):
        (row,) = inbox.due(site.db, now + 86_400)
        with site.db.read() as conn:
            assert not inbox.settled(conn, site.settings, now, now)
        assert row.attempts == tried
        inbox.put_off(site.db, row, "unreadable", now)
    with site.db.read() as conn:
        assert inbox.settled(conn, site.settings, now, now)


def test_a_turn_does_not_run_out_before_the_mailbox_was_looked_into(players: Players) -> None:
    site, now = players.table.site, players.table.now
    inbox.fetched(site.db, now)
    with site.db.read() as conn:
        assert not inbox.settled(conn, site.settings, now - 1, now)
        assert inbox.settled(conn, site.settings, now - inbox.LATE_SECONDS, now)
        assert inbox.settled(conn, site.settings, now - 1, now + inbox.LONGEST_WAIT)


def test_a_mailbox_that_could_never_be_opened_is_waited_for_too(players: Players) -> None:
    site, now = players.table.site, players.table.now
    away = {"smtp_host": "mx.example.org", "imap_host": "mx.example.org", "imap_user": "play"}
    settings = site.settings.model_copy(update=away)
    with site.db.read() as conn:
        assert not inbox.settled(conn, settings, now - 1, now)
        assert inbox.settled(conn, settings, now - 1, now + inbox.LONGEST_WAIT)


def test_raw_mails_are_forgotten_after_a_month(players: Players) -> None:
    players.answer(players.legal()[0])
    site = players.table.site
    inbox.forget(site.db, players.table.now + inbox.RAW_SECONDS + 1)
    with site.db.read() as conn:
        assert conn.execute(sa.select(INBOUND.c.raw)).scalar_one() is None
        assert conn.execute(sa.select(VERDICT.c.action)).scalar_one() == "play"


def test_what_our_mails_say_is_kept_with_them(players: Players) -> None:
    with players.table.site.db.read() as conn:
        assert all(conn.execute(sa.select(OUTBOX.c.words)).scalars())


def test_what_our_mails_say_is_forgotten_two_months_after_their_match(players: Players) -> None:
    table, day = players.table, 86_400

    def kept() -> set[tuple[str | None, bool]]:
        query = sa.select(OUTBOX.c.match, OUTBOX.c.words.is_not(None)).distinct()
        with table.site.db.read() as conn:
            return {(row[0], row[1]) for row in conn.execute(query)}

    assert kept() == {(None, True), (table.match, True)}
    worker.purge(table.site, table.recorder, table.now + 61 * day)
    assert kept() == {(None, False), (table.match, True)}
    with table.site.db.read() as conn:
        row = matches.find(conn, table.match)
    play.act(table.site, match=row.id, seat=1, act="resign", on=row.n, via="web", now=table.now)
    for days, still in ((59, True), (61, False)):
        worker.purge(table.site, table.recorder, table.now + days * day)
        assert ((table.match, True) in kept()) == still


def test_a_huge_mail_is_cut_and_asked_for_again(players: Players) -> None:
    mail = players.last(players.mover())
    letter = replace(players.letter("", mail), body=html("x" * 1_200_000, encoding="7bit"))
    players.bring(letter)
    assert players.outcome() == "answer:large"
    with players.table.site.db.read() as conn:
        assert len(conn.execute(sa.select(INBOUND.c.raw)).scalar_one()) == inbox.KEPT
