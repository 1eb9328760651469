"""The form that starts a match: as it is offered, as it was filled in, what is wrong with it."""

from __future__ import annotations

import secrets

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from games import registry
from games.core.words import put
from service import lobby
from service.errors import BadForm, Fault
from service.opening import Invited, Opening
from service.web import cookies, games
from service.web.notice import Notice, show
from service.web.request import _, field, language, now, site
from service.web.response import render

pages = Blueprint("start", __name__)

Problems = dict[str, str]
"""What is wrong with a form: a sentence by the name of the field."""


@pages.get("/start")
def start() -> Response:
    return _start(_blank(), {})


@pages.post("/start")
def ask() -> Response:
    form, visitor = _filled(), cookies.visitor()
    try:
        if visitor:
            match = lobby.open_match(site(), visitor.player, form, now())
            return redirect(url_for("match.match", match=match), 303)
        lobby.ask(site(), form, now())
    except BadForm as error:
        return _start(form, problems(error, form.game), 422)
    return redirect(url_for("start.asked"), 303)


@pages.get("/start/sent")
def asked() -> Response:
    return show(
        Notice(
            _("Look into your mail"),
            _(
                "A mail is on its way to you. Open its link and confirm: then the match exists "
                "and the invitation goes out. The link is good for a day."
            ),
        )
    )


def _start(form: Opening, faults: Problems, status: int = 200) -> Response:
    """The form that starts a match, as far as it is filled in."""
    chosen = {game.id: form.options if game.id == form.game else {} for game in games.offered()}
    options = {id: games.options(id, given) for id, given in chosen.items()}
    return render(
        "start.html",
        status,
        draft=form,
        problems=faults,
        games=games.offered(),
        options=options,
        visitor=cookies.visitor(),
    )


def _blank() -> Opening:
    visitor = cookies.visitor()
    return Opening(
        nonce=secrets.token_urlsafe(16),
        game=request.args.get("game", ""),
        name=visitor.name if visitor else "",
        address=visitor.address if visitor else "",
        language=language(),
        zone=site().settings.zone,
        invited=(Invited("", ""),) * (_most() - 1),
    )


def _filled() -> Opening:
    form, visitor = request.form, cookies.visitor()
    game = field("game")
    return Opening(
        nonce=field("nonce"),
        game=game,
        name=visitor.name if visitor else field("name"),
        address=visitor.address if visitor else field("address"),
        language=language(),
        zone=site().settings.zone,
        invited=tuple(_guests()),
        options={
            name.removeprefix(f"{game}."): value
            for name, value in form.items()
            if name.startswith(f"{game}.") and value
        },
        words=field("words"),
        listed="unlisted" not in form,
    )


def _guests() -> list[Invited]:
    """Those whom the form invites: the first always, so that it is said what is missing."""
    found = []
    for n in range(1, _most()):
        one = Invited(field(f"invited-{n}-name"), field(f"invited-{n}-address"))
        if n == 1 or one.name.strip() or one.address.strip():
            found.append(one)
    return found


def _most() -> int:
    """The largest number of seats of any game."""
    return max(registry.newest(game).seats[-1] for game in registry.games())


def problems(error: BadForm, game: str = "") -> Problems:
    """The first fault of each field, in words."""
    return {fault.name: _fault(fault, game) for fault in reversed(error.faults)}


def _fault(fault: Fault, game: str) -> str:
    if fault.say is not None and game in registry.games():
        return put(registry.words(game), fault.say, language())
    return _(fault.sentence, **fault.values)
