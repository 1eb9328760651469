"""Matches by mutt, Postfix and Dovecot while the worker dies: no move is lost, none doubled."""

from __future__ import annotations

import pytest

from service.settings import Settings
from tests.mail.bench.office import Office
from tests.mail.bench.whole import play

pytestmark = pytest.mark.xdist_group("post office")


@pytest.mark.parametrize(("game", "way"), [("monad", "imap"), ("seasons", "lmtp")])
def test_a_worker_that_dies_before_it_acknowledges_a_mail_plays_it_once(
    settings: Settings, office: Office, game: str, way: str
) -> None:
    """`python -m tests.mail.bench` plays whole matches, with more deaths."""
    figures = play(settings, office, game, way, ["kept, not acknowledged"], turns=2)
    assert (figures.turns, figures.killed, figures.doubled) == (2, 1, 0)
