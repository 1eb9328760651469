"""The text of a head: four lines, one spelling."""

from __future__ import annotations

import pytest

from games.log.head import Head, head_text, parse_head, service_name
from games.log.note import BadNote

TEXT = (
    "pbem.example/match-head/v1\nm_4GM6B3BWH8RQDT73\n29\n"
    "Fy4cAJNL+gIX/Rp/XacK6P2yHEs2nelhKevKghUUUl4=\n"
)


def test_a_head_reads_back() -> None:
    head = parse_head(TEXT)
    assert (head.name, head.m, head.count) == ("pbem.example", "m_4GM6B3BWH8RQDT73", 29)
    assert head_text(head.name, head.m, head.count, head.hash) == TEXT
    assert parse_head(head_text("x", "m", 0, bytes(32))) == Head("x", "m", 0, bytes(32))


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT[:-1],
        TEXT + "\n",
        TEXT + "more\n",
        TEXT.replace("/v1", "/v2"),
        TEXT.replace("29", "029"),
        TEXT.replace("29", "-29"),
        TEXT.replace("29", "٢٩"),
        TEXT.replace("29", "9" * 5000),
        TEXT.replace("29\n", ""),
        TEXT.replace("Ul4=", "Ul5="),
        TEXT.replace("Ul4=", "Ul4"),
        TEXT.replace("Fy4c", ""),
    ],
)
def test_any_other_text_is_no_head(text: str) -> None:
    assert text != TEXT
    with pytest.raises(BadNote):
        parse_head(text)


def test_the_service_is_named_by_its_key() -> None:
    assert service_name("pbem.example/heads") == "pbem.example"
    assert service_name("pbem.example/log") == ""
