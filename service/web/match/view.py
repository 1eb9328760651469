"""What the page of a match shows one reader: who plays, how it stands, board and turns."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.core.rules import BYSTANDER, ToMove, Viewer
from games.position import Phase, Position, in_match
from games.registry import vocabulary
from service import clock, matches, pace, tale, vacation
from service.language import listed, moment
from service.matches import SeatRow
from service.vacation import Vacation
from service.web import cookies
from service.web.match import board as boards
from service.web.match import turns
from service.web.match.loaded import Loaded
from service.web.match.turns import Page, Told
from service.web.request import _, language, now, site

PATIENCE = 60
"""Seconds after which the house has not just been thinking."""


@dataclass(frozen=True)
class Status:
    """A label of the printed form and what stands on its line."""

    label: str
    words: str


@dataclass(frozen=True)
class Sat:
    """A person in the list of seats."""

    seat: int | None
    words: str


@dataclass(frozen=True)
class Shown:
    """A match as one reader may see it."""

    match: str
    code: str
    game: str
    title: str
    status: Status
    running: bool
    until: Status
    pace: str
    limited: bool
    newest: int
    names: tuple[str, ...]
    people: tuple[Sat, ...]
    house: str
    """What is to be known of the house player, if there is one."""
    away: tuple[str, ...]
    """Who is on vacation or is going to be, and until when."""
    house_answers: bool
    """Whether it is in the match still, and answers offers."""
    house_at_it: str
    """That the match waits for it, if it does."""
    board: str
    lately_title: str
    lately: tuple[Told, ...]
    columns: tuple[str, ...]
    turns: Page


def show(found: Loaded, viewer: Viewer, board: str | None = None) -> Shown:
    """A match for a reader, with another picture if they have begun a turn."""
    position = found.position
    seat = viewer if isinstance(viewer, int) else None
    return Shown(
        match=position.m,
        code=found.row.code,
        game=position.opened.game,
        title=title(found, seat),
        status=status(found, position, seat),
        running=position.phase is not Phase.CLOSED,
        until=_until(found, zone(found, seat)),
        pace=pace.told(found.clocks.control, language()),
        limited=found.clocks.control.limited,
        newest=position.n - 1,
        names=found.names,
        people=tuple(
            _sat(person, name, found, seat)
            for person, name in zip(found.people, _marked(found), strict=True)
        ),
        house=tale.house(matches.names(found.people), found.houses, language()),
        away=_on_vacation(found, zone(found, seat)),
        house_answers=any(in_match(position, n) for n in found.houses),
        house_at_it=_house_at_it(found),
        board=boards.at_rest(found, position, viewer) if board is None else board,
        lately_title=_lately_title(position, seat),
        lately=turns.lately(found, viewer),
        columns=turns.columns(found),
        turns=turns.listed(found),
    )


def _lately_title(position: Position, seat: int | None) -> str:
    if seat is None:
        return _("Last turn")
    return _("How it ended") if position.result else _("Since your last turn")


def title(found: Loaded, seat: int | None) -> str:
    """The game and who plays it."""
    game = vocabulary(found.position.opened.game).NAME[language()]
    if seat is None:
        return _("%(game)s: %(names)s", game=game, names=" – ".join(filter(None, found.names)))
    others = [name for number, name in enumerate(found.names, start=1) if number != seat]
    return _("%(game)s against %(names)s", game=game, names=listed(others, language()))


def status(found: Loaded, position: Position, seat: int | None) -> Status:
    """Whose turn it is, whom the match waits for, or how it ended."""
    if position.phase is Phase.JOINING:
        away = [_away(person) for person in found.people if person.pid is None]
        return Status(_("Waiting for"), ", ".join(dict.fromkeys(away)))
    if position.result:
        reader = boards.reader(found, position, seat or BYSTANDER)
        return Status(_("Result"), tale.result(position, reader))
    mover = position.turn.seat if isinstance(position.turn, ToMove) else None
    if mover is not None and mover == seat:
        return Status(_("To move"), _("you"))
    return Status(_("To move"), found.names[mover - 1] if mover else _("the lot"))


def _away(person: SeatRow) -> str:
    return _("whoever takes a free place") if person.free else person.name or _("somebody invited")


def _house_at_it(found: Loaded) -> str:
    if found.row.house is None:
        return ""
    if now() < found.row.changed + PATIENCE:
        return _("The house answers within a minute.")
    return _("The house could not answer yet. It goes on trying, and the operator sees why.")


def _on_vacation(found: Loaded, zone: str) -> tuple[str, ...]:
    if found.position.phase is not Phase.RUNNING or not found.clocks.control.limited:
        return ()
    if not found.clocks.control.vacation:
        return ()
    pairs = zip(found.people, found.names, strict=True)
    names = {one.player: name for one, name in pairs if one.player is not None}
    with site().db.read() as conn:
        planned = vacation.of(conn, list(names), now())
    return tuple(_of_vacation(one, names[one.player], zone) for one in planned)


def _of_vacation(one: Vacation, name: str, zone: str) -> str:
    begins, ends = (moment(time, zone, language()) for time in (one.begins, one.ends))
    if one.begins <= now():
        return _(
            "%(name)s is on vacation until %(moment)s: that clock does not run meanwhile.",
            name=name,
            moment=ends,
        )
    return _(
        "%(name)s will be on vacation from %(begins)s to %(ends)s.",
        name=name,
        begins=begins,
        ends=ends,
    )


def _marked(found: Loaded) -> tuple[str, ...]:
    return tale.marked(found.names, found.houses, language())


def zone(found: Loaded, seat: int | None) -> str:
    """The time zone of whoever reads, as far as it is known."""
    visitor = cookies.visitor()
    if visitor:
        return visitor.zone
    own = (person.zone for person in found.people if person.number == seat and person.zone)
    return next(own, site().settings.zone) if seat else site().settings.zone


def _until(found: Loaded, zone: str) -> Status:
    """Until when there is time to answer, or to join; or since when it is over."""
    position, deadline = found.position, clock.deadline(found.clocks)
    if position.phase is Phase.CLOSED:
        return Status(_("Ended"), moment(position.at, zone, language()))
    words = pace.answer_by(position.opened.clock, deadline, now(), zone, language())
    joining = position.phase is Phase.JOINING
    return Status(_("Can be joined until") if joining else _("Answer by"), words)


def _sat(person: SeatRow, name: str, found: Loaded, seat: int | None) -> Sat:
    sat = _named(person, name, seat)
    running = found.position.phase is Phase.RUNNING
    if not running or person.number is None or not in_match(found.position, person.number):
        return sat
    left = pace.left(found.clocks, person.number, now(), language())
    if left:
        sat = replace(sat, words=f"{sat.words}: {left}")
    if seat is not None and person.number in found.unreached:
        sat = replace(sat, words=_("%(words)s (no mail reaches them now)", words=sat.words))
    return sat


def _named(person: SeatRow, name: str, seat: int | None) -> Sat:
    if person.number is not None and person.number == seat:
        return Sat(seat, _("%(name)s (you)", name=name))
    if person.declined:
        return Sat(None, _("%(name)s (declined)", name=name))
    if person.free:
        return Sat(None, _("a free place"))
    if person.pid is None:
        return Sat(None, _("%(name)s (invited)", name=name or _("somebody")))
    return Sat(person.number, name)
