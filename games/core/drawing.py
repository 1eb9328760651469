"""What the `draw.py` of a game offers, and for whom it draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeVar

from games.core.rules import Choice, Viewer

Language = Literal["de", "en"]
LANGUAGES: tuple[Language, ...] = ("de", "en")

V_contra = TypeVar("V_contra", contravariant=True)


@dataclass(frozen=True)
class Reader:
    """Who reads: the language, the names of seats 1, 2, … and the place to look from."""

    language: Language
    names: tuple[str, ...]
    viewer: Viewer
    over: bool = False
    """Whether the match is over even if the game is not (resigned, out of time, agreed)."""
    turned: bool = False
    """Whether a board that has sides is seen from the other one."""


class Figure(NamedTuple):
    """A line of the chart of a match, at one position."""

    name: str
    """What it follows, in words."""
    sign: str
    """A letter or two for its badge."""
    token: str
    """The colour of the badge; `on` is that of the sign."""
    on: str
    value: int


class Drawing(Protocol[V_contra]):
    """The module `draw.py` of a game. It gets views and never imports the rules."""

    SIDED: bool
    """Whether the board has sides, so that it can be turned."""

    def text(self, view: V_contra, reader: Reader) -> str:
        """The position in characters, at most 60 columns, the twin of the picture."""

    def svg(
        self,
        view: V_contra,
        reader: Reader,
        *,
        choices: Sequence[Choice] = (),
        line: str = "",
        last: Sequence[str] = (),
    ) -> str:
        """The position as an SVG: `choices` become links, `line` is what the reader has begun,
        `last` are the lines of the turn that was played last, drawn in pencil."""

    def small(self, view: V_contra, reader: Reader) -> str:
        """The position as an SVG for a list of matches: what matters, readable at 240 pixels;
        without links."""

    def title(self, view: V_contra, reader: Reader) -> str:
        """One line that says what is on the table and whose turn it is."""

    def tell(self, before: V_contra, after: V_contra, line: str, reader: Reader) -> str:
        """What a turn line did, in one or two sentences, as this reader may know it."""

    def tell_chance(self, before: V_contra, after: V_contra, reader: Reader) -> str:
        """What came out by chance between two positions, as this reader may know it; "" in a game
        that leaves nothing to it."""

    def figures(self, view: V_contra, reader: Reader) -> tuple[Figure, ...]:
        """What the chart of a match follows, always the same lines; () if there is none."""
