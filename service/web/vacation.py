"""A player's vacations: planned, begun at once, ended early."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from service import vacation
from service.errors import BadDay, BadVacation
from service.language import moment
from service.sessions import PlayerSession
from service.vacation import Vacation
from service.web import cookies
from service.web.request import _, field, language, now, number, site
from service.web.response import render

pages = Blueprint("vacation", __name__, url_prefix="/account/vacation")


@pages.get("")
def vacations() -> Response:
    visitor = cookies.visitor()
    return _shown(visitor) if visitor else render("sign_in.html", problem="")


@pages.post("")
def plan() -> Response:
    visitor = cookies.visitor()
    if visitor is None:
        return render("sign_in.html", 403, problem="")
    try:
        begins = _day(field("begins"))
        vacation.plan(site(), visitor.player, begins, number("days"), now())
    except BadVacation as error:
        place = "begins" if isinstance(error, BadDay) else "days"
        return _shown(visitor, {place: _(error.sentence, **error.values)})
    return redirect(url_for("vacation.vacations"), 303)


@pages.post("/end")
def end() -> Response:
    """One that has not begun is called off."""
    visitor = cookies.visitor()
    if visitor is None:
        return render("sign_in.html", 403, problem="")
    vacation.end(site(), visitor.player, number("vacation"), now())
    return redirect(url_for("vacation.vacations"), 303)


def _shown(visitor: PlayerSession, problems: dict[str, str] | None = None) -> Response:
    year = datetime.fromtimestamp(now(), UTC).astimezone(ZoneInfo(visitor.zone)).year
    with site().db.read() as conn:
        planned = vacation.since(conn, visitor.player, now())
        left = vacation.left(site(), conn, visitor.player, year)
    return render(
        "vacation.html",
        422 if problems else 200,
        planned=[(one, _when(one, visitor.zone), one.begins <= now()) for one in planned],
        left=left,
        year=year,
        zone=visitor.zone,
        begins=field("begins"),
        days=field("days"),
        problems=problems or {},
    )


def _when(one: Vacation, zone: str) -> str:
    begins, ends = (moment(time, zone, language()) for time in (one.begins, one.ends))
    return _("From %(begins)s to %(ends)s", begins=begins, ends=ends)


def _day(typed: str) -> date | None:
    """The day that was given; None for at once."""
    try:
        return date.fromisoformat(typed.strip()) if typed.strip() else None
    except ValueError:
        raise BadDay("This is no day like 2027-07-15.") from None
