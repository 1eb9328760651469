"""What mails say about time: until when, how long that is, pauses, and seats that left."""

from __future__ import annotations

import pytest

from games.log.record import ActKind
from service import matches, overdue, play
from service.clock import JOIN, NOTICE
from service.mail.compose import compose
from service.site import Site
from tests.mail.play import NOON, Table, html_of, read, text_of
from tests.service.table import NOW, look, mails, three

HOUR = 3_600
DAY = 86_400


def table(site: Site, language: str, clock: str) -> Table:
    """A match whose first turn has been mailed."""
    table = Table(site, language, clock=clock)
    table.begin()
    return table


def act(table: Table, seat: int, kind: ActKind) -> None:
    n = look(table.site, table.match).row.n
    play.act(table.site, match=table.match, seat=seat, act=kind, on=n, via="web", now=table.now)


def last(table: Table, kind: str) -> tuple[int, str]:
    """Whom the newest mail of a kind goes to, and what it says."""
    row = table.row(kind)
    mail = read(compose(table.site, row, table.now))
    words = " ".join(text_of(mail).split())
    assert all(part in " ".join(html_of(mail).split()) for part in words.split(". ")[1:2])
    return row.seat or 0, words


@pytest.mark.parametrize(
    ("language", "control", "words"),
    [
        ("de", "7d", "Zug bis: Sonntag, 6. Dezember 2026, 13:00 Uhr (MEZ), in 7 Tagen."),
        ("en", "36h", "Answer by: Tuesday, 1 December 2026, 01:00 (CET), in 36 hours."),
        (
            "en",
            "2d weekends off Europe/Berlin",
            "Answer by: Wednesday, 2 December 2026, 00:00 (CET), in 2 days.",
        ),
        ("de", "none", "Zug bis: ohne Zeitbegrenzung."),
    ],
)
def test_a_turn_mail_says_until_when_and_how_long_that_is(
    site: Site, language: str, control: str, words: str
) -> None:
    _, text = last(table(site, language, control), "turn")
    assert words in text


def test_a_turn_mail_written_late_says_how_long_there_is_then(site: Site) -> None:
    mine = table(site, "en", "7d")
    mine.now = NOON + 6 * DAY - HOUR
    assert "6 December 2026, 13:00 (CET), in 25 hours." in last(mine, "turn")[1]


@pytest.mark.parametrize(
    ("language", "start", "first", "until"),
    [
        (
            "en",
            "Time to think: 10 days to begin with, 36 hours more after every turn, never above 10",
            "The time of the first turn begins when the last player has joined.",
            "The invitation stands until Tuesday, 29 December 2026, 13:00 (CET).",
        ),
        (
            "de",
            "Bedenkzeit: 10 Tage zu Beginn, nach jedem Zug 36 Stunden dazu, nie mehr als 10 Tage",
            "Die Zeit des ersten Zuges beginnt, wenn der Letzte beigetreten ist.",
            "Dienstag, 29. Dezember 2026, 13:00 Uhr (MEZ)",
        ),
    ],
)
def test_an_invitation_tells_the_clock_and_until_when_it_stands(
    site: Site, language: str, start: str, first: str, until: str
) -> None:
    mine = Table(site, language, clock="10d+36h cap 10d")
    mine.ask()
    mine.confirm()
    _, text = last(mine, "invitation")
    assert start in text
    assert first in text
    assert until in text


@pytest.mark.parametrize(
    ("language", "asked", "holds", "over", "paused", "off"),
    [
        (
            "en",
            "wants a pause. If you agree, say so on the page of the match",
            "All agree now: the match is paused",
            "The clocks run on from Monday, 30 November 2026, 13:00 (CET).",
            "no deadline: the match is paused",
            "So there is no pause",
        ),
        (
            "de",
            "möchte eine Pause. Bist du einverstanden, sag es auf der Seite der Partie",
            "Nun sind alle einverstanden: Die Partie pausiert",
            "Die Uhren laufen weiter ab Montag, 30. November 2026, 13:00 Uhr (MEZ).",
            "keine Frist: Die Partie pausiert",
            "Es gibt also keine Pause",
        ),
    ],
)
def test_a_pause_is_mailed_to_the_other(
    site: Site, language: str, asked: str, holds: str, over: str, paused: str, off: str
) -> None:
    mine = table(site, language, "7d")
    act(mine, 2, "pause")
    seat, text = last(mine, "pause")
    assert (seat, asked in text) == (1, True)
    act(mine, 1, "resume")
    seat, text = last(mine, "pause")
    assert (seat, off in text) == (2, True)
    act(mine, 2, "pause")
    act(mine, 1, "pause")
    seat, text = last(mine, "pause")
    assert (seat, holds in text) == (2, True)
    assert paused in last(mine, "turn")[1]
    act(mine, 2, "resume")
    seat, text = last(mine, "pause")
    assert (seat, over in text) == (1, True)
    assert look(site, mine.match).row.deadline == NOON + NOTICE + 7 * DAY
    turn = table_turn_expires(mine)
    assert turn == NOON + NOTICE + 7 * DAY


def table_turn_expires(table: Table) -> int | None:
    return table.row("turn").expires


def test_who_ran_out_of_time_and_the_others_hear_that_the_match_goes_on(site: Site) -> None:
    match = three(site, clock="2d")
    mails(site)
    late = look(site, match).mover
    over = NOW + 2 * DAY + play.GRACE
    (due,) = overdue.find(site, over)
    assert overdue.end(site, due, over)
    told = {row.seat: row for row in mails(site, now=over) if row.seat}
    assert sorted(told) == [1, 2, 3]
    mover = look(site, match).mover
    assert told[mover].kind == "turn"
    for seat, row in told.items():
        text = " ".join(text_of(read(compose(site, row, over))).split())
        assert "ran out of time" in text or "ist abgelaufen" in text, text
        assert ("goes on without you" in text or "ohne dich weiter" in text) == (seat == late)
    with site.db.read() as conn:
        assert matches.find(conn, match).deadline == over + 2 * DAY


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Not everybody joined the match"), ("de", "Nicht alle sind der Partie")],
)
def test_a_match_that_does_not_take_place_is_called_off(
    site: Site, language: str, words: str
) -> None:
    mine = Table(site, language)
    mine.ask()
    mine.confirm()
    mine.now += JOIN
    (due,) = overdue.find(site, mine.now)
    assert overdue.end(site, due, mine.now)
    assert words in last(mine, "void")[1]
