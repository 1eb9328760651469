"""One post office for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.settings import Settings
from service.site import Site
from tests.absent import absent
from tests.mail.bench import office as offices
from tests.mail.bench.office import Office
from tests.mail.bench.people import posted
from tests.mail.play import service


@pytest.fixture(scope="session")
def building() -> Iterator[Office]:
    if why := offices.missing():
        absent(why)
    with offices.office() as there:
        yield there


@pytest.fixture
def office(building: Office) -> Iterator[Office]:
    """An office whose mailboxes are empty."""
    yield building
    building.cleared()


@pytest.fixture
def site(settings: Settings, office: Office) -> Iterator[Site]:
    """A service whose mails go through the office."""
    with service(posted(settings, office)) as opened:
        yield opened
