"""Every sentence that the catalogue has to know: from the templates, and from the service."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from jinja2.ext import babel_extract

ROOT = Path(__file__).parent.parent.parent
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "say": None,
    "say_many": (1, 2),
    "Fault": (2,),
    "BadAddress": None,
    "BadLink": None,
    "BadName": None,
    "NotNow": None,
    "NotYourTurn": None,
    "SpentLink": None,
    "Stale": None,
    "Taken": None,
}
"""Whose first arguments are sentences. What the command line says to the operator is not here."""


def catalogue() -> Catalog:
    """The catalogue without translations."""
    found = Catalog()
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in (".html", ".txt") and "static" not in path.parts:
            _add(found, path, babel_extract)
    for path in sorted((ROOT / "service").rglob("*.py")):
        _add(found, path, "python")
        for line, sentence in _sentences(path):
            found.add(sentence, locations=[(_name(path), line)])
    return found


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
