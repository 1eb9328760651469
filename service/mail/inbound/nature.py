"""What sort of mail it is, by its headers and structure alone: has a person answered?"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from service.mail.inbound.raw import Incoming, data_of, disposition, parameter, type_of
from service.mail.inbound.route import Route
from service.mail.inbound.sender import named

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
    r"(mailer-?daemon|post[-_]?master|no[-_.]?reply\w*|do[-_.]?not[-_.]?reply|bounces?|"
    r"(nicht|keine)-?antwort(en)?|ne-?pas-?repondre|auto-?(reply|responder)|listserv|majordomo|"
    r"microsoftexchange[0-9a-f]{8,64})([+.=-].*)?@"
)
_SUBJECTS = (
    # a machine answers
    r"auto(m\w*)?[ -]?(reply|response|antwort|antwoord|svar|vastaus|válasz|odpowiedź|odpověď)",
    r"(réponse|respuesta|resposta|risposta|odpowiedź|răspuns) autom\w*|otomatik yanıt|auto ?:",
    r"авто(матич\w+ )?(ответ|відповідь)|αυτόματη απάντηση|自動応答|自动回复|自動回覆|자동 ?회신",
    r"(vielen )?dank für (ihre|deine) (nachricht|anfrage|e-?mail)",
    r"(ihre|deine) (nachricht|anfrage) (wurde|ist)\b",
    r"thank you for (contacting|your (message|e-?mail))|\W?ticket ?\W?\d|\W?request received",
    r"your (request|message|e-?mail) (has been|was) received|we (have )?received your",
    r"(please )?confirm your (message|e-?mail)|bitte bestätigen sie|sender verification",
    r"(accepted|declined|tentative|zugesagt|angenommen|abgelehnt):",
    # somebody is away
    r"out of (the )?office|ooo\b|(i['’ ]a?m )?(currently )?on (vacation|holiday|leave)\b",
    r"i['’ ]a?m (currently )?(out of|away)|vacation ?(reply|response|:|$)|away (from|until)\b",
    r"abwesen(heit|d)|(ich )?(bin )?(derzeit |zur ?zeit |momentan )?"
    r"(nicht (im (büro|haus)|da|erreichbar)|im urlaub)\b",
    r"urlaub\w* *(:|-|–|$|bis\b|vom\b)|.{1,60} (ist ausser haus|is out of the office)\b",
    r"absence\b|message d['’]absence|je suis absent|en congés?\b|fuera de (la )?oficina",
    r"(ausente|ausencia|ausência|assente|afwezig\w*|frånvaro\w*|fravær\w*|nieobecn\w*)\b",
    r"fora do escritório|fuori (sede|ufficio)|poza biurem|mimo kancelář|в отпуске",
    # a mail could not be delivered, or was
    r"undeliver(able|ed)|unzustellbar|nicht (zugestellt|zustellbar)|non remis|onbestelbaar",
    r"no se puede entregar|returned mail|mail (delivery (failed|failure|system)|system error)",
    r"delivery (status notification|failure|has failed)|failure notice|zustellungsfehler",
    r"delayed mail|warning: message|complaint about message from",
    r"(nicht )?gelesen:|(not )?read:|return receipt|(lese|empfangs|eingangs)bestätigung",
)
SUBJECTS = re.compile(rf"\W{{0,2}}((re|aw|fwd?|wg) *: *)?\W{{0,2}}({'|'.join(_SUBJECTS)})")
MARKS = re.compile(
    r"x-(.{1,30}-)?auto-?(reply|respond|response(?!-suppress)|generated)\b.*|x-autoreply.*|"
    r"list-(id|help|post|owner|archive|subscribe|unsubscribe)|mailing-list|x-mlserver|"
    r"x-mailman-version|x-failed-recipients|x-ms-exchange-generated-message-source|"
    r"x-(otrs-loop|rt-loop-prevention|qmail-vacation|tmda-fingerprint)"
)
"""Names of headers of responders and mailing lists."""
REACTED = re.compile(
    r"\S.{0,80} ((reacted|hat( per gmail)? reagiert)\b.{0,60}\bgmail\b.{0,60}|"
    r"hat per gmail reagiert\b.{0,80}|reacted to your message\W*|"
    r"hat auf (deine|ihre) nachricht reagiert\W*)",
    re.I,
)

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
    precedence = mail.header("Precedence") or mail.header("X-Precedence")
    if precedence.lower() in ("bulk", "junk", "list", "auto_reply", "auto-reply"):
        return True
    if any(MARKS.fullmatch(name.lower()) for name in mail.names()):
        return True
    if any(parameter(part, "method") == "reply" for part in mail.parts()):  # a calendar's
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
    return bool(own) and bool(REACTED.fullmatch(own[0]))


def _loops(mail: Incoming, ours: str) -> bool:
    """By its author or its long way; that a Message-ID is one of ours the outbox knows."""
    return _from(mail) == ours.casefold() or len(mail.message.get_all("Received", [])) > HOPS


def _from(mail: Incoming) -> str:
    return next((address for _, address in named(mail.header("From"))), "").casefold()


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
