"""The account of a player who has signed in, on one page; and which mails they get, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response

from service import correspondence, people, sessions
from service.kinds import CHOICES, Kind
from service.language import N_, day, span
from service.sessions import Device, PlayerSession
from service.web import asked, cookies
from service.web.request import _, field, language, now, number, site
from service.web.response import render
from service.wishes import DELIVERIES, MORNING, Delivery, Wishes

pages = Blueprint("account", __name__)

DELIVERY: dict[Delivery, str] = {
    "instant": N_("At once, for every turn"),
    "digest": N_("Once a day, all turns in one mail"),
    "off": N_("Not at all: I look myself"),
}
KIND: dict[Kind, str] = {
    "news": N_("What is no turn: offers, pauses, who left"),
    "result": N_("How a match ended"),
    "message": N_("What the others write to me"),
    "ack": N_("That a move I sent by mail is played"),
}
HOURS = range(24)
PLACES = ("me", "mails", "devices")
BEFORE = (0, 1, 2, 4, 8, 12, 24, 48, 72)
"""How many hours before a deadline one may be reminded; 0 for never."""


@pages.get("/account")
def account() -> Response:
    visitor = cookies.visitor()
    if visitor is None:
        return render("sign_in.html", problem="")
    return page(visitor, {}, {})


def page(visitor: PlayerSession, problems: Mapping[str, str], typed: Mapping[str, str]) -> Response:
    """The account, with what is wrong with a form and what was typed into it."""
    with site().db.read() as conn:
        devices = sessions.devices(conn, visitor.player, cookies.own(), now())
    me = {"name": visitor.name, "language": visitor.language, "zone": visitor.zone}
    return render(
        "account.html",
        422 if problems else 200,
        me={**me, "address": "", **typed},
        problems=problems,
        zones=people.zones(),
        saved=asked.one_of("saved", PLACES),
        devices=[_device(one, visitor) for one in devices],
        state=correspondence.look(site(), visitor.player, now()),
        deliveries=[(one, _(DELIVERY[one])) for one in DELIVERIES],
        kinds=[(one, _(KIND[one])) for one in CHOICES],
        hours=HOURS,
        before=[(one, span(one * 3_600, language()) if one else _("never")) for one in BEFORE],
    )


@pages.post("/account/mails")
def mails() -> Response:
    visitor = cookies.visitor()
    if visitor is None:
        return render("sign_in.html", 403, problem="")
    if field("delivery") not in DELIVERIES:
        abort(422)
    before = correspondence.look(site(), visitor.player, now()).wishes
    correspondence.change(site(), visitor.player, _filled(before), now())
    return saved("mails")


@pages.post("/account/reach")
def again() -> Response:
    """Mails that came back are sent again: the player says that the address is well."""
    visitor = cookies.visitor()
    if visitor is None:
        return render("sign_in.html", 403, problem="")
    correspondence.try_again(site(), visitor.player, now())
    return saved("mails")


def saved(place: str) -> Response:
    """Leads to a part of the account, which says that it was saved."""
    return redirect(url_for("account.account", saved=place, _anchor=place), 303)


def _device(one: Device, visitor: PlayerSession) -> dict[str, object]:
    used = one.created if one.used is None else max(one.used, one.created)
    return {
        "id": one.id,
        "name": one.name or _("A browser"),
        "since": day(one.created, visitor.zone, language()),
        "used": day(used, visitor.zone, language()),
        "here": one.here,
    }


def _filled(before: Wishes) -> Wishes:
    """The form; what it does not say stays as it was, but for what is ticked or not."""
    delivery = next((one for one in DELIVERIES if one == field("delivery")), before.delivery)
    quiet = _hour("quiet_from", None), _hour("quiet_to", None)
    whole = None not in quiet and field("quiet") == "yes"
    return replace(
        before,
        delivery=delivery,
        digest=_hour("digest", MORNING) or 0,
        quiet_from=quiet[0] if whole else None,
        quiet_to=quiet[1] if whole else None,
        unwanted=tuple(kind for kind in CHOICES if field(f"kind-{kind}") != "yes"),
        once=field("once") == "yes",
        crowded=False,
        half=field("half") == "yes",
        first=_before("first", before.first),
        last=_before("last", before.last),
        apart=field("apart") == "yes",
    )


def _before(name: str, usual: int) -> int:
    given = number(name)
    return given if given in BEFORE else usual


def _hour(name: str, usual: int | None) -> int | None:
    given = number(name)
    return given if given in HOURS else usual
