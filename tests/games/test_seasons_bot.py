"""The house player of Seasons of the Sun: what it plays, and that it knows how."""

from __future__ import annotations

import pytest

from games import registry
from games.chance import Stream
from games.core import line
from games.core.rules import Chance, Dice, Over
from games.seasons import bot
from games.seasons.moves import Reroll
from games.seasons.sectors import PLACES, SECTORS
from games.seasons.v1 import RULES, State
from tests.games.sun import place, start, thrown


def lot(seed: int) -> Stream:
    return Stream(seed.to_bytes(32, "big"))


def chosen(state: State, seed: int = 1) -> str:
    return bot.play(RULES.known(state, state.seat), state.seat, lot(seed))


def random(state: State, chance: Stream) -> str:
    moves = list(RULES.legal_moves(state))
    return RULES.notate(moves[chance.below(len(moves))])


def duel(seed: int, bots: int) -> tuple[tuple[int, ...], ...]:
    """The standing of a match; of the two seats this one, or both (3), is played by the house."""
    state, chance = start(), lot(seed)
    while not isinstance(turn := RULES.turn(state), Over):
        if isinstance(turn, Chance):
            assert isinstance(turn.request, Dice)
            state = RULES.apply_chance(state, chance.dice(turn.request.sides))
            continue
        house = turn.seat & bots
        move = bot.play(state, turn.seat, chance) if house else random(state, chance)
        assert line.sends(RULES, state, turn.seat, move)
        state = RULES.apply(state, RULES.parse(move))
    return turn.standing


def test_the_house_is_far_better_than_chance() -> None:
    standings = [(duel(seed, seat), seat) for seed in range(50) for seat in (1, 2)]
    won = sum(standing[seat - 1] > standing[2 - seat] for standing, seat in standings)
    assert won >= 95


def test_the_house_plays_itself_to_the_end() -> None:
    for seed in range(5):
        first, second = duel(seed, 3)
        assert first[0] + second[0] == 120


def test_the_same_lot_gives_the_same_line() -> None:
    for seed in range(20):
        state = thrown(start(), *lot(seed).dice((6, 6, 6)))
        assert chosen(state, seed) == chosen(state, seed)


@pytest.mark.parametrize(
    ("outer", "inner", "dice", "move"),
    [
        ("", "", (6, 6, 6), "max15"),
        ("", "", (1, 1, 1), "min17"),
        ("", "max15:16", (6, 6, 5), "max15"),
        ("max15:3", "min17:4 max13:9", (2, 1, 1), "min17"),
    ],
)
def test_the_house_sees_the_obvious(
    outer: str, inner: str, dice: tuple[int, ...], move: str
) -> None:
    assert chosen(thrown(place(outer, inner), *dice)) == move


def test_the_house_throws_once_more_what_does_not_help() -> None:
    full = " ".join(f"{sector.name}:18" for sector in SECTORS if sector.name != "max15")
    state = place(full, full.replace("18", "17") + " max15:12")
    assert chosen(thrown(state, 2, 3, 6)) == "reroll 1,2"
    assert chosen(thrown(state, 2, 5, 6)) == "max15"


def test_the_house_has_only_one_more_throw() -> None:
    state = thrown(start(), 3, 3, 4)._replace(fresh=False)
    assert chosen(state) in PLACES


def test_a_throw_once_more_is_counted_over_all_cases() -> None:
    worth = {total: total for total in bot.SUMS}
    assert bot.expected((1, 4, 6), bot.STAY, worth) == 216 * 11
    assert bot.expected((1, 4, 6), Reroll((1,)), worth) == 36 * (6 * 10 + 21)
    assert bot.expected((1, 4, 6), Reroll((1, 2, 3)), worth) == 216 * 21 // 2
    assert bot.best_reroll((1, 4, 6), worth) == Reroll((1,))
    assert bot.best_reroll((4, 5, 6), worth) == bot.STAY


def test_how_often_a_sum_is_beaten() -> None:
    assert bot.beaten(True, 18) == 0
    assert bot.beaten(False, 3) == 0
    assert [bot.beaten(True, 21 - sum_) for sum_ in bot.SUMS] == [
        bot.beaten(False, sum_) for sum_ in bot.SUMS
    ]
    counts = [bot.beaten(True, sum_) for sum_ in bot.SUMS]
    assert counts == sorted(counts, reverse=True)
    assert bot.beaten(True, 17) == _three_sixes()


def _three_sixes() -> int:
    """All dice but the sixes are thrown once more."""
    return sum(216 // 6 ** sum(eyes != 6 for eyes in dice) for dice in bot.THROWS)


def test_a_sum_that_nobody_beats_is_worth_its_sector() -> None:
    for sector in SECTORS:
        best, worst = (18, 3) if sector.highest else (3, 18)
        for fields in range(12):
            assert bot.prospect(sector, best, fields) == sector.points * bot.POINT
        assert bot.prospect(sector, worst, 11) < -sector.points * bot.POINT * 9 // 10


def test_the_registry_finds_the_house_player() -> None:
    state = thrown(start(), 6, 6, 6)
    assert registry.bot("seasons").play(state, 1, lot(1)) == "max15"
