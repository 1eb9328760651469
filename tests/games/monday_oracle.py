"""Black Monday once more, written naively from the text: lists that change, every move looked up.

It shares nothing with the game but the notation. Cards are `R9`, moves are their stored texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

COLOURS = "RBPY"
WINDOW = {"R": (2, 3), "B": (3, 4), "P": (4, 5), "Y": (5, 6)}
ALL = [f"{colour}{value}" for colour in COLOURS for value in range(1, 14) for _ in (1, 2)]


def colour(card: str) -> str:
    return card[0]


def value(card: str) -> int:
    return int(card[1:])


def worth(card: str) -> int:
    """How many shares a card is."""
    return value(card) if value(card) <= 10 else 5


class Oracle:
    """A match in progress."""

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        self.seats = list(range(1, seats + 1))
        self.options = options
        self.money = dict.fromkeys(self.seats, 200)
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.laid: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.prices: dict[str, int] = {}
        self.piles: dict[str, str] = {}
        self.talon: list[str] = []
        self.discard: list[str] = []
        self.order = [*self.seats]
        self.seat = 1
        self.done: list[str] = []
        self.old: list[str] = []
        self.passed = 0
        self.last_round: list[int] | None = None
        self.waits = "prices"
        self.over = ""

    def wanted(self) -> list[str]:
        """The cards of a shuffle that is waited for."""
        if self.waits == "deal":
            cards = [*ALL]
            for card in self.piles.values():
                cards.remove(card)
            return cards
        return [*sorted(self.discard, key=ALL.index), "END"]

    def chance(self, outcome: Sequence[int | str]) -> None:
        if self.waits == "prices":
            for letter, eyes in zip(COLOURS, outcome, strict=True):
                self.prices[letter] = -(-int(eyes) // 2)
                self.piles[letter] = f"{letter}{self.prices[letter]}"
            self.waits = "deal"
            return
        cards = [str(card) for card in outcome]
        if self.waits == "deal":
            for _ in range(8):
                for seat in self.seats:
                    self.hands[seat].append(cards.pop(0))
            self.talon, self.waits = cards, ""
            self.old = []
            return
        self.talon, self.discard, self.waits = cards, [], ""
        self.refill()

    def kinds(self) -> list[str]:
        """Whether each move of this turn was a price or a trade."""
        return ["price" if move.split()[0] in ("price", "crash") else "trade" for move in self.done]

    def fits(self, kind: str) -> bool:
        """Whether a move of this kind keeps the turn in two blocks."""
        order = [*self.kinds(), kind]
        changes = sum(one != other for one, other in pairwise(order))
        return changes <= 1

    def legal(self) -> list[str]:
        """All legal moves, in any order."""
        if self.over or self.waits:
            return []
        hand, laid = self.hands[self.seat], self.laid[self.seat]
        found = [move for card in sorted({*hand}) for move in self.uses(card)]
        if self.fits("trade"):
            found += [f"sell {card}" for card in sorted({*laid}) if self.may_sell(card)]
        if self.done:
            return [*found, "end"]
        for count in (1, 2, 3, 4):
            sets = {tuple(sorted(some, key=ALL.index)) for some in combinations(hand, count)}
            found += ["swap " + " ".join(some) for some in sets]
        return [*found, "pass"] if self.options["pass"] == "yes" else found

    def uses(self, card: str) -> list[str]:
        """What can be done with a hand card but exchange it."""
        found, price = [], self.prices[colour(card)]
        down, up = WINDOW[colour(card)]
        if self.fits("price") and self.kinds().count("price") < 2:
            if price - down <= value(card) <= price + up:
                found.append(f"price {card}")
            if value(card) > 10 and (price <= down or self.options["zero-bound"] == "free"):
                found.append(f"crash {card}")
        bought = sum(move.startswith("buy") for move in self.done)
        if self.fits("trade") and bought < 2 and self.may_buy(card, price):
            found.append(f"buy {card}")
        return found

    def may_buy(self, card: str, price: int) -> bool:
        own = sum(worth(other) for other in self.laid[self.seat] if colour(other) == colour(card))
        return (
            (value(card) <= 10 or self.options["court-shares"] == "on")
            and (price > 0 or self.options["buy-at-zero"] == "yes")
            and own + worth(card) <= 12
            and worth(card) * price <= self.money[self.seat]
        )

    def may_sell(self, card: str) -> bool:
        return self.options["round-trip"] == "allow" or not self.done or card in self.old

    def play(self, move: str) -> None:
        word, *cards = move.split()
        hand, laid = self.hands[self.seat], self.laid[self.seat]
        if word in ("pass", "end", "swap"):
            self.passed = (
                self.passed + 1 if word == "pass" else 0 if word == "swap" else self.passed
            )
            for card in cards:
                hand.remove(card)
                self.discard.append(card)
            self.refill()
            return
        if not self.done:
            self.old, self.passed = [*laid], 0
        self.done.append(move)
        card = cards[0]
        price = self.prices[colour(card)]
        if word == "buy":
            hand.remove(card)
            laid.append(card)
            self.money[self.seat] -= worth(card) * price
        elif word == "sell":
            laid.remove(card)
            if card in self.old:
                self.old.remove(card)
            self.discard.append(card)
            self.money[self.seat] += worth(card) * price
        else:
            hand.remove(card)
            self.discard.append(self.piles[colour(card)])
            self.piles[colour(card)] = card
            self.prices[colour(card)] = value(card) if word == "price" else 0
            if word == "crash":
                self.bankrupt(colour(card))

    def bankrupt(self, letter: str) -> None:
        for seat in self.seats:
            lost = [card for card in self.laid[seat] if colour(card) == letter]
            self.discard += lost
            self.laid[seat] = [card for card in self.laid[seat] if colour(card) != letter]
            self.old = [card for card in self.old if colour(card) != letter]

    def refill(self) -> None:
        """One card after the other."""
        hand = self.hands[self.seat]
        while self.last_round is None:
            if not self.talon and (len(hand) < 8 or self.options["reshuffle"] == "eager"):
                self.waits = "talon"
                return
            if len(hand) >= 8:
                break
            card = self.talon.pop(0)
            if card == "END":
                if self.options["end-card"] == "immediate":
                    self.over = "closed"
                    return
                self.last_round = [seat for seat in self.order if seat > self.seat]
                break
            hand.append(card)
        self.turn_over()

    def turn_over(self) -> None:
        self.done, self.old = [], []
        if self.last_round is not None:
            if not self.last_round:
                self.over = "closed"
            else:
                self.seat = self.last_round.pop(0)
            return
        if self.passed >= 2 * len(self.order):
            self.over = "passed"
            return
        later = [seat for seat in self.order if seat > self.seat]
        self.seat = (later or self.order)[0]

    def leave(self, seat: int) -> None:
        self.order.remove(seat)
        if self.last_round is not None and seat in self.last_round:
            self.last_round.remove(seat)
        if seat == self.seat:
            self.turn_over()

    def standing(self) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for seat in self.seats:
            wealth = self.money[seat]
            wealth += sum(worth(card) * self.prices[colour(card)] for card in self.laid[seat])
            found.append((wealth, self.money[seat])[: 1 + (self.options["tie"] == "cash")])
        return found

    def final(self) -> dict[str, object]:
        if not self.hands[1] and self.waits in ("prices", "deal"):
            return {}

        def listed(cards: list[str]) -> list[str]:
            return sorted(cards, key=ALL.index)

        return {
            "discard": listed(self.discard),
            "hands": {f"s{seat}": listed(self.hands[seat]) for seat in self.seats},
            "money": {f"s{seat}": self.money[seat] for seat in self.seats},
            "prices": {letter.lower(): self.prices[letter] for letter in COLOURS},
            "shares": {f"s{seat}": listed(self.laid[seat]) for seat in self.seats},
            "talon": [*self.talon],
        }
