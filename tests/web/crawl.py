"""Everything that leaves the service about a match, opened by everybody who may come by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from random import Random
from urllib.parse import quote

import sqlalchemy as sa
from werkzeug.test import TestResponse

from games import registry
from games.core import line
from games.core.rules import BYSTANDER, RulesError, ToMove, Viewer
from games.log.record import Record
from games.position import Position
from service import links, notes, outbox, records, tokens
from service.mail.compose import compose
from service.models import LINK, OUTBOX, PLAYER
from tests.web.people import FIELD, House, Pair, Visitor

Viewers = frozenset[Viewer]

BEGUN = 4
"""Lines begun that are looked at on the page of a turn."""
VARYING = re.compile(
    rb'(?<=name="csrf_token" value=")[^"]*|(?<=name="nonce" value=")[^"]*'
    rb"|(?<=\), )in [0-9]+ [a-zA-Z]+"
)
"""What no two answers have in common: a second later it is `(CET), in 29 days` and no longer 30."""
UNEQUAL = ("Date", "Last-Modified", "Set-Cookie", "ETag", "Content-Length")
"""Headers that depend on it."""


@dataclass(frozen=True)
class Looker:
    """Somebody with a browser, and whose eyes they may look with."""

    name: str
    sees: Viewer
    visitor: Visitor
    api: str = f"fp_{'a' * 43}"
    feed: str = "a" * 26
    """Tokens of this player; by default such as nobody has."""


@dataclass(frozen=True)
class Sent:
    """Bytes that left the service, and whose eyes they may have been made for."""

    sees: Viewers
    data: bytes


@dataclass(frozen=True)
class Token:
    """A link that was mailed."""

    path: str
    seat: int | None
    live: bool
    """Whether it is the link of the present turn."""
    spent: bool
    """Whether it has been answered, so that it lets nobody in any more."""


@dataclass(frozen=True)
class Scene:
    """A match as it stands, and everybody who looks at it."""

    pair: Pair
    lookers: tuple[Looker, ...]
    stops: tuple[int, ...] | None = None
    """The records that the replay is opened at; all by default."""

    @property
    def here(self) -> str:
        return f"/m/{self.pair.match}"

    @cached_property
    def passed(self) -> tuple[tuple[Record, Position], ...]:
        """All records with the position after each."""
        return walked(self.pair)

    @property
    def position(self) -> Position:
        return self.passed[-1][1]

    @property
    def mover(self) -> int:
        """The seat to move; 0 if there is none."""
        turn = self.position.turn
        return turn.seat if isinstance(turn, ToMove) else 0

    @cached_property
    def begun(self) -> tuple[str, ...]:
        """Some of the lines that the seat to move can begin."""
        if not self.mover:
            return ()
        rules = self.position.rules
        known, found, waiting = rules.known(self.position.state, self.mover), [], [""]
        lot = Random(self.position.n)
        while waiting and len(found) < BEGUN:
            further = line.choices(rules, known, self.mover, waiting.pop(0))
            new = sorted({one.line for one in further if one.line} - set(found))
            some = lot.sample(new, min(3, len(new)))
            found += some
            waiting += some
        return tuple(found)

    @cached_property
    def refused(self) -> tuple[str, ...]:
        """Lines that the seat to move may not send."""
        if not self.mover:
            return NEVER
        rules, state = self.position.rules, self.position.state
        known = rules.known(state, self.mover)
        lot = Random(self.position.n)
        tried = [*NEVER, *lot.sample(WRONG[rules.game], 4)]
        return tuple(text for text in tried if not _stands(rules, known, self.mover, text))

    @cached_property
    def tokens(self) -> Mapping[str, tuple[Token, ...]]:
        """Every link of the match by its purpose, old ones too."""
        site = self.pair.house.site
        with site.db.read() as conn:
            pages = sa.select(LINK).where(LINK.c.purpose.in_(DOORS))
            rows = conn.execute(pages.order_by(LINK.c.created, LINK.c.wait)).all()
        found: dict[str, list[Token]] = {purpose: [] for purpose in DOORS}
        for row in rows:
            path = f"/{DOORS[row.purpose]}/{links.token(site.keys.link, row.purpose, row.id)}"
            live = (row.seat, row.wait) == (self.mover, self.position.wait)
            found[row.purpose].append(Token(path, row.seat, live, row.used is not None))
        return {purpose: tuple(tokens) for purpose, tokens in found.items()}


DOORS = {"w": "t", "i": "i", "a": "a", "u": "u", "h": "h"}
"""Where the links of each purpose lead that leads to a page."""
NEVER = ("pass, pass", "what you hold")
"""Lines that nobody could ever send, so that no browser gets in by what was sent before."""
CARDS = {
    "black-monday": [f"{colour}{value}" for colour in "RBPY" for value in range(1, 14)],
    "monad": [f"{colour}1" for colour in "ABCabc"],
}
WRONG = {
    "black-monday": [
        f"{verb} {card}"
        for verb in ("price", "buy", "sell", "swap")
        for card in CARDS["black-monday"]
    ],
    "monad": [f"sum {one} {other} > 7" for one in CARDS["monad"] for other in CARDS["monad"]],
}


def _stands(rules: registry.AnyRules, known: object, seat: int, text: str) -> bool:
    try:
        line.play(rules, known, seat, line.read(rules, text))
    except RulesError:
        return False
    return True


def walked(pair: Pair) -> tuple[tuple[Record, Position], ...]:
    """All records of a match with the position after each."""
    site = pair.house.site
    with site.db.read() as conn:
        return tuple(records.walk(site, conn, pair.match))


Paths = Callable[[Scene, Looker], Iterable[str]]


def _at(*paths: str) -> Paths:
    """Pages that are of no one match: looked at by whoever is to move, and by a bystander."""
    return lambda scene, looker: paths if looker.sees in (scene.mover, BYSTANDER) else ()


def _each(*paths: str) -> Paths:
    """Pages of whoever looks."""
    return lambda scene, looker: paths


def _called(*ends: str) -> Paths:
    return lambda scene, looker: [f"/api/matches/{scene.pair.match}{end}" for end in ends]


def _fed(name: str) -> Paths:
    return lambda scene, looker: [f"/feed/{looker.feed}/{name}"]


def _below(*ends: str) -> Paths:
    return lambda scene, looker: [scene.here + end for end in ends]


def _begun(path: str, scene: Scene) -> Iterator[str]:
    yield path
    yield from (f"{path}?line={quote(text)}" for text in scene.begun)


def _match(scene: Scene, looker: Looker) -> Iterator[str]:
    yield from _begun(scene.here, scene) if looker.sees == scene.mover else (scene.here,)
    yield f"{scene.here}?sent={scene.position.n - 1}&line={NEVER[0]}"


def _replay(scene: Scene, looker: Looker) -> Iterator[str]:
    stops = scene.stops or range(len(scene.passed))
    yield from (f"{scene.here}/replay?at={at}" for at in stops)
    for eyes in ("all", 1 if looker.sees != 1 else 2):
        yield f"{scene.here}/replay?as={eyes}"


def _turns(scene: Scene, looker: Looker) -> Iterator[str]:
    for token in scene.tokens["w"]:
        guest = token.live and looker.sees == BYSTANDER
        yield from _begun(token.path, scene) if guest else (token.path,)


def _mailed(purpose: str) -> Paths:
    def paths(scene: Scene, looker: Looker) -> list[str]:
        opened = [token.path for token in scene.tokens[purpose]]
        return opened if looker.sees == BYSTANDER else opened[:1]

    return paths


GETS: Mapping[str, Paths] = {
    "home.home": _at("/"),
    "archive.archive": _at("/archive", "/archive?before=1-m_0000000000000000"),
    "archive.logs": _at("/archive/logs.zip"),
    "match.match": _match,
    "match.replay": _replay,
    "match.log": _below(".mlog"),
    "match.small": _below("/small.svg"),
    "match.turns": _below("/turns"),
    "talk.read": _below("/messages"),
    "api.me": _each("/api/me"),
    "api.matches": _each("/api/matches"),
    "api.match": _called(""),
    "api.choices": _called("/choices", "/choices?line=nonsense"),
    "feeds.deadlines": _fed("deadlines.ics"),
    "feeds.turns": _fed("turns.atom"),
    "mine.dashboard": _each("/matches"),
    "mine.group": _each("/matches/waiting", "/matches/others", "/matches/finished"),
    "lobby.missing": _below("/link"),
    "turn.turn": _turns,
    "lobby.confirm": _mailed("a"),
    "lobby.invitation": _mailed("i"),
    "unsubscribe.ask": _mailed("u"),
    "verify.verify": lambda scene, looker: [f"/verify?match={scene.pair.match}"],
    "account.account": _each("/account"),
    "outbox.mails": _at("/operator/outbox"),
    "inbox.mails": _at("/operator/inbox"),
    "lobby.leaving": _at("/out"),
    "operator.state": _at("/operator/state"),
    "operator.boxes": _at("/operator/mail"),
    "operator.box": _at("/operator/mail/ada@example.org"),
    "operator.letter": _at("/operator/mail/ada@example.org/1"),
    "operator.framed": _at("/operator/mail/ada@example.org/1/html"),
    "operator.attachment": _at("/operator/mail/ada@example.org/1/0"),
    "operator.raw": _at("/operator/mail/ada@example.org/1/raw"),
    "operator.welcome": _at("/operator/not-the-link-of-this-run"),
    "places.lobby": _at("/lobby", "/lobby?page=2"),
    "places.place": _below("/place"),
    "held.question": _mailed("h"),
    "start.start": _at("/start"),
    "start.sent": _at("/start/sent"),
    "": _at("/nowhere", "/m/m_0000000000000000", "/m//replay", f"/t/{'a' * 26}"),
}
"""Where each route is looked at; the nameless one is what has none."""

Form = tuple[str, Mapping[str, str | int]]
Forms = Callable[[Scene, Looker], Iterable[Form]]
ANSWER = {"answer": "yes"}


def _lines(path: str, scene: Scene) -> Iterator[Form]:
    """Whatever is typed there: what is refused, what is too late, what is only looked at."""
    for text in scene.refused:
        yield (
            path,
            {"line": text, "on": str(scene.position.n - 1), "wait": str(scene.position.wait)},
        )
    yield path, {"line": NEVER[0], "on": "1", "wait": "1"}
    yield path, {"line": NEVER[0], "look": "1"}


def _turn_calls(scene: Scene, looker: Looker) -> Iterator[Form]:
    path = f"/api/matches/{scene.pair.match}/turn"
    for text in scene.refused:
        yield path, {"line": text, "wait": scene.position.wait, "on": scene.position.n - 1}


def _act_calls(scene: Scene, looker: Looker) -> Iterator[Form]:
    path = f"/api/matches/{scene.pair.match}/act"
    yield path, {"act": "accept-draw", "on": scene.position.n - 1}


def _sends(scene: Scene, looker: Looker) -> Iterator[Form]:
    forms = _lines(scene.here, scene)
    return forms if looker.sees == scene.mover else islice(forms, 1)


def _turn_forms(scene: Scene, looker: Looker) -> Iterator[Form]:
    for token in scene.tokens["w"] if looker.sees == BYSTANDER else ():
        forms = _lines(token.path, scene)
        yield from forms if token.live else islice(forms, 1)


def _acts(scene: Scene, looker: Looker) -> Iterator[Form]:
    yield f"{scene.here}/act", {"act": "accept-draw", "on": str(scene.position.n - 1)}


def _below_with(end: str, **values: str) -> Forms:
    return lambda scene, looker: [(scene.here + end, values)]


def _posted(purpose: str, end: str = "") -> Forms:
    paths = _mailed(purpose)

    def forms(scene: Scene, looker: Looker) -> Iterator[Form]:
        spent = {token.path for token in scene.tokens[purpose] if token.spent}
        yield from ((path + end, ANSWER) for path in paths(scene, looker) if path in spent)

    return forms


POSTS: Mapping[str, Forms] = {
    "match.send": _sends,
    "match.act": _acts,
    "talk.send": _below_with("/messages", text=""),
    "talk.delete": _below_with("/messages/delete", message="1"),
    "talk.report": _below_with("/messages/report", message="1"),
    "talk.mute": _below_with("/messages/mute", seat="0"),
    "talk.note": _below_with("/note", text="x" * (notes.LENGTH + 1)),
    "api.turn": _turn_calls,
    "api.act": _act_calls,
    "match.cancel": _below_with("/cancel", answer="yes"),
    "turn.send": _turn_forms,
    "lobby.send_link": _below_with("/link", token="of-no-turn"),
    "places.take": _below_with("/place", name="Cy", address="cy@example.org"),
    "places.again": _below_with("/rematch"),
    "held.decide": _posted("h"),
    "mine.sign_in": lambda scene, looker: [("/matches", {"address": "nobody"})],
    "lobby.enter": _posted("a"),
    "lobby.answer": _posted("i"),
    "lobby.renew": _posted("i", "/renew"),
    "operator.judge": lambda scene, looker: [("/operator/state", {"message": "1", "act": "keep"})],
    "operator.enter": lambda scene, looker: [("/operator/not-the-link-of-this-run", {})],
}
"""Forms that are refused, or that change nothing."""

UNRELATED = {
    "static": "files of ours",
    "home.manuals": "the rules of all games",
    "home.rules": "the rules of a game",
    "home.drawing": "a picture of a game",
    "home.middle": "the same, of a match that was never played",
    "home.thumb": "the same, small",
    "home.policy": "our keys",
    "home.robots": "what search engines may read",
    "home.alive": "whether the pages answer",
    "home.well": "whether all runs",
    "start.form": "a match that is not there yet",
    "start.ask": "the same, sent",
    "account.mails": "which mails a player wants",
    "account.again": "whether mails reach a player again",
    "vacation.vacations": "vacations of a player",
    "vacation.plan": "a new one",
    "vacation.end": "an end of one",
    "unsubscribe.answer": "ends mails",
    "outbox.act": "what is to become of a mail",
    "inbox.act": "the same of one that came in",
    "hook.take": "mail that comes in",
    "operator.answer": "an answer to a mail, typed into the mailbox",
    "programs.programs": "tokens of a player",
    "programs.make": "a new one",
    "programs.revoke": "an end of one",
    "programs.manual": "how programs ask",
    "programs.openapi": "the same for programs",
    "lobby.leave": "ends a session",
    "person.describe": "who they are",
    "person.move": "where they get mail",
    "person.sign_out": "ends sessions",
    "person.data": "what is kept of them",
    "person.ask_deletion": "mails a link",
    "person.confirm": "what such a link is to confirm",
    "person.answer": "the same, sent",
    "verify.check": "says nothing but what the log says that it is given or that anybody may read",
}
"""Routes that know of no match, and why."""


def crawl(scene: Scene, eyes: Viewers | None = None) -> dict[str, Sent]:
    """What everybody gets: pages, refusals, the log, and every mail; of some eyes alone if they
    are named."""
    found = dict(_pages(scene, eyes))
    found |= {name: sent for name, sent in _mails(scene) if eyes is None or sent.sees <= eyes}
    return found


def _pages(scene: Scene, eyes: Viewers | None) -> Iterator[tuple[str, Sent]]:
    turns = {token.path: token.seat for token in scene.tokens["w"] if token.live}
    for looker in scene.lookers:
        gets = [path for paths in GETS.values() for path in paths(scene, looker)]
        posts = [form for forms in POSTS.values() for form in forms(scene, looker)]

        def may(path: str, sees: Viewer = looker.sees) -> Viewers:
            return frozenset({sees, turns.get(path.partition("?")[0]) or sees})

        csrf = dict(FIELD.findall(looker.visitor.client.get("/verify").text))
        for path in gets:
            if eyes is None or may(path) <= eyes:
                yield f"{looker.name} opens {path}", _answer(looker, path, None, may(path))
        for path, values in posts:
            if eyes is None or may(path) <= eyes:
                name = f"{looker.name} sends {dict(values)} to {path}"
                token = {} if path.startswith("/api") else csrf
                yield name, _answer(looker, path, {**token, **values}, may(path))


def opened(scene: Scene, looker: Looker) -> Sent:
    """The page of the match as somebody sees it."""
    return _answer(looker, scene.here, None, frozenset({looker.sees}))


def _answer(looker: Looker, path: str, form: Mapping[str, str | int] | None, sees: Viewers) -> Sent:
    """What a page answers, or what a program gets under the address of programs."""
    client, headers = looker.visitor.client, {"Accept-Language": looker.visitor.language}
    program = path.startswith("/api")
    if program:
        headers["Authorization"] = f"Bearer {looker.api}"
    if form is None:
        return Sent(sees, _bytes(client.get(path, headers=headers)))
    given = {"json": form} if program else {"data": form}
    return Sent(sees, _bytes(client.post(path, headers=headers, **given)))  # type: ignore[arg-type]


def _bytes(response: TestResponse) -> bytes:
    """The whole answer but what varies of itself."""
    head = [f"{name}: {value}" for name, value in response.headers if name not in UNEQUAL]
    return "\n".join([response.status, *head, ""]).encode() + VARYING.sub(b"", response.data)


def _mails(scene: Scene) -> Iterator[tuple[str, Sent]]:
    """Every mail that was queued, as it is or would be sent, from its first header to its notes."""
    site = scene.pair.house.site
    fields = [OUTBOX.c[name] for name in outbox.Row.__dataclass_fields__]
    with site.db.read() as conn:
        rows = [outbox.Row(*row) for row in conn.execute(sa.select(*fields).order_by(OUTBOX.c.id))]
    for row in rows:
        sees: Viewer = BYSTANDER if row.seat is None else row.seat
        yield (
            f"mail {row.id} ({row.kind}) to seat {row.seat}",
            Sent(frozenset({sees}), compose(site, row, row.created)),
        )


def lookers(pair: Pair, outsider: Visitor) -> tuple[Looker, ...]:
    """Everybody: each seat at its own browser and with programs of its own, somebody without a
    cookie, a player of another match; in both languages."""
    seats = [
        Looker(f"seat {seat}", seat, pair.players[address], *_tokens(pair.house, address))
        for seat, address in enumerate(pair.seats, start=1)
    ]
    strangers = (
        Looker("bystander", BYSTANDER, pair.house.visitor("de")),
        Looker("outsider", BYSTANDER, outsider, *_tokens(pair.house, "zoe@example.org")),
    )
    return (*seats, *strangers)


def _tokens(house: House, address: str) -> tuple[str, str]:
    """A new token for the API, and one of a feed."""
    with house.site.db.read() as conn:
        player = conn.execute(sa.select(PLAYER.c.id).where(PLAYER.c.folded == address)).scalar_one()
    api, feed = (
        tokens.make(house.site.db, player, purpose, "Robot", now=0, plays=purpose == "api")
        for purpose in ("api", "feed")
    )
    return api, feed
