"""What every route asks of its request: the site, the hour, the language, the fields."""

from __future__ import annotations

import time
from typing import cast

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
    """The language of the answer: whoever reads it has set it, else the browser asks for it."""
    if "language" not in g:
        wanted = (tag.split("-")[0].lower() for tag, weight in request.accept_languages if weight)
        g.language = next((tag for tag in wanted if tag in LANGUAGES), "en")
    return cast(Language, g.language)


def speak(wanted: str) -> None:
    """Answers in the language of a person or of a link, if it is one of ours."""
    if wanted in LANGUAGES:
        g.language = wanted


def _(text: str, **values: object) -> str:
    """The sentence in the language of the answer."""
    return speech.gettext(text, language(), **values)


def when(time: int) -> str:
    """A moment in the zone of the service, for its operator."""
    return speech.moment(time, site().settings.zone, language())


def field(name: str, given: MultiDict[str, str] | None = None) -> str:
    """What was typed into a field of one line, without what no page can show."""
    return shown((request.form if given is None else given).get(name, ""))


def shown(text: str, kept: str = "") -> str:
    """The text without control characters, but for those kept, and without what is no character."""
    return "".join(one for one in text if one in kept or writing.stands(one))


def number(name: str, given: MultiDict[str, str] | None = None) -> int:
    """A number that was sent; -1 for anything else, which no record has."""
    text = field(name, given)
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1
