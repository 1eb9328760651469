"""The house plays: at once, by the door that everybody uses, and whatever happens to a worker."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest
import sqlalchemy as sa

from games.chance.stream import Stream
from games.log.record import Act, Join, Move, Via
from games.new import random_line
from games.position import Phase
from games.verify import verify
from service import house, lobby, matches, play, records, unstarted
from service.errors import BadForm, TooMany
from service.joining import JoinForm
from service.models import LINK, MATCH, OUTBOX, SEAT
from service.opening import HOUSE, Invited
from service.policy import policy_for
from service.site import Site
from tests.games.script import admit_toys
from tests.service.conftest import ON_SQLITE
from tests.service.table import ANNA, BO, NOW, at_once, form, invitation, look, mails, move, opened
from tests.service.test_crash import environment

LATER = NOW + house.LEASE + 1
STEPS = 14


def against(site: Site, houses: int = 1, now: int = NOW, **changes: object) -> str:
    """A match of Anna and the house alone."""
    fields = {"invited": (HOUSE,) * houses} | changes
    return opened(site, now, **fields).match


def answer(site: Site, now: int = NOW) -> int:
    """Lets the house play until it waits for somebody; how often it played."""
    tries = 0
    while house.play_once(site, now):
        tries += 1
    return tries


def own(site: Site, match: str) -> tuple[int, ...]:
    return matches.house_seats(look(site, match).position)


def person(site: Site, match: str) -> int:
    return next(seat for seat in (1, 2) if seat not in own(site, match))


def anna_to_move(site: Site, match: str) -> None:
    answer(site)
    assert look(site, match).mover not in own(site, match)


def house_to_move(site: Site, match: str) -> None:
    if look(site, match).mover not in own(site, match):
        move(site, match)


def bodies(site: Site, match: str) -> list[object]:
    with site.db.read() as conn:
        return [record.body for record in records.load(conn, match)]


def act(site: Site, match: str, seat: int, kind: str) -> None:
    on = look(site, match).row.n
    play.act(site, match=match, seat=seat, act=kind, on=on, via="web", now=NOW)  # type: ignore[arg-type]


def test_a_match_against_the_house_starts_when_it_is_confirmed(site: Site) -> None:
    match = against(site)
    assert look(site, match).row.phase is Phase.RUNNING
    joins = [body for body in bodies(site, match) if isinstance(body, Join)]
    assert [join.by.via for join in joins] == ["api", "link"]
    assert len({join.ent for join in joins}) == 2


def test_the_house_answers_and_a_person_is_told(site: Site) -> None:
    match = against(site)
    house_to_move(site, match)
    mails(site)
    assert answer(site) == 1
    (mail,) = mails(site, "turn", NOW + play.HOUSE_SECONDS)
    assert mail.address == ANNA
    (moved,) = [body for body in bodies(site, match)[-1:] if isinstance(body, Move)]
    assert (moved.seat, moved.by.via) == (*own(site, match), "api")


@pytest.mark.parametrize(("via", "later"), [("web", play.HOUSE_SECONDS), ("link", 0)])
def test_who_plays_on_the_pages_is_mailed_only_if_they_stay_away(
    site: Site, via: Via, later: int
) -> None:
    match = against(site)
    anna_to_move(site, match)
    move(site, match, via=via)
    mails(site)
    answer(site)
    assert not mails(site, "turn", NOW + later - 1)
    (mail,) = mails(site, "turn", NOW + later)
    assert mail.address == ANNA


def test_nothing_is_ever_mailed_to_the_house_nor_any_link_made_for_it(site: Site) -> None:
    match = against(site)
    anna_to_move(site, match)
    for turn in range(3):
        move(site, match, turn)
        answer(site)
    act(site, match, person(site, match), "resign")
    with site.db.read() as conn:
        addressed = set(conn.execute(sa.select(OUTBOX.c.address)).scalars())
        seats = set(conn.execute(sa.select(LINK.c.seat).where(LINK.c.purpose == "w")).scalars())
        (row,) = conn.execute(sa.select(SEAT).where(SEAT.c.house)).all()
    assert addressed == {ANNA}
    assert seats == {person(site, match)}
    assert (row.player, row.address, row.name) == (None, "", "")


def test_a_mixed_match_starts_with_the_last_person(site: Site) -> None:
    match = against(site, game="black-monday", invited=(HOUSE, Invited("Bo", BO), HOUSE))
    assert look(site, match).row.phase is Phase.JOINING
    assert not house.play_once(site, NOW)
    lobby.join(site, invitation(site), JoinForm("Bo", "en", "UTC"), NOW)
    assert look(site, match).row.phase is Phase.RUNNING
    assert len(own(site, match)) == 2
    answer(site)
    assert look(site, match).mover not in own(site, match)


def test_whoever_cancels_such_a_match_tells_the_house_nothing(site: Site) -> None:
    match = against(site, game="black-monday", invited=(HOUSE, Invited("Bo", BO)))
    with site.db.read() as conn:
        opener = matches.find(conn, match).opener
    unstarted.cancel(site, opener, match, NOW)
    assert [mail.address for mail in mails(site, "void")] == [BO]


def test_it_declines_a_draw_and_agrees_that_a_match_is_void(site: Site) -> None:
    match = against(site)
    anna_to_move(site, match)
    act(site, match, person(site, match), "offer-draw")
    assert answer(site) == 1
    assert look(site, match).position.offer is None
    act(site, match, person(site, match), "offer-void")
    assert answer(site) == 1
    said = [(body.act, body.by.via) for body in bodies(site, match) if isinstance(body, Act)]
    assert said[1::2] == [("decline-draw", "api"), ("accept-void", "api")]
    assert look(site, match).row.why == "void"


def test_it_answers_an_offer_before_it_moves(site: Site) -> None:
    match = against(site)
    house_to_move(site, match)
    act(site, match, person(site, match), "offer-draw")
    assert answer(site) == 2
    kinds = [type(body) for body in bodies(site, match)[-3:]]
    assert kinds == [Act, Act, Move]


def test_it_agrees_to_a_pause(site: Site) -> None:
    match = against(site, clock="7d")
    anna_to_move(site, match)
    assert look(site, match).row.deadline is not None
    act(site, match, person(site, match), "pause")
    assert answer(site) == 1
    assert look(site, match).row.deadline is None
    assert answer(site) == 0


def test_every_seat_of_the_house_agrees_and_the_people_decide(site: Site) -> None:
    match = against(site, game="black-monday", invited=(HOUSE, Invited("Bo", BO), HOUSE))
    lobby.join(site, invitation(site), JoinForm("Bo", "en", "UTC"), NOW)
    answer(site)
    first, second = (seat for seat in range(1, 5) if seat not in own(site, match))
    act(site, match, first, "offer-void")
    answer(site)
    offer = look(site, match).position.offer
    assert offer is not None
    assert set(offer.agreed) == {first, *own(site, match)}
    assert look(site, match).row.phase is Phase.RUNNING
    act(site, match, second, "accept-void")
    assert look(site, match).row.why == "void"


def test_the_house_plays_on_when_a_person_has_left(site: Site) -> None:
    match = against(site, houses=2, game="black-monday")
    answer(site)
    mover = look(site, match).mover
    act(site, match, mover, "resign")
    answer(site)
    assert look(site, match).row.phase is Phase.CLOSED


def test_its_seats_are_in_the_index_and_come_back_with_it(site: Site) -> None:
    match = against(site)
    house_to_move(site, match)

    def index() -> object:
        with site.db.read() as conn:
            rows = conn.execute(sa.select(MATCH)).all()
            return rows, conn.execute(sa.select(SEAT).order_by(SEAT.c.id)).all()

    kept = index()
    for wrong in (
        MATCH.update().values(house=None, house_due=None),
        SEAT.update().values(house=sa.not_(SEAT.c.house)),
    ):
        with site.db.write() as conn:
            conn.execute(wrong)
            assert records.astray(site, conn, match)
        assert records.rebuild(site, match)
        assert index() == kept


def test_workers_that_race_play_one_turn(site: Site) -> None:
    match = against(site)
    house_to_move(site, match)
    count = look(site, match).row.n
    at_once([partial(house.play_once, site, NOW)] * 4)
    assert look(site, match).row.n == count + 1
    house_to_move(site, match)
    seen, count = look(site, match), look(site, match).row.n
    lines = list(dict.fromkeys(seen.moves))[:3]
    send = partial(play.submit, site, match=match, seat=seen.mover, wait=seen.row.wait)
    at_once([partial(send, line=line, on=count, via="api", now=NOW) for line in lines])
    assert look(site, match).row.n == count + 1


@pytest.mark.timeout(300)
def test_a_worker_killed_on_its_way_leaves_its_turn_to_the_next(site: Site) -> None:
    waiting = [
        against(site, nonce=str(n), address=f"anna-{n}@example.org", now=NOW) for n in range(STEPS)
    ]
    for match in waiting:
        house_to_move(site, match)
    command = [sys.executable, "-m", "tests.service.crash", "house", "3", *waiting]
    done = subprocess.run(
        command, env=environment(site.settings), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert 6 < int(done.stdout) < STEPS
    answer(site, LATER)
    for match in waiting:
        site.positions.clear()
        assert look(site, match).mover not in own(site, match)
        moved = [body for body in bodies(site, match) if isinstance(body, Move)]
        assert len([body for body in moved if body.by.via == "api"]) == 1


def test_a_match_that_another_worker_tries_is_left_to_it(site: Site) -> None:
    match = against(site)
    house_to_move(site, match)
    with site.db.write() as conn:
        conn.execute(MATCH.update().values(house_due=NOW + house.LEASE))
    assert answer(site) == 0
    assert answer(site, LATER) == 1
    assert look(site, match).mover not in own(site, match)


@ON_SQLITE
def test_a_bot_that_fails_stops_nobody_and_is_asked_less_and_less(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    admit_toys()  # a game without a bot
    broken = against(site, game="highest", nonce="broken")
    if look(site, broken).mover not in own(site, broken):
        move(site, broken)
    well = against(site)
    house_to_move(site, well)
    for now in range(NOW, NOW + 3_600):
        answer(site, now)
    assert look(site, well).mover not in own(site, well)
    said = "".join(capsys.readouterr())
    assert said.count("Traceback") == said.count("the house cannot play") == 1
    assert 3 <= said.count("the house still cannot play") <= 8
    act(site, broken, person(site, broken), "offer-void")
    answer(site, NOW + 3_600)
    assert look(site, broken).row.why == "void"


@pytest.mark.parametrize("name", ["House", "house 2", " Haus", "HAUS 1"])
def test_nobody_is_called_as_the_house_is(site: Site, name: str) -> None:
    with pytest.raises(BadForm, match="house player"):
        lobby.ask(site, form(name=name), NOW)


def test_one_address_opens_so_many_matches_with_the_house_an_hour(site: Site) -> None:
    match = against(site)
    with site.db.read() as conn:
        player = matches.find(conn, match).opener
    for n in range(1, lobby.HOUSES.most):
        lobby.open_match(site, player, form(nonce=f"more {n}", invited=(HOUSE,)), NOW)
    with pytest.raises(TooMany):
        lobby.open_match(site, player, form(nonce="too many", invited=(HOUSE,)), NOW)


@ON_SQLITE
@pytest.mark.parametrize(
    ("game", "houses", "options"),
    [
        ("monad", 3, {"team": "yes"}),
        ("black-monday", 5, {}),
    ],
)
def test_whole_matches_of_many_seats_are_verified(
    site: Site, game: str, houses: int, options: dict[str, str]
) -> None:
    match = against(site, houses, game=game, options=options)
    stream = Stream(game.encode())
    for _ in range(2_000):
        answer(site)
        seen = look(site, match)
        if seen.row.phase is Phase.CLOSED:
            break
        rules, seat = seen.position.rules, seen.mover
        known = rules.known(seen.position.state, seat)
        move(site, match, line=random_line(stream, rules, known, seat))
    data = records.export(site, match)
    verdict = verify(data, policy_for(site, data))
    assert verdict.ok, verdict.sentence
    assert look(site, match).row.why not in (None, "void")
