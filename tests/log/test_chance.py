"""Chance gives the known answers, fairly, and nobody can choose it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from games.chance import (
    LENGTH,
    Stream,
    chain,
    commitment,
    element_before,
    make,
    outcome,
    stream_key,
    transcript,
    typed_words,
)
from games.chance.stream import hkdf
from games.core.rules import Chain as Name
from games.core.rules import Dice, Shuffle
from games.log.canon import b64url
from games.log.record import Deal, Ent, Join, Open, Reveal, Roll, Start
from games.log.schema import read
from tests.log.strategies import HASHES

GOLDEN = Path(__file__).parents[1] / "golden"
K = bytes(range(32))
M = "m_4T9KQ2ZC7WX1D3HV"
WORDS = [
    2825571275,
    3264974760,
    1015240749,
    1453888208,
    4033809992,
    2113218422,
    2159043420,
    958915525,
    2571181860,
]


class Told(Stream):
    """A stream of words that are told."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self.words = list(words)

    def u32(self) -> int:
        return self.words.pop(0)


def test_a_stream_gives_its_known_words() -> None:
    stream = Stream(K)
    assert [stream.u32() for _ in WORDS] == WORDS


def test_a_stream_gives_its_known_dice() -> None:
    assert Stream(K).dice([6] * 12) == (6, 1, 4, 3, 3, 3, 1, 2, 1, 3, 3, 6)


def test_words_of_the_unfair_rest_are_passed_over() -> None:
    stream = Stream(K)
    kept = [word for place, word in enumerate(WORDS, start=1) if place not in (2, 5)]
    assert [stream.below(3 * 2**30) for _ in range(6)] == kept[:6]


def test_a_stream_gives_its_known_shuffles() -> None:
    assert Stream(K).shuffle(range(10)) == (4, 6, 1, 0, 7, 2, 8, 9, 3, 5)
    deck = bytes(Stream(K).shuffle(range(52)))
    known = "2b30e27de50c2be7ecdceb0e45d9cfb81ffbb476254bf5a474aac2464acfe918"
    assert hashlib.sha256(deck).hexdigest() == known


@pytest.mark.parametrize(
    ("n", "words", "drawn"),
    [
        (6, [4294967291], 5),
        (6, [4294967292, 7], 1),
        (6, [4294967295, 4294967292, 4294967291], 5),
        (3, [4294967295, 4294967294], 2),
        (2**31 + 1, [2**32 - 1, 2**31 + 1, 2**31], 2**31),
        (2, [2**32 - 1], 1),
        (2**32, [2**32 - 1], 2**32 - 1),
        (1, [], 0),
    ],
)
def test_a_word_counts_up_to_the_last_fair_one(n: int, words: list[int], drawn: int) -> None:
    told = Told(*words)
    assert (told.below(n), told.words) == (drawn, [])


@pytest.mark.parametrize("n", [-1, 0, 2**32 + 1])
def test_there_is_no_draw_of_another_size(n: int) -> None:
    with pytest.raises(ValueError, match=str(n)):
        Stream(K).below(n)


def test_every_order_of_four_comes_of_one_way_to_draw() -> None:
    def draws(size: int) -> Iterator[list[int]]:
        if size == 1:
            yield []
            return
        for rest in draws(size - 1):
            yield from ([word, *rest] for word in range(size))

    orders = {Told(*words).shuffle("ABCD") for words in draws(4)}
    assert len(orders) == math.factorial(4)


def test_nothing_and_one_thing_are_shuffled_without_a_word() -> None:
    assert (Told().shuffle([]), Told().shuffle(["A"])) == ((), ("A",))


@given(st.lists(st.text(max_size=3), max_size=40), HASHES)
def test_a_shuffle_loses_and_makes_nothing(ids: list[str], key: bytes) -> None:
    assert sorted(Stream(key).shuffle(ids)) == sorted(ids)


@given(st.integers(1, 2**32), HASHES)
def test_a_die_shows_one_of_its_sides(sides: int, key: bytes) -> None:
    (eyes,) = Stream(key).dice([sides])
    assert 1 <= eyes <= sides


def test_dice_are_fair_enough() -> None:
    stream = Stream(K)
    counts = [0] * 6
    for eyes in stream.dice([6] * 60_000):
        counts[eyes - 1] += 1
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 20.5  # 5 degrees, p = 0.001


def test_a_step_of_a_chain_has_its_known_answer() -> None:
    assert b64url(element_before(M, "pub", 1, K)) == "nAPJPGCfcRITX-gjo811a41vzYmBasjb29JZ2sBYL6g"


def test_a_transcript_has_its_known_answer() -> None:
    assert b64url(transcript(M, [K, bytes(32)])) == "1j8szOPZLbgxAAsXMrUXl2IRJatb2SFzSm1umAx22Sc"


def test_a_stream_key_has_its_known_answer() -> None:
    key = stream_key(transcript(M, [K, bytes(32)]), "pub", 1, K)
    assert b64url(key) == "-UV3-AhXTE8SQj7vom5uHHvWG21qO5nzwxAFa_AupL8"


def test_an_outcome_has_its_known_answer() -> None:
    assert outcome(Dice((6, 6, 6, 6)), M, [K, bytes(32)], "pub", 1, K) == (6, 5, 1, 3)


def test_a_commitment_has_its_known_answer() -> None:
    known = "T-TBD4eHAJ2VIehiTOhvOsr3AiDy05TLca8wbKMoZP4"
    assert b64url(commitment(M, "p_alice7Q", K)) == known


def test_a_transcript_is_the_same_in_any_order_of_joining() -> None:
    # As bytes 0xfb sorts last, as base64url text ("-") first.
    ents = [b"\xfb" * 32, bytes(32), K]
    assert transcript(M, ents) == transcript(M, ents[::-1])
    text = f"pbem-entropy/1\n{M}\n{b64url(ents[0])}\n{b64url(ents[1])}\n{b64url(ents[2])}\n-\n"
    assert transcript(M, ents) == hashlib.sha256(text.encode()).digest()


def test_equal_entropies_both_count() -> None:
    assert transcript(M, [K, K]) != transcript(M, [K])


def test_a_beacon_has_its_place_in_the_transcript() -> None:
    text = f"pbem-entropy/1\n{M}\n{b64url(K)}\nround 7\n"
    assert transcript(M, [K], "round 7") == hashlib.sha256(text.encode()).digest()


@pytest.mark.parametrize("text", ["", "dice, be kind", "Glück und Würfel", "日本"])
def test_typed_words_can_be_recomputed_by_who_typed_them(text: str) -> None:
    assert typed_words(text) == hashlib.sha256(b"pbem-words/1\n" + text.encode("utf-8")).digest()


def test_the_outcomes_of_two_chains_and_two_elements_differ() -> None:
    dice = Dice((2**32,) * 2)
    names: tuple[Name, Name] = ("pub", "hid")
    outcomes = {outcome(dice, M, [K], name, k, K) for name in names for k in (1, 2)}
    assert len(outcomes) == 4


def test_a_chain_is_made_from_its_end_and_walked_from_its_tip() -> None:
    made = chain(M, "hid", K, 5)
    assert (made.n, made.elements[-1], made.tip) == (5, K, made.elements[0])
    for k in range(1, 6):
        assert element_before(M, "hid", k, made.elements[k]) == made.elements[k - 1]


def test_the_same_end_gives_other_chains_to_other_names_and_matches() -> None:
    other = "m_5T9KQ2ZC7WX1D3HV"
    tips = {chain(M, "pub", K, 2).tip, chain(M, "hid", K, 2).tip, chain(other, "pub", K, 2).tip}
    assert len(tips) == 3


def test_both_chains_of_a_match_follow_from_its_secret() -> None:
    chains = make(K, M)
    assert (chains.pub.n, chains.hid.n) == (LENGTH, LENGTH)
    assert chains == make(K, M)
    assert len({chains.pub.tip, chains.hid.tip, make(bytes(32), M).pub.tip}) == 3


def test_the_chains_of_a_secret_never_change() -> None:
    # Running matches depend on this: whoever changes it voids them.
    chains = make(K, M, 8)
    assert b64url(chains.pub.tip) == "h5St5OdCqAOC9k75XeReTjS2AiDv_NraLcI-Bc8m-pc"
    assert b64url(chains.hid.tip) == "_uC-fypL8X4L0tpw_caOI1f2jRuMD3Slo9ryGn-xmhM"


def test_a_chain_does_not_show_its_elements_by_accident() -> None:
    made = chain(M, "pub", K, 3)
    assert repr(made) == "Chain(name='pub')"


@pytest.mark.parametrize("secret", [b"", K[:31], K + b"\x00"])
def test_a_secret_of_another_length_makes_no_chains(secret: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        make(secret, M)


# RFC 5869, appendix A: case, secret, salt, info, and the output as far as we need it.
RFC_5869 = {
    "1": (
        b"\x0b" * 22,
        bytes(range(13)),
        bytes(range(0xF0, 0xFA)),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
    ),
    "2": (
        bytes(range(0x50)),
        bytes(range(0x60, 0xB0)),
        bytes(range(0xB0, 0x100)),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c",
    ),
    "3": (
        b"\x0b" * 22,
        b"",
        b"",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d",
    ),
}


@pytest.mark.parametrize(("secret", "salt", "info", "known"), RFC_5869.values(), ids=RFC_5869)
def test_hkdf_gives_the_answers_of_rfc_5869(
    secret: bytes, salt: bytes, info: bytes, known: str
) -> None:
    assert hkdf(salt=salt, secret=secret, info=info).hex() == known


@given(HASHES, st.binary(max_size=80), st.binary(max_size=80))
def test_hkdf_agrees_with_the_library(secret: bytes, salt: bytes, info: bytes) -> None:
    library = HKDF(SHA256(), 32, salt, info)
    assert hkdf(salt=salt, secret=secret, info=info) == library.derive(secret)


LOGS = ["malawi", "seasons", "monad", "black-monday"]


@pytest.mark.parametrize("name", LOGS)
def test_the_lots_and_rolls_of_an_example_log_follow_from_its_elements(name: str) -> None:
    records = [read(raw) for raw in lines(name)]
    bodies = [record.body for record in records]
    m = records[0].m
    ents = [body.ent for body in bodies if isinstance(body, Join | Ent) and body.ent is not None]
    pids = tuple(sorted(body.pid for body in bodies if isinstance(body, Join)))
    checked = 0
    for body in bodies:
        if isinstance(body, Start) and body.k is not None and body.d is not None:
            assert outcome(Shuffle(pids), m, ents, "pub", body.k, body.d) == body.seats
            checked += 1
        if isinstance(body, Roll):
            assert outcome(body.of, m, ents, "pub", body.k, body.d) == body.out
            checked += 1
    assert checked == 1 + sum(isinstance(body, Roll) for body in bodies)


@pytest.mark.parametrize("name", LOGS)
def test_the_elements_of_an_example_log_lead_back_to_its_tips(name: str) -> None:
    records = [read(raw) for raw in lines(name)]
    m, opened = records[0].m, records[0].body
    assert isinstance(opened, Open)
    assert opened.pub is not None
    assert opened.hid is not None
    pub, hid = opened.pub.tip, opened.hid.tip
    deals = reveals = 0
    for body in (record.body for record in records):
        if isinstance(body, Start | Roll) and body.k is not None and body.d is not None:
            assert element_before(m, "pub", body.k, body.d) == pub
            pub = body.d
        if isinstance(body, Reveal):
            assert element_before(m, "hid", body.k, body.d) == hid
            hid = body.d
            reveals += 1
        deals += isinstance(body, Deal)
    assert deals == reveals


def test_the_commitments_of_a_sealed_start_are_opened() -> None:
    records = [read(raw) for raw in lines("monad")]
    sealed = {
        record.body.pid: record.body.entc for record in records if isinstance(record.body, Join)
    }
    for record in records:
        if isinstance(record.body, Ent):
            opened = commitment(record.m, record.body.pid, record.body.ent)
            assert opened == sealed.pop(record.body.pid)
    assert sealed == {}


def lines(name: str) -> list[bytes]:
    return (GOLDEN / f"{name}.mlog").read_bytes().partition(b"\n\n")[0].split(b"\n")
