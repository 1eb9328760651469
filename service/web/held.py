"""A line that came by mail from a stranger: GET asks whose it is, POST plays it if it is theirs."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from service import held
from service.errors import SpentLink
from service.inbox import Held
from service.web.notice import Notice, show
from service.web.request import _, now, site
from service.web.response import render

pages = Blueprint("held", __name__)


@pages.get("/h/<token>")
def question(token: str) -> Response:
    return _asked(_live(token))


@pages.post("/h/<token>")
def decide(token: str) -> Response:
    found = _live(token)
    answer = request.form.get("answer", "")
    if answer == "no":
        held.refuse(site(), token, now())
        refused = _("The move is refused for good, and this link can no longer be used.")
        return show(Notice(_("Nothing was played"), refused))
    if answer != "yes":
        return _asked(found, _("Please choose one of the two."))
    return redirect(url_for("match.match", match=held.accept(site(), token, now())), 303)


def _live(token: str) -> Held:
    link, found = held.find(site(), token)
    if not link.live(now()):
        raise SpentLink(found.match)
    return found


def _asked(found: Held, problem: str = "") -> Response:
    return render(
        "confirm.html",
        422 if problem else 200,
        title=_("Did you send this move?"),
        sentence=_(
            "From %(sender)s came the move “%(line)s” for your seat.",
            sender=found.author,
            line=found.line,
        ),
        yes=_("Yes: play it, and take my moves from this address from now on"),
        no=_("No: nothing is played"),
        problem=problem,
    )
