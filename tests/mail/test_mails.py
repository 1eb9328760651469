"""Every kind of mail, as it leaves the house."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import parseaddr
from html import unescape
from html.parser import HTMLParser
from io import BytesIO

import html5lib
import pytest
from PIL import Image, ImageChops

from games.core.drawing import Reader
from games.core.rules import complete
from games.log import note
from games.log.head import parse_head
from games.registry import drawing, games, newest
from service.cache import Cache
from service.kinds import KINDS
from service.mail import story
from service.mail.compose import compose
from service.mail.inbound import grammar
from service.mail.picture import picture
from service.mail.wire import TOKENS
from service.site import Site
from tests.mail.conftest import NAMES, Sent
from tests.mail.play import NOON, Table, html_of, read, text_of
from tests.mail.recorder import Recorder

THREADED = {"turn", "reminder", "news", "result", "declined", "void", "left", "pause", "message"}
REPLYING = {"ack", "answer", "hold"}
"""Kinds that answer a mail."""
STOPPED = {"invitation", "digest", *THREADED}
"""Kinds with a link that unsubscribes."""
PICTURED = {"turn", "reminder", "news", "result", "left"}
SIGNED = {"invitation", "turn", "result", "void", "left", "pause"}
ANSWERED = {"invitation", "turn", "reminder", "digest", "answer"}
BUTTONLESS = {"void", "ack"}
ADDRESS = re.compile(r"play\+[tid]\.[a-z2-7]{26}@games\.example\.org")
URL = re.compile(r"https?://\S+")
QUOTES = ("", ">", "> ", ">> ", "| ", "  ")


def test_every_kind_is_here(mails: list[Sent]) -> None:
    assert {sent.kind for sent in mails} == set(KINDS)


def test_headers_are_those_of_the_table(mails: list[Sent]) -> None:
    for sent in mails:
        names = {name.lower() for name in sent.mail}
        expected = {"from", "to", "subject", "date", "message-id", "mime-version", "content-type"}
        expected |= {"auto-submitted", "x-auto-response-suppress"}
        if sent.kind in THREADED | REPLYING:
            expected |= {"list-id"} if sent.row.match else set()
            expected |= {"in-reply-to", "references"}
        if sent.kind in ANSWERED:
            expected |= {"reply-to"}
            assert ADDRESS.fullmatch(sent.mail["Reply-To"].addresses[0].addr_spec)
        if sent.kind in STOPPED:
            expected |= {"list-unsubscribe", "list-unsubscribe-post"}
            assert sent.mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert names == expected
        submitted = "auto-replied" if sent.kind in REPLYING else "auto-generated"
        assert sent.mail["Auto-Submitted"] == submitted
        assert sent.mail["X-Auto-Response-Suppress"] == "OOF, AutoReply, RN, NRN"
        assert sent.mail["From"] == "Fernpartie <play@games.example.org>"
        assert sent.mail["Message-ID"] == f"<{sent.row.message_id}@games.example.org>"


def test_mails_of_a_match_hang_on_the_one_before(mails: list[Sent]) -> None:
    before: dict[tuple[str | None, str], str] = {}
    for sent in mails:
        row = sent.row
        if row.kind in THREADED and row.about.game == "malawi":
            root = f"<m.{str(row.match)[2:]}.{row.seat or 0}@games.example.org>"
            last = before.get((row.match, row.address))
            assert sent.mail["In-Reply-To"] == (last or root)
            assert sent.mail["References"] == (f"{root} {last}" if last else root)
        if row.kind in REPLYING:
            assert re.fullmatch(r"<\d+@mail\.example\.org>", sent.mail["In-Reply-To"])
            assert sent.mail["References"].endswith(sent.mail["In-Reply-To"])
        if row.kind != "access":
            before[row.match, row.address] = sent.mail["Message-ID"]


def test_all_mails_of_a_match_have_one_subject_so_that_they_stay_together(
    mails: list[Sent],
) -> None:
    """What is new stands in their first line instead."""
    news = {
        "turn": "your move|Du bist dran",
        "result": "You have (won!|lost.)|Du hast (gewonnen!|verloren.)",
    }
    kinds = (THREADED | REPLYING) - {"declined", "void"}
    told = [sent for sent in mails if sent.row.match and sent.kind in kinds]
    assert {*news, "news", "ack", "answer"} <= {sent.kind for sent in told}
    subjects = {(sent.row.match, sent.mail["Subject"]) for sent in told}
    assert len(subjects) == len({sent.row.match for sent in told})
    assert all(re.fullmatch(r"\[[0-9A-Z]{4}\] \S.*: \S.* – \S.*", said) for _, said in subjects)
    for sent in told:
        body = text_of(sent.mail).partition("##\n\n")[2] or text_of(sent.mail)
        assert re.search(news.get(sent.kind, ""), body.partition("\n\n")[0])


def test_semicolons_are_spoken_of_only_where_another_move_may_follow(mails: list[Sent]) -> None:
    said: dict[str, set[bool]] = {}
    for sent in mails:
        if sent.kind == "turn":
            text = text_of(sent.mail)
            said.setdefault(sent.row.about.game, set()).add(
                "Semikolon" in text or "semicolon" in text
            )
    assert said["malawi"] == {False}
    assert any(True in found for found in said.values())


def test_seven_bits_and_short_lines(mails: list[Sent]) -> None:
    for sent in mails:
        assert sent.raw.isascii()
        assert b"\n" not in sent.raw.replace(b"\r\n", b"")
        assert b"\r" not in sent.raw.replace(b"\r\n", b"")
        assert max(map(len, sent.raw.split(b"\r\n"))) <= 78
        assert b"\0" not in sent.raw


def test_long_addresses_and_names_of_mails_stay_whole_in_every_kind(mails: list[Sent]) -> None:
    """A link of 200 characters and more, and Message-IDs of 120: ours, and that of the mail that is
    answered."""
    domain = ".".join(("x" * 60, "y" * 16, "example"))
    base = f"https://{'.'.join('z' * 60 for _ in range(3))}.example"
    own = {"mail_from": f"play@{domain}", "base_url": base, "reply_to": f"play+{{}}@{domain}"}
    answered = f"<{'a' * 101}@mail.example.org>"
    for sent in {sent.kind: sent for sent in mails}.values():
        site = replace(sent.site, settings=sent.site.settings.model_copy(update=own))
        about = sent.row.about
        if about.reply is not None:
            about = replace(about, reply=replace(about.reply, to=answered))
        raw = compose(site, replace(sent.row, snapshot=about.text()), NOON)
        assert raw.isascii()
        assert max(map(len, raw.split(b"\r\n"))) <= 998
        assert all(len(word) <= 75 for word in re.findall(rb"=\?utf-8\?b\?.*?\?=", raw))
        new, old = read(raw), message_from_bytes(raw)
        for name in TOKENS & {name.lower() for name in new}:
            assert "=?" not in old[name]
            assert "".join(old[name].split()) == "".join(new[name].split())
        assert len(new["Message-ID"]) == len(answered) == 120
        assert new["Message-ID"] == f"<{sent.row.message_id}@{domain}>"
        if sent.kind in STOPPED:
            page, mailbox = new["List-Unsubscribe"].split(", ")
            assert re.fullmatch(rf"<{base}/u/[a-z2-7]{{26}}>", page)
            assert len(page) > 200
            assert re.fullmatch(rf"<mailto:play\+u\.[a-z2-7]{{26}}@{domain}>", mailbox)
        if sent.kind in REPLYING:
            assert new["In-Reply-To"] == answered
        assert str(make_header(decode_header(old["Subject"]))) == new["Subject"]
        assert parseaddr(old["From"])[1] == new["From"].addresses[0].addr_spec == f"play@{domain}"


def test_readers_old_and_new_find_no_fault(mails: list[Sent]) -> None:
    for sent in mails:
        old = message_from_bytes(sent.raw)
        for part in (*sent.mail.walk(), *old.walk()):
            assert part.defects == []
        for header in sent.mail.values():
            assert not getattr(header, "defects", ())
        name, address = parseaddr(old["To"])
        assert address == sent.row.address
        assert str(make_header(decode_header(name))) in (*NAMES, "Carla", "")
        assert str(make_header(decode_header(old["Subject"]))) == sent.mail["Subject"]


def test_text_stands_in_72_columns(mails: list[Sent]) -> None:
    for sent in mails:
        for text in text_of(sent.mail).split("\n"):
            assert len(text) <= 72 or URL.search(text)
            assert text == text.rstrip()
            assert not text.startswith((">", "From ", "--"))


def test_the_text_says_all_that_the_html_says(mails: list[Sent]) -> None:
    for sent in mails:
        text = text_of(sent.mail)
        links = set(re.findall(r'href="([^"]+)"', html_of(sent.mail)))
        assert links <= set(URL.findall(text))
        if sent.kind == "void" or sent.row.about.game == "seasons":  # long names are cut there
            continue
        for name in NAMES:
            shown = _shown(html_of(sent.mail))
            assert (name in " ".join(shown.split())) == (name in " ".join(text.split()))


def _shown(html: str) -> str:
    parser = Words()
    parser.feed(html)
    told = (unescape(alt) for alt in re.findall(r'alt="([^"]*)"', html))
    return " ".join((*parser.words, *told))


class Words(HTMLParser):
    """The text of a page, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.hidden = tag in ("style", "title")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = False

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.words.append(data)


def test_html_is_valid_and_brings_nothing_from_elsewhere(mails: list[Sent]) -> None:
    for sent in mails:
        html = html_of(sent.mail)
        html5lib.HTMLParser(strict=True).parse(html)
        assert f'<html lang="{sent.language}">' in html
        assert not re.search(r"<(script|link|iframe|svg|b)\b|url\(|\bon\w+=", html)
        assert {src.split(":")[0] for src in re.findall(r'src="([^"]*)"', html)} <= {"cid"}
        assert max(map(len, html.split("\n"))) <= 900
        closed = sent.kind == "answer" and not sent.mail["Reply-To"]
        several = sent.kind in ("digest", "answer")
        buttons = min(html.count('class="send"'), 1 if several else 9)
        assert (buttons == 1) == (sent.kind not in BUTTONLESS and not closed)


def test_the_board_comes_along_as_a_picture(mails: list[Sent]) -> None:
    for sent in mails:
        parts = [part for part in sent.mail.walk() if part.get_content_type() == "image/png"]
        if sent.kind not in REPLYING:
            assert len(parts) == (sent.kind in PICTURED)
        assert len(parts) == html_of(sent.mail).count("<img")
        for part in parts:
            image = Image.open(BytesIO(part.get_content()))
            assert image.size[0] in (1040, 720, 520)
            assert "transparency" not in image.info
            assert len(image.convert("RGB").getcolors(100) or ()) in range(8, 25)
            assert part.get_content_disposition() == "inline"
            assert f'src="cid:{part["Content-ID"][1:-1]}"' in html_of(sent.mail)
            (alt,) = re.findall(r'alt="([^"]*)"', html_of(sent.mail))
            assert len(alt) > 100
            assert len(part.get_content()) <= 40_000


def test_a_picture_has_its_letters_on_a_machine_without_fonts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are drawn with the fonts that come along, and with no other."""
    game = "seasons"
    rules, reader = newest(game), Reader("de", NAMES, 1)
    state = rules.setup(2, complete(rules, 2, {}))
    svg = drawing(game).svg(rules.view(rules.known(state, 1), 1), reader)
    mute = re.sub(r"<text\b.*?</text>", "", svg, flags=re.DOTALL)
    assert mute != svg
    lettered, bare = (Image.open(BytesIO(picture(one).png)) for one in (svg, mute))
    changed = ImageChops.difference(lettered.convert("L"), bare.convert("L"))
    assert sum(changed.histogram()[64:]) > 500
    monkeypatch.setattr("service.mail.picture.FONTS", [])
    picture.cache_clear()
    assert picture(svg).png == picture(mute).png
    picture.cache_clear()


def test_a_personal_link_is_there_once(mails: list[Sent]) -> None:
    path = {"confirm": "a", "access": "a", "invitation": "i", "turn": "t", "digest": "t"}
    path |= {"reminder": "t", "answer": "t", "hold": "h"}
    path |= {"change": "c", "arrival": "c", "deletion": "c"}
    for sent in mails:
        found = re.findall(r"/([a-z])/([a-z2-7]{26})\b", text_of(sent.mail))
        left = ["u"] * (sent.kind in STOPPED)
        ways = [where for where, _ in found]
        listed = list(dict.fromkeys(ways)) if sent.row.match is None else ways
        assert listed == [*path.get(sent.kind, ""), *left]
        if found:
            assert html_of(sent.mail).count(found[0][1]) == 1


def test_sizes_keep_the_budget(mails: list[Sent]) -> None:
    for sent in mails:
        assert len(text_of(sent.mail)) <= 6_000
        assert len(html_of(sent.mail)) <= 30_000
        assert len(sent.raw) <= 120_000


def test_a_signed_head_goes_along(mails: list[Sent]) -> None:
    for sent in mails:
        attached = [part for part in sent.mail.walk() if part.get_filename("").endswith(".head")]
        assert len(attached) == (sent.kind in SIGNED)
        for part in attached:
            assert part["Content-Transfer-Encoding"] == "base64"
            assert part.get_content_type() == "text/plain"
            assert sent.row.record is not None
            count = sent.row.record + 1
            assert part.get_filename() == f"{sent.row.match}-{count}.head"
            signed = note.parse(part.get_payload(decode=True).decode())  # type: ignore[union-attr]
            head = parse_head(signed.text)
            assert (head.m, head.count) == (sent.row.match, count)
            assert part.get_filename() in text_of(sent.mail).replace("\n", " ")


def test_no_line_of_ours_is_a_move_of_any_game(mails: list[Sent]) -> None:
    for sent in mails:
        lines = [*text_of(sent.mail).split("\n"), *_shown(html_of(sent.mail)).split("\n")]
        parser = Words()
        parser.feed(html_of(sent.mail))
        for text in {*lines, *parser.words, *rewrapped(text_of(sent.mail), 72)}:
            for said in {text.strip("> |"), *(quote + text for quote in QUOTES)}:
                assert grammar.command(said, sent.row.about.code) is None, said
                assert grammar.consent(said) is None, said
                for game in games():
                    assert grammar.turn(newest(game), said) is None, said


def rewrapped(text: str, width: int) -> list[str]:
    """The text as a program breaks it that keeps the lines it finds."""
    return [part for long in text.split("\n") for part in (long[:width], long[width:]) if part]


def test_mails_speak_the_language_of_their_reader(mails: list[Sent]) -> None:
    german = re.compile(r"\b(du|dich|deine?|ist|Partie)\b", re.IGNORECASE)
    english = re.compile(r"\b(you|your|the|is|match)\b", re.IGNORECASE)
    for sent in mails:
        said = text_of(sent.mail)
        for name in (*NAMES, "Seasons of the Sun", "reply ABOVE this line"):
            said = said.replace(name, "")
        ours, theirs = (german, english) if sent.language == "de" else (english, german)
        assert ours.search(said)
        assert not theirs.search(URL.sub("", said))


def test_the_same_row_gives_the_same_bytes(site: Site) -> None:
    table = Table(site)
    table.begin()
    row = table.row("turn")

    assert compose(site, row, NOON) == compose(site, row, NOON)
    assert compose(site, row, NOON) != compose(site, row, NOON + 1)


def test_a_late_mail_shows_the_position_it_is_about(site: Site) -> None:
    table = Table(site)
    table.begin()
    row = table.row("turn")
    before = compose(site, row, NOON)
    table.move("a1-c1")
    table.move("f2-d2")

    assert text_of(read(compose(site, row, NOON))) == text_of(read(before))


def test_a_turn_mail_tells_what_happened_since_the_own_last_turn(site: Site) -> None:
    table = Table(site, "en", ("Anna", "Ben"))
    table.begin()
    for move in ("a1-c1", "f2-d2", "c1-e1"):
        table.move(move)
    text = text_of(read(compose(site, table.row("turn"), table.now)))

    assert text.split("\n")[2].startswith("Turn 2: it is your move, ")
    assert "c1-e1" in text
    assert not any(old in text for old in ("a1-c1", "f2-d2", "The lot decided"))


def test_a_mail_says_the_same_from_the_cache_and_from_the_log(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(site)
    table.begin()
    for move in ("a1-c1", "f2-d2", "c1-e1", "d2-b2"):
        compose(site, table.row("turn"), NOON)
        table.move(move)
    cached = compose(site, table.row("turn"), NOON)
    monkeypatch.setattr(story, "_been", Cache(1))

    assert compose(site, table.row("turn"), NOON) == cached


def test_a_mail_waits_for_its_head(site: Site) -> None:
    table = Table(site)
    table.begin()
    row = table.row("turn")
    assert row.record is not None
    unsigned = type(row)(**{**row.__dict__, "record": row.record + 1})

    with pytest.raises(LookupError, match="not signed"):
        compose(site, unsigned, NOON)


def test_after_a_resignation_nobody_is_to_move(mails: list[Sent]) -> None:
    for sent in mails:
        if sent.kind == "result":
            assert not re.search("To move|your turn|[Aa]m Zug", text_of(sent.mail))


def test_unusual_options_are_named_in_the_invitation(mails: list[Sent]) -> None:
    invitation = next(sent for sent in mails if sent.kind == "invitation")
    text = text_of(invitation.mail)

    assert re.search(r"(Brettgröße|Board size|.*): 8", text)
    assert len(re.findall(r"(?m)^[^:\n]+: [^/\n]+$", text)) >= 4


@pytest.mark.parametrize("name", ["x" * 40, "W" * 39 + "ß", "a b " * 9 + "c", "Ἀνδρέας " * 4 + "ω"])
def test_long_names_break_nothing(site: Site, name: str) -> None:
    table = Table(site, "de", (name, "B" + name[1:]))
    table.begin()
    table.move("a1-c1")

    for mail in table.post():
        assert mail.defects == []
        assert name in " ".join(f"{text_of(mail)} {mail['Subject']}".split())
        for text in text_of(mail).split("\n"):
            assert len(text) <= 72 or URL.search(text)


def test_a_recorder_keeps_the_very_bytes(mails: list[Sent]) -> None:
    recorder = Recorder()
    recorder.deliver("play@example.org", "anna@example.org", mails[0].raw)
    assert recorder.mails == [("play@example.org", "anna@example.org", mails[0].raw)]
