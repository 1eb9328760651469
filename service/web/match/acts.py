"""What a player may do in a match beside sending turns, as the offers stand."""

from __future__ import annotations

from games.core.rules import BYSTANDER
from games.log.record import ActKind
from games.position import Phase, Position
from service.web.match.rights import Rights
from service.web.request import _

ACTS: tuple[ActKind, ...] = (
    "resign",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "offer-void",
    "accept-void",
)
"""All of them that the page knows."""


def open_to(rights: Rights, position: Position) -> tuple[tuple[ActKind, str], ...]:
    """What this reader may choose from now, each with its words."""
    if not rights.acts or position.phase is not Phase.RUNNING or rights.viewer == BYSTANDER:
        return ()
    resign: tuple[ActKind, str] = ("resign", _("Resign: the match is lost"))
    if position.offer is None:
        return (
            ("offer-draw", _("Offer a draw")),
            ("offer-void", _("Propose to declare the match void")),
            resign,
        )
    if rights.viewer in position.offer.agreed:
        return (resign,)
    if position.offer.kind == "draw":
        return (
            ("accept-draw", _("Accept the draw")),
            ("decline-draw", _("Decline the draw")),
            resign,
        )
    return (("accept-void", _("Agree: the match is void")), resign)
