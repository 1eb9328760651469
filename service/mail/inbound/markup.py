"""HTML as lines: what is quoted in it is left out, and one line with `>` stands in its place."""

from __future__ import annotations

import re
from html.parser import HTMLParser

LETTERS = 200_000
TAG = 4_000
"""Characters of a tag; a longer one is none."""
QUOTE = ">"

_BREAKS = re.compile(
    "address|article|aside|br|center|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|nav|"
    "ol|p|pre|section|table|tbody|td|tfoot|th|thead|title|tr|ul"
).fullmatch
_VOID = re.compile("area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr").fullmatch
_SILENT = frozenset({"script", "style", "head", "title", "template", "s", "strike", "del"})
"""What nobody is to read, and what its author has struck out."""
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]*[1-9])|"
    r"text-decoration[a-z-]*\s*:[^;]*line-through",
    re.I,
)
_QUOTES = frozenset(
    {
        "gmail_quote",
        "gmail_quote_container",
        "gmail_attr",
        "moz-cite-prefix",
        "protonmail_quote",
        "yahoo_quoted",
        "zmail_extra",
        "tutanota_quote",
    }
)
_SIGNATURES = frozenset({"gmail_signature", "moz-signature", "protonmail_signature_block"})
_SIGNATURE_IDS = frozenset({"applemailsignature", "signature", "ms-outlook-mobile-signature"})
_ENDS = frozenset({"divrplyfwdmsg", "appendonsend", "olk_src_body_section", "x_divrplyfwdmsg"})
"""Ids behind which everything is quoted."""
_ASIDE = re.compile("<!--|<[!?]")


def lines_of(html: str) -> list[str]:
    """The text of HTML by its blocks and breaks."""
    walker = _Walker()
    try:
        walker.feed(_tamed(html[:LETTERS]))
        walker.close()
    except (AssertionError, ValueError):
        pass  # what came before the damage is what we have
    walker.end_line()
    return walker.lines


def _tamed(html: str) -> str:
    """The HTML without comments and instructions, and with no sign that only looks like the
    beginning of a tag: the standard parser takes long for many of those."""
    kept, at = [], 0
    while (begun := _ASIDE.search(html, at)) is not None:
        closing = "-->" if begun[0] == "<!--" else ">"
        end = html.find(closing, begun.end())
        kept.append(html[at : begun.start()])
        at = len(html) if end < 0 else end + len(closing)
    first, *chunks = "".join((*kept, html[at:])).split("<")
    return first + "".join(map(_opened, chunks))


def _opened(chunk: str) -> str:
    """What follows a `<`, with it if a tag begins there."""
    tag = chunk.find(">")
    if tag > TAG:
        return chunk[tag + 1 :]
    return ("&lt;" if tag < 0 else "<") + chunk


def _unread(tag: str, attrs: dict[str, str | None]) -> bool:
    hidden = "hidden" in attrs or _HIDDEN.search(attrs.get("style") or "")
    return tag in _SILENT or bool(hidden)


class _Walker(HTMLParser):
    """Gathers lines; inside something that is left out it only counts how deep it is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.line: list[str] = []
        self.skipped = ""
        """The tag that is left out with all that is in it."""
        self.depth = 0
        self.preformatted = 0
        self.over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.over:
            return
        if self.skipped == "head" and tag == "body":
            self.skipped = ""
        if self.skipped:
            self.depth += tag == self.skipped
            return
        if _BREAKS(tag):
            self.end_line()
        self.preformatted += tag == "pre"
        self._enter(tag, dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if _VOID(tag):
            self.handle_starttag(tag, attrs)
        else:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.skipped:
            self.depth -= tag == self.skipped
            if self.depth <= 0:
                self.skipped = ""
        elif _BREAKS(tag):
            self.end_line()
            self.preformatted -= tag == "pre"

    def handle_data(self, data: str) -> None:
        if self.over or self.skipped:
            return
        first, *further = data.splitlines() or [""] if self.preformatted > 0 else [data]
        self.line.append(first)
        for text in further:
            self.end_line()
            self.line.append(text)

    def end_line(self) -> None:
        text = " ".join("".join(self.line).split())
        self.line.clear()
        if text:
            self.lines.append(text)

    def _enter(self, tag: str, attrs: dict[str, str | None]) -> None:
        name = (attrs.get("id") or "").casefold()
        classes = set((attrs.get("class") or "").casefold().split())
        if name in _ENDS:
            self.end_line()
            self.over = True
        elif _VOID(tag):
            return
        elif tag == "blockquote" or classes & _QUOTES:
            self.end_line()
            self.lines.append(QUOTE)
            self._skip(tag)
        elif _unread(tag, attrs) or classes & _SIGNATURES or name in _SIGNATURE_IDS:
            self.end_line()
            self._skip(tag)

    def _skip(self, tag: str) -> None:
        self.skipped, self.depth = tag, 1
