"""The service is tested on both engines."""

from __future__ import annotations

import pytest

from tests.conftest import ENGINES


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Each test that uses `settings` or `site` runs on each engine."""
    name: str = request.param
    return name


ON_SQLITE = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
