"""A file comes apart in three sections and goes together again, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.log import file
from games.log.errors import BadLog

GOLDEN = Path(__file__).parents[1] / "golden"
LOGS = sorted(GOLDEN.rglob("*.mlog"))
PROOF = "c2sp.org/tlog-proof@v1\nindex 0\n\nlog\n1\nAAAA\n\n— log AAAA\n"
HEAD = "pbem.example/match-head/v1\nm_1\n1\nAAAA\n\n— heads AAAA\n"


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_example_logs_come_apart_and_go_together(path: Path) -> None:
    data = path.read_bytes()
    sections = file.split(data)
    assert file.join(sections.lines, sections.head, sections.proof) == data


def test_a_file_has_lines_a_head_and_a_proof() -> None:
    sections = file.split(b'{"n":0}\n{"n":1}\n\n' + HEAD.encode() + b"\n" + PROOF.encode())
    assert (sections.lines, sections.head, sections.proof) == (
        [b'{"n":0}', b'{"n":1}'],
        HEAD,
        PROOF,
    )


PARTS = {
    "only lines": ("{}\n", ["{}"], None, None),
    "an empty head": ("{}\n\n", ["{}"], "", None),
    "no proof": ("{}\n\n" + HEAD, ["{}"], HEAD, None),
    "no head": ("{}\n\n" + PROOF, ["{}"], None, PROOF),
    "an empty line": ("\n", [], "", None),
    "no lines": ("\n" + HEAD, [], HEAD, None),
    "no lines, but a proof": ("\n" + HEAD + "\n" + PROOF, [], HEAD, PROOF),
    "two empty lines": ("{}\n\n\n" + HEAD, ["{}"], "\n" + HEAD, None),
    "no empty line before the proof": ("{}\n\n" + HEAD + PROOF, ["{}"], HEAD[:-1], PROOF),
    "a proof of another version": (
        "{}\n\n" + HEAD + "\n" + PROOF.replace("v1", "v2"),
        ["{}"],
        HEAD + "\n" + PROOF.replace("v1", "v2"),
        None,
    ),
    "two proofs": (
        "{}\n\n" + HEAD + "\n" + PROOF + "\n" + PROOF,
        ["{}"],
        HEAD,
        PROOF + "\n" + PROOF,
    ),
}


@pytest.mark.parametrize(("text", "lines", "head", "proof"), PARTS.values(), ids=PARTS)
def test_a_file_without_all_sections_has_what_there_is(
    text: str, lines: list[str], head: str | None, proof: str | None
) -> None:
    sections = file.split(text.encode())
    assert sections.lines == [line.encode() for line in lines]
    assert (sections.head, sections.proof) == (head, proof)
    assert file.join(sections.lines, head, proof) == text.encode()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xef\xbb\xbf{}\n", "E_BOM"),
        (b"\xef\xbb\xbf{}\r\n", "E_BOM"),
        (b"{}\r\n", "E_CRLF"),
        (b"{}\n\nhead\r\n\r\n", "E_CRLF"),
        (b"{}\r\nlost", "E_CRLF"),
        (b"{}", "E_EOF"),
        (b"{}\n\nhead", "E_EOF"),
        (b"", "E_EOF"),
    ],
    ids=repr,
)
def test_a_file_that_mail_has_damaged_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(BadLog) as error:
        file.split(data)
    assert (error.value.code, error.value.record) == (code, None)


@given(st.lists(st.sampled_from(["{}", "\n", PROOF, "\n\n", "x"])).map("".join))
def test_whatever_comes_apart_goes_together_again(text: str) -> None:
    sections = file.split(text.encode() + b"\n")
    assert file.join(sections.lines, sections.head, sections.proof) == text.encode() + b"\n"


def test_a_head_that_is_no_text_is_no_note() -> None:
    sections = file.split(b"{}\n\n\xe2\x80 heads\n")
    with pytest.raises(BadLog, match="E_NOTE"):
        _ = sections.head


@pytest.mark.parametrize(
    ("old", "code"), [(b"index", "E_INCLUSION"), (b"AAAA\n\n", "E_NOTE"), (b"log AAAA", "E_NOTE")]
)
def test_a_proof_that_is_no_text_is_refused_by_its_place(old: bytes, code: str) -> None:
    sections = file.split(b"{}\n\n" + PROOF.encode().replace(old, b"\xff" + old))
    with pytest.raises(BadLog, match=code):
        _ = sections.proof


def test_a_huge_file_of_short_lines_is_not_told_apart_to_its_end() -> None:
    data = b"xy\n" * (file.MOST_LINES + 1000)
    sections = file.split(data)
    assert len(sections.lines) == file.MOST_LINES + 1
    assert file.join(sections.lines) == data
