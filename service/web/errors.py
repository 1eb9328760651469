"""Every error as a page: a sentence and a way on. The one place where they are caught."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Flask, make_response, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.wrappers import Response

from games.core.rules import RulesError
from games.core.words import put
from games.registry import vocabulary
from service.errors import (
    BadLink,
    CalledOff,
    NoMatch,
    NotNow,
    NotYourTurn,
    Refusal,
    SpentLink,
    Stale,
    Taken,
    TooMany,
    Unavailable,
    Unsigned,
)
from service.language import N_
from service.web import cookies
from service.web.api import problems
from service.web.asked import NotThere
from service.web.limits import UPLOADS
from service.web.match import page
from service.web.notice import Notice, show
from service.web.request import _, here, language
from service.web.response import render

CONFIRMED = ("person.confirm", "person.answer")
"""Where an account may have been deleted, which leaves nothing of the link either."""
PLACES = ("places.place", "places.take", "lobby.enter")
"""Where somebody may come too late for a place, while others are free."""
OWN = ("person", "programs")
"""Parts that are of no use without a player who has signed in."""


def register(app: Flask) -> None:
    """Says for each error what answers it."""
    app.register_error_handler(RulesError, _refused)
    app.register_error_handler(Stale, _overtaken)
    app.register_error_handler(NotYourTurn, _overtaken)
    app.register_error_handler(NotNow, _overtaken)
    app.register_error_handler(Taken, _overtaken)
    app.register_error_handler(TooMany, _too_often)
    app.register_error_handler(BadLink, _missing)
    app.register_error_handler(SpentLink, _spent)
    app.register_error_handler(CalledOff, _called_off)
    app.register_error_handler(NoMatch, _missing)
    app.register_error_handler(Unavailable, _unavailable)
    app.register_error_handler(Unsigned, _unsigned)
    app.register_error_handler(CSRFError, _unsure)
    app.register_error_handler(SecurityError, _foreign)
    app.register_error_handler(NotThere, _not_there)
    app.register_error_handler(HTTPException, _http)


def _refused(error: RulesError) -> Response:
    """A line that cannot be played: why, above the send box, with the draft kept."""
    words = vocabulary(page.game()).WORDS
    return page.again(422, refused=put(words, error.say, language()))


def _overtaken(error: Refusal) -> Response:
    """The present position, and why what was sent was not accepted."""
    if page.remembers():
        return page.again(409, news=_said(error))
    way = (url_for("places.lobby"), _("Lobby")) if request.endpoint in PLACES else _home()
    return show(Notice(_("That cannot be done now"), _said(error), *way), 409)


def _too_often(error: TooMany) -> Response:
    title, _sentence = _SAID[429]
    response = show(Notice(_(title), _said(error), _here_again(), _("Open the page again")), 429)
    response.headers["Retry-After"] = str(error.seconds)
    return response


def _missing(error: Refusal) -> Response:
    """The same page for what never was, for what is over, and for what is somebody else's."""
    if request.endpoint in CONFIRMED:
        title, sentence = _DONE
        way = url_for("account.account"), _("To my account")
        return show(Notice(_(title), _(sentence), *way), 410)
    return show(_notice(404), 404)


def _spent(error: SpentLink) -> Response:
    """A genuine link, whose holder may know that it has been good, and the way to another."""
    way = url_for("start.start"), _("Start a match")
    if error.match:
        way = url_for("lobby.missing", match=error.match), _("Mail me my newest link")
    return show(Notice(_("This link has run out"), _said(error), *way), 404)


def _called_off(error: CalledOff) -> Response:
    way = url_for("start.start"), _("Start a match")
    return show(Notice(_("This match will not be played"), _said(error), *way), 410)


def _unavailable(error: Unavailable) -> Response:
    if request.method == "POST":
        words = _("Not saved"), _("Try again: your draft is still there")
    else:
        words = _("Not available now"), _("Try again")
    response = show(Notice(words[0], _said(error), _here_again(), words[1]), 503)
    response.headers["Retry-After"] = "5"
    return response


def _unsigned(error: Unsigned) -> Response:
    return show(Notice(_("Saved, not signed yet"), _said(error), _here_again(), _("Go on")), 503)


def _unsure(error: CSRFError) -> Response:
    notice = Notice(
        _("Please send that once more"),
        _(
            "Your browser did not send the cookie that belongs to this form, so nothing was saved. "
            "Open the page again and send it from there."
        ),
        _here_again(),
        _("Open the page again"),
    )
    return show(notice, 400)


def _not_there(error: NotThere) -> Response:
    """A page that has not what its address asks for, and the way to all that it has."""
    sentence = _(
        "There is no “%(value)s” on this page, for which its address asks (%(name)s).",
        name=error.asked,
        value=error.value[:40],
    )
    if error.day:
        sentence += " " + _("Write a day like this: 2026-12-31.")
    return show(Notice(_(_SAID[404][0]), sentence, here(), _("Show the page as usual")), 404)


def _foreign(error: SecurityError) -> Response:
    """A host that is not ours gets no page of ours."""
    return make_response("This host is not served here.\n", 400, {"Content-Type": "text/plain"})


def _http(error: HTTPException) -> Response:
    if request.path.startswith(problems.API):
        return problems.http(error)
    code = error.code or 500
    response = _page(code)
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            response.headers[name] = value
    return response


def _page(code: int) -> Response:
    if code == 403 and request.blueprint in OWN and cookies.visitor() is None:
        return render("sign_in.html", 403, problem="")
    if code == 413 and request.endpoint in UPLOADS:
        title, sentence = _LONG_LOG
        way = url_for("verify.verify"), _("Another log")
        return show(Notice(_(title), _(sentence), *way), code)
    return show(_notice(code), code)


def _said(error: Refusal) -> str:
    return _(error.sentence, **error.values)


def _here_again() -> str:
    """The page of this form, with the draft of a turn."""
    line = page.draft()
    return f"{here()}?{urlencode({'line': line})}" if line else here()


def _notice(code: int) -> Notice:
    title, sentence = _SAID.get(code, _SAID[500])
    return Notice(_(title), _(sentence), *_home())


def _home() -> tuple[str, str]:
    return url_for("home.home"), _("To the first page")


_DONE = (
    N_("This link has done its work"),
    N_(
        "If you have deleted your account with it, that is done: nothing here knows you any more. "
        "If not, copy all of the link from your mail, or ask for a new one."
    ),
)
_UNREAD = (
    N_("That was not understood"),
    N_("Something in the form was missing or cannot be right. Nothing was saved."),
)
_SAID = {
    400: _UNREAD,
    403: (
        N_("Only for players of this match"),
        N_(
            "This needs the link of a mail that went to the player. Ask for it on the page of "
            "the match."
        ),
    ),
    404: (
        N_("Nothing is here"),
        N_(
            "The address is not complete, or it leads nowhere. In a mail a link may be broken "
            "over two lines: then copy all of it."
        ),
    ),
    405: (
        N_("This does not work that way"),
        N_("This address is for a form. Open the page that it belongs to."),
    ),
    410: (N_("No longer here"), N_("What was here is gone for good.")),
    409: (
        N_("That cannot be done now"),
        N_("Something has changed in the meantime. Look at the page again."),
    ),
    413: (
        N_("That is too large"),
        N_("A form may have 64 kilobytes here, which is a text of many pages."),
    ),
    415: (
        N_("This kind of file is not taken"),
        N_("Send the form of the page as it is; a program finds at /api what it may send."),
    ),
    422: _UNREAD,
    429: (N_("Too many requests"), N_("Please wait a moment and try again.")),
    500: (
        N_("Something went wrong"),
        N_(
            "The fault is ours, and it has been noted. Look whether what you sent was saved before "
            "you send it again."
        ),
    ),
    503: (
        N_("Not available now"),
        N_("The service is being worked on. Nothing is lost; try again in a minute."),
    ),
}
_LONG_LOG = (
    N_("That is too large"),
    N_("A log may have one megabyte here. The command “python -m games verify” takes longer ones."),
)
