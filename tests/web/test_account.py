"""The account: who somebody is, where, on which devices; taken home, moved, and deleted."""

from __future__ import annotations

import io
import json
import re
from zipfile import ZipFile

import pytest
import sqlalchemy as sa
from werkzeug.test import TestResponse

from games.verify import verify
from service import records
from service.models import PLAYER, SEAT, SESSION
from service.policy import policy_for
from tests.web.people import ADA, BEN, FIELD, GAME, House, Pair, Visitor, begin

NEW = "ada@elsewhere.example"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def test_name_language_and_zone_are_the_players_own(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    values = {"name": "Ada L.", "language": "de", "zone": "Asia/Tokyo"}
    sent = change(ada, "person", **values)
    assert sent.status_code == 303
    page = ada.get(sent.headers["Location"]).text
    assert '<p class="news" role="status">Gespeichert.</p>' in page
    assert '<html lang="de">' in page
    assert 'value="Ada L."' in page
    assert "<option selected>Asia/Tokyo</option>" in page
    with house.site.db.read() as conn:
        seated = conn.execute(sa.select(SEAT.c.name).where(SEAT.c.address == ADA)).scalar()
    assert seated == "Ada"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "", "language": "en", "zone": "UTC"}, "Please give a name."),
        ({"name": "House", "language": "en", "zone": "UTC"}, "The house player is called so."),
        ({"name": "Ada", "language": "fr", "zone": "UTC"}, "one of these languages"),
        ({"name": "Ada", "language": "en", "zone": "../etc/passwd"}, "one of these time zones"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field_and_kept_there(
    house: House, values: dict[str, str], words: str
) -> None:
    ada = begin(house).players[ADA]
    answer = change(ada, "person", **values)
    assert answer.status_code == 422
    assert words in answer.text
    assert f'name="name" value="{values["name"]}"' in answer.text
    assert 'value="Ada"' in ada.get("/account").text


@pytest.mark.parametrize("first", [ADA, NEW])
def test_an_address_changes_when_both_have_said_yes(house: House, first: str) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    assert change(ada, "address", address=NEW).status_code == 200
    second = NEW if first == ADA else ADA
    links = {address: house.link(address, "c") for address in (first, second)}
    assert "One yes of two" in house.visitor().send(links[first], answer="yes").text
    assert address_of(house) == ADA
    assert "One yes of two" in house.visitor().get(links[first]).text
    again = house.visitor()
    csrf = dict(FIELD.findall(again.get("/verify").text))
    assert again.submit(links[first], csrf | {"answer": "yes"}).status_code == 200
    assert address_of(house) == ADA
    assert "has changed" in house.visitor().send(links[second], answer="yes").text
    assert address_of(house) == NEW
    assert "has changed" in house.visitor().get(links[first]).text
    assert "your address already" in change(ada, "address", address=NEW).text
    assert ada.get(f"/m/{pair.match}").status_code == 200
    pair.play(*(GAME[:2] if pair.mover == ADA else GAME[:1]))
    assert house.link(NEW).startswith("/t/")


def test_a_link_of_a_change_does_nothing_by_itself(house: House) -> None:
    pair = begin(house)
    change(pair.players[ADA], "address", address=NEW)
    change(pair.players[BEN], "delete")
    links = [house.link(NEW, "c"), house.link(ADA, "c"), house.link(BEN, "c")]
    before = house.dump()
    for link in links:
        visitor = house.visitor()
        assert visitor.get(link).status_code == 200
        assert visitor.send(link).status_code == 422
        assert "Nothing was done" in visitor.send(link, answer="no").text
    assert house.dump() == before


def test_the_newest_change_counts_and_an_address_has_one_player(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    change(ada, "address", address="ada@old.example")
    old = house.link(ADA, "c")
    change(ada, "address", address=BEN)
    assert house.visitor().get(old).status_code == 404
    house.visitor().send(house.link(ADA, "c"), answer="yes")
    taken = house.visitor().send(house.link(BEN, "c"), answer="yes")
    assert taken.status_code == 409
    assert "with this address already" in taken.text
    assert address_of(house) == ADA
    assert change(ada, "address", address="nobody").status_code == 422


def test_devices_are_listed_and_ended(house: House) -> None:
    pair = begin(house)
    ada, other = pair.players[ADA], house.visitor()
    other.client.environ_base["HTTP_USER_AGENT"] = FIREFOX
    other.send("/matches", address=ADA)
    other.send(house.link(ADA, "a"), answer="yes")
    page = ada.get("/account").text
    assert "Firefox, Linux" in page
    assert "A browser" in page
    session = re.search(r'name="which" value="(\d+)"', page)
    assert session is not None
    ben = pair.players[BEN]
    assert change(ben, "devices", which=session[1]).status_code == 303
    assert "My devices" in other.get("/account").text
    assert change(ada, "devices", which=session[1]).status_code == 303
    assert "My devices" not in other.get("/account").text
    assert "My devices" in ada.get("/account").text


def test_all_other_devices_are_signed_out_at_once(house: House) -> None:
    pair = begin(house)
    pair.play(*GAME[:2])
    others = [house.visitor() for _ in range(2)]
    house.visitor().send("/matches", address=ADA)
    link = house.link(ADA, "a")
    assert others[0].send(link, answer="yes").status_code == 303
    ada = pair.players[ADA]
    change(ada, "devices", which="others")
    assert "My devices" not in others[0].get("/account").text
    with house.site.db.read() as conn:
        assert len(conn.execute(sa.select(SESSION).where(SESSION.c.player == 1)).all()) == 1
    assert "My devices" in ada.get("/account").text
    assert "My devices" in pair.players[BEN].get("/account").text


def test_all_own_data_comes_in_one_file_and_nobody_elses(house: House) -> None:
    pair = begin(house)
    pair.play(*GAME)
    ada = pair.players[ADA]
    ada.send(f"/m/{pair.match}/messages", text="Well played!")
    ada.submit(f"/m/{pair.match}/note", csrf(ada) | {"text": "Open on the left."})
    pair.players[BEN].send(f"/m/{pair.match}/messages", text="Thank you.")
    answer = ada.get("/account/data.zip")
    with ZipFile(io.BytesIO(answer.data)) as found:
        assert found.namelist() == ["account.json", f"logs/{pair.match}.mlog"]
        told = json.loads(found.read("account.json"))
        log = found.read(f"logs/{pair.match}.mlog")
    assert verify(log, policy_for(house.site, log)).ok
    assert told["player"]["address"] == ADA
    assert [one["text"] for one in told["messages"]] == ["Well played!"]
    assert [one["text"] for one in told["notes"]] == ["Open on the left."]
    assert [one["match"] for one in told["matches"]] == [pair.match]
    assert BEN not in json.dumps(told)
    assert house.visitor().get("/account/data.zip").status_code == 403


def test_a_deleted_account_leaves_logs_that_verify_and_nothing_else(house: House) -> None:
    over = begin(house)
    over.play(*GAME)
    running = begin(house)
    running.play(*GAME[:1])
    ada, ben = running.players[ADA], running.players[BEN]
    ada.start("Ada", "cleo@example.org")
    ada.send(f"/m/{over.match}/messages", text="Well played, dear Ben!")
    ben.send(f"/m/{over.match}/messages", text="Thank you.")
    change(ada, "delete")
    link = house.link(ADA, "c")
    shown = house.visitor().get(link).text
    assert shown.index('value="no"') < shown.index('value="yes"'), "what lynx chooses by itself"
    assert shown.count("– resigned<") == 1
    assert shown.count("– called off<") == 1
    assert re.search("is deleted(?!.*Sign out)", ada.send(link, answer="yes").text, re.DOTALL)
    again = house.visitor().get(link)
    assert again.status_code == 410
    assert "that is done: nothing here knows you any more" in again.text
    assert "My devices" not in ada.get("/account").text
    left = repr({name: rows for name, rows in house.dump().items() if name != "outbox"})
    assert ADA not in left
    assert "Well played" not in left
    for pair in (over, running):
        goes_on_without_her(pair, ben)
    assert len([one for one in house.letters(ADA) if "won" in one.text]) <= 1
    assert "Ben" in ben.get(f"/m/{running.match}").text
    for page in ("/matches", "/archive", "/lobby"):
        assert ben.get(page).status_code == 200


def goes_on_without_her(pair: Pair, ben: Visitor) -> None:
    """A match can be looked at and its log verified, and her name is gone."""
    site = pair.house.site
    log = records.export(site, pair.match)
    assert verify(log, policy_for(site, log)).ok
    page = ben.get(f"/m/{pair.match}").text
    assert "deleted player" in page
    assert "Ada" not in page
    for path in ("/replay", "/messages", "/turns"):
        assert ben.get(f"/m/{pair.match}{path}").status_code == 200


def test_whoever_comes_back_is_somebody_new(house: House) -> None:
    pair = begin(house)
    change(pair.players[ADA], "delete")
    house.visitor().send(house.link(ADA, "c"), answer="yes")
    again = begin(house)
    assert again.players[ADA].get(f"/m/{pair.match}").status_code == 200
    with house.site.db.read() as conn:
        hers = conn.execute(sa.select(SEAT.c.match).where(SEAT.c.address == ADA))
        assert hers.scalars().all() == [again.match]


def test_three_play_on_without_one_who_is_gone(house: House) -> None:
    pair = begin(house, game="monad", guests=("Ben", "Cleo"))
    gone = pair.mover
    change(pair.players[gone], "delete")
    link = house.link(gone, "c")
    house.visitor().send(link, answer="yes")
    stays = next(address for address in pair.players if address != gone)
    page = pair.players[stays].get(f"/m/{pair.match}").text
    assert "deleted player" in page
    assert house.link(pair.mover).startswith("/t/")


def change(visitor: Visitor, what: str, **values: str) -> TestResponse:
    """Sends a form of the account."""
    return visitor.submit(f"/account/{what}", csrf(visitor) | values)


def csrf(visitor: Visitor) -> dict[str, str]:
    found = re.search(r'name="csrf_token" value="([^"]*)"', visitor.client.get("/verify").text)
    assert found is not None
    return {"csrf_token": found[1]}


def address_of(house: House, player: int = 1) -> str:
    with house.site.db.read() as conn:
        found = conn.execute(sa.select(PLAYER.c.address).where(PLAYER.c.id == player))
        return str(found.scalar_one())
