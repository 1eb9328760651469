"""The same people once more: a finished match opens another one, and only one."""

from __future__ import annotations

from games.position import Phase
from service import lobby, matches, opening, people, records
from service.errors import NotNow
from service.matches import SeatRow
from service.opening import FREE, HOUSE, Invited, Opening
from service.site import Site


def rematch(site: Site, player: int, match: str, now: int) -> str:
    """Opens the rematch of a finished match for one of its players, and returns its id; whoever
    asks after that is led to the same one. Raises NotNow, TooMany or NoMatch."""
    with site.db.write() as conn:
        row, seats = matches.lock(conn, match), matches.seats(conn, match)
        own = next((seat for seat in seats if seat.player == player), None)
        if row.phase is not Phase.CLOSED or not row.started or own is None:
            raise NotNow
        opened = records.position(site, conn, match).opened
        who = people.known(conn, player)
        form = Opening(
            nonce=f"rematch of {match}",
            game=opened.game,
            name=own.name,
            address=who.address,
            language=who.language,
            zone=who.zone,
            invited=tuple(_again(seat) for seat in seats if seat is not own),
            options=dict(opened.options),
            listed=row.listed,
            clock=opened.clock,
        )
        key = f"rematch:{match}"
        kept = opening.keep_as(conn, key, form, now)
        if kept is None:
            return opening.kept_as(conn, key)
        new = lobby.open_kept(site, conn, player, form, kept, "web", now)
    lobby.signed(site, new)
    return new


def _again(seat: SeatRow) -> Invited:
    """A place for the same; for anybody where somebody has deleted their account."""
    if seat.house:
        return HOUSE
    if not seat.address:
        return FREE
    return Invited(seat.name, seat.address, language=seat.language)
