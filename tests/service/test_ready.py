"""What a monitor asks: alive, ready and why not, and figures; none of it holds a secret."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from service import beat, create_app, metrics, ready, worker
from service.errors import NotReady
from service.mail.transport import Unreachable
from service.models import MATCH, SERVICE
from service.settings import Settings
from service.site import Site, init
from tests.mail.recorder import Recorder
from tests.service import table
from tests.service.conftest import ON_SQLITE
from tests.service.table import NOW
from tests.service.test_serve import free_port


@pytest.fixture
def running(site: Site) -> Site:
    """A service whose worker has just been heard of."""
    beat.beat(site.db, "worker", NOW)
    return site


def test_a_running_service_is_ready(running: Site) -> None:
    assert ready.reasons(running, NOW + 10) == []


def test_a_service_whose_worker_is_silent_is_not_ready(site: Site) -> None:
    assert "No worker has run yet" in ready.reasons(site, NOW)[0]
    beat.beat(site.db, "worker", NOW)
    (why,) = ready.reasons(site, NOW + 90)
    assert why.startswith("No worker has been heard of for 90 seconds")


def test_mails_that_do_not_go_out_are_said(running: Site) -> None:
    """A relay that cannot be used keeps the operator's mail from going out as well."""
    table.opened(running)
    recorder = Recorder(answers=[Unreachable("535 5.7.8 wrong password", ours=True)] * 50)
    for later in range(0, 1_000, 100):
        worker.post(running, recorder, NOW + later)
        beat.beat(running.db, "worker", NOW + later)
        assert bool(ready.reasons(running, NOW + later)) == (later >= 900)
    (why,) = ready.reasons(running, NOW + 900)
    assert why.startswith("Mails wait (")

    recorder.answers = []
    worker.post(running, recorder, NOW + 2_000)
    beat.beat(running.db, "worker", NOW + 2_000)
    assert ready.reasons(running, NOW + 2_000) == []


def test_a_clock_that_is_set_back_is_said(running: Site) -> None:
    (why,) = ready.reasons(running, NOW - 86_400)
    assert "clock is 86400 seconds behind" in why


def test_other_keys_are_said(running: Site) -> None:
    with running.db.write() as conn:
        conn.execute(SERVICE.update().values(link_key="another"))
    assert "The link key is not the one" in ready.reasons(running, NOW)[0]


def test_a_missing_trigger_is_said(running: Site) -> None:
    drop = (
        "DROP TRIGGER record_no_update"
        if running.db.lite
        else ("DROP TRIGGER record_no_change ON record")
    )
    with running.db.write() as conn:
        conn.exec_driver_sql(drop)
    assert "append-only are missing" in ready.reasons(running, NOW)[0]


@ON_SQLITE
def test_a_database_that_is_away_is_said_and_the_process_is_alive(
    settings: Settings, tmp_path: Path
) -> None:
    init(settings)
    app = create_app(settings)
    site: Site = app.extensions["fernpartie"]
    with closing(site):
        client = app.test_client()
        beat.beat(site.db, "worker", int(time.time()))
        assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ok\n")
        site.db.close()
        (settings.data / "fernpartie.db").rename(tmp_path / "gone")
        (settings.data / "fernpartie.db").mkdir()
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "out of order" in answer.text
        assert client.get("/healthz").text == "ok\n"


@pytest.fixture
def port(running: Site) -> Iterator[int]:
    """Where the figures of a running service are."""
    free = free_port()
    with metrics.served(running, free):
        yield free


def figures(port: int) -> dict[str, float]:
    """All figures by name and label."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
    return {name: float(value) for name, value in re.findall(r"^(\w\S*) (\S+)$", text, re.M)}


def test_the_figures_say_what_waits_and_since_when(running: Site, port: int) -> None:
    assert figures(port)["fernpartie_oldest_mail_age_seconds"] == 0
    hour = int(time.time()) - 100
    table.started(running, hour)
    beat.beat(running.db, "inbound", hour)
    with running.db.write() as conn:
        conn.execute(MATCH.update().values(deadline=hour, stuck=hour, retry=hour))
    found = figures(port)
    assert found["fernpartie_matches_stuck"] == 1
    assert found["fernpartie_database_up"] == 1
    assert found['fernpartie_heartbeat_age_seconds{part="inbound"}'] >= 100
    assert found['fernpartie_matches_open{phase="running"}'] == 1
    assert found["fernpartie_matches_overdue"] == 1
    assert found['fernpartie_mails_waiting{state="pending"}'] > 0
    assert found["fernpartie_oldest_mail_age_seconds"] >= 100


def test_a_taken_port_of_the_figures_is_said(running: Site, port: int) -> None:
    with pytest.raises(NotReady, match=f"port {port}"), metrics.served(running, port):
        pass
