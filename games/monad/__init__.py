"""Monad."""

from __future__ import annotations

from games.monad import v1

VERSIONS = {1: v1.RULES}
