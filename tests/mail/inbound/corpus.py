"""The shapes that answers come in, by the numbers under which the tests name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from service.mail.inbound.nature import Nature
from service.mail.inbound.verdict import Action, Reason
from tests.mail.inbound import clients
from tests.mail.inbound.letters import Part, html, plain, quoted, several
from tests.mail.inbound.original import (
    LEGAL,
    OTHER,
    PLAYER,
    SERVICE,
    WRONG,
    Original,
    address,
)

Make = Callable[[Original], bytes]
BOUNCES = address("b")
REGISTRAR = "mx.example.org"
"""The mail server whose findings we trust."""


@dataclass(frozen=True)
class Shape:
    """A mail, and what has to become of it."""

    number: int
    name: str
    make: Make
    nature: Nature = "reply"
    action: Action = "play"
    reason: Reason = ""
    line: str = LEGAL
    trust: dict[str, str] = field(default_factory=dict)
    conditions: int = 0


def reply(body: Callable[[Original], Part], **headers: str | None) -> Make:
    return lambda sent: sent.reply(body(sent), **headers).bytes()


def typed(style: Callable[[Original, str], Part], text: str = LEGAL, **headers: str | None) -> Make:
    """An answer from a mail program."""
    return reply(lambda sent: style(sent, text), **headers)


def text(words: str, **headers: str | None) -> Make:
    return reply(lambda sent: plain(words), **headers)


def ended(end: bytes) -> Make:
    def make(sent: Original) -> bytes:
        raw = sent.reply(clients.mutt(sent, LEGAL)).bytes()
        if end != b"mixed":
            return raw.replace(b"\r\n", end)
        ends = (b"\n", b"\r\n", b"\r")
        lines = raw.split(b"\r\n")
        return b"".join(line + ends[i % 3] for i, line in enumerate(lines) if line or i % 3 == 1)

    return make


def played() -> Iterator[Shape]:
    """What mail programs make of one typed line."""
    yield Shape(1, "Gmail, German", typed(clients.gmail))
    yield Shape(2, "Gmail, English", reply(lambda o: clients.gmail(o, LEGAL, clients.ON)))
    yield Shape(3, "Gmail on Android", typed(clients.gmail_android))
    yield Shape(4, "Gmail, HTML alone", typed(clients.gmail_marked))
    yield Shape(6, "Outlook, written by Word", typed(clients.word, x_auto_response_suppress="All"))
    yield Shape(7, "Outlook, plain", typed(clients.word_plain))
    yield Shape(8, "new Outlook", typed(clients.outlook_new))
    yield Shape(9, "Outlook, our text in a table", typed(clients.outlook_table))
    yield Shape(10, "Outlook, links rewritten", typed(clients.safelinks))
    yield Shape(11, "Apple Mail", typed(clients.apple))
    yield Shape(12, "iPhone", typed(clients.iphone))
    yield Shape(13, "iPad, below", typed(clients.ipad_below))
    yield Shape(14, "Thunderbird, flowed, in between", typed(clients.thunderbird))
    yield Shape(15, "Thunderbird, HTML", typed(clients.thunderbird_marked))
    yield Shape(16, "mutt", typed(clients.mutt))
    yield Shape(17, "mutt, below", typed(clients.mutt_below))
    yield Shape(18, "neomutt, Latin-1", typed(clients.mutt, user_agent="NeoMutt/20220429"))
    yield Shape(19, "mailx", typed(clients.mailx, references=None, in_reply_to=None))
    yield Shape(20, "K-9, signature below", typed(clients.k9))
    yield Shape(21, "Yahoo", typed(clients.yahoo))
    yield Shape(22, "GMX", typed(clients.gmx))
    yield Shape(23, "ProtonMail", typed(clients.proton))
    yield Shape(24, "Samsung", typed(clients.samsung))
    yield Shape(25, "Exchange, lower case", typed(clients.exchange, to=address().lower()))


def encoded() -> Iterator[Shape]:
    """Charsets, encodings and spellings of one typed line."""
    yield Shape(26, "no quote", typed(clients.bare))
    yield Shape(27, "our mail pasted below", typed(clients.pasted))
    yield Shape(32, "signed by S/MIME", typed(clients.signed))
    yield Shape(
        34, "base64", reply(lambda o: plain(f"{LEGAL}\n\n{quoted(o.text)}", encoding="base64"))
    )
    yield Shape(35, "ASCII that is none", reply(_no_ascii))
    yield Shape(36, "unknown charset, broken escapes", reply(_broken))
    yield Shape(
        37,
        "encoded subject",
        text(LEGAL, subject="=?utf-8?q?Re=3A_M=C3=BChle_?=\n =?utf-8?q?f2-d2?="),
    )
    for end in (b"\r\n", b"\n", b"\r", b"mixed"):
        yield Shape(39, f"line ends {end!r}", ended(end))
    yield Shape(40, "no MIME, no Date, no Message-ID", _bare_headers)
    yield Shape(
        49,
        "conditions below",
        text(f"{LEGAL}\nwenn a1-b1 dann f3-d3\nif a2xf2 then f4-d4"),
        conditions=2,
    )
    yield Shape(50, "signatures that are moves", text(f"{LEGAL}\n\n-- \nB2\ne4\n{OTHER}\n"))
    for odd in (
        "f1\u2013d1",
        "f1\u00a0-\u00a0d1",
        "f1\u2007-d1",
        "f1\u2015d1",
        "ｆ１－ｄ１",
        "\ufefff1\u2212d1\u200b",
    ):
        yield Shape(53, f"typed as {odd!r}", text(odd))
    yield Shape(73, "to all", typed(clients.gmail, cc="Anna <anna@example.org>"))


def _no_ascii(sent: Original) -> Part:
    words = f"{LEGAL}\n\nGr\xfc\xdfe \x96 Bj\xf6rn\n".encode("latin-1")
    return Part("text/plain; charset=us-ascii", words, "8bit")


def _broken(sent: Original) -> Part:
    words = f"{LEGAL}=\n\nGr=FC=ZZ=\n=E\n".replace(f"{LEGAL}=", LEGAL).encode()
    return Part(
        "text/plain; charset=x-unknown-17", words, "",
        ("Content-Transfer-Encoding: quoted-printable",),
    )  # fmt: skip


def _bare_headers(sent: Original) -> bytes:
    return f"From: {PLAYER}\nTo: {address()}\n\n{LEGAL}\n".encode()


def unplayed() -> Iterator[Shape]:
    """What a person wrote, and it is no turn, or not one."""
    nothing = {"action": "answer", "reason": "none", "line": ""}
    yield Shape(28, "only the quote", typed(clients.mutt, ""), **nothing)
    yield Shape(29, "empty", text(""), **nothing)
    yield Shape(30, "a photo alone", reply(_photo), action="answer", reason="unreadable", line="")
    yield Shape(
        31, "winmail.dat alone", reply(_winmail), action="answer", reason="unreadable", line=""
    )
    yield Shape(
        33, "encrypted by PGP", reply(_encrypted), action="answer", reason="unreadable", line=""
    )
    yield Shape(
        33,
        "encrypted in line",
        text("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n"),
        action="answer",
        reason="unreadable",
        line="",
    )
    yield Shape(38, "a move in the subject alone", text("", subject=f"Re: {LEGAL}"), **nothing)
    yield Shape(41, "5 MB", reply(_huge), action="answer", reason="large", line="")
    yield Shape(41, "10,000 quoted lines", text(LEGAL + "\n" + "> quoted\n" * 10_000))
    yield Shape(41, "2,000 nested divs", reply(lambda o: html("<div>" * 2_000 + LEGAL)))
    yield Shape(42, "a mail inside, no words", reply(_inside), **nothing)
    yield Shape(
        48,
        "two moves",
        text(f"{LEGAL}\n{OTHER}"),
        action="answer",
        reason="ambiguous",
        line=f"{LEGAL} / {OTHER}",
    )
    yield Shape(
        51,
        "a signature that is a move",
        text(f"{LEGAL}\n\nBjörn\n{OTHER}"),
        action="answer",
        reason="ambiguous",
        line=f"{LEGAL} / {OTHER}",
    )
    yield Shape(52, "a move in a sentence", text(f"Ich spiele {LEGAL}, denke ich."), **nothing)
    yield Shape(54, "illegal", text(WRONG), action="answer", reason="illegal", line=WRONG)
    yield Shape(
        54,
        "one legal, one illegal",
        text(f"{LEGAL}\n{WRONG}"),
        action="answer",
        reason="ambiguous",
        line=f"{LEGAL} / {WRONG}",
    )


def _photo(sent: Original) -> Part:
    return several(
        "mixed",
        [
            plain("\n"),
            Part(
                "image/jpeg; name=brett.jpg",
                b"\xff\xd8\xff",
                "base64",
                ("Content-Disposition: attachment",),
            ),
        ],
    )


def _winmail(sent: Original) -> Part:
    return several(
        "mixed", [Part("application/ms-tnef; name=winmail.dat", b"\x78\x9f\x3e\x22", "base64")]
    )


def _encrypted(sent: Original) -> Part:
    parts = [
        Part("application/pgp-encrypted", b"Version: 1\n", ""),
        Part("application/octet-stream", b"-----BEGIN PGP MESSAGE-----\n", ""),
    ]
    return several("encrypted", parts)


def _huge(sent: Original) -> Part:
    return Part(
        "text/plain; charset=utf-8",
        f"{LEGAL}\n".encode() + b"a line of a very long mail\n" * 200_000,
        "7bit",
    )


def _inside(sent: Original) -> Part:
    inner = f"From: anna@example.org\nSubject: x\n\n{LEGAL}\n".encode()
    return several("mixed", [Part("message/rfc822", inner, "")])


def strange() -> Iterator[Shape]:
    """What others sent, or what pretends to be from the player."""
    held = {"action": "hold", "reason": "stranger"}
    left = {"action": "ignore", "reason": "stranger", "line": ""}
    friend = "Clara <clara@example.net>"
    yield Shape(43, "a friend answers", typed(clients.gmail, **{"from": friend}), **held)
    yield Shape(44, "forwarded to us", reply(_forwarded, **{"from": friend}), **left)
    yield Shape(45, "the player's other address", text(LEGAL, **{"from": "b@example.net"}), **held)
    yield Shape(
        46, "a trusted server disproves the sender",
        text(LEGAL, authentication_results=f"{REGISTRAR}; dmarc=fail header.from=example.org"),
        trust={"trusted": REGISTRAR}, **held,
    )  # fmt: skip
    yield Shape(
        47, "findings by the sender alone, and none is not enough",
        text(LEGAL, authentication_results="mx.attacker.test; dmarc=pass header.from=example.org"),
        trust={"trusted": REGISTRAR, "strict": "yes"}, **held,
    )  # fmt: skip
    for who in ("a@example.net, bjoern@example.org", "", "friends: bjoern@example.org;"):
        yield Shape(74, f"from {who!r}", text(LEGAL, **{"from": who}), **held)
    yield Shape(75, "to two seats", text(LEGAL, to=f"{address()}, {address(token='b' * 26)}"))


def _forwarded(sent: Original) -> Part:
    head = f"---------- Weitergeleitete Nachricht ---------\nVon: Fernpartie <{SERVICE}>\n"
    return plain(f"Schau mal!\n\n{head}\nAnna zieht a3-c3.\n\na3-c3\n{LEGAL}\n")


def machines() -> Iterator[Shape]:
    """What no person wrote."""
    ignored = {"action": "play"}
    away = f"Ich bin bis Montag nicht im Büro.\n\n{LEGAL}\n"
    yield Shape(5, "a reaction", reply(_reaction), nature="reaction")
    yield Shape(
        5,
        "a reaction in words",
        text(f"😀 Björn reacted via Gmail\n\n> {LEGAL}"),
        nature="reaction",
        action="answer",
        reason="none",
        line="",
    )
    yield Shape(
        60,
        "out of office, Dovecot",
        text(
            away,
            to=BOUNCES,
            auto_submitted="auto-replied (vacation)",
            precedence="bulk",
            return_path="<>",
        ),
        nature="automatic",
        **ignored,
    )
    yield Shape(
        61,
        "out of office, Exchange",
        text(away, auto_submitted="auto-generated", subject="Automatische Antwort: [7F3K]"),
        nature="automatic",
        **ignored,
    )
    yield Shape(
        62,
        "out of office, by its subject",
        text(away, subject="Abwesenheitsnotiz"),
        nature="automatic",
        **ignored,
    )
    yield Shape(
        64,
        "failed, no such mailbox",
        report("failed", "5.1.1"),
        nature="bounce",
        action="answer",
        reason="none",
        line="",
    )
    yield Shape(
        65,
        "failed, full",
        report("failed", "5.2.2"),
        nature="bounce",
        action="answer",
        reason="none",
        line="",
    )
    yield Shape(
        66,
        "delayed",
        report("delayed", "4.2.0"),
        nature="bounce",
        action="answer",
        reason="none",
        line="",
    )
    yield Shape(
        67,
        "failed, in words alone",
        text(
            f"Ihre Nachricht konnte nicht zugestellt werden.\n\n{LEGAL}",
            to=BOUNCES,
            **{"from": "postmaster@example.org"},
            return_path="<>",
            subject="Unzustellbar: [7F3K]",
        ),
        nature="bounce",
        action="hold",
        reason="stranger",
    )
    yield Shape(
        68,
        "failed, to the address for answers",
        report("failed", "5.1.1", address()),
        nature="bounce",
        action="answer",
        reason="none",
        line="",
    )
    yield Shape(
        69,
        "a complaint",
        reply(_complaint),
        nature="complaint",
        action="answer",
        reason="none",
        line="",
    )
    yield Shape(
        70,
        "rewritten by a list",
        text(
            f"{LEGAL}\n",
            list_id="<friends.lists.example.org>",
            **{"from": "Bjoern via Friends <friends@lists.example.org>"},
        ),
        nature="automatic",
        action="hold",
        reason="stranger",
    )
    yield Shape(
        71,
        "are you human?",
        text("Please confirm that you are human.", auto_submitted="auto-replied"),
        nature="automatic",
        action="answer",
        reason="none",
        line="",
    )


def _reaction(sent: Original) -> Part:
    part = Part(
        "text/plain; charset=utf-8", "👍".encode(), "base64", ("Content-Disposition: reaction",)
    )
    return several("alternative", [plain(LEGAL), part])


def report(action: str, status: str, to: str = BOUNCES) -> Make:
    """What Postfix sends back."""

    def make(sent: Original) -> bytes:
        said = (
            "Reporting-MTA: dns; mx.example.org\n\n"
            f"Final-Recipient: rfc822; {PLAYER}\nAction: {action}\nStatus: {status}\n"
            f"Diagnostic-Code: smtp; 550 {status} no\n"
        )
        body = several(
            "report",
            [plain("This is the mail system.\n"),
             Part("message/delivery-status", said.encode(), ""),
             Part("text/rfc822-headers", f"Message-ID: {sent.mail['Message-ID']}\n".encode(), "")],
            "; report-type=delivery-status",
        )  # fmt: skip
        letter = sent.reply(body, to=to, auto_submitted="auto-replied", return_path="<>")
        return letter.having(
            **{"from": "Mail Delivery System <MAILER-DAEMON@mx.example.org>"}
        ).bytes()

    return make


def _complaint(sent: Original) -> Part:
    said = b"Feedback-Type: abuse\nUser-Agent: SomeISP/1.0\nVersion: 1\n"
    return several(
        "report",
        [plain("a complaint\n"), Part("message/feedback-report", said, "")],
        "; report-type=feedback-report",
    )


SHAPES = (*played(), *encoded(), *unplayed(), *strange(), *machines())
