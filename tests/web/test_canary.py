"""No hidden card leaves the service for anybody who may not see it; after the end all lie open.

Two canaries that know nothing of each other. The first compares: what is sent of a match and of its
twin is the same, byte by byte, for everybody who cannot tell them apart. The second reads: a card
that somebody has never seen is named in nothing that they get.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from random import Random
from typing import NamedTuple, cast

import pytest
from flask import Flask
from structlog.testing import capture_logs

from games.chance import Stream
from games.core.drawing import Reader
from games.core.rules import BYSTANDER, OPEN, ToMove, Viewer
from games.log.record import Sys
from games.new import random_line
from games.position import Phase
from games.registry import drawing
from service import play, records, tale
from service.settings import PREFIX
from service.signing import sign
from tests.web.crawl import GETS, POSTS, UNRELATED, Scene, Sent, crawl, lookers, opened, walked
from tests.web.people import House, Pair, begin
from tests.web.spelling import spelled, unseen
from tests.web.twins import dealt_otherwise, twins, viewers


class Table(NamedTuple):
    """A match to be crawled, after so many turns."""

    game: str
    seats: int
    turns: int
    options: Mapping[str, str] = {}
    replays: int = 1
    """Of so many records before the newest."""
    twins: int = 1


TABLES = {
    "three at Black Monday": Table("black-monday", 3, 3, replays=100, twins=2),
    "six at Black Monday": Table("black-monday", 6, 3),
    "two at Monad": Table("monad", 2, 1),
    "two teams at Die 1. Million": Table(
        "monad", 4, 3, {"edition": "million", "team": "yes", "flip": "shuffle"}
    ),
}
GUESTS = ("Ben", "Carla", "Dora", "Emil", "Fay")


def test_every_route_is_crawled_or_says_why_not(app: Flask) -> None:
    known = {*GETS, *POSTS, *UNRELATED} - {""}
    assert {rule.endpoint for rule in app.url_map.iter_rules()} == known
    for rule in app.url_map.iter_rules():
        methods = rule.methods or set()
        if rule.endpoint not in UNRELATED:
            assert ("GET" in methods) == (rule.endpoint in GETS)
            assert ("POST" in methods) == (rule.endpoint in POSTS)


@pytest.mark.parametrize("name", TABLES)
def test_nobody_gets_a_card_that_they_may_not_see(
    name: str, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as written:
        scene = played(TABLES[name], house)
        sent = crawl(scene)
    everybody = frozenset({BYSTANDER})
    sent["what the processes write down"] = Sent(everybody, f"{written} {caplog.text}".encode())
    assert written
    looked_through(scene, sent)
    compared(scene, sent, TABLES[name].twins)
    while walked(scene.pair)[-1][1].phase is Phase.RUNNING:
        resign(scene.pair)
    laid_open(scene)


def test_the_command_gives_no_more_of_a_running_match_than_its_page(house: House) -> None:
    pair = begin(house, game="black-monday")
    command = [sys.executable, "-m", "service.cli", "export", pair.match]
    env = {**os.environ, f"{PREFIX}DATA": str(house.site.settings.data)}
    exported = subprocess.run(command, env=env, capture_output=True, check=True)
    assert exported.stdout == house.visitor().get(f"/m/{pair.match}.mlog").data
    assert exported.stderr == b""


@pytest.mark.parametrize("name", ["three at Black Monday", "two at Monad"])
def test_a_card_that_gets_out_is_noticed(name: str, house: House) -> None:
    scene = played(TABLES[name]._replace(turns=1), house)
    game, dark = scene.position.opened.game, unseen(scene.passed, BYSTANDER)
    leaks = drawn(scene, uncovered=True)
    assert all(spelled(game, leak.encode(), dark) for leak in leaks)
    seen = len(viewers(scene.position))
    found = twins(house.site, scene.passed, Random(1), 1)
    twin = next(one for one in found if BYSTANDER in one.blind and len(one.blind) < seen)
    with dealt_otherwise(house.site, scene.passed, twin):
        other = Scene(scene.pair, scene.lookers)
        assert drawn(other, uncovered=False) == drawn(scene, uncovered=False)
        assert all(one != two for one, two in zip(drawn(other, uncovered=True), leaks, strict=True))


def drawn(scene: Scene, *, uncovered: bool) -> tuple[str, str]:
    """Picture and text for a bystander, as they are and as they would be after the end."""
    position = scene.position
    viewer = OPEN if uncovered else BYSTANDER
    reader, draw = Reader("en", tuple("ABCDEF"), viewer), drawing(position.opened.game)
    view = tale.view(position, viewer)
    return draw.svg(view, reader), draw.text(view, reader)


def played(table: Table, house: House) -> Scene:
    """A match in which one has resigned and one has run out of time, where enough are left; and
    somebody has asked for their link."""
    pair = begin(house, game=table.game, guests=GUESTS[: table.seats - 1], **table.options)
    outsider = house.visitor()
    outsider.start("Zoe", "yan@example.org")
    outsider.send(house.link("zoe@example.org", "a"), answer="yes")
    for turn in range(table.turns):
        move(pair, turn)
    if table.seats > 2:
        resign(pair)
    if table.seats > 3:
        run_out_of_time(pair)
    house.visitor().send(f"/m/{pair.match}/link", address=pair.seats[0])
    newest = len(walked(pair)) - 1
    stops = tuple(range(max(0, newest - table.replays), newest + 1))
    return Scene(pair, lookers(pair, outsider), stops)


def compared(scene: Scene, sent: Mapping[str, Sent], many: int) -> None:
    """What is sent of a match is sent of its twins, to everybody from whom the difference is
    hidden; and those who may see it do."""
    house, passed = scene.pair.house, scene.passed
    before, hidden, shown = kept(house), set[Viewer](), set[str]()
    for twin in twins(house.site, passed, Random(len(passed)), many):
        with dealt_otherwise(house.site, passed, twin):
            other = crawl(scene, twin.blind)
            pages = {looker.name: opened(scene, looker) for looker in scene.lookers}
        shown |= {
            name for name, page in pages.items() if page != sent[f"{name} opens {scene.here}"]
        }
        hidden |= twin.blind
        for name, theirs in other.items():
            assert theirs == sent[name], (name, unlike(theirs, sent[name]))
    assert kept(house) == before
    assert shown
    assert BYSTANDER in hidden
    if many > 1:
        assert hidden == set(viewers(scene.position))


def unlike(one: Sent, other: Sent) -> list[str]:
    """The lines that are in only one of two answers."""
    ours, theirs = (set(sent.data.decode(errors="replace").splitlines()) for sent in (one, other))
    return sorted(ours ^ theirs)


def kept(house: House) -> dict[str, list[tuple[object, ...]]]:
    """The tables that looking leaves alone; how often programs ask is counted."""
    return {name: rows for name, rows in house.dump().items() if name != "quota"}


def looked_through(scene: Scene, sent: Mapping[str, Sent]) -> None:
    """A card of which somebody has seen no copy is named in nothing that they get."""
    game = scene.position.opened.game
    dark = {viewer: unseen(scene.passed, viewer) for viewer in viewers(scene.position)}
    if game == "black-monday":
        assert all(dark.values())
    for name, one in sent.items():
        typed = set(re.findall(r"\w+", name))
        cards = frozenset.intersection(*(dark[viewer] for viewer in one.sees)) - typed
        assert spelled(game, one.data, cards) == [], name


def laid_open(scene: Scene) -> None:
    """After the end everybody sees what lay in every hand, at every record since the deal."""
    over = Scene(scene.pair, scene.lookers)
    rules, game = over.position.rules, over.position.opened.game
    assert over.position.phase is Phase.CLOSED
    for at, (_, after) in enumerate(over.passed):
        table = rules.final(after.state) if after.state else {}
        hands = cast(dict[str, list[str]], table.get("hands", {}))
        cards = frozenset(card for hand in hands.values() for card in hand)
        client = over.lookers[at % len(over.lookers)].visitor.client
        page = client.get(f"{over.here}/replay?at={at}")
        assert set(spelled(game, page.data, cards)) == cards


def move(pair: Pair, turn: int) -> None:
    """Whoever is to move plays something."""
    position, seat = walked(pair)[-1][1], mover(pair)
    known = position.rules.known(position.state, seat)
    play.submit(
        pair.house.site,
        match=pair.match,
        seat=seat,
        line=random_line(Stream(turn.to_bytes(32, "big")), position.rules, known, seat),
        wait=position.wait,
        on=position.n - 1,
        via="web",
        now=int(time.time()),
    )


def mover(pair: Pair) -> int:
    """The seat to move."""
    turn = walked(pair)[-1][1].turn
    assert isinstance(turn, ToMove)
    return turn.seat


def resign(pair: Pair) -> None:
    """Whoever is to move resigns."""
    site, on, now = pair.house.site, len(walked(pair)) - 1, int(time.time())
    play.act(site, match=pair.match, seat=mover(pair), act="resign", on=on, via="web", now=now)


def run_out_of_time(pair: Pair) -> None:
    """Whoever is to move has thought for too long."""
    site, out = pair.house.site, Sys("timeout", play.TIME_OVER, mover(pair))
    with site.db.write() as conn:
        position = records.position(site, conn, pair.match)
        play.extend(site, conn, position, [out], int(time.time()))
    sign(site, pair.match)
