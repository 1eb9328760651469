"""Where the wheel of the eleven sectors is drawn: points, bands and arcs as SVG paths."""

from __future__ import annotations

from math import cos, pi, sin

from games.core.svg import number
from games.seasons.sectors import SECTORS

X, Y = 320, 322
HUB, MIDDLE, RIM, EDGE = 100, 182, 262, 312
"""Radii: the hub with the score, between the rings, the wheel, and a sector that is won."""
FIRST = -3
"""The Max half is symmetric about the vertical: half of its six sectors are left of the top."""

Point = tuple[float, float]


def at(radius: float, sectors: float) -> Point:
    """The point at a distance from the middle, so many sectors clockwise from the top."""
    angle = sectors * 2 * pi / len(SECTORS)
    return X + radius * sin(angle), Y - radius * cos(angle)


def centre(place: int, radius: float) -> Point:
    """The middle of a sector at a distance from that of the wheel."""
    return at(radius, FIRST + place + 0.5)


def spot(place: int, seat: int, lift: int = 0) -> Point:
    """The middle of a field: of seat 1 in the outer ring, of seat 2 in the inner one."""
    return centre(place, (MIDDLE + (RIM if seat == 1 else HUB)) / 2 + lift)


def band(place: int, inner: float, outer: float, inset: float = 0) -> str:
    """The outline of a sector between two radii, a bit narrower on both sides."""
    start, end = FIRST + place + inset, FIRST + place + 1 - inset
    return (
        f"M{pair(at(outer, start))}A{outer} {outer} 0 0 1 {pair(at(outer, end))}"
        f"L{pair(at(inner, end))}A{inner} {inner} 0 0 0 {pair(at(inner, start))}Z"
    )


def arc(place: int, radius: float, wide: float) -> str:
    """A stroke along the middle of a sector, so many units long."""
    half = wide / 2 / radius / (2 * pi / len(SECTORS))
    start, end = FIRST + place + 0.5 - half, FIRST + place + 0.5 + half
    return f"M{pair(at(radius, start))}A{radius} {radius} 0 0 1 {pair(at(radius, end))}"


def spoke(boundary: int, outer: float) -> str:
    """The line before a sector, from the hub outwards."""
    return f"M{pair(at(HUB, FIRST + boundary))}L{pair(at(outer, FIRST + boundary))}"


def pair(point: Point) -> str:
    """A point in a path."""
    return f"{number(point[0])} {number(point[1])}"


def half(inner: int, outer: int) -> str:
    """The outline of the Max half between two radii."""
    start, end = FIRST, -FIRST
    return (
        f"M{pair(at(outer, start))}A{outer} {outer} 0 1 1 {pair(at(outer, end))}"
        f"L{pair(at(inner, end))}A{inner} {inner} 0 1 0 {pair(at(inner, start))}Z"
    )
