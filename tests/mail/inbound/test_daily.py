"""Answers to the daily mail, and what is said in one mail instead of several."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage

import pytest

from service import digest, matches, wishes, worker
from service.mail.transport import Delivery
from service.site import Site
from service.wishes import Wishes
from tests.mail.inbound.players import Players
from tests.mail.play import NOON, Table, text_of


@pytest.fixture
def tables(site: Site) -> list[Players]:
    """Two matches in which the same player is to move."""
    found: list[Players] = []
    for hours in range(20):  # the lot draws the seats
        players = Players(Table(site, nonce=str(hours), now=NOON + hours * 7_200))
        players.table.begin()
        players.post()
        if not found or players.mover() == found[0].mover():
            found.append(players)
        if len(found) == 2:
            found[0].table.now = players.table.now
            return found
    raise AssertionError("the lot never drew the same player twice")


def code(players: Players) -> str:
    with players.table.site.db.read() as conn:
        return matches.find(conn, players.table.match).code


def wish(players: Players, wished: Wishes) -> None:
    with players.table.site.db.write() as conn:
        wishes.put(conn, players.table.mover, wished)


def daily(players: Players) -> EmailMessage:
    """The daily mail of whoever is to move."""
    wish(players, Wishes(delivery="digest"))
    players.table.now += digest.DAY
    worker.daily(players.table.site, players.table.recorder, players.table.now)
    return next(mail for mail in players.post() if mail["Reply-To"])


def bring(players: Players, typed: str, mail: EmailMessage, **headers: str) -> str:
    who = players.mover()
    players.bring(players.letter(typed, mail, who).having(**headers))
    return players.outcome()


def test_one_answer_plays_in_every_match_that_it_names(tables: list[Players]) -> None:
    first, second = tables
    mail = daily(first)
    assert "+d." in mail["Reply-To"]
    line, other = first.legal()[0], second.legal()[1]
    typed = f"- {code(first)}: {line}\n[{code(second).lower()}]: {other}\n\nGruß\nTelefon: 0123"
    assert bring(first, typed, mail) == "play play"
    assert [move.mv for move in first.moves()] == [line]
    assert [move.mv for move in second.moves()] == [other]
    (ack,) = [mail for mail in first.post() if mail["Auto-Submitted"] == "auto-replied"]
    assert line in text_of(ack)
    assert other in text_of(ack)


def test_a_move_without_a_code_plays_nothing_and_brings_the_codes(tables: list[Players]) -> None:
    first, second = tables
    mail = daily(first)
    assert bring(first, first.legal()[0], mail) == "answer:codes"
    assert first.moves() == second.moves() == []
    (answer,) = first.post()
    assert code(first) in text_of(answer)
    assert code(second) in text_of(answer)
    assert answer["In-Reply-To"] == f"<{first.count}@mail.example.org>"
    assert answer["Auto-Submitted"] == "auto-replied"
    assert bring(first, f"{code(first)}: {first.legal()[0]}", answer) == "play"


def test_what_is_wrong_with_a_line_is_said_as_in_an_answer_to_its_turn(
    tables: list[Players],
) -> None:
    first, second = tables
    mail = daily(first)
    both = f"{code(first)}: {first.legal()[0]}\n{code(first)}: {first.legal()[1]}\n"
    assert bring(first, f"{both}{code(second)}: a1-b2", mail) == "answer:ambiguous answer:illegal"
    assert bring(first, "9999: a1-b2", mail) == "answer:codes"
    assert bring(first, f"{code(first)}: {first.legal()[0]}", mail) == "play"


def test_only_its_player_answers_a_daily_mail_and_only_for_a_while(tables: list[Players]) -> None:
    first, _ = tables
    mail = daily(first)
    typed = f"{code(first)}: {first.legal()[0]}"
    assert bring(first, typed, mail, **{"from": "f@example.net"}) == "ignore:stranger"
    first.table.now += digest.OPEN
    assert bring(first, typed, mail) == "nobody's"
    assert first.moves() == []


def test_a_loop_of_daily_mails_ends_after_three_answers(tables: list[Players]) -> None:
    first, _ = tables
    mail = daily(first)
    found = [bring(first, "I answer every mail.", mail) for _ in range(5)]
    assert found == ["answer:codes"] * 3 + ["silent:codes"] * 2


def test_what_is_played_within_a_minute_is_said_in_one_mail(tables: list[Players]) -> None:
    """The first at once; what follows at the end of the minute, together."""
    first, second = tables
    table, lines = first.table, (first.legal()[0], second.legal()[1])
    asked = [players.last(players.mover()) for players in tables]
    first.bring(first.letter(lines[0], asked[0]))
    assert len(acks(first)) == 1
    second.table.now = table.now - 50
    second.bring(second.letter(lines[1], asked[1]).having(message_id="<x@example.org>"), "x")
    assert acks(second) == []
    second.table.now += 50
    (late,) = acks(second)
    assert lines[1] in text_of(late)
    assert lines[0] not in text_of(late)


def acks(players: Players) -> list[EmailMessage]:
    return [mail for mail in players.post() if mail["Auto-Submitted"] == "auto-replied"]


def test_a_player_may_go_without_acknowledgements_but_not_without_bad_news(
    tables: list[Players],
) -> None:
    first, second = tables
    wish(first, Wishes(unwanted=("ack",)))
    asked = second.last(second.mover())
    first.answer(first.legal()[0])
    assert ("ack", "suppressed") in first.table.rows()
    second.table.now = first.table.now
    typed = f"{second.legal()[0]}\nwenn a1-b1 dann f3-d3"
    second.bring(second.letter(typed, asked).having(message_id="<y@example.org>"), "y")
    assert len(acks(second)) == 1


@pytest.mark.parametrize(
    ("chosen", "refused"),
    [
        ("auto", ["MAIL: 501 5.1.7 no sender"]),
        ("auto", ["RCPT: 553 5.7.1 <>: Sender address rejected"]),
        ("auto", ["RCPT: 550 empty sender"]),
        ("never", []),
    ],
)
def test_a_relay_that_wants_a_sender_gets_one(
    tables: list[Players], chosen: str, refused: list[str]
) -> None:
    first, _ = tables
    settings = first.table.site.settings.model_copy(update={"null_sender": chosen})
    first.table.site = replace(first.table.site, settings=settings)
    first.bring(first.letter("Hallo!", first.last(first.mover())))
    first.table.recorder.answers = [Delivery("failed", 550, text) for text in refused]
    first.post()
    assert first.table.recorder.mails[-1][0] == "play@games.example.org"
