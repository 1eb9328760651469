"""Highest, version 1."""

from __future__ import annotations

from typing import NamedTuple

from games.core.rules import (
    BadOptions,
    Chance,
    Choice,
    Dice,
    IllegalMove,
    MalformedMove,
    NotHeld,
    Option,
    Options,
    Outcome,
    Over,
    Rules,
    Shuffle,
    ToMove,
    Turn,
    Viewer,
    say,
)

HIDDEN = "?"


class State(NamedTuple):
    hands: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]
    seat: int
    teams: bool
    dealt: bool = False
    rolling: bool = False
    gone: tuple[int, ...] = ()


def setup(seats: int, options: Options) -> State:
    if options["teams"] == "yes" and seats != 4:
        raise BadOptions(say("bad-seats", seats=seats))
    return State(((),) * seats, (0,) * seats, 1, options["teams"] == "yes")


def sides(state: State) -> tuple[tuple[int, ...], ...]:
    seats = range(1, len(state.hands) + 1)
    return ((1, 3), (2, 4)) if state.teams else tuple((seat,) for seat in seats)


def turn(state: State) -> Turn:
    if not state.dealt:
        return Chance("hid", Shuffle(tuple(f"c{n}" for n in range(1, 2 * len(state.hands) + 1))))
    if state.rolling:
        return Chance("pub", Dice((6,)))
    if not state.hands[state.seat - 1]:
        return Over("counted", tuple((_score(state, n),) for n in range(len(state.hands))))
    return ToMove(state.seat)


def _score(state: State, index: int) -> int:
    if not state.teams:
        return state.scores[index]
    return state.scores[index % 2] + state.scores[index % 2 + 2]


def legal_moves(state: State) -> tuple[str, ...]:
    return state.hands[state.seat - 1] if isinstance(turn(state), ToMove) else ()


def apply(state: State, move: str) -> State:
    hand = state.hands[state.seat - 1]
    if not isinstance(turn(state), ToMove):
        raise IllegalMove(say("over"))
    if move not in hand and HIDDEN not in hand:
        raise NotHeld(say("not-held", card=move))
    left = tuple(card for card in hand if card != move)
    return state._replace(
        hands=_put(state.hands, state.seat, left),
        scores=_put(state.scores, state.seat, state.scores[state.seat - 1] + int(move[1:])),
        rolling=True,
    )


def _put(values: tuple, seat: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[: seat - 1], value, *values[seat:])


def apply_chance(state: State, outcome: Outcome) -> State:
    if not state.dealt:
        seats = len(state.hands)
        hands = tuple(tuple(sorted(str(c) for c in outcome[n::seats])) for n in range(seats))
        return state._replace(hands=hands, dealt=True)
    scores = _put(state.scores, state.seat, state.scores[state.seat - 1] + int(outcome[0]))
    return _next(state._replace(scores=scores, rolling=False))


def _next(state: State) -> State:
    seats = len(state.hands)
    order = [(state.seat + step - 1) % seats + 1 for step in range(1, seats + 1)]
    return state._replace(seat=next(seat for seat in order if seat not in state.gone))


def leave(state: State, seat: int) -> State:
    gone = state._replace(gone=(*state.gone, seat), rolling=state.rolling and state.seat != seat)
    return _next(gone) if state.seat == seat else gone


def parse(text: str) -> str:
    if not (text[:1] == "c" and text[1:].isdecimal()):
        raise MalformedMove(say("malformed", text=text))
    return text


def known(state: State, viewer: Viewer) -> State:
    hands = tuple(
        hand if viewer == seat else tuple(HIDDEN for _ in hand)
        for seat, hand in enumerate(state.hands, start=1)
    )
    return state._replace(hands=hands)


def choices(state: State, begun: str) -> tuple[Choice, ...]:
    return tuple(Choice(c, c, say("play", card=c), True) for c in legal_moves(state) if not begun)


def final(state: State) -> dict[str, object]:
    if not state.dealt:
        return {}
    return {f"s{n}": list(hand) for n, hand in enumerate(state.hands, start=1)}


RULES = Rules(
    game="highest",
    version=1,
    seats=range(2, 5),
    chance=True,
    options=(Option("teams", ("no", "yes"), lambda seats, options: "no"),),
    setup=setup,
    sides=sides,
    turn=turn,
    legal_moves=legal_moves,
    apply=apply,
    apply_chance=apply_chance,
    leave=leave,
    parse=parse,
    notate=str,
    read=lambda typed: parse(typed.strip().lower()),
    known=known,
    choices=choices,
    view=known,
    final=final,
)
