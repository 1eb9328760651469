"""A game for tests only: hidden cards, open dice, two to four seats, teams of two by option.

Six cards a seat would be more than a test needs: everybody is dealt two of `c1`, `c2`, … from the
`hid` chain. A turn plays one card; a die from the `pub` chain is added; both count. Whoever has
most when all cards are played is first.
"""

from __future__ import annotations

from tests.games.toys.highest import v1

VERSIONS = {1: v1.RULES}
