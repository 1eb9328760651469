"""A turn mail that was really sent, and what its match asks for: what the answers in the tests
quote and are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from games.core.drawing import Language
from service import matches, records
from service.mail.inbound import raw, sender, text
from service.mail.inbound.cutter import ours, words_of
from service.mail.inbound.markup import lines_of
from service.mail.inbound.sender import folded
from service.mail.inbound.verdict import Asked, From, Verdict, judge
from service.settings import Settings
from tests.mail.inbound.letters import Letter, Part
from tests.mail.play import NOON, Table, html_of, read, service, text_of

PLAYER = "bjoern@example.org"
SERVICE = "play@games.example.org"
PATTERN = "play+{}@games.example.org"
TOKEN = "k7vqabcdefghijklmnopqrstuv"
LEGAL, OTHER, WRONG = "f1-d1", "f2-d2", "f1-c1"
"""Two legal moves in the position of the mail, and one that looks like one."""


@dataclass(frozen=True)
class Original:
    """The mail as it was sent, and what its seat is asked."""

    mail: EmailMessage
    raw: bytes
    asked: Asked

    @property
    def text(self) -> str:
        return text_of(self.mail)

    @property
    def html(self) -> str:
        return html_of(self.mail)

    @property
    def sheet(self) -> str:
        """What stands in the body of the HTML."""
        return self.html.partition("<body")[2].partition(">")[2].partition("</body>")[0]

    @property
    def subject(self) -> str:
        return str(self.mail["Subject"])

    def reply(self, body: Part, **headers: str | None) -> Letter:
        """A mail from the player to the address for answers."""
        letter = Letter(
            body,
            (
                ("From", f"Bjoern <{PLAYER}>"),
                ("To", f"Fernpartie <{address()}>"),
                ("Subject", f"Re: [{self.asked.code}] Malawi"),
                ("Date", formatdate(NOON)),
                ("Message-ID", "<answer-1@mail.example.org>"),
                ("In-Reply-To", str(self.mail["Message-ID"])),
                ("References", str(self.mail["Message-ID"])),
                ("MIME-Version", "1.0"),
            ),
        )
        return letter.having(**headers)

    def judge(self, data: bytes, **trust: str) -> Verdict:
        """What becomes of an answer."""
        mail = raw.take(data)
        author = sender.author(mail)
        proof = sender.proof(mail, trust.get("trusted", ""), author)
        return judge(mail, From(author, proof, "strict" in trust), self.asked)


def address(purpose: str = "t", token: str = TOKEN) -> str:
    return PATTERN.replace("{}", f"{purpose}.{token}")


@cache
def original(language: Language = "de") -> Original:
    """The mail to Björn after Anna's first move."""
    with TemporaryDirectory() as folder, service(Settings(data=Path(folder) / "var")) as site:
        for hours in range(100):  # the lot draws the seats
            table = Table(site, language, now=NOON + hours * 7_200, nonce=str(hours))
            table.begin()
            table.move("a3-c3")
            sent = table.post()[-1]
            if PLAYER in str(sent["To"]):
                return _asked(table, sent, table.recorder.mails[-1][2])
    raise AssertionError("the lot never drew Björn the second seat")


def _asked(table: Table, mail: EmailMessage, sent: bytes) -> Original:
    with table.site.db.read() as conn:
        position = records.position(table.site, conn, table.match)
        row = matches.find(conn, table.match)
    asked = Asked(
        position.rules,
        row.code,
        2,
        frozenset({folded(PLAYER)}),
        position.rules.known(position.state, 2),
        2,
        ours([keys(sent)], (SERVICE, "Fernpartie")),
    )
    return Original(mail, sent, asked)


def keys(sent: bytes) -> str:
    """What is kept of a mail of ours."""
    mail = read(sent)
    return words_of(text.tidy(text_of(mail).splitlines()), text.tidy(lines_of(html_of(mail))))
