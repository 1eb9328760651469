"""A position of Black Monday, its options, and how it begins.

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


class Lot(Enum):
    """What is waited for from chance."""

    PRICES = "prices"
    DEAL = "deal"
    TALON = "talon"
    """A new one, in the middle of a refill or at its end."""
    NOTHING = "nothing"


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


class Pile(NamedTuple):
    """The price pile of a colour."""

    price: int
    card: str
    """On top; it is 11, 12 or 13 where it was played as 0."""


class Holding(NamedTuple):
    """What a seat has; cards in card order."""

    hand: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    """The cards laid out."""
    money: int = MONEY


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
    """A position of Black Monday."""

    terms: Terms
    seat: int
    """To move; after the end the one whose turn it was."""
    piles: tuple[Pile, ...]
    """By colour; () before the start prices are drawn."""
    holdings: tuple[Holding, ...]
    """By seat, seat 1 first."""
    talon: tuple[str, ...]
    """The head is drawn first."""
    discard: tuple[str, ...]
    bell: Bell
    lot: Lot
    doing: Doing
    passes: int
    """Turns passed in succession."""
    left: tuple[int, ...]
    """Seats that left the match."""
    past: tuple[tuple[Pile, ...], ...]
    """The piles when this turn, the one before it and the one before that began."""
    movers: tuple[int, int]
    """Who had the turn before this one, and the one before that; 0 if nobody had."""
    end: str
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
    return State(
        terms=terms,
        seat=1,
        piles=(),
        holdings=(Holding(),) * seats,
        talon=(),
        discard=(),
        bell=Bell.ASIDE,
        lot=Lot.PRICES,
        doing=NOTHING,
        passes=0,
        left=(),
        past=(),
        movers=(0, 0),
        end="",
    )


def own(state: State) -> Holding:
    """What the seat to move has."""
    return state.holdings[state.seat - 1]


def owning(state: State, holding: Holding) -> tuple[Holding, ...]:
    """What all seats have if the one to move has this."""
    place = state.seat - 1
    return (*state.holdings[:place], holding, *state.holdings[place + 1 :])
