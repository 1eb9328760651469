"""What is shipped: the wheel and what it finds, the lock, and what no file may name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from service.cli import commands
from service.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text()


def tracked() -> list[Path]:
    """The files of the project, as far as they are under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("this is no checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with our wheel in it, and the packages of the lock beside."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", *folder.glob("*.whl")], check=True)
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    # A path in a .pth file brings the packages there, but not the checkout that is linked there.
    (Path(site) / "lock.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "venv" / "bin"


def run(installed: Path, folder: Path, *command: str) -> str:
    """What a command of the wheel prints, in a folder that is not the checkout."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("FERNPARTIE_")
    }
    done = subprocess.run(
        [str(installed / command[0]), *command[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_imported_from_where_it_was_installed(installed: Path, tmp_path: Path) -> None:
    found = run(installed, tmp_path, "python", "-c", "import service; print(service.__file__)")
    assert found.startswith(str(installed.parent))


def test_the_wheel_sets_up_a_service_and_finds_it_in_order(installed: Path, tmp_path: Path) -> None:
    run(installed, tmp_path, "fernpartie", "init")
    assert (tmp_path / "var" / "fernpartie.db").exists()
    run(installed, tmp_path, "fernpartie", "doctor", "--stopped")


def test_the_wheel_shows_a_german_page(installed: Path, tmp_path: Path) -> None:
    run(installed, tmp_path, "fernpartie", "init")
    code = (
        "from service import create_app, settings\n"
        "client = create_app(settings.load()).test_client()\n"
        "page = client.get('/start', headers={'Accept-Language': 'de'})\n"
        "assert page.status_code == 200\n"
        "print(page.text)"
    )
    shown = run(installed, tmp_path, "python", "-c", code)
    assert 'lang="de"' in shown
    assert "Partie" in shown


def test_every_package_in_the_lock_has_its_hashes() -> None:
    blocks = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(blocks) > 30
    assert all(
        re.match(r"[a-z0-9.-]+==\S+", block) and "--hash=sha256:" in block for block in blocks
    )


def test_the_lock_names_no_place_to_fetch_from() -> None:
    assert re.findall(r"https?://|file:|--index|--find-links|@ ", LOCK) == []


def test_the_lock_has_every_package_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[^A-Za-z0-9-]", line)[0].lower() for group in groups for line in group}
    assert names <= set(re.findall(r"^([a-z0-9-]+)==", LOCK, re.MULTILINE))


def test_every_setting_is_explained_for_whoever_deploys() -> None:
    example = (ROOT / "deploy" / "env.example").read_text()
    explained = set(re.findall(rf"^#({PREFIX}[A-Z_]+)=", example, re.MULTILINE))
    assert explained == {PREFIX + name.upper() for name in Settings.model_fields}


def test_every_setting_is_read_somewhere() -> None:
    own = (ROOT / "service" / "settings.py").read_text()
    others = "".join(path.read_text() for path in (ROOT / "service").rglob("*.py"))
    read = {*re.findall(r"\bsettings\.(\w+)", others), *re.findall(r"\bself\.(\w+)", own)}
    assert set(Settings.model_fields) - read == set()


def test_the_units_start_commands_that_exist() -> None:
    units = sorted((ROOT / "deploy").glob("*.service"))
    started = re.findall(
        r"^ExecStart\w*=\S+/fernpartie (\w+)$",
        "".join(unit.read_text() for unit in units),
        re.MULTILINE,
    )
    assert len(units) == 2
    assert set(started) == {"init", "web", "worker"}
    assert set(started) <= set(commands.commands)


def test_no_file_names_a_machine_or_a_registry() -> None:
    hosts = r"|".join(("files[.]python" + "hosted", "py" + "pi[.]org", "registry[.]np" + "mjs"))
    named = re.compile(rf"(?<![\w.])/(?:home|root|work|Users)/\w|{hosts}")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()[:80]}"
        for path in tracked()
        if path.suffix not in (".woff2", ".png") and path != Path(__file__)
        for line in path.read_text(errors="replace").splitlines()
        if named.search(line)
    ]
    assert found == []
