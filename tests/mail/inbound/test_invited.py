"""Answers to invitations."""

from __future__ import annotations

from games.log.record import Join
from service import records
from service.mail.inbound import grammar
from service.settings import Settings
from service.site import Site
from tests.mail.inbound.players import Players
from tests.mail.play import Table, service, text_of


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
