"""Mails that a provider posts as they are: signed with a secret, kept, and only then answered."""

from __future__ import annotations

import hashlib
import hmac

from flask import Blueprint, abort, make_response, request
from werkzeug.wrappers import Response

from service.mail import door
from service.web.request import now, site

pages = Blueprint("hook", __name__)
SIGNATURE = "X-Fernpartie-Signature"
"""The HMAC-SHA256 of the body, in hexadecimal; or basic authentication with the secret."""


@pages.post("/mail")
def take() -> Response:
    """The body is the raw mail; `recipient` and `sender` of its envelope may stand in the
    address."""
    secret = site().settings.hook_secret
    if secret is None:
        abort(404)
    body = request.get_data()
    if not _genuine(secret.get_secret_value(), body):
        abort(403)
    envelope = (request.args.get(name, "") for name in ("recipient", "sender"))
    door.take_in(site(), "hook", body, now(), *envelope)
    return make_response("kept\n", 200, {"Content-Type": "text/plain"})


def _genuine(secret: str, body: bytes) -> bool:
    if request.authorization and request.authorization.type == "basic":
        return hmac.compare_digest((request.authorization.password or "").encode(), secret.encode())
    made = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    given = request.headers.get(SIGNATURE, "").removeprefix("sha256=").lower()
    return hmac.compare_digest(given.encode(), made.encode())
