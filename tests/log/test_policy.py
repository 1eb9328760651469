"""Policies: who is trusted, what a quorum is, and a sentence for everything else."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.log.note import COSIGNATURE, Signer, Verifier
from games.log.policy import BadPolicy, parse

HEADS = Signer.generate("a.example/heads", bytes([1] * 32)).vkey
LOG = Signer.generate("a.example/log", bytes([2] * 32)).vkey
WITNESSES = [
    Signer.generate(f"w{number}.example", bytes([number + 9] * 32), COSIGNATURE)
    for number in range(6)
]
W = [witness.vkey for witness in WITNESSES]


def quorum_of(policy: str, *cosigned: int) -> bool:
    return parse(policy).satisfied([WITNESSES[number].verifier for number in cosigned])


def test_a_whole_policy_is_read() -> None:
    policy = parse(
        "# whom we trust\n\n"
        f"\theads {HEADS}\n"
        f"log\t{LOG}  https://log.example/ \n"
        f"root {HEADS}\n"
        f"witness one {W[0]} https://w.example/\n"
        f"witness zwei-ä {W[1]}\n"
        "group both all one zwei-ä\n"
        "   # indented\n"
        "quorum both\n"
    )
    assert [key.vkey for key in policy.heads] == [HEADS]
    assert [key.vkey for key in policy.logs] == [LOG]
    assert [key.vkey for key in policy.cosigners()] == W[:2]
    assert policy.quorum == "both"


def test_a_policy_need_not_end_its_last_line() -> None:
    assert parse("quorum none") == parse("quorum none\n") == parse(b"quorum none\n")


def test_no_witness_is_asked_for_if_there_is_no_quorum() -> None:
    assert quorum_of("quorum none\n")
    assert quorum_of(f"witness one {W[0]}\nquorum none\n")


def test_one_witness_can_be_the_quorum() -> None:
    policy = f"witness one {W[0]}\nwitness two {W[1]}\nquorum two\n"
    assert quorum_of(policy, 1)
    assert quorum_of(policy, 0, 1)
    assert not quorum_of(policy, 0)
    assert not quorum_of(policy)


@pytest.mark.parametrize(
    ("threshold", "need"), [("any", 1), ("all", 3), ("1", 1), ("2", 2), ("3", 3)]
)
def test_a_group_needs_as_many_as_it_says(threshold: str, need: int) -> None:
    lines = "".join(f"witness {n} {W[n]}\n" for n in range(3))
    policy = f"{lines}group g {threshold} 0 1 2\nquorum g\n"
    for count in range(4):
        for some in combinations(range(3), count):
            assert quorum_of(policy, *some) is (count >= need)


def test_groups_of_groups() -> None:
    policy = (
        "".join(f"witness {n} {W[n]}\n" for n in range(6))
        + "group x 2 0 1 2\ngroup y any 3 4 5\ngroup z all x y\nquorum z\n"
    )
    for count in range(7):
        for some in combinations(range(6), count):
            expected = len({0, 1, 2} & set(some)) >= 2 and len({3, 4, 5} & set(some)) >= 1
            assert quorum_of(policy, *some) is expected


def test_a_long_chain_of_groups_is_no_trouble() -> None:
    groups = "".join(f"group g{n} all {f'g{n - 1}' if n else 'w'}\n" for n in range(900))
    policy = f"witness w {W[0]}\n{groups}quorum g899\n"
    assert quorum_of(policy, 0)
    assert not quorum_of(policy)


def test_names_are_octets() -> None:
    kelvin = f"witness K {W[0]}\nwitness \u212a {W[1]}\nquorum K\n"
    assert quorum_of(kelvin, 0)
    assert not quorum_of(kelvin, 1)
    assert parse(b"witness \xff " + W[0].encode() + b"\nquorum \xff\n").quorum == "\udcff"


WITNESS = f"witness one {W[0]}\n"

REFUSED = {
    "no quorum": ("", "no quorum line"),
    "two quorums": ("quorum none\nquorum none\n", "Line 2 .* a quorum already"),
    "unknown word": ("quorum none\nwitnes one\n", "Line 2 .* no kind of line"),
    "upper case": ("Quorum none\n", "Line 1 .* no kind of line"),
    "unknown quorum": ("quorum one\n", "defines “one”"),
    "quorum before its witness": ("quorum one\n" + WITNESS, "Line 1 .* defines “one”"),
    "quorum of two": (WITNESS + "quorum one one\n", "should read “quorum <name>”"),
    "heads without a key": ("heads\n", "should read “heads <vkey>”"),
    "heads with an address": (f"heads {HEADS} https://x\n", "should read"),
    "log with more": (f"log {LOG} https://x more\n", "should read"),
    "bad key": (f"heads {HEADS[:-1]}A\n", "Line 1 of the policy"),
    "twice the same heads key": (f"heads {HEADS}\n" * 2, "stands there already"),
    "twice the same log": (f"log {LOG}\n" * 2, "stands there already"),
    "the same witness under two names": (
        WITNESS + WITNESS.replace("one", "two"),
        "Line 2 .* stands there already",
    ),
    "two witnesses of one name": (WITNESS + f"witness one {W[1]}\n", "“one” is taken"),
    "a witness named none": (f"witness none {W[0]}\n", "“none” is taken"),
    "a group named as a witness": (WITNESS + "group one any one\n", "“one” is taken"),
    "a group named none": (WITNESS + "group none any one\n", "“none” is taken"),
    "none as a member": (WITNESS + "group g any none\n", "defines “none”"),
    "a group of itself": ("group g any g\n", "defines “g”"),
    "an unknown member": (WITNESS + "group g any one two\n", "defines “two”"),
    "a member twice": (WITNESS + "group g any one one\n", "a member already"),
    "a member of two groups": (
        WITNESS + "group g any one\ngroup h any one\n",
        "Line 3 .* a member already",
    ),
    "a group without members": ("group g any\n", "should read"),
    "threshold zero": (WITNESS + "group g 0 one\n", "number from 1 to 1"),
    "threshold too large": (WITNESS + "group g 2 one\n", "number from 1 to 1"),
    "threshold with a zero before": (WITNESS + "group g 01 one\n", "number from 1 to 1"),
    "threshold in words": (WITNESS + "group g some one\n", "number from 1 to 1"),
    "threshold of thousands of digits": (WITNESS + f"group g {'1' * 5000} one\n", "number from"),
    "a log's key for a witness": (f"witness one {LOG}\n", "kind 1"),
    "a witness's key for a log": (f"log {W[0]}\n", "kind 4"),
    "a witness's key for heads": (f"heads {W[0]}\n", "kind 4"),
    "carriage returns": ("quorum none\r\n", "control characters"),
    "form feed": ("\x0cquorum none\n", "control characters"),
    "delete": ("# \x7f\nquorum none\n", "control characters"),
    "thousands of lines": ("\n" * 5000 + "quorum none\n", "at most"),
    "a weak key": (
        f"heads {Verifier('w', 1, (1).to_bytes(32, 'little')).vkey}\n",
        "would mean nothing",
    ),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_a_policy_that_cannot_be_used_says_why(text: str, why: str) -> None:
    with pytest.raises(BadPolicy, match=why) as refused:
        parse(text)
    assert str(refused.value).endswith(".")
