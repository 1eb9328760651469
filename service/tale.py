"""What the records of a match say, in sentences for one reader; for pages and mail alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from games.core.drawing import Language, Reader
from games.core.rules import OPEN, Viewer, complete
from games.log.record import (
    Act,
    ActKind,
    Body,
    By,
    Deal,
    End,
    Ent,
    Join,
    Move,
    Open,
    Record,
    Reveal,
    Roll,
    Start,
    Sys,
)
from games.position import Phase, Position
from games.registry import drawing, newest, vocabulary
from service import matches
from service.language import N_, catalogue, gettext, listed, ngettext, span
from service.matches import SeatRow
from service.people import GONE


def tell(record: Record, before: Position, after: Position, reader: Reader) -> str:
    """What happened with this record, as the reader may know it."""
    language = reader.language
    match record.body:
        case Move() as move:
            return _moved(move, before, after, reader)
        case Act() as act:
            own = reader.viewer == act.seat
            return acted(act.act, reader.names[act.seat - 1], language, own=own)
        case Join(by=By(via="api")):
            return gettext("The house joined.", language)
        case Start():
            seats = ", ".join(reader.names)
            return gettext("The lot decided who sits where: %(names)s.", language, names=seats)
        case Roll() | Deal():
            return _came_out(before, after, reader)
        case Sys() as sys:
            return _ruled(sys, reader)
        case End():
            return result(after, reader)
        case body:
            return gettext(_PLAIN[type(body)], language)


def names(given: Sequence[str], house: Collection[int], language: Language) -> tuple[str, ...]:
    """The names with a word where the house plays, which has no other, and where somebody played
    who is gone; `house` counts from 1."""
    one = gettext("House", language)
    several = (f"{one} {number}" for number, _ in enumerate(house, start=1))
    words = iter([one] if len(house) == 1 else several)
    known = (gettext("deleted player", language) if name == GONE else name for name in given)
    return tuple(next(words) if n in house else name for n, name in enumerate(known, start=1))


def called(seats: Sequence[SeatRow], language: Language) -> tuple[str, ...]:
    """The names of those who sit there, in that order."""
    return names(matches.names(seats), matches.houses(seats), language)


def marked(names: Sequence[str], house: Collection[int], language: Language) -> tuple[str, ...]:
    """The same names, each of the house with what it is."""
    mark = gettext("house player", language)
    return tuple(
        f"{name} ({mark})" if n in house else name for n, name in enumerate(names, start=1)
    )


def house(given: Sequence[str], house: Collection[int], language: Language) -> str:
    """Who of them is no person, in a sentence; "" if all are."""
    if not house:
        return ""
    own = [name for n, name in enumerate(names(given, house, language), start=1) if n in house]
    return ngettext(
        "%(names)s is a house player: a program of this service.",
        "%(names)s are house players: programs of this service.",
        len(own),
        language,
        names=listed(own, language),
    )


def view(position: Position, viewer: Viewer) -> object:
    """The position as a viewer may see it; after the end everything lies open."""
    seen = OPEN if position.phase is Phase.CLOSED else viewer
    return position.rules.view(position.state, seen)


def last_turn(bodies: Sequence[Body]) -> tuple[str, ...]:
    """The lines of the turn that was played last: all that its seat moved, with chance between,
    since another seat did."""
    moves = (body for body in reversed(bodies) if isinstance(body, Move))
    for _, lines in groupby(moves, key=lambda move: move.seat):
        return tuple(move.mv for move in lines)[::-1]
    return ()


def result(position: Position, reader: Reader) -> str:
    """How the match ended: who won and why; "" as long as it goes on."""
    if position.result is None:
        return ""
    why, places = position.result
    reason = vocabulary(position.opened.game).REASONS[reader.language][why]
    return ended(places or (), reader.names, reason, reader.language)


def ended(places: Sequence[int], names: Sequence[str], reason: str, language: Language) -> str:
    """A result as a sentence, from the place of each seat; none for a void match."""
    first = [name for place, name in zip(places, names, strict=False) if place == 1]
    if not places:
        return gettext("No result: %(reason)s.", language, reason=reason)
    if len(first) == len(names):
        return gettext("Draw: %(reason)s.", language, reason=reason)
    winners = listed(first, language)
    return gettext("%(names)s won: %(reason)s.", language, names=winners, reason=reason)


def unusual(
    game: str, seats: int, options: Mapping[str, str], language: Language
) -> list[tuple[str, str]]:
    """Label and words of each option that is not as usual for so many seats."""
    usual, words = complete(newest(game), seats, {}), vocabulary(game)
    labels, values = words.OPTIONS[language], words.VALUES[language]
    return [
        (labels[name], values.get(name, {}).get(value, value))
        for name, value in options.items()
        if usual.get(name) != value
    ]


def acted(act: ActKind, name: str, language: Language, *, own: bool = False) -> str:
    """What somebody did beside the moves; `own` if it is told to them."""
    return gettext((_OWN_ACTS if own else _ACTS)[act], language, name=name)


def _came_out(before: Position, after: Position, reader: Reader) -> str:
    """What came out by chance; the cards of a service's own matches are never unknown to it."""
    drawn = drawing(after.opened.game)
    return drawn.tell_chance(view(before, reader.viewer), view(after, reader.viewer), reader)


def _moved(move: Move, before: Position, after: Position, reader: Reader) -> str:
    if before.state is None or after.state is None:
        name = reader.names[move.seat - 1]
        return gettext("%(name)s played %(line)s.", reader.language, name=name, line=move.mv)
    drawn = drawing(after.opened.game)
    return drawn.tell(view(before, reader.viewer), view(after, reader.viewer), move.mv, reader)


def _ruled(sys: Sys, reader: Reader) -> str:
    name, language = reader.names[sys.seat - 1] if sys.seat else "", reader.language
    if name and sys.secs:
        words = _MORE if sys.secs > 0 else _LESS
        time = span(abs(sys.secs), language)
        return gettext(words, language, name=name, span=time, why=_why(sys.why, language))
    return gettext(_RULINGS[sys.sys], language, name=name, why=_why(sys.why, language))


def _why(why: str, language: Language) -> str:
    """Our own reasons are in the catalogue; those that an operator wrote stay as they are."""
    return catalogue(language).gettext(why) if why else ""


_PLAIN: dict[type[Body], str] = {
    Open: N_("The match was opened."),
    Join: N_("A player joined."),
    Ent: N_("A player opened what was sealed."),
    Reveal: N_("A deal was laid open."),
}
_ACTS = {
    "resign": N_("%(name)s resigned."),
    "offer-draw": N_("%(name)s offers a draw."),
    "accept-draw": N_("%(name)s agrees to a draw."),
    "decline-draw": N_("%(name)s does not want a draw."),
    "offer-void": N_("%(name)s proposes to declare the match void."),
    "accept-void": N_("%(name)s agrees to declare the match void."),
    "pause": N_("%(name)s wants a pause."),
    "resume": N_("%(name)s wants the clocks to run."),
    "rekey": N_("%(name)s has a new key."),
}
_OWN_ACTS = {
    "resign": N_("You resigned."),
    "offer-draw": N_("You offer a draw."),
    "accept-draw": N_("You agree to a draw."),
    "decline-draw": N_("You do not want a draw."),
    "offer-void": N_("You propose to declare the match void."),
    "accept-void": N_("You agree to declare the match void."),
    "pause": N_("You want a pause."),
    "resume": N_("You want the clocks to run."),
    "rekey": N_("You have a new key."),
}
_MORE = N_("%(name)s has more time: %(span)s (%(why)s).")
_LESS = N_("%(name)s has less time: %(span)s (%(why)s).")
_RULINGS = {
    "timeout": N_("%(name)s ran out of time."),
    "substitute": N_("Somebody else plays for %(name)s from here on."),
    "void": N_("The match was declared void: %(why)s."),
    "clock": N_("The operator moved the deadline: %(why)s."),
    "adjudicate": N_("The operator decided the match: %(why)s."),
    "rekey": N_("%(name)s has a new key."),
}
