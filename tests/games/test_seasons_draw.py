"""The picture, the text and the sentences of Seasons of the Sun."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from xml.etree import ElementTree

import pytest

from games import registry
from games.core import line
from games.core.drawing import LANGUAGES, Language, Reader
from games.core.rules import BYSTANDER, Mark, ToMove, Viewer
from games.core.words import put
from games.seasons.sectors import SECTORS
from games.seasons.v1 import RULES, State
from games.seasons.words import WORDS
from tests.games.sun import after, laid, place, sample, start, thrown

DRAW = registry.drawing("seasons")
NAMES = ("Marlene", "Jonas")
SVG = "{http://www.w3.org/2000/svg}"
READY = thrown(sample(), 5, 5, 6)
INNER = thrown(laid(sample(), 17, "max15"), 6, 5, 5)


def reader(viewer: Viewer = 1, language: Language = "de") -> Reader:
    return Reader(language, NAMES, viewer)


def picture(
    state: State, viewer: Viewer = 1, text: str = "", last: tuple[str, ...] = ()
) -> ElementTree.Element:
    """The picture on the page: with the choices if it is the viewer's turn."""
    turn = RULES.turn(state)
    mine = isinstance(turn, ToMove) and turn.seat == viewer
    choices = (
        line.choices(RULES, state, turn.seat, text) if isinstance(turn, ToMove) and mine else ()
    )
    shown = line.preview(RULES, state, turn.seat, text) if isinstance(turn, ToMove) else state
    drawn = DRAW.svg(
        RULES.view(shown, viewer),
        reader(viewer),
        choices=choices,
        line=text,
        last=last,
    )
    return ElementTree.fromstring(drawn)


def things(drawn: ElementTree.Element, mark: Mark | None = None) -> list[str]:
    """The ids of the choosable things, or of those with a mark."""
    links = drawn.iter(f"{SVG}a")
    return [link.get("id", "") for link in links if mark is None or link.get("class") == mark.value]


def titled(drawn: ElementTree.Element, name: str) -> str:
    """The words of a thing."""
    found = next(part for part in drawn.iter() if part.get("id") == name)
    title = found.find(f"{SVG}title")
    return (title.text or "") if title is not None else ""


def figures(drawn: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]


def told(before: State, move: str, viewer: Viewer = 1, language: Language = "de") -> str:
    then, now = (RULES.view(state, viewer) for state in (before, after(before, move)))
    return DRAW.tell(then, now, move, reader(viewer, language))


def walk(seed: int) -> Iterator[tuple[State, str]]:
    """A random match: positions, each with the move that is made there or ""."""
    random, state = Random(seed), start()
    while state.seat:
        turn = RULES.turn(state)
        if not isinstance(turn, ToMove):
            yield state, ""
            state = RULES.apply_chance(state, tuple(random.randint(1, 6) for _ in state.cup))
            continue
        move = random.choice(list(RULES.legal_moves(state)))
        yield state, RULES.notate(move)
        state = RULES.apply(state, move)
    yield state, ""


def test_all_choosable_things_are_links_in_reading_order() -> None:
    fields = ["max10", "max15", "min9", "min11", "min17", "min13", "min10"]
    assert things(picture(READY)) == [*fields, "die1", "die2", "die3"]
    assert things(picture(READY), Mark.CAN) == things(picture(READY))


def test_the_inner_fields_are_the_second_of_their_names() -> None:
    drawn = picture(INNER, 2)
    assert things(drawn)[:3] == ["max10-2", "max15-2", "max13-2"]
    link = next(drawn.iter(f"{SVG}a"))
    assert link.get("href") == "?line=max10"


def test_nothing_is_choosable_while_somebody_else_is_to_move() -> None:
    for viewer in (2, BYSTANDER):
        assert things(picture(READY, viewer)) == []
        assert "ink" not in ElementTree.tostring(picture(READY, viewer), "unicode")


def test_a_chosen_field_and_chosen_dice_lead_back() -> None:
    assert things(picture(READY, 1, "max15"), Mark.CHOSEN) == ["max15"]
    assert titled(picture(READY, 1, "max15"), "max15") == "max15: Wahl zurücknehmen"
    drawn = picture(READY, 1, "reroll 1,3")
    assert things(drawn, Mark.CHOSEN) == ["die1", "die3"]
    assert things(drawn, Mark.CAN) == ["die2"]
    links = {link.get("id"): link.get("href") for link in drawn.iter(f"{SVG}a")}
    assert links == {
        "die1": "?line=reroll%203",
        "die2": "?line=reroll%201,2,3",
        "die3": "?line=reroll%201",
    }


def test_a_badge_says_what_the_sum_does_to_the_sector() -> None:
    signs = {choice.thing: choice.badge for choice in line.choices(RULES, INNER, 2, "")}
    assert {thing: sign for thing, sign in signs.items() if sign} == {
        "max15-2": "−15",
        "max13-2": "=",
        "max9-2": "+9",
        "max5-2": "+5",
    }
    assert {"−15", "=", "+9", "+5"} <= set(figures(picture(INNER, 2)))


def test_a_preview_shows_where_the_line_leads() -> None:
    won, cleared = (picture(INNER, 2, text) for text in ("max5", "max13"))
    assert titled(won, "sector-max5") == "max5: gewonnen von Jonas"
    assert titled(won, "score") == "Punkte: Marlene 0, Jonas 13"
    assert titled(won, "max5") == "max5, Marlene: 11 (verloren)"
    assert titled(cleared, "max13") == "max13, Marlene: frei"
    assert figures(won)[-3] == "= 16"
    assert figures(picture(INNER, 2, "reroll 2"))[-3] == "= ?"


def test_what_stands_behind_an_event_of_chance_is_not_drawn() -> None:
    assert figures(picture(READY, 1, "reroll 2; rubbish"))[-3] == "= ?"
    assert titled(picture(READY, 1, "max15; rubbish"), "max15") == "max15, Marlene: 16"


def test_dice_in_the_cup_show_nothing() -> None:
    drawn = picture(after(READY, "reroll 2"), 2)
    faces = [use.get("href", "") for use in drawn.iter(f"{SVG}use")][-3:]
    assert faces == ["#face-5", "#face-0", "#face-6"]
    assert titled(drawn, "die2") == "Würfel 2: im Becher"
    assert not [text for text in figures(drawn) if text.startswith("=")]


@pytest.mark.parametrize(
    ("state", "last", "shapes"),
    [
        (READY, ("min9",), ["circle"]),
        (sample(6), ("max8",), ["path"]),
        (sample(9), ("max13",), ["circle", "circle"]),
        (sample(9), ("reroll 2", "max13"), ["circle", "circle"]),
        (sample(9), ("max8", "reroll 2", "max13"), ["path", "circle", "circle"]),
        (thrown(after(READY, "reroll 1,3"), 2, 2), ("reroll 1,3",), ["rect", "rect"]),
    ],
)
def test_the_last_turn_is_drawn_in_pencil(
    state: State, last: tuple[str, ...], shapes: list[str]
) -> None:
    drawn = picture(state, 1, last=last)
    pencil = next(part for part in drawn.iter() if part.get("class") == "last")
    assert [part.tag.removeprefix(SVG) for part in pencil] == shapes


def test_ids_are_unique_and_only_the_allowed_parts_occur() -> None:
    allowed = {"svg", "title", "desc", "defs", "g", "a", "use", "path", "rect", "circle", "text"}
    for state, move in walk(3):
        for viewer in (1, 2, BYSTANDER):
            drawn = picture(state, viewer, move if viewer == state.seat else "")
            ids = [part.get("id") for part in drawn.iter() if part.get("id")]
            assert len(ids) == len(set(ids))
            assert {part.tag.removeprefix(SVG) for part in drawn.iter()} <= allowed
            assert not [part for part in drawn.iter() if "style" in part.attrib]


def test_every_choice_is_a_thing_of_the_picture_and_has_words() -> None:
    for state, _ in walk(4):
        turn = RULES.turn(state)
        if isinstance(turn, ToMove):
            choices = line.choices(RULES, state, turn.seat, "")
            drawn = picture(state, turn.seat)
            assert sorted(choice.thing for choice in choices) == sorted(things(drawn))
            for choice in choices:
                words = put(WORDS, choice.say, "de")
                assert titled(drawn, choice.thing) == words


def test_the_text_is_the_twin_of_the_picture() -> None:
    text = DRAW.text(RULES.view(READY, 1), reader())
    assert text.splitlines() == [
        "  Sektor         Marlene           Jonas",
        "  max8                12              13*",
        "  max10                .               .",
        "  max15                .               .",
        "  max13               16               .",
        "  max9                13               .",
        "  max5                11               .",
        "  min9                 .               7",
        "  min11                .               6",
        "  min17                .               .",
        "  min13                .               5",
        "  min10                .               6",
        "  Punkte               0               8",
        "  * gewinnt den Sektor",
        "  Würfel: 5, 5, 6 = 16",
        "  Du bist am Zug mit 5, 5, 6. Punkte: 0 zu 8.",
    ]


def test_texts_are_narrow_in_both_languages_whatever_the_names() -> None:
    long = Reader("de", ("Maximilian-Alexander von und zu Hohen" * 3, "x"), 1)
    for state, _ in walk(5):
        for language in LANGUAGES:
            for names in (long.names, NAMES):
                text = DRAW.text(RULES.view(state, 1), Reader(language, names, 1))
                assert max(map(len, text.splitlines())) <= 60
                assert all(row.startswith("  ") for row in text.splitlines())


def test_titles() -> None:
    for state, viewer, words in (
        (READY, 1, "Seasons of the Sun: du bist am Zug mit 5, 5, 6"),
        (READY, 2, "Seasons of the Sun: Marlene ist am Zug mit 5, 5, 6"),
        (sample(), 2, "Seasons of the Sun: Marlene würfelt"),
        (_over("max15"), 1, "Seasons of the Sun: du hast gewonnen"),
        (_over(""), BYSTANDER, "Seasons of the Sun: Jonas hat gewonnen"),
    ):
        assert DRAW.title(RULES.view(state, viewer), reader(viewer)) == words


def _over(mine: str) -> State:
    """A finished match in which seat 1 has won one half, or nothing."""
    outer = " ".join(f"{s.name}:{18 if mine and s.highest else 10}" for s in SECTORS)
    inner = " ".join(f"{s.name}:{17 if s.highest else 11 if mine else 3}" for s in SECTORS)
    return place(outer, inner)._replace(seat=0, cup=())


def test_a_level_match_is_told_by_the_option() -> None:
    outer = " ".join(f"{s.name}:{18 if s.highest else 10}" for s in SECTORS)
    inner = " ".join(f"{s.name}:{9 if s.highest else 3}" for s in SECTORS)
    for tie, words in (
        ("draw", "Remis. Punkte: 60 zu 60."),
        ("sectors", "Du hast gewonnen. Punkte: 60 zu 60. Sektoren: 6 zu 5."),
    ):
        state = place(outer, inner, tie=tie)._replace(seat=0, cup=())
        text = DRAW.text(RULES.view(state, 1), reader())
        assert text.endswith(words)


@pytest.mark.parametrize(
    ("before", "move", "viewer", "words"),
    [
        (READY, "max15", 1, "Du legst 16 auf Max-15."),
        (READY, "max15", 2, "Marlene legt 16 auf Max-15."),
        (READY, "reroll 1,3", 2, "Marlene wirft die 5 und die 6 noch einmal."),
        (READY, "reroll 1,2,3", 1, "Du wirfst die 5, die 5 und die 6 noch einmal."),
        (READY, "min9", 2, "Marlene legt 16 auf min-9. Du gewinnst den Sektor, 9 Punkte."),
        (
            INNER,
            "max9",
            1,
            "Jonas legt 16 auf Max-9. Jonas gewinnt den Sektor, 9 Punkte."
            " Jonas ist noch einmal am Zug.",
        ),
        (
            INNER,
            "max13",
            BYSTANDER,
            "Jonas legt 16 auf Max-13. Dort liegt auch 16: Beide Felder sind wieder frei.",
        ),
    ],
)
def test_what_a_move_did(before: State, move: str, viewer: Viewer, words: str) -> None:
    assert told(before, move, viewer) == words


def test_every_move_is_told_in_both_languages() -> None:
    for seed, language in product(range(6, 9), LANGUAGES):
        for state, move in walk(seed):
            if move:
                assert told(state, move, 1, language).endswith(".")


def test_names_cannot_break_out_of_the_picture() -> None:
    who = Reader("en", ('<script>"&', "]]>"), BYSTANDER)
    drawn = ElementTree.fromstring(DRAW.svg(RULES.view(READY, BYSTANDER), who))
    assert '<script>"&' in (drawn.findtext(f"{SVG}title") or "")


def test_what_was_thrown_is_told() -> None:
    for state, eyes, said in (
        (sample(), (5, 5, 6), "5, 5 and 6."),
        (after(READY, "reroll 1,3"), (2, 3), "2 and 3."),
    ):
        views = RULES.view(state, BYSTANDER), RULES.view(thrown(state, *eyes), BYSTANDER)
        told = DRAW.tell_chance(*views, reader(BYSTANDER, "en"))
        assert told == f"{NAMES[state.seat - 1]} rolls {said}"
