"""The form "start a match": checked, kept so that it opens one match, and that match."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import sqlalchemy as sa

from games import chance, registry
from games.chance import Chains
from games.core.drawing import LANGUAGES
from games.core.rules import BadOptions, complete
from games.log.record import Level, Open, Tip
from games.log.schema import IDS
from games.position import Position
from service import clock, matches, people, records
from service.clock import NO_LIMIT, Control
from service.db import insert
from service.errors import BadAddress, BadClock, BadForm, BadName, Fault
from service.models import MATCH, OPENING, SEAT, SERVICE
from service.outbox import Snapshot
from service.site import Site

WORDS_LENGTH = 200
KEPT = 7 * 86_400
LEVEL: Level = "F1"
OWN = "own"
_RAISE = SERVICE.update().values(serial=SERVICE.c.serial + 1).returning(SERVICE.c.serial)


@dataclass(frozen=True)
class Invited:
    """Somebody the opener invites; or the house, or whoever comes, for one of the places."""

    name: str
    address: str
    house: bool = False
    """Then name and address are empty, as they are for a free place."""
    free: bool = False
    language: str = ""
    """Of the invitation; the opener's, if none is named."""


@dataclass(frozen=True)
class Taking:
    """The form "take a free place" as it was filled in; `place` is the match."""

    nonce: str
    place: str
    name: str
    address: str
    language: str
    zone: str
    words: str = ""


HOUSE, FREE = Invited("", "", house=True), Invited("", "", free=True)


@dataclass(frozen=True)
class Opening:
    """The form "start a match" as it was filled in.

    `nonce` is made with the form: the same form twice opens one match. With a session `address`,
    `language` and `zone` are the player's.
    """

    nonce: str
    game: str
    name: str
    address: str
    language: str
    zone: str
    invited: tuple[Invited, ...]
    options: dict[str, str] = field(default_factory=dict)
    words: str = ""
    """A few words of the opener's own for the lot; if empty, the service makes some."""
    listed: bool = True
    public: bool = False
    """Whether the lobby shows its free places."""
    clock: str = NO_LIMIT
    """A time control, or OWN for the one in `own_clock`, as it was typed."""
    own_clock: str = ""
    weekends: str = ""
    """The zone whose weekends are off, beside what the control says."""
    vacation: bool = True
    """Whether the match waits for players on vacation."""


def control(form: Opening) -> Control:
    """The time control that the fields of the form come to. Raises BadClock."""
    chosen = clock.read(form.own_clock if form.clock == OWN else form.clock)
    if not chosen.limited:
        return chosen
    weekends = chosen.weekends or clock.zone(form.weekends)
    return replace(chosen, weekends=weekends, vacation=chosen.vacation and form.vacation)


def check(site: Site, form: Opening) -> Opening:
    """The form with names, addresses and options as they will be kept. Raises BadForm."""
    faults = tuple(_faults(site, form))
    if faults:
        raise BadForm(*faults)
    return replace(
        form,
        name=people.name(form.name),
        address=people.address(site, form.address),
        invited=tuple(_invited(site, one) for one in form.invited),
        options=complete(registry.newest(form.game), 1 + len(form.invited), form.options),
        words=form.words.strip(),
    )


def _invited(site: Site, one: Invited) -> Invited:
    if one.house or one.free:
        return HOUSE if one.house else FREE
    language = one.language if one.language in LANGUAGES else ""
    name = one.name and people.name(one.name)
    return Invited(name, people.address(site, one.address), language=language)


def _key(form: Opening | Taking, whose: str) -> str:
    text = json.dumps([whose, asdict(form)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def keep(conn: sa.Connection, form: Opening | Taking, whose: str, now: int) -> int | None:
    """The id of a new row for the form; None if this form was sent before."""
    return keep_as(conn, _key(form, whose), form, now)


def keep_as(conn: sa.Connection, key: str, form: Opening | Taking, now: int) -> int | None:
    """The same for a form that is known by another key than what stands in it."""
    row = insert(conn.dialect.name, OPENING).values(
        key=key, form=json.dumps(asdict(form)), created=now
    )
    new = row.on_conflict_do_nothing(index_elements=["key"]).returning(OPENING.c.id)
    return conn.execute(new).scalar()


def kept(conn: sa.Connection, form: Opening, whose: str) -> str:
    """The match that this form has opened."""
    return kept_as(conn, _key(form, whose))


def kept_as(conn: sa.Connection, key: str) -> str:
    """The match that the form of a key has opened."""
    match: str = conn.execute(sa.select(OPENING.c.match).where(OPENING.c.key == key)).scalar_one()
    return match


def taken_up(conn: sa.Connection, kept: int, match: str) -> None:
    """The form has opened its match: what it said about people is forgotten."""
    conn.execute(OPENING.update().where(OPENING.c.id == kept).values(match=match, form=""))


def forget(site: Site, now: int) -> None:
    """Forgets what forms said whose address was not confirmed in a week."""
    old = sa.and_(OPENING.c.match.is_(None), OPENING.c.created < now - KEPT)
    with site.db.write() as conn:
        conn.execute(OPENING.update().where(old, OPENING.c.form != "").values(form=""))


def create(site: Site, conn: sa.Connection, player: int, form: Opening, now: int) -> Position:
    """A match with record 0 and its places; nobody has joined yet.

    The serial comes first: its row is locked then, and no two look for a free code at once.
    """
    serial = conn.execute(_RAISE).scalar_one()
    match, code = _new_id(conn)
    secret = secrets.token_bytes(32)
    opened = _opened(site, form, serial, chance.make(secret, match))
    line, standing = records.first(match, opened, now)
    conn.execute(
        MATCH.insert().values(
            id=match,
            code=code,
            opener=player,
            listed=form.listed,
            public=form.public and any(one.free for one in form.invited),
            secret=site.keys.seal(match, secret),
            created=now,
            outage=0,
            **matches.index(standing),
        )
    )
    records.store(conn, match, [(0, line)])
    conn.execute(SEAT.insert(), list(_places(match, form)))
    return standing.position


def _places(match: str, form: Opening) -> Iterator[dict[str, object]]:
    """The rows of the places: the opener's, then those of people invited and of the house."""
    who = (Invited(form.name, form.address), *form.invited)
    for place, one in enumerate(who, start=1):
        asked = place > 1 and one.address
        yield {
            "match": match,
            "place": place,
            "name": one.name,
            "address": one.address,
            "house": one.house,
            "invited": people.folded(one.address) if asked else None,
            "language": one.language or form.language,
        }


def _opened(site: Site, form: Opening, serial: int, chains: Chains) -> Open:
    rules = registry.newest(form.game)
    seats = 1 + len(form.invited)
    return Open(
        serial=serial,
        game=rules.game,
        version=rules.version,
        options=tuple(sorted(complete(rules, seats, form.options).items())),
        seats=seats,
        clock=control(form).text,
        level=LEVEL,
        heads=site.keys.heads.vkey,
        log=site.keys.log.vkey,
        pub=Tip(chains.pub.n, chains.pub.tip),
        hid=Tip(chains.hid.n, chains.hid.tip),
    )


def _new_id(conn: sa.Connection) -> tuple[str, str]:
    """A new match id and its code: as short as no other match has it."""
    characters = "".join(secrets.choice(IDS) for _ in range(16))
    for length in range(4, 17):
        taken = sa.select(MATCH.c.id).where(MATCH.c.code == characters[:length])
        if conn.execute(taken).first() is None:
            break
    return "m_" + characters, characters[:length]


def about(form: Opening, expires: int) -> Snapshot:
    """What the mail that asks to confirm a form is about."""
    return Snapshot(
        game=form.game,
        names=(form.name, *(one.name for one in form.invited)),
        house=tuple(n for n, one in enumerate(form.invited, start=2) if one.house),
        by=form.name,
        expires=expires,
        options=tuple(sorted(form.options.items())),
        clock=control(form).text,
    )


def waiting(conn: sa.Connection, kept: int) -> Opening | Taking | None:
    """The form of a row, as long as it waits to be confirmed."""
    text = conn.execute(sa.select(OPENING.c.form).where(OPENING.c.id == kept)).scalar()
    return read(text) if text else None


def read(text: str) -> Opening | Taking:
    """The form from what `keep` wrote."""
    given = json.loads(text)
    if "place" in given:
        return Taking(**given)
    invited = tuple(Invited(**one) for one in given.pop("invited"))
    return Opening(**given, invited=invited)


def _faults(site: Site, form: Opening) -> Iterator[Fault]:
    yield from fault("name", people.name, form.name)
    yield from fault("address", partial(people.address, site), form.address)
    seen = {people.folded(form.address.strip())}
    for n, one in enumerate(form.invited, start=1):
        if one.house or one.free:
            continue
        if one.name:
            yield from fault(f"invited-{n}-name", people.name, one.name)
        yield from fault(f"invited-{n}-address", partial(people.address, site), one.address)
        if people.folded(one.address.strip()) in seen:
            yield Fault(f"invited-{n}-address", "This address is here twice.")
        seen.add(people.folded(one.address.strip()))
    yield from words_fault(form.words)
    yield from _clock_fault(form)
    yield from _game_fault(form)


def fault(field: str, look: Callable[[str], str], given: str) -> Iterator[Fault]:
    """What `look` finds wrong with a field."""
    try:
        look(given)
    except (BadName, BadAddress) as error:
        yield Fault(field, error.sentence, error.values)


def words_fault(words: str) -> Iterator[Fault]:
    """What is wrong with somebody's words for the lot."""
    if len(words.strip()) > WORDS_LENGTH:
        yield Fault("words", "At most %(most)s characters, please.", {"most": WORDS_LENGTH})


def _clock_fault(form: Opening) -> Iterator[Fault]:
    try:
        control(form)
    except BadClock as error:
        yield Fault("own_clock", error.sentence, error.values)


def _game_fault(form: Opening) -> Iterator[Fault]:
    try:
        complete(registry.newest(form.game), 1 + len(form.invited), form.options)
    except registry.UnknownRules:
        yield Fault("game", "There is no such game.")
    except BadOptions as error:
        yield Fault("options", "The game cannot be played like this.", say=error.say)
