"""Malawi once more, written naively from the text of the rules: an oracle for the tests.

It shares no code and no idea with games/malawi: coordinates, a dictionary of pieces, moves as
text, every legal move by trying all, every position of the match remembered whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

Place = tuple[int, int]


@dataclass
class Soldier:
    seat: int
    strength: int


@dataclass
class Oracle:
    options: Mapping[str, str]
    pieces: dict[Place, Soldier] = field(default_factory=dict)
    seat: int = 1
    pending: Place | None = None
    seen: Counter[Hashable] = field(default_factory=Counter)
    dull: int = 0
    result: tuple[str, int] | None = None

    @classmethod
    def start(cls, options: Mapping[str, str]) -> Oracle:
        oracle = cls(options)
        for column in range(oracle.size):
            oracle.pieces[0, column] = Soldier(1, 2)
            oracle.pieces[oracle.size - 1, column] = Soldier(2, 2)
        oracle.seen[oracle.position()] += 1
        return oracle

    @property
    def size(self) -> int:
        return int(self.options["board-size"])

    @property
    def most(self) -> float:
        limit = self.options["max-strength"]
        return float("inf") if limit == "none" else int(limit)

    @property
    def patience(self) -> float:
        wanted = self.options["no-progress"]
        return float("inf") if wanted == "off" else int(wanted)

    def goal_row(self, seat: int) -> int:
        return self.size - 1 if seat == 1 else 0

    def position(self) -> Hashable:
        placed = ((place, one.seat, one.strength) for place, one in self.pieces.items())
        return self.seat, self.pending, frozenset(placed)

    def legal(self) -> list[str]:
        if self.result:
            return []
        found = [move for place in sorted(self.pieces) for move in self.possible(place)]
        if self.options["repetition"] != "forbid":
            return found
        return [move for move in found if not self.third(move)]

    def possible(self, place: Place) -> Iterator[str]:
        soldier = self.pieces[place]
        if soldier.seat != self.seat or soldier.strength == 0:
            return
        for target in self.reached_from(place):
            victim = self.pieces.get(target)
            if victim is None:
                yield f"{name(place)}-{name(target)}"
            elif victim.seat != self.seat and victim.strength > 0:
                yield f"{name(place)}x{name(target)}"
        able = sorted(
            other
            for other, one in self.pieces.items()
            if other != place and one.seat == self.seat and one.strength < self.most
        )
        count = min(soldier.strength, len(able))
        for some in combinations(able, count):
            if some:
                yield f"{name(place)}:{','.join(map(name, some))}"

    def reached_from(self, place: Place) -> Iterator[Place]:
        strength = self.pieces[place].strength
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            way = [
                (place[0] + down * step, place[1] + right * step) for step in range(1, strength + 1)
            ]
            inside = all(0 <= part < self.size for square in way for part in square)
            if inside and not any(square in self.pieces for square in way[:-1]):
                yield way[-1]

    def can_be_captured(self, place: Place) -> bool:
        return any(
            one.seat != self.pieces[place].seat
            and one.strength > 0
            and place in self.reached_from(other)
            for other, one in self.pieces.items()
        )

    def third(self, move: str) -> bool:
        if max(self.seen.values()) < 2:
            return False
        pieces = {place: replace(one) for place, one in self.pieces.items()}
        trial = replace(self, pieces=pieces, seen=Counter())
        trial.act(move)
        return trial.result is None and self.seen[trial.position()] >= 2

    def play(self, move: str) -> None:
        """Plays a legal move, and finds whether the match is over."""
        self.act(move)
        if self.result:
            return
        if self.repeats():
            self.result = ("repetition", 0)
        elif self.dull >= self.patience:
            self.result = ("no-progress", 0)

    def repeats(self) -> bool:
        if self.options["repetition"] == "forbid":
            return not self.legal()
        return self.options["repetition"] == "draw" and self.seen[self.position()] >= 3

    def act(self, move: str) -> None:
        """What a move does, up to a win."""
        points = sum(one.strength for one in self.pieces.values())
        place, arrived = at(move[:2]), None
        if move[2] == "-":
            arrived = self.walk(place, at(move[3:]))
        elif move[2] == "x":
            self.pieces[at(move[3:])].strength = 0
        else:
            self.pieces[place].strength = 0
            for receiver in move[3:].split(","):
                self.pieces[at(receiver)].strength += 1
        lost = sum(one.strength for one in self.pieces.values()) < points
        self.dull = 0 if lost else self.dull + 1
        self.judge(arrived)
        self.seen[self.position()] += 1

    def walk(self, place: Place, target: Place) -> Place | None:
        """Moves the piece; says where it is if this counts as reaching the goal."""
        self.pieces[target] = self.pieces.pop(place)
        row = self.goal_row(self.seat)
        left_out = self.options["reentry"] == "leave" and place[0] == row
        return target if target[0] == row and not left_out else None

    def judge(self, arrived: Place | None) -> None:
        """Wins in their order, then the other side's turn."""
        mover, waiting = self.seat, self.pending
        self.pending = None
        if self.wins(arrived):
            return
        if waiting is not None and self.pieces[waiting].strength > 0:
            self.result = ("goal", 3 - mover)
        elif arrived is not None and self.options["goal"] == "survives":
            self.pending = arrived
        self.seat = 3 - mover

    def wins(self, arrived: Place | None) -> bool:
        others = [one for one in self.pieces.values() if one.seat != self.seat]
        if all(one.strength == 0 for one in others):
            self.result = ("exhausted", self.seat)
        elif self.is_home(arrived) or any(map(self.stands, self.pieces)):
            self.result = ("goal", self.seat)
        return self.result is not None

    def is_home(self, place: Place | None) -> bool:
        if place is None:
            return False
        return self.options["goal"] == "reach" or not self.can_be_captured(place)

    def stands(self, place: Place) -> bool:
        if self.options["reentry"] != "state":
            return False
        one = self.pieces[place]
        at_goal = one.seat == self.seat and place[0] == self.goal_row(self.seat)
        return at_goal and one.strength > 0 and not self.can_be_captured(place)


def name(place: Place) -> str:
    return "abcdefgh"[place[0]] + str(place[1] + 1)


def at(square: str) -> Place:
    return "abcdefgh".index(square[0]), int(square[1]) - 1
