"""What sort of mail it is, by its headers and structure alone: has a person answered?"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.utils import parseaddr
from typing import Literal

from service.mail.inbound.raw import Incoming, data_of, disposition, parameter, type_of
from service.mail.inbound.route import Route

Nature = Literal[
    "bounce",  # a mail of ours comes back, or is late
    "complaint",  # the reader called it spam
    "receipt",  # it was shown
    "automatic",  # a machine wrote it
    "reaction",  # a symbol, no words
    "loop",  # it is our own
    "reply",
]

HOPS = 20
DAEMONS = re.compile(
    r"(mailer-?daemon|post[-_]?master|no-?reply|do-?not-?reply|noreply\w*|bounces?)([+.=-].*)?@"
)
SUBJECTS = re.compile(
    r"((re|aw|fwd?|wg): *)?(automatic reply|auto[ -]?reply|auto(matische)?[ -]?antwort|"
    r"automatische antwort|out of (the )?office|abwesen(heit|d)|abwesenheitsnotiz|"
    r"ich bin (derzeit |zur ?zeit |momentan )?nicht (im büro|da|erreichbar)|"
    r"urlaubs?(antwort|notiz|benachrichtigung|vertretung)?\b *(:|-|–|$)|vacation (reply|response)|"
    r"réponse automatique|risposta automatica|respuesta automática|automatisch antwoord|"
    r"autosvar|automatiskt svar|i am (currently )?(out of|away)|undeliverable|unzustellbar|"
    r"returned mail|mail delivery (failed|failure)|delivery status notification|"
    r"failure notice|undelivered mail|nicht zustellbar|complaint about message from)"
)
MARKS = (
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponse",
    "List-Id",
    "List-Unsubscribe",
    "List-Subscribe",
    "Mailing-List",
    "X-MLServer",
)
"""Headers of responders and mailing lists."""
REACTED = re.compile(r"\S.{0,80} (reacted|hat reagiert|hat per gmail reagiert)\b.{0,80}", re.I)

Sign = Callable[[Incoming, str], bool]
"""Whether a mail has a sign, given the address our mails come from."""


def nature(mail: Incoming, ours: str, ways: tuple[Route, ...] = ()) -> Nature:
    """The first that fits; `ours` is the address our mails come from."""
    if any(way.purpose == "b" for way in ways):
        return "bounce" if _bounces(mail, ours) else "automatic"
    return next((found for found, sign in SIGNS if sign(mail, ours)), "reply")


def _bounces(mail: Incoming, ours: str) -> bool:
    return _report(mail, "delivery-status") or (_nobody(mail, ours) and _daemon(mail, ours))


def _complains(mail: Incoming, ours: str) -> bool:
    return _report(mail, "feedback-report")


def _receipted(mail: Incoming, ours: str) -> bool:
    return _report(mail, "disposition-notification")


def _report(mail: Incoming, kind: str) -> bool:
    """Whether it is a report of a kind, as a whole or in a part."""
    if parameter(mail.message, "report-type") == kind:
        return True
    wanted = {f"message/{kind}", f"message/global-{kind}"}
    return any(type_of(part) in wanted for part in mail.parts())


def _nobody(mail: Incoming, ours: str) -> bool:
    """Whether the envelope named no sender."""
    return any(path.strip("<> ") == "" for path in mail.headers("Return-Path"))


def _daemon(mail: Incoming, ours: str) -> bool:
    return bool(DAEMONS.match(_from(mail)))


def _returned(mail: Incoming, ours: str) -> bool:
    report = type_of(mail.message) == "multipart/report"
    plain = parameter(mail.message, "report-type") in ("", "delivery-status")
    return (report and plain) or _bounces(mail, ours)


def _automatic(mail: Incoming, ours: str) -> bool:
    """X-Auto-Response-Suppress is no sign: Outlook writes it into what people write."""
    submitted = re.sub(r"\(.*?\)", "", mail.header("Auto-Submitted")).partition(";")[0].strip()
    if submitted and submitted.lower() != "no":
        return True
    if mail.header("Precedence").lower() in ("bulk", "junk", "list", "auto_reply", "auto-reply"):
        return True
    if any(mail.has(mark) for mark in MARKS):
        return True
    return _daemon(mail, ours) or _nobody(mail, ours)


def _says_so(mail: Incoming, ours: str) -> bool:
    return bool(SUBJECTS.match(mail.header("Subject").casefold()))


def _reacts(mail: Incoming, ours: str) -> bool:
    for part in mail.parts():
        if disposition(part) == "reaction" or "reaction" in type_of(part):
            return True
    return False


def _only_reacts(mail: Incoming, ours: str) -> bool:
    """A program that knows no reactions is told of one in words."""
    texts = [part for part in mail.parts() if type_of(part) == "text/plain"]
    if len(texts) != 1:
        return False
    text = data_of(texts[0])[:2_000].decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    own = [line for line in lines if not line.startswith(">")]
    return bool(own) and bool(REACTED.fullmatch(own[0])) and "gmail" in own[0].lower()


def _loops(mail: Incoming, ours: str) -> bool:
    """By its author or its long way; that a Message-ID is one of ours the outbox knows."""
    return _from(mail) == ours.casefold() or len(mail.message.get_all("Received", [])) > HOPS


def _from(mail: Incoming) -> str:
    return parseaddr(mail.header("From"))[1].casefold()


SIGNS: tuple[tuple[Nature, Sign], ...] = (
    ("complaint", _complains),
    ("receipt", _receipted),
    ("bounce", _returned),
    ("automatic", _automatic),
    ("automatic", _says_so),
    ("reaction", _reacts),
    ("reaction", _only_reacts),
    ("loop", _loops),
)
