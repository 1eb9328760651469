"""Logs of any length: a running match of Malawi whose players both sign, with its head note."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache

from games import registry
from games.chance import Chains, make, outcome
from games.core.rules import Shuffle, complete
from games.log import file, player
from games.log.head import head_text
from games.log.note import Signer, sign
from games.log.record import Body, Join, Move, Open, Start, Tip
from games.log.writing import by, player_text, write
from tests.bench import corpora

NAME = "bench.example"
MATCH = "m_0123456789ABCDEF"
PIDS = ("p_0000000001", "p_0000000002")
START = 1_790_000_000
CHAIN = 16


def secret(label: str) -> bytes:
    """32 bytes that are no secret."""
    return hashlib.sha256(f"bench {label}".encode()).digest()


HEADS = Signer.generate(f"{NAME}/heads", secret("heads"))
POLICY = f"heads {HEADS.vkey}\nquorum none\n"


class Writer:
    """The lines of a match, one after the other."""

    def __init__(self, *, signed: bool) -> None:
        self.lines: list[bytes] = []
        self.hash = b""
        self.signed = signed

    def add(self, body: Body) -> None:
        """Writes a record."""
        n = len(self.lines)
        line = write(MATCH, n, START + n, self.hash, body)
        self.hash = hashlib.sha256(line + b"\n").digest()
        self.lines.append(line)

    def say(self, body: type[Join | Move], who: str, **p: str | int | bytes) -> None:
        """Writes a record of a player, who signs it if this match is signed."""
        on, key = len(self.lines) - 1, secret(who)
        if self.signed and body is Join:
            p["key"] = player.public(key)
        message = player.message(MATCH, body.__name__.lower(), on, self.hash, player_text(**p))
        sig = player.sign(key, message) if self.signed else None
        self.add(body(by=by(on, "key" if self.signed else "web", sig=sig, **p), **p))

    def file(self) -> bytes:
        """The log so far, signed by the head key."""
        text = head_text(NAME, MATCH, len(self.lines), self.hash)
        return file.join(self.lines, sign(text, HEADS))


@cache
def log(length: int, *, signed: bool = True) -> bytes:
    """A log of so many records, at least 4."""
    writer = Writer(signed=signed)
    chains = make(secret("match"), MATCH, CHAIN)
    writer.add(_open(chains))
    ents = tuple(secret(f"entropy {pid}") for pid in PIDS)
    for pid, ent in zip(PIDS, ents, strict=True):
        writer.say(Join, pid, pid=pid, ent=ent)
    seats = _seats(chains, ents)
    writer.add(Start(seats, 1, chains.pub.elements[1]))
    _moves(writer, seats, corpora.endless(length - len(writer.lines)))
    return writer.file()


def _moves(writer: Writer, seats: tuple[str, ...], lines: Iterable[str]) -> None:
    for at, line in enumerate(lines):
        writer.say(Move, seats[at % 2], seat=at % 2 + 1, mv=line)


def _open(chains: Chains) -> Open:
    rules = registry.newest("malawi")
    options = complete(rules, 2, corpora.ENDLESS)
    return Open(
        serial=1,
        game="malawi",
        version=rules.version,
        options=tuple(sorted(options.items())),
        seats=2,
        clock="none",
        level="F1",
        heads=HEADS.vkey,
        log=Signer.generate(f"{NAME}/log", secret("log")).vkey,
        pub=Tip(chains.pub.n, chains.pub.tip),
        hid=Tip(chains.hid.n, chains.hid.tip),
    )


def _seats(chains: Chains, ents: tuple[bytes, ...]) -> tuple[str, ...]:
    drawn = outcome(Shuffle(PIDS), MATCH, ents, "pub", 1, chains.pub.elements[1])
    return tuple(str(pid) for pid in drawn)
