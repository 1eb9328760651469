"""A program that a test needs and the machine does not have."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def absent(sentence: str) -> NoReturn:
    """Skips the test and says why; where nothing may be skipped it fails."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)
