"""Who may import whom, how long things may be, and what an offline check must not load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("games", "service")

GAMES = frozenset(
    f"games.{folder.name}"
    for folder in (ROOT / "games").iterdir()
    if (folder / "__init__.py").exists() and folder.name not in ("core", "chance", "log")
)


def _service(names: str) -> frozenset[str]:
    return frozenset(f"service.{name}" for name in names.split())


GROUND = _service(
    """
    beat
    cache
    db
    errors
    journal
    kinds
    language
    links
    models
    quota
    settings
    """
)
JOINED = _service(
    """
    access
    alerts
    answers
    changes
    clock
    correspondence
    counter
    digest
    dkim
    drafts
    farewell
    figures
    finished
    held
    house
    inbox
    joining
    keys
    lobby
    matches
    messages
    news
    notes
    opening
    outages
    outbox
    overdue
    own
    pace
    people
    places
    play
    policy
    reach
    ready
    records
    respite
    rematch
    reminders
    rounds
    sessions
    shelf
    signer
    signing
    site
    snapshot
    sorting
    stretches
    stuck
    tale
    tokens
    transfer
    vacation
    unstarted
    unsubscribe
    wishes
    writing
    """
)
DOORS = _service(
    """
    backup
    cli
    doctor
    metrics
    migrations
    serve
    web
    worker
    """
) | {"service"}
IMPURE = frozenset({"random", "time", "datetime", "os", "secrets", "uuid"})
LOADERS = frozenset({"sys", "importlib", "pkgutil", "runpy"})
"""With these a module can reach others that it does not import by name."""
STANDARD = frozenset(sys.stdlib_module_names)


@dataclass(frozen=True)
class Layer:
    """What the modules below some names may import: of ours, and of everybody else's."""

    ours: frozenset[str]
    foreign: frozenset[str] | None = None
    """None: any library that is not in `never`."""
    never: frozenset[str] = frozenset()


def layer(module: str) -> Layer:
    """The row of the table for a module. Its own package is always allowed."""
    top = ".".join(module.split(".")[:2])
    if top == "games.core":
        return Layer(frozenset(), STANDARD)
    if top in GAMES:
        return Layer(frozenset({"games.core"}), STANDARD - IMPURE - LOADERS)
    if top in ("games.chance", "games.log"):
        log = frozenset({"games.core", "games.chance", "games.log"})
        return Layer(log, STANDARD | {"cryptography"})
    if top.startswith("games"):
        return Layer(frozenset({"games"}), STANDARD | {"cryptography"})
    if top in GROUND:
        return Layer(GROUND | {"games.core"}, never=frozenset({"flask"}))
    if top in JOINED:
        return Layer(GROUND | JOINED | {"games"}, never=frozenset({"flask"}))
    if top == "service.mail":
        return Layer(GROUND | JOINED | {"games"}, never=frozenset({"flask"}))
    assert top in DOORS, f"{top} is not in the table"
    return Layer(frozenset({"games", "service"}))


@dataclass(frozen=True)
class Import:
    module: str
    name: str
    line: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.name}"


def sources() -> Iterator[tuple[str, Path]]:
    """Every module of ours with its file."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = list(path.relative_to(ROOT).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            yield ".".join(parts), path


def imports() -> Iterator[Import]:
    """Every import anywhere in our code; `from a import b` counts as `a.b` if that is a module."""
    modules = {module for module, _ in sources()}
    for module, path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from (Import(module, alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{module}:{node.lineno} imports relatively"
                assert node.module is not None
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    yield Import(module, full if full in modules else node.module, node.lineno)


def within(name: str, packages: frozenset[str]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def allowed(found: Import) -> bool:
    row = layer(found.module)
    if found.name.split(".")[0] in PACKAGES:
        own = frozenset({".".join(found.module.split(".")[:2])})
        return within(found.name, row.ours | own)
    top = found.name.split(".")[0]
    return top not in row.never and (row.foreign is None or top in row.foreign)


def test_every_import_is_in_the_table_of_the_house() -> None:
    assert [str(found) for found in imports() if not allowed(found)] == []


def test_only_the_registry_names_a_game_folder() -> None:
    named = [
        str(found)
        for found in imports()
        if within(found.name, GAMES)
        and found.module != "games.registry"
        and not within(found.module, GAMES)
    ]
    assert named == []


def test_a_drawing_never_reaches_rules() -> None:
    paths = ways(imports())
    for game in GAMES:
        assert f"{game}.draw" in paths
        assert [name for name in reached(f"{game}.draw", paths) if is_rules(name)] == []


def ways(found: Iterable[Import]) -> Mapping[str, set[str]]:
    """By module: what it imports itself."""
    paths = defaultdict[str, set[str]](set)
    for one in found:
        paths[one.module].add(one.name)
    return paths


def reached(start: str, paths: Mapping[str, set[str]]) -> set[str]:
    """Every module that the module imports, itself or by another one."""
    known, further = set[str](), {start}
    while further:
        known |= further
        further = set().union(*(paths.get(module, set()) for module in further)) - known
    return known


def test_a_forbidden_import_would_be_found() -> None:
    assert not allowed(Import("games.core.rules", "games.log.record", 1))
    assert not allowed(Import("games.malawi.v1", "random", 1))
    assert not allowed(Import("games.log.note", "games.malawi.v1", 1))
    assert not allowed(Import("games.replay", "service.play", 1))
    assert not allowed(Import("service.links", "flask", 1))
    assert not allowed(Import("service.links", "service.play", 1))
    assert not allowed(Import("service.play", "service.mail.compose", 1))
    assert not allowed(Import("service.mail.compose", "service.web.turn", 1))
    assert not allowed(Import("games.malawi.picture", "importlib", 1))
    assert allowed(Import("service.web.turn", "service.play", 1))


@pytest.mark.parametrize("looks", ["games.malawi.v1", "games.malawi"])
def test_a_look_at_the_rules_through_another_module_would_be_found(looks: str) -> None:
    paths = ways([*imports(), Import("games.malawi.view", looks, 1)])
    assert "games.malawi.v1" in reached("games.malawi.draw", paths)


def test_an_offline_check_loads_no_web_and_no_database() -> None:
    code = (
        "import sys, games.verify, games.__main__\n"
        "print(*sorted({'flask', 'sqlmodel', 'sqlalchemy', 'apscheduler', 'service'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_a_submission_loads_no_flask() -> None:
    code = "import sys, service.play, service.lobby\nprint('flask' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


@dataclass(frozen=True)
class Function:
    where: str
    name: str
    lines: int


def functions() -> Iterator[Function]:
    """Every function with its length, docstring and decorators left out."""
    for module, path in sources():
        if within(module, frozenset({"service.migrations"})):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Function(module, node.name, _body_lines(node))


def _body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body
    if ast.get_docstring(node) is not None:
        body = body[1:]
    if not body:
        return 0
    signature = node.body[0].lineno - node.lineno
    return signature + (body[-1].end_lineno or body[-1].lineno) - body[0].lineno + 1


REASONS: dict[str, str] = {}
"""Functions of more than 30 lines, each with its reason."""


def test_functions_are_short() -> None:
    lengths = [found.lines for found in functions()]
    assert median(lengths) < 10
    assert [found for found in functions() if found.lines > 50] == []
    long = {f"{found.where}.{found.name}" for found in functions() if found.lines > 30}
    assert long == set(REASONS), "a function over 30 lines needs a reason here"


def is_rules(module: str) -> bool:
    """Whether a module is a version of the rules of a game: `v1.py`."""
    last = module.split(".")[-1]
    return within(module, GAMES) and last.startswith("v") and last[1:].isdigit()


def is_list(module: str) -> bool:
    """Whether a module lists tables, one below the other: nobody reads it from top to bottom."""
    return module == "service.models" or within(module, frozenset({"service.migrations"}))


def test_a_file_fits_on_a_few_pages() -> None:
    lengths = {module: len(path.read_text().splitlines()) for module, path in sources()}
    limits = {m: 500 if is_rules(m) or is_list(m) else 400 for m in lengths}
    assert {module for module in lengths if lengths[module] > limits[module]} == set()


def test_the_first_line_of_a_file_says_what_it_is_for() -> None:
    silent = [
        module for module, path in sources() if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def test_annotations_are_not_evaluated_except_in_the_models() -> None:
    imported = {found.module for found in imports() if found.name == "__future__"}
    eager = {module for module, path in sources() if module not in imported and _defines(path)}
    assert eager <= {"service.models"}


def _defines(path: Path) -> bool:
    defining = (ast.FunctionDef, ast.ClassDef, ast.AnnAssign)
    return any(isinstance(node, defining) for node in ast.walk(ast.parse(path.read_text())))
