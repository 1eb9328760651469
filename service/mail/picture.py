"""The picture of a board as a mail can carry it: the drawing of the pages as a small PNG."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from io import BytesIO

import resvg_py
from PIL import Image

from service.language import TEMPLATES

SHOWN = 520
"""Pixels that a picture takes in a mail; it has up to twice as many."""
WIDTHS = (1040, 720, 520)
AREA = 1_400_000
"""More pixels than a tall picture of cards is worth."""
LARGEST = 40_000
QUICK, SMALL, WORTH = 6, 9, 1.15
"""Levels of compression: the second takes seven times as long, and saves no more than that."""
COLOURS = 24
PAPER = "#f4f1ea"
"""Behind every picture: what is transparent vanishes in a dark mail."""
FONTS = [str(TEMPLATES / "static" / "fonts" / f"fira-sans-{weight}.ttf") for weight in (400, 600)]
"""Ours alone: a drawing without its font has no letters, and not a word is said of it."""
VIEW_BOX = re.compile(r'viewBox="\S+ \S+ (\d+) (\d+)"')
DESCRIBED = re.compile(r'<desc id="board-desc">(.*?)</desc>', re.DOTALL)


@dataclass(frozen=True)
class Picture:
    """A PNG, with its height where it is SHOWN wide, and what is on it in words."""

    png: bytes
    height: int
    words: str


@lru_cache(maxsize=32)
def picture(svg: str) -> Picture:
    """The drawing, opaque and light, as large as its budget allows."""
    ratio = _ratio(svg)
    described = DESCRIBED.search(svg)
    words = " ".join(unescape(described[1]).split()) if described else ""
    for width in WIDTHS:
        if width * width * ratio <= AREA and len(png := _drawn(svg, width)) <= LARGEST:
            break
    return Picture(png, round(SHOWN * ratio), words)


def _ratio(svg: str) -> float:
    """Height to width."""
    width, height = VIEW_BOX.findall(svg)[0]
    return int(height) / int(width)


def _drawn(svg: str, width: int) -> bytes:
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background=PAPER,
        font_files=FONTS,
        skip_system_fonts=True,
        sans_serif_family="Fira Sans",
    )
    image = Image.open(BytesIO(drawn)).convert("RGB")
    few = image.quantize(palette=_palette(image), dither=Image.Dither.NONE)
    png = _packed(few, QUICK)
    return _packed(few, SMALL) if LARGEST < len(png) < WORTH * LARGEST else png


def _packed(image: Image.Image, level: int) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def _palette(image: Image.Image) -> Image.Image:
    """Half of the colours as they are, those of the largest areas; the rest as different from each
    other as they can be, so that a small red thing stays red."""
    areas = sorted(image.getcolors(image.width * image.height) or (), reverse=True)
    exact = [colour for _, colour in areas[: COLOURS // 2] if isinstance(colour, tuple)]
    rest = image.quantize(COLOURS - len(exact), Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in exact for part in colour] + rest)
    return palette
