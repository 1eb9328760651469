"""Names: any language's may be had, none that is unseen or that a mail would read differently."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from service import people
from service.errors import BadName, Taken
from service.people import Person
from service.site import Site
from tests.service.conftest import ON_POSTGRESQL


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


@ON_POSTGRESQL
def test_an_address_that_two_come_to_at_once_is_one_players(site: Site) -> None:
    """The second has looked before the first was done, and waits for it to be."""
    with site.db.write() as conn:
        first, second = (
            people.enter(conn, Person(name, f"{name}@example.org", "en", "UTC"), 0)
            for name in ("ada", "ben")
        )

    def move(player: int) -> None:
        with site.db.write() as conn:
            people.move(conn, player, "new@example.org")

    with ThreadPoolExecutor(1) as pool:
        with site.db.write() as conn:
            people.move(conn, first, "new@example.org")
            late = pool.submit(move, second)
            blocked = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while not conn.execute(blocked).scalar_one():
                assert not late.done()
        assert isinstance(late.exception(), Taken)
