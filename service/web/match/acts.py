"""What a player may do in a match beside sending turns, as the offers stand."""

from __future__ import annotations

from games.log.record import ActKind
from games.position import Offer, Position, in_match
from service.clock import Clocks
from service.web.match.rights import Rights
from service.web.request import _

ACTS: tuple[ActKind, ...] = (
    "resign",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "offer-void",
    "accept-void",
    "pause",
    "resume",
)
"""All of them that the page knows."""
Open = tuple[ActKind, str]
"""An act that can be chosen, with its words."""


def open_to(rights: Rights, position: Position, clocks: Clocks) -> tuple[Open, ...]:
    """What this reader may choose from now."""
    seat = rights.viewer
    if not rights.acts or not isinstance(seat, int) or not in_match(position, seat):
        return ()
    resign: Open = ("resign", _("Resign: the match is lost"))
    return (*_pausing(clocks, seat), *_offering(position.offer, seat), resign)


def _pausing(clocks: Clocks, seat: int) -> tuple[Open, ...]:
    if not clocks.control.limited:
        return ()
    if clocks.paused:
        return (("resume", _("End the pause: the clocks run on a day from now")),)
    if seat in clocks.asked:
        return (("resume", _("Take back that you asked for a pause")),)
    if clocks.asked:
        return (("pause", _("Agree to the pause")), ("resume", _("Decline the pause")))
    return (("pause", _("Ask for a pause: the clocks stop once all agree")),)


def _offering(offer: Offer | None, seat: int) -> tuple[Open, ...]:
    if offer is None:
        return (
            ("offer-draw", _("Offer a draw")),
            ("offer-void", _("Propose to declare the match void")),
        )
    if seat in offer.agreed:
        return ()
    if offer.kind == "draw":
        return (("accept-draw", _("Accept the draw")), ("decline-draw", _("Decline the draw")))
    return (("accept-void", _("Agree: the match is void")),)
