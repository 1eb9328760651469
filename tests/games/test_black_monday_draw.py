"""The picture, the text and the sentences of Black Monday."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, product
from random import Random
from xml.etree import ElementTree

import pytest

from games import registry
from games.black_monday.state import State
from games.black_monday.v1 import RULES
from games.black_monday.words import WORDS
from games.core import line
from games.core.drawing import LANGUAGES, Language, Reader
from games.core.rules import (
    BYSTANDER,
    OPEN,
    Chance,
    Mark,
    Shuffle,
    ToMove,
    Viewer,
    complete,
)
from games.core.words import put
from tests.games.market import after, dealt, place, shuffled, start
from tests.games.test_black_monday_oracle import walked

DRAW = registry.drawing("black-monday")
NAMES = ("Clara", "Jonas", "Ida", "Mats", "Ole", "Eva")
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = "svg title desc defs g a use path rect circle line text"
HAND = "R7 R9 B4 B12 P1 P8 Y10 Y13"
LAID = ("R5 R4 Y2", "B10 B2 P6", "R3 R8 Y7")
LOOK = place("6 9 3 11", HAND, shares=LAID, money=(87, 41, 112))
LOOK = LOOK._replace(
    past=(LOOK.piles, *(place("6 6 3 11").piles,) * 2),
    movers=(2, 3),
)
"""The position that the look draws; Jonas raised blue from 6 to 9 and bought blue 2."""
LAST = "price B9; buy B2; end"
BOTH = place("6 9 3 5", "Y11 Y13 P12 P11 P11 R4 R4 R5", shares=("R5", "", ""))
"""A position in which a card can be played in two ways."""


def reader(viewer: Viewer = 1, language: Language = "de") -> Reader:
    return Reader(language, NAMES, viewer)


def svg(state: State, viewer: Viewer = 1, text: str = "", last: str = "") -> str:
    """The picture on the page: with the choices if it is the viewer's turn."""
    known = RULES.known(state, viewer)
    turn = RULES.turn(state)
    mine = isinstance(turn, ToMove) and turn.seat == viewer
    seat = viewer if isinstance(viewer, int) else 0
    choices = line.choices(RULES, known, seat, text) if mine else ()
    shown = line.preview(RULES, known, seat, text) if mine else known
    return DRAW.svg(
        RULES.view(shown, viewer),
        reader(viewer),
        choices=choices,
        line=text,
        last=(last,) if last else (),
    )


def picture(
    state: State, viewer: Viewer = 1, text: str = "", last: str = ""
) -> ElementTree.Element:
    return ElementTree.fromstring(svg(state, viewer, text, last))


def things(drawn: ElementTree.Element, mark: Mark | None = None) -> list[str]:
    """The ids of the choosable things, or of those with a mark."""
    links = drawn.iter(f"{SVG}a")
    return [link.get("id", "") for link in links if mark is None or link.get("class") == mark.value]


def titled(drawn: ElementTree.Element, name: str) -> str:
    """The words of a thing."""
    found = next(part for part in drawn.iter() if part.get("id") == name)
    return found.findtext(f"{SVG}title") or ""


def marked(drawn: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """The groups of a class: `last`, `chosen`, `won`."""
    return [part for part in drawn.iter(f"{SVG}g") if part.get("class") == kind]


def walk(seed: int, seats: int = 3) -> Iterator[State]:
    """The positions of a random match."""
    random = Random(seed)
    state = dealt(seats, seed)
    while not state.end:
        yield state
        text = walked(RULES.known(state, state.seat), state.seat, random)
        state = shuffled(line.play(RULES, state, state.seat, text).state, random)
    yield state


def test_hand_and_shares_are_links_in_the_order_of_the_page() -> None:
    assert things(picture(LOOK)) == ["share-R4", "share-R5", "share-Y2", *HAND.split()]
    assert things(picture(LOOK), Mark.CAN) == things(picture(LOOK))
    assert titled(picture(LOOK), "share-R5") == "Rot 5 verkaufen: 30 GE"
    assert titled(picture(LOOK), "R7") == "Rot 7: wählen"


def test_the_second_copy_of_a_card_is_a_thing_of_its_own() -> None:
    drawn = picture(place("6 6 6 6", "R4 R4 R5 R5 B1 B2 B3 B4", shares=("Y1 Y1",)))
    assert things(drawn)[:6] == ["share-Y1", "share-Y1-2", "R4", "R4-2", "R5", "R5-2"]
    both = picture(place("6 6 6 6", "R4 R4 R5 R5 B1 B2 B3 B4"), 1, "swap R4 R4")
    assert things(both, Mark.CHOSEN) == ["R4", "R4-2"]
    assert things(both, Mark.CAN)[:2] == ["R5", "R5-2"]


def test_a_picked_card_shows_what_can_become_of_it() -> None:
    drawn = picture(LOOK, 1, "P8")
    assert things(drawn) == ["price-P", "buy", "P8", "talon"]
    assert things(drawn, Mark.CHOSEN) == ["P8"]
    assert titled(drawn, "price-P") == "Kurs Violett von 3 auf 8 setzen"
    assert titled(drawn, "buy") == "Violett 8 kaufen, Anteile: 8, Preis: 24 GE"
    assert titled(drawn, "talon") == "Violett 8 tauschen"
    assert "−24" in ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]


def test_a_court_card_that_can_do_both_is_two_things() -> None:
    drawn = picture(BOTH, 1, "Y11")
    assert things(drawn) == ["price-Y", "crash-Y", "Y11", "talon"]
    assert things(picture(BOTH, 1, "P12")) == ["crash-P", "P12", "talon"]
    assert titled(drawn, "crash-Y") == "Gelb mit der 11 in den Konkurs treiben: Kurs von 5 auf 0"


def test_a_price_change_is_taken_back_on_the_price() -> None:
    drawn = picture(LOOK, 1, "price P8")
    assert things(drawn, Mark.CHOSEN) == ["price-P"]
    link = next(part for part in drawn.iter(f"{SVG}a") if part.get("id") == "price-P")
    assert link.get("href") == "?line="
    assert "P8" not in things(drawn)


def test_buttons_are_choices_without_a_thing() -> None:
    def buttons(text: str) -> list[tuple[str, str]]:
        found = line.choices(RULES, RULES.known(LOOK, 1), 1, text)
        return [(choice.line, choice.say.key) for choice in found if not choice.thing]

    assert buttons("") == [("pass", "pass")]
    assert buttons("price P8; buy B4") == [
        ("price P8", "take-back"),
        ("price P8; buy B4; end", "end"),
    ]
    assert buttons("price P8; end") == [("price P8", "take-back")]
    assert buttons("R7") == []


def test_cards_to_be_exchanged_stay_in_the_hand_and_others_may_join_them() -> None:
    drawn = picture(LOOK, 1, "swap P8 Y13")
    assert things(drawn, Mark.CHOSEN) == ["P8", "Y13"]
    assert things(drawn, Mark.CAN) == ["R7", "R9", "B4", "B12", "P1", "Y10"]
    assert things(picture(LOOK, 1, "swap R7 R9 B4 B12")) == ["R7", "R9", "B4", "B12"]
    assert marked(drawn, "chosen")


def test_the_preview_shows_the_end_of_the_line_with_backs_for_new_cards() -> None:
    drawn = picture(LOOK, 1, "price B12; buy P8; sell R4; end", LAST)
    assert titled(drawn, "price-B").startswith("Blau: Kurs 12")
    assert titled(drawn, "share-P8") == "Anteile: Violett 8"
    assert "share-R4" not in [part.get("id") for part in drawn.iter()]
    backs = [
        part for part in drawn.iter(f"{SVG}g") if part.findtext(f"{SVG}title") == "verdeckte Karte"
    ]
    assert len(backs) == 2
    assert things(drawn) == []
    assert len(marked(drawn, "chosen")) == 1


def test_what_stands_behind_the_end_of_a_turn_is_not_drawn() -> None:
    assert picture(LOOK, 1, "pass; rubbish") is not None
    assert picture(LOOK, 1, "swap R7; rubbish") is not None


def test_the_last_turn_is_drawn_in_pencil() -> None:
    drawn = picture(LOOK, last=LAST)
    arrow, frame = marked(drawn, "last")
    assert [part.tag.removeprefix(SVG) for part in arrow] == ["circle", "path", "path"]
    assert [part.tag.removeprefix(SVG) for part in frame] == ["rect"]
    assert not marked(picture(LOOK), "last")
    assert len(marked(picture(LOOK, last="swap R1 R2"), "last")) == 1
    assert len(marked(picture(LOOK, last="buy B2; sell B2; end"), "last")) == 1


def test_a_turn_of_several_records_is_drawn_like_one() -> None:
    whole, parts = (
        DRAW.svg(RULES.view(LOOK, 1), reader(1), last=last)
        for last in ((LAST,), ("price B9", "buy B2; end"))
    )
    assert whole == parts


def test_the_last_turn_stays_where_it_was_while_a_line_is_begun() -> None:
    for text in ("", "P8", "price B12", "price B12; end", "pass"):
        circle = marked(picture(LOOK, 1, text, LAST), "last")[0][0]
        assert circle.get("cx") == "369.2", text


def test_only_ink_may_be_chosen_and_nobody_else_sees_ink() -> None:
    for viewer in (2, 3, BYSTANDER):
        assert things(picture(LOOK, viewer, last=LAST)) == []
        assert "ink" not in svg(LOOK, viewer, last=LAST)


def test_hands_are_shown_to_their_seats_and_to_all_only_at_the_end() -> None:
    def ids(viewer: Viewer, drawn_as: Viewer) -> set[str]:
        shown = DRAW.svg(RULES.view(LOOK, viewer), reader(drawn_as))
        return {part.get("id", "") for part in ElementTree.fromstring(shown).iter()}

    hand = {"R7", "R9", "B12", "P8", "Y10", "Y13"}
    assert hand <= ids(1, 1)
    assert not hand & ids(2, 2)
    assert not hand & ids(BYSTANDER, BYSTANDER)
    text = DRAW.text(RULES.view(LOOK, OPEN), reader(BYSTANDER))
    assert "Hand von Clara: R7 R9 B4 B12 P1 P8 Y10 Y13." in text


def test_the_winner_has_a_tick_and_everybody_a_sum() -> None:
    drawn = picture(LOOK._replace(end="closed"))
    assert len(marked(drawn, "won")) == 1
    figures = ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]
    assert {"163", "167", "255"} <= set(figures)
    assert not marked(picture(LOOK), "won")


def test_a_full_table_and_a_large_hand_stay_in_the_picture() -> None:
    laid = "R1 R1 R2 R2 R3 R3 B1 B1 B2 B2 B3 B3 P12 P13 Y10"
    six = place("6 9 3 5", *(HAND,) * 6, shares=(laid,) * 6, court_shares="on")
    cards = [f"R{value}" for value in range(1, 14)] + [f"B{value}" for value in range(1, 8)]
    for state in (six, six._replace(end="closed")):
        for count in (0, 4, 5, 8, 10, 12, 20):
            own = state.holdings[0]._replace(hand=tuple(cards[:count]))
            hand = state._replace(holdings=(own, *state.holdings[1:]))
            for viewer in (1, 2, BYSTANDER):
                inside(picture(hand, viewer, last=LAST))


def inside(drawn: ElementTree.Element) -> None:
    """Everything at a fixed place lies within the picture."""
    left, top, width, height = map(int, (drawn.get("viewBox") or "").split())
    for part in drawn.iter():
        if part.tag == f"{SVG}text" and part.get("y"):
            assert top < float(part.get("y", "0")) < top + height
        found = re.match(r"translate\(([\d.-]+) ([\d.-]+)\)", part.get("transform", ""))
        if found and part.tag != f"{SVG}use":
            assert left <= float(found[1]) < left + width
            assert top <= float(found[2]) < top + height


def test_areas_to_hit_are_large_enough() -> None:
    for text in ("", "P8", "swap P8"):
        for area in picture(LOOK, 1, text).iter(f"{SVG}rect"):
            if area.get("class") == "hit":
                assert float(area.get("width", "0")) >= 84
                assert float(area.get("height", "0")) >= 84


def test_ids_are_unique_and_only_the_allowed_parts_occur() -> None:
    allowed = {*ALLOWED.split()}
    random = Random(5)
    for state in walk(3):
        seat = state.seat
        text = "" if state.end else walked(RULES.known(state, seat), seat, random)
        for viewer, begun in ((seat, ""), (seat, text), (seat % 3 + 1, ""), (BYSTANDER, "")):
            drawn = picture(state, viewer, begun, "price R4; buy R1; sell R1; end")
            ids = [part.get("id") for part in drawn.iter() if part.get("id")]
            assert len(ids) == len(set(ids))
            assert {part.tag.removeprefix(SVG) for part in drawn.iter()} <= allowed


def test_every_choice_is_a_thing_of_the_picture_and_has_words() -> None:
    random = Random(6)
    for state in walk(4):
        text, seat = "", state.seat
        while not state.end:
            choices = line.choices(RULES, RULES.known(state, seat), seat, text)
            drawn = picture(state, seat, text)
            named = [choice for choice in choices if choice.thing]
            assert sorted(choice.thing for choice in named) == sorted(things(drawn))
            for choice, language in product(named, LANGUAGES):
                assert put(WORDS, choice.say, language)
            for choice in named:
                assert titled(drawn, choice.thing) == put(WORDS, choice.say, "de")
            onward = [choice for choice in choices if choice.mark is not Mark.CHOSEN]
            if not onward:
                break
            text = random.choice(onward).line


def test_the_text_is_the_twin_of_the_picture() -> None:
    text = DRAW.text(RULES.view(LOOK._replace(discard=("Y9", "R1")), 1), reader())
    assert text.splitlines() == [
        "  Rot      6   erlaubt 4 bis 9",
        "  Blau     9   erlaubt 6 bis 13",
        "  Violett  3   erlaubt 1 bis 8, Konkurs möglich",
        "  Gelb    11   erlaubt 6 bis 13",
        "  Clara (du): 87 GE, Vermögen 163; Rot 4+5, Gelb 2.",
        "  Deine Hand: R7 R9 B4 B12 P1 P8 Y10 Y13.",
        "  Jonas: 41 GE, Vermögen 167; Blau 2+10, Violett 6.",
        "  Ida: 112 GE, Vermögen 255; Rot 3+8, Gelb 7.",
        "  Talon, Karten: 60. Ablage: R1 Y9.",
        "  Du bist am Zug.",
    ]


def test_texts_are_narrow_in_both_languages_whatever_the_names() -> None:
    long = ("Maximilian-Alexander von und zu Hohen" * 3, *NAMES[1:])
    for state, language, names in product(walk(5), LANGUAGES, (long, NAMES)):
        text = DRAW.text(RULES.view(state, 1), Reader(language, names, 1))
        assert max(map(len, text.splitlines())) <= 60
        assert all(row.startswith("  ") for row in text.splitlines())


def test_titles() -> None:
    level = place("2 9 3 11", shares=("", "R2", ""), money=(91, 87, 0))._replace(end="closed")
    for state, viewer, words in (
        (LOOK, 1, "Black Monday: du bist am Zug"),
        (LOOK, 2, "Black Monday: Clara ist am Zug"),
        (LOOK._replace(end="closed"), 1, "Black Monday: Ida hat gewonnen"),
        (LOOK._replace(end="closed"), 3, "Black Monday: du hast gewonnen"),
        (level, 1, "Black Monday: gewonnen haben Clara und Jonas"),
        (start(), BYSTANDER, "Black Monday: die Karten sind noch nicht verteilt"),
    ):
        assert DRAW.title(RULES.view(state, viewer), reader(viewer)) == words


def test_a_match_that_was_resigned_shows_wealth_but_no_winner() -> None:
    who = Reader("de", NAMES, 1, over=True)
    assert DRAW.title(RULES.view(LOOK, 1), who) == "Black Monday: die Partie ist zu Ende"
    assert DRAW.text(RULES.view(LOOK, 1), who).endswith("Talon, Karten: 60.")
    drawn = ElementTree.fromstring(DRAW.svg(RULES.view(LOOK, 1), who))
    figures = ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]
    assert {"163", "167", "255"} <= set(figures)
    assert not marked(drawn, "won")


def told(before: State, text: str, viewer: Viewer = 1, language: Language = "de") -> str:
    done = RULES.view(after(before, text), viewer)
    return DRAW.tell(RULES.view(before, viewer), done, text, reader(viewer, language))


@pytest.mark.parametrize(
    ("text", "viewer", "words"),
    [
        (
            "price B12; buy P8; sell R4; end",
            2,
            "Clara hebt Blau von 9 auf 12, kauft Violett 8 für 24 GE und verkauft Rot 4 für 24 GE.",
        ),
        ("swap R7 Y13", 3, "Clara tauscht Rot 7 und Gelb 13."),
        ("swap R7", 1, "Du tauschst Rot 7. Du ziehst Rot 1."),
        ("pass", BYSTANDER, "Clara passt."),
        ("price P1", 1, "Du senkst Violett von 3 auf 1."),
        ("price Y13; end", 2, "Clara hebt Gelb von 11 auf 13."),
    ],
)
def test_what_a_turn_did(text: str, viewer: Viewer, words: str) -> None:
    assert told(LOOK, text, viewer) == words


def test_a_crash_is_told_with_what_it_took() -> None:
    state = place("6 9 3 5", "P12 P3 R1 R2 R3 B1 B2 B3", shares=("", "P4 R1", ""))
    words = "Clara treibt Violett mit der 12 in den Konkurs."
    assert told(state, "crash P12; end", 3) == f"{words} Alle Anteile an Violett sind verloren."
    assert told(place("6 9 3 5", "P12", shares=("",) * 3), "crash P12; end", 3) == words
    assert told(state, "price P3; end", 3) == "Clara lässt Violett bei 3."


def test_the_end_card_is_told() -> None:
    state = place("6 9 3 5", *(HAND,) * 3, talon="END Y1", inside=True)
    ended = "Clara tauscht Rot 7. Gewonnen haben Clara, Jonas und Ida: die Ende-Karte ist gezogen."
    assert told(state, "swap R7", 2) == ended
    later = state._replace(terms=state.terms._replace(outplayed=True))
    assert told(later, "swap R7", 2) == (
        "Clara tauscht Rot 7. Die Ende-Karte ist gezogen. Die Runde wird noch zu Ende gespielt."
    )


def test_a_turn_in_two_records_is_told_twice() -> None:
    begun = after(LOOK, "price B12")
    assert told(begun, "end", 2) == "Clara beendet den Zug."
    assert DRAW.text(RULES.view(begun, 1), reader()).endswith("Du bist mitten in deinem Zug.")


def test_every_turn_is_told_in_both_languages_and_cards_only_to_their_seat() -> None:
    random = Random(9)
    for state, language in product(walk(7), LANGUAGES):
        if state.end:
            continue
        text = walked(RULES.known(state, state.seat), state.seat, random)
        done = line.play(RULES, state, state.seat, text).state
        for viewer in (1, 2, BYSTANDER):
            views = RULES.view(state, viewer), RULES.view(done, viewer)
            words = DRAW.tell(*views, text, reader(viewer, language))
            assert words.endswith(".")
            assert ("ziehst" in words or "You draw" in words) <= (viewer == state.seat)


def test_names_cannot_break_out_of_the_picture() -> None:
    who = Reader("en", ('<script>"&', "]]>", "x"), BYSTANDER)
    drawn = DRAW.svg(RULES.view(LOOK, BYSTANDER), who)
    assert "<script>" not in drawn
    assert ElementTree.fromstring(drawn) is not None


def test_long_names_are_cut_and_those_who_left_struck() -> None:
    names = ("Clara", "Wilhelmine-Charlotte", "Ole")
    view = RULES.view(LOOK._replace(left=(3,)), 1)
    drawn = ElementTree.fromstring(DRAW.svg(view, Reader("de", names, 1)))
    figures = ["".join(text.itertext()) for text in drawn.iter(f"{SVG}text")]
    assert "Wilhelmi…" in figures or any(text.endswith("…") for text in figures)
    assert "Ole (ausgeschieden): 112 GE, Rot 3+8, Gelb 7" in [
        title.text for title in drawn.iter(f"{SVG}title")
    ]


def test_the_start_prices_and_the_deal_are_told() -> None:
    table = RULES.setup(3, complete(RULES, 3, {}))
    priced = RULES.apply_chance(table, (6, 14, 4, 18))
    waiting = RULES.turn(priced)
    assert isinstance(waiting, Chance)
    assert isinstance(waiting.request, Shuffle)
    states = (table, priced, RULES.apply_chance(priced, waiting.request.ids))
    views = [RULES.view(state, 1) for state in states]
    told = [DRAW.tell_chance(*pair, reader(1, "en")) for pair in pairwise(views)]
    assert told == [
        "The prices start at red 3, blue 7, purple 2 and yellow 9.",
        "The cards have been shuffled and dealt, 8 to everybody.",
    ]
