"""What the API is asked and what it answers: the shapes of its JSON.

Handlers fill these in, requests are read by them, and the OpenAPI description is made from them.
Times are Unix seconds. Sentences for people are in the language of the token's player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints
from pydantic.dataclasses import dataclass

from games.log.record import ActKind
from service.web.limits import LINE_LENGTH

TOLD = ConfigDict(use_attribute_docstrings=True)
ASKED = ConfigDict(use_attribute_docstrings=True, extra="forbid")
MOST_AT_ONCE = 100
Code = Literal[
    "malformed",
    "bad-request",
    "unauthorized",
    "read-only",
    "not-a-player",
    "not-found",
    "method-not-allowed",
    "not-your-turn",
    "stale",
    "too-late",
    "not-now",
    "too-large",
    "not-json",
    "invalid",
    "malformed-move",
    "illegal-move",
    "not-held",
    "too-many",
    "internal",
    "unavailable",
    "unsigned",
]
Phase = Literal["joining", "running", "over", "closed"]
Viewer = int | Literal["bystander", "open"]
Count = Annotated[int, Field(ge=0, le=999_999_999)]
Line = Annotated[str, StringConstraints(max_length=LINE_LENGTH)]
View = Annotated[Mapping[str, object], Field(json_schema_extra={"view": True})]
"""What `games.plain` makes of a view; the description has its form for each game."""


@dataclass(frozen=True, config=TOLD)
class Me:
    """Whose token this is."""

    name: str
    language: str
    zone: str
    plays: bool
    """Whether the token may send turns and acts, or only read."""


@dataclass(frozen=True, config=TOLD)
class Seat:
    """A place of a match."""

    seat: int | None
    """Counted from 1; null until the match has started."""
    name: str
    you: bool
    house: bool
    """Whether it is the house player, a program of the service."""
    joined: bool
    rank: int | None
    """The place at the end: 1 is the first."""


@dataclass(frozen=True, config=TOLD)
class Turn:
    """The turn that the match waits for."""

    seat: int
    yours: bool
    wait: int
    """The record that the turn waits on: send it along with the turn."""
    began: int
    deadline: int | None
    """null if there is no time limit."""


@dataclass(frozen=True, config=TOLD)
class Match:
    """A match in a list."""

    id: str
    code: str
    """What its mails call it."""
    game: str
    version: int
    """Of the rules."""
    phase: Phase
    """`over` is decided and about to be closed."""
    seats: list[Seat]
    """By seat; before the start in the order in which they were invited."""
    turn: Turn | None
    """null while the match waits for no seat."""
    changed: int
    """The time of the newest record."""
    newest: int
    """The number of the newest record: send it along as `on`."""
    why: str | None
    """The reason word of the end."""
    page: str
    log: str
    """Where the log is, in the format pbem/1; it needs no token."""


@dataclass(frozen=True, config=TOLD)
class Matches:
    """Matches of the token's player, the last changed first."""

    matches: list[Match]
    next: str | None
    """Send it along as `before` for the next page; null on the last one."""


@dataclass(frozen=True, config=TOLD)
class Offer:
    """An offer that stands, and the seats that want it."""

    kind: Literal["draw", "void"]
    agreed: list[int]


@dataclass(frozen=True, config=TOLD)
class State:
    """A match as the token's player may see it."""

    match: Match
    head: str
    """The hash of the newest record, in hexadecimal."""
    options: dict[str, str]
    """Of the rules."""
    clock: str
    viewer: Viewer
    """Whose view this is: your seat's, a bystander's, or an open one once the match is over."""
    view: View | None
    """What lies on the table, in the form of this game and version; null until it has started."""
    offer: Offer | None
    acts: list[ActKind]
    """What your seat may do now beside the moves."""


@dataclass(frozen=True, config=TOLD)
class Choice:
    """Something that can be added to the line."""

    line: str
    """The whole line with it; it may end inside a move."""
    sends: bool
    """Whether the line can be sent as it then stands."""
    words: str
    thing: str
    """What it is on the board, a square or a card; empty for none."""


@dataclass(frozen=True, config=TOLD)
class Choices:
    """What a turn line that was begun can become, for the seat to move."""

    line: str
    """As it is stored, as far as this turn goes."""
    sends: bool
    """Whether it can be sent as it stands."""
    wait: int
    on: int
    choices: list[Choice]
    view: View
    """What your seat would see after the whole moves of the line. Chance that is still to come is
    not in it."""


@dataclass(frozen=True, config=TOLD)
class Receipt:
    """What became of a turn or an act."""

    match: str
    record: int
    """The last record that it wrote."""
    line: str
    """What was played."""
    rest: str
    """What was not, since the turn ended or chance came before it."""
    again: bool
    """Whether it had been sent before: this is the receipt of the first time."""
    over: bool
    """Whether it ended the match."""
    note: str
    """The signed head over all records up to this one: the proof that it was accepted."""


@dataclass(frozen=True, config=ASKED)
class Wish:
    """Which matches are asked for."""

    phase: Phase | None = None
    game: Annotated[str, StringConstraints(pattern="^[a-z-]{1,40}$")] | None = None
    turn: Literal["mine"] | None = None
    """`mine`: only those where it is your turn."""
    limit: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)] = 50
    before: Annotated[str, StringConstraints(max_length=40)] | None = None
    """The `next` of the page before."""


@dataclass(frozen=True, config=ASKED)
class Draft:
    """A turn line that was begun."""

    line: Line = ""


@dataclass(frozen=True, config=ASKED)
class SentTurn:
    """A turn to be played."""

    line: Line
    """As people type it or as it is stored: moves, joined by semicolons."""
    wait: Count
    """The `wait` of the turn that it answers."""
    on: Count
    """The newest record that you know."""


@dataclass(frozen=True, config=ASKED)
class SentAct:
    """Something to be done beside the moves."""

    act: ActKind
    on: Count
    """The newest record that you know."""


@dataclass(frozen=True, config=TOLD)
class Wrong:
    """What is wrong with one part of a request."""

    field: str
    code: str


@dataclass(frozen=True, config=TOLD)
class Problem:
    """Why something was not done (RFC 9457). Programs go by `code`, people by `detail`."""

    type: str
    title: str
    status: int
    detail: str
    code: Code
    fields: list[Wrong] | None = None
    """Of a request that cannot be read."""
    reason: str | None = None
    """Of a turn that cannot be played: the key of the sentence in the rules of the game."""
