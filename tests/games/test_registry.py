"""The registry finds the games by their folders, and nothing else."""

from __future__ import annotations

import pytest

from games import registry


def test_malawi_is_there() -> None:
    assert "malawi" in registry.games()
    assert registry.newest("malawi") is registry.find("malawi", 1)


@pytest.mark.parametrize("name", ["", "core", "log", "chance", "Malawi", "malawi.v1", "no-such"])
def test_what_is_no_game_is_unknown(name: str) -> None:
    for ask in (registry.newest, registry.drawing, registry.vocabulary, registry.words):
        with pytest.raises(registry.UnknownRules):
            ask(name)
    with pytest.raises(registry.UnknownRules):
        registry.find(name, 1)
    with pytest.raises(registry.UnknownRules):
        registry.manual(name, "de")


@pytest.mark.parametrize("version", [-1, 0, 2, 99])
def test_an_unwritten_version_is_unknown(version: int) -> None:
    with pytest.raises(registry.UnknownRules):
        registry.find("malawi", version)
