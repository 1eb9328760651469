"""Fernpartie's service: pages, mail, worker and command line around the matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from service.settings import Settings
    from service.site import Site


def create_app(settings: Settings) -> Flask:
    """The pages over an initialised site: the one place where their parts are joined.

    Raises NotReady, with a sentence for the operator, if the site cannot be opened.
    """
    from flask import Flask

    from service.language import TEMPLATES
    from service.site import open_site

    app = Flask(
        __name__, template_folder=str(TEMPLATES / "web"), static_folder=str(TEMPLATES / "static")
    )
    app.extensions["fernpartie"] = open_site(settings)
    _join(app, app.extensions["fernpartie"])
    return app


def _join(app: Flask, site: Site) -> None:
    """Cookies are looked at before forms are judged, so that a refusal is in the right language."""
    from service.web import (
        account,
        archive,
        cookies,
        errors,
        feeds,
        held,
        home,
        hook,
        limits,
        lobby,
        mine,
        operator,
        outbox,
        places,
        programs,
        response,
        start,
        turn,
        unsubscribe,
        verify,
    )
    from service.web.api import operations
    from service.web.match import routes, talk

    app.before_request(cookies.recognise)
    limits.guard(
        app,
        site.settings,
        site.keys.cookie,
        without_forms=(operations.pages, unsubscribe.pages, hook.pages),
    )
    response.furnish(app)
    ours = (home, start, lobby, places, mine, turn, held, routes, archive, verify, operator)
    for part in (*ours, talk, operations, programs, feeds, account, unsubscribe, outbox, hook):
        app.register_blueprint(part.pages)
    errors.register(app)
