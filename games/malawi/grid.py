"""The geometry of the boards of Malawi, worked out once for each size."""

from __future__ import annotations

from typing import NamedTuple


class Way(NamedTuple):
    """From one square straight to another: its ends, and the squares between them."""

    start: int
    target: int
    length: int
    between: slice


class Grid(NamedTuple):
    """A board. Its squares are numbered row by row: `a1` is 0, `a2` is 1."""

    names: tuple[str, ...]
    squares: dict[str, int]
    ways: dict[tuple[str, str], Way]
    reach: tuple[tuple[tuple[Way, ...], ...], ...]
    """By square and length: the ways from there, for any length that a strength can ask for."""
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """By square: the squares in each of the four directions, the nearest first."""
    homes: tuple[range, ...]
    """By seat (0 is nobody): its base row, which is the goal of the other."""


FAR = 32
"""More than any strength: both sides together have 32 points on the largest board."""


def _grid(size: int) -> Grid:
    names = tuple(f"{row}{column}" for row in "abcdefgh"[:size] for column in range(1, size + 1))
    rays = tuple(_rays(size, square) for square in range(size * size))
    ways = tuple(tuple(_ways(square, rays[square])) for square in range(size * size))
    return Grid(
        names=names,
        squares={name: square for square, name in enumerate(names)},
        ways={(names[way.start], names[way.target]): way for some in ways for way in some},
        reach=tuple(
            tuple(tuple(way for way in some if way.length == length) for length in range(FAR))
            for some in ways
        ),
        rays=rays,
        homes=(range(0), range(size), range(size * size - size, size * size)),
    )


def _rays(size: int, square: int) -> tuple[tuple[int, ...], ...]:
    row, column = divmod(square, size)
    return (
        tuple(range(column, square, size))[::-1],
        tuple(range(row * size, square))[::-1],
        tuple(range(square + 1, row * size + size)),
        tuple(range(square + size, size * size, size)),
    )


def _ways(start: int, rays: tuple[tuple[int, ...], ...]) -> list[Way]:
    return [
        Way(start, target, length, _between(start, target, length))
        for ray in rays
        for length, target in enumerate(ray, start=1)
    ]


def _between(start: int, target: int, length: int) -> slice:
    stride = abs(target - start) // length
    return slice(min(start, target) + stride, max(start, target), stride)


GRIDS = {size: _grid(size) for size in (6, 7, 8)}
