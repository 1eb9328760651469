"""python -m games: what it prints, and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.__main__ import LARGEST, main
from games.log.file import join
from games.log.note import sign
from games.new import Wish, make_match
from tests.log.forge import GOLDEN, HEADS, POLICY_TEXT, cards, duel, file, head

ROOT = Path(__file__).parents[2]
MALAWI = str(GOLDEN / "malawi.mlog")
CHANGED = str(GOLDEN / "damaged" / "malawi-changed-move.mlog")
POLICY = str(GOLDEN / "policy.txt")
SENTENCE = "Record 5: The record does not continue the one before it: that one was changed."


class Ran:
    """A command that has run."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.status = main(arguments)
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "policy.txt").write_text(POLICY_TEXT)
    return tmp_path


def test_a_log_that_holds_prints_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "verify", MALAWI, "--policy", POLICY)
    assert ran.status == 0
    assert ran.err == ""
    assert ran.out.split("\n")[0] == "INTACT 29 records, complete"
    assert ran.out.count("\n") == 6


def test_a_log_that_does_not_prints_its_code_and_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = Ran(capsys, "verify", CHANGED, "--policy", POLICY)
    assert (ran.status, ran.out) == (1, f"E_CHAIN 5\n{SENTENCE}\n")
    assert Ran(capsys, "verify", POLICY).out.startswith("E_JSON 0\n")


def test_a_fault_at_no_record_has_a_dash(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "m.mlog").write_bytes(join(duel(), sign(head(duel()), HEADS)))
    ran = Ran(capsys, "verify", f"{place}/m.mlog", "--policy", f"{place}/policy.txt")
    assert (ran.status, ran.out.split("\n")[0]) == (1, "E_NOPROOF -")


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    good = Ran(capsys, "verify", MALAWI, "--policy", POLICY, "--json")
    assert good.status == 0
    found = json.loads(good.out)
    assert list(found) == ["ok", "code", "record", "lines", "sentence"]
    assert (found["ok"], found["code"], found["record"]) == (True, None, None)
    assert found["lines"][2] == "PLAYED malawi/1 goal 1=1 2=2"
    bad = Ran(capsys, "verify", CHANGED, "--policy", POLICY, "--json")
    assert bad.status == 1
    assert json.loads(bad.out) == {
        "ok": False,
        "code": "E_CHAIN",
        "record": 5,
        "lines": [],
        "sentence": SENTENCE,
    }


UNUSABLE = {
    "no such file": (("verify", "/no/such.mlog"), "/no/such.mlog cannot be read"),
    "a folder": (("verify", "/"), "/ cannot be read"),
    "no such policy": (("verify", MALAWI, "--policy", "/no/such"), "/no/such cannot be read"),
    "a log as policy": (("verify", MALAWI, "--policy", MALAWI), "Line 1 of the policy"),
    "no such receipt": (("verify", MALAWI, "--receipt", "/no/such"), "/no/such cannot be read"),
}


@pytest.mark.parametrize(("arguments", "why"), UNUSABLE.values(), ids=UNUSABLE.keys())
def test_what_cannot_be_used_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    ran = Ran(capsys, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert why in ran.err
    ran = Ran(capsys, *arguments, "--json")
    found = json.loads(ran.out)
    assert (ran.status, ran.err, found["ok"], found["code"]) == (2, "", False, None)
    assert why in found["sentence"]


def test_a_file_larger_than_any_log_is_not_read_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(LARGEST + 1)
    ran = Ran(capsys, "verify", f"{tmp_path}/huge")
    assert ran.status == 2
    assert "larger than any log" in ran.err


def test_receipts_are_held_against_the_log(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "m.mlog").write_bytes(file(duel()))
    (place / "good").write_text(sign(head(duel()[:4]), HEADS))
    (place / "long").write_text(sign(head(duel(), count=99), HEADS))
    asked = ("verify", f"{place}/m.mlog", "--policy", f"{place}/policy.txt")
    good = Ran(capsys, *asked, "--receipt", f"{place}/good", "--receipt", f"{place}/good")
    assert good.out.split("\n")[2] == "CONSISTENT with 2 receipts"
    long = Ran(capsys, *asked, "--receipt", f"{place}/good", "--receipt", f"{place}/long")
    assert (long.status, long.out.split("\n")[0]) == (1, "E_ROLLBACK -")


def test_the_turns_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "show", MALAWI)
    lines = ran.out.splitlines()
    assert ran.status == 0
    assert len(lines) == 22
    assert lines[0].split() == ["4", "2026-11-02T10:05:37Z", "seat", "1", "a5-c5"]
    assert lines[-1].split() == ["27", "2026-11-05T10:53:01Z", "seat", "2", "d2-d5"]


def test_every_position_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    out = Ran(capsys, "replay", MALAWI).out
    headers = [line for line in out.splitlines() if line.split("  ")[0].isdecimal()]
    assert headers[0] == "3  start"
    assert headers[1] == "4  seat 1  a5-c5"
    assert headers[-1] == "27  seat 2  d2-d5"
    assert len(headers) == 23
    assert all(len(line) <= 60 for line in out.splitlines())


def test_one_position_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    every = Ran(capsys, "replay", MALAWI).out
    one = Ran(capsys, "replay", MALAWI, "--at", "4")
    assert one.status == 0
    assert one.out.startswith("4  seat 1  a5-c5\n")
    assert one.out in every
    offer = Ran(capsys, "replay", MALAWI, "--at", "7").out
    assert offer.split("\n", 1)[0] == "7  seat 2  offer-draw"
    sixth = Ran(capsys, "replay", MALAWI, "--at", "6").out
    assert offer.split("\n", 1)[1] == sixth.split("\n", 1)[1]
    assert "not started" in Ran(capsys, "replay", MALAWI, "--at", "2").out
    assert Ran(capsys, "replay", MALAWI, "--at", "28").out.startswith("28  end  goal 1=1 2=2\n")


@pytest.mark.parametrize("at", ["29", "-1"])
def test_a_record_that_there_is_not_has_no_position(
    capsys: pytest.CaptureFixture[str], at: str
) -> None:
    ran = Ran(capsys, "replay", MALAWI, "--at", at)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"There is no record {at}; the last is 28.\n"


def test_hidden_cards_are_not_printed_before_they_are_revealed(
    capsys: pytest.CaptureFixture[str], place: Path
) -> None:
    (place / "m.mlog").write_bytes(file(cards()[:9]))
    ran = Ran(capsys, "replay", f"{place}/m.mlog", "--at", "7")
    assert ran.out == "7  roll  2\nThe cards are not revealed yet.\n\n"


def test_a_bad_log_is_neither_replayed_nor_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("replay", "show"):
        ran = Ran(capsys, command, CHANGED)
        assert (ran.status, ran.out) == (1, f"E_CHAIN 5\n{SENTENCE}\n")


NEW = ("new", "--game", "malawi", "--seats", "2", "--seed", "7")
NOWHERE = ("--out", "/no/m.mlog", "--policy-out", "/no/p.txt")


def test_a_new_match_verifies(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, policy = f"{tmp_path}/m.mlog", f"{tmp_path}/p.txt"
    options = ("--option", "board-size=7", "goal=reach", "--level", "F2")
    made = Ran(capsys, *NEW, *options, "--out", log, "--policy-out", policy)
    assert (made.status, made.out, made.err) == (0, "", "")
    ran = Ran(capsys, "verify", log, "--policy", policy)
    assert ran.status == 0
    assert "FAIR F2" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.mlog", "p.txt"]


NONSENSE = {
    "an unknown game": ("--game", "chess"),
    "too many seats": ("--seats", "9"),
    "an unknown option": ("--option", "colour=red"),
    "an unknown value": ("--option", "goal=fun"),
    "an option twice": ("--option", "goal=reach", "goal=reach"),
    "nowhere to write": ("--out", "/no/such/folder/m.mlog"),
    "one file for both": ("--policy-out", "m.mlog"),
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_makes_no_match(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nonsense: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = Ran(capsys, *NEW, "--out", "m.mlog", "--policy-out", "p.txt", *nonsense)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(".\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("verify",),
        ("prove", MALAWI),
        ("verify", MALAWI, "--pol", POLICY),
        ("replay", MALAWI, "--at", "four"),
        (*NEW, "--out", "m.mlog"),
        (*NEW, "--out", "m.mlog", "--policy-out", "p", "--level", "F3"),
        (*NEW, "--out", "m.mlog", "--policy-out", "p", "--option", "goal"),
        (*NEW, "--out", "m.mlog", "--policy-out", "p", "--seats", "two"),
        (*NEW, "--out", "", "--policy-out", "p"),
        (*NEW, "--out", "/", "--policy-out", "p"),
    ],
)
def test_what_is_no_command_has_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "usage: python -m games" in capsys.readouterr().err


def test_the_files_that_were_there_stay_if_one_cannot_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "m.mlog").write_text("old")
    ran = Ran(capsys, *NEW, "--out", f"{tmp_path}/m.mlog", "--policy-out", f"{tmp_path}/no/p.txt")
    assert ran.status == 2
    assert (tmp_path / "m.mlog").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_reader_that_leaves_early_hears_no_complaint(tmp_path: Path) -> None:
    made = make_match(Wish("malawi", 2, 10, {}, "F2"))
    (tmp_path / "long.mlog").write_bytes(made.log)
    command = f"{sys.executable} -m games replay {tmp_path}/long.mlog | head -1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("5  start\n", "")


def test_a_terminal_without_letters_gets_them_spelled() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "games", *NEW, "--option", "goal=☃", *NOWHERE],
        cwd=ROOT,
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 2
    assert b"\\u2603" in done.stderr


def test_an_answer_that_cannot_be_written_is_no_verdict() -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "games", "verify", MALAWI],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert ran.returncode == 2
    assert ran.stderr == "The answer cannot be written: No space left on device.\n"
