"""`make screenshots`: the main pages as people see them, for a person to look through.

A service of its own with matches of all games is filled; each page is taken on a phone and on a
desk, light and dark, in German and in English, into `var/screenshots`.
"""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright
from pydantic import SecretStr
from werkzeug.serving import make_server

from games import registry
from games.chance import Stream
from service import create_app, matches, play, records
from service.settings import Settings
from service.site import init
from tests.web.conftest import ARGS
from tests.web.people import ADA, GAME, OPERATOR, House, Pair, begin

FOLDER = Path(__file__).parents[2] / "var" / "screenshots"
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1200, "height": 900}}
TURNS = 13


def main() -> int:
    """Fills the folder anew and says where it is."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with (
        TemporaryDirectory() as folder,
        _served(Path(folder)) as house,
        sync_playwright() as played,
    ):
        found = dict(_pages(house))
        browser = played.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        with closing(browser):
            taken = sum(_look(house, browser, found, *look) for look in _looks())
    print(f"{taken} screenshots are in {FOLDER}")
    return 0


@contextmanager
def _served(folder: Path) -> Iterator[House]:
    """A service at a port that is free."""
    server = make_server("127.0.0.1", 0, lambda *_: [], threaded=True)
    settings = Settings(data=folder, port=server.port, operator_token=SecretStr(OPERATOR))
    init(settings)
    server.app = create_app(settings)
    house = House(server.app)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with closing(house.site):
        yield house
        server.shutdown()
        thread.join()
        server.server_close()


def _pages(house: House) -> Iterator[tuple[str, str]]:
    """What is taken, by the name of its file; the matches are begun as it goes along."""
    whole = begin(house)
    whole.play(*GAME)
    pairs = {game: _some_way(house, game) for game in registry.games()}
    for name in ("start", "lobby", "archive", "verify", "rules", "matches", "nothing"):
        yield name, f"/{name}"
    yield "home", "/"
    yield "replay-malawi", f"/m/{whole.match}/replay?at=7"
    yield "result", f"/m/{whole.match}"
    for game, pair in pairs.items():
        yield f"rules-{game}", f"/rules/{game}"
        yield f"start-{game}", f"/start/{game}"
        yield f"turn-{game}", pair.link()
        yield f"match-{game}", f"/m/{pair.match}"
        yield f"replay-{game}", f"/m/{pair.match}/replay"
    house.visitor().start("Carla", "dora@example.org")
    yield "confirm", house.link("carla@example.org", "a")
    house.visitor().send(house.link("carla@example.org", "a"), answer="yes")
    yield "invitation", house.link("dora@example.org", "i")


def _some_way(house: House, game: str) -> Pair:
    """A match that the house has played for both sides, some way on."""
    pair = begin(house, game=game)
    for _ in range(TURNS):
        with house.site.db.read() as conn:
            at = records.position(house.site, conn, pair.match)
        seat = matches.mover(at)
        if seat is None:
            break
        line = registry.bot(game).play(at.rules.known(at.state, seat), seat, Stream(at.hash))
        given = {"match": pair.match, "seat": seat, "line": line}
        play.submit(house.site, **given, wait=at.wait, on=at.n - 1, via="web", now=at.at)  # type: ignore[arg-type]
    return pair


def _looks() -> Iterator[tuple[str, str, str]]:
    """Each size in both schemes and both languages, though not in every one of all three."""
    yield "phone", "light", "de"
    yield "phone", "dark", "en"
    yield "desk", "light", "en"
    yield "desk", "dark", "de"


def _look(
    house: House, browser: Browser, found: dict[str, str], size: str, scheme: str, language: str
) -> int:
    """Takes every page in one way of looking; how many there were."""
    context = browser.new_context(
        base_url=house.site.settings.base_url,
        viewport=SIZES[size],  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        locale=language,
    )
    page = context.new_page()
    for name, path in found.items():
        if name == "matches":
            _sign_in(house, page)
        page.goto(path)
        page.evaluate("document.querySelectorAll('img').forEach((one) => one.loading = 'eager')")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}-{language}.png", full_page=True)
        context.clear_cookies(name="player")
    context.close()
    return len(found)


def _sign_in(house: House, page: Page) -> None:
    house.app.test_client()
    page.goto("/matches")
    page.locator("main input[type=email]").fill(ADA)
    page.locator("main form button").click()
    page.goto(house.link(ADA, "a"))
    page.locator("main input[value=yes]").check()
    page.locator("main form button").click()


if __name__ == "__main__":
    sys.exit(main())
