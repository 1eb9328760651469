"""Malawi in sentences: what a move did, who is to move, who won."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.drawing import Reader
from games.core.rules import say
from games.core.text import plain
from games.core.words import put
from games.malawi.moves import Distribute, Move, Step, begun
from games.malawi.view import View
from games.malawi.words import REASONS, WORDS


def title(view: View, reader: Reader) -> str:
    """Whose turn it is, or who won."""
    if view.winner:
        return about(reader, "title-won", view.winner)
    return about(reader, "title-drawn") if view.end else about(reader, "title", view.seat)


def tell(before: View, after: View, line: str, reader: Reader) -> str:
    """What a move does, and what it means."""
    move = begun(line)
    told = [_deed(before, move, line, reader)]
    if isinstance(move, Distribute) and after.total(before.seat) < before.total(before.seat):
        told.append(about(reader, "lost"))
    if after.end or after.arrival:
        told.append(standing(after, reader)[0])
    return " ".join(told)


def standing(view: View, reader: Reader) -> list[str]:
    """A threatened win and whose turn it is, or how the match ended."""
    if view.end:
        reason = REASONS[reader.language][view.end]
        return [about(reader, "won" if view.winner else "drawn", view.winner, reason=reason)]
    turn = [] if reader.over else [about(reader, "turn", view.seat)]
    if not view.arrival:
        return turn
    return [about(reader, "arrived", 3 - view.seat, square=view.arrival), *turn]


def about(reader: Reader, key: str, seat: int = 0, **values: str | int) -> str:
    """A sentence about a seat, in the second person if it is the reader's; 0 is nobody."""
    if seat:
        values["name"] = plain(reader.names[seat - 1])
    if seat and seat == reader.viewer and f"{key}-you" in WORDS[reader.language]:
        key += "-you"
    return put(WORDS, say(key, **values), reader.language)


def _deed(before: View, move: Move, line: str, reader: Reader) -> str:
    if isinstance(move, Distribute):
        receivers = _listed(move.receivers, reader)
        return about(reader, "gives", before.seat, piece=move.piece, receivers=receivers)
    if isinstance(move, Step):
        return about(reader, "moves", before.seat, line=line)
    strength = next(piece.strength for piece in before.pieces if piece.square == move.target)
    return about(reader, "captures", before.seat, line=line, target=move.target, strength=strength)


def _listed(squares: Sequence[str], reader: Reader) -> str:
    *most, last = squares
    return about(reader, "and", most=", ".join(most), last=last) if most else last
