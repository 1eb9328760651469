"""Black Monday."""

from __future__ import annotations

from games.black_monday import v1

VERSIONS = {1: v1.RULES}
