"""Chance that was fixed before it was needed: chains, entropy, streams, outcomes."""

from games.chance.chain import LENGTH, Chain, Chains, chain, make, step
from games.chance.entropy import NO_BEACON, commitment, transcript, typed_words
from games.chance.stream import Stream, outcome, stream_key

__all__ = [
    "LENGTH",
    "NO_BEACON",
    "Chain",
    "Chains",
    "Stream",
    "chain",
    "commitment",
    "make",
    "outcome",
    "step",
    "stream_key",
    "transcript",
    "typed_words",
]
