"""Fernpartie's service: pages, mail, worker and command line around the matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from service.settings import Settings


def create_app(settings: Settings) -> Flask:
    """The pages over an initialised site: the one place where their parts are joined.

    Raises NotReady, with a sentence for the operator, if the site cannot be opened.
    """
    from flask import Flask

    from service.language import TEMPLATES
    from service.site import open_site
    from service.web import (
        archive,
        errors,
        frame,
        home,
        lobby,
        match,
        operator,
        rights,
        start,
        turn,
        verify,
    )

    app = Flask(
        __name__, template_folder=str(TEMPLATES / "web"), static_folder=str(TEMPLATES / "static")
    )
    site = app.extensions["fernpartie"] = open_site(settings)
    rights.guard(app, settings, site.keys.cookie)
    frame.furnish(app)
    for part in (home, start, lobby, turn, match, archive, verify, operator):
        app.register_blueprint(part.pages)
    errors.answer(app)
    return app
