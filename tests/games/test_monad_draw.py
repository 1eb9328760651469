"""The picture, the text and the sentences of Monad."""

from __future__ import annotations

from itertools import product
from random import Random
from xml.etree import ElementTree

import pytest

from games import registry
from games.core import line
from games.core.drawing import LANGUAGES, Language, Reader
from games.core.rules import BYSTANDER, OPEN, Mark, ToMove, Viewer
from games.core.words import put
from games.monad.moves import Pair
from games.monad.state import Deed, State
from games.monad.v1 import RULES, leave
from games.monad.words import WORDS
from tests.games.ladder import after, dealt, place, settled
from tests.games.test_monad_oracle import positions

DRAW = registry.drawing("monad")
NAMES = ("Clara", "Ida", "Mats", "Jonas")
SVG = "{http://www.w3.org/2000/svg}"
GROUPS = ("c3 A3 C3", "a7 C7 A7", "C16 a16 c16", "b36 B36 C36 c36")


def look() -> State:
    """The position of the look."""
    state = place(
        "A1 C1 b1 B3 a3 B7 c7 b16 A36",
        "A1 A1 B1 C1 c1",
        "a1 b1 B1 c1 b1",
        "a1 C1 A1 B1 b1 a1",
        stamm="BAba",
        groups=GROUPS,
        stock="c1 A1 a1 B1",
        discard="c1 A1 a1 B1 b1 C1",
        monads=(1, 1, 0, 2),
    )
    return state._replace(mover=2, lately=(Deed(Pair(("C36", "c36")), ("monad",)),))


def reader(viewer: Viewer = 1, language: Language = "de") -> Reader:
    return Reader(language, NAMES, viewer)


def picture(
    state: State, viewer: Viewer = 1, text: str = "", last: str = ""
) -> ElementTree.Element:
    """The picture on the page: with the choices if it is the viewer's turn."""
    known = RULES.known(state, viewer)
    mine = isinstance(viewer, int) and RULES.turn(state) == ToMove(viewer)
    seat = state.seat
    choices = line.choices(RULES, known, seat, text) if mine else ()
    shown = line.preview(RULES, known, seat, text) if mine else known
    drawn = DRAW.svg(
        RULES.view(shown, viewer),
        reader(viewer),
        choices=choices,
        line=text,
        last=(last,) if last else (),
    )
    return ElementTree.fromstring(drawn)


def things(drawn: ElementTree.Element, mark: Mark | None = None) -> list[str]:
    """The ids of the choosable things, or of those with a mark."""
    links = drawn.iter(f"{SVG}a")
    return [link.get("id", "") for link in links if mark is None or link.get("class") == mark.value]


def titles(drawn: ElementTree.Element) -> list[str]:
    return [title.text or "" for title in drawn.iter(f"{SVG}title")]


def titled(drawn: ElementTree.Element, name: str) -> str:
    """The words of a thing."""
    found = next(part for part in drawn.iter() if part.get("id") == name)
    return found.findtext(f"{SVG}title") or ""


def marks(drawn: ElementTree.Element, name: str) -> list[str]:
    """The shapes drawn in pencil (`last`) or in ink (`chosen`)."""
    groups = [part for part in drawn.iter(f"{SVG}g") if part.get("class") == name]
    return [shape.tag.removeprefix(SVG) for part in groups for shape in part]


def figures(drawn: ElementTree.Element) -> list[str]:
    defined = {id(part) for defs in drawn.iter(f"{SVG}defs") for part in defs.iter()}
    return [part.text or "" for part in drawn.iter(f"{SVG}text") if id(part) not in defined]


def told(before: State, text: str, viewer: Viewer = 1, language: Language = "de") -> str:
    views = (RULES.view(state, viewer) for state in (before, after(before, text)))
    return DRAW.tell(*views, text, reader(viewer, language))


def test_all_choosable_things_are_links_in_reading_order() -> None:
    hand = ["A1", "C1", "b1", "B3", "a3", "B7", "c7", "b16"]
    assert things(picture(look())) == ["stock", *hand]
    assert things(picture(look()), Mark.CAN) == things(picture(look()))
    assert "A36" not in things(picture(look()))


def test_a_chosen_pair_leads_to_its_card_and_back() -> None:
    drawn = picture(look(), 1, "B7 c7")
    assert things(drawn, Mark.TARGET) == ["C16"]
    assert things(drawn, Mark.CHOSEN) == ["B7", "c7"]
    links = {link.get("id"): link.get("href") for link in drawn.iter(f"{SVG}a")}
    assert links["C16"] == "?line=pair%20B7%20c7"
    assert (links["B7"], links["c7"]) == ("?line=c7", "?line=B7")
    assert titled(drawn, "C16") == "C16 nehmen"


def test_a_badge_says_what_a_sum_costs() -> None:
    drawn = picture(place("A7 B7 c1 b1", groups=GROUPS), 1, "A7 B7 c1 b1")
    assert things(drawn, Mark.TARGET) == ["C16"]
    assert figures(drawn).count("−16") == 1
    assert titled(drawn, "C16") == "C16 nehmen, bezahlt mit 16"


def test_nothing_is_choosable_while_somebody_else_is_to_move() -> None:
    for viewer in (2, BYSTANDER):
        drawn = picture(look(), viewer)
        assert things(drawn) == []
        assert "s-ink" not in ElementTree.tostring(drawn, "unicode")


def test_a_preview_shows_what_comes_and_what_goes() -> None:
    drawn = picture(look(), 1, "pair B7 c7")
    assert titled(drawn, "C16") == "C16: wählen"
    assert "B7, Platz 4" in titles(drawn)
    assert "path" in marks(drawn, "chosen")
    monad = picture(place("A36 a36 c1", "", groups=GROUPS), 1, "pair A36 a36")
    assert "circle" in marks(monad, "chosen")


def test_a_drawn_card_is_shown_and_can_be_put_back() -> None:
    drawn = picture(look(), 1, "draw")
    assert things(drawn) == ["stock"]
    assert titled(drawn, "stock") == "draw: doch nicht"
    assert titled(drawn, "c1") == "c1"


def test_the_last_turn_is_drawn_in_pencil() -> None:
    drawn = picture(look(), 1, last="pair C36 c36; end")
    assert sorted(marks(drawn, "last")) == ["circle", "path"]
    assert marks(picture(look()), "last") == []


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("draw", ["circle"]),
        ("pair B7 c7; end", ["circle", "path"]),
        ("pair A1 b1; end", ["circle"] * 3),
    ],
)
def test_others_see_a_turn_in_pencil(text: str, shapes: list[str]) -> None:
    drawn = picture(after(look(), text), 3, last=text)
    assert sorted(marks(drawn, "last")) == shapes


def test_a_flip_is_drawn_round_the_stock() -> None:
    state = after(place("A1", "B1", "C1", groups=GROUPS, discard="a1 b1"), "flip")
    drawn = picture(state, 3, last="flip")
    assert marks(drawn, "last") == ["rect"]
    assert titled(drawn, "stock") == "Stoß: 2, von oben a1 b1"


def test_what_is_known_of_other_hands_is_drawn() -> None:
    drawn = picture(after(look(), "pair B7 c7; end"), 2)
    words = "Clara: Stammfarbe B, Karten: 8, Monaden: 1 von 3, davon bekannt: B3 a3 C16 b16 A36"
    assert words in titles(drawn)
    assert "16" in figures(drawn)


def test_empty_piles_are_outlines() -> None:
    drawn = picture(place("A1", groups=("", "a7", "", "")))
    assert [title for title in titles(drawn) if title.endswith(": leer")] == [
        "3: leer",
        "16: leer",
        "36: leer",
    ]
    assert titled(drawn, "stock") == "Stoß: 0"
    assert titled(drawn, "discard") == "Ablage, älteste zuerst: keine"


@pytest.mark.parametrize("count", [0, 1, 10, 11, 18, 19, 24])
def test_a_hand_of_any_size_lies_within_the_picture(count: int) -> None:
    pool = "A1 B1 C1 a1 b1 c1 A1 B1 C1 a1 A3 B3 C3 a3 b3 c3 A7 B7 C7 a7 b7 c7 A16 B16"
    drawn = picture(place(" ".join(pool.split(" ")[:count]), stock="b1", groups=GROUPS))
    _, _, _, height = map(int, (drawn.get("viewBox") or "").split())
    links = [link for link in drawn.iter(f"{SVG}a") if link.get("id") != "stock"]
    lines = [line_ for link in links for line_ in link.iter(f"{SVG}line")]
    assert all(float(line_.get("y1", "")) < height - 8 for line_ in lines)
    assert all(
        float(line_.get("x1", "")) >= 0 and float(line_.get("x2", "")) <= 640 for line_ in lines
    )
    hits = [
        rect for link in links for rect in link.iter(f"{SVG}rect") if rect.get("class") == "hit"
    ]
    assert all(float(rect.get("width", "")) >= 84 for rect in hits)


def test_the_winner_is_framed() -> None:
    state = after(place("A36 a36", "B1", monads=(4, 1), groups=GROUPS), "pair A36 a36")
    for viewer in (1, 2, BYSTANDER):
        assert marks(picture(state, viewer), "won")
    assert not marks(picture(look()), "won")
    level = after(after(place("A1", "B1", groups=("",) * 4), "pass"), "pass")
    assert not marks(picture(level), "won")


def test_the_frame_of_who_won_holds_all_their_monads() -> None:
    state = after(place("A36 a36", "B1", monads=(4, 1), groups=GROUPS), "pair A36 a36")
    drawn = picture(state, 1)
    (won,) = (part for part in drawn.iter(f"{SVG}g") if part.get("class") == "won")
    frame, low = won[0], float(won[1].get("cy", ""))
    left = float(frame.get("x", ""))
    ways = [use.get("transform", "") for use in drawn.iter(f"{SVG}use")]
    own = [float(way[10:].split()[0]) for way in ways if f" {low:g}) scale(1.15)" in way]
    assert len(own) == 5
    assert left + 16 < min(own)
    assert max(own) < left + float(frame.get("width", "")) - 16


def test_a_seat_that_left_is_struck() -> None:
    drawn = picture(leave(look(), 3))
    assert "Mats ist nicht mehr dabei" in titles(drawn)


def test_teams_count_together() -> None:
    state = place("A1", "B1", "C1", "a1", team="yes", monads=(1, 0, 2, 1), groups=GROUPS)
    for viewer in (1, 4, BYSTANDER):
        words = "Mats: Stammfarbe c, Karten: 1, Monaden: 2, im Team 3 von 5"
        assert words in titles(picture(state, viewer))
    state = after(
        place("A36 a36", "B1", "C1", "a1", team="yes", monads=(2, 0, 2, 1)), "pair A36 a36"
    )
    assert DRAW.title(RULES.view(state, 2), reader(2)) == "Monad: Clara und Mats haben gewonnen"


def test_every_choice_is_a_thing_of_the_picture_and_has_words() -> None:
    for state in positions(5, 60):
        choices = line.choices(RULES, RULES.known(state, state.seat), state.seat, "")
        drawn = picture(state, state.seat)
        assert sorted(one.thing for one in choices if one.thing) == sorted(things(drawn))
        for one in choices:
            words = put(WORDS, one.say, "de")
            assert not one.thing or titled(drawn, one.thing) == words


def test_ids_are_unique_while_a_turn_is_put_together() -> None:
    random = Random(3)
    for state in positions(4, 40):
        text = ""
        for _ in range(5):
            drawn = picture(state, state.seat, text, "x")
            ids = [part.get("id") for part in drawn.iter() if part.get("id")]
            assert len(ids) == len(set(ids))
            further = line.choices(RULES, RULES.known(state, state.seat), state.seat, text)
            if not further:
                break
            text = random.choice(further).line


def test_the_text_is_the_twin_of_the_picture() -> None:
    assert DRAW.text(RULES.view(look(), 1), reader()).splitlines() == [
        "   3:  c3 A3 C3",
        "   7:  a7 C7 A7",
        "  16:  C16 a16 c16",
        "  36:  b36 B36 C36 c36",
        "  Stoß: 4, von oben c1 A1 a1 B1",
        "  Ablage, älteste zuerst: c1 A1 a1 B1 b1 C1",
        "  Ida: Stammfarbe A, Karten: 5, Monaden: 1 von 3.",
        "  Mats: Stammfarbe b, Karten: 5, Monaden: 0 von 3.",
        "  Jonas: Stammfarbe a, Karten: 6, Monaden: 2 von 3.",
        "  Clara: Stammfarbe B, Karten: 9, Monaden: 1 von 3. Hand: A1",
        "  C1 b1 B3 a3 B7 c7 b16 A36.",
        "  Du bist am Zug.",
    ]


def test_titles() -> None:
    won = after(place("A36 a36", "B1", monads=(4, 1)), "pair A36 a36")
    level = after(after(place("A1", "B1", groups=("",) * 4), "pass"), "pass")
    million = place("A1", edition="million")
    begun = settled(dealt(), Random(1))._replace(groups=())
    for state, viewer, words in (
        (look(), 1, "Monad: du bist am Zug"),
        (look(), 2, "Monad: Clara ist am Zug"),
        (won, 1, "Monad: du hast gewonnen"),
        (won, 2, "Monad: Clara hat gewonnen"),
        (level, BYSTANDER, "Monad: Remis"),
        (million, 1, "Die 1. Million: du bist am Zug"),
        (begun, 1, "Monad: die Karten werden verteilt"),
    ):
        assert DRAW.title(RULES.view(state, viewer), reader(viewer)) == words


STUCK = place("A1 B1", "b1", "c1", groups=("",) * 4)
RICH = place("A36 a36 B1", "C1", groups=GROUPS, stock="b1", monads=(1, 1))


@pytest.mark.parametrize(
    ("before", "text", "viewer", "words"),
    [
        (look(), "draw", 1, "Du ziehst c1."),
        (look(), "draw", 3, "Clara zieht c1."),
        (look(), "pair B7 c7; end", 3, "Clara tauscht B7 c7 gegen C16."),
        (look(), "pair B7 c7", 1, "Du tauschst B7 c7 gegen C16."),
        (
            look(),
            "pair A1 b1; pair B7 c7; pair B3 a3; end",
            1,
            "Du tauschst A1 b1 gegen c3, B7 c7 gegen C16 und B3 a3 gegen a7.",
        ),
        (
            RICH,
            "pair A36 a36; bonus 80; end",
            2,
            "Clara tauscht A36 a36 gegen eine Monade. Der Bonus bringt b36, C16, a7, c3 und b1."
            " Clara hat jetzt 2 von 5 Monaden.",
        ),
        (place("A1 a1", groups=GROUPS), "pair A1 a1; bonus 3", 1,
            "Du tauschst A1 a1 gegen c3. Der Bonus bringt nichts."),
        (place("A1", discard="b1"), "flip", 2, "Clara dreht die Ablage um."),
        (STUCK, "pass", 2, "Clara kann nichts tun und zeigt die Hand: A1 B1."),
        (place("A1", pass_="free"), "pass", 2, "Clara passt."),
        (after(look(), "pair B7 c7"), "end", 1, "Du beendest den Zug."),
        (
            place("A36 a36", groups=GROUPS, monads=(4, 0)),
            "pair A36 a36",
            1,
            "Du tauschst A36 a36 gegen eine Monade. Du hast jetzt 5 von 5 Monaden."
            " Du hast gewonnen: genug Monaden sind erworben.",
        ),
    ],
)  # fmt: skip
def test_what_a_turn_did(before: State, text: str, viewer: Viewer, words: str) -> None:
    assert told(before, text, viewer) == words


def test_a_card_that_only_its_owner_sees_is_told_to_nobody_else() -> None:
    state = place("A1", "B1", "C1", stock="a1 b1", flip="shuffle")
    assert told(state, "draw", 1) == "Du ziehst a1."
    assert told(state, "draw", 2) == told(state, "draw", BYSTANDER) == "Clara zieht einen Einer."
    bonus = place("A1 a1", "B1", "C1", stock="b1 c1", groups=GROUPS, flip="shuffle")
    assert told(bonus, "pair A1 a1; bonus 3", 2).endswith("Der Bonus bringt einen Einer.")
    assert told(bonus, "pair A1 a1; bonus 3", 1).endswith("Der Bonus bringt b1.")


@pytest.mark.parametrize("seed", range(4))
def test_every_turn_is_told_in_both_languages(seed: int) -> None:
    random = Random(seed)
    for state, language in product(positions(seed, 40), LANGUAGES):
        move = RULES.notate(random.choice(list(RULES.legal_moves(state))))
        after_ = RULES.apply(state, RULES.parse(move))
        for viewer in (1, 2, BYSTANDER, OPEN):
            views = (RULES.view(one, viewer) for one in (state, after_))
            assert DRAW.tell(*views, move, reader(viewer, language)).endswith(".")


def test_names_cannot_break_out_of_the_picture() -> None:
    names = ('<script>"&', "]]>", "\n", "W" * 200)
    state = look()
    drawn = DRAW.svg(RULES.view(state, BYSTANDER), Reader("en", names, BYSTANDER))
    ElementTree.fromstring(drawn)
    assert "<script" not in drawn
    assert "W" * 40 + "<" not in drawn
