"""A log that somebody brings: the lines and codes of the command, with sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.verify import verify
from tests.web.people import FIELD, GAME, House, begin

GOLDEN = Path(__file__).parent.parent / "golden"
EXAMPLE = GOLDEN / "malawi.mlog"


def test_the_lines_are_those_of_the_command(house: House) -> None:
    page = house.visitor().upload(EXAMPLE.read_bytes(), "malawi.mlog").text
    verdict = verify(EXAMPLE.read_bytes())
    assert verdict.lines
    for line in verdict.lines:
        assert f"<code>{line.replace(chr(39), '&#39;')}</code>" in page
    assert "<h2>Verified</h2>" in page
    assert "not of this service" in page


@pytest.mark.parametrize("path", sorted((GOLDEN / "damaged").glob("*.mlog")), ids=lambda p: p.name)
def test_a_damaged_log_gets_its_code(house: House, path: Path) -> None:
    page = house.visitor("de").upload(path.read_bytes()).text
    assert f"<code>{verify(path.read_bytes()).fault}</code>" in page
    assert "<h2>Nicht bestanden</h2>" in page


@pytest.mark.parametrize(
    "data", [b"\x00" * 1000, b"{}", b"\xff\xfe", b"PK\x03\x04", b"[" * 100_000, b"\n" * 100_000]
)
def test_whatever_is_brought_is_judged(house: House, data: bytes) -> None:
    answer = house.visitor().upload(data)
    assert answer.status_code == 200
    assert "<h2>Not verified</h2>" in answer.text


def test_a_pasted_log_may_have_the_line_ends_of_a_browser(house: House) -> None:
    visitor = house.visitor()
    text = EXAMPLE.read_text("utf-8").replace("\n", "\r\n")
    token = dict(FIELD.findall(visitor.get("/verify").text))["csrf_token"]
    answer = visitor.submit("/verify", {"csrf_token": token, "text": text})
    assert "<h2>Verified</h2>" in answer.text


def test_nothing_brought_is_asked_for_again(house: House) -> None:
    answer = house.visitor().send("/verify")
    assert answer.status_code == 422
    assert "Choose a file" in answer.text


def test_a_log_of_this_service_is_held_against_its_own_keys(house: House) -> None:
    pair = begin(house)
    pair.play(*GAME)
    data = house.visitor().get(f"/m/{pair.match}.mlog").data
    page = house.visitor().upload(data).text
    assert "<h2>Verified</h2>" in page
    assert "own keys" in page
    by_one_click = house.visitor().send(f"/verify?match={pair.match}").text
    assert "<h2>Verified</h2>" in by_one_click
    assert f"{pair.match}.mlog" in by_one_click
    assert house.visitor().send("/verify", match="m_0000000000000000").status_code == 404
    assert f"/verify?match={pair.match}" in house.visitor().get(f"/m/{pair.match}").text
    forged = data.replace(b'"a1-c1"', b'"a2-c2"')
    assert forged != data
    assert "<h2>Not verified</h2>" in house.visitor().upload(forged).text
