"""The form "start a match": checked, and kept so that it opens one match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import sqlalchemy as sa

from games import registry
from games.core.rules import BadOptions, complete
from service import people
from service.db import insert
from service.errors import BadAddress, BadForm, BadName, Fault
from service.models import OPENING
from service.site import Site

WORDS_LENGTH = 200


@dataclass(frozen=True)
class Invited:
    """Somebody the opener invites."""

    name: str
    address: str


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


def check(site: Site, form: Opening) -> Opening:
    """The form with names, addresses and options as they will be kept. Raises BadForm."""
    faults = tuple(_faults(site, form))
    if faults:
        raise BadForm(*faults)
    return replace(
        form,
        name=people.name(form.name),
        address=people.address(site, form.address),
        invited=tuple(
            Invited(one.name and people.name(one.name), people.address(site, one.address))
            for one in form.invited
        ),
        options=complete(registry.newest(form.game), 1 + len(form.invited), form.options),
        words=form.words.strip(),
    )


def _key(form: Opening, whose: str) -> str:
    text = json.dumps([whose, asdict(form)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def keep(conn: sa.Connection, form: Opening, whose: str, now: int) -> int | None:
    """The id of a new row for the form; None if this form was sent before."""
    row = insert(conn, OPENING).values(
        key=_key(form, whose), form=json.dumps(asdict(form)), created=now
    )
    new = row.on_conflict_do_nothing(index_elements=["key"]).returning(OPENING.c.id)
    return conn.execute(new).scalar()


def kept(conn: sa.Connection, form: Opening, whose: str) -> str:
    """The match that this form has opened."""
    query = sa.select(OPENING.c.match).where(OPENING.c.key == _key(form, whose))
    match: str = conn.execute(query).scalar_one()
    return match


def read(text: str) -> Opening:
    """The form from what `keep` wrote."""
    given = json.loads(text)
    invited = tuple(Invited(**one) for one in given.pop("invited"))
    return Opening(**given, invited=invited)


def _faults(site: Site, form: Opening) -> Iterator[Fault]:
    yield from fault("name", people.name, form.name)
    yield from fault("address", partial(people.address, site), form.address)
    seen = {people.folded(form.address.strip())}
    for n, one in enumerate(form.invited, start=1):
        if one.name:
            yield from fault(f"invited-{n}-name", people.name, one.name)
        yield from fault(f"invited-{n}-address", partial(people.address, site), one.address)
        if people.folded(one.address.strip()) in seen:
            yield Fault(f"invited-{n}-address", "This address is here twice.")
        seen.add(people.folded(one.address.strip()))
    yield from words_fault(form.words)
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


def _game_fault(form: Opening) -> Iterator[Fault]:
    try:
        complete(registry.newest(form.game), 1 + len(form.invited), form.options)
    except registry.UnknownRules:
        yield Fault("game", "There is no such game.")
    except BadOptions as error:
        yield Fault("options", "The game cannot be played like this.", say=error.say)
