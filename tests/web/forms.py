"""The links and forms of a page, as a browser without scripts reads them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin
from xml.etree.ElementTree import Element

import html5lib

HTML = "{http://www.w3.org/1999/xhtml}"
Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Form:
    """A form: where it goes, what stands in it unseen, and what else it offers."""

    path: str
    method: str
    hidden: Fields
    offered: Fields

    @property
    def names(self) -> tuple[str, ...]:
        """Its fields, but for the nonce that proves it to be ours."""
        named = dict.fromkeys(name for name, _ in (*self.hidden, *self.offered))
        return tuple(name for name in named if name != "csrf_token")


@dataclass(frozen=True)
class Page:
    """Where a page leads."""

    links: tuple[str, ...]
    forms: tuple[Form, ...]


def read(text: str, here: str) -> Page:
    """A page at an address. Raises ParseError unless it is clean HTML."""
    tree = html5lib.HTMLParser(strict=True).parse(text)
    found = [one.get(name) for one in tree.iter() for name in ("href", "src")]
    links = dict.fromkeys(urljoin(here, link) for link in found if link)
    return Page(tuple(links), tuple(_form(one, here) for one in tree.iter(f"{HTML}form")))


def _form(form: Element, here: str) -> Form:
    fields = [(one, one.get("name")) for one in form.iter() if one.get("name")]
    hidden = [
        (str(name), one.get("value", "")) for one, name in fields if one.get("type") == "hidden"
    ]
    offered = [
        (str(name), value)
        for one, name in fields
        if one.get("type") != "hidden"
        for value in _values(one)
    ]
    path = urljoin(here, form.get("action") or "")
    return Form(path, form.get("method", "get"), tuple(hidden), tuple(offered))


def _values(field: Element) -> list[str]:
    """What stands in a field, or can be chosen in it."""
    options = [one.get("value", one.text or "") for one in field.iter(f"{HTML}option")]
    return options or [field.get("value") or field.text or ""]
