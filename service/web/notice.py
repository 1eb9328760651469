"""A page with one message and a way on."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.wrappers import Response

from service.web.response import render


@dataclass(frozen=True)
class Notice:
    """What is said, and where the reader can go from there."""

    title: str
    sentence: str
    way: str = ""
    words: str = ""


def show(notice: Notice, status: int = 200) -> Response:
    """The page of a notice."""
    return render("notice.html", status, notice=notice)
