"""Whole matches by mail, on real mail servers: `python -m tests.mail.bench [GAME WAY]`.

A match of Monad whose answers are fetched from a mailbox, and one of Seasons of the Sun whose
answers Postfix brings: both players answer every mail with mutt, and the worker dies once at each
of its steps. Prints what came of it; takes a few minutes. Needs what the tests need, and root.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from service.settings import Settings
from tests.mail.bench.office import missing, office
from tests.mail.bench.whole import Figures, play
from tests.mail.bench.worker import DEATHS

MATCHES = (("monad", "imap"), ("seasons", "lmtp"))
CALM = 2
"""Turns between two deaths."""


def main(*chosen: str) -> None:
    if why := missing():
        sys.exit(why)
    deaths = [step for death in DEATHS for step in (death, *[""] * CALM)]
    for game, way in [chosen] if chosen else MATCHES:
        with TemporaryDirectory() as folder, office() as there:
            figures = play(Settings(data=Path(folder) / "var"), there, game, way, deaths)
        print(report(game, way, figures), flush=True)


def report(game: str, way: str, figures: Figures) -> str:
    told = (
        f"{game} by {way}: {figures.turns} answers with mutt, the worker died {figures.killed}"
        f" times, {figures.mails} mails to the players, {figures.doubled} of them second copies"
        f" with the same bytes; {figures.seconds:.0f} s"
    )
    return "\n  ".join((told, *figures.verdict))


if __name__ == "__main__":
    main(*sys.argv[1:])
