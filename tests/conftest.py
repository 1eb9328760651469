"""What all tests share: an engine, a service on it, and Hypothesis without chance."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis
from pydantic import SecretStr

from service import db
from service.settings import PREFIX, Settings
from service.site import Site, open_site
from tests import postgres
from tests.absent import absent
from tests.furnished import furnish
from tests.games.script import admit_toys, expel_toys

hypothesis.register_profile("house", derandomize=True, deadline=None, database=None)
hypothesis.load_profile("house")

ENGINES = ("sqlite", "postgresql")
TESTS = Path(__file__).parent

for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
    del os.environ[name]  # no setting of whoever runs the tests reaches them


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "How often a process is killed for each action and engine (tests/service/test_kills.py)."
    parser.addoption("--kills", type=int, default=4, help=help)


def pytest_collectreport() -> None:
    """What a module did to the registry while it was read touches no other module."""
    expel_toys()


@pytest.fixture(autouse=True)
def toys(request: pytest.FixtureRequest) -> None:
    """Games made for tests are there for tests of games and logs, and nowhere else."""
    folder = request.path.relative_to(TESTS).parts[0]
    if folder in ("games", "log"):
        admit_toys()
    else:
        expel_toys()


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    """A throw-away PostgreSQL server."""
    binaries = postgres.programs()
    if binaries is None:
        absent("PostgreSQL is not installed (Debian: apt-get install postgresql).")
    with postgres.serve(binaries) as running:
        yield running


@pytest.fixture(scope="session")
def migrated(server: postgres.Server) -> str:
    """The name of a database with all tables, to copy."""
    name = server.create()
    with closing(db.Database(server.url(name))) as database:
        db.migrate(database)
    return name


@pytest.fixture
def engine() -> str:
    """The engine that `settings` uses; tests of the service take both."""
    return "sqlite"


@pytest.fixture
def settings(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings of a service in a folder of its own, mail in its Maildir."""
    if engine == "sqlite":
        yield Settings(data=tmp_path / "var")
        return
    server: postgres.Server = request.getfixturevalue("server")
    names = server.create(request.getfixturevalue("migrated")), server.create()
    yield Settings(
        data=tmp_path / "var",
        database_url=SecretStr(server.url(names[0])),
        signer_url=SecretStr(server.url(names[1])),
    )
    for name in names:
        server.drop(name)


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    """A service, set up and open."""
    furnish(settings)
    with closing(open_site(settings)) as opened:
        yield opened
