"""The parts of the site, each with its routes."""

from __future__ import annotations

from service.web import (
    account,
    archive,
    feeds,
    held,
    home,
    hook,
    inbox,
    lobby,
    mine,
    operator,
    outbox,
    person,
    places,
    programs,
    start,
    turn,
    unsubscribe,
    vacation,
    verify,
)
from service.web.api import operations
from service.web.match import routes, talk

FORMLESS = (operations.pages, unsubscribe.pages, hook.pages)
"""What is sent there comes from programs, which have no form of ours."""
PARTS = (
    home.pages,
    start.pages,
    lobby.pages,
    places.pages,
    mine.pages,
    account.pages,
    person.pages,
    programs.pages,
    turn.pages,
    held.pages,
    unsubscribe.pages,
    vacation.pages,
    routes.pages,
    talk.pages,
    archive.pages,
    verify.pages,
    feeds.pages,
    operations.pages,
    hook.pages,
    operator.pages,
    outbox.pages,
    inbox.pages,
)
