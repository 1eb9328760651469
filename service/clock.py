"""Time controls: from the `clock` of a match to the deadline of a turn."""

from __future__ import annotations

from dataclasses import dataclass

NO_LIMIT = "none"


class BadClock(ValueError):
    """A text that is no time control."""


@dataclass(frozen=True)
class Clock:
    """A time control, as `open` states it."""

    text: str

    def deadline(self, began: int) -> int | None:
        """When the time of a turn that began then is over; None if it never is."""
        return None


def parse(text: str) -> Clock:
    """The time control from its exact notation. Raises BadClock."""
    if text != NO_LIMIT:
        raise BadClock(f"{text!r} is no time control")
    return Clock(text)
