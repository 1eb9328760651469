"""A position of Black Monday, its options, and how it begins. Ids such as B-20: rules.md, part 2.

Cards are written as `R9`; unseen ones are `?`. Colours count from 0 in the order R, B, P, Y.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from games.core.rules import Option, Options

HAND = 8
MONEY = 200
CAP = 12
"""The most shares of a colour that a purchase may lead to (B-41)."""
TWICE = 2
"""Price changes of a turn (B-30), purchases of a turn (B-40), rounds of passes (B-Q14)."""


class Bell(Enum):
    """Where the End card is."""

    ASIDE = "aside"
    INSIDE = "inside"
    """Somewhere in the talon."""
    DRAWN = "drawn"


class Block(Enum):
    """A phase of a turn (B-20)."""

    PRICE = "price"
    TRADE = "trade"


class Terms(NamedTuple):
    """What the options of a match come to."""

    courts: bool
    """May 11, 12 and 13 be bought as five shares (B-45)?"""
    bounded: bool
    """Does the window bound the 0 as well (B-Q5)?"""
    gratis: bool
    """May shares be bought at price 0 (B-Q7)?"""
    idle: bool
    """May a turn be passed (B-Q14)?"""
    resale: bool
    """May cards be sold in the turn in which they were bought (B-Q10)?"""
    eager: bool
    """Is the discard shuffled as soon as the talon is used up (B-Q15)?"""
    outplayed: bool
    """Is the round played to its end after the End card (B-Q17)?"""
    cash: bool
    """Does money decide between equal wealth (B-Q20)?"""


class Doing(NamedTuple):
    """What the seat to move has done in this turn."""

    blocks: tuple[Block, ...] = ()
    """The phases so far; the last one goes on."""
    changes: int = 0
    buys: int = 0
    fresh: tuple[str, ...] = ()
    """Cards bought and not sold since."""


NOTHING = Doing()


class State(NamedTuple):
    """A position of Black Monday. Before the chance of the set-up, prices and hands are ()."""

    terms: Terms
    seat: int
    """To move; after the end the one whose turn it was."""
    prices: tuple[int, ...]
    tops: tuple[str, ...]
    """The card on each price pile; it is 11, 12 or 13 where it was played as 0."""
    hands: tuple[tuple[str, ...], ...]
    shares: tuple[tuple[str, ...], ...]
    """The cards laid out; like hands in card order."""
    money: tuple[int, ...]
    talon: tuple[str, ...]
    """The head is drawn first."""
    discard: tuple[str, ...]
    bell: Bell = Bell.ASIDE
    shuffling: bool = False
    """Whether a refill waits for the new talon."""
    doing: Doing = NOTHING
    passes: int = 0
    """Turns passed in succession."""
    left: tuple[int, ...] = ()
    """Seats that left the match."""
    past: tuple[tuple[int, ...], ...] = ()
    """The prices when this turn, the one before it and the one before that began."""
    movers: tuple[int, int] = (0, 0)
    """Who had the turn before this one, and the one before that; 0 if nobody had."""
    end: str = ""
    """Why the match is over, or ""."""


OPTIONS = (
    Option("court-shares", ("off", "on"), lambda seats, options: "off"),
    Option("zero-bound", ("window", "free"), lambda seats, options: "window"),
    Option("buy-at-zero", ("no", "yes"), lambda seats, options: "no"),
    Option("pass", ("yes", "no"), lambda seats, options: "yes"),
    Option("round-trip", ("allow", "forbid"), lambda seats, options: "allow"),
    Option("reshuffle", ("eager", "lazy"), lambda seats, options: "eager"),
    Option("end-card", ("immediate", "round"), lambda seats, options: "immediate"),
    Option("tie", ("share", "cash"), lambda seats, options: "share"),
)


def setup(seats: int, options: Options) -> State:
    """Money for everybody (B-12); prices and hands come by chance."""
    terms = Terms(
        courts=options["court-shares"] == "on",
        bounded=options["zero-bound"] == "window",
        gratis=options["buy-at-zero"] == "yes",
        idle=options["pass"] == "yes",
        resale=options["round-trip"] == "allow",
        eager=options["reshuffle"] == "eager",
        outplayed=options["end-card"] == "round",
        cash=options["tie"] == "cash",
    )
    return State(terms, 1, (), (), (), ((),) * seats, (MONEY,) * seats, (), ())


def hand(state: State) -> tuple[str, ...]:
    """The cards of the seat to move; none before the deal."""
    return state.hands[state.seat - 1] if state.hands else ()


def laid(state: State) -> tuple[str, ...]:
    """The cards that the seat to move has laid out."""
    return state.shares[state.seat - 1]
