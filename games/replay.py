"""The one fold: what the records of a match say, used to play it, to replay it and to judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from games.chance import commitment, outcome
from games.checks import bad, entropy_fits, fresh, signed, strong
from games.core import line
from games.core.rules import (
    BadOptions,
    Chance,
    IllegalMove,
    MalformedMove,
    NotHeld,
    Shuffle,
    ToMove,
    complete,
)
from games.log.errors import BadLog
from games.log.record import (
    Act,
    Deal,
    End,
    Ent,
    Join,
    Move,
    Open,
    Record,
    Reveal,
    Roll,
    Start,
    Sys,
)
from games.position import (
    Holder,
    Offer,
    Phase,
    Position,
    Result,
    added,
    fits,
    gone,
    holding,
    in_match,
    key_of,
    leave,
    over,
    pid_of,
    placed,
    reached,
    state_hash,
)
from games.registry import AnyRules, AnyState, UnknownRules, find

Hidden = Mapping[int, bytes]
"""Elements of the `hid` chain by number: from the secret of a running match, or its reveals."""

NOTHING: Hidden = {}


class Given(NamedTuple):
    """What the fold is given beside the records, and whether it checks the players' signatures."""

    hidden: Hidden
    signatures: bool


def begin(record: Record) -> Position:
    """The position after record 0. Raises BadLog (E_RULES) for rules or options we do not have."""
    opened = record.body
    if not isinstance(opened, Open):
        raise BadLog("E_SCHEMA", record.n, "the first record is no open")
    rules = _rules(opened)
    return Position(
        m=record.m,
        opened=opened,
        rules=rules,
        sides=rules.sides(rules.setup(opened.seats, dict(opened.options))),
        n=1,
        hash=record.hash,
        at=record.at,
        phase=Phase.JOINING,
        joins=(),
        opened_ents=(),
        holders=(),
        state=None,
        turn=None,
        wait=0,
        since=((record.hash,),),
        left=(),
        offer=None,
        result=None,
        pub=0,
        hid=0,
        reveals=0,
    )


def follow(
    position: Position, record: Record, hidden: Hidden = NOTHING, *, signatures: bool = True
) -> Position:
    """The position after one more record, which must be the next of the same chain.

    The fold checks what the match allows: order, staleness, keys, turns, chance, legality, result.
    The links between lines and the elements of the chains are checked by whoever reads or writes
    them. `signatures=False` leaves out the players' signatures, for records checked before.
    Raises BadLog with the code and the number of the record.
    """
    after = _AFTER[type(record.body)](position, record, record.body, Given(hidden, signatures))
    moved = type(record.body) in _MOVING
    return after._replace(
        n=record.n + 1,
        hash=record.hash,
        at=record.at,
        wait=record.n if moved else after.wait,
        since=((record.hash,),) if moved else added(after.since, record.hash),
    )


def replay(
    records: Iterable[Record], hidden: Hidden = NOTHING, *, signatures: bool = True
) -> Position:
    """The position after all records, `open` first. Raises BadLog."""
    following = iter(records)
    first = next(following, None)
    if first is None:
        raise BadLog("E_SCHEMA", None, "there is no record")
    position = begin(first)
    for record in following:
        position = follow(position, record, hidden, signatures=signatures)
    return position


def _rules(opened: Open) -> AnyRules:
    options = dict(opened.options)
    try:
        rules = find(opened.game, opened.version)
        filled = complete(rules, opened.seats, options)
    except (UnknownRules, BadOptions) as error:
        raise BadLog("E_RULES", 0, str(error)) from error
    if filled != options:
        raise BadLog("E_RULES", 0, "an option is missing")
    if opened.level == "F0" and rules.chance:
        raise BadLog("E_RULES", 0, "a game of chance cannot be played at F0")
    return rules


def _join(position: Position, record: Record, body: Join, given: Given) -> Position:
    taken = {join.pid for join in position.joins}
    if (
        position.phase is not Phase.JOINING
        or len(taken) == position.opened.seats
        or body.pid in taken
    ):
        bad("E_PHASE", record, "nobody can join here")
    fresh(position, record, body.by)
    strong(record, body.key)
    signed(position, record, body.by, body.key, given.signatures)
    entropy_fits(position, record, body)
    return position._replace(
        joins=(*position.joins, body),
        holders=(*position.holders, Holder(body.pid, body.key)),
        opened_ents=_opened(position, body.pid, body.ent),
    )


def _ent(position: Position, record: Record, body: Ent, given: Given) -> Position:
    if position.phase is not Phase.JOINING or len(position.joins) < position.opened.seats:
        bad("E_PHASE", record, "entropies are opened after the last join")
    if position.opened.level != "F2" or len(position.opened_ents) == position.opened.seats:
        bad("E_PHASE", record, "nothing is sealed")
    joined = next((join for join in position.joins if join.pid == body.pid), None)
    if joined is not None and body.pid in dict(position.opened_ents):
        bad("E_PHASE", record, "there is nothing to open")
    fresh(position, record, body.by)
    signed(position, record, body.by, joined.key if joined else None, given.signatures)
    if joined is None:
        bad("E_TURN", record, "this player has not joined")
    if commitment(record.m, body.pid, body.ent) != joined.entc:
        bad("E_ENTROPY", record, "this is not what was committed to")
    return position._replace(opened_ents=_opened(position, body.pid, body.ent))


def _opened(position: Position, pid: str, ent: bytes | None) -> tuple[tuple[str, bytes], ...]:
    return position.opened_ents if ent is None else (*position.opened_ents, (pid, ent))


def _start(position: Position, record: Record, body: Start, given: Given) -> Position:
    seats = position.opened.seats
    if position.phase is not Phase.JOINING or len(position.joins) < seats:
        bad("E_PHASE", record, "not everybody has joined")
    if position.opened.level != "F0" and len(position.opened_ents) < seats:
        bad("E_PHASE", record, "an entropy is still sealed")
    if body.seats != _drawn(position, record, body):
        bad("E_SEATS", record, "the lot gave other seats")
    keys = {holder.pid: holder.key for holder in position.holders}
    state = position.rules.setup(seats, dict(position.opened.options))
    return reached(
        position._replace(
            phase=Phase.RUNNING,
            holders=tuple(Holder(pid, keys[pid]) for pid in body.seats),
            pub=position.pub + (body.k is not None),
        ),
        state,
    )


def _drawn(position: Position, record: Record, body: Start) -> tuple[str, ...]:
    """The seats as they must be; at F0, where the service assigns them, as they are."""
    pids = tuple(sorted(join.pid for join in position.joins))
    if (body.k is None) != (position.opened.level == "F0"):
        bad("E_SCHEMA", record, "seats are drawn from the chain at F1 and F2, and only there")
    if body.k is None or body.d is None:
        return body.seats if tuple(sorted(body.seats)) == pids else pids
    drawn = outcome(Shuffle(pids), record.m, position.ents, "pub", body.k, body.d)
    return tuple(str(pid) for pid in drawn)


def _roll(position: Position, record: Record, body: Roll, given: Given) -> Position:
    if position.phase is not Phase.RUNNING or not _asked(position, Chance("pub", body.of)):
        bad("E_PHASE", record, "the rules did not ask for this")
    if body.out != outcome(body.of, record.m, position.ents, "pub", body.k, body.d):
        bad("E_DICE_OUT", record, "the chain gives another outcome")
    rolled = position._replace(pub=position.pub + 1)
    if position.state is None:
        return rolled
    return reached(rolled, position.rules.apply_chance(position.state, body.out))


def _deal(position: Position, record: Record, body: Deal, given: Given) -> Position:
    turn = position.turn
    known = isinstance(turn, Chance) and turn.chain == "hid"
    if position.phase is not Phase.RUNNING or not (known or turn is None):
        bad("E_PHASE", record, "the rules did not ask for a deal")
    dealt = position._replace(hid=position.hid + 1)
    element = given.hidden.get(body.k)
    if element is None or position.state is None or not isinstance(turn, Chance):
        return dealt._replace(state=None, turn=None)
    dealt_out = outcome(turn.request, record.m, position.ents, "hid", body.k, element)
    return reached(dealt, position.rules.apply_chance(position.state, dealt_out))


def _asked(position: Position, chance: Chance) -> bool:
    return position.turn is None or position.turn == chance


def _reveal(position: Position, record: Record, body: Reveal, given: Given) -> Position:
    if position.phase is not Phase.OVER or not body.k == position.reveals + 1 <= position.hid:
        bad("E_PHASE", record, "there is nothing to reveal here")
    return position._replace(reveals=body.k)


def _move(position: Position, record: Record, body: Move, given: Given) -> Position:
    if position.phase is not Phase.RUNNING or not isinstance(position.turn, ToMove | None):
        bad("E_PHASE", record, "nobody is to move")
    fresh(position, record, body.by)
    signed(position, record, body.by, key_of(position, body.seat), given.signatures)
    to_move = position.turn is None or position.turn == ToMove(body.seat)
    if not in_match(position, body.seat) or not to_move:
        bad("E_TURN", record, f"seat {body.seat} is not to move")
    offer = position.offer
    standing = offer if offer is not None and body.seat in offer.agreed else None
    moved = position._replace(offer=standing)
    if position.state is None:
        return moved
    return reached(moved, _played(position, record, body))


def _played(position: Position, record: Record, body: Move) -> AnyState:
    try:
        played = line.play(position.rules, position.state, body.seat, body.mv)
    except NotHeld as error:
        raise BadLog("E_HAND", record.n, str(error)) from error
    except (MalformedMove, IllegalMove) as error:
        raise BadLog("E_ILLEGAL", record.n, str(error)) from error
    if played.rest:
        bad("E_ILLEGAL", record, f"the turn was over before {played.rest!r}")
    return played.state


def _act(position: Position, record: Record, body: Act, given: Given) -> Position:
    pending = isinstance(position.turn, Chance)
    if position.phase is not Phase.RUNNING or pending or not _act_fits(position, body):
        bad("E_PHASE", record, f"{body.act} is not possible here")
    fresh(position, record, body.by)
    strong(record, body.key)
    signed(position, record, body.by, key_of(position, body.seat), given.signatures)
    if not in_match(position, body.seat):
        bad("E_TURN", record, f"seat {body.seat} is not in the match")
    return _acted(position, body)


def _act_fits(position: Position, body: Act) -> bool:
    """Whether the act has what it answers: an offer of its kind, or a key to replace."""
    verb, _, kind = body.act.partition("-")
    offer = position.offer
    if verb == "offer":
        return offer is None
    if verb in ("accept", "decline"):
        return offer is not None and offer.kind == kind and body.seat not in offer.agreed
    if verb == "rekey":
        return key_of(position, body.seat) is not None
    return True


def _acted(position: Position, body: Act) -> Position:
    match body.act:
        case "resign":
            return leave(position, body.seat, "resign")
        case "offer-draw":
            return position._replace(offer=Offer("draw", (body.seat,)))
        case "offer-void":
            return position._replace(offer=Offer("void", (body.seat,)))
        case "accept-draw" | "accept-void":
            return _accepted(position, body.seat)
        case "decline-draw":
            return position._replace(offer=None)
        case "rekey":
            return holding(position, body.seat, Holder(pid_of(position, body.seat), body.key))
        case _:
            return position


def _accepted(position: Position, seat: int) -> Position:
    assert position.offer is not None
    offer = Offer(position.offer.kind, (*position.offer.agreed, seat))
    still = set(range(1, position.opened.seats + 1)) - set(gone(position))
    if not still <= set(offer.agreed):
        return position._replace(offer=offer)
    if offer.kind == "void":
        return over(position, Result("void", ()))
    return over(position, Result("agreed", placed(position)))


def _sys(position: Position, record: Record, body: Sys, given: Given) -> Position:
    early = position.phase is Phase.JOINING and body.sys in ("void", "clock")
    if position.phase is not Phase.RUNNING and not early:
        bad("E_PHASE", record, f"{body.sys} is not possible here")
    if body.pid is not None and body.pid in {holder.pid for holder in position.holders}:
        bad("E_PHASE", record, "this player is in the match already")
    strong(record, body.key)
    if body.seat is not None and not in_match(position, body.seat):
        bad("E_TURN", record, f"seat {body.seat} is not in the match")
    if body.sys == "timeout" and position.turn not in (None, ToMove(body.seat or 0)):
        bad("E_TURN", record, f"seat {body.seat} is not to move")
    return _ruled(position, body)


def _ruled(position: Position, body: Sys) -> Position:
    match body.sys, body.seat:
        case "timeout", int(seat):
            return leave(position, seat, "timeout")
        case "substitute", int(seat):
            return holding(position, seat, Holder(body.pid or "", body.key))
        case "rekey", int(seat):
            return holding(position, seat, Holder(pid_of(position, seat), body.key))
        case "void", _:
            return over(position, Result("void", ()))
        case "adjudicate", _:
            return over(position, Result("adjudicated", None))
        case _:
            return position


def _end(position: Position, record: Record, body: End, given: Given) -> Position:
    if position.phase is not Phase.OVER or position.result is None:
        bad("E_RESULT", record, "the match is not over")
    if position.reveals < position.hid:
        bad("E_UNREVEALED", record, "a deal has not been revealed")
    if body.why != position.result.why or not fits(position.result, body, position.opened.seats):
        bad("E_RESULT", record, "the match ended otherwise")
    if body.state != state_hash(position):
        bad("E_STATE", record, "the final state is another")
    return position._replace(phase=Phase.CLOSED)


def _reopened(position: Position, record: Record, body: Open, given: Given) -> Position:
    bad("E_SCHEMA", record, "a match is opened once")


_AFTER: Mapping[type, Callable[..., Position]] = {
    Open: _reopened,
    Join: _join,
    Ent: _ent,
    Start: _start,
    Deal: _deal,
    Roll: _roll,
    Move: _move,
    Act: _act,
    Sys: _sys,
    Reveal: _reveal,
    End: _end,
}
_MOVING = (Start, Deal, Roll, Move)
