"""Malawi."""

from __future__ import annotations

from games.malawi import v1

VERSIONS = {1: v1.RULES}
