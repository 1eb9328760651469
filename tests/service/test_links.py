"""Links and cookies: what they open, for how long, and what they never tell."""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b32encode
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from service import access, links, lobby, people, play, sessions
from service.errors import BadAddress, BadLink, SpentLink
from service.models import LINK, SESSION
from service.opening import Invited
from service.site import Site
from tests.service.table import ANNA, BO, NOW, look, mails, move, opened, started, token

KEY = bytes(range(32))


def test_a_token_is_128_bits_of_an_hmac_in_lower_case_base32() -> None:
    row = "00" * 16
    mac = hmac.new(KEY, b"w|" + row.encode(), hashlib.sha256).digest()[:16]
    assert links.token(KEY, "w", row) == b32encode(mac).decode().lower().rstrip("=")
    assert re.fullmatch("[a-z2-7]{26}", links.token(KEY, "w", row))


def test_each_purpose_and_each_key_has_its_own_token() -> None:
    purposes: tuple[links.Purpose, ...] = ("w", "i", "a")
    tokens = {links.token(key, p, "00" * 16) for p in purposes for key in (KEY, KEY[::-1])}
    assert len(tokens) == 6


def test_the_database_does_not_hold_the_token(site: Site) -> None:
    opened(site)
    (mail,) = mails(site, "invitation")
    secret = token(site, mail)
    with site.db.read() as conn:
        rows = conn.execute(sa.select(LINK).where(LINK.c.id == mail.link)).one()
    assert secret not in str(rows)
    assert rows.hash == hashlib.sha256(secret.encode()).digest()


def test_a_token_is_found_in_any_case(site: Site) -> None:
    opened(site)
    (mail,) = mails(site, "invitation")
    secret = token(site, mail)
    with site.db.read() as conn:
        found = links.invitation(conn, secret)
        assert found.id == mail.link
        assert links.invitation(conn, secret.upper()) == found
        assert links.invitation(conn, secret.title()) == found


def test_foreign_cut_and_invented_tokens_lead_nowhere(site: Site) -> None:
    opened(site)
    (mail,) = mails(site, "invitation")
    secret = token(site, mail)
    wrong = ["", secret[:-1], secret + "a", secret[::-1], "a" * 26, secret + "\n", " " + secret]
    with site.db.read() as conn:
        for text in [*wrong, "ä" * 26, "\ud800", "0" * 26, "ſ" + secret[1:]]:
            with pytest.raises(BadLink) as said:
                links.invitation(conn, text)
            assert str(said.value) == BadLink.sentence
        for find in (links.turn, links.entry):
            with pytest.raises(BadLink):
                find(conn, secret)


@pytest.fixture(scope="module", name="linked")
def _linked() -> Iterator[tuple[sa.Connection, str]]:
    """A table that holds one link, and its token."""
    engine = sa.create_engine("sqlite://")
    LINK.create(engine)
    with engine.connect() as conn:
        row = links.make(conn, KEY, "w", now=NOW, match="m_0", seat=1, wait=3)
        yield conn, links.token(KEY, "w", row)
    engine.dispose()


@given(at=st.integers(0, 26), removed=st.integers(0, 3), put=st.text(max_size=3))
def test_only_the_token_itself_is_found(
    linked: tuple[sa.Connection, str], at: int, removed: int, put: str
) -> None:
    """Whatever is put in place of a few of its characters, if it is not the same letters."""
    conn, genuine = linked
    text = genuine[:at] + put + genuine[at + removed :]
    if text.isascii() and text.lower() == genuine:
        assert links.turn(conn, text).match == "m_0"
    else:
        with pytest.raises(BadLink):
            links.turn(conn, text)


@given(st.text(max_size=40))
def test_no_text_is_found_by_chance(linked: tuple[sa.Connection, str], text: str) -> None:
    with pytest.raises(BadLink):
        links.turn(linked[0], text)


def test_a_link_of_a_restored_database_is_another_link(site: Site) -> None:
    """Row ids are random: what is made anew after a restore does not get the token of before."""
    tokens = []
    for _ in range(2):
        with site.db.write() as conn:
            tokens.append(links.token(KEY, "i", links.make(conn, KEY, "i", now=NOW)))
            conn.rollback()  # the row is gone, as in a copy from before
    assert tokens[0] != tokens[1]


def test_an_access_link_signs_in_once(site: Site) -> None:
    match = started(site)
    access.send_to(site, BO.upper(), match, NOW)
    (mail,) = mails(site, "access")
    entered = lobby.confirm(site, token(site, mail), NOW + 10)
    assert entered.match == match
    with site.db.read() as conn:
        player = sessions.find_player(conn, entered.session, NOW + 20)
    assert player is not None
    assert (player.name, player.address) == ("Bo", BO)
    with pytest.raises(SpentLink) as said:
        lobby.confirm(site, token(site, mail), NOW + 11)
    assert said.value.match == match


def test_an_access_link_is_good_for_a_day(site: Site) -> None:
    match = started(site)
    access.send_to(site, BO, match, NOW)
    (mail,) = mails(site, "access")
    with pytest.raises(SpentLink) as said:
        lobby.confirm(site, token(site, mail), NOW + access.VALID)
    assert said.value.match == match


def test_asking_for_access_tells_nothing_and_mails_nobody_else(site: Site) -> None:
    match = started(site)
    access.send_to(site, "nobody@example.org", match, NOW)
    assert mails(site, "access") == []
    with pytest.raises(BadAddress):
        access.send_to(site, "nobody", match, NOW)


def test_access_is_mailed_to_players_of_that_match_alone(site: Site) -> None:
    started(site)
    other = started(site, nonce="n2", address="eve@example.org", name="Eve")
    with site.db.read() as conn:
        anna = people.find(conn, ANNA)
    assert anna is not None
    access.send(site, player=anna, match=other, now=NOW)
    access.send_to(site, ANNA, other, NOW)
    access.send_to(site, ANNA, "m_0000000000000000", NOW)
    assert mails(site, "access") == []


def test_access_is_mailed_at_most_once_a_minute(site: Site) -> None:
    match = started(site)
    for second in range(2):
        access.send_to(site, ANNA, match, NOW - NOW % 60 + second)
    access.send_to(site, ANNA, match, NOW + 60)
    assert len(mails(site, "access")) == 2
    with site.db.read() as conn:
        made = conn.execute(sa.select(sa.func.count()).where(LINK.c.player.is_not(None)))
        assert made.scalar() == 2


def test_access_to_a_match_is_for_those_who_play_it(site: Site) -> None:
    match = started(site)
    carla = Invited("Carla", "carla@example.org")
    opened(site, nonce="n2", address="dora@example.org", invited=(carla,))
    for address in ("dora@example.org", carla.address):
        access.send_to(site, address, match, NOW)
    assert mails(site, "access") == []


def test_a_player_is_signed_in_until_signed_out_or_over(site: Site) -> None:
    session = opened(site).session
    assert session is not None
    with site.db.read() as conn:
        assert sessions.find_player(conn, session, NOW) is not None
        assert sessions.find_player(conn, session, NOW + 401 * 86_400) is None
        assert session not in str(conn.execute(sa.select(SESSION)).all())
    with site.db.write() as conn:
        sessions.end(conn, session)
        assert sessions.find_player(conn, session, NOW) is None


def test_a_session_that_is_over_is_forgotten(site: Site) -> None:
    session = opened(site).session
    over = NOW + sessions.PLAYER_DAYS * sessions.DAY
    for now, left in ((over - 1, 1), (over, 0)):
        sessions.forget(site.db, now)
        with site.db.read() as conn:
            assert (sessions.find_player(conn, session, NOW) is not None) == bool(left)
            assert conn.execute(sa.select(sa.func.count()).select_from(SESSION)).scalar() == left


@pytest.mark.parametrize("cookie", [None, "", "x", "\ud800", "x" * 10_000])
def test_a_made_up_cookie_is_nobody(site: Site, cookie: str | None) -> None:
    match = started(site)
    with site.db.read() as conn:
        assert sessions.find_player(conn, cookie, NOW) is None
        assert sessions.find_seat(conn, match, cookie, NOW) is None


def test_a_seat_session_ends_when_the_next_turn_of_the_seat_begins(site: Site) -> None:
    match = started(site)
    seen = look(site, match)
    with site.db.write() as conn:
        cookie = sessions.start_seat(conn, match, seen.mover, seen.row.wait, NOW)

    def seat() -> int | None:
        with site.db.read() as conn:
            found = sessions.find_seat(conn, match, cookie, NOW)
            assert sessions.find_seat(conn, "m_other", cookie, NOW) is None
        return found.seat if found else None

    assert seat() == seen.mover
    move(site, match)
    assert seat() == seen.mover
    play.act(site, match=match, seat=1, act="offer-draw", on=4, via="web", now=NOW)
    assert seat() == seen.mover
    move(site, match)
    assert seat() is None
    move(site, match)
    assert seat() is None


def test_a_known_player_keeps_the_name(site: Site) -> None:
    started(site)
    with site.db.write() as conn:
        person = people.Person("Somebody", ANNA.upper(), "en", "UTC")
        player = people.enter(conn, person, NOW)
        assert people.known(conn, player).name == "Anna"
