"""Monad against an oracle, and what holds in every match whatever is played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import line
from games.core.rules import BYSTANDER, OPEN, IllegalMove, NotHeld, Over, ToMove, Viewer
from games.monad.cards import FACES, LEAPS, LEVELS, ordered
from games.monad.choosing import choices
from games.monad.moves import Bonus, Draw, End, Flip, Leap, Move, Pair, Pass, Sum, notate
from games.monad.state import State
from games.monad.v1 import RULES
from tests.games.ladder import GROUPS, after, dealt, every_card, place, settled, start, whole
from tests.games.monad_oracle import Oracle, Refused

ANY = {option.name: option for option in RULES.options}


def wish(random: Random) -> tuple[int, dict[str, str]]:
    """Seats and options of a match, each as likely as any other."""
    seats = random.choice((2, 3, 4))
    given = {name: random.choice(option.words) for name, option in ANY.items() if option.words}
    if seats < 4:
        given["team"] = "no"
    if random.random() < 0.5:
        given["target"] = str(random.randint(1, 10))
    return seats, given


def opened(random: Random, **fixed: str) -> tuple[State, dict[str, str]]:
    """A match after its set-up, with all its options."""
    seats, given = wish(random)
    given |= {name.replace("_", "-").strip("-"): value for name, value in fixed.items()}
    named = {name.replace("-", "_"): value for name, value in given.items()}
    state = settled(start(seats, **named), random)
    options = {name: given.get(name, "") for name in ANY}
    return state, options | {"target": str(state.terms.target)}


def anything(state: State, random: Random) -> str:
    """A move that may be legal: one of the list, or cards and levels at random."""
    hand = list(state.player.hand) if random.random() < 0.9 else list(FACES)
    if random.random() < 0.6:
        return random.choice(list(map(notate, RULES.legal_moves(state))))
    cards = tuple(random.sample(hand, min(len(hand), random.randint(2, 7))))
    level = random.choice(LEVELS)
    made: list[Move] = [Bonus(level), Draw(), Flip(), Pass(), End()]
    if len(cards) >= 2:
        made += [Pair(cards[:2]), Sum(cards, level), Sum(cards, level)]
    if len(cards) in LEAPS:
        made.append(Leap(cards))
    return notate(random.choice(made))


def answer(state: State, text: str) -> tuple[str, State]:
    """What the rules say to a move, and the state after it."""
    try:
        return "", RULES.apply(state, RULES.parse(text))
    except NotHeld:
        return "not held", state
    except IllegalMove:
        return "illegal", state


def told(oracle: Oracle, text: str) -> str:
    try:
        oracle.play(text)
    except Refused as refused:
        return "illegal" if refused.held else "not held"
    return ""


@pytest.mark.parametrize("seed", range(30))
def test_the_oracle_says_the_same_to_every_move(seed: int) -> None:
    random = Random(seed)
    state, options = opened(random, flip="turn")
    oracle = Oracle(
        [player.hand for player in state.players],
        [player.stamm for player in state.players],
        dict(zip((3, 7, 16, 36), state.groups, strict=True)),
        options,
    )
    for _ in range(150):
        if state.end:
            break
        text = anything(state, random)
        said, state = answer(state, text)
        assert told(oracle, text) == said, text
        assert RULES.final(state) == oracle.final()
        assert state.end == oracle.over
        assert state.end or state.seat == oracle.seat + 1


def positions(seed: int, moves: int = 120, **fixed: str) -> Iterator[State]:
    """A match played at random, with every position in which a seat is to move."""
    random = Random(seed)
    state, _ = opened(random, **fixed)
    for _ in range(moves):
        state = settled(state, random)
        if isinstance(RULES.turn(state), Over):
            return
        yield state
        state = RULES.apply(state, random.choice(list(RULES.legal_moves(state))))


@pytest.mark.parametrize("seed", range(20))
def test_no_card_is_lost_or_added(seed: int) -> None:
    for state in positions(seed):
        assert every_card(state) == whole(len(state.players))


@pytest.mark.parametrize("seed", range(20))
def test_what_others_have_not_seen_is_part_of_the_hand(seed: int) -> None:
    for state in positions(seed):
        for player in state.players:
            unseen = list(player.secret + player.drawn)
            assert unseen == [card for card in unseen if card[1:] == "1"]
            rest = list(player.hand)
            for card in unseen:
                rest.remove(card)


@pytest.mark.parametrize("seed", range(20))
def test_somebody_can_always_do_something(seed: int) -> None:
    for state in positions(seed, stuck_reveal="yes", pass_="stuck-only"):
        assert state.passes < len(state.players)


@pytest.mark.parametrize("seed", range(12))
def test_random_matches_come_to_an_end(seed: int) -> None:
    random = Random(seed)
    state, _ = opened(random, target="1")
    while not state.end:
        state = settled(state, random)
        state = RULES.apply(state, random.choice(list(RULES.legal_moves(state))))
    over = RULES.turn(state)
    assert isinstance(over, Over)
    assert over.reason in ("monads", "passed")
    assert (max(over.standing) == (1,)) is (over.reason == "monads")


def hidden(state: State, seat: int, viewer: Viewer) -> list[str]:
    """The cards of a hand that a viewer does not see."""
    player = state.players[seat - 1]
    if seat == viewer or state.terms.open:
        return []
    if isinstance(viewer, int) and len(state.players) == 2:
        return list(player.drawn)
    return list(player.secret + player.drawn)


def changed(state: State, viewer: Viewer, random: Random) -> State:
    """The state with what the viewer does not see dealt out anew."""
    seats = range(1, len(state.players) + 1)
    unseen = {seat: hidden(state, seat, viewer) for seat in seats}
    pool = [card for cards in unseen.values() for card in cards]
    pool += state.stock if state.terms.shuffled else ()
    random.shuffle(pool)
    players = []
    for seat, player in zip(seats, state.players, strict=True):
        new = [pool.pop() for _ in unseen[seat]]
        hand = list(player.hand)
        for card in unseen[seat]:
            hand.remove(card)
        kept = len(player.secret) if len(new) > len(player.drawn) else 0
        players.append(
            player._replace(
                hand=ordered((*hand, *new)),
                secret=ordered(new[:kept]) if kept else player.secret,
                drawn=ordered(new[kept:]) if new else player.drawn,
            )
        )
    stock = tuple(pool) if state.terms.shuffled else state.stock
    return state._replace(players=tuple(players), stock=stock)


def viewers(state: State) -> list[Viewer]:
    return [BYSTANDER, *range(1, len(state.players) + 1)]


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_what_a_seat_cannot_see_makes_no_difference_to_it(seed: int, random: Random) -> None:
    state = random.choice(list(positions(seed, 40)))
    for viewer in viewers(state):
        other = changed(state, viewer, random)
        known = RULES.known(state, viewer)
        assert RULES.known(other, viewer) == known
        assert RULES.view(other, viewer) == RULES.view(state, viewer) == RULES.view(known, viewer)
        if RULES.turn(state) != ToMove(state.seat) or viewer != state.seat:
            continue
        assert choices(RULES.known(other, viewer), "") == choices(known, "")
        for text in (anything(state, random) for _ in range(6)):
            found, same = answer(state, text), answer(other, text)
            assert found[0] == same[0]
            assert RULES.known(found[1], viewer) == RULES.known(same[1], viewer) or (
                state.terms.shuffled and text.split()[0] in ("draw", "bonus")
            )


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_what_is_legal_for_the_knower_is_legal(seed: int, random: Random) -> None:
    state = random.choice(list(positions(seed, 40)))
    known = RULES.known(state, state.seat)
    for text in (anything(state, random) for _ in range(10)):
        assert answer(known, text)[0] == answer(state, text)[0]


def test_two_seats_know_each_others_cards() -> None:
    for state in positions(3, flip="turn", team="no"):
        for viewer in (1, 2):
            if len(state.players) == 2:
                assert RULES.known(state, viewer).players == state.players


def test_a_bystander_of_two_sees_no_card_of_the_deal() -> None:
    state = dealt(2)
    assert all(player.hand == ("?",) * 6 for player in RULES.known(state, BYSTANDER).players)
    assert RULES.known(state, OPEN) == state


def test_paid_cards_are_taken_from_those_that_are_known() -> None:
    state = place("A1 A1 b1", "B1 c1", "C1", stock="A1")
    first, *others = state.players
    state = state._replace(players=(first._replace(secret=("A1", "b1")), *others))
    seen = RULES.known(after(state, "pair A1 b1"), 2)
    assert seen.players[0].hand == ("C3", "?")
    assert after(state, "pair A1 b1").players[0].secret == ("A1",)


def test_of_two_equal_cards_the_one_that_the_other_seat_knows_is_paid_first() -> None:
    state = place("A1 b1", "B1", stock="A1 C1 c1", flip="shuffle")
    state = after(after(after(state, "draw"), "draw"), "pair A1 b1; end")
    assert RULES.known(state, 2).players[0].hand == ("C3", "?")


def test_what_is_drawn_from_a_shuffled_stock_is_secret() -> None:
    three = after(place("A1", "B1", "C1", stock="a1 b1", flip="shuffle"), "draw")
    assert RULES.known(three, 2).players[0].hand == ("?", "?")
    assert RULES.known(three, 2).stock == ("?",)
    assert RULES.view(three, 1).lately[0].cards == ("a1",)
    assert RULES.view(three, 2).lately[0].cards == ("?",)


def test_two_seats_work_out_a_shuffled_stock_when_it_is_used_up() -> None:
    state = place("A1", "B1", stock="a1 b1", flip="shuffle")
    state = after(state, "draw")
    assert RULES.known(state, 2).players[0].hand == ("A1", "?")
    state = after(state, "draw")
    assert RULES.known(state, 2).players[0].hand == ("A1", "a1")
    assert RULES.known(state, BYSTANDER).players[0].hand == ("?", "?")


def test_a_card_drawn_in_a_preview_is_not_seen() -> None:
    state = RULES.known(place("A1 a1", "B1", stock="c1 b1", flip="shuffle"), 1)
    shown = line.preview(RULES, state, 1, "pair A1 a1; bonus 3")
    assert shown.players[0].hand == ("C3", "?")
    assert [choice.thing for choice in choices(shown, "") if choice.thing] == []
    with pytest.raises(NotHeld):
        line.choices(RULES, state, 1, "pair A1 a1; bonus 3; c1")


def test_open_hands_are_seen_by_everybody() -> None:
    state = place("A1", "B1", "C1", stock="a1 b1", open_hands="yes", flip="shuffle")
    state = after(state, "draw")
    assert RULES.known(state, BYSTANDER).players == state.players
    assert RULES.known(state, 3).stock == ("?",)


def every_line(state: State) -> dict[str, bool]:
    """All lines of one move that choices lead to, with what is said about sending them."""
    found: dict[str, bool] = {}
    begun = [""]
    while begun:
        for choice in choices(state, begun.pop()):
            if choice.line not in found:
                begun.append(choice.line)
            found[choice.line] = found.get(choice.line, False) or choice.sends
    return found


def payments(state: State) -> set[str]:
    """All legal exchanges, found by trying every selection in every order."""
    hand, found = state.player.hand, set()
    for count in range(1, len(hand) + 1):
        for cards in set(permutations(hand, count)):
            tried: list[Move] = [Sum(cards, level) for level in LEVELS]
            tried += [Pair(cards)] * (count == 2) + [Leap(cards)] * (count in LEAPS)
            found.update(notate(move) for move in tried if answer(state, notate(move))[0] == "")
    return found


@pytest.mark.parametrize("overpay", ["any", "tight"])
@pytest.mark.parametrize("seed", range(12))
def test_choices_lead_to_every_legal_payment_in_every_order(seed: int, overpay: str) -> None:
    random = Random(seed)
    high = random.sample([face for face in FACES if not face.endswith("1")], 3)
    ones = random.choices(["A1", "B1", "C1", "a1", "b1", "c1"], k=3)
    groups = tuple(random.choice((cards, "")) for cards in GROUPS)
    state = place(" ".join(high + ones), "", overpay=overpay, stamm="Ac", groups=groups)
    sent = {text for text, sends in every_line(state).items() if sends}
    listed = {text for text in sent if text.split()[0] in ("sum", "pair", "leap")}
    assert listed == payments(state)


def test_a_hand_of_twenty_is_chosen_from_at_once() -> None:
    """A list of payments would have a million of them, and more in every order."""
    cards = "A1 B1 C1 a1 b1 c1 A3 B3 C3 a3 b3 c3 A7 B7 C7 a7 A16 B16 a16 A36"
    for overpay in ("any", "tight"):
        state = place(cards, "", groups=("", "c7", "C16", "C36"), overpay=overpay)
        begun = ""
        for _ in range(4):
            found = choices(state, begun)
            assert len(found) > 10
            begun = next(one.line for one in found if len(one.line) > len(begun) and not one.sends)
