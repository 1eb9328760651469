"""The file of a match: its lines, its head note and its proof, taken apart and put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.log.errors import BadLog

PROOF = "c2sp.org/tlog-proof@v1"
"""The first line of a proof."""
MOST_LINES = 1_000_000
"""Lines of a file that are told apart; longer than any match, and short of filling the memory."""

_BOM = b"\xef\xbb\xbf"
_PROOF_LINE = PROOF.encode("ascii") + b"\n"


@dataclass(frozen=True, slots=True)
class Sections:
    """A file in its parts, as bytes; the texts are read when their turn comes."""

    lines: list[bytes]
    """The records, without their LF."""
    note: bytes | None = None
    tlog: bytes | None = None

    @property
    def head(self) -> str | None:
        """The head note, None if there is none. Raises BadLog E_NOTE if it is no text."""
        try:
            return None if self.note is None else self.note.decode()
        except UnicodeDecodeError:
            raise BadLog("E_NOTE", detail="not UTF-8") from None

    @property
    def proof(self) -> str | None:
        """The tlog-proof, None if there is none.

        Raises BadLog if it is no text: E_INCLUSION before its checkpoint, E_NOTE in it.
        """
        if self.tlog is None:
            return None
        try:
            return self.tlog.decode()
        except UnicodeDecodeError as error:
            before = b"\n\n" not in self.tlog[: error.start]
            raise BadLog("E_INCLUSION" if before else "E_NOTE", detail="not UTF-8") from None


def split(data: bytes) -> Sections:
    """The parts of a file. Raises BadLog: E_BOM, E_CRLF, E_EOF.

    Work and memory grow with the size of the file and no faster; who takes files from strangers
    limits their size.
    """
    if data.startswith(_BOM):
        raise BadLog("E_BOM")
    if b"\r\n" in data:
        raise BadLog("E_CRLF")
    if not data.endswith(b"\n"):
        raise BadLog("E_EOF")
    empty_first = data.startswith(b"\n")
    body, empty, rest = (b"", b"\n", data[1:]) if empty_first else data.partition(b"\n\n")
    lines = body.removesuffix(b"\n").split(b"\n", MOST_LINES) if body else []
    return Sections(lines, *_notes(rest)) if empty else Sections(lines)


def join(
    lines: Iterable[bytes], head: str | bytes | None = None, proof: str | bytes | None = None
) -> bytes:
    """The file of these parts: what `split` takes apart again."""
    parts = [b"".join(line + b"\n" for line in lines)]
    parts += [_bytes(part) for part in (head, proof) if part is not None]
    return b"\n".join(parts)


def _notes(rest: bytes) -> tuple[bytes | None, bytes | None]:
    if rest.startswith(_PROOF_LINE):
        return None, rest
    note, found, path = rest.partition(b"\n" + _PROOF_LINE)
    if not found:
        return rest, None
    # Without the empty line between them the note lacks its own end, and is none.
    return note, _PROOF_LINE + path


def _bytes(part: str | bytes) -> bytes:
    return part.encode() if isinstance(part, str) else part
