"""Figures for a monitoring system: read from the database when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from games.position import Phase
from service import beat, outbox, stuck
from service.errors import NotReady, Unavailable
from service.models import MATCH, OUTBOX
from service.settings import LOOPBACK
from service.site import Site

Gauges = Iterator[GaugeMetricFamily]


@contextmanager
def served(site: Site, port: int | None) -> Iterator[None]:
    """Answers on a port of this machine alone, if one is given. Raises NotReady if it is taken."""
    if port is None:
        yield
        return
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(site))
    try:
        server, thread = start_http_server(port, LOOPBACK[0], registry)
    except OSError as error:
        raise NotReady(
            "The figures cannot be served on port %(port)s: %(why)s. Set FERNPARTIE_METRICS_PORT "
            "to another one.",
            port=port,
            why=(error.strerror or str(error)).lower(),
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Figures(Collector):
    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Gauges:
        """All figures; while the database is away only that it is."""
        now = int(time.time())
        up = GaugeMetricFamily("fernpartie_database_up", "Whether the database answers.")
        try:
            with self._site.db.read() as conn:
                found = [*_beats(conn, now), *_mails(conn, now), *_matches(conn, now)]
        except Unavailable:
            found = []
        up.add_metric([], float(bool(found)))
        yield from (up, *found)


def _beats(conn: sa.Connection, now: int) -> Gauges:
    ages = _gauge("heartbeat_age_seconds", "Since a part was last heard of.", "part")
    for part, at in sorted(beat.last(conn).items()):
        ages.add_metric([part], now - at)
    yield ages
    outages = _gauge("outages_unsettled", "Outages that no clock was shifted for yet.")
    outages.add_metric([], len(beat.unsettled(conn)))
    yield outages


def _mails(conn: sa.Connection, now: int) -> Gauges:
    waiting = outbox.unsettled(now)
    counted = sa.select(OUTBOX.c.state, sa.func.count()).where(waiting).group_by(OUTBOX.c.state)
    counts = {row[0]: row[1] for row in conn.execute(counted)}
    queue = _gauge("mails_waiting", "Mails that something is still to become of.", "state")
    for state in (*outbox.WAITING, "sending"):
        queue.add_metric([state], counts.get(state, 0))
    yield queue
    oldest = conn.execute(sa.select(sa.func.min(OUTBOX.c.created)).where(waiting)).scalar()
    age = _gauge("oldest_mail_age_seconds", "Of the oldest mail that waits; 0 if none does.")
    age.add_metric([], 0 if oldest is None else now - oldest)
    yield age


def _matches(conn: sa.Connection, now: int) -> Gauges:
    open_ = _gauge("matches_open", "Matches that are not over, by phase.", "phase")
    going = (Phase.JOINING.value, Phase.RUNNING.value, Phase.OVER.value)
    counted = sa.select(MATCH.c.phase, sa.func.count()).where(MATCH.c.phase.in_(going))
    counts = {row[0]: row[1] for row in conn.execute(counted.group_by(MATCH.c.phase))}
    for phase in going:
        open_.add_metric([phase], counts.get(phase, 0))
    yield open_
    late = sa.select(sa.func.count()).where(MATCH.c.deadline <= now, MATCH.c.mover.is_not(None))
    overdue = _gauge("matches_overdue", "Running matches whose turn should have timed out.")
    overdue.add_metric([], conn.execute(late).scalar_one())
    yield overdue
    waiting = _gauge("matches_stuck", "Matches that the worker cannot see to.")
    waiting.add_metric([], stuck.count(conn))
    yield waiting


def _gauge(name: str, says: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"fernpartie_{name}", says, labels=labels)
