"""Whom a verifier trusts: a C2SP tlog-policy with one more kind of line, `heads <vkey>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from games.log import player
from games.log.note import COSIGNATURE, ED25519, BadKey, Verifier

NONE = "none"
MOST_LINES = 1000
_OCTETS = re.compile(rb"[\t\n\x20-\x7e\x80-\xff]*").fullmatch
_THRESHOLD = re.compile(r"[1-9][0-9]{0,3}").fullmatch


class BadPolicy(ValueError):
    """A policy that cannot be used, with the sentence that says why."""


class Group(NamedTuple):
    """A group of witnesses and groups, `need` of which must have cosigned."""

    name: str
    need: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """The keys that are trusted, and the witnesses that must have cosigned."""

    heads: tuple[Verifier, ...] = ()
    logs: tuple[Verifier, ...] = ()
    witnesses: tuple[tuple[str, Verifier], ...] = ()
    """Each with its name in the policy."""
    groups: tuple[Group, ...] = ()
    """Each after its members."""
    quorum: str = NONE

    def cosigners(self) -> tuple[Verifier, ...]:
        """The keys of the witnesses."""
        return tuple(verifier for _, verifier in self.witnesses)

    def satisfied(self, by: Collection[Verifier]) -> bool:
        """Whether cosignatures by these are a quorum."""
        have = {NONE} | {name for name, verifier in self.witnesses if verifier in by}
        for group in self.groups:
            if len(have.intersection(group.members)) >= group.need:
                have.add(group.name)
        return self.quorum in have


def parse(text: str | bytes) -> Policy:
    """The policy from its text. Raises BadPolicy."""
    raw = text if isinstance(text, bytes) else text.encode(errors="surrogateescape")
    if not _OCTETS(raw):
        raise BadPolicy("A policy is plain text; this one has control characters.")
    lines = raw.decode(errors="surrogateescape").split("\n")
    if len(lines) > MOST_LINES:
        raise BadPolicy(f"A policy has at most {MOST_LINES} lines.")
    reading = _Reading()
    for number, line in enumerate(lines, start=1):
        words = [word for word in re.split("[ \t]+", line) if word]
        if words and not words[0].startswith("#"):
            try:
                reading.line(*words)
            except (BadKey, BadPolicy) as error:
                raise BadPolicy(f"Line {number} of the policy: {error}.") from error
    return reading.done()


@dataclass(slots=True)
class _Reading:
    """A policy while its lines are read."""

    keys: dict[str, list[Verifier]] = field(default_factory=lambda: {"heads": [], "log": []})
    witnesses: dict[str, Verifier] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    quorum: str | None = None

    def line(self, kind: str, *words: str) -> None:
        """Takes one line in."""
        form = _FORMS.get(kind)
        if form is None:
            raise BadPolicy(f"“{kind[:20]}” is no kind of line")
        if not form.least <= len(words) <= form.most:
            raise BadPolicy(f"it should read “{form.reads}”")
        form.take(self, *words)

    def done(self) -> Policy:
        if self.quorum is None:
            raise BadPolicy("The policy has no quorum line; “quorum none” asks for no witness.")
        return Policy(
            tuple(self.keys["heads"]),
            tuple(self.keys["log"]),
            tuple(self.witnesses.items()),
            tuple(self.groups.values()),
            self.quorum,
        )

    def heads(self, vkey: str) -> None:
        self._trust("heads", vkey)

    def log(self, vkey: str, url: str = "") -> None:
        self._trust("log", vkey)

    def root(self, vkey: str) -> None:
        """Reserved for the key manifest: only its form is looked at."""
        _key(vkey, ED25519, ())

    def witness(self, name: str, vkey: str, url: str = "") -> None:
        self._new(name)
        self.witnesses[name] = _key(vkey, COSIGNATURE, self.witnesses.values())

    def group(self, name: str, threshold: str, *members: str) -> None:
        self._new(name)
        for member in members:
            self._defined(member)
            if member in self.members:
                raise BadPolicy(f"“{member}” is a member already")
            self.members.add(member)
        self.groups[name] = Group(name, _need(threshold, len(members)), members)

    def end(self, name: str) -> None:
        if self.quorum is not None:
            raise BadPolicy("there is a quorum already")
        if name != NONE:
            self._defined(name)
        self.quorum = name

    def _trust(self, role: str, vkey: str) -> None:
        self.keys[role].append(_key(vkey, ED25519, self.keys[role]))

    def _new(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise BadPolicy(f"the name “{name}” is taken")

    def _defined(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise BadPolicy(f"no line above defines “{name}”")


class _Form(NamedTuple):
    """How a kind of line reads: its words after the first, and who takes them in."""

    least: int
    most: int
    reads: str
    take: Callable[..., None]


_FORMS = {
    "heads": _Form(1, 1, "heads <vkey>", _Reading.heads),
    "root": _Form(1, 1, "root <vkey>", _Reading.root),
    "log": _Form(1, 2, "log <vkey> [<url>]", _Reading.log),
    "witness": _Form(2, 3, "witness <name> <vkey> [<url>]", _Reading.witness),
    "group": _Form(3, MOST_LINES, "group <name> all|any|<k> <name>...", _Reading.group),
    "quorum": _Form(1, 1, "quorum <name>", _Reading.end),
}


def _key(vkey: str, kind: int, others: Collection[Verifier]) -> Verifier:
    verifier = Verifier.parse(vkey)
    if verifier.kind != kind:
        raise BadPolicy(f"a key of kind {verifier.kind} does not sign such things")
    if player.weak(verifier.key):
        raise BadPolicy("signatures by this key would mean nothing")
    if verifier.key in {other.key for other in others}:
        raise BadPolicy("this key stands there already")
    return verifier


def _need(threshold: str, members: int) -> int:
    if threshold in ("any", "all"):
        return 1 if threshold == "any" else members
    if not _THRESHOLD(threshold) or int(threshold) > members:
        raise BadPolicy(f"“{threshold}” should be any, all, or a number from 1 to {members}")
    return int(threshold)
