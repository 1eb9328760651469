"""The pages in a real browser: a whole match through the mailbox, by mouse, keys and no script."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Literal

import pytest
import sqlalchemy as sa
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from games import registry
from service import messages, outbox, people
from service.mail.compose import compose
from service.models import OUTBOX
from tests.mail.play import html_of, read
from tests.web.people import ADA, BEN, GAME, OPERATOR, House, Pair, Visitor, begin, seats_of

pytestmark = pytest.mark.xdist_group("browser")

HEARD = ("term: To move", "it is your turn", '"?line=', 'button "Send this turn"', "Since your")
BAR, REFUSED = 72, 150
"""Pixels of the send box while nothing is chosen, and when a line is refused."""
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1200, "height": 900}


@pytest.fixture
def noises() -> list[str]:
    """What browsers complained about."""
    return []


@pytest.fixture
def person(browser: Browser, served: House, noises: list[str]) -> Iterator[Page]:
    """A browser that keeps quiet."""
    context = browser.new_context(base_url=served.site.settings.base_url, locale="en")
    yield listened(context.new_page(), noises)
    context.close()
    assert noises == []


def listened(page: Page, noises: list[str]) -> Page:
    """The page, whose errors and warnings are kept."""
    page.on("console", lambda message: noises.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: noises.append(f"{page.url}: {error}"))
    page.on("request", lambda request: _at_home(request.url) or noises.append(request.url))
    return page


def _at_home(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:"))


def newest_mail(page: Page, house: House, address: str) -> None:
    """Opens the newest mail of an address, as the operator sees it."""
    house.post()
    page.goto(f"/operator/mail/{address}")
    page.locator("main table a").first.click()


def open_turn(page: Page, house: House, pair: Pair) -> None:
    """Follows the link of the newest turn mail."""
    newest_mail(page, house, pair.mover)
    page.locator("pre a", has_text="/t/").click()


def test_a_whole_match_is_played_through_the_mailbox(person: Page, served: House) -> None:
    person.goto(f"/operator/{OPERATOR}")
    person.get_by_role("button", name="Open the mailbox").click()
    _start(person)
    _confirm(person, served)
    match = _join(person, served)
    pair = Pair(served, match, seats_of(served, match), {})
    person.context.clear_cookies(name="player")
    for line in GAME:
        open_turn(person, served, pair)
        _send_by_clicks(person, line)
    expect(person.get_by_text("won: a piece is at its goal.").first).to_be_visible()
    _download_and_verify(person)
    _replay_from_the_archive(person, match)


def _start(person: Page) -> None:
    person.get_by_role("link", name="Start a match").first.click()
    person.get_by_role("link", name="Malawi", exact=True).click()
    person.get_by_label("Your name").fill("Ada")
    person.get_by_label("Your mail address").fill(ADA)
    person.get_by_label("The name of the person").fill("Ben")
    person.get_by_label("Their mail address").fill(BEN)
    person.get_by_role("button", name="Send me the mail").click()
    expect(person.get_by_role("heading", name="Look into your mail")).to_be_visible()


def _confirm(person: Page, house: House) -> None:
    newest_mail(person, house, ADA)
    person.locator("pre a", has_text="/a/").click()
    person.get_by_label("Yes, start the match").check()
    person.get_by_role("button", name="Go on").click()
    expect(person.get_by_text("Waiting for", exact=True)).to_be_visible()


def _join(person: Page, house: House) -> str:
    """Accepts the invitation and returns the match."""
    newest_mail(person, house, BEN)
    person.locator("pre a", has_text="/i/").click()
    person.get_by_label("I will play").check()
    person.get_by_label("Your name").fill("Ben")
    person.get_by_role("button", name="Send my answer").click()
    expect(person.get_by_text("To move", exact=True)).to_be_visible()
    return person.url.rpartition("/")[2]


def _send_by_clicks(person: Page, line: str) -> None:
    for square in re.findall(r"[a-f][1-6]", line):
        person.locator(f"svg.board a#{square}").click()
    expect(person.locator("form.send strong")).to_have_text(line)
    person.get_by_role("button", name="Send this turn").click()
    expect(person.get_by_role("status")).to_contain_text(f"Your turn {line} was accepted")


def _download_and_verify(person: Page) -> None:
    with person.expect_download() as download:
        person.get_by_role("link", name="Download the log").click()
    person.get_by_role("link", name="Verify").first.click()
    person.get_by_label("A file").set_input_files(download.value.path())
    person.get_by_role("button", name="Verify").click()
    expect(person.get_by_role("heading", name="Verified")).to_be_visible()
    expect(person.get_by_text("PLAYED malawi/1 goal 1=1 2=2")).to_be_visible()


def _replay_from_the_archive(person: Page, match: str) -> None:
    person.get_by_role("link", name="Archive").first.click()
    person.get_by_role("link", name="Malawi", exact=True).click()
    expect(person).to_have_url(re.compile(rf"/m/{match}/replay$"))
    for link, at in (("One back", 8), ("First position", 3), ("One forward", 4)):
        person.get_by_role("link", name=link).click()
        expect(person).to_have_url(re.compile(rf"\?at={at}#{at}$"))


def test_keys_walk_through_a_replay(person: Page, served: House) -> None:
    pair = begin(served)
    pair.play(*GAME)
    person.goto(f"/m/{pair.match}/replay#5")
    expect(person).to_have_url(re.compile(r"\?at=5#5$"))
    for key, at in (("ArrowLeft", 4), ("ArrowRight", 5), ("Home", 3), ("End", 9)):
        person.keyboard.press(key)
        expect(person.locator(".steps")).to_have_attribute("data-at", str(at))
    person.goto(f"/m/{pair.match}/replay?at=4#4")
    person.evaluate("location.hash = '#6'")
    expect(person.locator(".steps")).to_have_attribute("data-at", "6")


def test_a_replay_plays_by_itself_only_when_it_is_told_to(person: Page, served: House) -> None:
    """The slider needs no button, and nothing is loaded anew from position to position."""
    pair = begin(served)
    pair.play(*GAME)
    person.clock.install()
    person.goto(f"/m/{pair.match}/replay?at=3#3")
    person.evaluate("window.stayed = true")
    steps = person.locator(".steps")
    person.clock.run_for(10_000)
    expect(steps).to_have_attribute("data-at", "3")
    expect(person.get_by_role("button", name="Go")).to_be_hidden()
    play = person.get_by_role("button", name="Play")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    for at in (4, 5):
        person.clock.run_for(2_000)
        expect(steps).to_have_attribute("data-at", str(at))
    play.click()
    person.clock.run_for(10_000)
    expect(steps).to_have_attribute("data-at", "5")
    person.get_by_label("Record", exact=True).fill("7")
    expect(steps).to_have_attribute("data-at", "7")
    expect(person).to_have_url(re.compile(r"\?at=7#7$"))
    assert person.evaluate("window.stayed")


def test_a_match_by_keyboard_alone(person: Page, served: House) -> None:
    pair = begin(served)
    for line in GAME:
        person.goto(pair.link())
        for square in re.findall(r"[a-f][1-6]", line):
            _tab_to(person, f"svg.board a#{square}")
            person.keyboard.press("Enter")
            person.wait_for_url(re.compile(rf"{square}$"))
        _tab_to(person, "form.send > .row button")
        person.keyboard.press("Enter")
        expect(person.get_by_role("status")).to_contain_text(f"Your turn {line} was accepted")
    expect(person.get_by_text("won: a piece is at its goal.").first).to_be_visible()


def test_a_turn_typed_and_shown_before_it_is_sent(person: Page, served: House) -> None:
    pair = begin(served)
    person.goto(pair.link())
    person.get_by_text("Type the turn").click()
    person.get_by_label("Turn line").fill("a1-c1")
    person.keyboard.press("Enter")
    expect(person.locator("form.send strong")).to_have_text("a1-c1")
    assert len(served.dump()["record"]) == 4
    person.get_by_role("button", name="Send this turn").click()
    expect(person.get_by_role("status")).to_contain_text("Your turn a1-c1 was accepted")


def test_a_turn_without_scripts(browser: Browser, served: House) -> None:
    pair = begin(served)
    context = browser.new_context(
        base_url=served.site.settings.base_url, java_script_enabled=False, locale="de"
    )
    page = context.new_page()
    page.goto(pair.link())
    page.locator("svg.board a#a1").click()
    page.locator("svg.board a#c1").click()
    page.locator("form.send > .row button").click()
    page.wait_for_url(re.compile("sent=4"))
    page.locator(".turn a", has_text="a1-c1").click()
    page.locator("a[data-step=prev]").click()
    page.wait_for_url(re.compile(r"at=3#3$"))
    context.close()


def test_the_link_of_a_free_place_is_passed_on_by_one_click(person: Page, served: House) -> None:
    ada = served.visitor()
    ada.start("Ada", "", **{"invited-1-by": "free"})
    match = ada.send(served.link("ada@example.org", "a"), answer="yes").headers["Location"]
    _come_in(person, ada)
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.goto(match)
    person.get_by_role("button", name="Pass on the link").click()
    expect(person.get_by_role("button", name="Copied")).to_be_visible()
    place = person.evaluate("navigator.clipboard.readText()")
    assert place == f"{served.site.settings.base_url}{match}/place"
    head = served.visitor().get(f"{match}/place").text
    assert '<meta property="og:title" content="Play Malawi with Ada">' in head
    assert '<meta property="og:description" content="A place in this match is free.' in head


def test_a_double_click_sends_once(person: Page, served: House) -> None:
    pair = begin(served)
    person.goto(pair.link() + "?line=a1-c1")
    posts: list[str] = []
    person.on("request", lambda request: posts.append(request.method))
    person.get_by_role("button", name="Send this turn").dblclick()
    expect(person.get_by_role("status")).to_contain_text("Your turn a1-c1 was accepted")
    assert posts.count("POST") == 1
    assert len(served.dump()["record"]) == 5


def test_two_windows_with_one_link(browser: Browser, person: Page, served: House) -> None:
    pair = begin(served)
    link = pair.link()
    other, third = person.context.new_page(), person.context.new_page()
    for window, line in ((person, "a1-c1"), (other, "a1-c1"), (third, "a2-c2")):
        window.goto(f"{link}?line={line}")
    for window in (person, other):
        window.get_by_role("button", name="Send this turn").click()
        expect(window.get_by_role("status")).to_contain_text("Your turn a1-c1 was accepted")
    with third.expect_response(lambda answer: answer.request.method == "POST") as refused:
        third.get_by_role("button", name="Send this turn").click()
    assert refused.value.status == 409
    expect(third.get_by_role("status")).to_contain_text("The match has moved on")
    assert len(served.dump()["record"]) == 5


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_page_can_be_used_by_everybody(
    browser: Browser, served: House, size: dict[str, int], noises: list[str]
) -> None:
    """Nothing for axe, no sideways scrolling, targets of 44 pixels, and a silent console."""
    pair = begin(served)
    pair.play(*GAME[:2])
    served.visitor().start("C", "", public="1", **{"invited-1-by": "free"})
    confirm = served.link("c@example.org", "a")
    link, match = pair.link(), f"/m/{pair.match}"
    context = browser.new_context(
        base_url=served.site.settings.base_url,
        viewport=size,  # type: ignore[arg-type]
        locale="de",
    )
    page = listened(context.new_page(), noises)
    page.goto(f"/operator/{OPERATOR}")
    page.locator("main button").click()
    page.locator("main table a").first.click()
    letter = page.url
    paths = ("/", "/start", "/archive", "/verify", "/rules", "/api", "/operator/mail")
    of_games = ("/rules/malawi", "/start/malawi", "/start/black-monday?seats=3")
    turns = (link, f"{link}?line=a2", f"{link}?line=a2-c2", f"{link}?line=a2-f2")
    own = (match, f"{match}/replay?at=5", f"{match}/link", confirm, letter)
    for path in (*paths, *of_games, *turns, *own):
        page.goto(path)
        _can_be_used(page)
    if size is PHONE:
        place = served.visitor().send(confirm, answer="yes").headers["Location"]
        _come_in(page, pair.players[pair.mover])
        for path in (*OF_A_PLAYER, place, f"{place}/place", match):
            page.goto(path)
            _can_be_used(page)
    context.close()
    assert noises == []


OF_A_PLAYER = (
    *("/matches", "/matches/waiting", "/lobby", "/account", "/account/vacation"),
    *("/account/programs", "/operator/state", "/operator/outbox", "/operator/inbox", "/out"),
)


def test_every_mail_can_be_read_on_a_phone(browser: Browser, served: House) -> None:
    """No sideways scrolling whatever the players write, a button for a thumb, contrast in both
    colour schemes."""
    pair = begin(served)
    pair.play(*GAME[:1])
    with served.site.db.read() as conn:
        player = people.find(conn, pair.mover)
    assert player is not None
    now = int(time.time())
    messages.send(served.site, match=pair.match, player=player, text="x" * 300, now=now)
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    for sheet in _sheets(served):
        page.set_content(sheet)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found = Axe().run(page, options={"runOnly": ["color-contrast"]})
            assert found.violations_count == 0, f"{scheme}\n{found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        heights = page.locator(".send a").evaluate_all("all => all.map(one => one.offsetHeight)")
        assert all(height >= 44 for height in heights)
    context.close()


def _sheets(house: House) -> Iterator[str]:
    """The HTML of every mail that was queued."""
    fields = [OUTBOX.c[name] for name in outbox.Row.__dataclass_fields__]
    with house.site.db.read() as conn:
        rows = [outbox.Row(*row) for row in conn.execute(sa.select(*fields))]
    for row in rows:
        yield html_of(read(compose(house.site, row, row.created)))


def _come_in(page: Page, known: Visitor) -> None:
    """As somebody who is signed in."""
    cookie = known.client.get_cookie("player")
    assert cookie is not None
    url = known.house.site.settings.base_url
    page.context.add_cookies([{"name": "player", "value": cookie.value, "url": url}])


def test_pages_that_say_what_is_wrong_can_be_used_too(browser: Browser, served: House) -> None:
    pair = begin(served)
    link = pair.link()
    context = browser.new_context(base_url=served.site.settings.base_url, viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{link}?line=a1-c1")
    pair.turn("a2-c2")
    page.get_by_role("button", name="Send this turn").click()
    _shows(page, "The match has moved on")
    page.goto("/start/malawi")
    page.evaluate("document.querySelector('main form').noValidate = true")
    page.get_by_role("button", name="Send me the mail").click()
    _shows(page, "Please give a name.")
    page.goto("/verify")
    page.get_by_label("or its text").fill("no log")
    page.get_by_role("button", name="Verify").click()
    _shows(page, "Not verified")
    for path, words in (
        ("/nothing", "Nothing is here"),
        (f"/m/{pair.match}/act", "This address is for a form."),
        (link, "The turn that this link was for is over."),
    ):
        page.goto(path)
        _shows(page, words)
    context.close()


@pytest.mark.parametrize("game", registry.games())
def test_every_game_is_played_on_a_phone(
    browser: Browser, served: House, noises: list[str], game: str
) -> None:
    """Choosing leads to a turn that can be sent; every step on the way can be used."""
    pair = begin(served, game=game)
    context = browser.new_context(base_url=served.site.settings.base_url, viewport=PHONE)  # type: ignore[arg-type]
    page = listened(context.new_page(), noises)
    page.goto(pair.link())
    read = page.locator("main").aria_snapshot()
    heard = [read.index(words) for words in HEARD]
    assert heard == sorted(heard), "whoever listens hears state, board, choices, then what sends"
    bar = page.locator("form.send").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= PHONE["height"]
    assert bar["height"] <= BAR, "at rest the bar leaves the board its room"
    while not page.locator("form.send strong").count():
        _can_be_used(page, least=41.5)
        page.locator("svg.board a.can, svg.board a.target").first.click()
    _can_be_used(page, least=41.5)
    page.get_by_role("button", name="Send this turn").click()
    expect(page.get_by_role("status")).to_contain_text("was accepted as record")
    context.close()
    assert noises == []


def test_board_status_and_button_are_in_the_first_screen_of_a_phone(
    browser: Browser, served: House
) -> None:
    pair = begin(served)
    context = browser.new_context(base_url=served.site.settings.base_url, viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(pair.link() + "?line=a1-c1")
    for selector in (".fields", "svg.board", "form.send > .row button"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= PHONE["height"], selector
    page.goto(pair.link() + "?line=a1-z9")
    page.get_by_label("Turn line").fill("a1-z8")
    refused = page.locator("form.send").bounding_box()
    assert refused is not None
    assert refused["height"] <= REFUSED, "why a line is refused leaves the board its room as well"
    _can_be_used(page)
    page.get_by_label("Turn line").fill("a1-c1")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("form.send strong")).to_have_text("a1-c1")
    context.close()


def _shows(page: Page, words: str) -> None:
    expect(page.get_by_text(words).first).to_be_visible()
    _can_be_used(page)


def _can_be_used(page: Page, least: float = 43.5) -> None:
    """On a phone in both colour schemes; `least` is the smallest side of a target."""
    for scheme, rules in SCHEMES if page.viewport_size == PHONE else SCHEMES[:1]:
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options=rules)
        assert found.violations_count == 0, f"{page.url} {scheme}\n{found.generate_report()}"
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{page.url} is {wide} pixels too wide"
    small = page.evaluate(SMALL, least)
    assert small == [], f"{page.url}: {small}"


SCHEMES: tuple[tuple[Literal["light", "dark"], dict[str, list[str]] | None], ...] = (
    ("light", None),
    ("dark", {"runOnly": ["color-contrast"]}),
)
SMALL = """(least) => [...document.querySelectorAll(
    "main button, main summary, main input:not([type=hidden], [type=radio], [type=checkbox]), "
    + "main select, main textarea, .choice, a.text-link, a.button, .steps a, svg.board a .hit"
  )].filter((one) => one.checkVisibility() && !one.closest("p, .unseen"))
    .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.height < least || box.width < least)
    .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


def _tab_to(page: Page, selector: str) -> None:
    """Presses the tabulator until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached")
