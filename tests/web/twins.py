"""The same match with its hidden cards lying otherwise, and who cannot tell the difference.

A match is its records, and those of a running one do not say what was dealt. So its rules are
handed in with two cards of a deal exchanged; then the service makes everything anew from the same
database. What a seat may see is judged by the canonical final state, not by `view` or `known`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import pairwise
from random import Random
from typing import Any

from games import replay
from games.core.rules import BYSTANDER, Chance, Outcome, Request, Shuffle, Viewer
from games.log.errors import BadLog
from games.log.record import Deal, Move, Record
from games.position import Position
from games.registry import AnyRules, AnyState
from service import records
from service.cache import Cache
from service.site import Site

TRIES = 150
Passed = Sequence[tuple[Record, Position]]


@dataclass(frozen=True)
class Twin:
    """The deal whose outcome is another, the places of the two cards, and who cannot tell."""

    asked: Request
    places: tuple[int, int]
    blind: frozenset[Viewer]


def twins(site: Site, passed: Passed, random: Random, most: int) -> list[Twin]:
    """Some twins that together hide from, and show to, as many viewers as there are."""
    able, chosen = list(_tried(site, passed, random)), list[Twin]()
    told: set[tuple[Viewer, bool]] = set()
    while able and len(chosen) < most:
        best = max(able, key=lambda twin: _worth(twin, passed, told))
        if _told(best, passed) <= told:
            break
        chosen.append(best)
        told |= _told(best, passed)
    return chosen


def _worth(twin: Twin, passed: Passed, told: set[tuple[Viewer, bool]]) -> tuple[int, bool, int]:
    """How much a twin tests that others do not; of equal ones such as somebody may notice."""
    new = _told(twin, passed) - told
    return len(new), len(twin.blind) < len(viewers(passed[-1][1])), len(twin.blind)


def _told(twin: Twin, passed: Passed) -> set[tuple[Viewer, bool]]:
    return {(viewer, viewer in twin.blind) for viewer in viewers(passed[-1][1])}


def _tried(site: Site, passed: Passed, random: Random) -> Iterator[Twin]:
    deals = [before.turn.request for before, _ in _deals(passed)]
    hidden = _elements(site, passed)
    for _ in range(TRIES if deals else 0):
        asked = random.choice(deals)
        one, other = random.sample(range(len(asked.ids)), 2)
        twin = _twin(passed, hidden, asked, (one, other))
        if twin is not None and twin.blind:
            yield twin


def viewers(position: Position) -> tuple[Viewer, ...]:
    """A bystander and every seat."""
    return (BYSTANDER, *range(1, position.opened.seats + 1))


def _deals(passed: Passed) -> Iterator[tuple[Any, Record]]:
    for (_, before), (record, _after) in pairwise(passed):
        if isinstance(record.body, Deal):
            yield before, record


def _elements(site: Site, passed: Passed) -> Mapping[int, bytes]:
    with site.db.read() as conn:
        return dict(enumerate(records.chains(site, conn, passed[0][1].m).hid.elements))


def _twin(
    passed: Passed, hidden: Mapping[int, bytes], asked: Request, places: tuple[int, int]
) -> Twin | None:
    """The twin, if the records can be of it and it is another match at all."""
    try:
        with handed_in(passed[0][1], asked, places):
            other = list(_followed(passed, hidden))
    except BadLog:
        return None
    pairs = [(record, one, two) for (record, one), two in zip(passed, other, strict=True)]
    if all(one.state == two.state for _, one, two in pairs):
        return None
    blind = (
        viewer
        for viewer in viewers(passed[-1][1])
        if all(seen(record, one, viewer) == seen(record, two, viewer) for record, one, two in pairs)
    )
    return Twin(asked, places, frozenset(blind))


def _followed(passed: Passed, hidden: Mapping[int, bytes]) -> Iterator[Position]:
    at = replay.begin(passed[0][0])
    yield at
    for record, _ in passed[1:]:
        at = replay.follow(at, record, hidden, signatures=False)
        yield at


def seen(record: Record, position: Position, viewer: Viewer) -> object:
    """What a viewer may see after a record, by the canonical state."""
    state = position.state
    if state is None:
        return None
    table = dict(position.rules.final(state))
    if not table:
        return None
    hands: Any = table["hands"]
    table["hands"] = {
        name: hand if name == f"s{viewer}" or name == laid_open(record, table) else len(hand)
        for name, hand in hands.items()
    }
    table |= {name: len(cards) for name, cards in veiled(position, table)}
    return table


def veiled(position: Position, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The piles whose order nobody sees."""
    if "talon" in table:
        yield "talon", table["talon"]
    if dict(position.opened.options).get("flip") == "shuffle":
        yield "stock", table["stock"]


def laid_open(record: Record, table: Mapping[str, Any]) -> str:
    """Whose hand everybody is shown: in Monad, of a seat that can do nothing (M-34)."""
    body = record.body
    passed = isinstance(body, Move) and body.mv == "pass" and "stock" in table
    return f"s{body.seat}" if passed and isinstance(body, Move) else ""


@contextmanager
def handed_in(first: Position, asked: Request, places: tuple[int, int]) -> Iterator[None]:
    """The game of a match with another outcome of one deal, for as long as this lasts."""
    opened = first.opened
    versions = import_module(f"games.{opened.game.replace('-', '_')}").VERSIONS
    rules: AnyRules = versions[opened.version]

    def dealt(state: AnyState, outcome: Outcome) -> AnyState:
        turn = rules.turn(state)
        if isinstance(turn, Chance) and (turn.chain, turn.request) == ("hid", asked):
            outcome = exchanged(outcome, places)
        return rules.apply_chance(state, outcome)

    versions[opened.version] = replace(rules, apply_chance=dealt)
    try:
        yield
    finally:
        versions[opened.version] = rules


def exchanged(outcome: Outcome, places: tuple[int, int]) -> Outcome:
    """The cards with two of them in each other's place."""
    one, other = places
    cards = [str(card) for card in outcome]
    cards[one], cards[other] = cards[other], cards[one]
    return tuple(cards)


@contextmanager
def dealt_otherwise(site: Site, passed: Passed, twin: Twin) -> Iterator[None]:
    """The service makes everything of the twin, as long as this lasts."""
    assert isinstance(twin.asked, Shuffle)
    forget(site)
    with handed_in(passed[0][1], twin.asked, twin.places):
        yield
    forget(site)


def forget(site: Site) -> None:
    """Empties every cache of the service: the next answer is made from the records."""
    site.positions.clear()
    ours = [module for name, module in sys.modules.items() if name.startswith("service.")]
    for value in (value for module in ours for value in vars(module).values()):
        if isinstance(value, Cache):
            value.clear()
