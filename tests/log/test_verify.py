"""Verdicts: their lines for whole, unfinished and unrevealed matches."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chance.audit import audit
from games.core.rules import ToMove
from games.log import player, policy
from games.log.canon import b64url, decode, encode
from games.log.errors import BadLog
from games.log.file import join
from games.log.note import Signer, Verifier, b64, sign
from games.log.record import Deal
from games.log.words import sentence
from games.registry import games
from games.verify import Verdict, read, verify, vouch
from tests.games.script import Script
from tests.log.forge import (
    EXAMPLE,
    EXAMPLE_POLICY,
    GOLDEN,
    HEADS,
    POLICY,
    POLICY_TEXT,
    STRICT_POLICY,
    cards,
    duel,
    fault,
    file,
    head,
    judged,
    logged,
    numbered,
    seat_of,
)

TRUST = policy.parse(EXAMPLE_POLICY)

LINES = {
    "malawi": """\
INTACT 29 records, complete
LOGGED index 28 of 275 2026-11-14T21:29:27Z 2026-11-14T21:29:34Z
PLAYED malawi/1 goal 1=1 2=2
FAIR F1
seat 1: operator's word
seat 2: signed 13/13 by key s51Wy1GGCdthr4wxnvXgK8bd7uuSX8J_kZrTNj2sTh8""",
    "seasons": """\
INTACT 73 records, complete
LOGGED index 101 of 275 2026-11-14T21:29:27Z
PLAYED seasons/1 score 1=2 2=1
FAIR F1
seat 1: signed 19/19 by key PCBR4fwR7sy1QnKpOmZSxFzL4ndOTXpigX7AdzVtjOQ
seat 2: signed 17/17 by key WMrSmbIscMAXJbPNLVD9xMl0TXmfmfRlzP_y1Gk5FFg""",
    "monad": """\
INTACT 127 records, complete
LOGGED index 228 of 275 2026-11-14T21:29:27Z 2026-11-14T21:29:34Z
PLAYED monad/1 monads 1=2 2=2 3=1
FAIR F2
seat 1: signed 38/38 by key _iKm0VpWjJLF1D5OG-vL_ICD59IX0t6WsX_iP7ly6eo
seat 2: operator's word
seat 3: operator's word""",
    "black-monday": """\
INTACT 46 records, complete
LOGGED index 274 of 275 2026-11-14T21:29:27Z 2026-11-14T21:29:34Z
PLAYED black-monday/1 closed 1=2 2=1 3=3
FAIR F1
seat 1: operator's word
seat 2: operator's word
seat 3: signed 12/12 by key Foz-cgc-qJa-wLMP7gtgRVQVGoXFtg1hCk5pVZN-Hl8""",
}
"""What is to be said of the example logs."""
DAMAGED = {
    "malawi-changed-move": ("malawi", "E_CHAIN 5"),
    "seasons-forged-roll": ("seasons", "E_DICE_OUT 12"),
}


def played(game: str) -> bool:
    """Whether we have the rules of the game; without them step 6 says so and no more."""
    return game in games()


@pytest.mark.parametrize("game", LINES)
def test_the_example_logs_give_their_lines(game: str) -> None:
    verdict = verify((GOLDEN / f"{game}.mlog").read_bytes(), TRUST)
    if played(game):
        assert verdict == Verdict(
            True, None, None, tuple(LINES[game].split("\n")), sentence(None, None, "en")
        )
    else:
        assert verdict.fault == "E_RULES 0"


@pytest.mark.parametrize("game", LINES)
def test_the_example_logs_are_vouched_for_and_their_chains_are_whole(game: str) -> None:
    log = read((GOLDEN / f"{game}.mlog").read_bytes())
    vouched = vouch(log, TRUST)
    intact, logged_line = LINES[game].split("\n")[:2]
    assert intact == f"INTACT {len(log.records)} records, complete"
    assert vouched.logged is not None
    index, size = vouched.logged.index, vouched.logged.checkpoint.size
    assert logged_line.startswith(f"LOGGED index {index} of {size} ")
    assert len(vouched.logged.times) == logged_line.count("Z")
    assert audit(log.records).deals == sum(isinstance(one.body, Deal) for one in log.records)


@pytest.mark.parametrize("name", DAMAGED)
def test_the_damaged_copies_get_their_codes(name: str) -> None:
    game, code = DAMAGED[name]
    data = (GOLDEN / "damaged" / f"{name}.mlog").read_bytes()
    assert fault(data, TRUST) == (
        code if played(game) or code.startswith("E_CHAIN") else "E_RULES 0"
    )


def lines_of(data: bytes, text: str = POLICY_TEXT) -> list[str]:
    """The lines of a file that holds, but for the note that record 0 names other keys."""
    verdict = judged(data, policy.parse(text))
    assert verdict.ok, verdict.fault
    return [line for line in verdict.lines if not line.startswith("note: the head is signed by")]


def closed(script: Script) -> list[str]:
    script.close()
    return lines_of(file(script.lines))


def test_without_a_policy_all_is_checked_but_trust() -> None:
    verdict = verify(EXAMPLE)
    assert verdict.ok
    assert verdict.lines[1] == "LOGGED index 28 of 275"
    assert verdict.lines[2:-1] == tuple(LINES["malawi"].split("\n")[2:])
    assert verdict.lines[-1].startswith("note: no policy was given")


def test_without_a_policy_a_file_need_not_be_logged() -> None:
    verdict = verify(EXAMPLE[: EXAMPLE.index(b"\nc2sp.org")])
    assert verdict.ok
    assert not any(line.startswith("LOGGED") for line in verdict.lines)


def test_without_a_policy_the_keys_of_record_0_must_have_signed() -> None:
    assert verify(file(duel())).fault == "E_HEAD_KEY -"


def test_a_head_by_another_key_than_record_0_names_is_reported() -> None:
    note = judged(file(duel())).lines[-1]
    assert note.startswith(f"note: the head is signed by {HEADS.vkey}, record 0 names ")


def test_a_policy_without_a_log_asks_for_none_and_says_so() -> None:
    text = f"heads {HEADS.vkey}\nquorum none\n"
    lines = lines_of(file(duel()), text)
    assert lines[1].startswith("PLAYED")
    assert lines[-1] == "note: the policy names no log; who signed the checkpoint was not checked"
    alone = join(duel(), sign(head(duel()), HEADS))
    assert lines_of(alone, text)[-1].startswith("seat 2")


def test_a_cosignature_may_be_dated_beyond_all_calendars() -> None:
    proof = logged(head(duel()), witnesses=())
    checkpoint = proof.split("\n\n")[1] + "\n"
    witness = Signer.generate("w", bytes(32), 4)
    data = join(duel(), sign(head(duel()), HEADS), proof + witness.cosign(checkpoint, 2**63 - 1))
    log = POLICY_TEXT.split("\n")[1]
    trust = f"heads {HEADS.vkey}\n{log}\nwitness w {witness.vkey}\nquorum w\n"
    assert lines_of(data, trust)[1] == f"LOGGED index 2 of 5 {2**63 - 1}"


def test_a_match_that_is_cut_off_after_a_record_is_unfinished() -> None:
    lines = duel()
    assert lines_of(file(lines[:1])) == [
        "INTACT 1 records, unfinished",
        "LOGGED index 2 of 5 2027-01-15T10:46:39Z 2027-01-15T10:46:40Z",
        "PLAYED malawi/1 unfinished",
        "FAIR F1",
    ]
    for count in range(1, len(lines)):
        verdict = lines_of(file(lines[:count]))
        assert verdict[0] == f"INTACT {count} records, unfinished"
        assert verdict[2:4] == ["PLAYED malawi/1 unfinished", "FAIR F1"]
        assert len(verdict) == (6 if count > 3 else 4)


def test_a_signature_is_counted_for_every_record_by_the_player() -> None:
    assert lines_of(file(duel()))[4:] == [
        "seat 1: operator's word",
        "seat 2: signed 4/4 by key rwaj4ykXFOTzVsGcmxXNGVHsbmZiqne-B1R_KJODNB0",
    ]
    assert lines_of(file(duel("F2")))[3:] == [
        "FAIR F2",
        "seat 1: operator's word",
        "seat 2: signed 5/5 by key rwaj4ykXFOTzVsGcmxXNGVHsbmZiqne-B1R_KJODNB0",
    ]


def test_a_match_without_chance_is_fair_without_more() -> None:
    assert lines_of(file(duel("F0")))[2:4] == ["PLAYED malawi/1 resign 1=2 2=1", "FAIR F0"]


def test_while_a_deal_is_unrevealed_nobody_says_it_was_played_by_the_rules() -> None:
    lines = cards()
    assert lines_of(file(lines))[2:4] == ["PLAYED highest/1 counted 1=3 2=1 3=2", "FAIR F1"]
    for count in range(6, len(lines) - 2):
        verdict = lines_of(file(lines[:count]))
        assert verdict[2] == "FAIR F1, 1 of 1 deals unrevealed"
        assert len(verdict) == 6
    assert lines_of(file(lines[:-1]))[2:4] == ["PLAYED highest/1 unfinished", "FAIR F1"]


def test_while_a_deal_is_unrevealed_signatures_and_staleness_are_still_checked() -> None:
    lines = cards()[:10]
    assert fault(file(lines)) == ""
    stale = encode(decode(lines[8]) | {"on": 6})
    assert fault(file(numbered([*lines[:8], stale, lines[9]]))) == "E_STALE 8"
    other = decode(lines[6])
    other["p"] = {"mv": "c2", "seat": 1}
    assert fault(file(numbered([*lines[:6], encode(other)]))) == "E_PLAYER_SIG 6"


def test_a_match_that_is_void_has_no_places() -> None:
    script = Script("malawi", 2)
    script.rule("void")
    assert closed(script)[2:] == ["PLAYED malawi/1 void", "FAIR F1"]
    script = Script("malawi", 2)
    script.start()
    script.act(1, "offer-void")
    script.act(2, "accept-void")
    assert closed(script)[2] == "PLAYED malawi/1 void"


def test_a_draw_shares_the_first_place() -> None:
    script = Script("malawi", 2)
    script.start()
    script.act(2, "offer-draw")
    script.act(1, "accept-draw")
    assert closed(script)[2] == "PLAYED malawi/1 agreed 1=1 2=1"


def test_a_substitute_answers_for_his_own_records_only() -> None:
    script = Script("malawi", 2, keyed=(1,))
    script.start()
    seat = seat_of(script, "p_a")
    script.rule("substitute", seat=seat, pid="p_new")
    script.act(seat, "resign")
    assert closed(script)[3 + seat] == f"seat {seat}: operator's word, substituted at 4"


def test_a_substitute_may_have_a_key() -> None:
    script = Script("malawi", 2)
    script.start()
    key = player.public(b"n" * 32)
    script.secrets["p_new"] = b"n" * 32
    script.rule("substitute", seat=2, pid="p_new", key=key)
    assert lines_of(file(script.lines))[5] == (
        f"seat 2: signed 0/0 by key {b64url(key)}, substituted at 4"
    )
    script.act(2, "resign")
    assert closed(script)[5] == f"seat 2: signed 1/1 by key {b64url(key)}, substituted at 4"


def test_a_recovered_key_is_flagged_and_one_replaced_by_its_own_is_not() -> None:
    script = Script("malawi", 2, keyed=(1,))
    script.start()
    seat, pid = seat_of(script, "p_a"), "p_a"
    script.act(seat, "rekey", player.public(b"1" * 32))
    script.secrets[pid] = b"1" * 32
    assert lines_of(file(script.lines))[3 + seat] == (
        f"seat {seat}: signed 2/2 by key {b64url(player.public(b'1' * 32))}"
    )
    script.rule("rekey", seat=seat, key=player.public(b"2" * 32))
    script.secrets[pid] = b"2" * 32
    script.act(seat, "resign")
    assert closed(script)[3 + seat] == (
        f"seat {seat}: signed 3/3 by key {b64url(player.public(b'2' * 32))}, key recovered at 5"
    )


def test_a_key_that_came_late_signs_what_came_after_it() -> None:
    script = Script("malawi", 2)
    script.start()
    key = player.public(b"2" * 32)
    pid = script.position.holders[0].pid
    script.rule("rekey", seat=1, key=key)
    script.secrets[pid] = b"2" * 32
    script.act(1, "resign")
    assert closed(script)[4] == f"seat 1: signed 1/2 by key {b64url(key)}, key recovered at 4"


def test_what_the_operator_did_to_a_seat_is_told_in_its_order() -> None:
    script = Script("malawi", 2)
    script.start()
    for number in range(3):
        script.rule("substitute", seat=1, pid=f"p_new{number}")
        script.rule("rekey", seat=1, key=player.public(bytes([number + 1] * 32)))
    assert lines_of(file(script.lines))[4].endswith(
        ", substituted at 4, key recovered at 5, substituted at 6, key recovered at 7"
        ", substituted at 8, key recovered at 9"
    )


def test_a_seat_that_left_keeps_its_line() -> None:
    script = Script("highest", 3)
    script.start()
    script.rule("timeout", seat=1)
    turn = script.position.turn
    assert turn == ToMove(2)
    script.act(3, "resign")
    assert closed(script)[2] == "PLAYED highest/1 resign 1=3 2=1 3=2"


def test_a_fault_has_no_lines_but_a_sentence() -> None:
    verdict = verify(EXAMPLE.replace(b"a5-c5", b"a5-c4"), TRUST)
    assert verdict == Verdict(
        False,
        "E_CHAIN",
        5,
        (),
        "Record 5: The record does not continue the one before it: that one was changed.",
    )
    assert verdict.fault == "E_CHAIN 5"


def test_the_rules_are_looked_for_before_the_chains_and_the_chains_before_the_play() -> None:
    lines = [decode(line) for line in cards()]
    lines[5]["k"] = 2
    lines[8]["p"] = {"mv": "c99", "seat": 2}
    assert fault(file(numbered([encode(line) for line in lines]))) == "E_CHAIN_ORDER 5"
    lines[0]["rules"] = {"id": "chess", "ver": 1}
    assert fault(file(numbered([encode(line) for line in lines]))) == "E_RULES 0"


def test_a_chain_is_walked_without_any_rules() -> None:
    log = read(file(cards()))
    found = audit(log.records)
    assert (found.deals, list(found.hidden), found.sealed) == (1, [1], 0)
    with pytest.raises(BadLog, match="E_UNREVEALED 19"):
        audit([record for record in log.records if record.n != 18])


def test_a_weak_head_key_is_believed_nothing() -> None:
    weak = Verifier(HEADS.name, 1, (1).to_bytes(32, "little"))
    trust = POLICY.__class__(heads=(weak,))
    forged = b64(weak.id + (1).to_bytes(32, "little") + bytes(32))
    note = f"{head(duel())}\n— {weak.name} {forged}\n"
    assert fault(join(duel(), note), trust) == "E_HEAD_SIG -"


@given(st.binary(max_size=300))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    assert not verify(data, TRUST).ok
    assert not verify(data).ok


@given(st.integers(0, len(EXAMPLE) - 1), st.integers(0, len(EXAMPLE)), st.binary(max_size=20))
def test_no_piece_of_a_log_can_be_exchanged(start: int, end: int, piece: bytes) -> None:
    data = EXAMPLE[:start] + piece + EXAMPLE[end:]
    if data != EXAMPLE:
        verdict = verify(data, policy.parse(STRICT_POLICY))
        assert not verdict.ok
        assert verdict.sentence.endswith(".")


def test_a_log_that_is_cut_off_is_never_accepted() -> None:
    trust = policy.parse(STRICT_POLICY)
    for size in (*range(0, len(EXAMPLE), 7), *range(len(EXAMPLE) - 7, len(EXAMPLE))):
        assert not verify(EXAMPLE[:size], trust).ok


HUGE = {
    "line feeds": b"\n" * 3_000_000,
    "braces": b"{" * 3_000_000 + b"\n",
    "nested lists": b"[" * 900 + b"\n",
    "empty objects": b"{}\n" * 1_000_000,
    "empty lines": b"a\n\n" * 1_000_000,
    "signatures": EXAMPLE + "— a AAAAAAAA\n".encode() * 200_000,
    "a path": EXAMPLE.replace(b"index 28\n", b"index 28\n" + (b"A" * 43 + b"=\n") * 50_000),
    "a note of control characters": EXAMPLE[:6000] + b"\n\n" + b"\x01" * 3_000_000 + b"\n",
    "a count of digits": EXAMPLE.replace(b"\n29\n", b"\n" + b"9" * 1_000_000 + b"\n"),
}


@pytest.mark.parametrize("data", HUGE.values(), ids=HUGE.keys())
def test_a_huge_file_is_refused_at_once(data: bytes) -> None:
    began = time.perf_counter()
    assert not verify(data, TRUST).ok
    assert time.perf_counter() - began < 3


def work(acts: int) -> float:
    """Seconds for a match in which so many acts follow the start."""
    script = Script("malawi", 2)
    script.start()
    act = decode(script.lines[-1]) | {"t": "act", "on": 3, "via": "web"}
    act = {name: act[name] for name in ("at", "m", "n", "prev", "on", "via", "t")}
    act["p"] = {"act": "pause", "seat": 1}
    data = file(numbered([*script.lines, *[encode(act)] * acts]))
    began = time.process_time()
    assert judged(data).ok
    return time.process_time() - began


def test_the_work_grows_with_the_file_and_no_faster() -> None:
    seconds = [min(work(acts) for _ in range(2)) for acts in (1000, 4000, 16000)]
    assert all(longer < 8 * shorter + 0.05 for shorter, longer in pairwise(seconds))
