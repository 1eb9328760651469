"""What whoever looks at a match may see of it, and what they may do there."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from games.core.rules import BYSTANDER, Viewer
from service import matches
from service.web import cookies
from service.web.match.loaded import Loaded


@dataclass(frozen=True)
class Rights:
    """Of one reader of one match."""

    match: str
    viewer: Viewer
    action: str = ""
    """Where their turns are sent to; empty if they may send none."""
    acts: bool = False
    """Whether they came in as a player, who may resign and offer."""
    writes: bool = False
    """Whether they came in for their seat: they read and write messages and notes."""
    token: str = ""
    """Of the link they came by, if its turn is over: it asks for a new one."""

    @property
    def follows(self) -> bool:
        """Whether they see the next turn as they saw this one: a seat's session ends with it."""
        return self.acts or self.viewer == BYSTANDER


def rights_of_visitor(found: Loaded, token: str = "") -> Rights:
    """A player's rights, else those of a seat whose turn was sent from here, else a bystander's.

    Of two players at one browser it is the one whose turn was sent last. A seat whose turn goes on
    after a chance event may play on from here.
    """
    match, visitor = found.row.id, cookies.visitor()
    seat = found.seat_of(visitor.player) if visitor else None
    session = cookies.seat_session(match)
    if seat is not None and (session is None or session.seat == seat):
        return Rights(match, seat, url_for("match.send", match=match), acts=True, writes=True)
    if session is None:
        return Rights(match, BYSTANDER, token=token)
    goes_on = matches.turn(found.position) == (session.seat, session.wait)
    action = url_for("match.send", match=match) if goes_on else ""
    return Rights(match, session.seat, action, writes=True)
