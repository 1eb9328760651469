"""Every single bit of a whole log flipped: never accepted, never without an answer."""

from __future__ import annotations

import pytest

from games.log import policy
from games.log.words import SENTENCES
from games.verify import verify
from tests.log.forge import EXAMPLE, STRICT_POLICY

TRUST = policy.parse(STRICT_POLICY)
PARTS = 16


@pytest.mark.parametrize("part", range(PARTS))
def test_no_flipped_bit_is_accepted(part: int) -> None:
    data = bytearray(EXAMPLE)
    for place in range(part, len(data), PARTS):
        for bit in range(8):
            data[place] ^= 1 << bit
            verdict = verify(bytes(data), TRUST)
            assert not verdict.ok, f"bit {bit} of byte {place}"
            assert verdict.code in SENTENCES["en"]
            data[place] ^= 1 << bit
    assert data == EXAMPLE
