"""Nobody gets more mail than a quota lets through, whoever asks, however often, from wherever."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import sqlalchemy as sa

from service import access, lobby, matches, quota
from service.errors import TooMany
from service.models import LINK, OPENING, OUTBOX, QUOTA
from service.opening import Invited
from service.quota import Quota
from service.site import Site
from tests.service.table import ANNA, BO, NOW, at_once, form, invitation, opened, started

THREE = Quota("three", 3, 60)
HOUR = 3_600


def taken(site: Site, now: int, whose: str = "anna") -> int:
    """Takes one; how long to wait if there is none."""
    try:
        with site.db.write() as conn:
            quota.take(conn, THREE, whose, now)
    except TooMany as error:
        return error.seconds
    return 0


def size(site: Site, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
    with site.db.read() as conn:
        query = sa.select(sa.func.count()).select_from(table).where(*where)
        return conn.execute(query).scalar_one()


def refused(act: Callable[[], object], times: int) -> int:
    """How many of so many attempts are refused."""
    answers = []
    for _ in range(times):
        try:
            answers.append(act())
        except TooMany as error:
            answers.append(error)
    return sum(isinstance(answer, TooMany) for answer in answers)


def test_a_few_go_through_at_once_and_then_one_after_each_pause(site: Site) -> None:
    assert [taken(site, NOW) for _ in range(5)] == [0, 0, 0, 60, 60]
    assert [taken(site, NOW + 59), taken(site, NOW + 60), taken(site, NOW + 61)] == [1, 0, 59]
    assert [taken(site, NOW + 1_000) for _ in range(4)] == [0, 0, 0, 60]


def test_everybody_has_a_quota_of_their_own(site: Site) -> None:
    assert [taken(site, NOW, whose) for whose in "aaaabbbb"] == [0, 0, 0, 60] * 2


def test_of_many_at_once_no_more_go_through(site: Site) -> None:
    waits = at_once([partial(taken, site, NOW)] * 20)
    assert sorted(waits) == [0] * 3 + [60] * 17  # type: ignore[type-var]


def test_what_is_free_again_is_forgotten(site: Site) -> None:
    taken(site, NOW)
    quota.forget(site.db, NOW + 59)
    assert size(site, QUOTA) == 1
    quota.forget(site.db, NOW + 60)
    assert size(site, QUOTA) == 0


def test_the_time_to_wait_is_said_in_minutes() -> None:
    assert str(TooMany(61)).endswith("in 2 min.")
    assert TooMany(61).seconds == 61


def test_twenty_forms_are_not_twenty_mails_to_one_address(site: Site) -> None:
    nonces = iter(range(100))
    asked = refused(lambda: lobby.ask(site, form(nonce=str(next(nonces))), NOW), 20)
    assert asked == 20 - lobby.CONFIRMS.most
    assert size(site, OUTBOX) == size(site, OPENING) == size(site, LINK) == lobby.CONFIRMS.most
    with pytest.raises(TooMany):
        lobby.ask(site, form(nonce="x", address=ANNA.upper()), NOW)
    lobby.ask(site, form(nonce="x", address="carla@example.org"), NOW)
    lobby.ask(site, form(nonce="x"), NOW + HOUR)


def test_a_form_sent_again_is_no_second_mail_and_no_second_count(site: Site) -> None:
    assert refused(lambda: lobby.ask(site, form(), NOW), 20) == 0
    assert size(site, OUTBOX) == 1


def test_an_invitation_is_renewed_twice_and_then_once_a_day(site: Site) -> None:
    opened(site)
    link, later = invitation(site), NOW + lobby.INVITATION
    invited = OUTBOX.c.kind == "invitation"
    assert refused(lambda: lobby.renew(site, link, later), 5) == 3
    assert size(site, OUTBOX, invited) == 3
    lobby.renew(site, link, later + lobby.DAY)
    assert size(site, OUTBOX, invited) == 4


def test_one_player_cannot_have_a_stranger_invited_without_end(site: Site) -> None:
    entered = opened(site, invited=(Invited("", "carla@example.org"),))
    anna = opener(site, entered.match)
    nonces = iter(range(100))

    def invite() -> None:
        lobby.open_match(site, anna, form(nonce=f"m{next(nonces)}"), NOW)

    assert refused(invite, 25) == 25 - lobby.INVITES.most
    assert size(site, OUTBOX, OUTBOX.c.address == BO) == lobby.INVITES.most


def opener(site: Site, match: str) -> int:
    with site.db.read() as conn:
        return matches.find(conn, match).opener


@pytest.mark.parametrize("address", [BO, "nobody@example.org"])
def test_known_and_unknown_addresses_are_told_the_same(site: Site, address: str) -> None:
    match = started(site)
    assert refused(lambda: access.send_to(site, address, match, NOW), 9) == 9 - access.MAILS.most
    assert refused(lambda: access.send_to(site, address, match, NOW + HOUR), 9) == 8


def test_access_by_a_session_and_by_an_address_have_one_quota(site: Site) -> None:
    match = started(site)
    anna = opener(site, match)
    assert refused(lambda: access.send(site, player=anna, match=match, now=NOW), 3) == 0
    assert refused(lambda: access.send_to(site, ANNA, match, NOW + 60), 1) == 1
    assert size(site, LINK, LINK.c.player == anna) == 1


def test_no_address_stands_in_a_quota(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    with site.db.read() as conn:
        assert "anna" not in str(conn.execute(sa.select(QUOTA)).all())
