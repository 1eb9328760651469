"""What every game in the registry keeps to, whatever it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from games import registry
from games.chance import Stream
from games.core import line as lines
from games.core.drawing import LANGUAGES, Reader
from games.core.rules import (
    BYSTANDER,
    OPEN,
    BadOptions,
    Chance,
    Choice,
    IllegalMove,
    MalformedMove,
    Over,
    RulesError,
    ToMove,
    Viewer,
    complete,
)
from games.core.svg import TOKENS
from games.core.words import put
from games.log import canon
from games.registry import AnyRules, AnyState
from tests.games import test_hidden as hidden
from tests.games import walk

TESTS = Path(__file__).parent
GOLDEN = TESTS.parent / "golden"
FOLDERS = TESTS.parents[1] / "games"
GAMES = [game for game in registry.games() if (FOLDERS / game.replace("-", "_")).exists()]
"""Without those that exist for tests only."""
NAMES = ("Marlene", "Jonas", "Ørjan <&\"'> Ünal", "> From --", "Łucja", "six")

RULE = r"[A-Z]-(?:[AQX]?[0-9]+[a-z]?|L)"

pytestmark = pytest.mark.parametrize("game", GAMES)


def readers(rules: AnyRules, seats: int) -> list[Reader]:
    viewers: list[Viewer] = [BYSTANDER, OPEN, *range(1, seats + 1)]
    return [Reader(language, NAMES, viewer) for language in LANGUAGES for viewer in viewers]


def seats_of(rules: AnyRules, state: AnyState) -> int:
    return sum(len(side) for side in rules.sides(state))


def to_move(rules: AnyRules, state: AnyState) -> int | None:
    turn = rules.turn(state)
    return turn.seat if isinstance(turn, ToMove) else None


def test_a_game_has_a_golden_log_and_a_digest_of_it(game: str) -> None:
    assert (GOLDEN / f"{game}.mlog").exists()
    assert (GOLDEN / f"{game}.digest").exists()


def test_every_rule_that_code_or_tests_name_is_told_in_the_package(game: str) -> None:
    folder = FOLDERS / game.replace("-", "_")
    told = rule_ids(ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or "")
    letters = {name[0] for name in told}
    assert len(letters) == 1, "each rule on a line of its own: `* W-10: ...`"
    own = [path for path in TESTS.rglob("*.py") if f"games.{folder.name}" in path.read_text()]
    named = {name for path in (*folder.rglob("*.py"), *own) for name in named_ids(path)}
    assert {name for name in named if name[0] in letters} <= told


def rule_ids(docstring: str) -> set[str]:
    """The ids at the beginning of the items of a list."""
    items = re.findall(rf"^\* ({RULE}(?:, {RULE})*):", docstring, re.MULTILINE)
    return {name for item in items for name in item.split(", ")}


def named_ids(path: Path) -> Iterator[str]:
    """The ids in docstrings and comments, `W-Q5`, and in the names of tests, `test_w_q5_...`."""
    text = path.read_text()
    yield from re.findall(rf"#.*\b({RULE})\b", text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from re.findall(rf"\b({RULE})\b", str(node.value.value))
        if isinstance(node, ast.FunctionDef):
            spelled = re.findall(r"_([a-z]_(?:[aqx]?\d+[a-z]?|l))(?=_|$)", node.name)
            yield from (f"{one[0].upper()}-{one[2:].capitalize()}" for one in spelled)


def test_a_state_is_a_value(game: str) -> None:
    rules = registry.newest(game)
    for state, again in zip(walk.sample(rules, 1), walk.sample(rules, 1), strict=True):
        assert state is not again
        assert state == again
        assert hash(state) == hash(again)
        assert plain(state)


def plain(value: object) -> bool:
    """Whether it is made of ints, strings, enums and tuples only."""
    if isinstance(value, tuple):
        return all(plain(part) for part in value)
    if hasattr(value, "__dataclass_fields__"):
        return all(plain(getattr(value, name)) for name in value.__dataclass_fields__)
    return value is None or isinstance(value, int | str | Enum)


def test_every_version_knows_its_number_and_its_game(game: str) -> None:
    newest = registry.newest(game)
    for version in range(1, newest.version + 1):
        rules = registry.find(game, version)
        assert (rules.game, rules.version) == (game, version)


def test_turn_choices_and_legal_moves_agree_on_whether_somebody_is_to_move(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules):
        moves = list(rules.legal_moves(state))
        assert bool(moves) == (to_move(rules, state) is not None)
        assert bool(rules.choices(state, "")) == bool(moves)


def test_the_end_has_a_standing_for_each_seat(game: str) -> None:
    rules = registry.newest(game)
    over = 0
    for state in walk.sample(rules):
        turn = rules.turn(state)
        if isinstance(turn, Over):
            over += 1
            assert len(turn.standing) == seats_of(rules, state)
            assert all(turn.reason in reasons for reasons in reason_words(game))
    assert over


def reason_words(game: str) -> list[dict[str, str]]:
    return [dict(registry.vocabulary(game).REASONS[language]) for language in LANGUAGES]


def test_every_legal_move_is_written_read_and_accepted(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules):
        for move in rules.legal_moves(state):
            text = rules.notate(move)
            assert rules.parse(text) == move
            assert rules.read(text) == rules.read(f"  {text.replace('-', '–')} ") == text
            assert text.isascii()
            rules.apply(state, move)


def test_choices_lead_to_every_legal_move_and_to_nothing_else(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules, 1):
        found = walk.leaves(rules, state)
        for text in map(rules.notate, rules.legal_moves(state)):
            assert found.get(text) or walk.reaches(rules, state, text), text
        for line, sends in found.items():
            assert sends == accepted(rules, state, line), line


def accepted(rules: AnyRules, state: AnyState, text: str) -> bool:
    try:
        rules.apply(state, rules.parse(text))
    except (MalformedMove, IllegalMove):
        return False
    return True


def test_what_is_nearly_a_move_is_refused_unless_choices_lead_to_it(game: str) -> None:
    rules, random = registry.newest(game), Random(1)
    for state in walk.sample(rules, 1):
        legal = [rules.notate(move) for move in rules.legal_moves(state)]
        if not legal:
            continue
        for text in walk.mutants(random.choice(legal), random):
            assert accepted(rules, state, text) == walk.reaches(rules, state, text), text


def test_a_line_begun_can_be_taken_back_step_by_step(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules, 1):
        seat = to_move(rules, state)
        for line in walk.leaves(rules, state):
            back = [choice.line for choice in lines.choices(rules, state, seat or 0, line)]
            assert any(len(other) < len(line) for other in back), line


def test_every_refusal_and_every_choice_has_words(game: str) -> None:
    rules, random = registry.newest(game), Random(2)
    words = registry.words(game)
    for state in walk.sample(rules, 1):
        legal = [rules.notate(move) for move in rules.legal_moves(state)]
        said = [choice.say for choice in every_choice(rules, state)]
        for text in (near for move in legal[:3] for near in walk.mutants(move, random)):
            try:
                rules.apply(state, rules.parse(text))
            except RulesError as error:
                said.append(error.say)
        for say in said:
            for language in LANGUAGES:
                assert put(words, say, language)


def every_choice(rules: AnyRules, state: AnyState) -> list[Choice]:
    begun = ["", *walk.leaves(rules, state)]
    return [choice for line in begun for choice in rules.choices(state, line)]


def test_unknown_and_impossible_options_are_refused_in_words(game: str) -> None:
    rules, words = registry.newest(game), registry.words(game)
    tried = [(99, {}), (rules.seats[0], {"no-such": "1"})]
    tried += [(rules.seats[0], {option.name: "no such"}) for option in rules.options]
    for seats, given in tried:
        with pytest.raises(BadOptions) as error:
            complete(rules, seats, given)
        for language in LANGUAGES:
            assert put(words, error.value.say, language)


def test_the_words_of_both_languages_match(game: str) -> None:
    vocabulary = registry.vocabulary(game)
    for words in (vocabulary.WORDS, vocabulary.REASONS, vocabulary.OPTIONS):
        german, english = words["de"], words["en"]
        assert german.keys() == english.keys()
        for key in german:
            assert holes(german[key]) == holes(english[key]), key
    assert vocabulary.NAME.keys() == set(LANGUAGES)


def test_a_draw_has_the_same_name_in_all_games(game: str) -> None:
    vocabulary = registry.vocabulary(game)
    said = [*vocabulary.WORDS["de"].values(), *vocabulary.REASONS["de"].values()]
    said += [word for words in vocabulary.VALUES["de"].values() for word in words.values()]
    for text in (*said, registry.manual(game, "de")):
        assert "unentschieden" not in text.lower(), "Remis"


def holes(sentence: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", sentence))


def test_every_option_and_every_word_of_it_has_a_name(game: str) -> None:
    vocabulary = registry.vocabulary(game)
    options = registry.newest(game).options
    for language in LANGUAGES:
        assert vocabulary.OPTIONS[language].keys() == {option.name for option in options}
        for option in options:
            assert vocabulary.VALUES[language][option.name].keys() == set(option.words)


def test_the_rules_are_told_in_both_languages(game: str) -> None:
    for language in LANGUAGES:
        told = registry.manual(game, language)
        assert told.startswith(f"# {registry.vocabulary(game).NAME[language]}\n")
        assert "\n## " in told


def test_the_final_state_is_canonical(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules, 1):
        raw = canon.encode(rules.final(state))
        assert canon.encode(canon.decode(raw)) == raw


def test_the_text_board_survives_mail_and_is_no_move(game: str) -> None:
    rules, drawing = registry.newest(game), registry.drawing(game)
    for state in walk.sample(rules, 1):
        for reader in readers(rules, seats_of(rules, state)):
            board = drawing.text(rules.view(state, reader.viewer), reader)
            for line in board.split("\n"):
                assert len(line) <= 60
                assert line.strip()
                assert line == line.rstrip()
                assert not line.startswith((">", "From ", "--"))
                with pytest.raises(MalformedMove):
                    rules.read(line)


def test_a_title_is_one_line(game: str) -> None:
    rules, drawing = registry.newest(game), registry.drawing(game)
    for state in walk.sample(rules, 1):
        for reader in readers(rules, seats_of(rules, state)):
            title = drawing.title(rules.view(state, reader.viewer), reader)
            assert title.strip() == title != ""
            assert "\n" not in title


def test_nobody_is_to_move_in_a_match_that_is_over(game: str) -> None:
    rules, drawing = registry.newest(game), registry.drawing(game)
    for state in walk.sample(rules, 1):
        if not isinstance(rules.turn(state), ToMove):
            continue
        for reader in readers(rules, seats_of(rules, state)):
            view, over = rules.view(state, reader.viewer), replace(reader, over=True)
            assert drawing.title(view, over) != drawing.title(view, reader)
            assert drawing.text(view, over) != drawing.text(view, reader)


def test_a_picture_is_clean_and_its_links_are_the_choices(game: str) -> None:
    rules, drawing = registry.newest(game), registry.drawing(game)
    for state in walk.sample(rules, 1):
        turn = rules.turn(state)
        if isinstance(turn, Chance):
            continue
        for reader in readers(rules, seats_of(rules, state)):
            mine = isinstance(turn, ToMove) and reader.viewer == turn.seat
            choices = rules.choices(state, "") if mine else ()
            drawn = drawing.svg(rules.view(state, reader.viewer), reader, choices=choices)
            root = ElementTree.fromstring(drawn)
            clean(root)
            found = {link.get("id"): link for link in root.iter(tag("a"))}
            assert found.keys() == {choice.thing for choice in choices if choice.thing}
            for link in found.values():
                assert link[0].tag == tag("title")
                assert link[0].text
                assert (link.get("href") or "").startswith("?line=")


def test_a_small_picture_is_clean_and_can_be_read_in_a_list(game: str) -> None:
    """Figures of the games whose whole picture is too much for a list are large."""
    rules, drawing = registry.newest(game), registry.drawing(game)
    for state in walk.sample(rules, 1):
        for reader in readers(rules, seats_of(rules, state)):
            view = rules.view(state, reader.viewer)
            root = ElementTree.fromstring(drawing.small(view, reader))
            clean(root)
            assert not list(root.iter(tag("a")))
            width = int((root.get("viewBox") or "").split()[2])
            sizes = [float(text.get("font-size") or 0) for text in root.iter(tag("text"))]
            assert width <= 656
            assert width > 400 or min(sizes) >= 20


def test_a_chart_follows_the_same_lines_at_every_position(game: str) -> None:
    rules, drawing = registry.newest(game), registry.drawing(game)
    for state in walk.sample(rules, 1):
        for reader in readers(rules, seats_of(rules, state)):
            figures = drawing.figures(rules.view(state, reader.viewer), reader)
            assert len({figure.sign for figure in figures}) == len(figures)
            assert all(figure.value >= 0 and figure.name for figure in figures)
            assert {figure.token for figure in figures} <= TOKENS.keys()


def tag(name: str) -> str:
    return "{http://www.w3.org/2000/svg}" + name


def clean(root: ElementTree.Element) -> None:
    """Only shapes, words and links; nothing that styles, moves, loads or runs."""
    shapes = "svg title desc defs g a use path rect circle ellipse line text polygon tspan"
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    for node in root.iter():
        assert node.tag in {tag(name) for name in shapes.split()}
        for name, value in node.attrib.items():
            assert name != "style"
            assert not name.startswith("on")
            assert name != "href" or value.startswith(("#", "?line="))
            assert "url(" not in value
    assert root.get("viewBox")
    assert root.get("width") is None
    assert root.get("role") == "group"
    labels = {root.find(tag("title")), root.find(tag("desc"))}
    assert (root.get("aria-labelledby") or "").split() == ["board-title", "board-desc"]
    assert {label.get("id") for label in labels if label is not None} == {
        "board-title",
        "board-desc",
    }


def test_what_a_move_did_is_told_to_everybody(game: str) -> None:
    rules, drawing, random = registry.newest(game), registry.drawing(game), Random(3)
    for state in walk.sample(rules, 2):
        legal = list(rules.legal_moves(state))
        if not legal:
            continue
        move = random.choice(legal)
        after = rules.apply(state, move)
        for reader in readers(rules, seats_of(rules, state)):
            views = rules.view(state, reader.viewer), rules.view(after, reader.viewer)
            told = drawing.tell(*views, rules.notate(move), reader)
            assert told.endswith((".", "!"))
            assert "{" not in told


def test_what_came_out_by_chance_is_told_to_everybody(game: str) -> None:
    rules, drawing, random = registry.newest(game), registry.drawing(game), Random(3)
    for seats, options in walk.settings(rules):
        for state, after in pairwise(walk.states(rules, seats, options, random)):
            if isinstance(rules.turn(state), Chance):
                for reader in readers(rules, seats):
                    views = rules.view(state, reader.viewer), rules.view(after, reader.viewer)
                    told = drawing.tell_chance(*views, reader)
                    assert told.endswith((".", "!"))
                    assert "{" not in told
                    assert "?" not in told


def test_nobody_sees_what_only_another_may_know(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules, 1):
        for viewer in (BYSTANDER, *range(1, seats_of(rules, state) + 1)):
            known = rules.known(state, viewer)
            assert rules.known(known, viewer) == known
            assert rules.view(known, viewer) == rules.view(state, viewer)
        seat = to_move(rules, state)
        if seat is not None:
            for move in rules.legal_moves(rules.known(state, seat)):
                rules.apply(state, move)


def house(game: str, state: AnyState, seat: int) -> str:
    """What the house player does with what the seat knows."""
    known = registry.newest(game).known(state, seat)
    return registry.bot(game).play(known, seat, Stream(bytes(32)))


def test_the_house_plays_a_legal_turn_line_under_every_setting(game: str) -> None:
    rules = registry.newest(game)
    for state in walk.sample(rules, 1):
        seat = to_move(rules, state)
        if seat is not None:
            text = house(game, state, seat)
            assert lines.sends(rules, rules.known(state, seat), seat, text)
            assert lines.play(rules, state, seat, text).rest == ""


def test_the_house_plays_the_same_whatever_its_seat_cannot_see(game: str) -> None:
    rules = registry.newest(game)
    shuffled = found = 0
    for number, (seats, options) in enumerate(walk.settings(rules)):
        random = Random(number)
        events = list(hidden.match(rules, seats, options, random))
        shuffled += any(chain == "hid" for chain, _ in events)
        for one, other in hidden.others(rules, seats, options, events, random):
            seat = to_move(rules, one)
            if seat is not None and rules.known(one, seat) == rules.known(other, seat):
                found += 1
                assert house(game, one, seat) == house(game, other, seat)
    assert bool(found) is bool(shuffled)
