"""The little Markdown that the rules of the games are written in, as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from markupsafe import Markup, escape

PICTURE = re.compile(r"!\[([^\]]+)\]\(([a-z]+)\)")
BOLD = re.compile(r"\*\*(.+?)\*\*")
CODE = re.compile(r"`(.+?)`")
LINK = re.compile(r"&lt;(https?://[^\s&]+)&gt;|\[([^\]]+)\]\((https?://[^)\s]+)\)")


def html(text: str, pictures: Mapping[str, str]) -> Markup:
    """Headings, paragraphs, flat lists, pictures with their captions, bold, code and links; all
    else stays as it is written. `pictures` has the addresses of those that a text may name."""
    blocks = (block for block in re.split(r"\n\s*\n", text.strip()) if block)
    return Markup("\n").join(
        part for block in blocks for part in _drawn(block, pictures) or _block(block.split("\n"))
    )


def _drawn(block: str, pictures: Mapping[str, str]) -> list[Markup]:
    """A picture that stands alone: `![caption](name)`."""
    found = PICTURE.fullmatch(block.strip())
    if found is None or found[2] not in pictures:
        return []
    figure = Markup(
        '<figure class="drawn"><img src="{}" alt="" loading="lazy">'
        "<figcaption>{}</figcaption></figure>"
    )
    return [figure.format(pictures[found[2]], found[1])]


def _block(lines: list[str]) -> Iterator[Markup]:
    for kind, group in groupby(_joined(lines), key=_kind):
        texts = [_inline(re.sub(r"^(#+|[-*]|\d+\.) ", "", line)) for line in group]
        if kind in ("ul", "ol"):
            items = Markup("").join(Markup("<li>{}</li>").format(text) for text in texts)
            yield Markup("<{0}>{1}</{0}>").format(Markup(kind), items)
        else:
            yield from (Markup("<{0}>{1}</{0}>").format(Markup(kind), text) for text in texts)


def _joined(lines: list[str]) -> list[str]:
    """The lines of a block, each item of a list and each paragraph on one."""
    joined: list[str] = []
    for line in lines:
        if joined and _kind(line) == "p" and not _kind(joined[-1]).startswith("h"):
            joined[-1] += " " + line.strip()
        else:
            joined.append(line.strip())
    return joined


def _kind(line: str) -> str:
    mark = re.match(r"\s*(#{1,3}|[-*]|\d+\.) ", line)
    if mark is None:
        return "p"
    return f"h{len(mark[1])}" if mark[1][0] == "#" else "ul" if mark[1] in "-*" else "ol"


def _inline(text: str) -> Markup:
    html = str(escape(text))
    html = LINK.sub(lambda found: _link(found), html)
    html = BOLD.sub(r"<strong>\1</strong>", html)
    return Markup(CODE.sub(r"<code>\1</code>", html))


def _link(found: re.Match[str]) -> str:
    address = found[1] or found[3]
    return f'<a href="{address}">{found[2] or address}</a>'
