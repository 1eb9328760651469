"""A log that somebody brings, checked: the lines of the command, and what each means."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from games import verify as checking
from games.log.policy import Policy
from games.log.words import sentence
from service import quota, records
from service.policy import policy_for
from service.quota import Quota
from service.web import cookies
from service.web.limits import UPLOAD_BYTES
from service.web.match.loaded import load
from service.web.request import _, field, language, now, shown, site
from service.web.response import render

pages = Blueprint("verify", __name__)

PASTED = "match.mlog"
CHECKS = Quota("verify", 60, 2)
"""Checks, each of which takes time, by one player, or from one host as our proxies tell it."""


@dataclass(frozen=True)
class Explained:
    """A line of the verdict with what it means; `good` is a tick, `fault` a cross, else it is
    somebody's word."""

    line: str
    words: str
    good: bool
    fault: bool = False


@dataclass(frozen=True)
class Report:
    """The verdict on a file for people."""

    name: str
    good: bool
    title: str
    sentence: str
    trust: str
    lines: tuple[Explained, ...]


@pages.get("/verify")
def verify() -> Response:
    match = field("match", request.args)
    return render("verify.html", report=None, ours=load(match).row if match else None)


@pages.post("/verify")
def check() -> Response:
    name, data = _brought()
    if not data:
        problem = _("Choose a file, or paste its text.")
        return render("verify.html", 422, report=None, problem=problem)
    player = cookies.visitor()
    with site().db.write() as conn:
        whose = f"player {player.player}" if player else str(request.remote_addr)
        quota.take(conn, CHECKS, whose, now())
    return render("verify.html", report=report(name, data))


def report(name: str, data: bytes) -> Report:
    """The verdict on a file, by our own keys if it is of a match of ours."""
    policy = policy_for(site(), data)
    verdict = checking.verify(data, policy)
    lines = tuple(map(_explained, verdict.lines))
    if not verdict.ok:
        lines = (Explained(verdict.fault, _("Here the check ended."), False, True),)
    return Report(
        name=name,
        good=verdict.ok,
        title=_("Verified") if verdict.ok else _("Not verified"),
        sentence=sentence(verdict.code, verdict.record, language()),
        trust=_trust(policy),
        lines=lines,
    )


def _brought() -> tuple[str, bytes]:
    """Name and bytes of a log of ours, of the file, or of the text pasted, whose line ends a
    browser changes."""
    if match := field("match"):
        return f"{match}.mlog", records.export(site(), match)
    file = request.files.get("file")
    data = file.read(UPLOAD_BYTES + 1) if file else b""
    if data and file:
        name = shown(file.filename or "")[:80] or PASTED
    else:
        name, data = PASTED, request.form.get("text", "").replace("\r\n", "\n").encode()
    if len(data) > UPLOAD_BYTES:
        abort(413)
    return name, data


def _trust(policy: Policy | None) -> str:
    if policy is None:
        return _(
            "The file is not of this service: it was held against the keys that it names itself. "
            "Whose keys these are you must know from elsewhere."
        )
    return _("The file is of this service: it was held against this service's own keys.")


def _explained(line: str) -> Explained:
    kind, words = line.split()[0], line.split()
    match kind:
        case "INTACT":
            whole = _("Complete and unchanged")
            return Explained(
                line, whole if "complete" in words else _("Unchanged; not finished"), True
            )
        case "LOGGED":
            return Explained(line, _("In the public log of its service, with the time"), True)
        case "CONSISTENT":
            return Explained(line, _("Agrees with the receipts"), True)
        case "PLAYED":
            return Explained(line, _("Played by the rules"), True)
        case "FAIR":
            return Explained(line, _fair(words[1].rstrip(",")), True)
        case "seat":
            return _seat(line)
        case _:
            return Explained(line, _("Worth knowing"), False)


def _fair(level: str) -> str:
    if level == "F0":
        return _("Nothing was left to chance")
    return _("Chance was fixed before the match")


def _seat(line: str) -> Explained:
    seat, _colon, rest = line.removeprefix("seat ").partition(":")
    signed = rest.strip().startswith("signed")
    if signed:
        return Explained(line, _("Seat %(seat)s: signed by the player", seat=seat), True)
    return Explained(
        line, _("Seat %(seat)s: for this you have the operator's word", seat=seat), False
    )
