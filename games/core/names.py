"""Names in pictures: as wide as they are allowed to be, whatever people call themselves."""

from __future__ import annotations

from games.core.svg import number, paint, words

_NARROW, _LEAN, _WIDE = "iIjl!,.:;'()[]|", "frt- ", "mwMW@%"
_LATIN = 0x24F
"""The last letter that the typeface can have; others are drawn by another one, and broader."""
SMALLER = 20
"""The size of a name that does not fit in its own."""


def width(text: str, size: float) -> float:
    """About how wide a text is."""
    return size * sum(map(_letter, text))


def _letter(letter: str) -> float:
    """The width of a letter in parts of the size."""
    for letters, breadth in ((_NARROW, 0.31), (_LEAN, 0.4), (_WIDE, 0.82)):
        if letter in letters:
            return breadth
    if ord(letter) > _LATIN:
        return 1
    return 0.66 if letter.isupper() else 0.57


def fitted(name: str, size: float, room: float) -> tuple[str, float]:
    """The name and the size in which it fits: smaller, and cut short where it must be."""
    if width(name, size) > room:
        size = SMALLER
    if width(name, size) <= room:
        return name, size
    while name and width(f"{name}…", size) > room:
        name = name[:-1]
    return f"{name.rstrip()}…", size


def called(name: str, x: float, y: float, size: float, room: float, *, left: bool) -> str:
    """The name, as it fits; struck if its seat has left the match."""
    name, size = fitted(name, size, room)
    shown = words(x, y, size, name, "print-2" if left else "print", anchor="start")
    if not left:
        return shown
    stroke = f"M{number(x)} {number(y - 8)}h{number(width(name, size))}"
    return f'{shown}<path d="{stroke}" {paint(stroke="print-2", width=2)}/>'
