"""The operator's list of mails that wait, failed or were held back, and what can be done."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from service import counter
from service.counter import STATES
from service.language import N_, moment
from service.outbox import State
from service.site import Site
from service.web import cookies
from service.web.request import _, field, language, now, number, site
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
ACTS: dict[str, Callable[[Site, int, int], bool]] = {
    "again": counter.again,
    "skip": counter.skip,
    "readmit": counter.readmit,
}


@pages.get("")
def mails() -> Response:
    cookies.require_operator()
    counts = counter.counts(site())
    wanted = field("state", request.args)
    state = next((one for one in STATES if one == wanted), next(iter(counts), STATES[0]))
    before = number("before", request.args)
    found = counter.mails(site(), state, before if before > 0 else None)
    return render(
        "outbox.html",
        counts=[(one, _(WORDS[one]), count) for one, count in counts.items()],
        state=state,
        title=_(WORDS[state]),
        mails=found,
        more=len(found) == counter.PAGE,
        when=_when,
    )


@pages.post("/<int:mail>")
def act(mail: int) -> Response:
    cookies.require_operator()
    doing = ACTS.get(field("act")) or abort(422)
    doing(site(), mail, now())
    return redirect(url_for("outbox.mails", state=field("state") or None), 303)


def _when(time: int) -> str:
    return moment(time, site().settings.zone, language())
