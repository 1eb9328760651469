"""The kinds of mail that go out, and what holds for all mails of a kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "confirm",
    "access",
    "invitation",
    "turn",
    "reminder",
    "news",
    "result",
    "declined",
    "void",
    "left",
    "pause",
    "message",
    "ack",  # what was sent by mail is done
    "answer",  # it is not, and why
    "hold",  # a stranger sent it: shall it be done?
    "digest",
    "outage",  # the service was away, so there is more time
    "alert",
    "change",  # another address is to be mine: the old one agrees
    "arrival",  # the same: the new one is confirmed
    "deletion",  # shall the account be deleted?
]
Scope = Literal["match", "invitations", "digest"]


@dataclass(frozen=True)
class Traits:
    """What holds for a kind.

    `asked`: somebody waits for it, so it goes out whatever the reader has wished. `of_turn`: it is
    worth nothing once its turn is over. `thread`: it follows earlier mails of its match. `signed`:
    a signed head goes along. `scope`: what its unsubscribe link ends. `waits`: it can wait for the
    end of quiet hours. `choice`: players may go without this kind. `reply`: it answers a mail that
    came in, so no machine may answer it in turn.
    """

    asked: bool = False
    of_turn: bool = False
    thread: bool = False
    signed: bool = False
    scope: Scope | None = None
    waits: bool = False
    choice: bool = False
    reply: bool = False


KINDS: Mapping[Kind, Traits] = {
    "confirm": Traits(asked=True),
    "access": Traits(asked=True),
    "invitation": Traits(signed=True, scope="invitations"),
    "turn": Traits(of_turn=True, thread=True, signed=True, scope="match", waits=True),
    "reminder": Traits(of_turn=True, thread=True, scope="match", waits=True),
    "news": Traits(thread=True, scope="match", waits=True, choice=True),
    "result": Traits(thread=True, signed=True, scope="match", waits=True, choice=True),
    "declined": Traits(thread=True, scope="match", waits=True),
    "void": Traits(thread=True, signed=True, scope="match"),
    "left": Traits(thread=True, signed=True, scope="match", waits=True),
    "pause": Traits(thread=True, signed=True, scope="match", waits=True),
    "message": Traits(thread=True, scope="match", waits=True, choice=True),
    "ack": Traits(asked=True, thread=True, choice=True, reply=True),
    "answer": Traits(asked=True, thread=True, reply=True),
    "hold": Traits(asked=True, thread=True, reply=True),
    "digest": Traits(scope="digest"),
    "outage": Traits(waits=True),
    "alert": Traits(asked=True),
    "change": Traits(asked=True),
    "arrival": Traits(asked=True),
    "deletion": Traits(asked=True),
}
OF_A_TURN: tuple[Kind, ...] = tuple(kind for kind, traits in KINDS.items() if traits.of_turn)
CHOICES: tuple[Kind, ...] = tuple(kind for kind, traits in KINDS.items() if traits.choice)
