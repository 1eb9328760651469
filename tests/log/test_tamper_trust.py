"""Damage to what vouches for a log, and lies about it: heads, receipts, the service's log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.log import policy, tlog
from games.log.evidence import Earlier
from games.log.file import join
from games.log.head import head_text
from games.log.note import COSIGNATURE, Signer, b64, parse, sign
from games.log.policy import Policy
from games.verify import verify
from tests.log.forge import (
    EXAMPLE,
    EXAMPLE_POLICY,
    HEADS,
    LOG,
    NAME,
    POLICY,
    POLICY_TEXT,
    STRANGER,
    STRICT_POLICY,
    TIME,
    WITNESSES,
    M,
    duel,
    edited,
    fault,
    file,
    hashes,
    head,
    judged,
    logged,
    parts,
    with_fields,
)

LINES = list(duel())
GOOD = file(LINES)
TEXT = head(LINES)
OTHER_M = "m_ZZZZZZZZZZZZZZZZ"
PLAYER = Signer.generate("p_a", b"a" * 32)


def answer(data: bytes, trust: Policy = POLICY) -> str:
    assert data != GOOD
    return fault(data, trust)


def signed(text: str, *signers: Signer) -> bytes:
    return join(LINES, sign(text, *signers), logged(text))


def under(note: str) -> bytes:
    """The file with another note as its head."""
    return join(LINES, note, logged(TEXT))


def test_the_file_that_is_forged_here_is_whole() -> None:
    assert fault(GOOD) == ""


def ours(signature: bytes) -> str:
    """A signature line under the name and the key id of the head key."""
    return f"— {HEADS.name} {b64(HEADS.verifier.id + signature)}\n"


def made(signer: Signer) -> bytes:
    return parse(sign(TEXT, signer)).signatures[0].signature


HEAD_NOTES: dict[str, tuple[Callable[[], bytes], str]] = {
    "none": (lambda: join(LINES, None, logged(TEXT)), "E_NOTE -"),
    "empty": (lambda: join(LINES, "", logged(TEXT)), "E_NOTE -"),
    "without the empty line behind it": (
        lambda: join(LINES, sign(TEXT, HEADS), logged(TEXT)).replace(b"\n\nc2sp", b"\nc2sp"),
        "E_NOTE -",
    ),
    "unsigned": (lambda: under(TEXT), "E_NOTE -"),
    "unsigned, with the empty line": (lambda: under(TEXT + "\n"), "E_NOTE -"),
    "a control character": (lambda: under(sign(TEXT, HEADS).replace("v1", "v\x01")), "E_NOTE -"),
    "by an unknown key of the same name": (lambda: signed(TEXT, STRANGER), "E_HEAD_KEY -"),
    "by an unknown key of another name": (lambda: signed(TEXT, PLAYER), "E_HEAD_KEY -"),
    "by the log's key": (lambda: signed(TEXT, LOG), "E_HEAD_KEY -"),
    "by a witness": (lambda: under(TEXT + "\n" + WITNESSES[0].cosign(TEXT, 1)), "E_HEAD_KEY -"),
    "a stranger's signature under the right id": (
        lambda: under(TEXT + "\n" + ours(made(STRANGER))),
        "E_HEAD_SIG -",
    ),
    "a player's signature under the right id": (
        lambda: under(TEXT + "\n" + ours(made(PLAYER))),
        "E_HEAD_SIG -",
    ),
    "a short signature": (
        lambda: under(TEXT + "\n" + ours(made(HEADS)[:-1])),
        "E_HEAD_SIG -",
    ),
    "a good and a bad signature": (
        lambda: under(sign(TEXT, HEADS) + ours(made(STRANGER))),
        "E_HEAD_SIG -",
    ),
    "another text": (lambda: under(sign(TEXT, HEADS).replace(M, OTHER_M)), "E_HEAD_SIG -"),
    "not four lines": (lambda: signed(TEXT + "more\n", HEADS), "E_HEAD -"),
    "of another service": (
        lambda: signed(TEXT.replace(NAME, "other.example"), HEADS),
        "E_HEAD -",
    ),
    "of another kind": (lambda: signed(TEXT.replace("match-head", "hand"), HEADS), "E_HEAD -"),
    "of another match": (lambda: signed(head(LINES, m=OTHER_M), HEADS), "E_HEAD_MATCH -"),
    "of one record more": (
        lambda: signed(head(LINES, count=len(LINES) + 1), HEADS),
        "E_TRUNCATED -",
    ),
    "of one record less": (lambda: signed(head(LINES[:-1]), HEADS), "E_TAIL -"),
    "of no record": (lambda: signed(head(LINES, count=0), HEADS), "E_TAIL -"),
    "of other records": (
        lambda: signed(head_text(NAME, M, len(LINES), bytes(32)), HEADS),
        "E_HEAD_HASH -",
    ),
}


@pytest.mark.parametrize(("data", "code"), HEAD_NOTES.values(), ids=HEAD_NOTES.keys())
def test_a_head_is_forged(data: Callable[[], bytes], code: str) -> None:
    assert answer(data()) == code


def test_a_signature_by_an_unknown_key_beside_a_good_one_is_ignored() -> None:
    assert answer(signed(TEXT, HEADS, STRANGER)) == ""
    assert answer(signed(TEXT, PLAYER, HEADS)) == ""


def test_lines_chained_anew_without_the_key_have_another_head() -> None:
    longer = edited(LINES, 2, with_fields(at="2027-01-15T08:00:03Z"))
    assert longer != LINES
    assert answer(join(longer, sign(TEXT, HEADS), logged(TEXT))) == "E_HEAD_HASH -"


def test_a_whole_body_under_the_head_of_another_match() -> None:
    _, head_of_another, proof = parts(EXAMPLE)
    trust = policy.parse(STRICT_POLICY)
    assert fault(join(LINES, head_of_another, proof), trust) == "E_HEAD_MATCH -"


def test_a_truncated_or_continued_file_needs_another_head() -> None:
    note = sign(TEXT, HEADS)
    assert answer(join(LINES[:-1], note, logged(TEXT))) == "E_TRUNCATED -"
    earlier = head(LINES[:-1])
    assert answer(join(LINES, sign(earlier, HEADS), logged(earlier))) == "E_TAIL -"


SHORT = POLICY_TEXT.replace(f"log {LOG.vkey}\n", "")
PROOF = logged(TEXT)


def proved(proof: str | bytes | None) -> bytes:
    return join(LINES, sign(TEXT, HEADS), proof)


def checkpoint(text: str, log: Sequence[Signer] = (LOG,)) -> str:
    """A proof of the right leaf whose checkpoint has this text."""
    proof = tlog.parse_proof(PROOF)
    cosigned = "".join(witness.cosign(text, TIME) for witness in WITNESSES)
    return tlog.proof_text(tlog.Proof(proof.index, proof.path, sign(text, *log) + cosigned))


def bent(old: str, new: str) -> str:
    assert old in PROOF
    return PROOF.replace(old, new, 1)


CHECKPOINT = PROOF.split("\n\n")[1] + "\n"
PATH = PROOF.split("\n")[2:5]

PROOFS: dict[str, tuple[Callable[[], str | bytes | None], str]] = {
    "none": (lambda: None, "E_NOPROOF -"),
    "another index": (lambda: bent("index 2", "index 3"), "E_INCLUSION -"),
    "an index outside": (lambda: bent("index 2", "index 5"), "E_INCLUSION -"),
    "a large index": (lambda: bent("index 2", "index " + "9" * 400), "E_INCLUSION -"),
    "a malformed index": (lambda: bent("index 2", "index two"), "E_INCLUSION -"),
    "no index": (lambda: bent("index 2\n", ""), "E_INCLUSION -"),
    "one hash less": (lambda: bent(PATH[0] + "\n", ""), "E_INCLUSION -"),
    "one hash more": (lambda: bent(PATH[0], PATH[0] + "\n" + PATH[0]), "E_INCLUSION -"),
    "hashes swapped": (lambda: bent("\n".join(PATH[:2]), "\n".join(PATH[1::-1])), "E_INCLUSION -"),
    "a hash that is none": (lambda: bent(PATH[0], PATH[0][:-2]), "E_INCLUSION -"),
    "a path that is no text": (
        lambda: bent(PATH[0], "\udcff").encode(errors="replace").replace(b"?", b"\xff", 1),
        "E_INCLUSION -",
    ),
    "a thousand hashes": (lambda: bent(PATH[0], "\n".join([PATH[0]] * 1000)), "E_INCLUSION -"),
    "the leaf of another head": (
        lambda: logged(TEXT, leaf=head(LINES[:-1])),
        "E_INCLUSION -",
    ),
    "no checkpoint": (lambda: PROOF.split("\n\n")[0] + "\n", "E_NOTE -"),
    "an unsigned checkpoint": (lambda: PROOF.rpartition("\n\n")[0] + "\n", "E_NOTE -"),
    "a checkpoint that is no text": (
        lambda: PROOF.encode().replace(NAME.encode() + b"/log\n", b"\xff\n", 1),
        "E_NOTE -",
    ),
    "a checkpoint without its size": (
        lambda: checkpoint(CHECKPOINT.replace("\n5\n", "\n")),
        "E_NOTE -",
    ),
    "another size": (lambda: bent("\n5\n", "\n9\n"), "E_INCLUSION -"),
    "a size that changes no path": (lambda: bent("\n5\n", "\n6\n"), "E_CHECKPOINT_SIG -"),
    "a size with a zero before": (lambda: bent("\n5\n", "\n05\n"), "E_NOTE -"),
    "another root": (lambda: bent(CHECKPOINT.split("\n")[2], PATH[0]), "E_INCLUSION -"),
    "another origin": (lambda: bent(NAME + "/log\n5", NAME + "/lag\n5"), "E_CHECKPOINT_SIG -"),
    "a line more under the log's signature": (
        lambda: bent(CHECKPOINT, CHECKPOINT + "more\n"),
        "E_CHECKPOINT_SIG -",
    ),
    "a line more, signed": (lambda: checkpoint(CHECKPOINT + "more\n"), ""),
    "a bad signature of the log": (
        lambda: bent(LOG.line(CHECKPOINT), LOG.line("another\n")),
        "E_CHECKPOINT_SIG -",
    ),
    "a bad cosignature": (
        lambda: logged(TEXT, witnesses=WITNESSES[:1]) + WITNESSES[1].cosign("another\n", 1),
        "E_CHECKPOINT_SIG -",
    ),
    "a cosignature at another time": (
        lambda: logged(TEXT, witnesses=WITNESSES[:1]) + WITNESSES[1].line(CHECKPOINT),
        "E_CHECKPOINT_SIG -",
    ),
    "no signature of the log": (
        lambda: PROOF.replace(LOG.line(CHECKPOINT), ""),
        "E_CHECKPOINT_KEY -",
    ),
    "only a stranger's": (lambda: logged(TEXT, log=[STRANGER]), "E_CHECKPOINT_KEY -"),
    "only the head key's": (lambda: logged(TEXT, log=[HEADS]), "E_CHECKPOINT_KEY -"),
    "nobody known": (lambda: logged(TEXT, log=[STRANGER], witnesses=()), "E_CHECKPOINT_KEY -"),
    "a log of another name": (
        lambda: logged(TEXT, origin="other.example/log"),
        "E_CHECKPOINT_KEY -",
    ),
    "one witness too few": (lambda: logged(TEXT, witnesses=WITNESSES[:1]), "E_QUORUM -"),
    "the same witness twice": (
        lambda: logged(TEXT, witnesses=[WITNESSES[0], WITNESSES[0]]),
        "E_QUORUM -",
    ),
    "no witness": (lambda: logged(TEXT, witnesses=()), "E_QUORUM -"),
    "unknown witnesses": (
        lambda: logged(
            TEXT,
            witnesses=[Signer.generate(f"x{n}", bytes([n] * 32), COSIGNATURE) for n in (7, 8)],
        ),
        "E_QUORUM -",
    ),
    "a witness under another name": (
        lambda: logged(
            TEXT,
            witnesses=[WITNESSES[0], Signer.generate("x", WITNESSES[1].seed, COSIGNATURE)],
        ),
        "E_QUORUM -",
    ),
    "one witness more": (
        lambda: logged(TEXT, witnesses=[*WITNESSES, Signer.generate("x", bytes(32), COSIGNATURE)]),
        "",
    ),
}


@pytest.mark.parametrize(("proof", "code"), PROOFS.values(), ids=PROOFS.keys())
def test_a_proof_is_forged(proof: Callable[[], str | bytes | None], code: str) -> None:
    assert answer(proved(proof())) == code


def test_a_malformed_proof_is_found_even_if_the_policy_names_no_log() -> None:
    trust = policy.parse(SHORT)
    assert answer(proved(None), trust) == ""
    assert answer(proved(bent("index 2", "index 3")), trust) == "E_INCLUSION -"
    assert answer(proved(logged(TEXT, log=[STRANGER])), trust) == ""


def test_one_of_two_witnesses_is_enough_for_a_policy_that_says_so() -> None:
    trust = policy.parse(POLICY_TEXT.replace("both all", "both any"))
    for witnesses in (WITNESSES[:1], WITNESSES[1:], WITNESSES):
        assert fault(proved(logged(TEXT, witnesses=witnesses)), trust) == ""
    assert fault(proved(logged(TEXT, witnesses=())), trust) == "E_QUORUM -"


def test_a_damaged_cosignature_that_nobody_needs_may_become_an_unknown_one() -> None:
    data = EXAMPLE.replace(b"example-w1 PJWc", b"example-w1 PJWd")
    assert data != EXAMPLE
    assert fault(data, policy.parse(EXAMPLE_POLICY)) == ""
    assert fault(data, policy.parse(STRICT_POLICY)) == "E_QUORUM -"


def receipt(count: int, lines: Sequence[bytes] = LINES, by: Signer = HEADS) -> str:
    """The head that was mailed when there were so many records."""
    return sign(head_text(NAME, M, count, hashes(lines)[count - 1]), by)


FORKED = edited(LINES, 4, with_fields(at="2027-01-15T08:00:05Z"))


def held(*receipts: str | bytes) -> str:
    verdict = verify(GOOD, POLICY, receipts)
    return "" if verdict.ok else verdict.fault


def test_every_receipt_of_the_match_is_consistent_with_it() -> None:
    receipts = [receipt(count) for count in range(1, len(LINES) + 1)]
    verdict = verify(GOOD, POLICY, receipts)
    assert verdict.lines[2] == f"CONSISTENT with {len(receipts)} receipts"


RECEIPTS: dict[str, tuple[Callable[[], str | bytes], str]] = {
    "of a fork": (lambda: receipt(5, FORKED), "E_FORK 4"),
    "of a fork, later": (lambda: receipt(len(LINES), FORKED), f"E_FORK {len(LINES) - 1}"),
    "from before the fork": (lambda: receipt(4, FORKED), ""),
    "of a longer match": (
        lambda: sign(head(LINES, count=len(LINES) + 1), HEADS),
        "E_ROLLBACK -",
    ),
    "of nothing": (lambda: sign(head(LINES, count=0), HEADS), "E_HEAD -"),
    "of another match": (lambda: sign(head(LINES, m=OTHER_M), HEADS), "E_HEAD_MATCH -"),
    "by a stranger": (lambda: receipt(5, by=STRANGER), "E_HEAD_KEY -"),
    "with a bad signature": (
        lambda: receipt(5).replace(M, OTHER_M),
        "E_HEAD_SIG -",
    ),
    "of another kind": (lambda: sign("something else\n", HEADS), "E_HEAD -"),
    "that is no note": (lambda: "something else\n", "E_NOTE -"),
    "that is no text": (lambda: b"\xff\xfe\n\n", "E_NOTE -"),
}


@pytest.mark.parametrize(("note", "code"), RECEIPTS.values(), ids=RECEIPTS.keys())
def test_a_receipt_is_held_against_the_file(note: Callable[[], str | bytes], code: str) -> None:
    assert held(receipt(2), note()) == code


def test_a_fault_of_the_file_comes_before_one_of_a_receipt() -> None:
    cut = join(LINES[:-1], sign(TEXT, HEADS), PROOF)
    assert verify(cut, POLICY, [receipt(5, FORKED)]).fault == "E_TRUNCATED -"


LEAVES = [tlog.leaf(bytes([n])) for n in range(5)]
LEAVES[2] = tlog.leaf(TEXT.encode())


def kept(size: int, leaves: Sequence[bytes] = LEAVES, *, origin: str = LOG.name) -> Earlier:
    """A checkpoint of the log at another size, with the proof that it is one history."""
    leaves = [*leaves, *(tlog.leaf(bytes([n])) for n in range(5, size))]
    text = tlog.Checkpoint(origin, size, tlog.root(leaves[:size])).text
    old, new = sorted((size, 5))
    return Earlier(sign(text, LOG), tlog.consistency(leaves[:new], old))


@pytest.mark.parametrize("size", [1, 3, 4, 5, 6, 9])
def test_a_checkpoint_kept_from_another_day_shows_the_same_history(size: int) -> None:
    verdict = verify(GOOD, POLICY, earlier=[kept(size)])
    assert verdict.ok
    assert verdict.lines[-1] == "note: consistent with 1 earlier checkpoints"


def test_a_checkpoint_of_another_history_is_a_fork() -> None:
    others = [LEAVES[0], tlog.leaf(b"another"), *LEAVES[2:]]
    for earlier in (
        kept(3, others),
        kept(6, others),
        kept(3)._replace(proof=()),
        kept(0 + 1)._replace(proof=kept(3).proof),
    ):
        assert verify(GOOD, POLICY, earlier=[earlier]).fault == "E_FORK -"


def test_a_checkpoint_must_be_signed_by_the_log_and_needs_one_to_compare_with() -> None:
    stranger = sign(tlog.Checkpoint(LOG.name, 3, tlog.root(LEAVES[:3])).text, STRANGER)
    proof = kept(3).proof
    for note, code in (
        (stranger, "E_CHECKPOINT_KEY -"),
        (kept(3).note[:-1], "E_NOTE -"),
        (sign("no checkpoint\n", LOG), "E_NOTE -"),
        (str(kept(3).note).replace("\n3\n", "\n4\n"), "E_CHECKPOINT_SIG -"),
        (kept(3, origin="other.example/log").note, "E_CHECKPOINT_KEY -"),
    ):
        assert verify(GOOD, POLICY, earlier=[Earlier(note, proof)]).fault == code
    assert verify(proved(None), POLICY, earlier=[kept(3)]).fault == "E_NOPROOF -"


def test_who_has_a_second_name_is_still_judged_by_the_first() -> None:
    second = Signer.generate("old.example/heads", bytes([5] * 32))
    both = policy.parse(f"heads {second.vkey}\n" + POLICY_TEXT)
    assert judged(signed(TEXT, second, HEADS), both).ok
    assert judged(signed(TEXT, second), both).fault == "E_HEAD -"
