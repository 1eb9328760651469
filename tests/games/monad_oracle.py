"""Monad once more, told in another way: lists that change, one long list of conditions.

It shares nothing with the rules under test but the spelling of moves and cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

HIGHER = {1: 3, 3: 7, 7: 16, 16: 36, 36: 80}


def value(card: str) -> int:
    return int(card[1:])


class Refused(Exception):
    """The move is against the rules; `held` says whether the cards were there."""

    def __init__(self, *, held: bool = True) -> None:
        super().__init__(held)
        self.held = held


class Oracle:
    """A match after its set-up."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        stamm: Sequence[str],
        groups: Mapping[int, Sequence[str]],
        options: Mapping[str, str],
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.stamm = list(stamm)
        self.groups = {level: list(cards) for level, cards in groups.items()}
        self.options = dict(options)
        self.stock: list[str] = []
        self.discard: list[str] = []
        self.monads = [0] * len(hands)
        self.seat = 0
        self.passed = 0
        self.over = ""
        self.begin()

    def begin(self) -> None:
        """A turn begins."""
        self.exchanged = 0
        self.leaps = 0
        self.rights: list[tuple[int, int]] = []
        self.bonus = False

    def play(self, text: str) -> None:
        """Plays a move. Raises Refused."""
        word, *rest = text.split(" ")
        if word in ("sum", "pair", "leap"):
            cards = rest[: rest.index(">")] if ">" in rest else rest
            if Counter(cards) - Counter(self.hands[self.seat]):
                raise Refused(held=False)
            self.need(not self.over)
            self.exchange(cards, self.price(word, cards, rest[-1]))
            self.leaps += word == "leap"
        else:
            self.need(not self.over)
            {
                "draw": self.draw,
                "flip": self.flip,
                "pass": self.idle,
                "end": self.end,
                "bonus": lambda: self.take_bonus(int(rest[0])),
            }[word]()

    def need(self, condition: object) -> None:
        if not condition:
            raise Refused

    def price(self, word: str, cards: list[str], last: str) -> int:
        """What the exchange brings."""
        values = [value(card) for card in cards]
        if word == "sum":
            level = 80 if last == "monad" else int(last)
            self.need(all(one < level for one in values) and sum(values) >= level)
            if self.options["overpay"] == "tight":
                self.need(all(sum(values) - one < level for one in values))
            return level
        if word == "leap":
            self.need(self.exchanged and set(values) == {1} and len(set(cards)) == len(cards))
            self.need(self.options["leap-limit"] == "none" or not self.leaps)
            return {4: 7, 5: 16, 6: 36}[len(cards)]
        return self.of_pair(*cards)

    def of_pair(self, one: str, two: str) -> int:
        self.need(one[0].isupper() != two[0].isupper())
        joker = self.stamm[self.seat]
        if value(one) == value(two):
            return HIGHER[value(one)]
        self.need(joker in (one[0], two[0]))
        mine, partner = (one, two) if one[0] == joker else (two, one)
        self.need(value(mine) >= 3)
        return HIGHER[value(partner)]

    def exchange(self, cards: list[str], level: int) -> None:
        self.need(level == 80 or self.groups[level])
        hand = self.hands[self.seat]
        gained = "" if level == 80 else self.groups[level].pop(0)
        for card in cards:
            hand.remove(card)
            (self.discard if value(card) == 1 else self.groups[value(card)]).append(card)
        if gained:
            hand.append(gained)
        else:
            self.monads[self.seat] += 1
            self.win()
        self.exchanged += 1
        if len(cards) == 2 and {cards[0].lower()} == {cards[1].lower()}:
            self.rights.append((level, self.exchanged))

    def win(self) -> None:
        seats = range(len(self.monads))
        team = self.options["team"] == "yes"
        mates = [seat for seat in seats if (seat - self.seat) % 2 == 0] if team else [self.seat]
        if sum(self.monads[seat] for seat in mates) >= int(self.options["target"]):
            self.over = "monads"

    def take_bonus(self, level: int) -> None:
        prompt = self.options["bonus-timing"] == "immediate"
        rights = [right for right, when in self.rights if not prompt or when == self.exchanged]
        self.need(not self.bonus and level in rights)
        self.bonus = True
        piles = [self.groups[lower] for lower in (36, 16, 7, 3) if lower < level] + [self.stock]
        for pile in piles:
            if pile:
                self.hands[self.seat].append(pile.pop(0))
            elif self.options["bonus-chain"] == "break":
                return

    def draw(self) -> None:
        self.need(self.stock and not self.exchanged)
        self.hands[self.seat].append(self.stock.pop(0))
        self.next()

    def flip(self) -> None:
        self.need(self.discard and not self.stock and not self.exchanged)
        self.stock, self.discard = self.discard, []
        self.next()

    def idle(self) -> None:
        self.need(not self.exchanged)
        if self.options["pass"] == "stuck-only":
            self.need(not self.stock and not self.discard and not self.could_exchange())
        self.passed += 1
        self.next(self.passed)

    def end(self) -> None:
        self.need(self.exchanged)
        self.next()

    def next(self, passed: int = 0) -> None:
        self.passed = passed
        rounds = 2 if self.options["pass"] == "free" else 1
        if passed == rounds * len(self.hands):
            self.over = "passed"
        self.seat = (self.seat + 1) % len(self.hands)
        self.begin()

    def could_exchange(self) -> bool:
        hand = self.hands[self.seat]
        for one in hand:
            for two in hand:
                try:
                    level = self.of_pair(one, two)
                except Refused:
                    continue
                if level == 80 or self.groups[level]:
                    return True
        return any(
            (level == 80 or self.groups[level])
            and sum(value(card) for card in hand if value(card) < level) >= level
            for level in (3, 7, 16, 36, 80)
        )

    def final(self) -> dict[str, object]:
        """The state as rules.md, section 8, asks for it."""

        def order(cards: list[str]) -> list[str]:
            return sorted(cards, key=lambda card: ("ABCabc".index(card[0]), value(card)))

        seats = [f"s{seat}" for seat in range(1, len(self.hands) + 1)]
        return {
            "discard": self.discard,
            **{f"g{level}": cards for level, cards in self.groups.items()},
            "hands": dict(zip(seats, map(order, self.hands), strict=True)),
            "monads": dict(zip(seats, self.monads, strict=True)),
            "stamm": dict(zip(seats, self.stamm, strict=True)),
            "stock": self.stock,
        }
