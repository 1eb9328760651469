"""Seasons of the Sun once more, written naively from the text of the rules: an oracle for tests.

It shares no code and no idea with games/seasons: a dictionary of stones, moves as text, the whole
score counted anew every time it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MAX = (5, 8, 9, 10, 13, 15)
MIN = (9, 10, 11, 13, 17)
SECTORS = [f"max{worth}" for worth in MAX] + [f"min{worth}" for worth in MIN]
MASKS = [f"reroll {dice}" for dice in ("1", "2", "3", "1,2", "1,3", "2,3", "1,2,3")]


@dataclass
class Oracle:
    stones: dict[tuple[int, str], int] = field(default_factory=dict)
    """By seat and sector."""
    seat: int = 1
    dice: list[int] = field(default_factory=list)
    cup: list[int] = field(default_factory=lambda: [0, 1, 2])
    used: bool = False
    over: bool = False
    placed: int = 0
    neutralised: int = 0

    def asked(self) -> int:
        """How many dice are to be thrown."""
        return len(self.cup)

    def roll(self, eyes: list[int]) -> None:
        if len(self.cup) == 3:
            self.dice = [0, 0, 0]
        for position, one in zip(self.cup, eyes, strict=True):
            self.dice[position] = one
        self.cup = []

    def legal(self) -> list[str]:
        if self.over or self.cup:
            return []
        free = [sector for sector in SECTORS if (self.seat, sector) not in self.stones]
        return free if self.used else free + MASKS

    def play(self, move: str) -> None:
        if move.startswith("reroll "):
            self.cup = [int(digit) - 1 for digit in move[7:].split(",")]
            self.used = True
            return
        self.placed += 1
        other = 3 - self.seat
        total, there = sum(self.dice), self.stones.get((other, move))
        again = False
        if there is None:
            self.stones[self.seat, move] = total
        elif there == total:
            del self.stones[other, move]
            self.neutralised += 1
        else:
            self.stones[self.seat, move] = total
            again = self.winner(move) == self.seat
        self.pass_on(self.seat if again else other)

    def pass_on(self, candidate: int) -> None:
        self.cup, self.used = [0, 1, 2], False
        self.seat = 3 - candidate if self.full(candidate) else candidate
        if self.full(1) and self.full(2):
            self.over, self.cup = True, []

    def full(self, seat: int) -> bool:
        return all((seat, sector) in self.stones for sector in SECTORS)

    def winner(self, sector: str) -> int:
        sums = [self.stones[seat, sector] for seat in (1, 2)]
        best = max(sums) if sector.startswith("max") else min(sums)
        return sums.index(best) + 1

    def score(self, seat: int) -> tuple[int, int]:
        """Points and sectors."""
        won = [sector for sector in SECTORS if self.winner(sector) == seat]
        return sum(int(sector[3:]) for sector in won), len(won)
