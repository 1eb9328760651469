"""The fold: what the records of a match say, and what it refuses."""

from __future__ import annotations

import dataclasses

import pytest

from games.chance import commitment
from games.core.rules import Chance, Dice, Shuffle, ToMove
from games.log import player
from games.log.errors import BadLog
from games.log.record import Act, Deal, End, Ent, Join, Move, Open, Reveal, Roll, Start, Sys
from games.log.writing import by
from games.position import Hashes, Phase, Result, added, nth, state_hash
from games.replay import begin, replay
from tests.games.script import M, Script


def refused(code: str, script: Script, body: object) -> None:
    """The record gets this code under its own number, and leaves no trace."""
    before = script.position
    with pytest.raises(BadLog) as error:
        script.add(body)  # type: ignore[arg-type]
    assert (error.value.code, error.value.record) == (code, before.n)
    assert script.position == before


def malawi(**options: str) -> Script:
    script = Script("malawi", 2, **options)
    script.start()
    return script


def highest(seats: int = 3, **options: str) -> Script:
    script = Script("highest", seats, **options)
    script.start()
    return script


def act(script: Script, seat: int, kind: str) -> Act:
    """An act of that kind, not yet written."""
    on = len(script.records) - 1
    return Act(seat, kind, by(on, "web", seat=seat, act=kind))  # type: ignore[arg-type]


def play(script: Script) -> None:
    turn = script.position.turn
    assert isinstance(turn, ToMove)
    script.move(turn.seat, script.position.state.hands[turn.seat - 1][0])


def finish(script: Script) -> None:
    while script.position.phase is Phase.RUNNING:
        play(script)


def test_a_match_waits_for_every_join_before_it_starts() -> None:
    script = Script("malawi", 2)
    refused("E_PHASE", script, Start(("p_a", "p_b"), 1, bytes(32)))
    script.join("p_a")
    refused("E_PHASE", script, Start(("p_a", "p_b"), 1, bytes(32)))
    script.join("p_b")
    assert script.add(script.lot()).turn == ToMove(1)


def test_the_seats_are_those_of_the_lot() -> None:
    script = Script("malawi", 2)
    script.join("p_a")
    script.join("p_b")
    lot = script.lot()
    refused("E_SEATS", script, dataclasses.replace(lot, seats=lot.seats[::-1]))


def test_nobody_joins_twice_and_no_third_of_two() -> None:
    script = Script("malawi", 2)
    script.join("p_a")
    again = Join("p_a", by(0, "web", pid="p_a", ent=bytes(32)), bytes(32))
    refused("E_PHASE", script, again)
    script.join("p_b")
    third = Join("p_c", by(0, "web", pid="p_c", ent=bytes(32)), bytes(32))
    refused("E_PHASE", script, third)


@pytest.mark.parametrize(("level", "brought"), [("F0", "ent"), ("F1", "entc"), ("F1", "")])
def test_a_join_brings_the_entropy_of_its_level(level: str, brought: str) -> None:
    script = Script("malawi", 2, level)
    values = {brought: bytes(32)} if brought else {}
    refused("E_ENTROPY", script, Join("p_a", by(0, "web", pid="p_a", **values), **values))


def test_a_weak_key_is_not_registered() -> None:
    script = Script("malawi", 2)
    weak = (1).to_bytes(32, "little")
    spoken = by(0, "key", sig=bytes(64), pid="p_a", ent=bytes(32), key=weak)
    refused("E_WEAK_KEY", script, Join("p_a", spoken, bytes(32), None, weak))


def test_a_key_is_registered_by_its_own_signature() -> None:
    script = Script("malawi", 2)
    key = player.public(b"x" * 32)
    body = Join("p_a", by(0, "web", pid="p_a", ent=bytes(32), key=key), bytes(32), None, key)
    refused("E_PLAYER_UNSIGNED", script, body)
    refused("E_PLAYER_SIG", script, script.signed(body, "p_a", b"y" * 32))


def test_sealed_entropy_is_opened_after_the_last_join_and_must_fit() -> None:
    script = Script("malawi", 2, "F2")
    script.join("p_a")
    early = Ent("p_a", script.secrets["p_a"], by(0, "web", pid="p_a", ent=script.secrets["p_a"]))
    refused("E_PHASE", script, early)
    script.join("p_b")
    refused("E_PHASE", script, Start(("p_a", "p_b"), 1, bytes(32)))
    refused("E_ENTROPY", script, Ent("p_a", bytes(32), by(0, "web", pid="p_a", ent=bytes(32))))
    refused("E_TURN", script, Ent("p_z", bytes(32), by(0, "web", pid="p_z", ent=bytes(32))))
    script.open_entropy("p_a")
    refused("E_PHASE", script, early)
    script.open_entropy("p_b")
    assert script.add(script.lot()).phase is Phase.RUNNING


@pytest.mark.parametrize("pid", ["p_a", "p_z"])
def test_where_nothing_is_sealed_nothing_is_opened(pid: str) -> None:
    script = Script("malawi", 2)
    script.join("p_a")
    script.join("p_b")
    refused("E_PHASE", script, Ent(pid, bytes(32), by(0, "web", pid=pid, ent=bytes(32))))


def test_of_two_the_second_may_bring_plain_entropy_to_a_sealed_start() -> None:
    script = Script("malawi", 2, "F2")
    plain = Join("p_b", by(0, "web", pid="p_b", ent=bytes(32)), bytes(32))
    refused("E_ENTROPY", script, plain)
    script.join("p_a")
    script.add(plain)
    script.open_entropy("p_a")
    assert len(script.position.ents) == 2


def test_equal_entropies_are_each_opened() -> None:
    script = Script("highest", 2, "F2")
    same = bytes(32)
    for pid in ("p_a", "p_b"):
        sealed = commitment(M, pid, same)
        script.add(Join(pid, by(0, "web", pid=pid, entc=sealed), None, sealed))
    for pid in ("p_a", "p_b"):
        script.add(Ent(pid, same, by(0, "web", pid=pid, ent=same)))
    assert script.add(script.lot()).phase is Phase.RUNNING


def test_at_f0_the_service_assigns_the_seats_and_no_chain_is_used() -> None:
    script = Script("malawi", 2, "F0")
    script.join("p_a")
    script.join("p_b")
    refused("E_SEATS", script, Start(("p_a", "p_c")))
    refused("E_SCHEMA", script, Start(("p_a", "p_b"), 1, bytes(32)))
    assert script.add(Start(("p_b", "p_a"))).holders[0].pid == "p_b"


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"version": 2},
        {"seats": 3},
        {"options": (("board-size", "6"),)},
        {"options": (("board-size", "9"),)},
        {"options": (("colour", "red"),)},
    ],
)
def test_unknown_rules_and_options_are_refused(change: dict[str, object]) -> None:
    first = Script("malawi", 2).records[0]
    assert isinstance(first.body, Open)
    with pytest.raises(BadLog) as error:
        begin(first._replace(body=dataclasses.replace(first.body, **change)))  # type: ignore[arg-type]
    assert (error.value.code, error.value.record) == ("E_RULES", 0)


def test_a_game_of_chance_needs_chains() -> None:
    with pytest.raises(BadLog, match="E_RULES 0"):
        Script("highest", 2, "F0")


def test_a_player_acts_on_the_present_position() -> None:
    script = malawi()
    refused("E_STALE", script, script.move_body(1, "a1-c1", on=2))
    refused("E_STALE", script, script.move_body(1, "a1-c1", on=4))
    script.act(2, "offer-draw")
    script.add(script.move_body(1, "a1-c1", on=3))
    assert script.position.wait == 5


def test_only_the_seat_to_move_moves() -> None:
    script = malawi()
    refused("E_TURN", script, script.move_body(2, "f1-d1"))
    refused("E_TURN", script, script.move_body(3, "f1-d1"))


@pytest.mark.parametrize("line", ["a1-b1", "a1-c1; f1-d1", "A1-C1", "a1-c1;", ""])
def test_a_move_is_legal_and_spelt_as_stored(line: str) -> None:
    script = malawi()
    refused("E_ILLEGAL", script, script.move_body(1, line))


def test_a_seat_with_a_key_signs_every_move() -> None:
    script = Script("malawi", 2, keyed=(1, 2))
    script.start()
    body = script.move_body(1, "a1-c1")
    pid = script.position.holders[0].pid
    refused("E_PLAYER_UNSIGNED", script, body)
    refused("E_PLAYER_SIG", script, script.signed(body, pid, b"z" * 32))
    assert script.add(script.signed(body, pid)).turn == ToMove(2)


def test_a_signature_needs_a_key() -> None:
    script = malawi()
    body = script.signed(script.move_body(1, "a1-c1"), "p_a")
    refused("E_PLAYER_SIG", script, body)


def test_records_checked_before_may_be_read_without_their_signatures() -> None:
    script = Script("malawi", 2, keyed=(1,))
    script.start()
    seat = 1 + [holder.pid for holder in script.position.holders].index("p_a")
    if seat == 2:
        script.move(1, "a1-c1")
    forged = script.signed(
        script.move_body(seat, "a2-c2" if seat == 1 else "f2-d2"), "p_a", b"z" * 32
    )
    record = script._record(forged)
    with pytest.raises(BadLog, match="E_PLAYER_SIG"):
        replay(script.records)
    assert replay(script.records, signatures=False).hash == record.hash


def test_an_offer_stands_until_the_other_side_moves_or_declines() -> None:
    script = malawi()
    refused("E_PHASE", script, act(script, 2, "accept-draw"))
    script.act(2, "offer-draw")
    refused("E_PHASE", script, act(script, 1, "offer-void"))
    refused("E_PHASE", script, act(script, 1, "accept-void"))
    refused("E_PHASE", script, act(script, 2, "decline-draw"))
    script.act(1, "decline-draw")
    assert script.position.offer is None
    script.act(1, "offer-draw")
    script.move(1, "a1-c1")
    assert script.position.offer is not None
    script.move(2, "f1-d1")
    assert script.position.offer is None


def test_a_draw_is_agreed_when_all_have_agreed() -> None:
    script = highest()
    script.act(1, "offer-draw")
    script.act(2, "accept-draw")
    assert script.position.phase is Phase.RUNNING
    assert script.act(3, "accept-draw").result == Result("agreed", (1, 1, 1))


def test_a_match_agreed_to_be_void_has_no_places() -> None:
    script = malawi()
    script.act(1, "offer-void")
    script.act(2, "accept-void")
    assert script.position.result == Result("void", ())
    assert script.close().phase is Phase.CLOSED


def test_a_match_can_be_void_before_it_starts() -> None:
    script = Script("malawi", 2)
    script.join("p_a")
    refused("E_PHASE", script, Sys("timeout", "late", seat=1))
    script.rule("clock", secs=60)
    script.rule("void")
    assert script.close().phase is Phase.CLOSED


def test_who_resigns_loses_a_match_of_two() -> None:
    script = malawi()
    assert script.act(1, "resign").result == Result("resign", (2, 1))
    refused("E_PHASE", script, script.move_body(1, "a1-c1"))
    assert script.close().phase is Phase.CLOSED


def test_the_clock_runs_out_for_the_seat_to_move_alone() -> None:
    script = malawi()
    refused("E_TURN", script, Sys("timeout", "late", seat=2))
    assert script.rule("timeout", seat=1).result == Result("timeout", (2, 1))


def test_a_substitute_takes_over_the_seat_and_the_key_goes() -> None:
    script = Script("malawi", 2, keyed=(1, 2))
    script.start()
    script.rule("substitute", seat=1, pid="p_new")
    refused("E_PHASE", script, Sys("substitute", "gone", seat=2, pid="p_new"))
    script.add(script.move_body(1, "a1-c1"))
    assert script.position.holders[0].key is None


def test_a_key_is_replaced_by_the_old_one_or_by_the_operator() -> None:
    script = Script("malawi", 2, keyed=(1, 2))
    script.start()
    fresh = b"n" * 32
    script.act(1, "rekey", player.public(fresh))
    pid = script.position.holders[0].pid
    body = script.move_body(1, "a1-c1")
    refused("E_PLAYER_SIG", script, script.signed(body, pid))
    script.add(script.signed(body, pid, fresh))
    script.rule("rekey", seat=2, key=player.public(fresh))
    script.add(script.signed(script.move_body(2, "f1-d1"), pid, fresh))


def test_a_seat_without_a_key_cannot_replace_it() -> None:
    script = malawi()
    key = player.public(b"n" * 32)
    body = Act(1, "rekey", by(3, "web", seat=1, act="rekey", key=key), key)
    refused("E_PHASE", script, body)


def test_the_operator_decides_an_adjudicated_match() -> None:
    script = malawi()
    script.rule("adjudicate")
    digest = state_hash(script.position)
    refused("E_RESULT", script, End(((1, 1),), "adjudicated", digest))
    refused("E_RESULT", script, End(((1, 1), (2, 2)), "goal", digest))
    refused("E_STATE", script, End(((1, 1), (2, 2)), "adjudicated", bytes(32)))
    script.add(End(((1, 1), (2, 2)), "adjudicated", digest))


def test_an_end_before_the_end_has_no_result() -> None:
    script = malawi()
    refused("E_RESULT", script, End(((1, 1), (2, 2)), "goal", bytes(32)))


def test_the_set_up_asks_for_its_deal_at_once() -> None:
    script = Script("highest", 2)
    script.join("p_a")
    script.join("p_b")
    script.add(script.lot())
    assert script.position.turn == Chance("hid", Shuffle(("c1", "c2", "c3", "c4")))
    refused("E_PHASE", script, script.move_body(1, "c1"))
    refused("E_PHASE", script, act(script, 1, "resign"))
    refused("E_PHASE", script, Roll(2, bytes(32), Dice((6,)), (1,)))
    script.add(Deal(1))
    assert script.position.turn == ToMove(1)


def test_a_roll_is_the_one_asked_for_with_the_outcome_of_the_chain() -> None:
    script = highest()
    hand = script.position.state.hands[0]
    script.add(script.move_body(1, hand[0]))
    asked = script.asked()
    assert isinstance(asked, Roll)
    refused("E_PHASE", script, dataclasses.replace(asked, of=Dice((6, 6)), out=(1, 1)))
    refused("E_DICE_OUT", script, dataclasses.replace(asked, out=(int(asked.out[0]) % 6 + 1,)))
    refused("E_PHASE", script, Deal(2))
    script.add(asked)
    assert script.position.turn == ToMove(2)


def test_a_card_that_is_not_held_has_a_code_of_its_own() -> None:
    script = highest()
    foreign = script.position.state.hands[1][0]
    refused("E_HAND", script, script.move_body(1, foreign))
    refused("E_HAND", script, script.move_body(1, f"{foreign}; nonsense"))


def test_a_line_may_not_run_past_a_chance_event() -> None:
    script = highest(2)
    one, other = script.position.state.hands[0]
    refused("E_ILLEGAL", script, script.move_body(1, f"{one}; {other}"))


def test_deals_are_revealed_in_order_after_the_match_and_before_its_end() -> None:
    script = highest()
    reveal = Reveal(1, script.chains.hid.elements[1])
    refused("E_PHASE", script, reveal)
    finish(script)
    assert script.position.result is not None
    refused("E_UNREVEALED", script, End(((1, 1), (2, 2), (3, 3)), "counted", bytes(32)))
    refused("E_PHASE", script, Reveal(2, bytes(32)))
    script.add(reveal)
    refused("E_PHASE", script, Reveal(2, bytes(32)))
    assert script.close().phase is Phase.CLOSED


def test_without_the_deal_moves_are_checked_for_signature_and_staleness_alone() -> None:
    script = highest()
    for _ in range(3):
        play(script)
    position = replay(script.records)
    assert position.state is None
    assert position.turn is None
    assert (position.n, position.pub, position.hid) == (len(script.records), 4, 1)
    refused("E_STALE", script, script.move_body(1, "c1", on=0))


def test_with_the_deal_the_same_records_give_the_whole_position() -> None:
    script = highest()
    play(script)
    assert replay(script.records, script.hidden) == script.position


def test_a_seat_that_leaves_three_is_skipped_and_placed_last() -> None:
    script = highest()
    play(script)
    script.act(1, "resign")
    assert script.position.phase is Phase.RUNNING
    refused("E_TURN", script, act(script, 1, "resign"))
    play(script)
    assert script.position.turn == ToMove(3)
    play(script)
    assert script.position.turn == ToMove(2)
    finish(script)
    assert script.position.result is not None
    assert script.position.result.places is not None
    assert script.position.result.places[0] == 3
    assert script.close().phase is Phase.CLOSED


def test_when_one_seat_is_left_the_match_ends_with_the_last_leavers_reason() -> None:
    script = highest()
    script.act(2, "resign")
    script.rule("timeout", seat=1)
    assert script.position.result == Result("timeout", (2, 3, 1))


def test_a_team_plays_on_while_one_partner_is_in() -> None:
    script = highest(4, teams="yes")
    script.act(1, "resign")
    assert script.position.phase is Phase.RUNNING
    script.act(3, "resign")
    assert script.position.result == Result("resign", (2, 1, 2, 1))


def test_partners_share_their_place() -> None:
    script = highest(4, teams="yes")
    finish(script)
    assert script.position.result is not None
    places = script.position.result.places
    assert places is not None
    assert places[:2] == places[2:]
    assert set(places) <= {1, 2}


def test_a_second_open_is_no_record_of_a_match() -> None:
    script = malawi()
    refused("E_SCHEMA", script, script.records[0].body)


def test_the_fold_of_all_records_is_the_fold_of_each() -> None:
    script = Script("highest", 4, "F2", keyed=(2, 3), teams="yes")
    script.start()
    finish(script)
    script.close()
    assert replay(script.records, script.hidden) == script.position


def test_a_move_names_the_record_it_waits_on() -> None:
    script = malawi()
    assert script.position.wait == 3
    script.act(1, "pause")
    assert script.position.wait == 3
    script.add(Move(1, "a1-c1", by(3, "web", seat=1, mv="a1-c1")))
    assert script.position.wait == 5


def test_the_records_since_a_move_are_kept_however_many_there_are() -> None:
    hashes: Hashes = ()
    for count in range(100):
        hashes = added(hashes, bytes([count]))
        assert [nth(hashes, index) for index in range(count + 1)] == [
            bytes([index]) for index in range(count + 1)
        ]
        assert len(hashes) == (count + 1).bit_count()
    with pytest.raises(IndexError):
        nth(hashes, 100)
