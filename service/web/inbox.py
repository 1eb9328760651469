"""The operator's list of mails that came in, what they came to, and what can be done."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from service import sorting
from service.language import N_
from service.mail.inbound import raw
from service.sorting import HEAPS, Entry, Heap
from service.web import cookies, piles
from service.web.piles import Act
from service.web.request import _, field, site, when
from service.web.response import render

pages = Blueprint("inbox", __name__, url_prefix="/operator/inbox")

WORDS: dict[Heap, str] = {
    "broken": N_("Could not be taken up"),
    "new": N_("To be taken up"),
    "silent": N_("Not answered any more"),
    "hold": N_("Waiting for the player’s word"),
    "ignore": N_("Left alone"),
    "nobody": N_("For nobody here"),
    "machine": N_("From machines"),
    "back": N_("Came back"),
    "answer": N_("Answered"),
    "done": N_("Done"),
}
OUTCOMES: dict[str, str] = {
    "play": N_("played"),
    "join": N_("joined"),
    "decline": N_("declined"),
    "command": N_("a link was sent"),
    "hold": N_("the player is asked"),
    "answer": N_("answered"),
    "silent": N_("no further answer"),
    "ignore": N_("left alone"),
    "duplicate": N_("the same mail once more"),
    "nobody's": N_("no token or mail of ours is named"),
    "automatic": N_("a machine wrote it"),
    "reaction": N_("a reaction, no words"),
    "receipt": N_("a receipt"),
    "loop": N_("our own mail"),
    "bounce": N_("a mail of ours came back"),
    "complaint": N_("the reader calls our mail spam"),
    "unsubscribed": N_("fewer mails are wanted"),
    sorting.SKIPPED: N_("the operator skipped it"),
    "reply": N_("nobody’s link"),
}
REASONS: dict[str, str] = {
    "illegal": N_("the move cannot be played"),
    "ambiguous": N_("it says more than one thing"),
    "none": N_("there is no move in it"),
    "unreadable": N_("there is no text in it"),
    "large": N_("it is too large"),
    "code": N_("the code of the match is missing"),
    "help": N_("help"),
    "board": N_("the position"),
    "codes": N_("no match is named, or another"),
    "number": N_("it names another turn"),
    "stranger": N_("it is not from the player, or that is disproved"),
    "again": N_("it had been done before"),
    "played": N_("the turn had been played"),
    "late": N_("it came too late"),
    "over": N_("the match was over"),
    "gone": N_("the invitation was no longer open"),
    "consent": N_("neither yes nor no"),
    "form": N_("a name is missing"),
    "hard": N_("the mailbox is not there"),
    "soft": N_("the mailbox is full or broken"),
    "stopped": N_("mails to the address stop"),
    "muted": N_("no more mails of this match"),
}
ACTS: dict[str, Act] = {
    "again": sorting.again,
    "release": sorting.release,
    "skip": sorting.skip,
}
SECRET = re.compile(r"[A-Za-z2-7]{26}")
SHOWN = 60
"""Headers of a mail that are shown."""


@dataclass(frozen=True)
class Shown:
    """A mail as the operator sees it: never its words, nor a token."""

    entry: Entry
    author: str
    subject: str
    came: str
    headers: tuple[tuple[str, str], ...]


@pages.get("")
def mails() -> Response:
    cookies.require_operator()
    counts = sorting.counts(site())
    heap = piles.chosen("heap", HEAPS, counts)
    found = sorting.mails(site(), heap, piles.before())
    return render(
        "inbox.html",
        counts=[(one, _(WORDS[one]), count) for one, count in counts.items()],
        heap=heap,
        title=_(WORDS[heap]),
        mails=[_shown(entry) for entry in found],
        more=len(found) == sorting.PAGE,
        when=when,
    )


@pages.post("/<int:mail>")
def act(mail: int) -> Response:
    piles.act(ACTS, mail)
    return redirect(url_for("inbox.mails", heap=field("heap") or None), 303)


def _shown(entry: Entry) -> Shown:
    mail = raw.take(entry.head, whole=False)
    names = list(dict.fromkeys(mail.message.keys()))[:SHOWN]
    headers = [(name, _masked(value)) for name in names for value in mail.headers(name)]
    return Shown(
        entry,
        _masked(mail.header("From")) or entry.sender,
        _masked(mail.header("Subject")),
        "; ".join(map(_told, entry.outcomes)),
        tuple(headers[:SHOWN]),
    )


def _told(outcome: str) -> str:
    """`answered: the move cannot be played`."""
    done, _sign, why = outcome.partition(":")
    words = _(OUTCOMES[done]) if done in OUTCOMES else done
    return f"{words}: {_(REASONS[why])}" if why in REASONS else words


def _masked(text: str) -> str:
    return SECRET.sub("…", text)
