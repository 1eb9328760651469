"""Matches played at random: whole, verified, reproducible, and no change to them goes unseen."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chance import Stream
from games.core import line
from games.core.rules import ToMove
from games.log import policy
from games.log.canon import seconds
from games.log.record import Act, Join, Level, Move
from games.new import BadWish, Made, Wish, make_match, random_line
from games.registry import newest
from games.verify import Verdict, read, verify
from tests.games.script import Script, admit_toys

LEVELS: tuple[Level, ...] = ("F0", "F1", "F2")


@cache
def made(
    seed: int, level: Level = "F1", game: str = "malawi", seats: int = 2, longest: int = 3000
) -> Made:
    admit_toys()
    return make_match(Wish(game, seats, seed, {}, level), longest)


def verdict(match: Made) -> Verdict:
    return verify(match.log, policy.parse(match.policy))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(6))
def test_a_match_of_malawi_verifies_under_its_policy(seed: int, level: Level) -> None:
    lines = verdict(made(seed, level)).lines
    assert [words.split(" ")[0] for words in lines] == [
        "INTACT",
        "LOGGED",
        "PLAYED",
        "FAIR",
        "seat",
        "seat",
    ]
    assert lines[0].endswith("complete")
    assert lines[1].count("Z") == 2
    assert lines[3] == f"FAIR {level}"


@pytest.mark.parametrize("level", ["F1", "F2"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_with_cards_and_dice_verifies_too(seats: int, level: Level) -> None:
    lines = verdict(made(1, level, "highest", seats)).lines
    assert lines[2].startswith("PLAYED highest/1 counted ")
    assert lines[3] == f"FAIR {level}"
    assert len(lines) == 4 + seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_player_has_a_key(seats: int) -> None:
    words = [text.split(": ")[1] for text in verdict(made(2, "F1", "highest", seats)).lines[4:]]
    assert sum(text.startswith("signed") for text in words) == 1
    assert words.count("operator's word") == seats - 1


def test_a_match_that_does_not_end_is_agreed_a_draw() -> None:
    match = made(3, "F1", "malawi", 2, 30)
    assert verdict(match).lines[0] == "INTACT 33 records, complete"
    assert verdict(match).lines[2] == "PLAYED malawi/1 agreed 1=1 2=1"
    three = made(3, "F1", "highest", 3, 12)
    assert verdict(three).lines[2] == "PLAYED highest/1 agreed 1=1 2=1 3=1"
    acts = [one.body.act for one in read(three.log).records if isinstance(one.body, Act)]
    assert acts == ["offer-draw", "accept-draw", "accept-draw"]


def test_the_options_asked_for_are_those_of_the_match() -> None:
    admit_toys()
    options = {"board-size": "7", "goal": "reach"}
    opened = read(make_match(Wish("malawi", 2, 1, options)).log).opened
    assert dict(opened.options) == {
        "board-size": "7",
        "goal": "reach",
        "max-strength": "6",
        "no-progress": "100",
        "reentry": "move",
        "repetition": "draw",
    }
    teams = make_match(Wish("highest", 4, 1, {"teams": "yes"}))
    places = verdict(teams).lines[2].split(" ")[3:]
    assert places[0][2:] == places[2][2:]
    assert places[1][2:] == places[3][2:]


def test_time_counts_from_a_fixed_date_and_never_stands_still() -> None:
    times = [record.at for record in read(made(1).log).records]
    assert times[0] == seconds("2026-01-05T09:00:00Z")
    assert all(earlier < later for earlier, later in pairwise(times))


def test_players_come_in_every_way_and_see_more_than_the_last_record() -> None:
    records = [record for seed in range(6) for record in read(made(seed).log).records]
    spoken = [(one.n, one.body.by) for one in records if isinstance(one.body, Join | Move)]
    assert {by.via for _, by in spoken} == {"key", "link", "web", "mail", "api"}
    assert len({n - by.on for n, by in spoken}) > 1


def test_another_argument_makes_another_match() -> None:
    matches = [made(1).log, made(2).log, made(1, "F0").log, made(1, "F2").log]
    ids = {read(log).records[0].m for log in matches}
    assert len(ids) == len(matches)


def run(*arguments: str, seed: str = "0") -> None:
    subprocess.run(
        [sys.executable, "-m", "games", "new", *arguments],
        check=True,
        env={"PYTHONHASHSEED": seed},
        cwd=Path(__file__).parents[2],
    )


def test_the_same_arguments_give_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    wish = ("--game", "malawi", "--seats", "2", "--seed", "5", "--option", "goal=survives")
    for name, hashing in (("a", "1"), ("b", "2")):
        place = ("--out", f"{tmp_path}/{name}.mlog", "--policy-out", f"{tmp_path}/{name}.txt")
        run(*wish, *place, seed=hashing)
    for end in ("mlog", "txt"):
        assert (tmp_path / f"a.{end}").read_bytes() == (tmp_path / f"b.{end}").read_bytes()
    assert (tmp_path / "a.mlog").read_bytes() == made(5).log
    assert (tmp_path / "a.txt").read_text() == made(5).policy


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (Wish("chess", 2, 1), "no game 'chess'"),
        (Wish("malawi", 3, 1), "3"),
        (Wish("malawi", -1, 1), "-1"),
        (Wish("malawi", 2, 1, {"goal": "fun"}), "goal.*fun"),
        (Wish("malawi", 2, 1, {"colour": "red"}), "colour"),
        (Wish("highest", 2, 1, {}, "F0"), "chance"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_a_sentence(wish: Wish, why: str) -> None:
    admit_toys()
    with pytest.raises(BadWish, match=why) as refused:
        make_match(wish)
    assert str(refused.value).endswith(".")


def test_every_legal_move_is_played_some_time() -> None:
    script = Script("malawi", 2)
    script.start()
    rules = newest("malawi")
    for _ in range(3):
        state, turn = script.position.state, script.position.turn
        assert isinstance(turn, ToMove)
        every = {rules.notate(move) for move in rules.legal_moves(state)}
        stream = Stream(bytes(32))
        found = Counter(random_line(stream, rules, state, turn.seat) for _ in range(4000))
        assert set(found) == every
        assert all(line.sends(rules, state, turn.seat, text) for text in found)
        script.move(turn.seat, min(every))


@given(st.data(), st.integers(0, 7), st.sampled_from(LEVELS))
def test_no_single_change_to_a_log_is_accepted(
    draw: st.DataObject, seed: int, level: Level
) -> None:
    match = made(seed, level)
    place = draw.draw(st.integers(1, len(match.log) - 1))
    before, here, after = match.log[: place - 1], match.log[place - 1 : place + 1], match.log
    changed = draw.draw(
        st.sampled_from(
            [
                before + here[:1] + bytes([here[1] ^ 1 << place % 8]) + after[place + 1 :],
                before + here[:1] + after[place + 1 :],
                before + here + here[1:] + after[place + 1 :],
                before + here[::-1] + after[place + 1 :],
                before + after[place + len(match.log) // 9 :],
            ]
        )
    )
    if changed != match.log:
        assert not verify(changed, policy.parse(match.policy)).ok
