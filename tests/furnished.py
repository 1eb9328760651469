"""What the service of each test begins with, made once for a process instead of once for a test."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from service import site
from service.settings import Settings


class Compiled(BytecodeCache):
    """Templates that an app before has compiled. Jinja looks at their sources for a change."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


def furnish(settings: Settings, name: str | None = None) -> None:
    """Sets a service up. On SQLite, which is one folder, it is the copy of one that was set up."""
    own = settings.database_url.get_secret_value() == f"sqlite:///{settings.data}/fernpartie.db"
    if own and not settings.data.exists():
        shutil.copytree(_folder(name), settings.data)
    else:
        site.init(settings, name)


@cache
def _folder(name: str | None) -> Path:
    """Gone with the process."""
    folder = Path(tempfile.mkdtemp(prefix="furnished-"))
    atexit.register(shutil.rmtree, folder)
    site.init(Settings(data=folder / "var"), name)
    return folder / "var"
