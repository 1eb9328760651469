"""Forgeries by who holds every key of a service: chained, signed, logged and cosigned anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games import chance
from games.log import player
from games.log.canon import Fields, b64url, decode, encode, unb64url
from tests.log.forge import (
    M,
    cards,
    duel,
    edited,
    fault,
    file,
    hashes,
    numbered,
    rechained,
    where,
    with_fields,
    without,
)

DUEL = list(duel())
SEALED = list(duel("F2"))
CARDS = list(cards())
WEAK = b64url((1).to_bytes(32, "little"))
CHAINS = chance.make(bytes(range(32)), M, 64)
OTHERS = chance.make(bytes(32), M, 64)

Forgery = Callable[[], Sequence[bytes]]


def answer(lines: Sequence[bytes]) -> str:
    assert lines not in (DUEL, SEALED, CARDS)
    return fault(file(lines))


def inserted(lines: Sequence[bytes], n: int, **fields: object) -> Sequence[bytes]:
    """The lines with one more at place `n`."""
    line = {"m": M, "n": n, "prev": "", "at": decode(lines[n])["at"], **fields}
    return numbered([*lines[:n], encode(line), *lines[n:]])


def spoken(t: str, on: int, **p: object) -> Fields:
    """The fields of a record by a player without a key."""
    return {"t": t, "on": on, "via": "web", "p": p}  # type: ignore[dict-item]


def keyed(
    lines: Sequence[bytes], n: int, secret: bytes, change: Callable[[Fields], object]
) -> Sequence[bytes]:
    """The lines with record `n` changed and signed by the secret, as its player could have."""
    changed = decode(edited(lines, n, change)[n])
    on, text = changed["on"], encode(changed["p"])  # type: ignore[arg-type]
    assert isinstance(on, int)
    message = player.message(M, str(changed["t"]), on, hashes(lines)[on], text)
    changed |= {"sig": b64url(player.sign(secret, message)), "via": "key"}
    return rechained([*lines[:n], encode(changed), *lines[n + 1 :]])


def test_the_matches_that_are_forged_here_are_whole() -> None:
    for lines in (DUEL, SEALED, CARDS):
        assert fault(file(lines)) == ""


ROLL = where(CARDS, "roll")
SECOND_ROLL = where(CARDS, "roll", 1)
DEAL = where(CARDS, "deal")
REVEAL = where(CARDS, "reveal")
START = where(DUEL, "start")
END = len(DUEL) - 1
CARDS_END = len(CARDS) - 1


SUBSTITUTE = {"t": "sys", "sys": "substitute", "why": "ill", "pid": "p_c"}


def all_chance_made_anew() -> Sequence[bytes]:
    """Other chains under the same joins: tips, elements and outcomes all fit each other."""
    lines = edited(
        DUEL,
        0,
        lambda fields: fields["rng"].update(  # type: ignore[union-attr]
            chains={
                "pub": {"n": 64, "tip": b64url(OTHERS.pub.tip)},
                "hid": {"n": 64, "tip": b64url(OTHERS.hid.tip)},
            }
        ),
    )
    return edited(lines, START, with_fields(d=b64url(OTHERS.pub.elements[1])))


CHANCE: dict[str, tuple[Forgery, str]] = {
    "another secret at the reveal": (
        lambda: edited(CARDS, REVEAL, with_fields(d=b64url(OTHERS.hid.elements[1]))),
        f"E_HID_ELEMENT {REVEAL}",
    ),
    "the element of the other chain at the reveal": (
        lambda: edited(CARDS, REVEAL, with_fields(d=b64url(CHAINS.pub.elements[1]))),
        f"E_HID_ELEMENT {REVEAL}",
    ),
    "a fresh element for the dice": (
        lambda: edited(CARDS, ROLL, with_fields(d=b64url(bytes(32)))),
        f"E_PUB_ELEMENT {ROLL}",
    ),
    "a fresh element for the seats": (
        lambda: edited(DUEL, START, with_fields(d=b64url(bytes(32)))),
        f"E_PUB_ELEMENT {START}",
    ),
    "an element skipped": (
        lambda: edited(CARDS, ROLL, with_fields(k=3, d=b64url(CHAINS.pub.elements[3]))),
        f"E_CHAIN_ORDER {ROLL}",
    ),
    "an element used twice": (
        lambda: edited(CARDS, SECOND_ROLL, with_fields(k=2, d=b64url(CHAINS.pub.elements[2]))),
        f"E_CHAIN_ORDER {SECOND_ROLL}",
    ),
    "a deal skipped": (
        lambda: edited(CARDS, DEAL, with_fields(k=2)),
        f"E_CHAIN_ORDER {DEAL}",
    ),
    "a reveal skipped": (
        lambda: edited(CARDS, REVEAL, with_fields(k=2, d=b64url(CHAINS.hid.elements[2]))),
        f"E_CHAIN_ORDER {REVEAL}",
    ),
    "more than the chain has": (
        lambda: edited(CARDS, 0, with_fields(rng__chains__pub__n=3)),
        f"E_CHAIN_ORDER {where(CARDS, 'roll', 2)}",
    ),
    "chance at a level without": (
        lambda: edited(edited(DUEL, 0, without("rng")), 0, with_fields(level="F0")),
        f"E_CHAIN_ORDER {START}",
    ),
    "another result of the dice": (
        lambda: edited(CARDS, ROLL, with_fields(out=[6])),
        f"E_DICE_OUT {ROLL}",
    ),
    "a result the dice do not have": (
        lambda: edited(CARDS, ROLL, with_fields(out=[7])),
        f"E_DICE_OUT {ROLL}",
    ),
    "more dice than were asked for": (
        lambda: edited(CARDS, ROLL, with_fields(of=[6, 6], out=[2, 2])),
        f"E_PHASE {ROLL}",
    ),
    "other dice than were asked for": (
        lambda: edited(CARDS, ROLL, with_fields(of=[2])),
        f"E_PHASE {ROLL}",
    ),
    "the seats swapped": (
        lambda: edited(DUEL, START, with_fields(seats={"1": "p_a", "2": "p_b"})),
        f"E_SEATS {START}",
    ),
    "a stranger seated": (
        lambda: edited(DUEL, START, with_fields(seats={"1": "p_c", "2": "p_a"})),
        f"E_SEATS {START}",
    ),
    "a card that was never dealt": (
        lambda: edited(CARDS, 8, with_fields(p__mv="c99")),
        "E_HAND 8",
    ),
    "a card of another hand": (lambda: edited(CARDS, 8, with_fields(p__mv="c1")), "E_HAND 8"),
    "no reveal": (
        lambda: numbered([*CARDS[:REVEAL], *CARDS[REVEAL + 1 :]]),
        f"E_UNREVEALED {REVEAL}",
    ),
    "another entropy opened than committed to": (
        lambda: edited(SEALED, 4, with_fields(p__ent=b64url(bytes(32)))),
        "E_ENTROPY 4",
    ),
    "plain entropy at a sealed start": (
        lambda: edited(SEALED, 0, with_fields(level="F1")),
        "E_PLAYER_SIG 1",
    ),
    "a sealed entropy at a plain start": (
        lambda: edited(
            DUEL, 2, lambda fields: fields.update(p={"pid": "p_b", "entc": b64url(bytes(32))})
        ),
        "E_ENTROPY 2",
    ),
    "no entropy at all": (
        lambda: edited(DUEL, 2, lambda fields: fields.update(p={"pid": "p_b"})),
        "E_ENTROPY 2",
    ),
    "all chance made anew after the joins": (all_chance_made_anew, "E_PLAYER_SIG 1"),
}


@pytest.mark.parametrize(("lines", "code"), CHANCE.values(), ids=CHANCE.keys())
def test_chance_is_forged(lines: Forgery, code: str) -> None:
    assert answer(lines()) == code


def signature(n: int) -> Callable[[Fields], object]:
    return with_fields(sig=decode(DUEL[n])["sig"])


def unsigned(fields: Fields) -> None:
    fields.pop("sig")
    fields["via"] = "web"


def state_of(fields: Fields) -> None:
    fields["state"] = b64url(bytes([unb64url(str(fields["state"]))[0] ^ 1]) + bytes(31))


PLAY: dict[str, tuple[Forgery, str]] = {
    "a signed move edited": (
        lambda: edited(DUEL, 5, with_fields(p__mv="f1-e1")),
        "E_PLAYER_SIG 5",
    ),
    "the signature of another move": (lambda: edited(DUEL, 7, signature(5)), "E_PLAYER_SIG 7"),
    "the signature of another kind": (lambda: edited(DUEL, 8, signature(7)), "E_PLAYER_SIG 8"),
    "the record a player had in view edited": (
        lambda: edited(DUEL, 4, with_fields(p__mv="a2-c2")),
        "E_PLAYER_SIG 5",
    ),
    "a time edited that a player had in view": (
        lambda: edited(DUEL, 6, with_fields(via="api")),
        "E_PLAYER_SIG 7",
    ),
    "another record said to be in view": (
        lambda: edited(DUEL, 8, with_fields(on=7, p__act="offer-draw")),
        "E_PLAYER_SIG 8",
    ),
    "a signature stripped": (lambda: edited(DUEL, 5, unsigned), "E_PLAYER_UNSIGNED 5"),
    "the signature of an act stripped": (lambda: edited(DUEL, 8, unsigned), "E_PLAYER_UNSIGNED 8"),
    "a key taken out of its join": (
        lambda: edited(DUEL, 1, lambda fields: fields["p"].pop("key")),  # type: ignore
        "E_PLAYER_SIG 1",
    ),
    "a key and a signature taken out of a join": (
        lambda: edited(
            DUEL,
            1,
            lambda fields: (unsigned(fields), fields["p"].pop("key")),  # type: ignore
        ),
        "E_PLAYER_SIG 5",
    ),
    "a signature where there is no key": (
        lambda: edited(DUEL, 4, with_fields(via="key", sig=decode(DUEL[5])["sig"])),
        "E_PLAYER_SIG 4",
    ),
    "another's key": (
        lambda: keyed(DUEL, 5, b"x" * 32, with_fields()),
        "E_PLAYER_SIG 5",
    ),
    "an old position in view": (lambda: edited(DUEL, 6, with_fields(on=4)), "E_STALE 6"),
    "the record itself in view": (lambda: edited(DUEL, 6, with_fields(on=6)), "E_STALE 6"),
    "the future in view": (lambda: edited(DUEL, 6, with_fields(on=10**15)), "E_STALE 6"),
    "an act on an old position": (
        lambda: keyed(DUEL, 8, b"a" * 32, with_fields(on=6)),
        "E_STALE 8",
    ),
    "a join on itself": (lambda: edited(DUEL, 2, with_fields(on=2)), "E_STALE 2"),
    "the wrong seat": (
        lambda: keyed(DUEL, 4, b"a" * 32, with_fields(p__seat=2)),
        "E_TURN 4",
    ),
    "a seat that there is not": (lambda: edited(DUEL, 4, with_fields(p__seat=3)), "E_TURN 4"),
    "an illegal move": (lambda: edited(DUEL, 4, with_fields(p__mv="a1-f6")), "E_ILLEGAL 4"),
    "a signed illegal move": (
        lambda: keyed(DUEL, 5, b"a" * 32, with_fields(p__mv="f1-a6")),
        "E_ILLEGAL 5",
    ),
    "another spelling": (lambda: edited(DUEL, 4, with_fields(p__mv="A1-C1")), "E_ILLEGAL 4"),
    "a blank more": (lambda: edited(DUEL, 4, with_fields(p__mv="a1-c1 ")), "E_ILLEGAL 4"),
    "no move": (lambda: edited(DUEL, 4, with_fields(p__mv="")), "E_ILLEGAL 4"),
    "more than a turn": (
        lambda: edited(DUEL, 4, with_fields(p__mv="a1-c1; a2-c2")),
        "E_ILLEGAL 4",
    ),
    "a line past a chance event": (
        lambda: edited(CARDS, 8, with_fields(p__mv="c3; c6")),
        "E_ILLEGAL 8",
    ),
    "the places swapped": (
        lambda: edited(DUEL, END, with_fields(res={"1": 2, "2": 1})),
        f"E_RESULT {END}",
    ),
    "a shared first place": (
        lambda: edited(DUEL, END, with_fields(res={"1": 1, "2": 1})),
        f"E_RESULT {END}",
    ),
    "no places": (lambda: edited(DUEL, END, with_fields(res={})), f"E_RESULT {END}"),
    "another reason": (lambda: edited(DUEL, END, with_fields(why="goal")), f"E_RESULT {END}"),
    "another final state": (lambda: edited(DUEL, END, state_of), f"E_STATE {END}"),
    "the end before the end": (
        lambda: numbered([*DUEL[:8], DUEL[END]]),
        "E_RESULT 8",
    ),
    "a weak key at a join": (
        lambda: edited(DUEL, 1, with_fields(p__key=WEAK)),
        "E_WEAK_KEY 1",
    ),
    "a weak key by the operator": (
        lambda: inserted(DUEL, 6, t="sys", sys="rekey", why="lost", seat=1, key=WEAK),
        "E_WEAK_KEY 6",
    ),
    "a weak key of a substitute": (
        lambda: inserted(
            DUEL, 6, t="sys", sys="substitute", why="ill", seat=1, pid="p_c", key=WEAK
        ),
        "E_WEAK_KEY 6",
    ),
}


@pytest.mark.parametrize(("lines", "code"), PLAY.values(), ids=PLAY.keys())
def test_play_is_forged(lines: Forgery, code: str) -> None:
    assert answer(lines()) == code


JOIN = {"ent": b64url(bytes(32)), "pid": "p_c"}
STRANGE_ROLL = {
    "t": "roll",
    "k": 2,
    "d": b64url(CHAINS.pub.elements[2]),
    "of": [6],
    "out": [1],
}

ORDER: dict[str, tuple[Forgery, str]] = {
    "a move before the start": (
        lambda: inserted(DUEL, 3, **spoken("move", 0, seat=1, mv="a1-c1")),
        "E_PHASE 3",
    ),
    "an act before the start": (
        lambda: inserted(DUEL, 3, **spoken("act", 0, seat=1, act="resign")),
        "E_PHASE 3",
    ),
    "a third join of two": (lambda: inserted(DUEL, 3, **spoken("join", 0, **JOIN)), "E_PHASE 3"),
    "a join after the start": (
        lambda: inserted(DUEL, 4, **spoken("join", 3, **JOIN)),
        "E_PHASE 4",
    ),
    "the same player twice": (
        lambda: edited(DUEL, 2, with_fields(p__pid="p_a")),
        "E_PHASE 2",
    ),
    "a start without a player": (lambda: numbered([*DUEL[:2], *DUEL[3:]]), "E_PHASE 2"),
    "a second start": (
        lambda: inserted(
            DUEL,
            4,
            t="start",
            k=2,
            d=b64url(CHAINS.pub.elements[2]),
            seats={"1": "p_b", "2": "p_a"},
        ),
        "E_PHASE 4",
    ),
    "a start before an entropy is opened": (
        lambda: numbered([*SEALED[:4], *SEALED[5:]]),
        "E_PHASE 4",
    ),
    "an entropy at a plain start": (
        lambda: inserted(DUEL, 3, **spoken("ent", 0, pid="p_b", ent=b64url(bytes(32)))),
        "E_PHASE 3",
    ),
    "a roll nobody asked for": (lambda: inserted(DUEL, 4, **STRANGE_ROLL), "E_PHASE 4"),
    "a deal nobody asked for": (lambda: inserted(DUEL, 4, t="deal", k=1), "E_UNREVEALED 10"),
    "a deal too many": (lambda: inserted(CARDS, 6, t="deal", k=2), f"E_UNREVEALED {CARDS_END + 1}"),
    "a move before its deal": (
        lambda: numbered([*CARDS[:DEAL], CARDS[DEAL + 1], CARDS[DEAL], *CARDS[DEAL + 2 :]]),
        "E_PHASE 5",
    ),
    "a move before the roll": (
        lambda: inserted(CARDS, 7, **spoken("move", 6, seat=2, mv="c3")),
        "E_PHASE 7",
    ),
    "an early reveal": (
        lambda: numbered([*CARDS[:6], CARDS[REVEAL], *CARDS[6:REVEAL], CARDS[CARDS_END]]),
        "E_PHASE 6",
    ),
    "a move after the match": (
        lambda: inserted(DUEL, END, **spoken("move", 7, seat=1, mv="a3-c3")),
        f"E_PHASE {END}",
    ),
    "an operator's act after the match": (
        lambda: inserted(DUEL, END, t="sys", sys="void", why="late"),
        f"E_PHASE {END}",
    ),
    "a time-out before the start": (
        lambda: inserted(DUEL, 3, t="sys", sys="timeout", why="slow", seat=1),
        "E_PHASE 3",
    ),
    "a time-out of the other seat": (
        lambda: inserted(DUEL, 4, t="sys", sys="timeout", why="slow", seat=2),
        "E_TURN 4",
    ),
    "a substitute for nobody": (
        lambda: inserted(DUEL, 4, **SUBSTITUTE, seat=3),
        "E_TURN 4",
    ),
    "an answer without an offer": (
        lambda: inserted(DUEL, 4, **spoken("act", 3, seat=1, act="accept-draw")),
        "E_PHASE 4",
    ),
}


@pytest.mark.parametrize(("lines", "code"), ORDER.values(), ids=ORDER.keys())
def test_records_are_out_of_order(lines: Forgery, code: str) -> None:
    assert answer(lines()) == code


RULES: dict[str, Callable[[Fields], object]] = {
    "an unknown game": with_fields(rules__id="chess"),
    "a game with a path": with_fields(rules__id="../malawi"),
    "a package that is no game": with_fields(rules__id="core"),
    "an unknown version": with_fields(rules__ver=2),
    "an unheard-of version": with_fields(rules__ver=2**53 - 1),
    "too many seats": with_fields(seats=3),
    "one seat": with_fields(seats=1),
    "an unknown option": with_fields(opts__colour="red"),
    "an option left out": lambda fields: fields["opts"].pop("goal"),  # type: ignore
    "an unknown value": with_fields(opts__goal="fun"),
    "a number spelled otherwise": with_fields(**{"opts__no-progress": "0100"}),
    "no options": with_fields(opts={}),
}


@pytest.mark.parametrize("change", RULES.values(), ids=RULES.keys())
def test_rules_that_nobody_knows(change: Callable[[Fields], object]) -> None:
    assert answer(edited(DUEL, 0, change)) == "E_RULES 0"


def test_a_game_of_chance_is_not_played_without() -> None:
    opened = edited(edited(CARDS[:1], 0, without("rng")), 0, with_fields(level="F0"))
    assert answer(opened) == "E_RULES 0"
