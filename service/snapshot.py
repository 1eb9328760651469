"""What a mail is to say, kept with it as data until it is written."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Reply:
    """What a mail that came in came to, for the mail that answers it."""

    to: str
    """Its Message-ID; empty if it had none."""
    reason: str
    line: str = ""
    """What was played, held, or understood."""
    rest: str = ""
    """What of a line was handed back."""
    fault: str = ""
    """What the rules say against the line: the key of the sentence, and its values."""
    values: tuple[tuple[str, str | int], ...] = ()
    conditions: int = 0
    words: str = ""
    sender: str = ""
    time: int | None = None
    """When it arrived, or what was played before was."""
    deadline: int | None = None
    """Until when it would have been in time."""
    also: tuple[tuple[str, str], ...] = ()
    """What else was played shortly before: the code of a match, and the line."""


@dataclass(frozen=True)
class Snapshot:
    """What a mail is about, as it was when it was queued: data, never sentences."""

    game: str = ""
    code: str = ""
    names: tuple[str, ...] = ()
    """Of seats 1, 2, …; before the start of the places."""
    count: int = 0
    """Records at that time: the mail shows the position after the last of them."""
    since: int = 0
    """Records the reader had seen at the end of the own last turn; 0 before the first."""
    deadline: int | None = None
    by: str = ""
    """Who invites, declines or cancels."""
    expires: int | None = None
    """When the link is over."""
    options: tuple[tuple[str, str], ...] = ()
    house: tuple[int, ...] = ()
    """Which of the names stand for the house, counted from 1; these are empty."""
    message: int = 0
    """The first message that the mail brings; later ones come along."""
    clock: str = "none"
    """The time control."""
    reply: Reply | None = None
    said: str = ""
    """What a relay said."""
    began: int = 0
    """Of a time during which no clock ran, as is the next."""
    ended: int = 0
    was: int | None = None
    """The deadline that was told before, if it is another one."""
    address: str = ""
    """To which the mails of an account are to go, or an invitation did not come."""

    def text(self) -> str:
        """As the database keeps it."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> Snapshot:
        """From what `text` gave."""
        given = json.loads(text)
        given["names"], given["house"] = tuple(given["names"]), tuple(given["house"])
        given["options"] = tuple((name, value) for name, value in given["options"])
        if reply := given.get("reply"):
            values = tuple((name, value) for name, value in reply["values"])
            also = tuple((code, line) for code, line in reply["also"])
            given["reply"] = Reply(**{**reply, "values": values, "also": also})
        return cls(**given)
