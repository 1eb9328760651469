r"""Chance that nobody can choose: fixed by the service before the players add theirs.

This is the whole scheme of outcomes in a log of the format `pbem/1` (the docstring of `games.log`),
enough to compute each of them again. H is SHA-256, HMAC is HMAC-SHA256, LF the byte 0x0A; texts are
ASCII, numbers in them decimal; b64url is base64url without padding; m is the match id.

## What is committed

For each match the service makes two *chains*, `pub` and `hid`, from their ends: element N is
secret, and from each element follows the one before,

    D[k-1] = H("pbem-chain/1" LF m LF name LF k LF, D[k])

Record 0 publishes both D[0], the *tips*. Only then do the players bring 32 bytes of entropy each:
at level F1 as `ent` when they join; at F2 first its commitment, `entc`, and the entropy itself when
all have joined:

    entc = H("pbem-ent/1" LF m LF pid LF, ent)

Somebody who plays by mail may type words instead, whose UTF-8 gives

    ent = H("pbem-words/1" LF, words)

So the service could not know the entropies when it fixed the chains, and at F2 no player knew those
of the others.

## What is used

Each event of chance uses the next element of its chain, k = 1, 2, ... `pub`: the lot for the seats
(`start`) and everything seen at once (`roll`); the record shows the element. `hid`: shuffles of
hidden cards (`deal`); their elements are shown after the match (`reveal`). Whoever sees an element
checks the formula above against the one before.

## What comes out

All entropies, as b64url and *sorted as texts*, make one value (the last line is kept for a public
beacon):

    E = H("pbem-entropy/1" LF m LF ent LF ent LF ... "-" LF)

An event has a stream of 32-bit words of its own; it depends on nothing but E, the chain, k and the
element, in particular not on times, moves or hashes of records:

    key   = HKDF-SHA256(salt E, input D[k], info "pbem-rng/1 " name "/" k, 32 bytes)   RFC 5869
    words = HMAC(key, 0), HMAC(key, 1), ...: the number as 4 bytes, every block read as
            eight words, all big-endian

Draws take words in order:

    below(n)   for n from 1 to 2^32, a number from 0 to n-1: 0 without taking a word if n is 1; else
               take words until one is less than 2^32 - (2^32 mod n), then that word mod n
    dice       for each number of sides, below(sides) + 1
    shuffle    of a list: for i from its last place (counted from 0) down to 1, swap the things at i
               and below(i + 1)

The lot shuffles the pids sorted as texts: the first gets seat 1. What else is drawn, by which chain
and from which list in which order, the rules of a game say.

## An example

>>> import hmac
>>> from base64 import urlsafe_b64encode
>>> from hashlib import sha256
>>> m = "m_4T9KQ2ZC7WX1D3HV"
>>> def b64url(data):
...     return urlsafe_b64encode(data).rstrip(b"=").decode()

A chain of two elements; its tip is published.

>>> def before(k, element):
...     return sha256(f"pbem-chain/1\n{m}\npub\n{k}\n".encode() + element).digest()
>>> d2 = bytes(range(32))
>>> d1 = before(2, d2)
>>> tip = before(1, d1)
>>> b64url(tip)
'rqyc-tNVbFFZy-BT2bjVQvy89jmpgeefgIpRzXoj46k'

Two players bring their entropies, one of them words.

>>> ents = [bytes(32), sha256(b"pbem-words/1\n" + "Würfelglück".encode()).digest()]
>>> text = "".join(ent + "\n" for ent in sorted(map(b64url, ents)))
>>> E = sha256(f"pbem-entropy/1\n{m}\n{text}-\n".encode()).digest()
>>> b64url(E)
'ou9UFJtrJAfjC2de7xkwm86PWLx79HaYQ0yeI2REKW0'

The second event of the chain is a throw of two dice: with RFC 5869 spelled out, its key, and the
first block of its words.

>>> extracted = hmac.digest(E, d2, "sha256")
>>> key = hmac.digest(extracted, b"pbem-rng/1 pub/2" + b"\x01", "sha256")
>>> block = hmac.digest(key, bytes(4), "sha256")
>>> words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
>>> words[:2]
[1938663297, 2466989668]
>>> [word < 2**32 - 2**32 % 6 for word in words[:2]]
[True, True]
>>> [word % 6 + 1 for word in words[:2]]
[4, 5]

This package says the same:

>>> from games.chance import element_before, outcome
>>> from games.core.rules import Dice
>>> element_before(m, "pub", 1, d1) == tip
True
>>> outcome(Dice((6, 6)), m, ents, "pub", 2, d2)
(4, 5)
"""

from games.chance.chain import LENGTH, Chain, Chains, chain, element_before, make
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
    "element_before",
    "make",
    "outcome",
    "stream_key",
    "transcript",
    "typed_words",
]
