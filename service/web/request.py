"""What every route asks of its request: the site, the hour, the language, the fields."""

from __future__ import annotations

import time
from typing import cast
from urllib.parse import quote

from flask import current_app, g, request
from werkzeug.datastructures import MultiDict

from games.core.drawing import LANGUAGES, Language
from service import language as speech
from service import writing
from service.site import Site


def site() -> Site:
    """The service that answers."""
    return cast(Site, current_app.extensions["fernpartie"])


def now() -> int:
    """The hour of this request: read once, so that one answer knows one time."""
    if "now" not in g:
        g.now = int(time.time())
    return cast(int, g.now)


def language() -> Language:
    """The language of the answer: of the reader's account, else as it was chosen in this browser,
    else of the link, else the first that the browser asks for."""
    if "language" not in g:
        wanted = (tag.split("-")[0].lower() for tag, weight in request.accept_languages if weight)
        g.language = next((tag for tag in wanted if tag in LANGUAGES), "en")
    return cast(Language, g.language)


def speak(wanted: str) -> None:
    """Answers in the language of a person or of a link, if it is one of ours and whoever reads it
    has not chosen another in this browser."""
    if wanted in LANGUAGES and "chosen" not in g:
        g.language = wanted


def choose(wanted: str) -> None:
    """Answers in the language that was chosen in this browser, whatever a link says."""
    speak(wanted)
    if wanted in LANGUAGES:
        g.chosen = wanted


def here() -> str:
    """The address of this page, or of the page that has this form; never one of another host."""
    adapter, path = current_app.create_url_adapter(request), request.path
    shown = adapter is not None and adapter.test(path, method="GET")
    if request.method == "POST" and not shown:
        path = path.rpartition("/")[0]
    return "/" + quote(path.lstrip("/"))


def _(text: str, **values: object) -> str:
    """The sentence in the language of the answer."""
    return speech.gettext(text, language(), **values)


def when(time: int) -> str:
    """A moment in the zone of the service, for its operator."""
    return speech.moment(time, site().settings.zone, language())


def field(name: str, given: MultiDict[str, str] | None = None) -> str:
    """What was typed into a field of one line, without what no page can show."""
    return shown((request.form if given is None else given).get(name, ""))


def long_field(name: str) -> str:
    """What was typed into a field of several lines, with its lines."""
    return shown(request.form.get(name, ""), "\t\r\n")


def shown(text: str, kept: str = "") -> str:
    """The text without control characters, but for those kept, and without what is no character."""
    return "".join(one for one in text if one in kept or writing.stands(one))


def number(name: str, given: MultiDict[str, str] | None = None) -> int:
    """A number that was sent; -1 for anything else, which no record has."""
    text = field(name, given)
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1
