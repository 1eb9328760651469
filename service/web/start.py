"""Starting a match: which game, then the form, as it was filled in and with what is wrong in it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from games import registry
from games.core.rules import Say
from games.core.words import put
from service import lobby, pace
from service.clock import NO_LIMIT
from service.errors import BadForm, Fault
from service.opening import FREE, HOUSE, OWN, Invited, Opening
from service.web import asked, cookies, games
from service.web.notice import mailed
from service.web.request import _, field, language, now, number, site
from service.web.response import public, render

pages = Blueprint("start", __name__)

Problems = dict[str, str]
"""What is wrong with a form: a sentence by the name of the field."""


@pages.get("/start")
def start() -> Response:
    return public(render("start.html", games=games.offered(), house=_house()))


@pages.get("/start/<game>")
def form(game: str) -> Response:
    possible = _possible(game)
    seats = asked.one_of("seats", [str(number) for number in possible])
    return _form(_blank(game, int(seats or possible[0])), {})


@pages.post("/start/<game>")
def ask(game: str) -> Response:
    possible, wanted = _possible(game), number("seats")
    seats = wanted if wanted in possible else possible[0]
    filled, visitor = _filled(game, seats), cookies.visitor()
    told = field("seats") or str(seats)
    if told != str(seats):
        refused = put(registry.words(game), Say("bad-seats", (("seats", told[:9]),)), language())
        return _form(filled, {"options": refused}, 422)
    try:
        if visitor:
            match = lobby.open_match(site(), visitor.player, filled, now())
            return redirect(url_for("match.match", match=match), 303)
        lobby.ask(site(), filled, now())
    except BadForm as error:
        return _form(filled, _placed(problems(error, game), filled), 422)
    return redirect(url_for("start.sent"), 303)


@pages.get("/start/sent")
def sent() -> Response:
    return mailed(
        _(
            "A mail is on its way to you. Open its link and confirm: then the match exists, "
            "and whoever you invite gets an invitation. The link is good for a day."
        )
    )


def _possible(game: str) -> Sequence[int]:
    """How many can play a game, the fewest first. 404 for no game."""
    if game not in registry.games():
        abort(404)
    return registry.newest(game).seats


def _form(draft: Opening, faults: Problems, status: int = 200) -> Response:
    """The form that starts a match, as far as it is filled in."""
    seats = 1 + len(draft.invited)
    return render(
        "start_form.html",
        status,
        draft=draft,
        problems=faults,
        game=games.game(draft.game),
        possible=registry.newest(draft.game).seats,
        seats=seats,
        house=_house(),
        options=games.options(draft.game, seats, draft.options),
        clocks=pace.offered(language()),
        own=OWN,
    )


def _placed(faults: Problems, form: Opening) -> Problems:
    """What is wrong with the options stands at the one that is to be changed, if it is one."""
    blamed = games.blamed(form.game, 1 + len(form.invited), form.options)
    if "options" not in faults or not blamed:
        return faults
    return faults | {games.PREFIX + blamed: faults["options"], "options": ""}


def _blank(game: str, seats: int) -> Opening:
    visitor = cookies.visitor()
    return Opening(
        nonce=secrets.token_urlsafe(16),
        game=game,
        name=visitor.name if visitor else "",
        address=visitor.address if visitor else "",
        language=language(),
        zone=_zone(),
        invited=(HOUSE if _house() else Invited("", ""),) * (seats - 1),
    )


def _filled(game: str, seats: int) -> Opening:
    visitor = cookies.visitor()
    return Opening(
        nonce=field("nonce"),
        game=game,
        name=visitor.name if visitor else field("name"),
        address=visitor.address if visitor else field("address"),
        language=language(),
        zone=_zone(),
        invited=tuple(_invited(f"invited-{n}") for n in range(1, seats)),
        options={
            name.removeprefix(games.PREFIX): field(name)
            for name in request.form
            if name.startswith(games.PREFIX) and field(name)
        },
        words=field("words"),
        listed="unlisted" not in request.form,
        clock=field("clock") or NO_LIMIT,
        own_clock=field("own_clock"),
        weekends=_zone() if "weekends" in request.form else "",
        vacation="strict" not in request.form,
        public="public" in request.form,
    )


def _invited(place: str) -> Invited:
    by = field(f"{place}-by")
    if by in ("house", "free"):
        return HOUSE if by == "house" else FREE
    language = field(f"{place}-language")
    return Invited(field(f"{place}-name"), field(f"{place}-address"), language=language)


def _house() -> int | None:
    """Whether the house was asked for, as it stands in addresses."""
    return 1 if asked.one_of("house", ("1",)) else None


def _zone() -> str:
    visitor = cookies.visitor()
    return visitor.zone if visitor else site().settings.zone


def problems(error: BadForm, game: str = "") -> Problems:
    """The first fault of each field, in words."""
    return {fault.name: _fault(fault, game) for fault in reversed(error.faults)}


def _fault(fault: Fault, game: str) -> str:
    if fault.say is not None and game in registry.games():
        return put(registry.words(game), fault.say, language())
    return _(fault.sentence, **fault.values)
