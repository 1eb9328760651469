"""A position of Monad, its options, and how it begins. Ids such as M-10: rules.md, part 1.

Cards are written as `A16`; unseen ones are `?`.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from games.core.rules import BadOptions, Option, Options, say
from games.monad.cards import COLOURS, LEVELS, MONAD
from games.monad.moves import Bonus, Move, Pair


class Lot(Enum):
    """What chance decides."""

    ONES = "ones"
    """Who holds which ones (M-10)."""
    COLOURS = "colours"
    """Which colours the Stamm cards may have (M-11)."""
    STAMM = "stamm"
    GROUP = "group"
    """The order of the next group (M-12)."""
    STOCK = "stock"
    """The order of the stock, when the discard is not only turned over (M-Q7)."""


class Terms(NamedTuple):
    """What the options of a match come to."""

    edition: str
    target: int
    """Monads that win."""
    team: bool
    """Do seats 1 and 3 play against 2 and 4 (M-21)?"""
    breaks: bool
    """Does an empty group end the bonus (M-74)?"""
    prompt: bool
    """Must a bonus follow its pair at once (M-Q8)?"""
    once: bool
    """Is there only one leap in a turn (M-Q22)?"""
    tight: bool
    """Must every card of a sum be needed (M-Q15)?"""
    shuffled: bool
    """Is the discard shuffled when it is turned over (M-Q7)?"""
    free: bool
    """May everybody pass at any time (M-Q24)?"""
    proof: bool
    """Does who has to pass show the hand (M-Q25)?"""
    open: bool
    """Do all hands lie open?"""


class Player(NamedTuple):
    """What a seat has."""

    stamm: str = ""
    """The Stamm colour; "" before it is drawn."""
    hand: tuple[str, ...] = ()
    """In card order."""
    monads: int = 0
    secret: tuple[str, ...] = ()
    """The part of the hand that no onlooker has seen. The other seat of two can work it out from
    its own cards; more seats cannot."""
    drawn: tuple[str, ...] = ()
    """In a match of two: cards from a shuffled stock, which the other seat cannot work out."""
    left: bool = False
    """Whether the seat has left the match."""


class Deed(NamedTuple):
    """A move of a turn and what it brought: cards and `monad`; for a pass, the hand shown."""

    move: Move
    cards: tuple[str, ...]
    hidden: str = ""
    """A card from a shuffled stock, which comes with the others."""


class State(NamedTuple):
    """A position of Monad. Before the chance of the set-up hands, Stamm and groups are empty."""

    terms: Terms
    colours: str
    """Of which the Stamm colours are drawn; "" before chance has chosen them (M-11)."""
    players: tuple[Player, ...]
    groups: tuple[tuple[str, ...], ...] = ()
    """Of 3, 7, 16 and 36; the head of each is on top."""
    stock: tuple[str, ...] = ()
    """The head is on top."""
    discard: tuple[str, ...] = ()
    """The oldest card first."""
    seat: int = 1
    """To move; after the end the one whose turn it was or would be."""
    deeds: tuple[Deed, ...] = ()
    """The exchanges of the present turn, bonus included."""
    mover: int = 0
    """Who had the turn before; 0 if nobody had."""
    lately: tuple[Deed, ...] = ()
    """What was done in it."""
    passes: int = 0
    """Turns passed in succession."""
    lot: Lot | None = Lot.ONES
    """What is left to chance before anybody may move."""
    end: str = ""
    """Why the match is over, or ""."""

    @property
    def player(self) -> Player:
        """What the seat to move has."""
        return self.players[self.seat - 1]


def _by_edition(monad: str, german: str, million: str) -> dict[str, str]:
    return {"monad": monad, "monad-german": german, "million": million}


_DEAL = _by_edition("monad", "monad", "all-six")
_CHAIN = _by_edition("skip", "break", "break")
_TARGET = {2: "5", 3: "4", 4: "3"}
TEAM_TARGET = "5"

OPTIONS = (
    Option("edition", ("monad", "monad-german", "million"), lambda seats, options: "monad"),
    Option("team", ("no", "yes"), lambda seats, options: "no"),
    Option("stamm-deal", ("monad", "all-six"), lambda seats, options: _DEAL[options["edition"]]),
    Option("bonus-chain", ("skip", "break"), lambda seats, options: _CHAIN[options["edition"]]),
    Option("bonus-timing", ("anytime", "immediate"), lambda seats, options: "anytime"),
    Option("leap-limit", ("none", "once"), lambda seats, options: "none"),
    Option("overpay", ("any", "tight"), lambda seats, options: "any"),
    Option("flip", ("turn", "shuffle"), lambda seats, options: "turn"),
    Option("pass", ("stuck-only", "free"), lambda seats, options: "stuck-only"),
    Option("stuck-reveal", ("yes", "no"), lambda seats, options: "yes"),
    Option("open-hands", ("no", "yes"), lambda seats, options: "no"),
    Option(
        "target",
        (),
        lambda seats, options: TEAM_TARGET if options["team"] == "yes" else _TARGET[seats],
        range(1, 11),
    ),
)


def setup(seats: int, options: Options) -> State:
    """Empty hands; all cards come by chance. Raises BadOptions for teams that are not of four."""
    if options["team"] == "yes" and seats != 4:
        raise BadOptions(say("team-of-four"))
    terms = Terms(
        edition=options["edition"],
        target=int(options["target"]),
        team=options["team"] == "yes",
        breaks=options["bonus-chain"] == "break",
        prompt=options["bonus-timing"] == "immediate",
        once=options["leap-limit"] == "once",
        tight=options["overpay"] == "tight",
        shuffled=options["flip"] == "shuffle",
        free=options["pass"] == "free",
        proof=options["stuck-reveal"] == "yes",
        open=options["open-hands"] == "yes",
    )
    limited = options["stamm-deal"] == "monad" and seats > 2
    return State(terms, "" if limited else COLOURS, (Player(),) * seats)


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    """Each seat for itself, or the two teams."""
    if state.terms.team:
        return ((1, 3), (2, 4))
    return tuple((seat,) for seat in range(1, len(state.players) + 1))


def owned(state: State, seat: int) -> int:
    """The Monads of the seat, or of its team."""
    if not state.terms.team:
        return state.players[seat - 1].monads
    return sum(player.monads for player in state.players[(seat - 1) % 2 :: 2])


def entitled(state: State) -> tuple[int, ...]:
    """The levels for which a bonus may be taken now (M-70, M-71, M-Q8)."""
    deeds = state.deeds
    if any(isinstance(deed.move, Bonus) for deed in deeds):
        return ()
    pairs = [deed for deed in (deeds[-1:] if state.terms.prompt else deeds) if _bonus_pair(deed)]
    return tuple(dict.fromkeys(_level(deed.cards[0]) for deed in pairs))


def _bonus_pair(deed: Deed) -> bool:
    """Whether it is a pair of bonus colours at their own value."""
    return isinstance(deed.move, Pair) and deed.move.cards[0].swapcase() == deed.move.cards[1]


def _level(card: str) -> int:
    return MONAD if card == MONADS else int(card[1:])


MONADS = "monad"
"""How a Monad is named among cards."""


def bonus_cards(state: State, level: int) -> tuple[str, ...]:
    """What a bonus for the level brings now (M-72 to M-74): of each group below, the higher
    first, and of the stock the card on top."""
    found = []
    for pile in (*reversed(state.groups[: LEVELS.index(level)]), state.stock):
        if pile:
            found.append(pile[0])
        elif state.terms.breaks:
            break
    return tuple(found)
