"""Text that survives mail: at most 60 columns, and no line that a mail program would mistake."""

from __future__ import annotations

from textwrap import wrap

WIDTH = 60
INDENT = "  "
"""Before every line of words: so none begins with `>`, `From ` or `--`, whatever a name may be."""


def plain(name: str) -> str:
    """A name on one line, without characters that cannot be seen."""
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())


def folded(sentence: str) -> list[str]:
    """The sentence in indented lines."""
    return wrap(sentence, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def page(lines: list[str]) -> str:
    """The lines as one text, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in lines)
