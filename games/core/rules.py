"""The shape of a game: what its rules are asked, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Literal, TypeVar

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

Options = Mapping[str, str]
"""Every option of a game with its value, both as stored in the log; the docstring of its package
says what they mean."""


class Onlooker(Enum):
    """A viewer without a seat."""

    BYSTANDER = "bystander"
    """Sees what lies open on the table."""
    OPEN = "open"
    """Sees everything; only after the end."""


BYSTANDER = Onlooker.BYSTANDER
OPEN = Onlooker.OPEN

Viewer = int | Onlooker
"""A seat, counted from 1, or an onlooker."""


@dataclass(frozen=True)
class Say:
    """A sentence by its key, put into words by the `words.py` of the game."""

    key: str
    values: tuple[tuple[str, str | int], ...] = ()


def say(key: str, **values: str | int) -> Say:
    """The sentence `key` with its values."""
    return Say(key, tuple(values.items()))


OF = "of-move"
"""The value of a sentence that names the move of a longer line which it is about."""


class RulesError(ValueError):
    """Something the rules refuse, with the sentence that says why."""

    def __init__(self, reason: Say) -> None:
        super().__init__(reason.key, *(f"{name}={value}" for name, value in reason.values))
        self.say = reason

    def blame(self, move: str, line: str) -> None:
        """Names the move that is refused if the line has others beside it."""
        if move != line:
            self.say = Say(self.say.key, (*self.say.values, (OF, move[:40])))


class BadOptions(RulesError):
    """An option is unknown, missing or out of range, or options contradict each other."""


class MalformedMove(RulesError):
    """The text is no move of this game in its stored notation."""


class IllegalMove(RulesError):
    """The move may not be made in this position."""


class NotHeld(IllegalMove):
    """The move plays a card that the hand does not hold."""


@dataclass(frozen=True)
class Dice:
    """A request for dice, by their numbers of sides: `Dice((6, 6, 6))`."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class Shuffle:
    """A request for a shuffle of `ids`, given in card order."""

    ids: tuple[str, ...]


Request = Dice | Shuffle
Outcome = tuple[int, ...] | tuple[str, ...]
"""What a request came to: the eyes of each die, or the shuffled ids, the head first."""

Chain = Literal["pub", "hid"]
"""Where an outcome comes from: shown at once, or revealed after the end (`games.chance`, "What is
used")."""


@dataclass(frozen=True)
class ToMove:
    """A seat is to move."""

    seat: int


@dataclass(frozen=True)
class Chance:
    """The rules ask for chance and wait for `apply_chance`."""

    chain: Chain
    request: Request


@dataclass(frozen=True)
class Over:
    """The game is over. `standing` has a tuple for each seat; the larger is ahead."""

    reason: str
    standing: tuple[tuple[int, ...], ...]


Turn = ToMove | Chance | Over


class Mark(Enum):
    """How a choosable thing is drawn."""

    CAN = "can"
    """May be picked up: underlined."""
    CHOSEN = "chosen"
    """Is part of the line; choosing it again takes it back."""
    TARGET = "target"
    """Where the thing in hand may go, with a badge that says what happens there."""


@dataclass(frozen=True)
class Choice:
    """One thing that can be added to a line begun.

    `thing` is the id of a square, card or pile in the picture, or "" for a button below it;
    `line` is the whole line after the choice; it may end inside a move. `sends` says whether
    that line can be sent as it stands.
    """

    thing: str
    line: str
    say: Say
    sends: bool
    mark: Mark = Mark.TARGET
    badge: str = ""


@dataclass(frozen=True)
class Option:
    """An option of a game: its words, its numbers, and its default for a number of seats.

    The default may look at the options that stand before it in `Rules.options`.
    """

    name: str
    words: tuple[str, ...]
    default: Callable[[int, Options], str]
    numbers: range = range(0)

    def allows(self, value: str) -> bool:
        """Whether the value is one of the words, or a number of the range in plain decimal."""
        return value in self.words or (
            value.isdecimal()
            and value.isascii()
            and len(value) < 10
            and int(value) in self.numbers
            and str(int(value)) == value
        )


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[S, M, V]):
    """One version of the rules of one game, as functions over an immutable state."""

    game: str
    """As in the log: `black-monday`."""
    version: int
    seats: range
    chance: bool
    """Does `turn` ever ask for chance? Then there is no level F0."""
    options: tuple[Option, ...]
    setup: Callable[[int, Options], S]
    """The state before any chance. Raises BadOptions if the options do not go together."""
    sides: Callable[[S], tuple[tuple[int, ...], ...]]
    """Who is placed together: `((1,), (2,))`, or teams `((1, 3), (2, 4))`."""
    turn: Callable[[S], Turn]
    legal_moves: Callable[[S], Iterable[M]]
    """In a fixed order, lazy; partial where they are too many to list."""
    apply: Callable[[S, M], S]
    """The state after the mover's move. Raises NotHeld before any other IllegalMove."""
    apply_chance: Callable[[S, Outcome], S]
    """The state after the outcome of what `turn` asked for."""
    leave: Callable[[S, int], S] | None
    """The state after a seat has left a match that goes on; None in games of two."""
    parse: Callable[[str], M]
    """One move from its exact stored notation. Raises MalformedMove."""
    notate: Callable[[M], str]
    """The stored notation: `parse(notate(move)) == move`."""
    read: Callable[[str], str]
    """The stored notation of one move as people type it. Raises MalformedMove."""
    known: Callable[[S, Viewer], S]
    """The state as the viewer knows it: every card not seen becomes `?`."""
    choices: Callable[[S, str], tuple[Choice, ...]]
    """What a move begun (its text so far, "" at first) can become; the state is the mover's
    knowledge before this move. Lines of several moves are put together by `core.line`."""
    view: Callable[[S, Viewer], V]
    final: Callable[[S], dict[str, object]]
    """The canonical final state, whose hash ends the log, as the docstring of the game's package
    says it; {} until the set-up is complete."""


def complete(rules: Rules[S, M, V], seats: int, given: Options) -> dict[str, str]:
    """All options of the game: those given, defaults for the rest.

    Raises BadOptions for a number of seats or an option that the game does not have, for a
    value it does not allow, and for options that do not go together.
    """
    if seats not in rules.seats:
        raise BadOptions(say("bad-seats", seats=seats))
    known = {option.name for option in rules.options}
    for name in given:
        if name not in known:
            raise BadOptions(say("unknown-option", option=name[:40]))
    options: dict[str, str] = {}
    for option in rules.options:
        value = given.get(option.name)
        options[option.name] = option.default(seats, options) if value is None else value
        if not option.allows(options[option.name]):
            shown = options[option.name][:40]
            raise BadOptions(say("bad-option", option=option.name, value=shown))
    rules.setup(seats, options)
    return options
