"""Positions of Black Monday by hand, for the tests."""

from __future__ import annotations

from random import Random

from games.black_monday.cards import COLOURS, DECK, ordered
from games.black_monday.state import MONEY, Bell, Holding, Lot, Pile, State
from games.black_monday.v1 import RULES
from games.core import line
from games.core.rules import Chance, Dice, ToMove, complete

FILLER = ("R1 R2 R3 R4 B1 B2 B3 B4", "P1 P2 P3 P4 Y1 Y2 Y3 Y4", "B5 B6 P5 P6 P7 Y5 Y6 Y7")


def start(seats: int = 3, **options: str) -> State:
    """The match before any chance; options with an underscore for the hyphen, `pass_` for pass."""
    given = {name.replace("_", "-").strip("-"): value for name, value in options.items()}
    return RULES.setup(seats, complete(RULES, seats, given))


def dealt(seats: int = 3, seed: int = 1, **options: str) -> State:
    """The first position of a match whose cards fall by a seed."""
    return shuffled(start(seats, **options), Random(seed))


def shuffled(state: State, random: Random) -> State:
    """The position after the chance that the rules ask for."""
    while isinstance(turn := RULES.turn(state), Chance):
        if isinstance(turn.request, Dice):
            state = RULES.apply_chance(state, tuple(random.randint(1, 20) for _ in "RBPY"))
        else:
            ids = turn.request.ids
            state = RULES.apply_chance(state, tuple(random.sample(ids, len(ids))))
    return state


def place(
    prices: str,
    *hands: str,
    shares: tuple[str, ...] = (),
    money: tuple[int, ...] = (),
    talon: str = "",
    discard: str = "",
    inside: bool = False,
    **options: str,
) -> State:
    """A position from prices such as `6 9 3 11` and hands such as `R7 B4`; seat 1 is to move.

    Hands that are not given, and a talon that is not, are filled with low cards.
    """
    seats = max(len(hands), len(shares), 2)
    state = start(seats, **options)
    piles = tuple(
        Pile(int(price), f"{letter}{price if price != '0' else 12}")
        for letter, price in zip(COLOURS, prices.split(), strict=True)
    )
    full = (*hands, *FILLER[len(hands) : seats])
    laid, coins = (*shares, *("",) * seats), (*money, *(MONEY,) * seats)
    return state._replace(
        piles=piles,
        past=(piles,) * 3,
        holdings=tuple(
            Holding(ordered(hand.split()), ordered(cards.split()), coin)
            for hand, cards, coin in zip(full, laid, coins, strict=False)
        ),
        talon=tuple(talon.split() or DECK[:60]),
        discard=tuple(discard.split()),
        bell=Bell.INSIDE if inside else Bell.ASIDE,
        lot=Lot.NOTHING,
    )


def after(state: State, text: str) -> State:
    """The position after a turn line of the seat to move, all of it legal."""
    turn = RULES.turn(state)
    assert isinstance(turn, ToMove)
    played = line.play(RULES, state, turn.seat, text)
    assert played.rest == ""
    return played.state


def legal(state: State, kind: str = "") -> list[str]:
    """The legal moves as they are written; of one kind, or all."""
    moves = map(RULES.notate, RULES.legal_moves(state))
    return [move for move in moves if move.startswith(kind)]


def hand(state: State, seat: int = 1) -> tuple[str, ...]:
    """The hand of a seat."""
    return state.holdings[seat - 1].hand


def shares(state: State, seat: int = 1) -> str:
    """The cards that a seat has laid out."""
    return " ".join(state.holdings[seat - 1].shares)


def money(state: State, seat: int = 1) -> int:
    """The money of a seat."""
    return state.holdings[seat - 1].money


def prices(state: State) -> tuple[int, ...]:
    """The prices of all colours."""
    return tuple(pile.price for pile in state.piles)
