"""What can go wrong at a door of the service, each with a sentence for the person at that door.

Sentences are English sources for the catalogue; values stand in them as `%(name)s`.
`str(error)` is the English sentence: `error.sentence % error.values`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.rules import Say


class Refusal(Exception):
    """What these errors share: a sentence of the catalogue and its values."""

    sentence: str
    values: dict[str, str | int]

    def __init__(self, sentence: str = "", /, **values: str | int) -> None:
        self.sentence = sentence or self.sentence
        self.values = values
        super().__init__(self.sentence % values)


class NotReady(Refusal, ValueError):
    """The service cannot start as it is set up."""


class BadSettings(NotReady):
    """A setting is unknown, missing or cannot be used."""


class Unavailable(Refusal, ValueError):
    """The database is locked, full or away. Nothing was written."""

    sentence = "Nothing was saved: the service is busy or out of order. Please try again soon."


class Unsigned(Unavailable):
    """What was sent is saved, but the signer is out of order, so there is no receipt yet."""

    sentence = "Your move is saved, but its receipt is not signed yet. You need not send it again."


class Fork(Unavailable):
    """The database and the signer have two histories of a match. Nothing is written or signed."""

    sentence = (
        "Match %(match)s has to wait for the operator: its database and its signer do not agree."
    )


class BadLink(Refusal, LookupError):
    """A token that leads nowhere; whether it ever existed is not said."""

    sentence = "This link leads nowhere."


class SpentLink(BadLink):
    """A genuine link whose time is over, or that was used or withdrawn."""

    sentence = "This link is no longer valid."

    def __init__(self, match: str | None = None) -> None:
        super().__init__()
        self.match = match
        """Whose page mails its players a new one; None for a match that was never opened."""


class CalledOff(SpentLink):
    """The link of an invitation to a match that never began."""

    sentence = (
        "This match was called off before it began: its opener cancelled it, or not everybody "
        "joined in time. So there is nothing left to join."
    )


class NoMatch(Refusal, LookupError):
    """There is no such match."""

    sentence = "There is no such match."


class NotYourTurn(Refusal, ValueError):
    """Another seat is to move."""

    sentence = "It is not your turn."


class Stale(Refusal, ValueError):
    """The move answers a position that has passed."""

    sentence = (
        "The match has moved on since this page was made, so nothing was done. "
        "Here it is as it stands now."
    )


class NotNow(Refusal, ValueError):
    """An act that the match does not allow at this point."""

    sentence = "This cannot be done at this point of the match."


class Full(NotNow):
    """A match in which no place is free any more."""

    sentence = "There is no free place in this match any more."


class TooLate(NotNow):
    """What arrived after the deadline of the turn."""

    sentence = "This came too late: the time for this turn was over. Nothing was changed."


class Taken(Refusal, ValueError):
    """Somebody else has taken this seat."""

    sentence = "This seat has been taken already."


class TooMany(Refusal, ValueError):
    """Mail was asked for more often than one address should get it. Nothing was written."""

    sentence = "This was asked for too often. Please try again in %(minutes)s min."

    def __init__(self, seconds: int) -> None:
        super().__init__(minutes=-(-seconds // 60))
        self.seconds = seconds
        """Until it is allowed again."""


class BadAddress(Refusal, ValueError):
    """An address that mail cannot reach."""


class BadName(Refusal, ValueError):
    """A name that cannot stand on a page or in a mail."""


class BadClock(Refusal, ValueError):
    """A text that is no time control."""

    sentence = "This is no time control. Some are: 7d, 90d in all, 10d+36h cap 10d."


class BadVacation(Refusal, ValueError):
    """A vacation that cannot be had."""


class BadDay(BadVacation):
    """A vacation that cannot begin on this day."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with one field of a form."""

    name: str
    sentence: str
    values: dict[str, str | int] = field(default_factory=dict)
    say: Say | None = None
    """What the rules of the game say to it, where they judged."""


class BadForm(ValueError):
    """A form that cannot be used, with every fault found."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(f.sentence % f.values for f in faults))
        self.faults = faults
