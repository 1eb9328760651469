"""The house players beside chance: how many of their matches they win, and the time of a turn."""

from __future__ import annotations

from games import registry
from tests.bench.pair import Op
from tests.bench.suites import Group, Row

MATCHES = 10


def groups(matches: int) -> tuple[Group, ...]:
    """Two groups for each game; so many matches are played for a share."""
    games = registry.games()
    return (*(_wins(game, matches) for game in games), *map(_turns, games))


def _wins(game: str, matches: int) -> Group:
    return Group(
        "bots",
        "wins/match",
        Row(Op("bots", f"share:{game}"), f"{game}, an even share"),
        (
            Row(
                Op("bots", f"wins:{game}:{matches}"),
                f"{game}, house against chance",
                "house / even share",
            ),
        ),
    )


def _turns(game: str) -> Group:
    return Group(
        "bots",
        "turns/s",
        Row(Op("bots", f"turn:{game}:chance"), f"{game}, a turn by chance"),
        (
            Row(
                Op("bots", f"turn:{game}:house"),
                f"{game}, a turn of the house",
                "time(house) / time(chance)",
                inverse=True,
            ),
        ),
    )
