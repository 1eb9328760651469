"""Programs that look into mail before its reader does: they open all links, and nothing changes."""

from __future__ import annotations

import time
from email import message_from_bytes

import pytest
from playwright.sync_api import Browser, Page

from service import access, changes, people, worker
from service.mail import letterbox
from service.mail.transport import Maildir
from tests.web.people import ADA, BEN, GAME, House, begin

pytestmark = pytest.mark.xdist_group("browser")


def test_a_scanner_that_opens_links_and_presses_buttons_changes_nothing(
    browser: Browser, served: House
) -> None:
    """Every link of every mail: fetched ahead, asked for by its head alone, and opened twice with
    all that its page runs."""
    everything_mailed(served)
    links = sorted(served.links())
    assert {link.split("/")[1] for link in links} >= {"t", "a", "i", "m", "u", "c", "h"}
    before = served.dump()
    context = browser.new_context(base_url=served.site.settings.base_url)
    page = context.new_page()
    prefetch(page, served, links)
    for link in links:
        assert context.request.head(link).ok
        for _ in range(2):
            page.goto(link)
        press(page)
    context.close()
    assert served.dump() == before


def press(page: Page) -> None:
    """The first button of a page, if it has one; a form that asks for more is not sent."""
    button = "document.querySelector('main button')"
    if page.evaluate(f"{button}?.form?.checkValidity()"):
        with page.expect_navigation():
            page.evaluate(f"{button}.click()")
    else:
        page.evaluate(f"{button}?.click()")


def prefetch(page: Page, house: House, links: list[str]) -> None:
    """Lets a page elsewhere have them fetched, as if its reader were about to follow them."""
    base = house.site.settings.base_url
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url))
    page.set_content("".join(f'<link rel="prefetch" href="{base}{link}">' for link in links))
    page.wait_for_load_state("networkidle")
    assert {f"{base}{link}" for link in links} <= set(asked)


def everything_mailed(house: House) -> None:
    """Mails with every sort of link: for turns, starts, invitations, access, changes of an account,
    an end to mails, and what a stranger has sent."""
    pair = begin(house)
    pair.play(*GAME[:2])
    third = house.visitor()
    for name in ("carla", "emil"):
        third.start(name, f"friend-of-{name}@example.org")
    third.send(house.link("carla@example.org", "a"), answer="yes")
    site, now = house.site, int(time.time())
    with site.db.read() as conn:
        ada, ben = people.find(conn, ADA), people.find(conn, BEN)
    assert ada is not None
    assert ben is not None
    access.send(site, player=ada, match=pair.match, now=now)
    changes.ask_address(site, ada, "new@example.org", now)
    changes.ask_deletion(site, ben, now)
    turn = next(letter for letter in house.letters(pair.mover) if "/t/" in letter.text)
    to = message_from_bytes(turn.raw)["Reply-To"]
    letterbox.put(site.settings.data, f"From: f@example.net\nTo: {to}\n\n{GAME[2]}\n".encode())
    letterbox.empty(site)
    while worker.receive(site, Maildir(house.boxes), int(time.time())):
        pass
    house.post()
