"""The operator's list of mails that wait, failed or were held back, and what can be done."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from service import counter
from service.counter import STATES
from service.kinds import Kind
from service.language import N_
from service.outbox import State
from service.web import cookies, piles
from service.web.piles import Act
from service.web.request import _, field, site, when
from service.web.response import render

pages = Blueprint("outbox", __name__, url_prefix="/operator/outbox")

WORDS: dict[State, str] = {
    "failed": N_("Refused"),
    "uncertain": N_("Perhaps sent"),
    "expired": N_("Too late"),
    "suppressed": N_("Held back"),
    "deferred": N_("To be tried again"),
    "pending": N_("To be written"),
    "ready": N_("Written"),
    "sending": N_("Being sent"),
    "superseded": N_("Overtaken by a move"),
}
MAILS: dict[Kind, str] = {
    "confirm": N_("Confirmation of an address"),
    "access": N_("Link to sign in"),
    "invitation": N_("Invitation"),
    "turn": N_("Turn"),
    "reminder": N_("Reminder"),
    "news": N_("News of a match"),
    "result": N_("Result"),
    "declined": N_("Declined invitation"),
    "void": N_("Match called off"),
    "left": N_("Empty place"),
    "pause": N_("Pause"),
    "message": N_("Messages of players"),
    "ack": N_("Receipt of a mail"),
    "answer": N_("Answer to a mail"),
    "hold": N_("Question about a mail"),
    "digest": N_("Daily mail"),
    "outage": N_("Outage"),
    "alert": N_("Alert to the operator"),
    "change": N_("Change of an address"),
    "arrival": N_("New address"),
    "deletion": N_("Deletion of an account"),
}
ACTS: dict[str, Act] = {
    "again": counter.again,
    "skip": counter.skip,
    "readmit": counter.readmit,
}


@pages.get("")
def mails() -> Response:
    cookies.require_operator()
    counts = counter.counts(site())
    state = piles.chosen("state", STATES, counts)
    found = counter.mails(site(), state, piles.before())
    return render(
        "outbox.html",
        counts=[(one, _(WORDS[one]), count) for one, count in counts.items()],
        state=state,
        title=_(WORDS[state]),
        mails=found,
        kinds={one: _(words) for one, words in MAILS.items()},
        more=len(found) == counter.PAGE,
        when=when,
    )


@pages.post("/<int:mail>")
def act(mail: int) -> Response:
    piles.act(ACTS, mail)
    return redirect(url_for("outbox.mails", state=field("state") or None), 303)
