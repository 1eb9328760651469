"""A match in which players answer their mails."""

from __future__ import annotations

import pytest

from service.site import Site
from tests.mail.inbound.players import Players
from tests.mail.play import Table


@pytest.fixture
def players(site: Site) -> Players:
    """A match that has just begun, every mail read."""
    found = Players(Table(site))
    found.table.begin()
    found.post()
    return found
