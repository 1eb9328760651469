"""What mail programs, charsets and line ends do to one typed line; and our own words, sent back."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.drawing import LANGUAGES, Language
from service.mail.inbound import raw, text
from service.mail.inbound.cutter import Ours, ours, own, words_of
from service.mail.inbound.markup import lines_of
from service.mail.inbound.verdict import Verdict
from tests.mail.inbound import clients
from tests.mail.inbound.abroad import ATTRIBUTIONS, BLOCKS, RULES
from tests.mail.inbound.letters import Part, html, plain, quoted
from tests.mail.inbound.original import LEGAL, OTHER, SERVICE, Original, address, original

CHARSETS = ("utf-8", "iso-8859-1", "iso-8859-15", "windows-1252", "utf-16")
ENCODINGS = ("quoted-printable", "base64", "8bit")
ENDS = (b"\r\n", b"\n", b"\r")


def moves(sent: Original) -> list[str]:
    rules = sent.asked.rules
    return [rules.notate(move) for move in rules.legal_moves(sent.asked.known)]


@settings(max_examples=50)
@given(st.data())
def test_a_typed_line_is_played_however_it_travels(data: st.DataObject) -> None:
    sent = original(data.draw(st.sampled_from(LANGUAGES)))
    line = data.draw(st.sampled_from(moves(sent)))
    style = data.draw(st.sampled_from(clients.STYLES))
    letter = sent.reply(style(sent, line))
    found = sent.judge(letter.bytes().replace(b"\r\n", data.draw(st.sampled_from(ENDS))))
    assert found == Verdict("play", line=line)


@given(st.data())
def test_a_typed_line_is_played_in_every_charset_and_encoding(data: st.DataObject) -> None:
    sent = original()
    line = data.draw(st.sampled_from(moves(sent)))
    charset = data.draw(st.sampled_from(CHARSETS))
    encoding = data.draw(st.sampled_from(ENCODINGS)) if charset != "utf-16" else "base64"
    greeting = data.draw(st.sampled_from(["", "Grüße, Björn", "Schöne Züge!\n\nB."]))
    body = plain(f"{line}\n\n{greeting}\n\n{quoted(sent.text)}", charset, encoding)
    assert sent.judge(sent.reply(body).bytes()) == Verdict("play", line=line)


def unquoted(sent: Original) -> Part:
    return plain(sent.text)


def rewrapped(width: int) -> Callable[[Original], Part]:
    def body(sent: Original) -> Part:
        blocks = sent.text.split("\n\n")
        return plain("\n\n".join(textwrap.fill(block, width) for block in blocks))

    return body


def marked(sent: Original) -> Part:
    return html(sent.sheet)


ECHOES: tuple[Callable[[Original], Part], ...] = (
    unquoted,
    marked,
    *(rewrapped(width) for width in (12, 20, 33, 48, 60)),
    lambda sent: plain(quoted(sent.text)),
    lambda sent: plain(quoted(sent.text, "| ")),
    lambda sent: plain(sent.text.upper()),
    *(lambda sent, style=style: style(sent, "") for style in clients.STYLES),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("body", ECHOES, ids=itertools.count())
def test_our_own_words_come_to_nothing(
    body: Callable[[Original], Part], language: Language
) -> None:
    sent = original(language)
    found = sent.judge(sent.reply(body(sent)).bytes())
    assert (found.action, found.reason) == ("answer", "none")


def cut(typed: str, known: Ours, *plays: str) -> list[str]:
    return own(text.tidy(typed.splitlines()), known, lambda line: line in plays)


def test_the_move_that_was_told_can_be_answered_by_the_same_move() -> None:
    """The line of ours contains it; only a line of ours that is just this move would take it."""
    known = ours([words_of(["Anna zieht f1-d1 und hofft auf das Beste."])])
    assert cut("f1-d1", known, "f1-d1") == ["f1-d1"]
    assert cut("f1-d1", ours([words_of(["f1-d1"])]), "f1-d1") == []


def test_a_line_of_ours_broken_around_a_move_stays_ours() -> None:
    known = ours(
        [words_of(["Antworte mit einer Zeile, zum Beispiel so: f1-d1 und schick sie ab."])]
    )
    typed = "Antworte mit einer Zeile, zum Beispiel so:\nf1-d1\nund schick sie ab."
    assert cut(typed, known, "f1-d1") == []


def test_what_stands_below_a_signature_and_its_quote_is_read() -> None:
    assert cut("-- \nf2-d2\n> quote\nf1-d1", Ours(), "f1-d1", "f2-d2") == ["f1-d1"]


def test_a_wrapped_attribution_takes_no_move_with_it() -> None:
    typed = "Am Zug bin ich\nf1-d1\nOn Sunday Anna wrote:\n> x"
    assert cut(typed, Ours(), "f1-d1") == ["Am Zug bin ich", "f1-d1"]


US, ANSWERS = f"Fernpartie <{SERVICE}>", f"Fernpartie <{address()}>"
ANNA = "Anna <anna@example.net>"


def said(typed: str) -> Verdict:
    return original().judge(original().reply(plain(typed)).bytes())


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_what_stands_unmarked_below_the_name_of_its_writer_is_that_writers(
    attribution: str,
) -> None:
    """Ours is known by its words and by our name, so what is left of it is the author's; quoted
    line by line it ends with its last line."""
    played, sent = Verdict("play", line=LEGAL), original().text
    ours, hers = attribution.format(US), attribution.format(ANNA)
    for kept in (
        f"{LEGAL}\n\n{ours}\n\n{sent}",
        f"{ours}\n{quoted(sent)}\n{LEGAL}",
        f"{ours}\n{LEGAL}\n{quoted(sent)}",
        f"{attribution.format(ANSWERS)}\n{LEGAL}\n{quoted(sent)}",
        f"{hers}\n{quoted(OTHER)}\n{LEGAL}",
        f"{LEGAL}\n\n{hers}\n\n{OTHER}",
        f"{LEGAL}\n\n{hers}\nHallo,\n> was?\n{OTHER}",
    ):
        assert said(kept) == played, kept
    for lost in (f"{hers}\n\n{OTHER}", f"Schau:\n{hers}\nHallo,\n> was?\n{OTHER}\nAnna"):
        assert said(lost).reason == "none", lost


@pytest.mark.parametrize(
    "rule",
    [
        *RULES,
        *("\n".join(f"{one}: x" for one in block) for block in BLOCKS.values()),
        "Von: Anna <anna@example.net>\nBetreff: x",
        "Von: Anna\nDatum: 29.11.2026",
    ],
)
def test_where_another_mail_begins_the_answer_ends(rule: str) -> None:
    assert said(f"{LEGAL}\n\n{rule}\n\n{OTHER}") == Verdict("play", line=LEGAL)
    assert said(f"Schau:\n{rule}\n\n{OTHER}").reason == "none"


@pytest.mark.parametrize(
    "above",
    [
        "[EXTERN] Diese Mail kommt von außen.",
        "----- EXTERNE E-MAIL -----",
        "CAUTION: This email originated from outside.\n________________________________",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256",
    ],
)
def test_what_is_put_above_a_mail_on_its_way_does_not_end_it(above: str) -> None:
    assert said(f"{above}\n\n{LEGAL}\n") == Verdict("play", line=LEGAL)


def test_what_is_quoted_in_html_is_left_out() -> None:
    page = "<head><title>f2-d2</title></head><p>f1-d1</p><blockquote><p>f2-d2</p></blockquote>"
    assert lines_of(page) == ["f1-d1", ">"]


def test_an_unclosed_head_does_not_swallow_the_body() -> None:
    assert lines_of("<html><head><meta><body><p>f1-d1</p>") == ["f1-d1"]


def test_preformatted_lines_stay_lines() -> None:
    assert lines_of("<pre>a b\nc d</pre>e") == ["a b", "c d", "e"]


def test_a_signature_in_html_is_none_of_the_answer() -> None:
    sent = original()
    page = f'<div>{LEGAL}</div><div class="gmail_signature">{OTHER}</div>'
    assert sent.judge(sent.reply(html(page)).bytes()).line == LEGAL


def test_flowed_text_is_unfolded_within_its_quote() -> None:
    body = plain("> one \n> two\nf1-d1\n", more="; format=flowed")
    mail = raw.take(original().reply(body).bytes())
    assert text.words(mail).lines == ("> one two", "f1-d1")
