"""Names: any language's may be had, none that is unseen or that a mail would read differently."""

from __future__ import annotations

import pytest

from service import people
from service.errors import BadName


@pytest.mark.parametrize("name", ["7", "é", "李", "राम", "😀", "👩\u200d🚀", "O'Neill", "a = b?"])
def test_a_name_that_can_be_seen_will_do(name: str) -> None:
    assert people.name(f"  {name} ") == name


@pytest.mark.parametrize(
    "name", ["\u200d", "\u3164", "\u2800", "\u115f", "\uffa0", "\u034f", "\ufe0f", "…", "Bo\u3164"]
)
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(BadName):
        people.name(name)


@pytest.mark.parametrize("name", ["=?utf-7?q?+2AA-?=", "=?utf-8?q?=0d=0a?=", "Bo =?"])
def test_a_name_that_a_mail_would_decode_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="=\\?"):
        people.name(name)
