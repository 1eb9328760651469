"""Time controls: none yet, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from service.clock import NO_LIMIT, BadClock, parse


def test_without_a_limit_no_turn_has_a_deadline() -> None:
    assert parse(NO_LIMIT).deadline(1_800_000_000) is None


@pytest.mark.parametrize("text", ["", "None", "none ", "0", "7d", "keine"])
def test_another_text_is_no_time_control(text: str) -> None:
    with pytest.raises(BadClock):
        parse(text)
