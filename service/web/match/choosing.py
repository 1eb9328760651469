"""What the seat to move has before it: the line begun, what can be added, and the picture."""

from __future__ import annotations

from dataclasses import dataclass

from games.core import line as lines
from games.core.rules import Choice, MalformedMove, RulesError
from games.core.words import Words, put
from games.position import Position
from games.registry import AnyState, drawing, vocabulary
from service.web.limits import LINE_LENGTH
from service.web.match import board as boards
from service.web.match.loaded import Loaded
from service.web.request import _, language


@dataclass(frozen=True)
class Way:
    """A link to a longer turn line, in words."""

    line: str
    words: str


@dataclass(frozen=True)
class Choosing:
    """What the send box and the board of the seat to move show."""

    action: str
    on: int
    wait: int
    line: str
    words: str
    hint: str
    problem: str
    sends: bool
    choices: tuple[Way, ...]
    buttons: tuple[Way, ...]
    board: str


@dataclass(frozen=True)
class Begun:
    """A turn line as far as it goes, and what its seat sees then."""

    line: str
    sends: bool
    choices: tuple[Choice, ...]
    reached: AnyState
    """What the seat knows after the whole moves of the line."""


def offer(found: Loaded, seat: int, action: str, typed: str, problem: str = "") -> Choosing:
    """What can be added to what the seat has typed or chosen; a problem keeps that as a draft."""
    position = found.position
    try:
        now = begin(position, seat, typed)
    except RulesError as error:
        problem = problem or put(_words(position), error.say, language())
        now = begin(position, seat, "")
    return Choosing(
        action=action,
        on=position.n - 1,
        wait=position.wait,
        line=typed if problem else now.line,
        words=_told(found, seat, now.reached, now.line) if now.sends else "",
        hint=_hint(now.line, now.sends),
        problem=problem,
        sends=now.sends and not problem,
        choices=tuple(_way(position, choice) for choice in now.choices),
        buttons=tuple(_way(position, choice) for choice in now.choices if not choice.thing),
        board=boards.picture(
            found,
            position,
            seat,
            state=now.reached,
            choices=now.choices,
            line=now.line,
            last=boards.last_turn(found, position),
        ),
    )


def begin(position: Position, seat: int, typed: str) -> Begun:
    """What the seat to move has begun. Raises RulesError for a line that cannot stand."""
    known = _known(position, seat)
    line, choices = _begun(position, known, seat, typed)
    sends = line != "" and lines.sends(position.rules, known, seat, line)
    return Begun(line, sends, choices, lines.preview(position.rules, known, seat, line))


def _known(position: Position, seat: int) -> AnyState:
    return position.rules.known(position.state, seat)


def _begun(
    position: Position, known: AnyState, seat: int, typed: str
) -> tuple[str, tuple[Choice, ...]]:
    """The line as stored, as far as this turn goes, and what can be added to it.

    Raises RulesError if it cannot stand.
    """
    rules, typed = position.rules, typed.strip()[:LINE_LENGTH]
    try:
        line = lines.begun(rules, known, seat, typed)
        return line, lines.choices(rules, known, seat, line)
    except MalformedMove:
        line = lines.begun(rules, known, seat, lines.read(rules, typed))
        return line, lines.choices(rules, known, seat, line)


def _told(found: Loaded, seat: int, reached: AnyState, line: str) -> str:
    position = found.position
    before, after = (
        position.rules.view(state, seat) for state in (_known(position, seat), reached)
    )
    return drawing(position.opened.game).tell(
        before, after, line, boards.reader(found, position, seat)
    )


def _hint(line: str, sends: bool) -> str:
    if sends:
        return ""
    if line:
        return _("%(line)s … and on: choose in the picture what belongs to it.", line=line)
    return _("Nothing chosen yet: choose in the picture.")


def _way(position: Position, choice: Choice) -> Way:
    return Way(choice.line, put(_words(position), choice.say, language()))


def _words(position: Position) -> Words:
    return vocabulary(position.opened.game).WORDS
