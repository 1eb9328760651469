"""What is wrong with a log: a code, the record it was found at, and what was seen."""

from __future__ import annotations


class BadLog(ValueError):
    """A log, a note or a proof that cannot stand.

    `code` is one of those under "Judging" in `games.log`; `record` is the number of the record
    meant, or None; `detail` is for people and promises nothing.
    """

    def __init__(self, code: str, record: int | None = None, detail: str = "") -> None:
        super().__init__(f"{code} {'-' if record is None else record} {detail}".rstrip())
        self.code = code
        self.record = record
        self.detail = detail
