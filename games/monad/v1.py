"""Monad, version 1: what chance and the moves do, what is seen, and how it ends.

The position and its options are in `state`, what is legal in `legal`, how a turn is chosen in
`choosing`. Ids such as M-30: rules.md, part 1.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping

from games.core.cards import UNSEEN
from games.core.rules import (
    OPEN,
    Chain,
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
    MONAD,
    PLACE,
    RANK,
    added,
    by_value,
    common,
    ordered,
)
from games.monad.choosing import choices
from games.monad.legal import allow, legal_moves, pair_level, unpaid
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
    Lot,
    Player,
    State,
    Terms,
    bonus_cards,
    owned,
    setup,
    sides,
)
from games.monad.view import Done, Holder, View

WARM, COOL = COLOURS[:3], COLOURS[3:]
TO_MOVE = tuple(map(ToMove, range(5)))
"""By seat."""


def turn(state: State) -> Turn:
    """Who is to move, what is left to chance, or how it ended."""
    if state.end:
        return Over(state.end, tuple((owned(state, seat),) for seat in _seats(state)))
    return TO_MOVE[state.seat] if state.lot is None else _asked(state, state.lot)


def _seats(state: State) -> range:
    return range(1, len(state.players) + 1)


def _asked(state: State, lot: Lot) -> Chance:
    seats = len(state.players)
    match lot:
        case Lot.ONES:
            return _shuffle("hid", (f"{colour}1" for colour in COLOURS for _ in range(seats)))
        case Lot.COLOURS:
            return Chance("pub", Dice((2 if seats == 3 else 3,)))
        case Lot.STAMM:
            return _shuffle("pub", state.colours)
        case Lot.GROUP:
            value = GROUPED[len(state.groups)]
            return _shuffle("pub", (f"{colour}{value}" for colour in COLOURS))
        case Lot.STOCK:
            return _shuffle("hid", ordered(state.discard))


def _shuffle(chain: Chain, ids: Iterable[str]) -> Chance:
    return Chance(chain, Shuffle(tuple(ids)))


def apply_chance(state: State, outcome: Outcome) -> State:
    """The state after what chance decided; the set-up goes on to the next (M-10 to M-12)."""
    ids = tuple(map(str, outcome))
    match state.lot:
        case Lot.ONES:
            return state._replace(players=_dealt(state, ids), lot=_after_ones(state))
        case Lot.COLOURS:
            return state._replace(colours=_in_play(state, int(ids[0])), lot=Lot.STAMM)
        case Lot.STAMM:
            given = zip(state.players, ids, strict=False)
            players = tuple(player._replace(stamm=colour) for player, colour in given)
            return state._replace(players=players, lot=Lot.GROUP)
        case Lot.GROUP:
            groups = (*state.groups, ids)
            lot = Lot.GROUP if len(groups) < len(GROUPED) else None
            return state._replace(groups=groups, lot=lot)
        case _:
            return state._replace(stock=ids, discard=(), lot=None)


def _dealt(state: State, ones: tuple[str, ...]) -> tuple[Player, ...]:
    """One at a time round the table from seat 1 (M-10)."""
    hands = (ordered(ones[seat - 1 :: len(state.players)]) for seat in _seats(state))
    return tuple(Player(hand=hand, secret=hand) for hand in hands)


def _after_ones(state: State) -> Lot:
    return Lot.STAMM if state.colours else Lot.COLOURS


def _in_play(state: State, number: int) -> str:
    """The colours of which the Stamm cards are drawn: one temperature for three, two bonus pairs
    for four (M-11)."""
    if len(state.players) == 3:
        return WARM if number == 1 else COOL
    left_out = WARM[number - 1]
    return "".join(colour for colour in COLOURS if colour.upper() != left_out)


def apply(state: State, move: Move) -> State:
    """The state after the mover's move, or the reason against it."""
    return _DO[type(move)](state, move)


def _sum(state: State, move: Sum) -> State:
    return _exchanged(state, move, move.level)


def _pair(state: State, move: Pair) -> State:
    return _exchanged(state, move, pair_level(state.players[state.seat - 1].stamm, *move.cards))


def _leap(state: State, move: Leap) -> State:
    return _exchanged(state, move, LEAPS[len(move.cards)])


def _exchanged(state: State, move: Exchange, level: int) -> State:
    """The card on top is taken; ones go on the discard, other cards under their groups (M-41)."""
    hand = unpaid(state, move.cards)
    allow(state, move)
    groups, discard, gained = list(state.groups), state.discard, MONADS
    if level != MONAD:
        place = PLACE[level]
        gained, groups[place] = groups[place][0], groups[place][1:]
    for card in move.cards:
        place = GROUP[card]
        if place < 0:
            discard += (card,)
        else:
            groups[place] += (card,)
    players = _put(state, _traded(state.players[state.seat - 1], hand, gained))
    after = State(
        state.terms,
        state.colours,
        players,
        tuple(groups),
        state.stock,
        discard,
        state.seat,
        (*state.deeds, Deed(move, (gained,))),
        state.mover,
        state.lately,
        state.passes,
        None,
    )
    won = level == MONAD and owned(after, after.seat) >= state.terms.target
    return after._replace(end="monads") if won else after


def _traded(player: Player, hand: list[str], gained: str) -> Player:
    """The player with what is left of the hand, and what was gained. Of equal cards those that
    others have seen were paid first."""
    secret, drawn = player.secret, player.drawn
    if secret or drawn:
        rest = list(hand)
        drawn = common(drawn, rest)
        secret = common(secret, rest)
    monads = player.monads
    if gained == MONADS:
        monads += 1
    else:
        insort(hand, gained, key=RANK.__getitem__)
    return Player(player.stamm, tuple(hand), monads, secret, drawn)


def _put(state: State, player: Player) -> tuple[Player, ...]:
    """All players, the one to move changed."""
    seat = state.seat
    return (*state.players[: seat - 1], player, *state.players[seat:])


def _bonus(state: State, move: Bonus) -> State:
    """The top cards of the groups below the level and of the stock (M-72)."""
    allow(state, move)
    cards = bonus_cards(state, move.level)
    grouped = tuple(card for card in cards if GROUP.get(card, -1) >= 0)
    player = state.players[state.seat - 1]
    taken = state._replace(
        players=_put(state, player._replace(hand=ordered((*player.hand, *grouped)))),
        groups=tuple(group[1:] if group and group[0] in cards else group for group in state.groups),
    )
    if len(grouped) == len(cards):
        return taken._replace(deeds=(*state.deeds, Deed(move, cards)))
    players, stock, deed = _lifted(taken, move, grouped)
    return taken._replace(players=players, stock=stock, deeds=(*state.deeds, deed))


def _draw(state: State, move: Draw) -> State:
    allow(state, move)
    players, stock, deed = _lifted(state, move, ())
    return _next(state, (deed,), players, stock, state.discard)


def _lifted(
    state: State, move: Move, cards: tuple[str, ...]
) -> tuple[tuple[Player, ...], tuple[str, ...], Deed]:
    """Players, stock and deed after a move that brought some cards and the top one of the stock.
    If the stock was shuffled, nobody else sees that."""
    top, stock = state.stock[0], state.stock[1:]
    player, shuffled = state.players[state.seat - 1], state.terms.shuffled
    secret, drawn = player.secret, player.drawn
    if shuffled and len(state.players) == 2:
        drawn = ordered((*drawn, top))
    elif shuffled:
        secret = ordered((*secret, top))
    hand = added(player.hand, top)
    players = _put(state, Player(player.stamm, hand, player.monads, secret, drawn))
    if shuffled and not stock:
        players = tuple(map(_worked_out, players))
    return players, stock, Deed(move, cards, top) if shuffled else Deed(move, (*cards, top))


def _worked_out(player: Player) -> Player:
    """Once the stock is used up, each seat of two can work out what the other has drawn."""
    return player._replace(secret=ordered(player.secret + player.drawn), drawn=())


def _flip(state: State, move: Flip) -> State:
    """The oldest card of the discard comes to lie on top, unless it is shuffled (M-31, M-Q7)."""
    allow(state, move)
    deeds = (Deed(move, ()),)
    if state.terms.shuffled:
        return _next(state, deeds, state.players, (), state.discard, lot=Lot.STOCK)
    return _next(state, deeds, state.players, state.discard, ())


def _pass(state: State, move: Pass) -> State:
    """Who can do nothing shows the hand (M-34); who may always pass need not."""
    allow(state, move)
    player, shown = state.players[state.seat - 1], state.terms.proof and not state.terms.free
    players = _put(state, player._replace(secret=(), drawn=())) if shown else state.players
    deeds = (Deed(move, player.hand if shown else ()),)
    return _next(state, deeds, players, state.stock, state.discard, state.passes + 1)


def _finish(state: State, move: End) -> State:
    allow(state, move)
    return _next(state, state.deeds, state.players, state.stock, state.discard)


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


def _next(
    state: State,
    deeds: tuple[Deed, ...],
    players: tuple[Player, ...],
    stock: tuple[str, ...],
    discard: tuple[str, ...],
    passes: int = 0,
    lot: Lot | None = None,
) -> State:
    """The state at the beginning of the next turn, with what the turn before it changed."""
    seat = state.seat % len(players) + 1
    while players[seat - 1].left:
        seat = seat % len(players) + 1
    return State(
        state.terms,
        state.colours,
        players,
        state.groups,
        stock,
        discard,
        seat,
        (),
        state.seat,
        deeds,
        passes,
        lot,
        "passed" if passes and passes >= _patience(state.terms, players) else "",
    )


def _patience(terms: Terms, players: tuple[Player, ...]) -> int:
    """After how many passes in succession the match is over: one round of those who are left,
    two where nobody needs to pass (M-35)."""
    return sum(not player.left for player in players) * (2 if terms.free else 1)


def leave(state: State, seat: int) -> State:
    """The seat is skipped from now on; if it was its turn, the turn ends there."""
    players = tuple(
        player._replace(left=player.left or number == seat)
        for number, player in zip(_seats(state), state.players, strict=True)
    )
    if seat != state.seat:
        return state._replace(players=players)
    passes = 0 if state.deeds else state.passes
    gone = _next(state, state.deeds, players, state.stock, state.discard, passes)
    return gone if state.deeds else gone._replace(mover=state.mover, lately=state.lately)


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
    return Holder(seat, player.stamm, by_value(player.hand), monads, team, player.left)


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
