"""Monad, version 1: what chance and the moves do, what is seen, and how it ends.

The position and its options are in `state`, what is legal in `legal`, how a turn is chosen in
`choosing`. Ids such as M-30: rules.md, part 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.core.cards import UNSEEN
from games.core.rules import (
    OPEN,
    Chance,
    Dice,
    Outcome,
    Over,
    Rules,
    Shuffle,
    ToMove,
    Turn,
    Viewer,
)
from games.monad.cards import (
    COLOURS,
    GROUP,
    GROUPED,
    LEAPS,
    LEVELS,
    MONAD,
    added,
    common,
    ordered,
)
from games.monad.choosing import choices
from games.monad.legal import check, legal_moves, pair_level
from games.monad.moves import (
    Bonus,
    Draw,
    End,
    Exchange,
    Flip,
    Leap,
    Move,
    Pair,
    Pass,
    Sum,
    notate,
    parse,
    read,
)
from games.monad.state import (
    MONADS,
    OPTIONS,
    Deed,
    Player,
    State,
    bonus_cards,
    owned,
    setup,
    sides,
)
from games.monad.view import Done, Holder, View

WARM, COOL = COLOURS[:3], COLOURS[3:]


def turn(state: State) -> Turn:
    """Who is to move, what is left to chance, or how it ended."""
    if state.end:
        return Over(state.end, tuple((owned(state, seat),) for seat in _seats(state)))
    if len(state.groups) < len(GROUPED):
        return _setting_up(state)
    if state.shuffling:
        return Chance("hid", Shuffle(ordered(state.discard)))
    return ToMove(state.seat)


def _seats(state: State) -> range:
    return range(1, len(state.players) + 1)


def _setting_up(state: State) -> Chance:
    """What chance decides before the first turn, in this order (M-10 to M-12)."""
    if not state.players[0].hand:
        copies = len(state.players)
        return Chance(
            "hid", Shuffle(tuple(f"{colour}1" for colour in COLOURS for _ in range(copies)))
        )
    if not state.colours:
        return Chance("pub", Dice((2 if len(state.players) == 3 else 3,)))
    if not state.players[0].stamm:
        return Chance("pub", Shuffle(tuple(state.colours)))
    value = GROUPED[len(state.groups)]
    return Chance("pub", Shuffle(tuple(f"{colour}{value}" for colour in COLOURS)))


def apply_chance(state: State, outcome: Outcome) -> State:
    """The state after the ones, the Stamm colours, a group or the stock have been shuffled, or
    the colours in play drawn."""
    if state.shuffling:
        return state._replace(stock=_ids(outcome), discard=(), shuffling=False)
    if not state.players[0].hand:
        return _dealt(state, _ids(outcome))
    if not state.colours:
        return state._replace(colours=_in_play(len(state.players), outcome[0]))
    if not state.players[0].stamm:
        given = zip(state.players, _ids(outcome), strict=False)
        players = tuple(player._replace(stamm=colour) for player, colour in given)
        return state._replace(players=players)
    return state._replace(groups=(*state.groups, _ids(outcome)))


def _ids(outcome: Outcome) -> tuple[str, ...]:
    return tuple(map(str, outcome))


def _dealt(state: State, ones: tuple[str, ...]) -> State:
    """One at a time round the table from seat 1."""
    count = len(state.players)
    hands = (ordered(ones[place::count]) for place in range(count))
    return state._replace(players=tuple(Player(hand=hand, secret=hand) for hand in hands))


def _in_play(seats: int, number: object) -> str:
    """The colours of which the Stamm cards are drawn (M-11)."""
    if seats == 3:
        return WARM if number == 1 else COOL
    left_out = WARM[int(str(number)) - 1]
    return "".join(colour for colour in COLOURS if colour.upper() != left_out)


def apply(state: State, move: Move) -> State:
    """The state after the mover's move, or the reason against it."""
    check(state, move)
    return _DO[type(move)](state, move)


def _sum(state: State, move: Sum) -> State:
    return _exchanged(state, move, move.level)


def _pair(state: State, move: Pair) -> State:
    return _exchanged(state, move, pair_level(state.player.stamm, *move.cards))


def _leap(state: State, move: Leap) -> State:
    return _exchanged(state, move, LEAPS[len(move.cards)])


def _exchanged(state: State, move: Exchange, level: int) -> State:
    """The card on top is taken; ones go on the discard, other cards under their groups (M-41)."""
    groups, discard, player = list(state.groups), list(state.discard), state.player
    hand, place = list(player.hand), LEVELS.index(level)
    gained = MONADS if level == MONAD else groups[place][0]
    if level != MONAD:
        groups[place] = groups[place][1:]
    for card in move.cards:
        hand.remove(card)
        if GROUP[card] < 0:
            discard.append(card)
        else:
            groups[GROUP[card]] += (card,)
    player = _paid(player, hand)
    if level == MONAD:
        player = player._replace(monads=player.monads + 1)
    else:
        player = player._replace(hand=added(tuple(hand), (gained,)))
    after = state._replace(
        players=_with(state, player),
        groups=tuple(groups),
        discard=tuple(discard),
        deeds=(*state.deeds, Deed(move, (gained,))),
    )
    won = level == MONAD and owned(after, after.seat) >= state.terms.target
    return after._replace(end="monads") if won else after


def _paid(player: Player, hand: list[str]) -> Player:
    """The player with what is left of the hand. Cards that others have seen were paid first."""
    rest = list(hand)
    drawn = common(player.drawn, rest)
    secret = common(player.secret, rest)
    return player._replace(hand=tuple(hand), secret=secret, drawn=drawn)


def _with(state: State, player: Player) -> tuple[Player, ...]:
    """All players, the one to move changed."""
    seat = state.seat
    return (*state.players[: seat - 1], player, *state.players[seat:])


def _bonus(state: State, move: Bonus) -> State:
    """The top cards of the groups below the level and of the stock (M-72)."""
    cards = bonus_cards(state, move.level)
    groups = tuple(group[1:] if group and group[0] in cards else group for group in state.groups)
    grouped = tuple(card for card in cards if GROUP.get(card, -1) >= 0)
    player = state.player
    taken = state._replace(
        players=_with(state, player._replace(hand=added(player.hand, grouped))), groups=groups
    )
    if len(grouped) == len(cards):
        return taken._replace(deeds=(*state.deeds, Deed(move, cards)))
    return _lifted(taken, move, grouped)


def _draw(state: State, move: Draw) -> State:
    return _next(_lifted(state, move, ()))


def _lifted(state: State, move: Move, cards: tuple[str, ...]) -> State:
    """The mover takes the top card of the stock too; if it was shuffled, nobody else sees it."""
    (top, *stock), player, shuffled = state.stock, state.player, state.terms.shuffled
    player = player._replace(hand=added(player.hand, (top,)))
    if shuffled and len(state.players) == 2:
        player = player._replace(drawn=ordered((*player.drawn, top)))
    elif shuffled:
        player = player._replace(secret=ordered((*player.secret, top)))
    deed = Deed(move, cards, top) if shuffled else Deed(move, (*cards, top))
    players = _with(state, player)
    return state._replace(
        players=players if stock else tuple(map(_worked_out, players)),
        stock=tuple(stock),
        deeds=(*state.deeds, deed),
    )


def _worked_out(player: Player) -> Player:
    """Once the stock is used up, each seat of two can work out what the other has drawn."""
    return player._replace(secret=ordered(player.secret + player.drawn), drawn=())


def _flip(state: State, move: Flip) -> State:
    """The oldest card of the discard comes to lie on top, unless it is shuffled (M-31, M-Q7)."""
    done = state._replace(deeds=(Deed(move, ()),))
    if state.terms.shuffled:
        return _next(done._replace(shuffling=True))
    return _next(done._replace(stock=state.discard, discard=()))


def _pass(state: State, move: Pass) -> State:
    """Who can do nothing shows the hand (M-34); who may always pass need not."""
    player = state.player
    if state.terms.free or not state.terms.proof:
        return _next(state._replace(deeds=(Deed(move, ()),)), state.passes + 1)
    shown = _with(state, player._replace(secret=(), drawn=()))
    deed = Deed(move, player.hand)
    return _next(state._replace(players=shown, deeds=(deed,)), state.passes + 1)


def _finish(state: State, move: End) -> State:
    return _next(state)


_DO: Mapping[type[Move], Callable[..., State]] = {
    Sum: _sum,
    Pair: _pair,
    Leap: _leap,
    Bonus: _bonus,
    Draw: _draw,
    Flip: _flip,
    Pass: _pass,
    End: _finish,
}


def _next(state: State, passes: int = 0) -> State:
    """The state at the beginning of the next turn; the match is over when all have passed, or
    all have passed twice where they need not (M-35)."""
    round_table = (*_seats(state)[state.seat :], *_seats(state)[: state.seat])
    staying = [seat for seat in round_table if not state.players[seat - 1].left]
    limit = len(staying) * (2 if state.terms.free else 1)
    return state._replace(
        seat=staying[0],
        deeds=(),
        mover=state.seat,
        lately=state.deeds,
        passes=passes,
        end="passed" if passes >= limit else "",
    )


def leave(state: State, seat: int) -> State:
    """The seat is skipped from now on; if it was its turn, the turn ends there."""
    players = list(state.players)
    players[seat - 1] = players[seat - 1]._replace(left=True)
    gone = state._replace(players=tuple(players))
    if seat != state.seat:
        return gone
    if state.deeds:
        return _next(gone)
    return _next(gone, state.passes)._replace(mover=state.mover, lately=state.lately)


def known(state: State, viewer: Viewer) -> State:
    """What of the hands nobody else has seen is unseen, and the order of a shuffled stock."""
    if viewer is OPEN:
        return state
    seen = state
    if state.terms.shuffled:
        seen = seen._replace(stock=(UNSEEN,) * len(state.stock))
    if state.terms.open:
        return seen
    partner = isinstance(viewer, int) and len(state.players) == 2
    veiled = (_veiled(player, partner) for player in state.players)
    players = tuple(
        player if seat == viewer else hidden
        for seat, (player, hidden) in enumerate(zip(state.players, veiled, strict=True), start=1)
    )
    return seen._replace(
        players=players,
        deeds=_drawn(state.deeds, viewer == state.seat),
        lately=_drawn(state.lately, viewer == state.mover),
    )


def _veiled(player: Player, partner: bool) -> Player:
    """A player as others know them; the other seat of two knows more than an onlooker."""
    unseen = player.drawn if partner else player.secret + player.drawn
    if not unseen:
        return player
    hand, veil = list(player.hand), (UNSEEN,) * len(unseen)
    for card in unseen:
        hand.remove(card)
    hidden = player._replace(hand=(*hand, *veil))
    return hidden._replace(drawn=veil) if partner else hidden._replace(secret=veil, drawn=())


def _drawn(deeds: tuple[Deed, ...], own: bool) -> tuple[Deed, ...]:
    """The deeds of a turn; only whose turn it was knows what came from a shuffled stock."""
    if own:
        return deeds
    return tuple(deed._replace(hidden=UNSEEN) if deed.hidden else deed for deed in deeds)


def view(state: State, viewer: Viewer) -> View:
    """The table as the viewer sees it."""
    seen = known(state, viewer)
    holders = tuple(_holder(seen, seat) for seat in _seats(seen))
    return View(
        edition=seen.terms.edition,
        holders=holders,
        groups=seen.groups,
        stock=seen.stock,
        discard=seen.discard,
        target=seen.terms.target,
        teams=seen.terms.team,
        seat=seen.seat,
        deeds=tuple(map(_done, seen.deeds)),
        mover=seen.mover,
        lately=tuple(map(_done, seen.lately)),
        end=seen.end,
        winners=_winners(seen) if seen.end else (),
    )


def _winners(state: State) -> tuple[int, ...]:
    """The seats of the sides that are ahead of all others still in the match."""
    playing = [
        side for side in sides(state) if any(not state.players[seat - 1].left for seat in side)
    ]
    most = max(owned(state, side[0]) for side in playing)
    return tuple(sorted(seat for side in playing for seat in side if owned(state, seat) == most))


def _holder(state: State, seat: int) -> Holder:
    player = state.players[seat - 1]
    monads, team = player.monads, owned(state, seat)
    return Holder(seat, player.stamm, player.hand, monads, team, player.left)


def _done(deed: Deed) -> Done:
    return Done(deed.move, (*deed.cards, *([deed.hidden] if deed.hidden else [])))


def final(state: State) -> dict[str, object]:
    """Piles, hands, Monads and Stamm colours (rules.md, part 8)."""
    if len(state.groups) < len(GROUPED):
        return {}
    seats = {f"s{seat}": player for seat, player in enumerate(state.players, start=1)}
    return {
        "discard": list(state.discard),
        **{f"g{value}": list(g) for value, g in zip(GROUPED, state.groups, strict=True)},
        "hands": {name: list(player.hand) for name, player in seats.items()},
        "monads": {name: player.monads for name, player in seats.items()},
        "stamm": {name: player.stamm for name, player in seats.items()},
        "stock": list(state.stock),
    }


RULES = Rules(
    game="monad",
    version=1,
    seats=range(2, 5),
    chance=True,
    options=OPTIONS,
    setup=setup,
    sides=sides,
    turn=turn,
    legal_moves=legal_moves,
    apply=apply,
    apply_chance=apply_chance,
    leave=leave,
    parse=parse,
    notate=notate,
    read=read,
    known=known,
    choices=choices,
    view=view,
    final=final,
)
