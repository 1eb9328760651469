"""Seasons of the Sun in sentences: what a move did, who is to move, who won."""

from __future__ import annotations

from functools import partial

from games.core.drawing import Reader
from games.core.words import address, listed
from games.seasons.moves import Reroll, parse
from games.seasons.sectors import FREE, NOBODY, PLACES, SECTORS
from games.seasons.view import View
from games.seasons.words import WORDS

about = partial(address, WORDS)
"""A sentence about a seat, in the second person if it is the reader's."""


def title(view: View, reader: Reader) -> str:
    """Whose turn it is with which dice, or who won."""
    if view.seat == NOBODY:
        return about(reader, "title-won" if view.ahead else "title-drawn", view.ahead)
    if reader.over:
        return about(reader, "title-over")
    if view.cup:
        return about(reader, "title-throws", view.seat)
    return about(reader, "title", view.seat, dice=dice(view))


def tell(before: View, after: View, line: str, reader: Reader) -> str:
    """What a move does, and what it means for the next."""
    move, seat = parse(line), before.seat
    if isinstance(move, Reroll):
        thrown = [about(reader, "one-die", eyes=before.dice[die - 1]) for die in move.dice]
        return about(reader, "rerolls", seat, dice=listed(WORDS, reader, thrown))
    place, total = PLACES[move.sector], sum(before.dice)
    told = [about(reader, "places", seat, sum=total, sector=SECTORS[place].label)]
    owner = after.owners[place]
    if owner:
        told.append(about(reader, "wins", owner, points=SECTORS[place].points))
    elif after.rings[seat - 1][place] == FREE:
        told.append(about(reader, "clears", sum=total))
    return " ".join([*told, *_goes_on(after, seat, owner, reader)])


def tell_chance(before: View, after: View, reader: Reader) -> str:
    """What the dice show that were in the cup."""
    thrown = [str(after.dice[die - 1]) for die in before.cup]
    return about(reader, "thrown", before.seat, dice=listed(WORDS, reader, thrown))


def _goes_on(after: View, seat: int, owner: int, reader: Reader) -> list[str]:
    """Why it is not simply the other side's turn now (S-20, S-21)."""
    if after.seat == NOBODY:
        return standing(after, reader)
    for full, ring in enumerate(after.rings, start=1):
        if FREE not in ring:
            return [about(reader, "waits", full)]
    return [about(reader, "again", seat)] if owner == seat else []


def standing(view: View, reader: Reader) -> list[str]:
    """Whose turn it is, or how the match ended, and the points."""
    first, second = view.points
    score = [about(reader, "score", first=first, second=second)]
    if reader.over and view.seat:
        return score
    if view.cup:
        return [about(reader, "throws", view.seat), *score]
    if view.seat:
        return [about(reader, "to-move", view.seat, dice=dice(view)), *score]
    if view.tie == "sectors" and first == second:
        one, two = view.sectors
        score.append(about(reader, "sectors", first=one, second=two))
    return [about(reader, "won" if view.ahead else "drawn", view.ahead), *score]


def dice(view: View) -> str:
    """What the dice show."""
    return ", ".join(map(str, view.dice))
