"""Fewer mails, by the link in every mail: no sign-in, no cookie, and GET changes nothing."""

from __future__ import annotations

from flask import Blueprint, request
from werkzeug.wrappers import Response

from service import reach, unsubscribe
from service.language import N_
from service.unsubscribe import Choice
from service.web.notice import Notice, show
from service.web.request import _, field, now, site, speak
from service.web.response import render

ASKED = "asked"
"""A field of our own form. What a mail program sends is anything at all."""
pages = Blueprint("unsubscribe", __name__)

WORDS: dict[Choice, str] = {
    "match": N_("No mails about match %(code)s any more"),
    "daily": N_("All my turns in one mail a day"),
    "invitations": N_("No invitations any more"),
    "everything": N_("No mails at all any more"),
    "again": N_("All mails, as in the beginning"),
}


@pages.get("/u/<token>")
def ask(token: str) -> Response:
    who = unsubscribe.reader(site(), token)
    speak(who.language)
    return render(
        "unsubscribe.html",
        address=reach.masked(who.address),
        choices=[(choice, _(WORDS[choice], code=who.code)) for choice in who.choices],
    )


@pages.post("/u/<token>")
def answer(token: str) -> Response:
    """Of a person who chose, or of a mail program with one click (RFC 8058), which sends a form of
    its own and has no cookies. Nothing tells whether the token ever was one. A scanner that presses
    the button has chosen nothing."""
    if ASKED in request.form and not field("choice"):
        return ask(token)
    if unsubscribe.choose(site(), token, field("choice"), now()):
        speak(unsubscribe.reader(site(), token).language)
    return show(
        Notice(
            _("That is how it is from now on"),
            _(
                "Only the mails have changed: your places in matches stay yours. What you ask "
                "for, like a link to sign in, is still mailed to you."
            ),
        )
    )
