"""Answers that came from somebody else, or seem to: held until their player says a word."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from service import held as held_lines
from service.errors import SpentLink
from service.models import ALIAS
from tests.mail.inbound.players import Players
from tests.mail.play import Table, text_of


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
