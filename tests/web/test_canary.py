"""No hidden card leaves the service for anybody who may not see it; after the end all lie open.

Two canaries that know nothing of each other. The first compares: what is sent of a match and of its
twin is the same, byte by byte, for everybody who cannot tell them apart. The second reads: a card
that somebody has never seen is named in nothing that they get.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Mapping
from random import Random

import pytest
from click.testing import CliRunner
from flask import Flask

from games.chance import Stream
from games.core.drawing import Reader
from games.core.rules import BYSTANDER, OPEN, ToMove, Viewer
from games.log.record import Sys
from games.new import random_line
from games.position import Phase
from games.registry import drawing
from service import cli, journal, play, records
from service.mail.transport import Maildir
from service.signing import sign
from service.worker import post
from tests.web.crawl import GETS, POSTS, UNRELATED, Scene, Sent, crawl, lookers, opened, walked
from tests.web.people import House, Pair, begin
from tests.web.spelling import spelled, unseen
from tests.web.twins import dealt_otherwise, twins, viewers

TABLES: Mapping[str, tuple[str, int, dict[str, str], int]] = {
    "three at Black Monday": ("black-monday", 3, {}, 5),
    "six at Black Monday": ("black-monday", 6, {}, 7),
    "two at Monad": ("monad", 2, {}, 1),
    "three at Monad": ("monad", 3, {"flip": "shuffle"}, 2),
    "two teams at Die 1. Million": ("monad", 4, {"edition": "million", "team": "yes"}, 3),
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
def test_nobody_gets_a_card_that_they_may_not_see(name: str, house: House) -> None:
    game, seats, options, turns = TABLES[name]
    pair = begin(house, game=game, guests=GUESTS[: seats - 1], **options)
    outsider = house.visitor()
    outsider.start("Zoe", "yan@example.org")
    outsider.send(house.link("zoe@example.org", "a"), answer="yes")
    for turn in range(turns):
        move(pair, turn)
    if seats > 2:
        resign(pair, mover(pair))
    if seats == 6:
        run_out_of_time(pair, mover(pair))
    scene = Scene(pair, lookers(pair, house, outsider))
    sent = crawl(scene)
    compared(scene, sent)
    looked_through(scene, sent)
    finish(pair)
    laid_open(scene)


def compared(scene: Scene, sent: Mapping[str, Sent]) -> None:
    """What is sent of a match is sent of its twins, to everybody from whom the difference is
    hidden; and those who may see it do."""
    house, passed = scene.pair.house, scene.passed
    before, hidden, shown = house.dump(), set[Viewer](), set[str]()
    for twin in twins(house.site, passed, Random(len(passed)), most=2):
        with dealt_otherwise(house.site, passed, twin):
            other = crawl(scene, twin.blind)
            pages = {looker.name: opened(scene, looker) for looker in scene.lookers}
        shown |= {name for name, page in pages.items() if page != sent[f"{name} opens {scene.here}"]}
        hidden |= twin.blind
        for name, theirs in other.items():
            assert theirs == sent[name], name
    assert house.dump() == before
    assert shown
    assert BYSTANDER in hidden
    if scene.position.opened.game == "black-monday":
        assert hidden == set(viewers(scene.position))


def looked_through(scene: Scene, sent: Mapping[str, Sent]) -> None:
    """A card of which somebody has seen no copy is named in nothing that they get."""
    game = scene.position.opened.game
    dark = {viewer: unseen(scene.passed, viewer) for viewer in viewers(scene.position)}
    if game == "black-monday":
        assert all(dark.values())
    for name, one in sent.items():
        cards = frozenset.intersection(*(dark[viewer] for viewer in one.sees))
        assert spelled(game, one.data, cards) == [], name


def laid_open(scene: Scene) -> None:
    """After the end everybody sees what lay in every hand, at every record since the deal."""
    over = Scene(scene.pair, scene.lookers)
    rules, game = over.position.rules, over.position.opened.game
    assert over.position.phase is Phase.CLOSED
    for at, (_, after) in enumerate(over.passed):
        hands = rules.final(after.state).get("hands", {}) if after.state else {}
        assert isinstance(hands, dict)
        cards = frozenset(card for hand in hands.values() for card in hand)
        page = over.lookers[at % len(over.lookers)].visitor.client.get(f"{over.here}/replay?at={at}")
        assert set(spelled(game, page.data, cards)) == cards


def move(pair: Pair, turn: int) -> None:
    """Whoever is to move plays something."""
    position = walked(pair)[-1][1]
    seat = mover(pair)
    known = position.rules.known(position.state, seat)
    line = random_line(Stream(turn.to_bytes(32, "big")), position.rules, known, seat)
    wait, on = position.wait, position.n - 1
    play.submit(
        pair.house.site,
        match=pair.match,
        seat=seat,
        line=line,
        wait=wait,
        on=on,
        via="web",
        now=int(time.time()),
    )


def mover(pair: Pair) -> int:
    """The seat to move."""
    turn = walked(pair)[-1][1].turn
    assert isinstance(turn, ToMove)
    return turn.seat


def resign(pair: Pair, seat: int) -> None:
    site, on, now = pair.house.site, len(walked(pair)) - 1, int(time.time())
    play.act(site, match=pair.match, seat=seat, act="resign", on=on, via="web", now=now)


def run_out_of_time(pair: Pair, seat: int) -> None:
    site = pair.house.site
    with site.db.write() as conn:
        position = records.position(site, conn, pair.match)
        out = Sys("timeout", play.TIME_OVER, seat)
        play.extend(site, conn, position, [out], int(time.time()))
    sign(site, pair.match)


def finish(pair: Pair) -> None:
    """All resign but the last."""
    while walked(pair)[-1][1].phase is Phase.RUNNING:
        resign(pair, mover(pair))
