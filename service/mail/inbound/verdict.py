"""What is to be done with a mail: one frozen value, from the mail and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.core import line as turn_line
from games.core.rules import IllegalMove, MalformedMove, Say
from games.registry import AnyRules, AnyState
from service.mail.inbound import grammar, text
from service.mail.inbound.cutter import NOTHING, Ours, own
from service.mail.inbound.grammar import Command, CommandName, Turn
from service.mail.inbound.raw import Incoming
from service.mail.inbound.sender import Proof

Action = Literal["play", "hold", "command", "join", "decline", "answer", "ignore"]
Reason = Literal[
    "",
    "illegal",
    "ambiguous",
    "none",
    "unreadable",
    "large",  # so it was not read
    "code",  # a command without the code of its match
    "number",  # it names another turn than the one it answers
    "stranger",  # it is not from an address of the player's, or that is disproved
]


NAMED = 3
"""So many turns at most are named of a mail that says several."""


@dataclass(frozen=True)
class Asked:
    """What a turn mail asked for, and who may answer."""

    rules: AnyRules
    code: str
    seat: int
    addresses: frozenset[str]
    """Of the player, folded."""
    known: AnyState | None = None
    """What the seat knows of the state while the turn is open; None when it no longer is."""
    turn: int | None = None
    """Its number, as the mail named it."""
    ours: Ours = NOTHING


@dataclass(frozen=True)
class Invited:
    """What an invitation asked for, and who may answer."""

    addresses: frozenset[str]
    ours: Ours = NOTHING


@dataclass(frozen=True)
class From:
    """Who wrote the mail, folded; whether that is proved, and whether it has to be."""

    address: str
    proof: Proof = "none"
    strict: bool = False

    @property
    def proved(self) -> bool:
        return self.proof == "pass" or (self.proof == "none" and not self.strict)


@dataclass(frozen=True)
class Verdict:
    """What is to be done.

    `line` is the turn line to be played or held, or what was understood; `fault` what the rules say
    against it; `conditions` how many lines waited for something to happen; `words` are those for
    the lot.
    """

    action: Action
    reason: Reason = ""
    line: str = ""
    fault: Say | None = None
    command: CommandName | None = None
    conditions: int = 0
    words: str = ""


def judge(mail: Incoming, sender: From, asked: Asked) -> Verdict:
    """What an answer to a turn comes to. What a stranger sends is held if it is one legal turn, and
    otherwise left alone."""
    found = _judged(mail, asked)
    if sender.address in asked.addresses and sender.proved:
        return found
    if found.action != "play":
        return Verdict("ignore", "stranger")
    return Verdict("hold", "stranger", found.line)


def judge_invited(mail: Incoming, sender: From, asked: Invited) -> Verdict:
    """What an answer to an invitation comes to. Whoever would have to be proved and is not is
    shown the page."""
    if sender.address not in asked.addresses or sender.proof == "fail":
        return Verdict("ignore", "stranger")
    if not sender.proved:
        return Verdict("answer", "stranger")
    said = text.words(mail)
    lines = own(said.lines, asked.ours, lambda line: grammar.consent(line) is not None)
    answers = [answer for line in lines if (answer := grammar.consent(line))]
    if not answers:
        return Verdict("answer", "unreadable" if said.more and not lines else "none")
    if len({yes for yes, _ in answers}) > 1:
        return Verdict("answer", "ambiguous")
    yes, words = answers[0]
    return Verdict("join", words=words) if yes else Verdict("decline")


def _judged(mail: Incoming, asked: Asked) -> Verdict:
    said = text.words(mail)
    lines = own(said.lines, asked.ours, lambda line: _means(asked, line) is not None)
    meant = [found for line in lines if (found := _means(asked, line))]
    conditions = sum(map(grammar.condition, lines))
    turns = list(dict.fromkeys(found for found in meant if isinstance(found, Turn)))
    commands = list(dict.fromkeys(found for found in meant if isinstance(found, Command)))
    if not meant:
        return Verdict("answer", _missing(mail, said, lines), conditions=conditions)
    several = list(dict.fromkeys(turn.line for turn in turns))
    if len(several) + len(commands) > 1:
        return Verdict("answer", "ambiguous", _listed(several) if len(several) > 1 else "")
    if commands:
        return Verdict("command", command=commands[0].name)
    return _played(turns, asked, conditions)


def _missing(mail: Incoming, said: text.Words, lines: Sequence[str]) -> Reason:
    """Why nothing could be understood."""
    if not mail.whole:
        return "large"
    if any(map(grammar.uncoded, lines)):
        return "code"
    return "unreadable" if said.more and not lines else "none"


def _listed(lines: Sequence[str]) -> str:
    return " / ".join(lines if len(lines) <= NAMED else (*lines[:NAMED], "…"))


def _played(turns: Sequence[Turn], asked: Asked, conditions: int) -> Verdict:
    """What one turn comes to, however often it is written."""
    line = turns[0].line
    if asked.turn is not None and any(turn.number not in (None, asked.turn) for turn in turns):
        return Verdict("answer", "number", line)
    fault = turns[0].fault or _fault(asked, line)
    if fault is not None:
        return Verdict("answer", "illegal", line, fault, conditions=conditions)
    return Verdict("play", line=line, conditions=conditions)


def _fault(asked: Asked, line: str) -> Say | None:
    """What the rules say against a line, from what the seat knows."""
    if asked.known is None:
        return None
    try:
        turn_line.play(asked.rules, asked.known, asked.seat, line)
    except (MalformedMove, IllegalMove) as error:
        return error.say
    return None


def _means(asked: Asked, line: str) -> Turn | Command | None:
    """What a line says: a command is one only with the code of its match, where it needs one, so
    that none is taken for a move."""
    return grammar.command(line, asked.code) or grammar.turn(asked.rules, line)
