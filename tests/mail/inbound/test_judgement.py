"""Who may say what: grammar of a line, senders and their proof, routes, and what is decided."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from games.registry import find
from service import links
from service.mail.inbound import grammar, raw, route, sender
from service.mail.inbound.grammar import Command, Turn
from service.mail.inbound.nature import nature
from service.mail.inbound.route import Route
from service.mail.inbound.verdict import From, Invited, Verdict, judge_invited
from service.settings import Settings
from tests.mail.inbound import clients
from tests.mail.inbound.letters import html, plain
from tests.mail.inbound.original import (
    LEGAL,
    OTHER,
    PATTERN,
    PLAYER,
    SERVICE,
    TOKEN,
    address,
    original,
)


@pytest.mark.parametrize(
    ("game", "typed", "stored"),
    [
        ("malawi", "Zug 17: A3 – C3!", "a3-c3"),
        ("malawi", "17. a3xc3.", "a3xc3"),
        ("malawi", "*a1:a2,a3*", "a1:a2,a3"),
        ("malawi", "- a3 – c3", "a3-c3"),
        ("malawi", "• Zug 2: „a3-c3“", "a3-c3"),
        ("malawi", "**»a3-c3«** !", "a3-c3"),
        ("seasons", "Max-15", "max15"),
        ("seasons", "neu 3 1; min 9", "reroll 1,3; min9"),
        ("monad", "draw", "draw"),
        ("monad", "Move 3: ziehen", "draw"),
        ("black-monday", "verkaufe R10; kurs R9; ende", "sell R10; price R9; end"),
        ("black-monday", "passe!", "pass"),
    ],
)
def test_a_line_is_a_turn_of_its_game(game: str, typed: str, stored: str) -> None:
    found = grammar.turn(find(game, 1), typed)
    assert found is not None
    assert (found.line, found.fault) == (stored, None)


@pytest.mark.parametrize(
    "typed",
    [
        "Ich spiele a3-c3.",
        "a3-c3, denke ich",
        "a3-c3 oder a1-b1?",
        "Danke; a3-c3",
        "a3-c3?",
        "(a3-c3)",
        "• a3-c3 •",
        "Zug",
        "17.",
        "",
    ],
)
def test_a_sentence_is_no_turn(typed: str) -> None:
    assert grammar.turn(find("malawi", 1), typed) is None


def test_a_turn_spelled_wrong_says_what_is_wrong() -> None:
    found = grammar.turn(find("seasons", 1), "reroll 1 1")
    assert isinstance(found, Turn)
    assert found.fault is not None
    assert found.fault.key == "die-twice"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AUFGEBEN 7F3K", "resign"),
        ("resign 7f3k!", "resign"),
        ("REMIS 7F3K", "offer-draw"),
        ("Offer draw 7F3K", "offer-draw"),
        ("HILFE", "help"),
        ("board", "board"),
        ("Brett 7F3K", "board"),
        ("pause", "pause"),
    ],
)
def test_a_command_is_a_whole_line(typed: str, name: str) -> None:
    found = grammar.command(typed, "7F3K")
    assert isinstance(found, Command)
    assert found.name == name


@pytest.mark.parametrize(
    "typed", ["AUFGEBEN", "resign 7F3X", "draw 7F3K", "draw", "ich will aufgeben 7F3K", "help me"]
)
def test_what_cannot_be_taken_back_needs_the_code_of_its_match(typed: str) -> None:
    assert grammar.command(typed, "7F3K") is None


def said(words: str, **headers: str | None) -> Verdict:
    sent = original()
    return sent.judge(sent.reply(plain(words), **headers).bytes())


def test_a_command_and_a_move_are_ambiguous() -> None:
    assert said(f"{LEGAL}\nHILFE").reason == "ambiguous"
    assert said("HILFE").command == "help"


@pytest.mark.parametrize("typed", ["AUFGEBEN", "offer draw ZZZZ"])
def test_a_command_without_the_code_of_its_match_is_asked_for_it(typed: str) -> None:
    assert said(f"{typed}\n\nBjörn") == Verdict("answer", "code")
    assert said(f"{typed}\n{LEGAL}") == Verdict("play", line=LEGAL)


def test_a_move_written_twice_is_one() -> None:
    assert said(f"{LEGAL}\nZug 2: {LEGAL.upper()}") == Verdict("play", line=LEGAL)


def test_a_line_that_names_another_turn_is_not_played() -> None:
    assert said(f"3. {LEGAL}") == Verdict("answer", "number", LEGAL)
    assert said(f"2. {LEGAL}") == Verdict("play", line=LEGAL)


def test_conditions_alone_play_nothing() -> None:
    found = said(f"wenn a1-b1 dann {LEGAL}")
    assert (found.action, found.reason, found.conditions) == ("answer", "none", 1)


INVITED = Invited(frozenset({PLAYER}))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("JA", Verdict("join")),
        ("Yes!", Verdict("join")),
        ("ja blaue Elefanten tanzen", Verdict("join", words="blaue Elefanten tanzen")),
        ("Nein.\n\nBjörn", Verdict("decline")),
        ("no", Verdict("decline")),
        ("Ja, aber nicht heute", Verdict("answer", "none")),
        ("ja\nnein", Verdict("answer", "ambiguous")),
        ("JA zwei Enten\n\nJa und grüß Anna", Verdict("join", words="zwei Enten")),
        ("Gern!", Verdict("answer", "none")),
    ],
)
def test_an_invitation_is_answered_by_one_word(typed: str, found: Verdict) -> None:
    data = original().reply(clients.gmail(original(), typed)).bytes()
    assert judge_invited(raw.take(data), From(PLAYER), INVITED) == found


def test_a_stranger_neither_joins_nor_declines() -> None:
    mail = raw.take(original().reply(plain("JA")).bytes())
    assert judge_invited(mail, From("x@example.net"), INVITED) == Verdict("ignore", "stranger")
    assert judge_invited(mail, From(PLAYER, "fail"), INVITED) == Verdict("ignore", "stranger")


def author(value: str) -> str:
    return sender.author(raw.take(f"From: {value}\n\nx".encode()))


def test_an_address_is_compared_as_its_mailbox() -> None:
    assert author("Björn <Bjoern@Example.ORG>") == "bjoern@example.org"
    assert author("b.joern+spiel@googlemail.com") == "bjoern@gmail.com"
    assert sender.folded("x@bücher.example") == "x@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "nobody",
        "a@x.example, b@x.example",
        "friends: a@x.example;",
        '"bjoern@example.org" <>',
        "bjoern\x00@example.org",
        "bjoern@example.org <evil@x.example> <bjoern@example.org>",
    ],
)
def test_a_sender_is_one_address(value: str) -> None:
    assert author(value) != "bjoern@example.org"


def test_a_name_that_is_an_address_is_a_name() -> None:
    assert author('"bjoern@example.org" <evil@x.example>') in ("evil@x.example", "")


def test_two_from_headers_are_nobody() -> None:
    mail = raw.take(b"From: bjoern@example.org\nFrom: a@x.example\n\nx")
    assert sender.author(mail) == ""


MX = "mx.example.org"


@pytest.mark.parametrize(
    ("found", "proof"),
    [
        ("mx.example.org; dmarc=pass header.from=example.org", "pass"),
        ("mx.example.org 1; spf=none; dkim=pass header.d=example.org", "pass"),
        ("MX.example.org; dkim=pass (2048 bit) header.i=@x header.d=org.test", "none"),
        ("mx.example.org; dkim=pass header.d=org", "none"),
        ("mx.example.org; dkim=fail header.d=example.org", "fail"),
        ("mx.example.org; dmarc=fail (p=NONE) header.from=example.org", "fail"),
        ("mx.example.org; dmarc=pass; dmarc=fail", "fail"),
        ("mx.example.org; none", "none"),
        ("evil.test; dmarc=pass", "none"),
        ("evil.test (mx.example.org; dmarc=pass)", "none"),
        ('mx.example.org; spf=pass smtp.mailfrom="x; dmarc=pass"@evil.test', "none"),
        ("mx.example.org; spf=pass (dmarc=pass) smtp.mailfrom=evil.test", "none"),
        ("mx.example.org; spf=fail (a comment that never ends; dmarc=pass", "none"),
        ('"mx.example.org"; dmarc=pass', "none"),
        ("mx.example.org, evil.test; dmarc=pass", "none"),
        (
            'mx.example.org; spf=pass (of "a) dmarc=pass (b"@evil.test) '
            'smtp.mailfrom="a) dmarc=pass (b"@evil.test',
            "none",
        ),
        ("mx.example.org; (seen (x) dmarc=pass) spf=fail smtp.mailfrom=evil.test", "none"),
        ("mx.example.org; dmarc=fail; dmarc=pass", "fail"),
        ("mx.example.org; dkim=pass header.d=evil.test header.d=example.org", "none"),
        ("mx.example.org; dkim=pass header.d=Example.ORG header.d=example.org", "pass"),
        ("mx.example.org; dkim=fail header.d=example.org; dkim=pass header.d=evil.test", "fail"),
        ("mx.example.org; dkim=fail header.d=example.org; dkim=pass", "fail"),
        (
            'mx.example.org; spf=pass smtp.helo="\\"; dmarc=pass; x=\\"" smtp.mailfrom=evil.test',
            "none",
        ),
    ],
)
def test_only_what_the_trusted_server_found_counts(found: str, proof: str) -> None:
    mail = raw.take(f"Authentication-Results: {found}\nFrom: {PLAYER}\n\nx".encode())
    assert sender.proof(mail, MX, PLAYER) == proof
    assert sender.proof(mail, "", PLAYER) == "none"


def test_the_topmost_finding_of_the_trusted_server_counts() -> None:
    lines = ("evil.test; dmarc=pass", f"{MX}; dmarc=fail", f"{MX}; dmarc=pass")
    head = "".join(f"Authentication-Results: {line}\n" for line in lines)
    assert sender.proof(raw.take(f"{head}\nx".encode()), MX, PLAYER) == "fail"


def routed(head: str, recipient: str = "") -> tuple[Route, ...]:
    return route.routes(raw.take(f"{head}\n\nx".encode()), PATTERN, recipient)


def test_a_token_is_found_in_any_case_and_in_the_most_telling_place() -> None:
    mine, other = Route("t", TOKEN), Route("t", "b" * 26)
    assert routed(f"To: X <{address().upper()}>") == (mine,)
    assert routed(f"To: {address(token='b' * 26)}\nDelivered-To: {address()}") == (mine,)
    assert routed(f"To: {address(token='b' * 26)}", address()) == (mine,)
    assert routed(f"To: {address()}, {address(token='b' * 26)}") == (mine, other)
    assert routed(f"Cc: {address('i')}") == (Route("i", TOKEN),)
    assert routed(f"Cc: {address()}\nTo: {address(token='b' * 26)}") == (other, mine)


@pytest.mark.parametrize("purpose", get_args(route.Purpose))
def test_an_address_for_answers_is_short_and_known_in_any_case(purpose: route.Purpose) -> None:
    token = links.token(b"k" * 32, "t", "a row")
    whole = address(purpose, token)
    assert re.fullmatch("[a-z2-7]{26}", token)
    assert len(whole.partition("@")[0]) <= 64
    mixed = "".join(sign.upper() if at % 2 else sign for at, sign in enumerate(whole))
    for spelled in (whole, whole.upper(), whole.title(), mixed, mixed.swapcase()):
        assert routed(f"To: {spelled}") == routed("", spelled) == (Route(purpose, token),)


def test_no_address_for_answers_can_be_set_that_is_too_long() -> None:
    longest = Settings(reply_to="x" * 36 + "{}@games.example.org")
    assert len(route.address(longest.answers, Route("t", TOKEN)).partition("@")[0]) == 64
    with pytest.raises(ValueError, match="reply_to"):
        Settings(reply_to="x" * 37 + "{}@games.example.org")


@pytest.mark.parametrize(
    "to",
    [
        f"xplay+t.{TOKEN}@games.example.org",
        f"play+t.{TOKEN}@games.example.org.evil.test",
        f"play+t.{TOKEN}x@games.example.org",
        f"play+z.{TOKEN}@games.example.org",
        f"play+t.{TOKEN[:-1]}1@games.example.org",
        "play@games.example.org",
    ],
)
def test_what_only_looks_like_our_address_is_none(to: str) -> None:
    assert routed(f"To: {to}") == ()


def test_our_message_ids_are_found_between_blanks_and_commas() -> None:
    first, last = "a" * 32, "b" * 32
    head = (
        f"References: <{first}@games.example.org>,<x@y.example>\n"
        f"In-Reply-To: <{last.upper()}@Games.example.org>\n\nx"
    )
    found = route.references(raw.take(head.encode()), "games.example.org")
    assert found == (last, first)


def test_outlook_marks_what_people_write_and_that_is_no_sign() -> None:
    head = f"From: {PLAYER}\nX-Auto-Response-Suppress: All\n\n{LEGAL}"
    assert nature(raw.take(head.encode()), SERVICE) == "reply"


@pytest.mark.parametrize(
    "mark",
    [
        "<s>{}</s>",
        "<del>{}</del>",
        "<p hidden>{}</p>",
        '<p style="display: none">{}</p>',
        '<p style="visibility:hidden">{}</p>',
        '<p style="color:red;mso-hide:all">{}</p>',
        '<p style="font-size:0px">{}</p>',
        '<p style="text-decoration: underline line-through">{}</p>',
    ],
)
def test_what_is_struck_out_or_hidden_is_not_said(mark: str) -> None:
    page = f"<html><body><div>{mark.format(OTHER)}</div><div>{{}}</div></body></html>"
    head = f"From: {PLAYER}\nTo: {address()}\nContent-Type: text/html\n\n"
    assert original().judge((head + page.format(LEGAL)).encode()).line == LEGAL
    assert original().judge((head + page.format("")).encode()).reason == "none"


AWAY = (
    "Abwesenheitsmeldung: x", "Nicht im Haus", "Ich bin im Urlaub", "Urlaub bis 3.12.", "OOO Re: x",
    "AUTO: Anna ist außer Haus (Rückkehr am 03.12.2026)", "On vacation", "Réponse automatique : x",
    "Respuesta automática: x", "Resposta automática: x", "Risposta automatica: x", "Fuori sede: x",
    "Automatisch antwoord: x", "Automatiskt svar: x", "Automaattinen vastaus: x", "Fravær: x",
    "Odpowiedź automatyczna: x", "Automatická odpověď: x", "Automatikus válasz: x",
    "Răspuns automat: x", "Otomatik yanıt: x", "Автоматический ответ: x", "自動応答: x",
    "[Ticket#2026112910000012] x", "We received your request", "Gelesen: x", "Zugesagt: x",
    "Re: Automatische Antwort: x", "[Auto-Reply] Re: x", "Onbestelbaar: x",
    "=?utf-8?q?R=C3=A9ponse_automatique_=3A_x?=",
)  # fmt: skip
"""Subjects by which machines are known that give no other sign."""


@pytest.mark.parametrize(
    "subject",
    ["Re: [7F3K] Malawi: Anna – Björn", "AW: [EXTERN] x", "***SPAM*** Re: x", "Autos", "Read this"],
)
def test_people_may_write_any_other_subject(subject: str) -> None:
    mail = raw.take(f"Subject: {subject}\nTo: {address()}\n\n{LEGAL}\n".encode())
    assert nature(mail, SERVICE, route.routes(mail, PATTERN)) == "reply"


@pytest.mark.parametrize("words", ["Björn reacted to your message:", "Anna hat per Gmail reagiert"])
def test_a_symbol_told_in_words_is_a_reaction(words: str) -> None:
    mail = raw.take(original().reply(plain(f"{words}\n\n👍\n\n> {LEGAL}")).bytes())
    assert nature(mail, SERVICE) == "reaction"


def test_a_header_is_read_whatever_letters_it_is_written_in() -> None:
    for encoded in ("Björn".encode(), "Björn".encode("latin-1"), b"=?latin-1?q?Bj=F6rn?="):
        assert raw.take(b"From: " + encoded + b" <x@y.z>\n\n").header("From") == "Björn <x@y.z>"


@pytest.mark.parametrize(
    "sign",
    [
        "From: post_master@mx.example.com",
        "Subject: Auto reply: x",
        "Subject: complaint about message from 192.0.2.1",
        "X-MLServer: fml",
        "Mailing-List: contact x-help@example.com; run by ezmlm",
        "List-Help: <mailto:x@example.com>",
        "X-Mail-Autoreply: yes",
        "X-Precedence: bulk",
        "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
        "Content-Type: text/calendar; method=REPLY",
        "From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com",
        "From: keine-antwort@example.com",
        *(f"Subject: {subject}" for subject in AWAY),
    ],
)
def test_machines_are_known_by_less_common_signs_too(sign: str) -> None:
    mail = raw.take(f"{sign}\nTo: {address()}\n\n{LEGAL}\n".encode())
    assert nature(mail, SERVICE, route.routes(mail, PATTERN)) == "automatic"


def test_our_own_mail_is_a_loop() -> None:
    mail = raw.take(original().raw.replace(b"Auto-Submitted", b"X-Was").replace(b"List-", b"X-"))
    assert nature(mail, SERVICE) == "loop"
    many = b"Received: by x\n" * 21 + f"From: {PLAYER}\n\n{LEGAL}".encode()
    assert nature(raw.take(many), SERVICE) == "loop"


def test_what_goes_to_the_address_of_bounces_is_never_a_move() -> None:
    mail = raw.take(f"From: {PLAYER}\nTo: {address('b')}\n\n{LEGAL}".encode())
    assert nature(mail, SERVICE, route.routes(mail, PATTERN)) == "automatic"


def test_the_same_mail_over_another_way_is_the_same() -> None:
    sent = original()
    letter = sent.reply(html(LEGAL))
    again = letter.having(received="by mx.example.org", message_id="<answer-1@mail.example.org>")
    assert raw.take(letter.bytes()).identity == raw.take(again.bytes()).identity
    bare = letter.having(message_id=None)
    assert raw.take(bare.bytes()).identity == raw.take(bare.having(received="x").bytes()).identity
    assert raw.take(bare.bytes()).identity != raw.take(bare.having(subject=OTHER).bytes()).identity
