"""What one line of an answer says: a turn line, a command, yes or no. Always the whole line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from games.core import line as turn_line
from games.core.rules import MalformedMove, Say
from games.registry import AnyRules
from service.mail.inbound.text import LENGTH

CommandName = Literal["resign", "offer-draw", "accept-draw", "pause", "help", "board"]

_FRAME = re.compile(
    r"(?:(?:mein |my )?(?:zug|move|turn)(?: *(?:nr\.?|no\.?|#))? *(\d{1,4})? *[.):]* *"
    r"|(\d{1,4}) *[.):]+ *)(?=\S)",
    re.I,
)
_WORDS: dict[str, CommandName] = {
    "aufgeben": "resign",
    "ich gebe auf": "resign",
    "resign": "resign",
    "i resign": "resign",
    "remis": "offer-draw",
    "remis anbieten": "offer-draw",
    "offer draw": "offer-draw",
    "draw offer": "offer-draw",
    "remis annehmen": "accept-draw",
    "accept draw": "accept-draw",
    "hilfe": "help",
    "help": "help",
    "brett": "board",
    "board": "board",
    "pause": "pause",
}
_FREE = ("help", "board", "pause")
"""Commands that need no code of the match: nothing is lost by them."""
_COMMAND = re.compile(rf"({'|'.join(_WORDS)})(?: +([0-9a-z]{{4,16}}))?[.!]*", re.I)
COLUMNS = "   "
"""Between the columns of a table, as our boards have them and no turn has."""
_CONDITION = re.compile(r"(wenn|falls|if)\b.*\b(dann|then)\b.*", re.I)
_BULLET = re.compile(r"\A[-•·] +(?=\S)")
_AROUND = " *_`'\"„“”‚‘’«»"
"""Signs that people, and programs for them, put around what they stress or quote."""
_YES = re.compile(r"(?:ja|yes)(?:[.!]*| (.+))", re.I)
_NO = re.compile(r"(?:nein|no)[.!]*", re.I)


@dataclass(frozen=True)
class Turn:
    """A line that means to be one turn: as it is stored, or with what is wrong with its spelling.

    `number` is the number of the turn, if the line names it.
    """

    line: str
    number: int | None = None
    fault: Say | None = None


@dataclass(frozen=True)
class Command:
    name: CommandName


def turn(rules: AnyRules, line: str) -> Turn | None:
    """The turn that a line is, None if it does not look like one."""
    if len(line) > LENGTH or COLUMNS in line.strip():
        return None
    said = bare(line)
    framed = _FRAME.match(said)
    number = next((int(one) for one in framed.groups() if one), None) if framed else None
    for text, named in ((said, None), (bare(said[framed.end() :]) if framed else "", number)):
        if text and (found := _read(rules, text, named)):
            return found
    return None


def bare(line: str) -> str:
    """The line without the bullet before it, the signs around it and the marks at its end; dots
    that stand apart are a row of a board of ours."""
    text = _BULLET.sub("", line.strip(_AROUND), count=1).strip(_AROUND)
    short = text.rstrip("!.")
    return (text.rstrip(" !") if short.endswith(" ") else short).rstrip(_AROUND)


def command(line: str, code: str) -> Command | None:
    """The command that a line is; what cannot be taken back needs the code of its match."""
    found = _COMMAND.fullmatch(bare(line))
    if found is None:
        return None
    name = _WORDS[found[1].lower()]
    given = (found[2] or "").upper()
    right = given == code or (not given and name in _FREE)
    return Command(name) if right else None


def uncoded(line: str) -> bool:
    """Whether a line would be a command with another code behind it, or with one at all."""
    return bool(_COMMAND.fullmatch(bare(line)))


def condition(line: str) -> bool:
    """Whether a line says what to play if something happens."""
    return bool(_CONDITION.fullmatch(line[:LENGTH]))


def consent(line: str) -> tuple[bool, str] | None:
    """What a line says to an invitation: yes with words for the lot, or no."""
    said = bare(line)
    if found := _YES.fullmatch(said):
        return True, (found[1] or "").strip()
    return (False, "") if _NO.fullmatch(said) else None


def _read(rules: AnyRules, text: str, number: int | None) -> Turn | None:
    try:
        return Turn(turn_line.read(rules, text), number)
    except MalformedMove as error:
        vague = error.say.key in ("malformed", "no-move")
        return None if vague else Turn(text, number, error.say)
