"""Writes matches record by record, for tests of the fold: an operator's desk without a service."""

from __future__ import annotations

from pathlib import Path

import games as all_games
from games import chance, registry
from games.chance import outcome
from games.core.rules import Chance, Shuffle, complete
from games.log import player
from games.log.note import ED25519, Verifier
from games.log.record import (
    Act,
    Body,
    Deal,
    Ent,
    Join,
    Move,
    Open,
    Record,
    Reveal,
    Roll,
    Start,
    Sys,
    Tip,
)
from games.log.schema import read
from games.log.writing import by, kind, write
from games.position import Phase, Position, ending
from games.replay import begin, follow

M = "m_0123456789ABCDEF"
VKEY = Verifier("test.example/heads", ED25519, bytes(32)).vkey
TOYS = str(Path(__file__).parent / "toys")


def admit_toys() -> None:
    """Lets the registry find the games that exist for tests only."""
    if TOYS not in all_games.__path__:
        all_games.__path__.append(TOYS)
        _forget()


def expel_toys() -> None:
    """Takes them out again: no page may offer them."""
    if TOYS in all_games.__path__:
        all_games.__path__.remove(TOYS)
        _forget()


def _forget() -> None:
    registry._folders.cache_clear()
    registry._versions.cache_clear()


class Script:
    """A match in the making. Every record goes through the fold; `bad` ones leave no trace."""

    def __init__(
        self,
        game: str,
        seats: int,
        level: str = "F1",
        *,
        keyed: tuple[int, ...] = (),
        **options: str,
    ) -> None:
        admit_toys()
        rules = registry.newest(game)
        given = {name.replace("_", "-"): value for name, value in options.items()}
        self.chains = chance.make(bytes(range(32)), M, 64)
        self.hidden = dict(enumerate(self.chains.hid.elements))
        self.secrets = {f"p_{name}": name.encode() * 32 for name in "abcd"[:seats]}
        self.keyed = {f"p_{'abcd'[n - 1]}" for n in keyed}
        self.rolled = level != "F0"
        self.records: list[Record] = []
        self.lines: list[bytes] = []
        body = Open(
            serial=1,
            game=game,
            version=rules.version,
            options=tuple(sorted(complete(rules, seats, given).items())),
            seats=seats,
            clock="none",
            level=level,  # type: ignore[arg-type]
            heads=VKEY,
            log=VKEY,
            pub=Tip(64, self.chains.pub.tip) if self.rolled else None,
            hid=Tip(64, self.chains.hid.tip) if self.rolled else None,
        )
        self.position: Position = begin(self._record(body))

    def _record(self, body: Body) -> Record:
        prev = self.records[-1].hash if self.records else b""
        line = write(M, len(self.records), 1_800_000_000 + len(self.records), prev, body)
        self.lines.append(line)
        self.records.append(read(line))
        return self.records[-1]

    def add(self, body: Body, hidden: dict[int, bytes] | None = None) -> Position:
        """Appends a record; a record that the fold refuses is taken out again."""
        record = self._record(body)
        try:
            self.position = follow(self.position, record, self.hidden if hidden is None else hidden)
        except BaseException:
            self.lines.pop()
            self.records.pop()
            raise
        return self.position

    def signed(self, body: Join | Ent | Move | Act, pid: str, secret: bytes | None = None) -> Body:
        """The body with the signature of the player's key."""
        on = body.by.on
        text = player.message(M, kind(body), on, self.records[on].hash, body.by.text)
        sig = player.sign(secret or self.secrets[pid], text)
        spoken = type(body.by)(on, "key", body.by.text, sig)
        return type(body)(**{**_fields(body), "by": spoken})

    def join(self, pid: str) -> Position:
        """The player joins, with plain entropy at F1 and sealed at F2."""
        ent = self.secrets[pid] if self.position.opened.level == "F1" else None
        entc = None
        if self.position.opened.level == "F2":
            entc = chance.commitment(M, pid, self.secrets[pid])
        key = player.public(self.secrets[pid]) if pid in self.keyed else None
        body = Join(pid, by(0, "web", pid=pid, ent=ent, entc=entc, key=key), ent, entc, key)
        return self.add(self.signed(body, pid) if key else body)

    def open_entropy(self, pid: str) -> Position:
        """The player opens what was sealed."""
        ent = self.secrets[pid]
        body = Ent(pid, ent, by(0, "web", pid=pid, ent=ent))
        return self.add(self.signed(body, pid) if pid in self.keyed else body)

    def start(self) -> Position:
        """Everybody joins, the lot is drawn, and what the set-up asks for follows."""
        for pid in self.secrets:
            self.join(pid)
        if self.position.opened.level == "F2":
            for pid in self.secrets:
                self.open_entropy(pid)
        self.add(self.lot())
        return self.chance()

    def lot(self) -> Start:
        """The `start` that the chain gives."""
        pids = tuple(sorted(self.secrets))
        if not self.rolled:
            return Start(pids)
        d = self.chains.pub.elements[1]
        drawn = outcome(Shuffle(pids), M, self.position.ents, "pub", 1, d)
        return Start(tuple(str(pid) for pid in drawn), 1, d)

    def chance(self) -> Position:
        """Writes the chance that the rules ask for, until a seat is to move."""
        while self.position.phase is Phase.RUNNING and isinstance(self.position.turn, Chance):
            self.add(self.asked())
        return self.position

    def asked(self) -> Roll | Deal:
        """The record of the next event of chance."""
        turn = self.position.turn
        assert isinstance(turn, Chance)
        if turn.chain == "hid":
            return Deal(self.position.hid + 1)
        k = self.position.pub + 1
        d = self.chains.pub.elements[k]
        out = outcome(turn.request, M, self.position.ents, "pub", k, d)
        return Roll(k, d, turn.request, out)

    def move_body(self, seat: int, mv: str, on: int | None = None) -> Move:
        """A move, unsigned."""
        on = len(self.records) - 1 if on is None else on
        return Move(seat, mv, by(on, "web", seat=seat, mv=mv))

    def move(self, seat: int, mv: str) -> Position:
        """A move, signed if the seat has a key, and the chance that follows."""
        body: Body = self.move_body(seat, mv)
        pid = self.position.holders[seat - 1].pid
        if self.position.holders[seat - 1].key:
            assert isinstance(body, Move)
            body = self.signed(body, pid)
        self.add(body)
        return self.chance()

    def act(self, seat: int, act: str, key: bytes | None = None) -> Position:
        """An act."""
        body = Act(seat, act, by(len(self.records) - 1, "web", seat=seat, act=act, key=key), key)  # type: ignore[arg-type]
        holder = self.position.holders[seat - 1] if seat <= len(self.position.holders) else None
        return self.add(self.signed(body, holder.pid) if holder and holder.key else body)

    def rule(self, sys: str, **values: object) -> Position:
        """What the operator does."""
        return self.add(Sys(sys, "because", **values))  # type: ignore[arg-type]

    def close(self) -> Position:
        """Reveals and end."""
        for k in range(self.position.reveals + 1, self.position.hid + 1):
            self.add(Reveal(k, self.chains.hid.elements[k]))
        return self.add(ending(self.position))


def _fields(body: Join | Ent | Move | Act) -> dict[str, object]:
    return {name: getattr(body, name) for name in type(body).__slots__}
