"""A page with one message and a way on."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g, url_for
from werkzeug.wrappers import Response

from service.web.request import _, site
from service.web.response import render


@dataclass(frozen=True)
class Notice:
    """What is said, and where the reader can go from there."""

    title: str
    sentence: str
    way: str = ""
    words: str = ""


def mailed(sentence: str) -> Response:
    """The page that sends its reader to their mail; where no mail leaves the machine, it says where
    all of it lies."""
    title = _("Look into your mail")
    if not site().settings.embedded:
        return show(Notice(title, sentence))
    if g.get("operator"):
        return show(Notice(title, sentence, url_for("operator.boxes"), _("To the mailbox")))
    kept = _(
        "Here no mail leaves the machine. Whoever started the service finds it in the mailbox: the "
        "start showed the link to it, below the address of these pages."
    )
    return show(Notice(title, f"{sentence} {kept}"))


def show(notice: Notice, status: int = 200) -> Response:
    """The page of a notice."""
    return render("notice.html", status, notice=notice)
