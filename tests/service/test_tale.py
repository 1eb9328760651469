"""What a record says to a reader: the reasons of the operator's records in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.automatic import USED_UP
from games.core.drawing import Language, Reader
from games.core.rules import Dice
from games.log.record import By, Move, Record, Roll, Sys
from games.position import Position
from service import play, records, sessions, tale, unstarted
from service.language import catalogue
from service.site import Site
from tests.service.table import NOW, opened

OURS = (unstarted.CANCELLED, unstarted.LAPSED, unstarted.LEFT, play.TIME_OVER, USED_UP)


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.fixture
def cancelled(site: Site) -> tuple[Record, Position]:
    """The record that called a match off, and the position after it."""
    entered = opened(site)
    with site.db.read() as conn:
        opener = sessions.find_player(conn, entered.session, NOW)
    assert opener is not None
    unstarted.cancel(site, opener.player, entered.match, NOW)
    with site.db.read() as conn:
        return list(records.walk(site, conn, entered.match))[2]


def told(cancelled: tuple[Record, Position], language: Language, why: str = "") -> str:
    record, position = cancelled
    assert isinstance(record.body, Sys)
    body = replace(record.body, why=why or record.body.why)
    reader = Reader(language, ("Anna", "Bo"), 1)
    return tale.tell(record._replace(body=body), position, position, reader)


def test_a_match_that_was_called_off_says_so_in_the_readers_language(
    cancelled: tuple[Record, Position],
) -> None:
    assert told(cancelled, "en") == (
        "The match was declared void: cancelled by its opener before the start."
    )
    assert told(cancelled, "de") == (
        "Die Partie wurde für nichtig erklärt: vor dem Beginn wieder abgesagt."
    )


def test_the_last_turn_is_all_that_its_seat_moved_since_another_did() -> None:
    rolled = Roll(1, b"", Dice((6,)), (3,))
    moves = [Move(seat, line, By(0, "web", b"")) for seat, line in enumerate("abc", start=1)]
    assert tale.last_turn([]) == tale.last_turn([rolled]) == ()
    assert tale.last_turn([*moves, rolled, replace(moves[2], mv="d"), rolled]) == ("c", "d")


def test_every_reason_of_ours_is_translated_and_ends_without_a_full_stop() -> None:
    for why in OURS:
        assert catalogue("de").gettext(why) != why
        assert why[-1].isalpha()


@pytest.mark.parametrize("why", ["100% my fault: %(x)s", "Anna asked for it", "über Nacht"])
def test_the_reason_of_another_operator_stays_as_it_is(
    cancelled: tuple[Record, Position], why: str
) -> None:
    assert told(cancelled, "de", why) == f"Die Partie wurde für nichtig erklärt: {why}."
