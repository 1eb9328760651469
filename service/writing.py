"""What people write at length, to others or for themselves: tidied and bounded plain text."""

from __future__ import annotations

import re
import unicodedata

from service.errors import BadForm, Fault

JOINERS = "\u200c\u200d"
"""Invisible, but words of some languages and some emoji need them."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols by their category, but nothing is seen of them."""
MARKS = 4
"""Accents that may stand on one letter; more of them only cover the lines above."""
_OFTEN = re.compile(r"\n{3,}")


def tidy(given: str, most: int) -> str:
    """The text as it is kept: its lines and words, without what cannot be seen or would turn the
    words around. Raises BadForm for one that is too long."""
    lines = unicodedata.normalize("NFC", given).replace("\r\n", "\n").splitlines()
    seen = (_piled("".join(filter(_shown, line.replace("\t", " ")))).rstrip() for line in lines)
    text = _OFTEN.sub("\n\n", "\n".join(seen)).strip()
    if len(text) > most:
        sentence = "This has %(count)s characters; at most %(most)s are possible."
        raise BadForm(Fault("text", sentence, {"count": len(text), "most": most}))
    return text if any(unicodedata.category(c)[0] in "LNSP" for c in text) else ""


def _shown(character: str) -> bool:
    """Nothing that steers, nothing invisible, nothing that is no character at all; what this
    Python does not know yet may be a new emoji."""
    if character in JOINERS:
        return True
    hidden = unicodedata.category(character) in ("Cf", "Co") or character in BLANKS
    steers = 0xE0000 <= ord(character) <= 0xE0FFF
    return stands(character) and not (hidden or steers)


def stands(character: str) -> bool:
    """Whether a page can hold it: it controls nothing, and it is a character at all."""
    point = ord(character)
    none = point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF
    return not none and unicodedata.category(character) not in ("Cc", "Cs")


def _piled(line: str) -> str:
    """The line with no more than MARKS accents on a letter."""
    kept, piled = [], 0
    for character in line:
        piled = piled + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if piled <= MARKS:
            kept.append(character)
    return "".join(kept)
