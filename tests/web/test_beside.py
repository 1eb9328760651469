"""The pages beside a match in a real browser: tokens, feeds, messages, notes, how programs play."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.people import ADA, BEN, House, Pair, Visitor, begin
from tests.web.test_browser import DESK, PHONE, _can_be_used


def shown(
    browser: Browser, served: House, who: Visitor, size: dict[str, int], **more: object
) -> Page:
    """A window of somebody who is signed in."""
    base = served.site.settings.base_url
    context = browser.new_context(base_url=base, viewport=size, locale="de", **more)  # type: ignore[arg-type]
    cookie = who.client.get_cookie("player")
    assert cookie is not None
    context.add_cookies([{"name": "player", "value": cookie.value, "url": base}])
    return context.new_page()


def written(pair: Pair) -> None:
    """Something long and something short from either side."""
    path = f"/m/{pair.match}/messages"
    pair.players[ADA].send(path, text="Hello Ben!\n" + "x" * 200)
    pair.players[BEN].send(path, text="Hallo Ada, " + "das ist ein langer Satz, " * 6)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_pages_beside_a_match_can_be_used_by_everybody(
    browser: Browser, served: House, size: dict[str, int]
) -> None:
    pair = begin(served, ben_reads="de")
    written(pair)
    page = shown(browser, served, pair.players[BEN], size)
    page.goto("/account/programs")
    for name, purpose in (("#api-name", "Mein Bot"), ("#feed-name", "Mein Kalender")):
        page.fill(name, purpose)
        page.locator(f"form:has({name}) .button").click()
        expect(page.get_by_role("status")).to_be_visible()
        _can_be_used(page)
    page.goto(f"/m/{pair.match}")
    for summary in page.locator("main summary").all():
        summary.click()
    _can_be_used(page)
    for path in ("/api", f"/m/{pair.match}/messages"):
        page.goto(path)
        _can_be_used(page)
    page.context.close()


def test_all_of_it_works_without_scripts(browser: Browser, served: House) -> None:
    pair = begin(served, ben_reads="de")
    page = shown(browser, served, pair.players[BEN], PHONE, java_script_enabled=False)
    page.goto(f"/m/{pair.match}")
    page.get_by_text("Den anderen schreiben").first.click()
    page.get_by_label("Den anderen schreiben").fill("Hallo\n<b>Ada</b>")
    page.get_by_role("button", name="Nachricht senden").click()
    expect(page.locator("#messages .text")).to_have_text("Hallo <b>Ada</b>")
    page.get_by_text("Etwas aufschreiben").click()
    page.get_by_label("Was du dir zu dieser Partie merken willst").fill("\nVorsicht!")
    page.get_by_role("button", name="Notiz behalten").click()
    expect(page.locator("#note .text")).to_have_text("Vorsicht!")
    page.get_by_role("link", name="Alle Nachrichten").click()
    page.get_by_role("button", name="Löschen").click()
    expect(page.locator(".talk .text")).to_have_count(0)
    page.get_by_role("button", name="Ada stummschalten").click()
    expect(page.get_by_role("button", name="Ada wieder lesen")).to_be_visible()
    page.context.close()
