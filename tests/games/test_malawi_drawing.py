"""How Malawi is drawn and told: what a reader finds in picture, characters and sentences."""

from __future__ import annotations

import re
from inspect import getsource
from xml.etree import ElementTree

import pytest

from games.core import line as lines
from games.core.drawing import Language, Reader
from games.core.rules import BYSTANDER, Viewer
from games.malawi import draw, moves, v1, words
from games.malawi import picture as sight
from games.malawi import told as telling
from games.malawi.v1 import RULES, State
from tests.games.boards import after, place, start

SVG = "{http://www.w3.org/2000/svg}"
X4 = ("c1:3 a2:2 a3:1 a4:1 a5:0 a6:2", "e2:0 f3:2 f4:3 f5:2 d6:2 e6:2")
ARRIVED = after(place(*X4), "c1-f1")


def reader(viewer: Viewer = 2, language: Language = "de") -> Reader:
    return Reader(language, ("Marlene", "Jonas"), viewer)


def picture(
    state: State, line: str = "", last: str = "", viewer: Viewer = 2
) -> ElementTree.Element:
    """The picture of a turn page, or of a position at rest for who is not to move."""
    reached, choices = state, ()
    if viewer == state.seat and not state.end:
        choices = lines.choices(RULES, state, state.seat, line)
        reached = lines.preview(RULES, state, state.seat, line)
    drawn = draw.svg(
        RULES.view(reached, viewer),
        reader(viewer),
        choices=choices,
        line=line,
        last=(last,) if last else (),
    )
    return ElementTree.fromstring(drawn)


def marks(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """What has this class."""
    return [node for node in root.iter() if name in (node.get("class") or "").split()]


def order(root: ElementTree.Element) -> list[str]:
    """The squares in focus order."""
    squares = [node.get("id") or "" for node in root.iter()]
    return [square for square in squares if re.fullmatch("[a-h][1-8]", square)]


def test_the_own_base_row_is_at_the_bottom() -> None:
    assert order(picture(start(), viewer=1))[:6] == ["f1", "f2", "f3", "f4", "f5", "f6"]
    assert order(picture(start(), viewer=2))[:6] == ["a6", "a5", "a4", "a3", "a2", "a1"]
    assert order(picture(start(), viewer=BYSTANDER))[:6] == ["f1", "f2", "f3", "f4", "f5", "f6"]


def test_a_board_of_any_size_fills_the_same_sheet() -> None:
    for size in ("6", "7", "8"):
        root = picture(start(board_size=size), viewer=1)
        assert root.get("viewBox") == "0 0 640 680"
        assert len(order(root)) == 2 * int(size)


@pytest.mark.parametrize("size", ["6", "7"])
def test_whatever_can_be_hit_is_large_enough_for_a_thumb(size: str) -> None:
    root = picture(start(board_size=size), "a1", viewer=1)
    hits = marks(root, "hit")
    assert hits
    assert all(float(hit.get("width") or 0) >= 84 for hit in hits)


def test_a_bystander_gets_no_links_and_no_ink() -> None:
    root = picture(ARRIVED, last="c1-f1", viewer=BYSTANDER)
    assert not list(root.iter(SVG + "a"))
    assert not marks(root, "s-ink")
    assert not marks(root, "f-ink")


def test_what_can_be_picked_is_underlined() -> None:
    root = picture(ARRIVED)
    assert [link.get("id") for link in marks(root, "can")] == ["d6", "e6", "f5", "f4", "f3"]
    assert len(list(root.iter(SVG + "line"))) == 5


def test_targets_say_what_happens_there() -> None:
    root = picture(ARRIVED, "f3")
    targets = {link.get("id"): link for link in marks(root, "target")}
    assert targets.keys() == {"d3", "f1", "d6", "e6", "e2", "f5", "f4"}
    assert targets["f1"].get("href") == "?line=f3xf1"
    assert targets["f1"][0].text == "f3 schlägt f1: Stärke 3 wird 0"
    assert "+1" in "".join(targets["e2"].itertext())
    assert [link.get("href") for link in marks(root, "chosen") if link.tag == SVG + "a"] == [
        "?line="
    ]


def test_the_last_turn_is_pencilled() -> None:
    for last in ("c1-f1", "f3xd3", "f2:f3,f4"):
        (group,) = marks(picture(start(), last=last, viewer=1), "last")
        assert all("pencil" in (shape.get("class") or "") for shape in group)
    assert not marks(picture(start(), viewer=1), "last")


def test_a_threatened_win_has_corners_until_it_is_met() -> None:
    assert marks(picture(ARRIVED), "arrival")
    assert marks(picture(ARRIVED, viewer=1), "arrival")
    assert not marks(picture(ARRIVED, "f3"), "arrival")
    assert not marks(picture(ARRIVED, "f3xf1"), "arrival")
    assert not marks(picture(after(ARRIVED, "f3xf1"), viewer=1), "arrival")


def test_the_winner_is_framed_and_ticked() -> None:
    root = picture(after(ARRIVED, "f3-d3"), last="f3-d3", viewer=1)
    assert marks(root, "won")
    assert not marks(root, "arrival")
    assert not marks(picture(ARRIVED), "won")


def test_a_preview_shows_the_position_after_the_line() -> None:
    root = picture(ARRIVED, "f3xf1")
    (f1,) = [node for node in root.iter() if node.get("id") == "f1"]
    assert "".join(f1.itertext()).endswith("0")
    (changes,) = [node for node in marks(root, "chosen") if node.tag == SVG + "g"]
    assert changes.findall(SVG + "path")
    assert "gewählt f3xf1" in (root.findtext(SVG + "title") or "")


def test_a_strength_is_seen_as_beads_and_as_a_figure() -> None:
    root = picture(place("c3:7 a1:1", "f1:0 f2:3", max_strength="none"), viewer=BYSTANDER)
    beads = {
        node.get("id"): len(
            [use for use in node.iter(SVG + "use") if "bead" in use.get("href", "")]
        )
        for node in root.iter()
        if node.get("id") in ("c3", "a1", "f1", "f2")
    }
    assert beads == {"c3": 7, "a1": 1, "f1": 0, "f2": 3}


def test_names_cannot_break_out() -> None:
    names = ("<b>&\"'\n", "]]>\x1b[31m")
    drawn = draw.svg(RULES.view(ARRIVED, 1), Reader("de", names, 1))
    root = ElementTree.fromstring(drawn)
    assert "<b>&\"'" in (root.findtext(SVG + "desc") or "")
    assert "\x1b" not in drawn


def test_the_board_in_characters() -> None:
    assert draw.text(RULES.view(ARRIVED, 2), reader()) == (
        "     6   5   4   3   2   1\n"
        " a  (2) (0) (1) (1) (2)  .   a\n"
        " b   .   .   .   .   .   .   b\n"
        " c   .   .   .   .   .   .   c\n"
        " d  [2]  .   .   .   .   .   d\n"
        " e  [2]  .   .   .  [0]  .   e\n"
        " f   .  [2] [3] [2]  .  (3)  f\n"
        "     6   5   4   3   2   1\n"
        "  ( ) Marlene, Perlen: 9\n"
        "  [ ] Jonas (du), Perlen: 11\n"
        "  Die Figur auf f1 ist am Ziel. Wird sie jetzt nicht\n"
        "  geschlagen, gewinnt Marlene. Du bist am Zug."
    )


@pytest.mark.parametrize(
    ("viewer", "language", "sentence"),
    [
        (1, "de", "Malawi: Jonas ist am Zug"),
        (2, "de", "Malawi: du bist am Zug"),
        (2, "en", "Malawi: it is your turn"),
        (BYSTANDER, "en", "Malawi: Jonas is to move"),
    ],
)
def test_the_title_says_whose_turn_it_is(viewer: Viewer, language: Language, sentence: str) -> None:
    assert draw.title(RULES.view(ARRIVED, viewer), reader(viewer, language)) == sentence


def test_nobody_is_to_move_in_a_match_that_was_resigned() -> None:
    view, who = RULES.view(ARRIVED, 2), Reader("de", ("Marlene", "Jonas"), 2, over=True)
    assert draw.title(view, who) == "Malawi: die Partie ist zu Ende"
    assert draw.text(view, who).endswith("Jonas (du), Perlen: 11")
    assert 'class="arrival"' not in draw.svg(view, who)
    before = RULES.view(place(*X4), 2)
    assert draw.tell(before, view, "c1-f1", who) == "Marlene zieht c1-f1."


def told(state: State, move: str, viewer: Viewer, language: Language = "de") -> str:
    views = RULES.view(state, viewer), RULES.view(after(state, move), viewer)
    return draw.tell(*views, move, reader(viewer, language))


def test_a_move_is_told_to_each_reader() -> None:
    assert told(place(*X4), "c1-f1", 2) == (
        "Marlene zieht c1-f1. Die Figur auf f1 ist am Ziel."
        " Wird sie jetzt nicht geschlagen, gewinnt Marlene."
    )
    assert told(place(*X4), "c1-f1", 1, "en") == (
        "You move c1-f1. Your piece on f1 is at its goal. Unless it is captured now, you win."
    )
    assert told(ARRIVED, "f3xf1", BYSTANDER) == (
        "Jonas schlägt f3xf1: Die Figur auf f1 fällt von 3 auf 0."
    )
    assert told(ARRIVED, "f3-d3", 1) == (
        "Jonas zieht f3-d3. Du hast gewonnen: eine Figur ist am Ziel."
    )
    assert told(start(), "a1:a2,a3", 2, "en") == "Marlene distributes a1 to a2 and a3."


def test_a_lost_surplus_and_a_draw_are_told() -> None:
    full = place("a1:5 b2:5 c3:1 a4:1 a5:0 a6:0", "f1:2 f2:2 f3:2 f4:2 f5:2 f6:2")
    assert told(full, "a1:a4,a5,a6,c3", 1) == (
        "Du verteilst a1 auf a4, a5, a6 und c3. Was niemand mehr nehmen kann, verfällt."
    )
    dull = start(no_progress="20")._replace(quiet=19)
    assert told(dull, "a1-c1", 2) == (
        "Marlene zieht a1-c1. Remis: zu lange ging kein Punkt verloren."
    )


def test_every_sentence_of_the_game_is_used() -> None:
    """The keys of words.py stand in the code, and the code names no other."""
    code = "".join(getsource(module) for module in (draw, moves, sight, telling, v1))
    own = words.WORDS["de"].keys() - words.GENERAL["de"].keys()
    unused = {key for key in own if f'"{key.removesuffix("-you")}"' not in code}
    assert unused == {"side-1", "side-2"}
    assert 'f"side-{seat}"' in code
    raised = set(re.findall(r'say\(\s*"([\w-]+)"', code))
    assert raised <= words.WORDS["de"].keys()
