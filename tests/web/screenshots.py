"""`make screenshots`: the main pages as people see them, for a person to look through.

A service of its own is filled with matches of all games; each page is taken on a phone and on a
desk, once light and once dark, once in German and once in English, into `var/screenshots`.
"""

from __future__ import annotations

import logging
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import quote

import sqlalchemy as sa
import structlog
from flask import abort
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pydantic import SecretStr
from werkzeug.serving import make_server

from games import registry
from games.chance import Stream
from games.new import random_line
from service import create_app, matches, play, records
from service.mail import door
from service.models import PLAYER, QUOTA, SEAT
from service.settings import Settings
from service.site import init
from tests.web.conftest import ARGS
from tests.web.people import ADA, FIELD, GAME, OPERATOR, House, Pair, Visitor, at, begin

FOLDER = Path(__file__).parents[2] / "var" / "screenshots"
GOLDEN = Path(__file__).parents[1] / "golden"
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1200, "height": 900}}
LOOKS = (
    (("phone", "light", "de"), ("desk", "dark", "en")),
    (("phone", "dark", "en"), ("desk", "light", "de")),
)
"""Both sizes, both schemes and both languages; the next page has them the other way round."""
Look = tuple[str, str, str]
TURNS = 14
NOON = 1_800_000_000
MANY = 15
GUESTS = ("Ben", "Carla", "Dora", "Emil", "Fritz")
ERRORS = (400, 403, 404, 405, 410, 413, 415, 429, 500, 503)
LARGE = {"black-monday": 8, "monad": 24}
"""Turns of random play after which hands are large."""


class Shot(NamedTuple):
    """A page, and who looks at it: an address, the operator, or nobody who is known."""

    name: str
    path: str
    who: str = ""
    file: Path | None = None
    """What is brought to Verify."""
    fold: bool = False
    """Whether also the first screen alone is taken."""


def main() -> int:
    """Fills the folder anew and says where it is."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with (
        TemporaryDirectory() as folder,
        _served(Path(folder)) as house,
        sync_playwright() as played,
    ):
        people: dict[str, Visitor] = {"": house.visitor()}
        shots = [shot for shot in _shots(house, people) if _wanted(shot)]
        browser = played.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        with closing(browser):
            _take_all(house, browser, people, shots)
    print(f"{len(list(FOLDER.iterdir()))} screenshots are in {FOLDER}")
    return 0


def _wanted(shot: Shot) -> bool:
    """All, or those whose names begin as the words behind the command."""
    return not sys.argv[1:] or shot.name.startswith(tuple(sys.argv[1:]))


@contextmanager
def _served(folder: Path) -> Iterator[House]:
    """A service at a port that is free."""
    server = make_server("127.0.0.1", 0, lambda *_: [], threaded=True)
    settings = Settings(data=folder, port=server.port, operator_token=SecretStr(OPERATOR))
    init(settings)
    server.app = app = create_app(settings)
    app.add_url_rule("/error/<int:code>", view_func=lambda code: abort(code))
    house = House(app)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with closing(house.site):
        try:
            yield house
        finally:
            server.shutdown()
        thread.join()
        server.server_close()


def _shots(house: House, people: dict[str, Visitor]) -> Iterator[Shot]:
    """What is taken; the matches are begun as it goes along."""
    whole = begin(house)
    whole.play(*GAME)
    people |= whole.players
    yield from _of_games(house, people)
    yield from (
        Shot("home", "/"),
        Shot("start", "/start"),
        Shot("rules", "/rules"),
        Shot("archive", "/archive"),
        Shot("api", "/api"),
        Shot("sign-in", "/matches"),
        Shot("result", f"/m/{whole.match}", ADA),
        Shot("replay", f"/m/{whole.match}/replay?at=7", ADA),
        Shot("verify", "/verify"),
        Shot("verify-good", "/verify", file=GOLDEN / "malawi.mlog"),
        Shot("verify-bad", "/verify", file=GOLDEN / "damaged" / "malawi-changed-move.mlog"),
    )
    yield from (Shot(f"error-{code}", f"/error/{code}") for code in ERRORS)
    yield from _of_people(house, people, whole)


def _of_games(house: House, people: dict[str, Visitor]) -> Iterator[Shot]:
    """The pages of each game, its matches some way on."""
    for game in registry.games():
        for many in sorted({2, min(6, registry.newest(game).seats[-1])}):
            pair = _begin(house, game=game, guests=GUESTS[: many - 1], clock="5d")
            _play(pair, TURNS)
            people.update({k: v for k, v in pair.players.items() if k != ADA})
            name = f"{game}-{many}" if many > 2 else game
            yield Shot(f"turn-{name}", f"/m/{pair.match}", pair.mover, fold=True)
            line = quote(_bot(pair))
            yield Shot(f"chosen-{name}", f"/m/{pair.match}?line={line}", pair.mover, fold=True)
        if game in LARGE:
            large = _begin(house, game=game)
            _play(large, LARGE[game], random=True)
            yield Shot(f"large-{game}", f"/m/{large.match}", large.mover, fold=True)
        yield Shot(f"match-{game}", f"/m/{pair.match}")
        yield Shot(f"replay-{game}", f"/m/{pair.match}/replay")
        yield Shot(f"turns-{game}", f"/m/{pair.match}/turns", ADA)
        yield Shot(f"rules-{game}", f"/rules/{game}")
        yield Shot(f"start-{game}", f"/start/{game}")


def _of_people(house: House, people: dict[str, Visitor], whole: Pair) -> Iterator[Shot]:
    """What is a player's own, or the operator's."""
    ada, ben, carla = people[ADA], people[at("Ben")], house.visitor()
    for n in range(MANY):
        _play(_begin(house, game=registry.games()[n % 4], clock="5d"), n % 3)
    carla.start("Carla", "", "seasons", clock="5d", public="1", **{"invited-1-by": "free"})
    house.visitor().start("Zoe", "gustav@example.org")
    yield Shot("confirm", house.link(at("Zoe"), "a"))
    opened = carla.send(house.link(at("Carla"), "a"), answer="yes").headers["Location"]
    people["carla"] = carla
    carla.start("Carla", "gustav@example.org", "monad")
    ada.send("/account/vacation", begins="", days="7")
    ada.send("/account/programs", purpose="feed", name="Kalender")
    for writer, text in ((ada, "Viel Glück!"), (ben, "Dir auch.\nIch bin bis Sonntag weg.")):
        writer.send(f"/m/{whole.match}/messages", text=text)
    ada.submit(f"/m/{whole.match}/messages/report", {**dict(_token(ada)), "message": "2"})
    ada.send(f"/m/{whole.match}/note", text="Beim nächsten Mal früher die a-Linie öffnen.")
    ada.submit("/account/delete", dict(_token(ada)))
    yield from (
        Shot("lobby", "/lobby"),
        Shot("place", f"{opened}/place"),
        Shot("waiting", opened, "carla"),
        Shot("invitation", house.link("gustav@example.org", "i")),
        Shot("deletion", house.link(ADA, "c")),
        Shot("unsubscribe", next(one for one in sorted(house.links()) if one.startswith("/u/"))),
        Shot("messages", f"/m/{whole.match}/messages", ADA),
        Shot("matches", "/matches", ADA, fold=True),
        Shot("matches-others", "/matches/others", ADA),
        Shot("account", "/account", ADA),
        Shot("vacation", "/account/vacation", ADA),
        Shot("programs", "/account/programs", ADA),
        Shot("newest-link", f"/m/{whole.match}/link"),
        Shot("sign-out", "/out", ADA),
    )
    yield from _of_the_operator(house, people)


def _of_the_operator(house: House, people: dict[str, Visitor]) -> Iterator[Shot]:
    operator = people["operator"] = house.visitor()
    yield Shot("operator", f"/operator/{OPERATOR}")
    operator.send(f"/operator/{OPERATOR}")
    house.post()
    for subject in ("Re: Malawi", "Hallo"):
        mail = f"From: Ada <{ADA}>\nTo: play@localhost\nSubject: {subject}\n\na1-c1\n"
        door.take_in(house.site, "pipe", mail.encode(), NOON, "play@localhost", ADA)
    newest = house.letters(ADA)[0].entry.key
    turn = next(one.entry.key for one in house.letters(ADA) if "/t/" in one.text)
    yield from (
        Shot("operator-mailboxes", "/operator/mail", "operator"),
        Shot("operator-mailbox", f"/operator/mail/{ADA}", "operator"),
        Shot("operator-letter", f"/operator/mail/{ADA}/{newest}", "operator"),
        Shot("operator-turn", f"/operator/mail/{ADA}/{turn}", "operator"),
        Shot("operator-outbox", "/operator/outbox", "operator"),
        Shot("operator-inbox", "/operator/inbox", "operator"),
        Shot("operator-state", "/operator/state", "operator"),
    )


def _begin(house: House, **how: Any) -> Pair:
    """A match of Ada's; she opens more of them here than anybody may in a day."""
    with house.site.db.write() as conn:
        conn.execute(sa.delete(QUOTA))
    return begin(house, **how)


def _token(visitor: Visitor) -> list[tuple[str, str]]:
    """The nonce of somebody's forms."""
    return [pair for pair in FIELD.findall(visitor.get("/account").text) if pair[0] == "csrf_token"]


def _play(pair: Pair, turns: int, *, random: bool = False) -> None:
    """The house plays for all sides, or a lot does."""
    house = pair.house
    for turn in range(turns):
        with house.site.db.read() as conn:
            at = records.position(house.site, conn, pair.match)
        seat = matches.mover(at)
        if seat is None:
            break
        if random:
            known = at.rules.known(at.state, seat)
            line = random_line(Stream(turn.to_bytes(32, "big")), at.rules, known, seat)
        else:
            line = registry.bot(at.opened.game).play(
                at.rules.known(at.state, seat), seat, Stream(at.hash)
            )
        given = {"match": pair.match, "seat": seat, "line": line}
        play.submit(house.site, **given, wait=at.wait, on=at.n - 1, via="web", now=at.at)  # type: ignore[arg-type]


def _bot(pair: Pair) -> str:
    """What the house would play now."""
    house = pair.house
    with house.site.db.read() as conn:
        at = records.position(house.site, conn, pair.match)
    seat = matches.mover(at) or 1
    known = at.rules.known(at.state, seat)
    return registry.bot(at.opened.game).play(known, seat, Stream(at.hash))


def _take_all(
    house: House, browser: Browser, people: dict[str, Visitor], shots: list[Shot]
) -> None:
    contexts: dict[Look, BrowserContext] = {}
    for shot, looks in zip(shots, cycle(LOOKS), strict=False):
        for look in looks:
            if look not in contexts:
                contexts[look] = _context(house, browser, look)
            context = contexts[look]
            _speak(house, look[2])
            context.clear_cookies()
            cookies = [_cookie(house, people[shot.who], name) for name in ("player", "operator")]
            context.add_cookies([cookie for cookie in cookies if cookie])  # type: ignore[arg-type]
            _take(context.pages[0] if context.pages else context.new_page(), shot, look)


def _speak(house: House, language: str) -> None:
    """Pages of a player are in the player's language, whatever the browser asks for."""
    with house.site.db.write() as conn:
        for table in (PLAYER, SEAT):
            conn.execute(table.update().values(language=language))


def _context(house: House, browser: Browser, look: Look) -> BrowserContext:
    size, scheme, language = look
    return browser.new_context(
        base_url=house.site.settings.base_url,
        viewport=SIZES[size],  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        locale=language,
    )


def _cookie(house: House, visitor: Visitor, name: str) -> dict[str, str] | None:
    """A cookie of somebody, for a browser."""
    found = visitor.client.get_cookie(name, domain="localhost")
    url = house.site.settings.base_url
    return {"name": name, "value": found.value, "url": url} if found else None


def _take(page: Page, shot: Shot, look: Look) -> None:
    page.goto(shot.path)
    if shot.file:
        page.locator("input[type=file]").set_input_files(shot.file)
        page.locator("main form button").click()
    page.evaluate("document.querySelectorAll('img').forEach((one) => one.loading = 'eager')")
    page.wait_for_load_state("networkidle")
    name = "-".join((shot.name, *look))
    page.screenshot(path=FOLDER / f"{name}.png", full_page=True)
    if shot.fold:
        page.screenshot(path=FOLDER / f"{name}-first.png")


if __name__ == "__main__":
    sys.exit(main())
