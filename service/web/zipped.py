"""Many logs as one ZIP file, made while it is sent: no more than one log is held at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

START = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: that of a log stands in its records."""


class _Pipe:
    """What ZipFile writes to: it cannot be read or sought, only emptied."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.sent = 0

    def write(self, data: bytes, /) -> int:
        self.parts.append(bytes(data))
        self.sent += len(data)
        return len(data)

    def tell(self) -> int:
        return self.sent

    def flush(self) -> None:
        """There is nothing behind it."""

    def close(self) -> None:
        """Nor is it anything to close."""

    def taken(self) -> bytes:
        found, self.parts = b"".join(self.parts), []
        return found


def zipped(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The bytes of a ZIP file with these names and contents."""
    pipe = _Pipe()
    with ZipFile(pipe, "w", ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = ZipInfo(name, START)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
            yield pipe.taken()
    yield pipe.taken()
