"""The pages that are the same for everybody: home, rules, our keys, and whether all runs."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, url_for
from werkzeug.wrappers import Response

from games import registry
from games.core.drawing import Reader
from games.core.rules import BYSTANDER, complete
from service import ready
from service.policy import own_policy
from service.web import games, places, sample
from service.web.archive import lately
from service.web.markdown import html
from service.web.mine import next_turn
from service.web.request import language, now, site
from service.web.response import painted, public, render

pages = Blueprint("home", __name__)

LATELY = 5
ROBOTS = "User-agent: *\n" + "".join(
    f"Disallow: /{path}\n"
    for path in (
        *("m/", "matches", "account", "archive", "operator", "feed/", "api/", "out"),
        *("t/", "i/", "a/", "h/", "u/", "c/", "start/sent"),
    )
)
"""What is about games is for search engines; what is about people, or behind a link, is not."""


@pages.get("/")
def home() -> Response:
    return public(
        render(
            "home.html",
            games=games.offered(),
            offers=places.newest(LATELY),
            finished=lately(LATELY),
            further=next_turn(),
        )
    )


@pages.get("/rules")
def manuals() -> Response:
    return public(render("manuals.html", games=games.offered()))


@pages.get("/rules/<game>")
def rules(game: str) -> Response:
    _check(game)
    pictures = {
        "start": url_for("home.drawing", game=game),
        "middle": url_for("home.middle", game=game),
    }
    text = html(registry.manual(game, language()), pictures)
    return public(render("rules.html", game=games.game(game), text=text))


@pages.get("/rules/<game>.svg")
def drawing(game: str) -> Response:
    """The board of the game at its start, with the colours of both schemes."""
    _check(game)
    return public(painted(_board(game)))


@pages.get("/rules/<game>/middle.svg")
def middle(game: str) -> Response:
    """The board in the middle of a match, as somebody who plays it sees it."""
    _check(game)
    shown, names = sample.view(game), sample.names(game, language())
    return public(painted(registry.drawing(game).svg(shown, Reader(language(), names, 1))))


@pages.get("/rules/<game>/small.svg")
def thumb(game: str) -> Response:
    """The same in a list of games."""
    _check(game)
    shown, names = sample.view(game), sample.names(game, language())
    return public(painted(registry.drawing(game).small(shown, Reader(language(), names, 1))))


@pages.get("/policy.txt")
def policy() -> Response:
    return _text(own_policy(site()))


@pages.get("/robots.txt")
def robots() -> Response:
    return _text(ROBOTS)


@pages.get("/healthz")
def alive() -> Response:
    """For the proxy: this process answers, whatever else is the matter."""
    return _text("ok\n")


@pages.get("/readyz")
def well() -> Response:
    """For a monitor: 503 with a sentence for each thing that is not in order."""
    why = ready.reasons(site(), now())
    response = _text("".join(f"{sentence}\n" for sentence in why) or "ok\n")
    response.status_code = 503 if why else 200
    return response


def _check(game: str) -> None:
    if game not in registry.games():
        abort(404)


def _board(game: str) -> str:
    """The start position; of a game that deals first, the empty table."""
    rules = registry.newest(game)
    seats = rules.seats[0]
    state = rules.setup(seats, complete(rules, seats, {}))
    reader = Reader(language(), tuple(map(str, range(1, seats + 1))), BYSTANDER)
    return registry.drawing(game).svg(rules.view(state, BYSTANDER), reader)


def _text(text: str) -> Response:
    response = make_response(text)
    response.headers["Content-Type"] = "text/plain; charset=utf-8"
    return response
