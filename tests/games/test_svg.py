"""The colours of the pictures are those of the pages."""

from __future__ import annotations

import re
from pathlib import Path

from games.core import svg

CSS = (Path(__file__).parents[2] / "templates/static/tokens.css").read_text()
COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")


def test_the_table_of_colours_is_that_of_the_style_sheet() -> None:
    light, dark = CSS.split("@media (prefers-color-scheme: dark)")
    first = dict(COLOUR.findall(light))
    second = first | dict(COLOUR.findall(dark))
    assert {token: colour.light for token, colour in svg.TOKENS.items()} == first
    assert {token: colour.dark for token, colour in svg.TOKENS.items()} == second


def test_every_class_of_the_style_sheet_paints_its_token() -> None:
    for kind, attribute in (("f", "fill"), ("s", "stroke")):
        rules = re.findall(rf"\.{kind}-(\w+) {{ {attribute}: var\(--([\w-]+)\); }}", CSS)
        painted = {token: name for name, token in rules}
        for token in svg.TOKENS:
            if token != "on-ink":
                assert painted[token] == svg.style(token)


def test_a_shape_has_its_classes_and_the_light_values() -> None:
    assert svg.paint("one", "oneline", 2.4) == (
        'class="f-one s-oneline" fill="#f0c768" stroke="#5a4218" stroke-width="2.4"'
    )
    assert svg.paint(stroke="ink", width=6) == (
        'class="s-ink" fill="none" stroke="#1b4b9b" stroke-width="6"'
    )


def test_what_a_player_wrote_stays_text() -> None:
    bad = "<script>&\"'"
    assert bad not in svg.picture((1, 1), "de", bad, bad, [svg.thing("a1", bad, "")])
    assert "&lt;script&gt;" in svg.link("a1", bad, "", "can", "")
    assert svg.link("a1", "x", "sum A7 b7 > 16; end", "can", "").startswith(
        '<a id="a1" href="?line=sum%20A7%20b7%20%3E%2016;%20end"'
    )
