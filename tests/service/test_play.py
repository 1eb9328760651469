"""One door: what `submit` and `act` write, refuse and repeat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import sqlalchemy as sa

from games.core.rules import IllegalMove, MalformedMove
from games.log import canon
from games.log.head import parse_head
from games.log.note import Signer, Verifier, open_note
from games.log.policy import parse
from games.log.record import ActKind
from games.log.writing import write
from games.verify import verify
from service import links, matches, play, records, sessions
from service.errors import NoMatch, NotNow, NotYourTurn, Stale, TooLate
from service.models import MATCH, OUTBOX, RECORD, SEAT
from service.play import Receipt
from service.site import Site
from tests.service.conftest import ON_SQLITE
from tests.service.table import (
    NOW,
    at_once,
    count,
    dump,
    look,
    mails,
    move,
    opened,
    played_out,
    started,
)


def submit(site: Site, match: str, line: str, **changes: object) -> Receipt:
    seen = look(site, match)
    fields: dict[str, object] = {
        "match": match,
        "seat": seen.mover,
        "line": line,
        "wait": seen.row.wait,
        "on": seen.row.n,
        "via": "web",
        "now": NOW,
    }
    return play.submit(site, **(fields | changes))  # type: ignore[arg-type]


def test_a_move_becomes_one_record_with_a_signed_head(site: Site) -> None:
    match = started(site)
    receipt = submit(site, match, "a1-c1")
    assert (receipt.record, receipt.line, receipt.rest) == (4, "a1-c1", "")
    assert (receipt.again, receipt.over) == (False, False)
    head = parse_head(open_note(receipt.note, [Verifier.parse(site.keys.heads.vkey)]).text)
    with site.db.read() as conn:
        last = records.load(conn, match)[-1]
    assert (head.name, head.m, head.count, head.hash) == ("localhost", match, 5, last.hash)


def test_a_line_is_read_as_people_type_it(site: Site) -> None:
    assert submit(site, started(site), "  A1 – C1 ").line == "a1-c1"


def test_the_same_line_again_gets_the_same_receipt(site: Site) -> None:
    match = started(site)
    before = look(site, match)
    first = submit(site, match, "a1-c1")
    again = submit(site, match, "A1-C1", seat=before.mover, wait=before.row.wait, on=before.row.n)
    assert again == Receipt(**{**first.__dict__, "again": True})
    assert count(site, match) == 5
    move(site, match)
    late = submit(site, match, "a1-c1", seat=before.mover, wait=before.row.wait, on=before.row.n)
    assert late == again


@pytest.mark.parametrize("line", ["a2-c2", "nonsense", ""])
def test_another_line_for_a_turn_that_has_passed_is_stale(site: Site, line: str) -> None:
    match = started(site)
    before = look(site, match)
    submit(site, match, "a1-c1")
    with pytest.raises(Stale):
        submit(site, match, line, seat=before.mover, wait=before.row.wait, on=before.row.n)
    assert count(site, match) == 5


def test_the_other_seat_is_told_that_it_is_not_its_turn(site: Site) -> None:
    match = started(site)
    with pytest.raises(NotYourTurn):
        submit(site, match, "f1-d1", seat=2)
    assert count(site, match) == 4


@pytest.mark.parametrize(
    ("line", "error"),
    [("a1-f1", IllegalMove), ("f1-d1", IllegalMove), ("hello", MalformedMove), ("", MalformedMove)],
)
def test_what_the_rules_refuse_writes_nothing(
    site: Site, line: str, error: type[Exception]
) -> None:
    match = started(site)
    before = dump(site)
    with pytest.raises(error):
        submit(site, match, line)
    assert dump(site) == before


@pytest.mark.parametrize("on", [-1, 2, 4, 1 << 40])
def test_a_record_that_was_not_in_view_is_stale(site: Site, on: int) -> None:
    match = started(site)
    with pytest.raises(Stale):
        submit(site, match, "a1-c1", on=on)
    assert count(site, match) == 4


def test_there_must_be_such_a_match(site: Site) -> None:
    with pytest.raises(NoMatch):
        play.submit(site, match="m_0", seat=1, line="a1-c1", wait=3, on=3, via="web", now=NOW)


def test_the_index_can_be_made_anew(site: Site) -> None:
    match = resigned(site)

    def index() -> object:
        with site.db.read() as conn:
            rows = conn.execute(sa.select(MATCH)).all()
            return rows, conn.execute(sa.select(SEAT).order_by(SEAT.c.id)).all()

    kept = index()
    assert not records.rebuild(site, match)
    with site.db.write() as conn:
        conn.execute(
            MATCH.update().values(
                head=b"?", n=0, phase="joining", mover=7, wait=0, began=0, changed=0, why="?"
            )
        )
        conn.execute(SEAT.update().values(number=SEAT.c.number + 5, rank=None))
    assert records.rebuild(site, match)
    assert index() == kept


def test_the_index_is_right_after_every_record(site: Site) -> None:
    match = started(site)
    for turn in range(20):
        move(site, match, turn * 7, NOW + turn)
        with site.db.read() as conn:
            assert not records.astray(site, conn, match)


@ON_SQLITE
@pytest.mark.parametrize(
    "change",
    [
        MATCH.update().values(head=b"?"),
        MATCH.update().values(n=6),
        MATCH.update().values(mover=1),
        MATCH.update().values(began=NOW),
        MATCH.update().values(deadline=NOW),
        MATCH.update().values(why=None),
        SEAT.update().values(rank=1),
        SEAT.update().values(number=None),
        SEAT.update().values(number=None, rank=None),
    ],
)
def test_an_index_that_is_astray_is_found_and_put_right(site: Site, change: sa.Update) -> None:
    match = resigned(site)
    with site.db.write() as conn:
        conn.execute(change)
        assert records.astray(site, conn, match)
    assert records.rebuild(site, match)
    with site.db.read() as conn:
        assert not records.astray(site, conn, match)


def test_a_lost_cache_changes_nothing(site: Site) -> None:
    match = started(site)
    for turn in range(5):
        move(site, match, turn)
        cached = look(site, match).position
        site.positions.clear()
        assert look(site, match).position == cached


def test_time_in_a_log_never_runs_backwards(site: Site) -> None:
    match = started(site, NOW)
    move(site, match, now=NOW - 5000)
    with site.db.read() as conn:
        assert records.load(conn, match)[-1].at == NOW


def test_each_turn_is_mailed_once_to_whoever_is_to_move(site: Site) -> None:
    match = started(site)
    (first,) = mails(site, "turn")
    assert (first.seat, first.wait, first.record) == (look(site, match).mover, 3, 3)
    move(site, match)
    (second,) = mails(site, "turn")
    assert (second.seat, second.wait, second.record) == (look(site, match).mover, 4, 4)
    assert second.about.since == 0
    move(site, match)
    (third,) = mails(site, "turn")
    assert (third.seat, third.about.count, third.about.since) == (first.seat, 6, 5)


def test_a_turn_mail_not_yet_sent_is_taken_back_by_the_move(site: Site) -> None:
    match = started(site)
    move(site, match)
    (mail,) = mails(site, "turn")
    assert mail.wait == 4


def test_the_end_is_mailed_to_all(site: Site) -> None:
    match = resigned(site)
    assert sorted(mail.seat or 0 for mail in mails(site, "result")) == [1, 2]
    seen = look(site, match)
    assert seen.row.mover is None
    with pytest.raises(Stale):
        submit_after_the_end(site, match)


def resigned(site: Site) -> str:
    """A match that was over after a few moves."""
    match = started(site)
    for turn in range(4):
        move(site, match, turn * 7, NOW + turn)
    play.act(site, match=match, seat=2, act="resign", on=7, via="web", now=NOW + 9)
    return match


def submit_after_the_end(site: Site, match: str) -> Receipt:
    row = look(site, match).row
    return play.submit(
        site, match=match, seat=1, line="a1-c1", wait=row.wait, on=row.n, via="web", now=NOW
    )


def test_the_links_of_a_turn_are_used_with_it(site: Site) -> None:
    match = started(site)
    seen = look(site, match)
    move(site, match)
    with site.db.read() as conn:
        link = links.of_turn(conn, match, seen.mover, seen.row.wait)
    assert link is not None
    assert link.used == NOW
    assert link.answer is not None


def test_a_resignation_ends_the_match_once(site: Site) -> None:
    match = started(site)
    row = look(site, match).row
    first = play.act(site, match=match, seat=2, act="resign", on=row.n, via="web", now=NOW)
    again = play.act(site, match=match, seat=2, act="resign", on=row.n, via="web", now=NOW)
    assert (first.over, first.again, again) == (
        True,
        False,
        Receipt(**{**first.__dict__, "again": True}),
    )
    assert look(site, match).row.why == "resign"
    with site.db.read() as conn:
        assert [seat.rank for seat in matches.seats(conn, match)] == [1, 2]


def done(site: Site, match: str, seat: int, act: ActKind) -> Receipt:
    """What a seat does beside its turn, on the newest record."""
    n = look(site, match).row.n
    return play.act(site, match=match, seat=seat, act=act, on=n, via="web", now=NOW)


def test_a_draw_is_offered_and_accepted(site: Site) -> None:
    match = started(site)
    act = partial(done, site, match)

    act(1, "offer-draw")
    with pytest.raises(NotNow):
        act(2, "offer-draw")
    with pytest.raises(NotNow):
        act(1, "accept-draw")
    act(2, "decline-draw")
    with pytest.raises(NotNow):
        act(2, "accept-draw")
    act(2, "offer-draw")
    assert act(1, "accept-draw").over
    assert look(site, match).row.why == "agreed"


def test_a_declined_draw_is_offered_again_after_the_next_turn(site: Site) -> None:
    match = started(site)
    act = partial(done, site, match)

    act(2, "offer-draw")
    act(1, "decline-draw")
    with pytest.raises(NotNow, match="in this turn already"):
        act(2, "offer-draw")
    act(1, "offer-draw")
    act(2, "decline-draw")
    at = look(site, match).row
    submit(site, match, "a1-c1", wait=at.wait, on=at.n)
    act(2, "offer-draw")
    assert act(1, "accept-draw").over


def test_an_act_does_not_spoil_the_turn(site: Site) -> None:
    match = started(site)
    before = look(site, match)
    play.act(site, match=match, seat=2, act="offer-draw", on=3, via="web", now=NOW)
    receipt = submit(site, match, "a1-c1", wait=before.row.wait, on=before.row.n)
    assert receipt.record == 5


def seat_of(site: Site, match: str, receipt: Receipt) -> tuple[int, int] | None:
    """The seat and the turn that the session of a receipt shows."""
    with site.db.read() as conn:
        found = sessions.find_seat(conn, match, receipt.session, NOW)
    return (found.seat, found.wait) if found else None


def test_a_session_is_of_the_turn_that_was_answered(site: Site) -> None:
    match = started(site)
    seen = look(site, match)
    first = submit(site, match, "a1-c1", session=True)
    assert seat_of(site, match, first) == (seen.mover, 3)
    assert first.session not in repr(first)
    again = submit(site, match, "a1-c1", seat=seen.mover, wait=3, on=3, session=True)
    assert again.session != first.session
    assert seat_of(site, match, again) == (seen.mover, 3)
    assert submit(site, match, "a1-c1", seat=seen.mover, wait=3, on=3).session is None


def test_a_session_ends_when_the_next_turn_begins_and_is_not_given_any_more(site: Site) -> None:
    match = started(site)
    seen = look(site, match)
    first = submit(site, match, "a1-c1", session=True)
    for _ in range(2):
        move(site, match)
        assert seat_of(site, match, first) is None
        late = submit(site, match, "a1-c1", seat=seen.mover, wait=3, on=3, session=True)
        assert (late.again, late.session) == (True, None)


def test_without_a_clock_no_time_is_ever_over(site: Site) -> None:
    match = started(site)
    assert not play.timeout(site, match=match, wait=3, now=NOW + 10**9)
    assert count(site, match) == 4


def test_a_turn_whose_time_is_over_ends_the_match_once(site: Site) -> None:
    match = started(site, clock="1m")
    mover = look(site, match).mover
    over = look(site, match).row.deadline
    assert over == NOW + 60
    assert not play.timeout(site, match=match, wait=3, now=over + play.GRACE - 1)
    assert not play.timeout(site, match=match, wait=2, now=over + play.GRACE)
    assert play.timeout(site, match=match, wait=3, now=over + play.GRACE)
    assert not play.timeout(site, match=match, wait=3, now=over + play.GRACE + 1)
    row = look(site, match).row
    assert (row.why, row.mover, row.deadline) == ("timeout", None, None)
    assert site.signer.last(match) == row.count
    with site.db.read() as conn:
        assert [seat.rank == 2 for seat in matches.seats(conn, match)] == [mover == 1, mover == 2]


def test_a_move_and_a_time_out_at_once_have_one_end(site: Site) -> None:
    match = started(site, clock="1m")
    mover = look(site, match).mover
    late = NOW + 60 + play.GRACE

    def play_it() -> Receipt:
        return submit(site, match, "a1-c1", seat=mover, wait=3, on=3, arrived=NOW + 59, now=late)

    over, played = at_once([partial(play.timeout, site, match=match, wait=3, now=late), play_it])
    after = look(site, match)
    if over:
        assert isinstance(played, Stale)
        assert after.row.why == "timeout"
    else:
        assert isinstance(played, Receipt)
        assert after.mover == 3 - mover
    assert verify(records.export(site, match)).ok


def test_what_arrived_in_time_counts_and_what_arrived_later_is_refused(site: Site) -> None:
    match = started(site, clock="1m")
    before = dump(site)
    with pytest.raises(TooLate):
        submit(site, match, "a1-c1", now=NOW + 60)
    mover = look(site, match).mover
    for seat, act in ((mover, "resign"), (3 - mover, "offer-draw")):
        with pytest.raises(TooLate):
            play.act(site, match=match, seat=seat, act=act, on=3, via="web", now=NOW + 60)
    assert dump(site) == before
    receipt = submit(site, match, "a1-c1", arrived=NOW + 59, now=NOW + 500)
    assert receipt.record == 4
    assert look(site, match).row.deadline == NOW + 560
    assert submit(site, match, "a1-c1", seat=mover, wait=3, on=3, now=NOW + 999).again


def test_twenty_times_the_same_line_at_once_is_one_record(site: Site) -> None:
    match = started(site)
    seen = look(site, match)

    def play_it() -> Receipt:
        return submit(site, match, "a1-c1", seat=seen.mover, wait=seen.row.wait, on=seen.row.n)

    receipts = at_once([play_it] * 20)
    assert all(isinstance(receipt, Receipt) for receipt in receipts), receipts
    assert sum(not receipt.again for receipt in receipts) == 1  # type: ignore[attr-defined]
    assert len({(r.record, r.line, r.note) for r in receipts}) == 1  # type: ignore[attr-defined]
    assert count(site, match) == 5


def test_twenty_lines_at_once_are_one_record_and_19_clear_answers(site: Site) -> None:
    match = started(site)
    seen = look(site, match)

    def job(line: str) -> Callable[[], Receipt]:
        return lambda: submit(site, match, line, seat=seen.mover, wait=seen.row.wait, on=seen.row.n)

    assert len(set(seen.moves)) >= 20
    answers = at_once([job(line) for line in seen.moves[:20]])
    kinds = sorted(type(answer).__name__ for answer in answers)
    assert kinds == ["Receipt"] + ["Stale"] * 19
    assert count(site, match) == 5


def test_a_move_and_a_resignation_at_once_end_the_match_one_way(site: Site) -> None:
    """Whichever comes first wins: a resignation leaves no turn to play, a move another position
    than the one that was resigned."""
    match = started(site)
    seen = look(site, match)
    other = 3 - seen.mover

    def resign() -> Receipt:
        return play.act(site, match=match, seat=other, act="resign", on=3, via="web", now=NOW)

    def play_it() -> Receipt:
        return submit(site, match, "a1-c1", seat=seen.mover, wait=3, on=3)

    resigned, played = at_once([resign, play_it])
    site.positions.clear()
    after = look(site, match)
    assert after.position.n == count(site, match) == site.signer.last(match)
    assert verify(records.export(site, match)).ok
    if isinstance(resigned, Receipt):
        assert resigned.over
        assert isinstance(played, Stale)
        assert after.row.why == "resign"
    else:
        assert isinstance(resigned, Stale)
        assert isinstance(played, Receipt)
        assert after.mover == other


@ON_SQLITE
def test_a_whole_match_mails_each_turn_and_its_log_is_verified(site: Site) -> None:
    match = played_out(site)
    with site.db.read() as conn:
        waits = conn.execute(sa.select(OUTBOX.c.wait).where(OUTBOX.c.kind == "turn")).scalars()
        turns = conn.execute(sa.select(RECORD.c.n).where(RECORD.c.match == match)).scalars()
        assert sorted(waits) == sorted(turns)[3:-2]
    file = records.export(site, match)
    verdict = verify(file, parse(f"heads {site.keys.heads.vkey}\nquorum none\n"))
    assert verdict.ok, verdict
    assert verdict.lines[0].endswith("complete")
    foreign = Signer.generate("localhost/heads", bytes(32))
    assert verify(file, parse(f"heads {foreign.vkey}\nquorum none\n")).code == "E_HEAD_KEY"


def test_a_running_match_is_exported_as_far_as_it_is_signed(site: Site) -> None:
    match = started(site)
    move(site, match)
    verdict = verify(records.export(site, match))
    assert verdict.ok
    assert verdict.lines[0] == "INTACT 5 records, unfinished"
    with pytest.raises(NoMatch):
        records.export(site, "m_0")


def test_nobody_joins_by_playing(site: Site) -> None:
    match = opened(site).match
    assert match is not None
    with pytest.raises(Stale):
        play.submit(site, match=match, seat=1, line="a1-c1", wait=0, on=1, via="web", now=NOW)


@ON_SQLITE
@pytest.mark.parametrize("moves", [1, 120, 121, 122, 123, 500])
def test_a_line_too_long_for_a_record_is_split_between_moves(site: Site, moves: int) -> None:
    position = look(site, started(site)).position
    line = "; ".join(["a1-c1"] * moves)
    parts = play._moves(position, play.Speaker(1, 3, "mail", 0, b"e" * 32), line)
    assert "; ".join(part.mv for part in parts) == line
    assert [part.by.on for part in parts] == [3, *range(4, 3 + len(parts))]
    sizes = [
        len(write(position.m, 10**9 + n, NOW, position.hash, part)) for n, part in enumerate(parts)
    ]
    assert max(sizes) <= canon.LONGEST
    assert len(parts) <= 1 + moves // 80
