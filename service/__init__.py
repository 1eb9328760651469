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
    from werkzeug.middleware.proxy_fix import ProxyFix

    from service.web import cookies, errors, limits, response
    from service.web.parts import FORMLESS, PARTS

    proxies = site.settings.trusted_proxies
    if proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=0, x_host=0, x_port=0, x_prefix=0)
        app.wsgi_app = fixed  # type: ignore[method-assign]
    app.before_request(cookies.recognise)
    app.after_request(cookies.remember)
    limits.guard(app, site.settings, site.keys.cookie, without_forms=FORMLESS)
    app.before_request(cookies.understand)
    response.furnish(app)
    for part in PARTS:
        app.register_blueprint(part)
    errors.register(app)
