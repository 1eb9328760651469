"""Ways in and out: confirming a match, invitations, links that sign a player in, signing out."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response

from games.position import Phase
from service import access, links, lobby, matches, opening, pace, reach, tale
from service.errors import BadAddress, BadForm, CalledOff, SpentLink
from service.joining import JoinForm
from service.language import until
from service.links import Access, Confirmation, Invitation
from service.lobby import Entered
from service.matches import SeatRow
from service.opening import Invited, Opening, Taking
from service.web import cookies, games
from service.web.match.loaded import load
from service.web.notice import Notice, mailed, show
from service.web.request import _, field, language, now, site
from service.web.response import render
from service.web.start import Problems, problems

pages = Blueprint("lobby", __name__)


@pages.get("/a/<token>")
def confirm(token: str) -> Response:
    link = _live(token)
    if link.used is None:
        return _question(link)
    if isinstance(link, Access) and cookies.visitor() is None:
        return _used(link)
    return redirect(_way(_led(link)))


@pages.post("/a/<token>")
def enter(token: str) -> Response:
    link = _live(token)
    if link.used is None and _answered() == "":
        return _question(link, _("Please choose one of the two."))
    if link.used is None and _answered() == "no":
        return show(Notice(_("Nothing was done"), _("The link will simply run out.")))
    return _entered(lobby.confirm(site(), token, now()))


@pages.get("/i/<token>")
def invitation(token: str) -> Response:
    link, seat = _invited(token)
    if seat.pid is not None:
        return redirect(url_for("match.match", match=seat.match))
    if not link.live(now()):
        return _over(seat, token)
    return _invitation(link, seat, JoinForm(seat.name, language(), ""), {})


@pages.post("/i/<token>")
def answer(token: str) -> Response:
    link, seat = _invited(token)
    form = JoinForm(
        name=field("name"),
        language=field("language") or language(),
        zone=site().settings.zone,
        words=field("words"),
    )
    if _answered() == "no":
        lobby.decline(site(), token, now())
        return show(Notice(_("You have declined"), _("The invitation is over. Thank you.")))
    if _answered() == "":
        return _invitation(link, seat, form, {"answer": _("Please choose one of the two.")}, 422)
    try:
        return _entered(lobby.join(site(), token, form, now()))
    except BadForm as error:
        return _invitation(link, seat, form, problems(error), 422)


@pages.post("/i/<token>/renew")
def renew(token: str) -> Response:
    lobby.renew(site(), token, now())
    return mailed(_("A new invitation is on its way to the address that was invited."))


@pages.get("/m/<match>/link")
def missing(match: str) -> Response:
    return render("newest_link.html", match=load(match).row, problem="")


@pages.post("/m/<match>/link")
def send_link(match: str) -> Response:
    """Mails the newest link: to a seat that is known here, or to a player of a known address."""
    found = load(match)
    if field("token") and _answered() != "yes":
        abort(422)
    player = _known_player(match, field("token"))
    if player is not None:
        access.send(site(), player=player, match=match, now=now())
        return mailed(_("Your newest link is on its way to the address with which you play."))
    try:
        access.send_to(site(), field("address"), match, now())
    except BadAddress as error:
        return render(
            "newest_link.html", 422, match=found.row, problem=_(error.sentence, **error.values)
        )
    return mailed(_("If this address plays here, its newest link is on its way to it."))


@pages.get("/out")
def leaving() -> Response:
    return render("sign_out.html") if cookies.visitor() else redirect(url_for("home.home"))


@pages.post("/out")
def leave() -> Response:
    return cookies.take_player(redirect(url_for("home.home"), 303))


def _answered() -> str:
    """What was chosen of yes and no; "" for neither, as from a program that presses buttons."""
    given = field("answer")
    return given if given in ("yes", "no") else ""


def _used(link: Access) -> Response:
    """An access link lets in one browser, once: this one can be mailed another."""
    problem = _("Somebody has come in by this link already; each link works only once.")
    if link.match is None:
        return render("sign_in.html", 410, problem=problem)
    return render("newest_link.html", 410, match=load(link.match).row, problem=problem)


def _question(link: Confirmation | Access, problem: str = "") -> Response:
    """Asks whoever came by a confirm or access link what they want, and says what it is about."""
    form = _kept(link) if isinstance(link, Confirmation) else None
    if isinstance(link, Access):
        title = _("Is it you?")
        sentence = _("Somebody asked for this link. It signs this browser in as you.")
        yes, no = _("Yes, let me in on this device"), _("No, I did not ask for it")
    elif isinstance(form, Taking):
        title = _("Take this place?")
        sentence = _(
            "Somebody gave your address to take a free place in a match. If you say yes, it is "
            "yours, unless somebody was faster."
        )
        yes, no = _("Yes, I play"), _("No, forget it")
    else:
        title = _("Start this match?")
        sentence = _(
            "Somebody gave your address to start a match. If you say yes it exists, and whoever is "
            "invited gets an invitation."
        )
        yes, no = _("Yes, start the match"), _("No, forget it")
    status = 422 if problem else 200
    words = {"title": title, "sentence": sentence, "yes": yes, "no": no}
    return render("confirm.html", status, problem=problem, facts=_facts(form), **words)


def _kept(link: Confirmation) -> Opening | Taking | None:
    with site().db.read() as conn:
        return opening.waiting(conn, link.opening)


def _facts(form: Opening | Taking | None) -> list[tuple[str, str]]:
    """The match that a form is about, in words."""
    if form is None:
        return []
    if isinstance(form, Taking):
        found = load(form.place)
        opened, names = found.position.opened, found.names
        game, options = opened.game, dict(opened.options)
        control = found.clocks.control
    else:
        game, options, control = form.game, form.options, opening.control(form)
        names = (form.name, *map(_guest, form.invited))
    named = [name for name in names if name]
    open_places = len(names) - len(named)
    further = [_("%(count)s more", count=open_places)] if open_places else []
    return [
        (_("Game"), games.game(game).name),
        (_("Players"), ", ".join((*named, *further))),
        (_("Time to think"), pace.told(control, language())),
        *tale.unusual(game, len(names), options, language()),
    ]


def _guest(invited: Invited) -> str:
    """What is known of somebody invited; "" for whoever takes a free place."""
    return _("House") if invited.house else invited.name or invited.address


def _entered(entered: Entered) -> Response:
    """Leads to the match, or to all of the player's, with their session if the link was still
    good."""
    response = redirect(_way(entered.match), 303)
    return cookies.give_player(response, entered.session) if entered.session else response


def _live(token: str) -> Confirmation | Access:
    """A confirm or access link that waits for an answer, or was answered. Raises BadLink."""
    with site().db.read() as conn:
        link = links.entry(conn, token)
    if link.used is None and not link.live(now()):
        raise lobby.spent(link)
    return link


def _way(match: str | None) -> str:
    return url_for("match.match", match=match) if match else url_for("mine.dashboard")


def _led(link: Confirmation | Access) -> str | None:
    """The match to which a used link led."""
    with site().db.read() as conn:
        return link.match if isinstance(link, Access) else lobby.opened(conn, link)


def _invited(token: str) -> tuple[Invitation, SeatRow]:
    with site().db.read() as conn:
        return lobby.invitation(conn, token)


def _over(seat: SeatRow, token: str) -> Response:
    """An invitation whose time is over can be renewed as long as its place is free."""
    phase = load(seat.match).position.phase
    if phase is Phase.CLOSED:
        raise CalledOff
    if seat.declined is not None or phase is not Phase.JOINING:
        raise SpentLink
    return render("invitation_over.html", token=token)


def _invitation(
    link: Invitation, seat: SeatRow, form: JoinForm, faults: Problems, status: int = 200
) -> Response:
    """What is offered to whom, and the answer as far as it is filled in."""
    found = load(seat.match)
    opened = found.position.opened
    host = next(one.name for one in found.people if one.place == 1)
    return render(
        "invitation.html",
        status,
        host=host,
        address=reach.masked(seat.address),
        game=games.game(opened.game),
        options=tale.unusual(opened.game, opened.seats, dict(opened.options), language()),
        house=tale.house(matches.names(found.people), found.houses, language()),
        pace=pace.told(found.clocks.control, language()),
        limited=found.clocks.control.limited,
        join_by=until(link.expires or 0, now(), site().settings.zone, language()),
        draft=form,
        answer=_answered(),
        problems=faults,
    )


def _known_player(match: str, token: str) -> int | None:
    """The player whose seat an old link of a turn is for, or whom this browser shows."""
    visitor, session = cookies.visitor(), cookies.seat_session(match)
    if visitor:
        return visitor.player
    seat = session.seat if session else None
    if token:
        with site().db.read() as conn:
            link = links.turn(conn, token)
        seat = link.seat if link.match == match else None
    people = load(match).people
    return next((one.player for one in people if seat and one.number == seat), None)
