"""A match through its pages."""

from __future__ import annotations

from tests.web.people import House, begin


def test_a_turn_is_sent_over_the_link_of_its_mail(house: House) -> None:
    pair = begin(house)
    sent = pair.turn("a1-c1")
    assert sent.status_code == 303
    assert sent.headers["Location"].startswith(f"/m/{pair.match}?sent=")
