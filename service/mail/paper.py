"""Puts the templates of a mail into text and HTML, in the reader's language."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from games.core.drawing import Language
from service.language import TEMPLATES, catalogue

WIDTH = 72
GLUE = "\N{NO-BREAK SPACE}"
SEPARATOR = f" /{GLUE}"
"""Between moves: whoever sees a line of them sees no move that stands alone."""


@dataclass(frozen=True)
class Page:
    """A mail as people read it, without its headers."""

    subject: str
    text: str
    html: str


def write(kind: str, language: Language, facts: Mapping[str, object]) -> Page:
    """The three templates of a kind, filled in."""
    values = {**facts, "language": language, "separator": SEPARATOR}
    plain, marked = _environment(language, escape=False), _environment(language, escape=True)
    return Page(
        subject=plain.get_template(f"{kind}/subject.txt").render(values).strip(),
        text=filled(plain.get_template(f"{kind}/body.txt").render(values)),
        html=marked.get_template(f"{kind}/body.html").render(values),
    )


def filled(text: str) -> str:
    """The text with its long lines broken at 72 characters, and no blanks at their ends.

    No word with a digit or all in capitals begins a line and none ends up alone on one, so that no
    line can be taken for a move or a command; nor does `From `, which mailboxes in one file would
    mark.
    """
    lines = (line for long in text.split("\n") for line in _broken(long.rstrip()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _broken(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line.replace(GLUE, " ")]
    glued = re.sub(r"(?<=\S) (?=\S*\d|From |[A-ZÄÖÜ]{2,}\b)|(?<=\S) (?=\S+$)", GLUE, line)
    return [
        short.replace(GLUE, " ")
        for long in _wrapped(glued)
        for short in (_wrapped(long.replace(GLUE, " ")) if len(long) > WIDTH else [long])
    ]


def _wrapped(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


@cache
def _environment(language: Language, *, escape: bool) -> Environment:
    """Templates for text, or for HTML: what both include is escaped in the latter alone."""
    room = Environment(
        loader=FileSystemLoader(TEMPLATES / "mail"),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.i18n"],
    )
    speech = catalogue(language)
    room.install_gettext_callables(  # type: ignore[attr-defined]
        speech.gettext, speech.ngettext, newstyle=True
    )
    return room
