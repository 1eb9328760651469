"""A match played at random under throw-away keys: its log, and the policy that it verifies under.

Everything random comes from one stream keyed by the arguments, and times count from a fixed date:
the same arguments give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from games.automatic import next_record
from games.chance import Chains, Stream, commitment, make
from games.core import line
from games.core.rules import BadOptions, Mark, ToMove, complete
from games.core.words import put
from games.log import player, tlog
from games.log.file import join
from games.log.head import head_text
from games.log.note import COSIGNATURE, ED25519, Signer, sign
from games.log.record import (
    Act,
    ActKind,
    Body,
    By,
    Ent,
    Join,
    Level,
    Move,
    Open,
    Record,
    Start,
    Tip,
    Via,
)
from games.log.schema import IDS, read
from games.log.writing import player_text, write
from games.position import Phase, Position, pid_of
from games.registry import AnyRules, AnyState, UnknownRules, newest, words
from games.replay import Hidden, begin, follow

SERVICE = "random.example"
BEGINNING = 1767603600
"""2026-01-05T09:00:00Z, when every such match is opened."""
LONGEST_MATCH = 3000
"""Records after which the seats agree on a draw."""
LONGEST_LINE = 400
"""Letters after which a turn line is not made longer; a record has room for twice as many."""

_VIAS: tuple[Via, ...] = ("link", "web", "mail", "api")
_HOURS = 3600
_TRIES = 1000

T = TypeVar("T")


class BadWish(ValueError):
    """A match that cannot be played, with the sentence that says why."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The match asked for; options not named have their defaults."""

    game: str
    seats: int
    seed: int
    options: Mapping[str, str] = field(default_factory=dict)
    level: Level = "F1"


class Made(NamedTuple):
    """The log of a match and the policy under which it verifies."""

    log: bytes
    policy: str


def make_match(wish: Wish, longest: int = LONGEST_MATCH) -> Made:
    """A whole match, played at random to its end, or agreed a draw. Raises BadWish."""
    rules = _rules(wish)
    options = _options(rules, wish)
    keys = _Keys(_secret(wish, options))
    match = _Match(keys, Stream(keys.secret("choices")))
    match.open(rules, wish, options)
    match.gather(wish)
    match.play(longest)
    return Made(*_vouched(keys, match))


def _rules(wish: Wish) -> AnyRules:
    try:
        rules = newest(wish.game)
    except UnknownRules as error:
        raise BadWish(str(error)) from error
    if wish.level == "F0" and rules.chance:
        raise BadWish(f"{wish.game} is played with chance, so not at level F0.")
    return rules


def _options(rules: AnyRules, wish: Wish) -> tuple[tuple[str, str], ...]:
    try:
        return tuple(sorted(complete(rules, wish.seats, wish.options).items()))
    except BadOptions as error:
        raise BadWish(put(words(wish.game), error.say, "en")) from error


def _secret(wish: Wish, options: tuple[tuple[str, str], ...]) -> bytes:
    asked = (wish.game, str(wish.seats), str(wish.seed), wish.level)
    chosen = (f"{name}={value}" for name, value in options)
    text = "".join(word + "\n" for word in ("fernpartie/random-match/1", *asked, *chosen))
    return hashlib.sha256(text.encode()).digest()


class _Keys:
    """Every key of a match and its service, from one secret."""

    def __init__(self, root: bytes) -> None:
        self.root = root
        self.heads = self.signer(f"{SERVICE}/heads")
        self.log = self.signer(f"{SERVICE}/log")
        self.witnesses = [self.signer(f"witness{n}.example", COSIGNATURE) for n in (1, 2)]

    def secret(self, label: str) -> bytes:
        return hashlib.sha256(self.root + label.encode()).digest()

    def signer(self, name: str, kind: int = ED25519) -> Signer:
        return Signer.generate(name, self.secret(name), kind)

    def policy(self) -> str:
        """A policy that trusts these keys and asks for both witnesses."""
        cosigners = [f"witness w{n} {key.vkey}" for n, key in enumerate(self.witnesses, start=1)]
        lines = [
            "# keys derived from a seed, worthless",
            f"heads {self.heads.vkey}",
            f"log {self.log.vkey}",
            *cosigners,
            "group both all w1 w2",
            "quorum both",
        ]
        return "\n".join(lines) + "\n"


class _Match:
    """A match while it is written."""

    position: Position
    chains: Chains
    keyed: str
    """The pid of the one player with a key."""

    def __init__(self, keys: _Keys, stream: Stream) -> None:
        self.keys = keys
        self.stream = stream
        self.lines: list[bytes] = []
        self.hashes: list[bytes] = []
        self.hidden: Hidden = {}
        self.player = keys.secret("player")

    def open(self, rules: AnyRules, wish: Wish, options: tuple[tuple[str, str], ...]) -> None:
        """Record 0, and the secrets behind it."""
        m = "m_" + _letters(self.stream, 16)
        self.chains = make(self.keys.secret("chance"), m)
        pub, hid = (Tip(chain.n, chain.tip) for chain in self.chains)
        self.hidden = dict(enumerate(self.chains.hid.elements))
        chance = wish.level != "F0"
        opened = Open(
            serial=1 + self.stream.below(1000),
            game=wish.game,
            version=rules.version,
            options=options,
            seats=wish.seats,
            clock="none",
            level=wish.level,
            heads=self.keys.heads.vkey,
            log=self.keys.log.vkey,
            pub=pub if chance else None,
            hid=hid if chance else None,
        )
        self._keep(write(m, 0, BEGINNING, b"", opened), begin)

    def gather(self, wish: Wish) -> None:
        """The players join, bring their entropy, and get their seats."""
        pids = ["p_" + _letters(self.stream, 10) for _ in range(wish.seats)]
        self.keyed = _one(self.stream, pids)
        entropies = {pid: _bytes(self.stream) for pid in pids}
        for pid in pids:
            self._write(self._joining(pid, entropies[pid], wish.level))
        if wish.level == "F2":
            for pid in self.stream.shuffle(pids):
                ent = entropies[pid]
                self._write(Ent(pid, ent, self._by("ent", pid, player_text(pid=pid, ent=ent))))
        if wish.level == "F0":
            self._write(Start(self.stream.shuffle(sorted(pids))), soon=True)

    def play(self, longest: int) -> None:
        """From the start to the end, at random."""
        while self.position.phase is not Phase.CLOSED:
            body = next_record(self.position, lambda: self.chains)
            if body is not None:
                self._write(body, soon=True)
            elif self.position.n < longest:
                self._move()
            else:
                self._agree()

    def _joining(self, pid: str, entropy: bytes, level: Level) -> Join:
        key = player.public(self.player) if pid == self.keyed else None
        ent = entropy if level == "F1" else None
        entc = commitment(self.position.m, pid, entropy) if level == "F2" else None
        text = player_text(pid=pid, ent=ent, entc=entc, key=key)
        return Join(pid, self._by("join", pid, text), ent, entc, key)

    def _move(self) -> None:
        turn = self.position.turn
        assert isinstance(turn, ToMove)
        rules, seat = self.position.rules, turn.seat
        mv = random_line(self.stream, rules, rules.known(self.position.state, seat), seat)
        text = player_text(seat=seat, mv=mv)
        self._write(Move(seat, mv, self._by("move", pid_of(self.position, seat), text)))

    def _agree(self) -> None:
        for seat in range(1, self.position.opened.seats + 1):
            act: ActKind = "offer-draw" if seat == 1 else "accept-draw"
            text = player_text(seat=seat, act=act)
            self._write(Act(seat, act, self._by("act", pid_of(self.position, seat), text)))

    def _by(self, kind: str, pid: str, text: bytes) -> By:
        """How a player's record came: signed by the one with a key, any other way by the rest."""
        wait = self.position.wait
        on = wait + self.stream.below(self.position.n - wait)
        if pid == self.keyed:
            message = player.message(self.position.m, kind, on, self.hashes[on], text)
            return By(on, "key", text, sig=player.sign(self.player, message))
        via = _one(self.stream, _VIAS)
        return By(on, via, text, ev=_bytes(self.stream) if via == "mail" else None)

    def _write(self, body: Body, *, soon: bool = False) -> None:
        at = self.position
        time = at.at + 1 + self.stream.below(10 if soon else 6 * _HOURS)
        raw = write(at.m, at.n, time, at.hash, body)
        self._keep(raw, lambda record: follow(at, record, self.hidden))

    def _keep(self, raw: bytes, fold: Callable[[Record], Position]) -> None:
        record = read(raw)
        self.position = fold(record)
        self.lines.append(raw)
        self.hashes.append(record.hash)


def random_line(stream: Stream, rules: AnyRules, known: AnyState, seat: int) -> str:
    """A turn line that the seat can send; none that it can send is impossible."""
    for _ in range(_TRIES):
        found = _walk(stream, rules, known, seat)
        if found:
            return found
    raise ValueError(f"no choice of seat {seat} leads to a line that can be sent")


def _walk(stream: Stream, rules: AnyRules, known: AnyState, seat: int) -> str:
    """Choices at random, never one back, until the line can be sent; "" where no way leads on."""
    text, sends = "", False
    while True:
        further = [
            choice
            for choice in line.choices(rules, known, seat, text)
            if choice.mark is not Mark.CHOSEN
        ]
        enough = not further or len(text) > LONGEST_LINE
        if enough or (sends and stream.below(2)):
            return text if sends else ""
        chosen = _one(stream, further)
        text, sends = chosen.line, chosen.sends


def _vouched(keys: _Keys, match: _Match) -> tuple[bytes, str]:
    """The file of a match whose heads are all in a log of their own, and its policy."""
    m = match.position.m
    heads = [head_text(SERVICE, m, n, hash) for n, hash in enumerate(match.hashes, start=1)]
    leaves = [tlog.leaf(head.encode()) for head in heads]
    index = len(leaves) - 1
    leaves += [tlog.leaf(_bytes(match.stream)) for _ in range(match.stream.below(20))]
    checkpoint = tlog.Checkpoint(keys.log.name, len(leaves), tlog.root(leaves)).text
    signed = sign(checkpoint, keys.log) + "".join(
        witness.cosign(checkpoint, match.position.at + 60 + match.stream.below(600))
        for witness in keys.witnesses
    )
    proof = tlog.Proof(index, tlog.path(leaves, index), signed)
    data = join(match.lines, sign(heads[-1], keys.heads), tlog.proof_text(proof))
    return data, keys.policy()


def _one(stream: Stream, things: Sequence[T]) -> T:
    return things[stream.below(len(things))]


def _letters(stream: Stream, count: int) -> str:
    return "".join(_one(stream, IDS) for _ in range(count))


def _bytes(stream: Stream) -> bytes:
    return b"".join(stream.u32().to_bytes(4, "big") for _ in range(8))
