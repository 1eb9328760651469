"""The records that a match writes of itself: the start, chance, the reveals and the end."""

from __future__ import annotations

from collections.abc import Callable

from games.chance import Chains, outcome
from games.core.rules import Chance, Shuffle
from games.log.record import Body, Deal, Reveal, Roll, Start, Sys
from games.position import Phase, Position, ending

USED_UP = "the chain of chance is used up"


def next_record(position: Position, chains: Callable[[], Chains]) -> Body | None:
    """The record that must follow at once, if there is one; `chains` is asked only for chance.

    At F0 there are no chains: the service writes the start itself.
    """
    match position.phase:
        case Phase.JOINING if len(position.ents) == position.opened.seats:
            return _start(position, chains())
        case Phase.RUNNING if isinstance(position.turn, Chance):
            return _chance(position, position.turn, chains())
        case Phase.OVER if position.reveals < position.hid:
            k = position.reveals + 1
            return Reveal(k, chains().hid.elements[k])
        case Phase.OVER:
            return ending(position)
        case _:
            return None


def _start(position: Position, chains: Chains) -> Start:
    pids = tuple(sorted(join.pid for join in position.joins))
    k = position.pub + 1
    d = chains.pub.elements[k]
    drawn = outcome(Shuffle(pids), position.m, position.ents, "pub", k, d)
    return Start(tuple(str(pid) for pid in drawn), k, d)


def _chance(position: Position, asked: Chance, chains: Chains) -> Body:
    used, chain = (position.pub, chains.pub) if asked.chain == "pub" else (position.hid, chains.hid)
    k = used + 1
    if k > chain.n:
        return Sys("void", USED_UP)
    if asked.chain == "hid":
        return Deal(k)
    d = chain.elements[k]
    out = outcome(asked.request, position.m, position.ents, "pub", k, d)
    return Roll(k, d, asked.request, out)
