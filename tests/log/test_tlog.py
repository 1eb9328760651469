"""Trees, proofs, checkpoints: the roots of Certificate Transparency, and every small tree."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

import pytest

from games.log.note import BadNote
from games.log.tlog import (
    EMPTY,
    BadProof,
    Checkpoint,
    Proof,
    consistency,
    consistent,
    leaf,
    parse_checkpoint,
    parse_proof,
    path,
    proof_text,
    root,
    root_by_path,
)

# The reference tree of Certificate Transparency: eight leaves and the roots over the first 0 to 8.
REFERENCE = [
    bytes.fromhex(data)
    for data in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LARGEST = 64
LEAVES = [leaf(bytes([number])) for number in range(LARGEST)]
ROOT_OF = [root(LEAVES[:size]) for size in range(LARGEST + 1)]
ELSE = leaf(b"something else")


def test_the_reference_tree_has_its_roots() -> None:
    hashes = [leaf(data) for data in REFERENCE]
    assert [root(hashes[:size]).hex() for size in range(9)] == ROOTS
    assert EMPTY.hex() == ROOTS[0]


def leads(hash: bytes, index: int, size: int, hashes: Sequence[bytes], to: bytes) -> bool:
    try:
        return root_by_path(hash, index, size, hashes) == to
    except BadProof:
        return False


def damaged(hashes: Sequence[bytes]) -> Iterator[tuple[bytes, ...]]:
    """One bit of each hash flipped; one hash dropped, added, doubled, or two exchanged."""
    hashes = tuple(hashes)
    for place, hash in enumerate(hashes):
        flipped = bytes([hash[0] ^ 1 << place % 8]) + hash[1:]
        yield (*hashes[:place], flipped, *hashes[place + 1 :])
        yield (*hashes[:place], *hashes[place + 1 :])
        yield (*hashes[:place], hash, *hashes[place:])
        if place and hash != hashes[place - 1]:
            yield (*hashes[: place - 1], hash, hashes[place - 1], *hashes[place + 1 :])
    yield (*hashes, ELSE)
    yield (*hashes, b"")
    yield (ELSE, *hashes)


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_every_leaf_of_every_small_tree_is_proved_and_no_damaged_proof_holds(size: int) -> None:
    for index in range(size):
        hashes = path(LEAVES[:size], index)
        assert leads(LEAVES[index], index, size, hashes, ROOT_OF[size])
        assert not leads(ELSE, index, size, hashes, ROOT_OF[size])
        assert not leads(LEAVES[index], index, size, hashes, ELSE)
        for bad in damaged(hashes):
            assert not leads(LEAVES[index], index, size, bad, ROOT_OF[size])


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_a_path_holds_for_its_index_only(size: int) -> None:
    for index in range(size):
        hashes = path(LEAVES[:size], index)
        for other in (*range(size), size, size + index, -1):
            if other != index:
                assert not leads(LEAVES[index], other, size, hashes, ROOT_OF[size])


@pytest.mark.parametrize("new", range(1, LARGEST + 1))
def test_every_growth_is_proved_and_no_damaged_proof_holds(new: int) -> None:
    for old in range(1, new + 1):
        hashes = consistency(LEAVES[:new], old)
        assert consistent(old, ROOT_OF[old], new, ROOT_OF[new], hashes)
        for roots in ((ELSE, ROOT_OF[new]), (ROOT_OF[old], ELSE), (ROOT_OF[new], ROOT_OF[old])):
            if old < new or ELSE in roots:
                assert not consistent(old, roots[0], new, roots[1], hashes)
        for bad in damaged(hashes):
            assert not consistent(old, ROOT_OF[old], new, ROOT_OF[new], bad)


@pytest.mark.parametrize("new", range(1, 33))
def test_a_proof_of_growth_holds_for_its_sizes_only(new: int) -> None:
    for old in range(1, new):
        hashes = consistency(LEAVES[:new], old)
        for other in range(-1, new + 2):
            if other != old:
                assert not consistent(other, ROOT_OF[old], new, ROOT_OF[new], hashes)
        # Which trees hang to the right the sizes alone say: another size may have the same shape.
        assert not consistent(old, ROOT_OF[old], new * 2 + 1, ROOT_OF[new], hashes)


def test_a_tree_without_leaves_binds_nothing() -> None:
    for first in (EMPTY, ELSE):
        for size, second in ((0, EMPTY), (0, ELSE), (1, EMPTY), (1, ELSE), (1, ROOT_OF[1])):
            for hashes in ((), (EMPTY,), (second,)):
                assert not consistent(0, first, size, second, hashes)


def test_a_tree_is_consistent_with_itself_alone() -> None:
    assert consistent(1, ELSE, 1, ELSE, ())
    assert not consistent(1, ELSE, 1, EMPTY, ())
    assert not consistent(1, EMPTY, 1, EMPTY, (EMPTY,))
    assert not consistent(2, ELSE, 1, ELSE, ())
    assert not consistent(1, ELSE, 2, ELSE, ())


def test_there_is_no_path_without_its_leaf_and_no_proof_without_its_tree() -> None:
    for size, index in ((0, 0), (1, 1), (3, -1)):
        with pytest.raises(ValueError, match="leaf"):
            path(LEAVES[:size], index)
    for size, old in ((0, 0), (3, 0), (3, 4)):
        with pytest.raises(ValueError, match="tree"):
            consistency(LEAVES[:size], old)
    assert not leads(ELSE, 0, 0, (), EMPTY)


def test_a_tree_as_large_as_any_has_short_paths() -> None:
    with pytest.raises(BadProof):
        root_by_path(ELSE, 2**62, 2**62 + 1, [ELSE] * 2)
    assert root_by_path(ELSE, 2**62, 2**62 + 1, [EMPTY])


CHECKPOINT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"


def test_a_checkpoint_reads_back() -> None:
    checkpoint = parse_checkpoint(CHECKPOINT)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert checkpoint.text == CHECKPOINT
    assert parse_checkpoint(CHECKPOINT + "an extension\n") == checkpoint
    assert parse_checkpoint(Checkpoint("o", 0, EMPTY).text) == Checkpoint("o", 0, EMPTY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        CHECKPOINT.replace("2085", "02085"),
        CHECKPOINT.replace("20852163", "0xabcdef"),
        CHECKPOINT.replace("20852163", "9" * 5000),
        CHECKPOINT.replace("20852163\n", ""),
        CHECKPOINT.replace("q2I=", "q2J="),
        CHECKPOINT.replace("q2I=", "q2IA"),
        CHECKPOINT.replace("example.com/behind-the-sofa", ""),
        CHECKPOINT + "\n",
        CHECKPOINT + "\nafter an empty line\n",
    ],
)
def test_any_other_text_is_no_checkpoint(text: str) -> None:
    assert text != CHECKPOINT
    with pytest.raises(BadNote):
        parse_checkpoint(text)


PROOF = Proof(5, (LEAVES[0], LEAVES[1]), "a note\n\n— with a signature\n")


def test_a_proof_reads_back() -> None:
    for proof in (PROOF, Proof(0, (), "x\n")):
        assert parse_proof(proof_text(proof)) == proof
    assert proof_text(PROOF).startswith("c2sp.org/tlog-proof@v1\nindex 5\n")


def altered(old: str, new: str) -> str:
    text = proof_text(PROOF).replace(old, new, 1)
    assert text != proof_text(PROOF)
    return text


@pytest.mark.parametrize(
    "text",
    [
        "",
        altered("@v1", "@v2"),
        altered("index 5\n", ""),
        altered("index 5", "index  5"),
        altered("index 5", "index 05"),
        altered("index 5", "index -5"),
        altered("index 5", "Index 5"),
        altered("index 5", "index 5 "),
        altered("index 5", "index " + "5" * 5000),
        altered("index 5\n", "extra " + base64.b64encode(b"more").decode() + "\nindex 5\n"),
        altered("=\n", "\n"),
        altered("=\n", "= \n"),
        altered("=\n\n", "=\nQUJD\n\n"),
        altered("\n\n", "\n"),
        altered("index 5\n", "index 5\n" + f"{base64.b64encode(ELSE).decode()}\n" * 62),
    ],
)
def test_any_other_text_is_no_proof(text: str) -> None:
    with pytest.raises(BadProof):
        parse_proof(text)
