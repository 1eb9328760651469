"""From the form to the start: confirmed, invited, joined, declined, cancelled; each once."""

from __future__ import annotations

import json
import secrets
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
import sqlalchemy as sa

from games import chance
from games.log.record import Join, Open, Start, Sys
from games.position import Phase
from service import lobby, matches, opening, play, records, sessions, unstarted
from service.errors import BadForm, BadLink, NoMatch, NotNow, SpentLink, Taken
from service.joining import JoinForm
from service.lobby import Entered
from service.models import LINK, MATCH, OPENING, OUTBOX, PLAYER, RECORD, SEAT, SERVICE
from service.opening import Invited
from service.site import Site, open_site
from tests.service.conftest import ON_SQLITE
from tests.service.table import (
    ANNA,
    BO,
    NOW,
    at_once,
    count,
    form,
    invitation,
    look,
    mails,
    opened,
    started,
    token,
)

BO_JOINS = JoinForm("Bo", "en", "UTC")


def bodies(site: Site, match: str) -> list[object]:
    with site.db.read() as conn:
        return [record.body for record in records.load(conn, match)]


def size(site: Site, table: sa.Table) -> int:
    with site.db.read() as conn:
        return conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def player(site: Site, entered: Entered) -> int:
    with site.db.read() as conn:
        found = sessions.find_player(conn, entered.session, NOW)
    assert found is not None
    return found.player


def test_a_form_alone_opens_nothing(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    assert [size(site, table) for table in (MATCH, RECORD, PLAYER, SEAT)] == [0, 0, 0, 0]
    (mail,) = mails(site)
    assert (mail.kind, mail.address, mail.language) == ("confirm", ANNA, "de")
    assert mail.about.names == ("Anna", "Bo")


def test_a_form_sent_twice_is_one_mail_and_a_changed_one_another(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    lobby.ask(site, form(), NOW + 1)
    assert len(mails(site)) == 1
    lobby.ask(site, form(name="Annika"), NOW + 2)
    lobby.ask(site, form(nonce="n2"), NOW + 3)
    assert len(mails(site, "confirm")) == 2


def test_confirming_opens_joins_invites_and_signs_in(site: Site) -> None:
    entered = opened(site)
    assert entered.match is not None
    first, joined = bodies(site, entered.match)
    assert isinstance(first, Open)
    assert isinstance(joined, Join)
    assert (first.serial, first.game, first.seats, first.level) == (1, "malawi", 2, "F1")
    assert (first.clock, first.heads, first.log) == (
        "none",
        site.keys.heads.vkey,
        site.keys.log.vkey,
    )
    assert first.pub is not None
    assert first.pub.n == 4096
    (mail,) = mails(site)
    assert (mail.kind, mail.address, mail.about.by) == ("invitation", BO, "Anna")
    with site.db.read() as conn:
        known = sessions.find_player(conn, entered.session, NOW)
        opener = matches.seats(conn, entered.match)[0]
    assert known is not None
    assert (known.name, known.address) == ("Anna", ANNA)
    assert (opener.name, opener.pid, opener.number) == ("Anna", joined.pid, None)


def test_a_code_is_the_start_of_the_id_and_nobody_elses(site: Site) -> None:
    for turn in range(5):
        opened(site, nonce=str(turn))
    with site.db.read() as conn:
        rows = conn.execute(sa.select(MATCH.c.id, MATCH.c.code)).all()
    assert len({code for _, code in rows}) == 5
    assert all(match.startswith("m_" + code) and len(code) == 4 for match, code in rows)


def test_a_taken_code_is_made_longer(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    first, genuine = opened(site).match, secrets.choice
    letters = iter(first[2:6] + "Z" * 12)
    monkeypatch.setattr(secrets, "choice", lambda some: next(letters, None) or genuine(some))
    second = opened(site, nonce="n2").match
    assert second == first[:6] + "Z" * 12
    with site.db.read() as conn:
        assert matches.find(conn, second).code == first[2:6] + "Z"


def test_confirming_twice_leads_to_the_same_match(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    (mail,) = mails(site)
    first = lobby.confirm(site, token(site, mail), NOW)
    again = lobby.confirm(site, token(site, mail).upper(), NOW + 10 * lobby.CONFIRM)
    assert again == Entered(None, first.match)
    assert size(site, MATCH) == 1


def test_confirming_at_once_opens_one_match(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    (mail,) = mails(site)
    entered = at_once([lambda: lobby.confirm(site, token(site, mail), NOW)] * 10)
    assert all(isinstance(one, Entered) for one in entered), entered
    assert sum(one.session is not None for one in entered) == 1  # type: ignore[attr-defined]
    assert len({one.match for one in entered}) == 1  # type: ignore[attr-defined]
    assert size(site, MATCH) == 1


def test_a_confirm_link_is_good_for_a_day(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    (mail,) = mails(site)
    with pytest.raises(SpentLink) as said:
        lobby.confirm(site, token(site, mail), NOW + lobby.CONFIRM)
    assert said.value.match is None
    assert size(site, MATCH) == 0


def test_what_the_form_said_is_forgotten_once_the_match_is_open(site: Site) -> None:
    opened(site)
    with site.db.read() as conn:
        assert conn.execute(sa.select(OPENING.c.form)).scalar() == ""


def test_a_form_that_nobody_confirms_is_forgotten_after_a_week(site: Site) -> None:
    lobby.ask(site, form(), NOW)

    def kept(now: int) -> bool:
        opening.forget(site, now)
        with site.db.read() as conn:
            return conn.execute(sa.select(OPENING.c.form)).scalar() != ""

    assert kept(NOW + opening.KEPT)
    assert not kept(NOW + opening.KEPT + 1)


def test_serials_count_without_gaps(site: Site) -> None:
    anna = player(site, opened(site, nonce="0"))

    def fail() -> None:
        with site.db.write() as conn:
            conn.execute(SERVICE.update().values(serial=SERVICE.c.serial + 1))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    forms = [form(nonce=str(n)) for n in range(1, 10)]
    at_once([partial(lobby.open_match, site, anna, each, NOW) for each in forms])
    with site.db.read() as conn:
        found = [json.loads(line)["serial"] for line in first_lines(conn)]
    assert sorted(found) == list(range(1, 11))


def first_lines(conn: sa.Connection) -> list[bytes]:
    return list(conn.execute(sa.select(RECORD.c.line).where(RECORD.c.n == 0)).scalars())


def test_with_a_session_a_match_is_open_at_once_and_once(site: Site) -> None:
    anna = player(site, opened(site))
    again = form(nonce="n2", address="ignored@example.org")
    match = lobby.open_match(site, anna, again, NOW)
    assert lobby.open_match(site, anna, again, NOW + 5) == match
    assert at_once([lambda: lobby.open_match(site, anna, again, NOW)] * 8) == [match] * 8
    assert size(site, MATCH) == 2
    with site.db.read() as conn:
        assert matches.seats(conn, match)[0].address == ANNA


def test_the_last_join_draws_the_seats_and_mails_the_first_turn(site: Site) -> None:
    match = started(site)
    start = bodies(site, match)[-1]
    assert isinstance(start, Start)
    with site.db.read() as conn:
        seats = matches.seats(conn, match)
    assert tuple(seat.pid for seat in seats) == start.seats
    assert [seat.number for seat in seats] == [1, 2]
    row = look(site, match).row
    assert (row.phase, row.mover, row.wait, row.n) == (Phase.RUNNING, 1, 3, 3)
    (mail,) = mails(site, "turn")
    assert mail.address == seats[0].address


def test_words_of_ones_own_are_the_entropy(site: Site) -> None:
    match = opened(site, words="  blauer Elefant ").match
    assert match is not None
    lobby.join(site, invitation(site), replace(BO_JOINS, words="ein Hut"), NOW)
    ents = [body.ent for body in bodies(site, match) if isinstance(body, Join)]
    assert ents == [chance.typed_words("blauer Elefant"), chance.typed_words("ein Hut")]


def test_without_words_the_service_makes_entropy(site: Site) -> None:
    ents = [
        body.ent
        for n in range(4)
        for body in bodies(site, opened(site, nonce=str(n)).match or "")
        if isinstance(body, Join)
    ]
    assert len(set(ents)) == 4


def test_joining_twice_changes_nothing(site: Site) -> None:
    match = opened(site).match
    link = invitation(site)
    first = lobby.join(site, link, BO_JOINS, NOW)
    again = lobby.join(site, link, replace(BO_JOINS, name=" bo "), NOW + 9)
    assert first.session is not None
    assert again == Entered(None, match)
    with pytest.raises(Taken):
        lobby.join(site, link, replace(BO_JOINS, name="Carla"), NOW + 9)
    assert count(site, match or "") == 4


def test_of_twenty_who_join_at_once_one_gets_the_seat(site: Site) -> None:
    match = opened(site).match
    link = invitation(site)
    names = [f"Bo {n}" for n in range(20)]
    answers = at_once(
        [
            lambda name=name: lobby.join(site, link, replace(BO_JOINS, name=name), NOW)
            for name in names
        ]  # type: ignore[misc]
    )
    kinds = sorted(type(answer).__name__ for answer in answers)
    assert kinds == ["Entered"] + ["Taken"] * 19
    with site.db.read() as conn:
        seats = matches.seats(conn, match or "")
    assert [seat.player is not None for seat in seats] == [True, True]
    assert count(site, match or "") == 4


def test_an_invitation_is_good_for_thirty_days_and_can_be_renewed(site: Site) -> None:
    match = opened(site).match
    link, later = invitation(site), NOW + lobby.INVITATION
    with pytest.raises(SpentLink):
        lobby.renew(site, link, NOW)
    with pytest.raises(SpentLink):
        lobby.join(site, link, BO_JOINS, later)
    lobby.renew(site, link, later)
    fresh = invitation(site, later)
    assert fresh != link
    assert lobby.join(site, fresh, BO_JOINS, later).match == match


def test_two_players_of_a_match_have_two_names(site: Site) -> None:
    opened(site)
    with pytest.raises(BadForm) as said:
        lobby.join(site, invitation(site), replace(BO_JOINS, name="anna"), NOW)
    assert [fault.name for fault in said.value.faults] == ["name"]


def test_declining_tells_the_opener_once(site: Site) -> None:
    match = opened(site).match
    link = invitation(site)
    assert lobby.decline(site, link, NOW) == lobby.decline(site, link, NOW + 1) == match
    (mail,) = mails(site)
    assert (mail.kind, mail.address, mail.about.by) == ("declined", ANNA, "Bo")
    with pytest.raises(SpentLink):
        lobby.join(site, link, BO_JOINS, NOW)
    assert count(site, match or "") == 2


def test_who_has_joined_cannot_decline(site: Site) -> None:
    opened(site)
    link = invitation(site)
    lobby.join(site, link, BO_JOINS, NOW)
    with pytest.raises(NotNow):
        lobby.decline(site, link, NOW)


def test_cancelling_voids_the_match_and_kills_its_invitations(site: Site) -> None:
    entered = opened(site)
    match, anna = entered.match or "", player(site, entered)
    link = invitation(site)
    unstarted.cancel(site, anna, match, NOW)
    unstarted.cancel(site, anna, match, NOW + 1)
    assert isinstance(bodies(site, match)[-2], Sys)
    row = look(site, match).row
    assert (row.phase, row.why) == (Phase.CLOSED, "void")
    (mail,) = mails(site)
    assert (mail.kind, mail.address, mail.about.by) == ("void", BO, "Anna")
    for spent in (
        lambda: lobby.join(site, link, BO_JOINS, NOW),
        lambda: lobby.decline(site, link, NOW),
        lambda: lobby.renew(site, link, NOW + lobby.INVITATION),
    ):
        with pytest.raises(SpentLink):
            spent()
    assert site.signer.last(match) == 4


def test_an_invitation_not_yet_sent_is_taken_back(site: Site) -> None:
    entered = opened(site)
    unstarted.cancel(site, player(site, entered), entered.match or "", NOW)
    assert [mail.kind for mail in mails(site)] == ["void"]


def test_only_the_opener_cancels_and_only_before_the_start(site: Site) -> None:
    anna = player(site, opened(site, nonce="other"))
    mails(site)
    match = opened(site).match or ""
    joined = lobby.join(site, invitation(site), BO_JOINS, NOW)
    for who in (player(site, joined), anna):
        with pytest.raises(NotNow):
            unstarted.cancel(site, who, match, NOW)
    assert count(site, match) == 4


def test_the_creator_never_sees_an_invited_players_link(site: Site) -> None:
    opened(site)
    with site.db.read() as conn:
        addresses = conn.execute(
            sa.select(OUTBOX.c.address)
            .join(LINK, LINK.c.id == OUTBOX.c.link)
            .where(LINK.c.purpose == "i")
        ).scalars()
        assert set(addresses) == {BO}


FAULTS: list[tuple[dict[str, object], str]] = [
    ({"name": ""}, "name"),
    ({"name": "  "}, "name"),
    ({"name": "x" * 41}, "name"),
    ({"name": "a\u202eb"}, "name"),
    ({"name": "a\x00b"}, "name"),
    ({"address": "anna"}, "address"),
    ({"address": "anna@"}, "address"),
    ({"address": "a b@example.org"}, "address"),
    ({"address": "anna@example.org\nBcc: x@example.org"}, "address"),
    ({"address": "bücher@example.org"}, "address"),
    ({"invited": (Invited("Bo", "bo"),)}, "invited-1-address"),
    ({"invited": (Invited("a\x07", BO),)}, "invited-1-name"),
    ({"invited": (Invited("Anna", ANNA.upper()),)}, "invited-1-address"),
    ({"invited": ()}, "options"),
    ({"game": "chess"}, "game"),
    ({"options": {"goal": "sleep"}}, "options"),
    ({"options": {"colour": "red"}}, "options"),
    ({"words": "x" * 201}, "words"),
]


@ON_SQLITE
@pytest.mark.parametrize(("changes", "where"), FAULTS)
def test_a_form_that_cannot_be_used_says_where_and_why(
    site: Site, changes: dict[str, object], where: str
) -> None:
    with pytest.raises(BadForm) as said:
        lobby.ask(site, form(**changes), NOW)
    assert [fault.name for fault in said.value.faults] == [where]
    assert str(said.value).endswith(".")
    assert mails(site) == []


@ON_SQLITE
def test_all_faults_of_a_form_are_found_at_once(site: Site) -> None:
    with pytest.raises(BadForm) as said:
        lobby.ask(site, form(name="", address="", words="x" * 999, game="x"), NOW)
    assert [fault.name for fault in said.value.faults] == ["name", "address", "words", "game"]


@ON_SQLITE
def test_an_address_abroad_is_kept_as_mail_carries_it(site: Site) -> None:
    match = opened(site, address="Anna@Bücher.example").match
    with site.db.read() as conn:
        assert matches.seats(conn, match or "")[0].address == "Anna@xn--bcher-kva.example"


@ON_SQLITE
def test_a_domain_that_only_this_machine_knows_will_do_without_a_relay(site: Site) -> None:
    assert opened(site, address="anna@tisch.test").match
    relayed = site.settings.model_copy(update={"smtp_host": "relay.example.org"})
    with closing(open_site(relayed)) as public, pytest.raises(BadForm):
        lobby.ask(public, form(nonce="n2", address="anna@tisch.test"), NOW)


def test_a_match_of_another_purpose_cannot_be_joined_by_its_token(site: Site) -> None:
    lobby.ask(site, form(), NOW)
    (mail,) = mails(site)
    with pytest.raises(BadLink):
        lobby.join(site, token(site, mail), BO_JOINS, NOW)
    with pytest.raises(BadLink):
        lobby.confirm(site, "a" * 26, NOW)


def test_a_name_of_any_language_is_kept(site: Site) -> None:
    match = opened(site, name="  Søren   Ñandú 👩‍💻 ").match
    with site.db.read() as conn:
        assert matches.seats(conn, match or "")[0].name == "Søren Ñandú 👩‍💻"


def test_acting_before_the_start_is_refused(site: Site) -> None:
    match = opened(site).match or ""
    with pytest.raises(NotNow):
        play.act(site, match=match, seat=1, act="resign", on=1, via="web", now=NOW)


@pytest.mark.parametrize("match", ["m_\0", "\0", "m_000000000000000\ud800", "m_" + "0" * 10_000])
def test_what_is_no_id_is_no_match(site: Site, match: str) -> None:
    with site.db.read() as conn, pytest.raises(NoMatch):
        matches.find(conn, match)
    with pytest.raises(NoMatch):
        records.export(site, match)
