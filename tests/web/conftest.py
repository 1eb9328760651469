"""The pages over a service of their own, and what their people do and read."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from pydantic import SecretStr
from werkzeug.serving import make_server

from service import create_app
from service.settings import Settings
from service.site import Site
from tests.absent import absent
from tests.furnished import COMPILED, furnish
from tests.web.people import OPERATOR, House


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    """The pages of a service that has just been set up."""
    given = settings.model_copy(update={"operator_token": SecretStr(OPERATOR)})
    furnish(given)
    app = create_app(given)
    app.jinja_env.bytecode_cache = COMPILED
    site: Site = app.extensions["fernpartie"]
    with closing(site):
        yield app


@pytest.fixture
def house(app: Flask) -> House:
    """The pages and the mail, for people to use."""
    return House(app)


ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Debian's Chromium, which also runs as root; no browser is ever downloaded."""
    path = shutil.which("chromium")
    if path is None:
        absent("Chromium is not installed (Debian: apt-get install chromium).")
    return {**browser_type_launch_args, "executable_path": path, "args": ARGS}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[House]:
    """A service at an address of this machine, for real browsers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(data=tmp_path / "var", port=port, operator_token=SecretStr(OPERATOR))
    furnish(settings)
    app = create_app(settings)
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    site: Site = app.extensions["fernpartie"]
    with closing(site):
        yield House(app)
        server.shutdown()
        thread.join()
        server.server_close()
