"""Every sentence that the catalogue has to know, and the catalogue put in order.

`python -m tests.mail.messages` sorts it by source file, adds what is missing, still untranslated,
and takes out what is no longer said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from games.automatic import USED_UP
from service.language import LOCALE

ROOT = Path(__file__).parent.parent.parent
FILE = LOCALE / "de" / "LC_MESSAGES" / "messages.po"
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "say": None,
    "say_many": (1, 2),
    "Fault": (2,),
    "BadAddress": None,
    "BadClock": None,
    "BadLink": None,
    "BadName": None,
    "BadVacation": None,
    "NotNow": None,
    "NotYourTurn": None,
    "Stale": None,
    "Taken": None,
}
"""Whose first arguments are sentences. What the command line says to the operator is not here."""


def catalogue() -> Catalog:
    """The catalogue without translations."""
    found = Catalog(locale="de")
    for path in sorted((ROOT / "service").rglob("*.py")):
        _add(found, path, "python")
        for line, sentence in _sentences(path):
            found.add(sentence, locations=[(_name(path), line)])
    found.add(USED_UP, locations=[("games/automatic.py", 0)])
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in (".html", ".txt") and "static" not in path.parts:
            _add(found, path, babel_extract)
    return found


def german() -> Catalog:
    """The catalogue as it is."""
    with FILE.open("rb") as source:
        return read_po(source, locale="de", abort_invalid=True)


def ordered() -> bytes:
    """The catalogue as it should be, as far as it is translated."""
    found, known = catalogue(), german()
    for message in found:
        if message.id and (translated := known.get(message.id)):
            message.string = translated.string
    body = BytesIO()
    write_po(body, found, width=0, omit_header=True, include_lineno=False)
    head, _, _ = FILE.read_bytes().partition(b"\n\n")
    return head + b"\n\n" + body.getvalue().strip() + b"\n"


def _add(found: Catalog, path: Path, method: object) -> None:
    with path.open("rb") as source:
        options = {"encoding": "utf-8", "silent": "false"}
        for line, message, _, _ in extract(method, source, KEYWORDS, options=options):  # type: ignore[arg-type]
            found.add(message, locations=[(_name(path), line)])


def _sentences(path: Path) -> Iterator[tuple[int, str]]:
    """What a class of errors says by default."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == "sentence"
            and isinstance(node.value, ast.Constant)
        ):
            yield node.lineno, str(node.value.value)


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


if __name__ == "__main__":
    FILE.write_bytes(ordered())
