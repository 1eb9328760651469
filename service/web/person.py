"""What players do with their account: who they are, where, on which devices, and its end."""

from __future__ import annotations

from flask import Blueprint, Response, abort, url_for
from werkzeug.wrappers import Response as Answer

from games.registry import vocabulary
from service import changes, farewell, own, sessions, tale
from service.changes import Asked
from service.errors import BadAddress, BadForm
from service.matches import seats_of
from service.sessions import PlayerSession
from service.web import account, cookies
from service.web.notice import Notice, mailed, show
from service.web.request import _, field, language, now, number, site, speak
from service.web.response import render
from service.web.start import problems
from service.web.zipped import zipped

pages = Blueprint("person", __name__)


@pages.post("/account/person")
def describe() -> Answer:
    player = _player()
    typed = {name: field(name) for name in ("name", "language", "zone")}
    try:
        changes.describe(site(), player.player, **typed)
    except BadForm as error:
        return account.page(player, problems(error), typed)
    return account.saved("me")


@pages.post("/account/address")
def move() -> Answer:
    player = _player()
    given = field("address")
    try:
        changes.ask_address(site(), player.player, given, now())
    except BadAddress as error:
        problem = {"address": _(error.sentence, **error.values)}
        return account.page(player, problem, {"address": given})
    return mailed(
        _(
            "A link is on its way to your old address, and one to the new. When both have said "
            "yes, the new one holds."
        )
    )


@pages.post("/account/devices")
def sign_out() -> Answer:
    """One device, or all others."""
    player = _player()
    if field("which") == "others":
        sessions.end_others(site().db, player.player, cookies.own())
    else:
        sessions.end_one(site().db, player.player, number("which"))
    return account.saved("devices")


@pages.get("/account/data.zip")
def data() -> Answer:
    """All that is kept of the player, and the logs of their matches."""
    player = _player()
    response = Response(zipped(own.files(site(), player.player, now())), mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename="fernpartie-account.zip")
    return response


@pages.post("/account/delete")
def ask_deletion() -> Answer:
    changes.ask_deletion(site(), _player().player, now())
    return mailed(
        _("A link is on its way to your address. It shows what is deleted, and asks you once more.")
    )


@pages.get("/c/<token>")
def confirm(token: str) -> Answer:
    asked = _asked(token)
    if asked.done and asked.address:
        return _moved(asked.person.address == asked.address)
    return _ending(asked) if not asked.address else _moving(asked)


@pages.post("/c/<token>")
def answer(token: str) -> Answer:
    asked = _asked(token)
    if field("answer") == "no":
        return show(Notice(_("Nothing was done"), _("The link will simply run out.")))
    if field("answer") != "yes":
        problem = _("Please choose one of the two.")
        return _moving(asked, problem) if asked.address else _ending(asked, problem)
    if asked.address:
        return _moved(changes.agree(site(), token, now()))
    farewell.delete(site(), asked.player, now())
    known = cookies.forget(asked.player)
    said = show(
        Notice(
            _("Your account is deleted"),
            _("Nothing here knows you any more. You can come back whenever you like."),
        )
    )
    return cookies.take_player(said) if known else said


def _asked(token: str) -> Asked:
    """What a link is to confirm; the answer is in the language of its player."""
    asked = changes.look(site(), token, now())
    speak(asked.person.language)
    return asked


def _moving(asked: Asked, problem: str = "") -> Answer:
    """Asks the old address, or the new one, whether mails are to go to the new one."""
    if asked.new:
        sentence = _("The mails of %(name)s are to come to this address.", name=asked.person.name)
    else:
        sentence = _("Your mails are to go to %(address)s from now on.", address=asked.address)
    facts = [
        (_("So far"), asked.person.address),
        (_("From now on"), asked.address),
    ]
    return render(
        "confirm.html",
        422 if problem else 200,
        title=_("Change this address?"),
        sentence=sentence,
        facts=facts,
        problem=problem,
        yes=_("Yes, change it"),
        no=_("No, leave it as it is"),
    )


def _moved(whole: bool) -> Answer:
    if whole:
        return show(
            Notice(
                _("Your address has changed"),
                _("From now on all your mails go to the new one."),
                url_for("account.account"),
                _("To my account"),
            )
        )
    sentence = _("Now the other address has to say yes too: a link has been mailed to it.")
    return show(Notice(_("One yes of two"), sentence))


def _ending(asked: Asked, problem: str = "") -> Answer:
    """What goes with the account, and what stays."""
    rows = farewell.ties(site(), asked.player)
    with site().db.read() as conn:
        people = seats_of(conn, [row.id for row in rows])
    told = [
        (
            url_for("match.match", match=row.id),
            vocabulary(row.game).NAME[language()],
            " – ".join(name for name in tale.called(people[row.id], language()) if name),
            row.started,
        )
        for row in rows
    ]
    return render("deletion.html", 422 if problem else 200, ties=told, problem=problem)


def _player() -> PlayerSession:
    """Who is signed in. 403 for anybody else."""
    return cookies.visitor() or abort(403)
