"""Which lines of an answer its author wrote: what is left without quotes, signatures and ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

ENOUGH = 12
"""Letters and digits of a line from which on it is ours wherever it stands in a mail of ours."""

_LABELS = (
    "von|from|gesendet|sent|an|to|cc|kopie|betreff|subject|datum|date|reply-to|antwort an|"
    "importance|wichtigkeit|priorität|de|objet|envoyé|à|da|inviato|a|data|oggetto|para|asunto|"
    "enviado|enviada|enviada em|fecha|assunto|per a|enviat|assumpte|van|verzonden|aan|onderwerp|"
    "från|skickat|till|ämne|kopia|fra|sendt|til|emne|dato|od|wysłano|do|temat|odesláno|komu|"
    "předmět|predmet|feladó|elküldve|címzett|tárgy|lähettäjä|lähetetty|päivämäärä|vastaanottaja|"
    "aihe|de la|trimis|către|subiect|kimden|gönderildi|tarih|kime|konu|από|στάλθηκε|προς|θέμα|от|"
    "от кого|отправлено|дата|кому|тема|від|надіслано|差出人|送信日時|日時|宛先|件名|发件人|"
    "发送时间|日期|收件人|主题|보낸 사람|보낸 날짜|받는 사람|제목"
)
_LABEL = re.compile(rf"[*_ ]{{0,3}}({_LABELS})[*_ ]{{0,3}}:", re.I)
_ORIGINAL = re.compile(
    r"[-_* ]{2,}(ursprüngliche nachricht|original message|original[- ]nachricht|originalnachricht|"
    r"message d['’]origine|messaggio originale|mensaje original|oorspronkelijk bericht|"
    r"ursprungligt meddelande)[-_* ]*:?",
    re.I,
)
_PASSING = re.compile(r"\b(pgp|extern\w*|caution|warning|achtung|vorsicht)\b", re.I)
"""In what is put above a mail on its way."""
_FORWARDED = re.compile(
    r"[-_* ]*(anfang der )?(weitergeleitete[nr]? (nachricht|e-?mail)|(begin )?forwarded message|"
    r"(début du )?message (transféré|réexpédié)|(inizio )?messaggio inoltrato|"
    r"mensaje reenviado|(início da )?mensagem (reencaminhada|encaminhada)|"
    r"doorgestuurd bericht)[-_* ]*:?",
    re.I,
)
_OPENS = re.compile(r"(am|on|le|il|el|op|den|på|em) \S", re.I)
_WROTE = re.compile(
    r"\b(schrieb|wrote|a écrit|ha scritto|escribió|schreef|skrev|escreveu|geschrieben|napisał\w*|"
    r"pisze|napsal\w*|írta|kirjoitti|a scris|yazdı|пишет|пише|писал\w*|написал\w*|έγραψε|"
    r"va escriure)\b|写道|寫道|작성|のメール",
    re.I,
)
_WHEN_OR_WHO = re.compile(r"@|\d[:.h]\d\d|\b\d{4}\b|\d{4}年", re.I)
"""An address, a time or a year."""
_SIGNED = re.compile(
    r"--|gesendet (von|mit|aus|über) .*|von meinem .* gesendet|sent (from|with|via) .*|"
    r"diese nachricht wurde von meinem .* gesendet|get outlook for .*|outlook für .*|"
    r"envoyé (de|depuis) .*|inviato da .*|enviado (desde|do) .*|verstuurd vanaf .*|wysłane z .*|"
    r"skickat från .*|sendt fra .*|отправлено (с|из) .*|holen sie sich outlook für .*",
    re.I,
)

_TAG = re.compile(r"\+[^\s@<>]{1,64}@")
"""What makes an address for answers of ours."""
_TOKEN = re.compile(r"(?<=[/.])[a-z2-7]{26}(?![a-z0-9])")
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Ours:
    """What stands in the mails that are answered: their lines without blanks, the keys of these,
    and each mail as one run of letters and digits; and what they are from, address and name."""

    lines: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    runs: tuple[str, ...] = ()
    sender: tuple[str, str] = ("", "")

    def have(self, text: str) -> bool:
        """Whether a run of letters and digits stands somewhere in them."""
        return any(text in run for run in self.runs)

    def said(self, key: str) -> bool:
        """Whether a line with this key is one of theirs, or a part of one that was broken anew."""
        return key in self.keys or (len(key) >= ENOUGH and self.have(key))

    def wrote(self, attribution: str) -> bool:
        """Whether it names us as who wrote what follows: by the address, else by the name."""
        address, name = self.sender
        named = address if "@" in attribution else name
        return bool(named) and named.casefold() in _TAG.sub("@", attribution.casefold())


NOTHING = Ours()


def ours(words: Iterable[str], sender: tuple[str, str] = ("", "")) -> Ours:
    """From what is kept of each mail, as `words_of` gave it."""
    mails = [text.split("\n") for text in words]
    keys = [[key_of(line) for line in mail] for mail in mails]
    return Ours(
        frozenset(line for mail in mails for line in mail if line),
        frozenset(key for mail in keys for key in mail if key),
        tuple("".join(mail) for mail in keys),
        sender,
    )


def words_of(*texts: Iterable[str]) -> str:
    """What is kept of a mail of ours to know it again: its lines, without the tokens of its links;
    each of its texts stands as a whole."""
    return "\n".join(tight(line) for lines in texts for line in lines if key_of(line))


def tight(line: str) -> str:
    """A line without blanks and tokens."""
    return _TOKEN.sub("", "".join(line.casefold().split()))


def key_of(line: str) -> str:
    """The letters and digits of a line: all that survives every mail program."""
    return _SIGNS.sub("", tight(line))


def own(lines: Sequence[str], known: Ours, plays: Callable[[str], bool]) -> list[str]:
    """The lines that the author of an answer wrote; `plays` says whether one could be a move.

    Such a line is ours only if we wrote just that line, sign by sign, or where its neighbours show
    that ours was broken there: the same move may be the opponent's, quoted, and the author's own.
    """
    filled = [line for line in lines if line]
    found: list[str] = []
    signed, at = False, 0
    while at < len(filled):
        line, count = filled[at], _attribution(filled, at, plays)
        if _ends(filled, at) or (count and _others(filled, at, count, known, plays)):
            break
        if line.startswith(">") or count:
            signed = False
        elif not signed and _SIGNED.fullmatch(line):
            signed = True
        elif not signed and not _is_ours(filled, at, known, plays):
            found.append(line)
        at += count or 1
    return found


def _ends(lines: Sequence[str], at: int) -> bool:
    """Whether another mail begins here that is not marked line by line."""
    line = lines[at]
    if _ORIGINAL.fullmatch(line) or _FORWARDED.fullmatch(line) or _ruled(line):
        return True
    if not _LABEL.match(line):
        return False
    telling = any(_WHEN_OR_WHO.search(near) for near in lines[at : at + 2])
    return _labels(lines[at : at + 5]) >= 3 or (telling and _labels(lines[at : at + 2]) == 2)


def _labels(lines: Sequence[str]) -> int:
    """How many different labels of a header begin these lines."""
    return len({label[1].lower() for label in map(_LABEL.match, lines) if label})


def _ruled(line: str) -> bool:
    """Whether it is a rule with words in it, in whatever language."""
    rule = line.rstrip(":")
    left, right = (len(rule) - len(bare) for bare in (rule.lstrip("-_"), rule.rstrip("-_")))
    words = rule.strip("-_ ")
    return min(left, right) >= 3 and words[:1].isalpha() and not _PASSING.search(words)


def _attribution(lines: Sequence[str], at: int, plays: Callable[[str], bool]) -> int:
    """How many lines from here on say who wrote what follows; 0 if none does."""
    opens = bool(_OPENS.match(lines[at]))
    for count in (1, 2, 3) if opens else (1,):
        block = lines[at : at + count]
        text = " ".join(block)
        if text.endswith(":") and (
            _WROTE.search(text) or (count == 1 and _WHEN_OR_WHO.search(text))
        ):
            return 0 if any(map(plays, block)) else count
    return 0


def _others(
    lines: Sequence[str], at: int, count: int, known: Ours, plays: Callable[[str], bool]
) -> bool:
    """Whether what follows the lines that say who wrote it is somebody else's, and not marked line
    by line: neither quoted nor ours, so nobody can tell where it ends."""
    after = at + count
    if after >= len(lines) or lines[after].startswith(">"):
        return False
    named = known.wrote(" ".join(lines[at:after]))
    return not named and not _is_ours(lines, after, known, plays)


def _is_ours(lines: Sequence[str], at: int, known: Ours, plays: Callable[[str], bool]) -> bool:
    key = key_of(lines[at])
    if not key:
        return True
    if not plays(lines[at]):
        return known.said(key)
    return tight(lines[at]) in known.lines or _broken(
        key, lines[at - 1 : at], lines[at + 1 : at + 2], known
    )


def _broken(key: str, before: Sequence[str], after: Sequence[str], known: Ours) -> bool:
    """Whether a line of ours was broken so that a part of it stands alone between its rest."""
    left, right = "".join(map(key_of, before)), "".join(map(key_of, after))
    around = ((left, left + key), (right, key + right), (left + right, left + key + right))
    return any(len(near) >= ENOUGH and known.have(joined) for near, joined in around)
