"""Malawi in sentences: what a move did, who is to move, who won."""

from __future__ import annotations

from functools import partial

from games.core.drawing import Reader
from games.core.words import address, listed
from games.malawi.moves import Distribute, Move, Step, begun
from games.malawi.view import View
from games.malawi.words import REASONS, WORDS

about = partial(address, WORDS)
"""A sentence about a seat, in the second person if it is the reader's."""


def title(view: View, reader: Reader) -> str:
    """Whose turn it is, or who won."""
    if view.winner:
        return about(reader, "title-won", view.winner)
    if view.end:
        return about(reader, "title-drawn")
    return about(reader, "title-over") if reader.over else about(reader, "title", view.seat)


def tell(before: View, after: View, line: str, reader: Reader) -> str:
    """What a move does, and what it means."""
    move = begun(line)
    told = [_deed(before, move, line, reader)]
    if isinstance(move, Distribute) and after.total(before.seat) < before.total(before.seat):
        told.append(about(reader, "lost"))
    if after.end or after.arrival:
        told += standing(after, reader)[:1]
    return " ".join(told)


def standing(view: View, reader: Reader) -> list[str]:
    """A threatened win and whose turn it is, or how the match ended."""
    if view.end:
        reason = REASONS[reader.language][view.end]
        return [about(reader, "won" if view.winner else "drawn", view.winner, reason=reason)]
    if reader.over:
        return []
    turn = about(reader, "turn", view.seat)
    if not view.arrival:
        return [turn]
    return [about(reader, "arrived", 3 - view.seat, square=view.arrival), turn]


def _deed(before: View, move: Move, line: str, reader: Reader) -> str:
    if isinstance(move, Distribute):
        receivers = listed(WORDS, reader, move.receivers)
        return about(reader, "gives", before.seat, piece=move.piece, receivers=receivers)
    if isinstance(move, Step):
        return about(reader, "moves", before.seat, line=line)
    strength = next(piece.strength for piece in before.pieces if piece.square == move.target)
    return about(reader, "captures", before.seat, line=line, target=move.target, strength=strength)
